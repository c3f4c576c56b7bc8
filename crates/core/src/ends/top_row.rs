//! The game of the thesis.

use super::{End, EndEntry, EndRule};

impl End {
    /// A stack that reaches the top row ends the game.
    pub const TOP_ROW: End = End(&ENTRY);
}

pub(super) const ENTRY: EndEntry = EndEntry {
    id: "top-row",
    definition: "the stack reaches the top row after lines are cleared; or a piece locks above the top row, and then clears no line",
    source: "thesis; Bertsekas and Ioffe 1996",
    settings: &[],
    make: EndRule {
        before_clearing: true,
        rows: 1,
        looks_at_next: false,
        ends_on: |board, _| board.max_height() >= board.height(),
    },
};
