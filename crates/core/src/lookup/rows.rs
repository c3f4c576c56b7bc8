//! Rows and where they stand: above the highest hole, or below the top.

use super::words::{self, Unmixed};
use super::{BoardMeasurements, FoundEntries, LookupTable, TableEntry};
use crate::board::HEIGHTS;
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "rows",
    definition: "rows and where they stand, one entry for each up to the highest column",
    source: "ours",
    settings: &[Setting {
        id: "by",
        help: "open: filled and empty cells of the rows above the highest hole, and how far above it they lie; \
               missing: how many cells a row lacks, and how far below the top of the board it lies",
        default: Some("open"),
        kind: Kind::Word(&["open", "missing"]),
    }],
    make: |settings, size| match settings.word("by") {
        "open" => Ok(Box::new(OpenRows { width: size.width })),
        _ => Ok(Box::new(MissingCells {
            width: size.width,
            height: size.height,
        })),
    },
};

/// Larger distances from the highest hole count as this one.
pub(crate) const FARTHEST: usize = 5;

/// Rows above the highest hole: what is filled, and how far above the hole they lie. Mirror images share an entry.
#[derive(Debug)]
struct OpenRows {
    width: usize,
}

impl LookupTable for OpenRows {
    fn entries(&self) -> usize {
        (FARTHEST + 1) << self.width
    }

    fn most_shown(&self) -> usize {
        *HEIGHTS.end()
    }

    fn find(&self, board: &BoardMeasurements, found: &mut FoundEntries<'_>) {
        let first = board.highest_hole().map_or(0, |hole| hole + 1);
        for row in first..board.highest() {
            let cells = board.filled_rows()[row];
            let mirrored = cells.reverse_bits() >> (16 - self.width);
            // Without a hole all rows are as far from it as can be.
            let distance = match board.highest_hole() {
                Some(hole) => (row - hole).min(FARTHEST) - 1,
                None => FARTHEST,
            };
            found.entry(distance << self.width | usize::from(cells.min(mirrored)));
        }
    }

    fn describe(&self, entry: usize) -> String {
        let mut rest = Unmixed(entry);
        let cells = words::cells(rest.take(1 << self.width), self.width);
        match rest.0 {
            FARTHEST => format!("row {cells} of a board without holes"),
            distance => {
                let distance = words::count(distance + 1, FARTHEST);
                format!("row {cells}, {distance} above the highest hole")
            }
        }
    }
}

/// How many cells a row lacks, and how far below the top of the board it lies.
#[derive(Debug)]
struct MissingCells {
    width: usize,
    height: usize,
}

impl LookupTable for MissingCells {
    fn entries(&self) -> usize {
        (self.width + 1) * self.height
    }

    fn most_shown(&self) -> usize {
        *HEIGHTS.end()
    }

    fn find(&self, board: &BoardMeasurements, found: &mut FoundEntries<'_>) {
        for (row, cells) in board.filled_rows().iter().enumerate() {
            let missing = self.width - cells.count_ones() as usize;
            let below_top = (board.height() - 1 - row).min(self.height - 1);
            found.entry(below_top * (self.width + 1) + missing);
        }
    }

    fn describe(&self, entry: usize) -> String {
        let mut rest = Unmixed(entry);
        let missing = rest.take(self.width + 1);
        let below_top = words::count(rest.0, self.height - 1);
        format!("row that lacks {missing}, rows of the board above it: {below_top}")
    }
}
