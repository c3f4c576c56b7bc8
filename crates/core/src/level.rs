//! How far a stack is on its way to the top: the measure of progress when the end of a game is a rare event.

use crate::board::Board;

/// The level of a stack with these column heights: twice their sum, and `width` times the highest.
///
/// A stack ends a game when every placement reaches above the top. The highest column alone does not tell a lone tower
/// from a full board, and rises by whole rows; the sum alone misses the tower. Both together rise in small steps
/// all the way, so that levels can be chosen as finely as needed. The empty board has level 0, and a column of height
/// `h` on all `width` columns has level `3 h width`.
#[must_use]
#[inline]
pub fn level_of(heights: impl Iterator<Item = u32>, width: usize) -> u32 {
    let (sum, highest) = heights.fold((0, 0), |(sum, highest), height| {
        (sum + height, height.max(highest))
    });
    2 * sum + width as u32 * highest
}

/// The level of a board.
#[must_use]
pub fn level(board: &Board) -> u32 {
    level_of(board.heights().map(|height| height as u32), board.width())
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

    #[test]
    fn a_level_counts_all_columns_and_the_highest_again() {
        let board =
            Board::from_rows(4, 6, &["....", "....", "....", "#...", "#...", "##.#"]).unwrap();
        assert_eq!(level(&board), 2 * (3 + 1 + 1) + 4 * 3);
        assert_eq!(level(&Board::new(4, 6).unwrap()), 0);
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
