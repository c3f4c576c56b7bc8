//! Wells and towers: a few adjacent columns that are far below or above their neighbours.

use super::words::{self, Unmixed};
use super::{BoardView, Found, LookupTable, TableEntry};
use crate::settings::{Kind, Setting};
use crate::simd::{Word, WordNumber};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "stretches",
    definition: "the deepest well and the highest tower of a number of columns, with the free rows above the highest column",
    source: "ours",
    settings: &[Setting {
        id: "columns",
        help: "number of columns of a stretch",
        default: Some("1"),
        kind: Kind::count(1, 4),
    }],
    make: |settings, size| {
        let (columns, height) = (settings.count("columns"), size.height);
        if columns < size.width {
            Ok(Stretches { columns, height }.into())
        } else {
            Err(format!("does not fit a board {} wide", size.width))
        }
    },
};

/// See [`ENTRY`].
#[derive(Debug)]
pub struct Stretches {
    columns: usize,
    height: usize,
}

impl Stretches {
    /// The depth of the deepest well and the height of the highest tower.
    #[inline(always)]
    fn extremes<W: Word>(&self, columns: usize, board: &BoardView<'_, W>) -> [W::Num; 2] {
        let zero = W::Num::splat(0);
        let (mut deepest, mut tallest) = (zero, zero);
        let places = board.width + 1 - columns;
        for place in 0..places {
            let own = &board.heights[place + 1..place + 1 + columns];
            let (mut highest, mut lowest) = (own[0], own[0]);
            for &height in &own[1..] {
                highest = highest.most(height);
                lowest = lowest.least(height);
            }
            let (left, right) = (board.heights[place], board.heights[place + 1 + columns]);
            deepest = deepest.most(left.least(right) - highest);
            // A tower may be at a wall.
            let left = if place == 0 { zero } else { left };
            let right = if place == places - 1 { zero } else { right };
            tallest = tallest.most(lowest - left.most(right));
        }
        [deepest, tallest]
    }
}

impl LookupTable for Stretches {
    fn entries(&self) -> usize {
        2 * (self.height + 1) * (self.height + 1)
    }

    /// A small number of columns has specialised code, in which the loops over them are unrolled.
    #[inline(always)]
    fn find<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>) {
        let extremes = match self.columns {
            1 => self.extremes(1, board),
            2 => self.extremes(2, board),
            3 => self.extremes(3, board),
            columns => self.extremes(columns, board),
        };
        let (most, rows) = (W::Num::splat(self.height as i32), self.height + 1);
        let above = board.rows_left(self.height);
        for which in 0..2 {
            let extreme = extremes[which].least(most);
            let entry = extreme * W::Num::splat(rows as i32) + above;
            found.entry(which * rows * rows, entry);
        }
    }

    fn describe(&self, entry: usize) -> String {
        let mut rest = Unmixed(entry);
        let left = words::count(rest.take(self.height + 1), self.height);
        let extreme = words::count(rest.take(self.height + 1), self.height);
        let what = ["deepest well", "highest tower"][rest.0];
        format!(
            "{what} of width {}: {extreme}, rows left above the stack: {left}",
            self.columns
        )
    }
}
