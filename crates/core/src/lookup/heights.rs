//! Heights of single columns, from the top of the board down.

use super::words::{self, Unmixed};
use super::{BoardMeasurements, FoundEntries, LookupTable, Mixed, TableEntry};
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "heights",
    definition: "rows left above each column, by its place; mirror images share an entry",
    source: "ours, after Bertsekas and Ioffe 1996",
    settings: &[Setting {
        id: "with",
        help: "what is seen with it: nothing (place alone), or how far the column lies below the lower of its neighbours (well), for all places alike",
        default: Some("place"),
        kind: Kind::Word(&["place", "well"]),
    }],
    make: |settings, size| {
        Ok(Box::new(Heights {
            with_well: settings.word("with") == "well",
            width: size.width,
            height: size.height,
        }))
    },
};

#[derive(Debug)]
struct Heights {
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

    fn find(&self, board: &BoardMeasurements, found: &mut FoundEntries<'_>) {
        let rows = self.height + 1;
        let within = |value: usize| value.min(self.height);
        for (column, height) in board.heights().iter().enumerate() {
            let left = within(board.height() - usize::from(*height));
            let context = match self.with_well {
                // Rows left above the highest column, not above this one: a deep well is no danger by itself.
                true => {
                    let above = within(board.rows_left());
                    Mixed::default()
                        .with(within(board.well(column)), rows)
                        .with(above, rows)
                }
                false => {
                    let place = column.min(self.width - 1 - column);
                    Mixed::default()
                        .with(place, self.width.div_ceil(2))
                        .with(left, rows)
                }
            };
            found.entry(context.0);
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
