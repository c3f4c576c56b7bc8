//! Columns in context: the cells below the tops of neighbouring columns, and their height
//! differences.

use super::words::{self, Unmixed};
use super::{BoardView, Found, LookupTable, MOST_COLUMNS, TableEntry, clipped};
use crate::settings::{Kind, Setting};
use crate::simd::{Word, WordNumber};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "tops",
    definition: "cells below the tops of some neighbouring columns and their differences in height; mirror images share an entry",
    source: "ours",
    settings: &[
        Setting {
            id: "columns",
            help: "number of neighbouring columns; a single column is combined with the differences to both sides",
            default: Some("1"),
            kind: Kind::count(1, 4),
        },
        Setting {
            id: "cells",
            help: "cells below the top of each column",
            default: Some("6"),
            kind: Kind::count(1, 10),
        },
        Setting {
            id: "most",
            help: "larger differences are clipped to this one",
            default: Some("3"),
            kind: Kind::count(1, 40),
        },
    ],
    make: |settings, _| {
        let tops = Tops {
            columns: settings.count("columns"),
            cells: settings.count("cells"),
            most: settings.count("most") as i32,
        };
        let differences = (2 * tops.most as u64 + 1).checked_pow(tops.gaps() as u32);
        let patterns =
            differences.and_then(|count| count.checked_mul(1_u64 << (tops.columns * tops.cells)));
        if patterns.is_some_and(|count| count <= 10_000_000) {
            Ok(tops.into())
        } else {
            Err("the table would have more than 10 million patterns".to_owned())
        }
    },
};

/// See [`ENTRY`].
#[derive(Debug)]
pub struct Tops {
    columns: usize,
    cells: usize,
    most: i32,
}

impl Tops {
    /// Number of differences.
    fn gaps(&self) -> usize {
        match self.columns {
            1 => 2,
            columns => columns - 1,
        }
    }

    /// The cells below the top cell of a column; cells below the floor count as filled.
    #[inline(always)]
    fn below_top<W: Word>(&self, column: W, height: W::Num) -> W {
        // The empty cells, shifted up until the top is out of range. Cells shifted in from below
        // are not empty.
        let up = W::Num::splat(W::BITS + 1) - height;
        let empty = (!column).up_by(up);
        let down = W::Num::splat(W::BITS - self.cells as i32);
        W::bits((1 << self.cells) - 1) & !empty.down_by(down)
    }

    #[inline(always)]
    fn find_over<W: Word>(
        &self,
        columns: usize,
        board: &BoardView<'_, W>,
        found: &mut impl Found<W::Num>,
    ) {
        let mut below = [W::bits(0); MOST_COLUMNS];
        for c in 0..board.width {
            below[c] = self.below_top(board.columns[c], board.height_of(c));
        }
        for place in 0..=board.width - columns {
            let (mut cells, mut mirrored) = (below[place], below[place + columns - 1]);
            let up = W::Num::splat(self.cells as i32);
            for k in 1..columns {
                cells = cells.up_by(up) | below[place + k];
                mirrored = mirrored.up_by(up) | below[place + columns - 1 - k];
            }
            let cells = [cells.number(), mirrored.number()];
            let pattern = match columns {
                1 => self.with_sides(cells[0], board.sides(place)),
                _ => self.with_steps(cells, &board.rises[place..place + columns - 1]),
            };
            found.entry(0, pattern);
        }
    }

    /// The entry of one column with the differences to both sides.
    #[inline(always)]
    fn with_sides<N: WordNumber>(&self, cells: N, [left, right]: [N; 2]) -> N {
        let base = N::splat(2 * self.most + 1);
        let (left, right) = (clipped(left, self.most), clipped(right, self.most));
        // The mirror image has the same cells, so the smaller entry is the one with the smaller
        // side first.
        (cells * base + left.least(right)) * base + left.most(right)
    }

    /// The entry of neighbouring columns and the rises between them, seen from the left or
    /// mirrored.
    #[inline(always)]
    fn with_steps<N: WordNumber>(&self, [mut pattern, mut mirrored]: [N; 2], rises: &[N]) -> N {
        let (base, all) = (N::splat(2 * self.most + 1), N::splat(2 * self.most));
        for k in 0..rises.len() {
            pattern = pattern * base + clipped(rises[k], self.most);
            let step = clipped(rises[rises.len() - 1 - k], self.most);
            mirrored = mirrored * base + (all - step);
        }
        pattern.least(mirrored)
    }
}

impl LookupTable for Tops {
    fn entries(&self) -> usize {
        (2 * self.most as usize + 1).pow(self.gaps() as u32) << (self.columns * self.cells)
    }

    /// A small number of columns has specialised code, in which the loops over them are unrolled.
    #[inline(always)]
    fn find<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>) {
        match self.columns {
            1 => self.find_over(1, board, found),
            2 => self.find_over(2, board, found),
            3 => self.find_over(3, board, found),
            _ => self.find_over(4, board, found),
        }
    }

    fn describe(&self, entry: usize) -> String {
        let mut rest = Unmixed(entry);
        let size = 2 * self.most as usize + 1;
        let steps = rest.take_all(self.gaps(), size);
        let columns = rest.take_all(self.columns, 1 << self.cells);
        // The highest bit is the cell directly below the top.
        let downwards =
            |cells: &usize| -> String { words::cells(*cells, self.cells).chars().rev().collect() };
        let columns: Vec<String> = columns.iter().map(downwards).collect();
        let columns = columns.join(" ");
        let steps = words::differences(&steps, self.most);
        match self.columns {
            1 => format!("cells below the top of a column {columns}, height differences {steps}"),
            _ => format!("cells below the tops {columns}, height differences {steps}"),
        }
    }
}
