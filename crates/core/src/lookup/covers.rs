//! Covers: what lies above the highest hole of each column, and what it takes to open it.

use super::words::{self, Unmixed};
use super::{BoardMeasurements, FoundEntries, LookupTable, Mixed, TableEntry, clipped};
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "covers",
    definition: "one entry for each column with a hole: how deep its highest hole lies, and what the rows of its cover lack",
    source: "ours",
    settings: &[Setting {
        id: "with",
        help: "what else is seen: how many other columns are covered in these rows (others), or the differences in height to both sides (sides)",
        default: Some("others"),
        kind: Kind::Word(&["others", "sides"]),
    }],
    make: |settings, _| {
        Ok(Box::new(Covers {
            with_sides: settings.word("with") == "sides",
        }))
    },
};

/// Deeper covers, more missing cells, more other columns and larger differences count as these.
pub(crate) const COVERS: MostCovers = MostCovers {
    deepest: 8,
    missing: 24,
    others: 5,
    difference: 3,
};
const DIFFERENCES: usize = 2 * COVERS.difference as usize + 1;

/// The largest numbers that are told apart.
pub(crate) struct MostCovers {
    pub(crate) deepest: usize,
    pub(crate) missing: usize,
    pub(crate) others: usize,
    pub(crate) difference: i32,
}

#[derive(Debug)]
struct Covers {
    with_sides: bool,
}

/// What lies above the highest hole of a column.
struct Cover {
    /// Filled cells of the column above the hole.
    depth: usize,
    /// Empty cells of the rows of the cover.
    missing: usize,
    /// Other columns that are covered in these rows.
    others: usize,
}

impl Cover {
    fn of(board: &BoardMeasurements, column: usize) -> Option<Cover> {
        let covered = board.covered(column);
        let hole = crate::board::column_height(covered).checked_sub(1)?;
        let top = usize::from(board.heights()[column]);
        let rows = hole + 1..top;
        let missing: u32 = board.filled_rows()[rows.clone()]
            .iter()
            .map(|cells| board.width() as u32 - cells.count_ones())
            .sum();
        let others = board.covered_rows()[rows]
            .iter()
            .fold(0, |all, cells| all | cells);
        Some(Cover {
            depth: (top - hole - 1).min(COVERS.deepest),
            missing: (missing as usize).min(COVERS.missing),
            others: (others.count_ones() as usize).min(COVERS.others),
        })
    }
}

impl LookupTable for Covers {
    fn entries(&self) -> usize {
        let context = if self.with_sides {
            DIFFERENCES * DIFFERENCES
        } else {
            COVERS.others + 1
        };
        COVERS.deepest * (COVERS.missing + 1) * context
    }

    fn find(&self, board: &BoardMeasurements, found: &mut FoundEntries<'_>) {
        for column in 0..board.width() {
            let Some(cover) = Cover::of(board, column) else {
                continue;
            };
            let entry = Mixed::default()
                .with(cover.depth - 1, COVERS.deepest)
                .with(cover.missing, COVERS.missing + 1);
            found.entry(if self.with_sides {
                let sides = board.sides(column);
                let [left, right] = sides.map(|side| clipped(side, COVERS.difference));
                let (low, high) = (left.min(right), left.max(right));
                entry.with(low, DIFFERENCES).with(high, DIFFERENCES).0
            } else {
                entry.with(cover.others, COVERS.others + 1).0
            });
        }
    }

    fn describe(&self, entry: usize) -> String {
        let mut rest = Unmixed(entry);
        let context = if self.with_sides {
            let sides = rest.take_all(2, DIFFERENCES);
            let sides = words::differences(&sides, COVERS.difference);
            format!("beside it {sides}")
        } else {
            let others = words::count(rest.take(COVERS.others + 1), COVERS.others);
            format!("columns covered there: {others}")
        };
        let missing = words::count(rest.take(COVERS.missing + 1), COVERS.missing);
        let depth = words::count(rest.0 + 1, COVERS.deepest);
        format!("hole with a cover of depth {depth} whose rows lack {missing}, {context}")
    }
}
