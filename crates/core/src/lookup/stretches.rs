//! Wells and towers: stretches of one, two or three columns that lie far below or above what stands beside them.

use super::words::{self, Unmixed};
use super::{BoardMeasurements, FoundEntries, LookupTable, Mixed, TableEntry};
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "stretches",
    definition: "the deepest well and the highest tower of a number of columns, with the rows left above the highest column",
    source: "ours",
    settings: &[Setting {
        id: "columns",
        help: "how many columns a stretch has",
        default: Some("1"),
        kind: Kind::Count { least: 1, most: 4 },
    }],
    make: |settings, size| {
        let columns = settings.count("columns");
        if columns < size.width {
            Ok(Box::new(Stretches {
                columns,
                height: size.height,
            }))
        } else {
            Err(format!("does not fit a board {} wide", size.width))
        }
    },
};

#[derive(Debug)]
struct Stretches {
    columns: usize,
    height: usize,
}

impl Stretches {
    /// How far the deepest well goes down and the highest tower up.
    fn extremes(&self, board: &BoardMeasurements) -> [usize; 2] {
        let heights = board.heights();
        let (mut deepest, mut tallest) = (0, 0);
        for place in 0..=heights.len() - self.columns {
            let (before, rest) = heights.split_at(place);
            let (own, after) = rest.split_at(self.columns);
            let sides = [before.last(), after.first()];
            let wall = board.height() as u8;
            let [left, right] = sides.map(|side| side.copied().unwrap_or(wall));
            let highest = own.iter().copied().max().unwrap_or(0);
            deepest = deepest.max(left.min(right).saturating_sub(highest));
            // A tower may stand at a wall.
            let [left, right] = sides.map(|side| side.copied().unwrap_or(0));
            let lowest = own.iter().copied().min().unwrap_or(0);
            tallest = tallest.max(lowest.saturating_sub(left.max(right)));
        }
        [deepest, tallest].map(usize::from)
    }
}

impl LookupTable for Stretches {
    fn entries(&self) -> usize {
        2 * (self.height + 1) * (self.height + 1)
    }

    fn find(&self, board: &BoardMeasurements, found: &mut FoundEntries<'_>) {
        let rows = self.height + 1;
        for (which, extreme) in self.extremes(board).into_iter().enumerate() {
            let entry = Mixed::default()
                .with(which, 2)
                .with(extreme.min(self.height), rows)
                .with(board.rows_left().min(self.height), rows);
            found.entry(entry.0);
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
