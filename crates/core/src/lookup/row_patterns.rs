//! Rows as patterns of cells: filled, open or covered.

use super::words::Unmixed;
use super::{BoardView, Found, LookupTable, Needs, TableEntry};
use crate::board::HEIGHTS;
use crate::settings::{Kind, Setting};
use crate::simd::{Word, WordNumber};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "row-patterns",
    definition: "rows as patterns of filled, open and covered cells; mirror images share an entry",
    source: "ours",
    settings: &[Setting {
        id: "of",
        help: "which rows: all up to the highest column, the row of the highest hole, or the row below it",
        default: Some("all"),
        kind: Kind::Word(&["all", "highest-hole", "below-highest-hole"]),
    }],
    make: |settings, size| {
        if size.width > 12 {
            let width = size.width;
            return Err(format!(
                "the table would have 3^{width} entries; boards may be at most 12 columns wide, got {width}"
            ));
        }
        let below = match settings.word("of") {
            "all" => None,
            "highest-hole" => Some(0),
            _ => Some(1),
        };
        let width = size.width;
        Ok(RowPatterns { below, width }.into())
    },
};

/// See [`ENTRY`].
#[derive(Debug)]
pub struct RowPatterns {
    /// The distance below the highest hole; `None` for all rows.
    below: Option<i32>,
    width: usize,
}

impl LookupTable for RowPatterns {
    fn entries(&self) -> usize {
        3usize.pow(self.width as u32)
    }

    fn most_shown(&self) -> usize {
        *HEIGHTS.end()
    }

    fn needs(&self) -> Needs {
        Needs::PATTERNS
    }

    #[inline(always)]
    fn find<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>) {
        let Some(below) = self.below else {
            for row in 0..board.most_rows {
                let pattern = W::Num::load(&board.patterns[row]);
                found.entry_if(board.has_row(row), 0, pattern);
            }
            return;
        };
        let row = board.hole_top - W::Num::splat(1 + below);
        let is_there = row.above(W::Num::splat(-1));
        let pattern = W::Num::in_row(&board.patterns, row.most(W::Num::splat(0)));
        // Without this row: pattern 0, which no row has.
        found.entry(0, pattern.only_if(is_there));
    }

    fn describe(&self, entry: usize) -> String {
        if entry == 0 {
            return "no such row".to_owned();
        }
        let mut rest = Unmixed(entry);
        let cells = (0..self.width).map(|_| ['.', '#', 'o'][rest.take(3)]);
        let cells: String = cells.collect();
        let covered = if cells.contains('o') {
            ", o is covered"
        } else {
            ""
        };
        format!("row {cells}{covered}")
    }
}
