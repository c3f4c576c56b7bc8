//! The Nintendo game's randomizer: a repeated piece is redrawn once.
//!
//! Implemented as the rule is usually described, with equal probabilities: one of eight numbers,
//! seven pieces and a blank; after the blank or a repeat, one more draw among the seven is final.
//! So a piece repeats with a probability of 2/8 * 1/7 = 1/28. The cartridge's own generator adds a
//! slight bias to the second draw, which is not reproduced.

use super::{Draw, Knowledge, Probabilities, Randomizer, RandomizerEntry};
use crate::board::Board;
use crate::piece::{PIECES, Piece};
use std::sync::Arc;

pub(super) const ENTRY: RandomizerEntry = RandomizerEntry {
    id: "nes",
    definition: "one of eight numbers; on the eighth, or on a repeat, a second draw among the seven pieces, which is final",
    source: "Nintendo 1989; thesis 2.5",
    settings: &[],
    make: |_, _| Ok(Box::new(Nes { last: None })),
};

#[derive(Clone, Debug)]
struct Nes {
    last: Option<Piece>,
}

impl Randomizer for Nes {
    fn next(&mut self, draw: &mut dyn Draw, _: &Board) -> Option<Piece> {
        let first = PIECES.get(draw.below(8) as usize).copied();
        let piece = match first {
            Some(piece) if self.last != Some(piece) => piece,
            _ => PIECES[draw.below(7) as usize],
        };
        self.last = Some(piece);
        self.last
    }

    fn knowledge(&self) -> Arc<dyn Knowledge> {
        Arc::new(self.clone())
    }
}

impl Knowledge for Nes {
    fn probabilities(&self, _: &Board) -> Probabilities {
        let Some(last) = self.last else {
            return [1.0 / 7.0; 7];
        };
        // Another piece is drawn either in the first draw or, after the blank or a repeat, in the
        // second; a repeat only in the second.
        let mut probabilities = [1.0 / 8.0 + 2.0 / 8.0 / 7.0; 7];
        probabilities[last as usize] = 2.0 / 8.0 / 7.0;
        probabilities
    }

    fn after(&self, piece: Piece) -> Option<Arc<dyn Knowledge>> {
        Some(Arc::new(Nes { last: Some(piece) }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{longest_drought, repeats, scripted_with, sequence};

    #[test]
    fn a_repeat_and_a_blank_are_drawn_again_once() {
        let draws = [
            (8, 0), // I
            (8, 0), // I again:
            (7, 0), // and again, taken
            (8, 7), // the blank:
            (7, 3), // Z
            (8, 3), // Z again:
            (7, 4), // S
            (8, 6), // L
        ];
        assert_eq!(scripted_with("nes", &draws), "IIZSL");
    }

    #[test]
    fn one_piece_in_28_is_a_repeat() {
        let pieces = sequence("nes", 5, 280_000);
        // The expected count is 10,000, with a standard deviation of 98.
        assert!(
            repeats(&pieces).abs_diff(10_000) < 400,
            "{}",
            repeats(&pieces)
        );
    }

    #[test]
    fn droughts_are_not_bounded() {
        // A piece is absent for about as long as with equal probabilities: 6/7 per draw.
        let longest = longest_drought(&sequence("nes", 5, 280_000));
        assert!((50..120).contains(&longest), "{longest}");
    }
}
