//! The simplified game in which lines are cleared before the top is checked.

use super::{End, EndEntry, EndRule};

impl End {
    /// A stack that is above the top row after lines are cleared ends the game.
    pub const ABOVE_TOP_AFTER_CLEARING: End = End(&ENTRY);
}

pub(super) const ENTRY: EndEntry = EndEntry {
    id: "above-top-after-clearing",
    definition: "the stack is higher than the board after lines are cleared",
    source: "MDPTetris (allow_lines_after_overflow)",
    settings: &[],
    make: EndRule {
        before_clearing: false,
        rows: 0,
        looks_at_next: false,
        ends_on: |_, _| false,
    },
};
