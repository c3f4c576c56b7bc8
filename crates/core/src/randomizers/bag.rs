//! The Random Generator: the seven pieces in random order, repeatedly.

use super::{Draw, Knowledge, Probabilities, Randomizer, RandomizerEntry};
use crate::board::Board;
use crate::piece::{PIECES, Piece};
use std::sync::Arc;

pub(super) const ENTRY: RandomizerEntry = RandomizerEntry {
    id: "bag",
    definition: "the seven pieces in random order, repeatedly",
    source: "Random Generator, Tetris Worlds 2001; thesis 2.5",
    settings: &[],
    make: |_, _| {
        Ok(Box::new(Bag {
            pieces: PIECES,
            left: 0,
        }))
    },
};

#[derive(Clone, Debug)]
struct Bag {
    /// The first `left` pieces are the ones that have not been drawn yet.
    pieces: [Piece; 7],
    left: usize,
}

impl Bag {
    /// Fills an empty bag in a fixed order, so that it does not depend on the previous one.
    fn refill(&mut self) {
        if self.left == 0 {
            self.pieces = PIECES;
            self.left = 7;
        }
    }

    fn take(&mut self, index: usize) -> Piece {
        self.left -= 1;
        self.pieces.swap(index, self.left);
        self.pieces[self.left]
    }
}

impl Randomizer for Bag {
    fn next(&mut self, draw: &mut dyn Draw, _: &Board) -> Option<Piece> {
        self.refill();
        let index = draw.below(self.left as u64) as usize;
        Some(self.take(index))
    }

    fn knowledge(&self) -> Arc<dyn Knowledge> {
        Arc::new(self.clone())
    }
}

impl Knowledge for Bag {
    fn probabilities(&self, _: &Board) -> Probabilities {
        let mut bag = self.clone();
        bag.refill();
        let mut probabilities = [0.0; 7];
        for &piece in &bag.pieces[..bag.left] {
            probabilities[piece as usize] = 1.0 / bag.left as f64;
        }
        probabilities
    }

    fn after(&self, piece: Piece) -> Option<Arc<dyn Knowledge>> {
        let mut bag = self.clone();
        bag.refill();
        let place = bag.pieces[..bag.left]
            .iter()
            .position(|&other| other == piece);
        bag.take(place?);
        Some(Arc::new(bag))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{chi_square, longest_drought, scripted_with, sequence};
    use super::*;

    #[test]
    fn a_drawn_piece_is_replaced_by_the_last_of_the_bag() {
        // I O T Z S J L: draw 0 (I, L moves to its position), 0 (L, then J), 4 (S), ...
        let draws = [
            (7, 0),
            (6, 0),
            (5, 4),
            (4, 1),
            (3, 2),
            (2, 0),
            (1, 0),
            (7, 6),
            (6, 5),
        ];
        assert_eq!(scripted_with("bag", &draws), "ILSOTJZLJ");
    }

    #[test]
    fn every_seven_pieces_are_all_of_them() {
        for seven in sequence("bag", 3, 7_000).chunks(7) {
            let mut sorted = seven.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, PIECES);
        }
    }

    #[test]
    fn every_order_is_equally_likely() {
        // The first and the last piece of a bag represent the whole order.
        let pieces = sequence("bag", 3, 7 * 49_000);
        let mut counts = [0u64; 49];
        for seven in pieces.chunks(7) {
            counts[seven[0] as usize * 7 + seven[6] as usize] += 1;
        }
        let counts: Vec<u64> = counts.into_iter().filter(|&count| count > 0).collect();
        assert_eq!(counts.len(), 42);
        // With 41 degrees of freedom, 74.7 is exceeded once in a thousand times.
        assert!(chi_square(&counts, &[49_000.0 / 42.0; 42]) < 74.7);
    }

    #[test]
    fn droughts_and_snakes_are_bounded() {
        let pieces = sequence("bag", 4, 700_000);
        assert_eq!(longest_drought(&pieces), 12);
        let snake = |piece: &Piece| matches!(piece, Piece::S | Piece::Z);
        let longest = pieces.split(|piece| !snake(piece)).map(<[_]>::len).max();
        assert_eq!(longest, Some(4));
    }
}
