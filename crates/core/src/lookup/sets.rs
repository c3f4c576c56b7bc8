//! Named sets of tables.

use crate::registry::Entry;
use crate::spec::{Spec, SpecError};

/// A named set: the specs of its tables. Tables that do not fit a board are omitted on that board.
pub type TableSetEntry = Entry<&'static [&'static str]>;

/// Every named set.
pub const TABLE_SETS: &[TableSetEntry] = &[
    TableSetEntry {
        id: "systematic-3x3",
        definition: "all rectangles of 3x3 cells, a table for each position",
        source: "Jaśkowski, Szubert, Liskowski and Krawiec 2015",
        settings: &[],
        make: &["rectangles(wide=3,high=3)"],
    },
    TableSetEntry {
        id: "systematic-4x4",
        definition: "all rectangles of 4x4 cells, a table for each position",
        source: "Jaśkowski, Szubert, Liskowski and Krawiec 2015",
        settings: &[],
        make: &["rectangles(wide=4,high=4)"],
    },
    TableSetEntry {
        id: "outline",
        definition: "heights and their differences alone",
        source: "ours, after Bertsekas and Ioffe 1996",
        settings: &[],
        make: &[
            "heights",
            "differences(columns=3,most=7)",
            "differences(columns=4,most=6)",
            "differences(columns=5,most=4)",
            "cross(first=rows-left,second=holes)",
        ],
    },
    TableSetEntry {
        id: "wary",
        definition: "outlines, columns in context, rows, covers, fits and interactions, which distinguish boards close to the end of a game",
        source: "ours",
        settings: &[],
        make: WARY,
    },
];

const WARY: &[&str] = &[
    "differences(columns=3,most=7)",
    "differences(columns=4,most=6)",
    "differences(columns=5,most=4)",
    "differences(columns=6,most=2)",
    "differences(columns=7,most=3)",
    "differences(columns=auto,most=1)",
    "tops(columns=1,cells=6,most=3)",
    "tops(columns=2,cells=3,most=5)",
    "tops(columns=3,cells=2,most=3)",
    "tops(columns=4,cells=1,most=3)",
    "row-patterns(of=all)",
    "row-patterns(of=highest-hole)",
    "row-patterns(of=below-highest-hole)",
    "rows(by=open)",
    "rows(by=missing)",
    "covers(with=others)",
    "covers(with=sides)",
    "fits(with=rows-left)",
    "fits(with=hole-rows)",
    "heights(with=place)",
    "heights(with=well)",
    "stretches(columns=1)",
    "stretches(columns=2)",
    "stretches(columns=3)",
    "cross(first=rows-left,second=holes)",
    "cross(first=rows-left,second=hole-rows)",
    "cross(first=rows-left,second=row-transitions)",
    "cross(first=rows-left,second=highest-hole)",
    "cross(first=rows-left,second=empty-cells)",
    "cross(first=rows-left,second=spread)",
    "cross(first=rows-left,second=bumpiness)",
    "cross(first=wells,second=deepest-well)",
    "cross(first=bumpiness,second=holes)",
    "cross(first=row-transitions,second=hole-runs)",
    "cross(first=cells,second=hole-rows)",
];

impl TableSetEntry {
    /// The specs of the set's tables.
    ///
    /// # Errors
    /// If a spec cannot be parsed; a test parses all of them.
    pub fn specs(&self) -> Result<Vec<Spec>, SpecError> {
        self.make.iter().map(|text| text.parse()).collect()
    }
}
