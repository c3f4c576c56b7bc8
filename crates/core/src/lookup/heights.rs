//! Heights of single columns, measured from the top of the board.

use super::words::{self, Unmixed};
use super::{BoardSize, BoardView, Found, LookupTable, TableEntry};
use crate::settings::{Kind, Setting};
use crate::simd::{Word, WordNumber};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "heights",
    definition: "free rows above each column, by its position; mirror images share an entry",
    source: "ours, after Bertsekas and Ioffe 1996",
    settings: &[Setting {
        id: "with",
        help: "additional input: none (place), or the depth of the column below the lower of its neighbours (well), shared by all positions",
        default: Some("place"),
        kind: Kind::Word(&["place", "well"]),
    }],
    make: |settings, size| {
        let BoardSize { width, height } = size;
        let heights = Heights {
            with_well: settings.word("with") == "well",
            width,
            height,
        };
        Ok(heights.into())
    },
};

/// See [`ENTRY`].
#[derive(Debug)]
pub struct Heights {
    with_well: bool,
    width: usize,
    height: usize,
}

impl LookupTable for Heights {
    fn entries(&self) -> usize {
        let rows = self.height + 1;
        if self.with_well {
            rows * rows
        } else {
            self.width.div_ceil(2) * rows
        }
    }

    #[inline(always)]
    fn find<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>) {
        let (most, rows) = (W::Num::splat(self.height as i32), self.height + 1);
        // Relative to the highest column, not to this one: a deep well alone is not dangerous.
        let above = board.rows_left(self.height);
        for c in 0..board.width {
            if self.with_well {
                let depth = board.wells[c].least(most);
                found.entry(0, depth * W::Num::splat(rows as i32) + above);
            } else {
                let place = c.min(board.width - 1 - c);
                let left = (board.height - board.height_of(c)).least(most);
                found.entry(place * rows, left);
            }
        }
    }

    fn describe(&self, entry: usize) -> String {
        let mut rest = Unmixed(entry);
        let left = words::count(rest.take(self.height + 1), self.height);
        if self.with_well {
            let depth = words::count(rest.0, self.height);
            format!(
                "column that is lower than both neighbours by {depth}, rows left above the stack: {left}"
            )
        } else {
            let column = words::mirrored_place(rest.0, self.width);
            format!("rows left above column {column}: {left}")
        }
    }
}
