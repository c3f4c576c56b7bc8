//! Forecasts: the probabilities of future pieces.
//!
//! For an observer who has seen all pieces so far, but not the randomizer, each piece has a
//! probability of being the next one. A [`Forecast`] represents that knowledge; a game maintains
//! one on request, and shows it to the player. It is an immutable value: [`Forecast::after`]
//! returns a new one, so a search follows a possible sequence of pieces by creating forecasts, and
//! backtracks by dropping them.

use crate::board::Board;
use crate::piece::{PIECES, Piece};
use std::fmt::Debug;
use std::sync::Arc;

/// A probability for each piece, in the order of [`crate::piece::PIECES`].
pub type Probabilities = [f64; 7];

/// The knowledge of the next piece, given the pieces so far, for one kind of randomizer.
pub trait Knowledge: Debug + Send + Sync {
    /// The probability of each next piece. `board` is the board after the last placement before the
    /// piece is drawn; only an adversary depends on it. The probabilities sum to 1, or are all 0 if
    /// no piece is left.
    fn probabilities(&self, board: &Board) -> Probabilities;

    /// The knowledge after one more piece; `None` if it does not change.
    fn after(&self, piece: Piece) -> Option<Arc<dyn Knowledge>>;

    /// Whether the board matters.
    fn looks_at_board(&self) -> bool {
        false
    }

    /// Whether the knowledge needs a lot of memory, about 100 kilobytes or more; searches keep only
    /// a few such objects. Such knowledge does not depend on the board.
    fn is_large(&self) -> bool {
        false
    }
}

/// The probabilities of the coming pieces, given all pieces so far. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Forecast(Arc<dyn Knowledge>);

impl Forecast {
    /// The forecast from this knowledge.
    pub fn new(knowledge: Arc<dyn Knowledge>) -> Forecast {
        Forecast(knowledge)
    }

    /// The probability of each next piece. They sum to 1, or are all 0 if no piece is left.
    ///
    /// The next piece is drawn after the previous one has been placed; `board` is the board after
    /// that placement. Only randomizers that take the board into account, such as an adversary,
    /// depend on it.
    pub fn probabilities(&self, board: &Board) -> Probabilities {
        self.0.probabilities(board)
    }

    /// Whether the forecast needs a lot of memory: about 100 kilobytes or more.
    pub fn is_large(&self) -> bool {
        self.0.is_large()
    }

    /// Whether the probabilities depend on the board. If not, the player cannot influence the
    /// probability of a sequence of pieces.
    pub fn looks_at_board(&self) -> bool {
        self.0.looks_at_board()
    }

    /// The next piece for a uniform random number from 0 to 1; `None` if no piece is left. The
    /// interval is divided among the pieces in the order of [`PIECES`].
    pub fn draw(&self, board: &Board, number: f64) -> Option<Piece> {
        let probabilities = self.probabilities(board);
        let possible = PIECES
            .into_iter()
            .filter(|&piece| probabilities[piece as usize] > 0.0);
        let mut end = 0.0;
        let mut drawn = None;
        for piece in possible {
            if number < end {
                break;
            }
            end += probabilities[piece as usize];
            drawn = Some(piece);
        }
        drawn
    }

    /// The most likely piece; ties are broken by the order of [`PIECES`]. `None` if no piece is
    /// left.
    pub fn most_likely(&self, board: &Board) -> Option<Piece> {
        let probabilities = self.probabilities(board);
        let highest = probabilities.iter().fold(0.0, |a: f64, &b| a.max(b));
        let is_highest = |piece: &Piece| highest > 0.0 && probabilities[*piece as usize] == highest;
        PIECES.into_iter().find(is_highest)
    }

    /// The forecast after one more piece. Undefined for an impossible piece.
    #[must_use]
    pub fn after(&self, piece: Piece) -> Forecast {
        self.0
            .after(piece)
            .map_or_else(|| self.clone(), Forecast::new)
    }

    /// The forecast after one more piece, which was drawn for this board. `None` if the piece is
    /// impossible, unless pieces are independent, because a position may then have any piece.
    #[must_use]
    pub fn after_possible(&self, piece: Piece, board: &Board) -> Option<Forecast> {
        let chances = self.probabilities(board);
        let can_come = |piece: Piece| chances[piece as usize] > 0.0;
        let is_remembered = |&piece: &Piece| can_come(piece) && self.0.after(piece).is_some();
        let is_fine = can_come(piece) || !PIECES.iter().any(is_remembered);
        is_fine.then(|| self.after(piece))
    }

    /// Whether two forecasts are the same object. Separate forecasts may have the same content.
    pub fn is_same(&self, other: &Forecast) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Probability 1 for this piece and 0 for all others; 0 for every piece if there is none.
pub(super) fn certainly(piece: Option<Piece>) -> Probabilities {
    let mut probabilities = [0.0; 7];
    if let Some(piece) = piece {
        probabilities[piece as usize] = 1.0;
    }
    probabilities
}

#[cfg(test)]
mod tests;
