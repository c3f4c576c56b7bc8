//! The simplified game of the literature.

use super::{End, EndEntry, EndRule};

impl End {
    /// A piece that locks above the top row ends the game.
    pub const ABOVE_TOP: End = End(&ENTRY);
}

pub(super) const ENTRY: EndEntry = EndEntry {
    id: "above-top",
    definition: "a piece locks with a cell above the top row; it then clears no line",
    source: "MDPTetris",
    settings: &[],
    make: EndRule {
        before_clearing: true,
        rows: 0,
        looks_at_next: false,
        ends_on: |_, _| false,
    },
};
