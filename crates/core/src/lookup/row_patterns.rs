//! Rows as patterns of cells: filled, open or covered.

use super::words::Unmixed;
use super::{BoardMeasurements, FoundEntries, LookupTable, TableEntry};
use crate::board::HEIGHTS;
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "row-patterns",
    definition: "rows as patterns of filled, open and covered cells; mirror images share an entry",
    source: "ours",
    settings: &[Setting {
        id: "of",
        help: "which rows: all up to the highest column, that of the highest hole, or the one below it",
        default: Some("all"),
        kind: Kind::Word(&["all", "highest-hole", "below-highest-hole"]),
    }],
    make: |settings, size| {
        if size.width > 12 {
            let width = size.width;
            return Err(format!(
                "has 3^{width} entries on a board {width} wide; 12 columns are the most"
            ));
        }
        let which = match settings.word("of") {
            "all" => Which::All,
            "highest-hole" => Which::HighestHole,
            _ => Which::BelowHighestHole,
        };
        Ok(Box::new(RowPatterns::new(which, size.width)))
    },
};

#[derive(Clone, Copy, Debug)]
enum Which {
    All,
    HighestHole,
    BelowHighestHole,
}

#[derive(Debug)]
struct RowPatterns {
    which: Which,
    width: usize,
    /// A mask of cells as a number whose digits to the base 3 are 0 and 1; and the same for the mirror image.
    digits: Vec<[u32; 2]>,
}

impl RowPatterns {
    fn new(which: Which, width: usize) -> RowPatterns {
        let sum = |mask: usize, power: &dyn Fn(u32) -> u32| -> u32 {
            let set = (0..width as u32).filter(|bit| mask >> bit & 1 == 1);
            set.map(|bit| 3u32.pow(power(bit))).sum()
        };
        let last = width as u32 - 1;
        let both = |mask| [sum(mask, &|bit| bit), sum(mask, &|bit| last - bit)];
        RowPatterns {
            which,
            width,
            digits: (0..1 << width).map(both).collect(),
        }
    }

    /// An empty row has number 0, and no board shows it.
    #[inline]
    fn pattern(&self, board: &BoardMeasurements, row: usize) -> usize {
        let filled = self.digits[usize::from(board.filled_rows()[row])];
        let covered = self.digits[usize::from(board.covered_rows()[row])];
        let side = |side: usize| filled[side] + 2 * covered[side];
        side(0).min(side(1)) as usize
    }
}

impl LookupTable for RowPatterns {
    fn entries(&self) -> usize {
        3usize.pow(self.width as u32)
    }

    fn most_shown(&self) -> usize {
        *HEIGHTS.end()
    }

    fn find(&self, board: &BoardMeasurements, found: &mut FoundEntries<'_>) {
        match (self.which, board.highest_hole()) {
            (Which::All, _) => {
                (0..board.highest()).for_each(|row| found.entry(self.pattern(board, row)));
            }
            (Which::HighestHole, Some(row)) => found.entry(self.pattern(board, row)),
            (Which::BelowHighestHole, Some(row)) if row > 0 => {
                found.entry(self.pattern(board, row - 1));
            }
            // Nothing to see: the pattern that no row has.
            _ => found.entry(0),
        }
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
