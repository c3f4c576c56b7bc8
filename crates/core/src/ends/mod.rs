//! Game-over rules of placement games, one per file. Stepped games set `over` among their moves.

mod above_top;
mod above_top_after_clearing;
mod entry_blocked;
mod top_row;

use crate::board::Board;
use crate::piece::Piece;
use crate::registry::{Entry, find};
use crate::spec::SpecError;
use std::fmt;

/// A row of [`ENDS`].
pub type EndEntry = Entry<EndRule>;

/// Every game-over rule. To add one, add its row here.
pub const ENDS: &[EndEntry] = &[
    above_top::ENTRY,
    above_top_after_clearing::ENTRY,
    top_row::ENTRY,
    entry_blocked::ENTRY,
];

/// The names of all game-over rules.
pub(crate) const END_NAMES: &[&str] = &{
    let mut names = [""; ENDS.len()];
    let mut row = 0;
    while row < names.len() {
        names[row] = ENDS[row].id;
        row += 1;
    }
    names
};

/// Defines when a game is over. Under every rule, it is over if the stack is higher than the board
/// after lines are cleared.
#[derive(Clone, Copy, Debug)]
pub struct EndRule {
    /// Whether a piece that locks with a cell above the top row ends the game immediately, without
    /// clearing lines.
    pub before_clearing: bool,
    /// Number of rows, from the top row down, that `ends_on` depends on. While the stack is below
    /// them, `ends_on` would return false and need not be called. `usize::MAX` means all rows.
    pub rows: usize,
    /// Whether `ends_on` depends on the next piece.
    pub looks_at_next: bool,
    /// Whether the game is over on this board, which has no full rows, given the next piece if it
    /// is known.
    pub ends_on: fn(&Board, Option<Piece>) -> bool,
}

/// A game-over rule.
#[derive(Clone, Copy)]
pub struct End(pub &'static EndEntry);

impl End {
    /// The rule with this name.
    ///
    /// # Errors
    /// If no rule has this name.
    pub fn find(name: &str) -> Result<End, SpecError> {
        find(ENDS, "end", name).map(End)
    }

    /// The name in specs and files.
    pub fn name(self) -> &'static str {
        self.0.id
    }

    /// The rule with this name.
    #[inline]
    pub fn rule(self) -> &'static EndRule {
        &self.0.make
    }
}

impl PartialEq for End {
    fn eq(&self, other: &End) -> bool {
        self.name() == other.name()
    }
}

impl Eq for End {}

impl fmt::Debug for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
