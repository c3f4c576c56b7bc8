//! How far a stack is on its way to the top: the measure of progress when the end of a game is a rare event.

mod danger;
mod tables;

pub use tables::{EMPTY_LEVEL, TableDanger};

pub use danger::{CERTAIN_DEATH, DANGER_TERMS, Danger, DangerTerms, LEVELS_PER_NAT, danger_terms};

use crate::board::column_height;
use crate::piece::Piece;

/// The level of a stack with these columns: twice the sum of their heights, and `width` times the highest.
///
/// A stack ends a game when every placement reaches above the top. The highest column alone does not tell a lone tower
/// from a full board, and rises by whole rows; the sum alone misses the tower. Both together rise in small steps
/// all the way, so that levels can be chosen as finely as needed. The empty board has level 0, and a column of height
/// `h` on all `width` columns has level `3 h width`.
#[must_use]
pub fn stack_level(columns: &[u64]) -> u32 {
    let heights = columns.iter().map(|&column| column_height(column) as u32);
    let (sum, highest) = heights.fold((0, 0), |(sum, highest), height| {
        (sum + height, height.max(highest))
    });
    2 * sum + columns.len() as u32 * highest
}

/// What the level of a board is. Any function gives the same mean of a player; a good one gives it sooner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LevelFunction {
    /// How high the stack is: [`stack_level`].
    #[default]
    Stack,
    /// How likely the player is to die.
    Danger(Box<Danger>),
    /// How bad look-up tables think of a board: those of the player, or others.
    Tables(Box<TableDanger>),
}

impl LevelFunction {
    /// The level of a board with these columns, and with this piece to be placed on it if it is known.
    #[must_use]
    pub fn of(&self, columns: &[u64], piece: Option<Piece>) -> u32 {
        match self {
            LevelFunction::Stack => stack_level(columns),
            LevelFunction::Danger(danger) => danger.level(columns, piece),
            LevelFunction::Tables(danger) => danger.level(columns),
        }
    }
}

/// The pieces and levels between which a trajectory is played on: while its level lies strictly between `low` and
/// `high`, and it has fewer than `pieces` pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// It rests at this level or below it; never, if there is none.
    pub low: Option<u32>,
    /// It rests at this level or above it; never, if there is none.
    pub high: Option<u32>,
    /// It rests when it has this many pieces.
    pub pieces: u64,
}

impl Window {
    /// Until the game is over.
    pub const OPEN: Window = Window {
        low: None,
        high: None,
        pieces: u64::MAX,
    };

    /// Whether a trajectory with this level and this many pieces is played on.
    #[must_use]
    #[inline]
    pub fn holds(&self, level: u32, pieces: u64) -> bool {
        self.low.is_none_or(|low| level > low)
            && self.high.is_none_or(|high| level < high)
            && pieces < self.pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn a_level_counts_all_columns_and_the_highest_again() {
        let board =
            Board::from_rows(4, 6, &["....", "....", "....", "#...", "#...", "##.#"]).unwrap();
        assert_eq!(stack_level(board.columns()), 2 * (3 + 1 + 1) + 4 * 3);
        assert_eq!(stack_level(Board::new(4, 6).unwrap().columns()), 0);
    }

    #[test]
    fn a_window_is_open_strictly_between_its_ends() {
        let window = Window {
            low: Some(10),
            high: Some(20),
            pieces: 5,
        };
        assert!(window.holds(11, 4) && window.holds(19, 0));
        assert!(!window.holds(10, 0) && !window.holds(20, 0) && !window.holds(15, 5));
        assert!(Window::OPEN.holds(0, 1 << 40));
    }
}
