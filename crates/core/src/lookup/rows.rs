//! Rows and their positions: above the highest hole, or below the top.

use super::row_digits::mirrored;
use super::words::{self, Unmixed};
use super::{BoardSize, BoardView, Found, LookupTable, Needs, TableEntry};
use crate::board::HEIGHTS;
use crate::settings::{Kind, Setting};
use crate::simd::{Word, WordNumber};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "rows",
    definition: "rows and their positions, one entry for each row up to the highest column",
    source: "ours",
    settings: &[Setting {
        id: "by",
        help: "open: filled and empty cells of the rows above the highest hole, and their distance above it; \
               missing: number of empty cells of a row, and its distance below the top of the board",
        default: Some("open"),
        kind: Kind::Word(&["open", "missing"]),
    }],
    make: |settings, size| {
        let is_open = settings.word("by") == "open";
        let masks = 0..if is_open { 1 << size.width } else { 0 };
        let smaller = masks.map(|mask: u32| mask.min(mirrored(mask, size.width)) as i32);
        let rows = Rows {
            is_open,
            smaller: smaller.collect(),
            size,
        };
        Ok(rows.into())
    },
};

/// Larger distances from the highest hole are clipped to this one.
const FARTHEST: usize = 5;

/// See [`ENTRY`].
#[derive(Debug)]
pub struct Rows {
    /// Whether rows are distinguished by their filled cells rather than by their number of empty
    /// cells.
    is_open: bool,
    /// For each row, the smaller of its mask and the mask of its mirror image.
    smaller: Vec<i32>,
    size: BoardSize,
}

impl Rows {
    /// Rows above the highest hole: the filled cells of the row, and its distance from the hole.
    /// Mirror images share an entry.
    #[inline(always)]
    fn find_open<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>) {
        let farthest = W::Num::splat(FARTHEST as i32);
        let masks = W::Num::splat(1 << board.width);
        // Without a hole, all rows have the maximum distance.
        let has_hole = board.hole_top.above(W::Num::splat(0));
        for row in 0..board.most_rows {
            let number = W::Num::splat(row as i32);
            let is_above = W::Num::splat(row as i32 + 1).above(board.hole_top);
            let shown = board.has_row(row).only_if(is_above);
            if shown.all_zero() {
                continue;
            }
            let distance = number - board.hole_top;
            let distance = distance.least(W::Num::splat(FARTHEST as i32 - 1));
            let distance = has_hole.pick(distance, farthest);
            let cells = board.filled_rows[row].gather(&self.smaller);
            found.entry_if(shown, 0, distance * masks + cells);
        }
    }

    /// The number of empty cells of a row, and its distance below the top of the board.
    #[inline(always)]
    fn find_missing<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>) {
        let last = W::Num::splat(self.size.height as i32 - 1);
        let counts = W::Num::splat(board.width as i32 + 1);
        for row in 0..board.most_rows {
            let below_top = (board.height - W::Num::splat(row as i32 + 1)).least(last);
            let entry = below_top * counts + board.missing[row];
            found.entry_if(board.has_row(row), 0, entry);
        }
    }
}

impl LookupTable for Rows {
    fn entries(&self) -> usize {
        let BoardSize { width, height } = self.size;
        if self.is_open {
            (FARTHEST + 1) << width
        } else {
            (width + 1) * height
        }
    }

    fn most_shown(&self) -> usize {
        *HEIGHTS.end()
    }

    fn needs(&self) -> Needs {
        Needs::ROWS
    }

    #[inline(always)]
    fn find<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>) {
        if self.is_open {
            self.find_open(board, found);
        } else {
            self.find_missing(board, found);
        }
    }

    fn describe(&self, entry: usize) -> String {
        let mut rest = Unmixed(entry);
        let BoardSize { width, height } = self.size;
        if !self.is_open {
            let missing = rest.take(width + 1);
            let below_top = words::count(rest.0, height - 1);
            return format!(
                "row with {missing} empty cells, rows of the board above it: {below_top}"
            );
        }
        let cells = words::cells(rest.take(1 << width), width);
        match rest.0 {
            FARTHEST => format!("row {cells} of a board without holes"),
            distance => {
                let distance = words::count(distance + 1, FARTHEST);
                format!("row {cells}, {distance} above the highest hole")
            }
        }
    }
}
