//! Probabilities of pieces that are drawn independently: the complete state of a memoryless
//! randomizer.

use super::{Draw, Probabilities};
use crate::board::Board;
use crate::choice::UnseenPieces;
use crate::piece::Piece;

/// The probability of each piece, independent of earlier pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chances {
    /// For every piece but the last, the end of its share of the numbers below `total`.
    ends: [u64; 6],
    total: u64,
    is_uniform: bool,
}

impl Chances {
    /// Equal probabilities for all pieces.
    pub fn uniform() -> Chances {
        Chances::new([1; 7])
    }

    /// Probabilities proportional to integer weights, in the order of [`crate::piece::PIECES`]. The
    /// sum of the weights is positive and fits into 64 bits.
    pub fn new(weights: [u64; 7]) -> Chances {
        let [first, .., last] = weights;
        let mut ends = [first; 6];
        for piece in 1..6 {
            ends[piece] = ends[piece - 1] + weights[piece];
        }
        Chances {
            ends,
            total: ends[5] + last,
            is_uniform: weights == [1; 7],
        }
    }

    /// The probability of each piece.
    pub fn probabilities(&self) -> Probabilities {
        let mut start = 0;
        let mut probabilities = [0.0; 7];
        let ends = self.ends.iter().chain([&self.total]);
        for (probability, &end) in probabilities.iter_mut().zip(ends) {
            *probability = (end - start) as f64 / self.total as f64;
            start = end;
        }
        probabilities
    }

    /// The index of the next piece in [`crate::piece::PIECES`]; always uses one draw.
    #[inline]
    pub fn draw(&self, draw: &mut (impl Draw + ?Sized)) -> usize {
        if self.is_uniform {
            return draw.below(7) as usize;
        }
        let number = draw.below(self.total);
        self.ends.iter().filter(|&&end| end <= number).count()
    }
}

impl UnseenPieces for Chances {
    fn probabilities(&mut self, _: usize, _: &Board) -> Probabilities {
        Chances::probabilities(self)
    }

    fn after(&mut self, state: usize, _: Piece) -> usize {
        state
    }
}
