//! Arika's randomizers with a memory of four pieces: The Grand Master and its successor.
//!
//! A piece that is among the last four is redrawn, up to a number of tries; the last try is final.
//! The game never opens with S, Z or O: the opening piece is one of the other four with equal
//! probability, and it enters the memory like any other. The memory starts, oldest first, as
//! Z,Z,Z,Z (4 tries) or as Z,S,S,Z (TGM2, 6 tries). TGM2's own memory is documented as Z,Z,S,S,
//! with the opening piece overwriting the first; the two are equivalent, because the pieces leave
//! it in the same order.

use super::{Draw, Knowledge, Probabilities, Randomizer, RandomizerEntry};
use crate::board::Board;
use crate::piece::PIECES;
use crate::piece::Piece::{self, I, J, L, S, T, Z};
use std::sync::Arc;

pub(super) const ENTRY: RandomizerEntry = RandomizerEntry {
    id: "tgm",
    definition: "up to 4 tries to find a piece that is not among the last 4 (Z,Z,Z,Z at first); never opens with S, Z or O",
    source: "Arika 1998 (TGM); thesis 2.5",
    settings: &[],
    make: |_, _| Ok(Box::new(Tgm::new([Z, Z, Z, Z], 4))),
};

pub(super) const TGM2: RandomizerEntry = RandomizerEntry {
    id: "tgm2",
    definition: "up to 6 tries to find a piece that is not among the last 4 (Z,S,S,Z at first); never opens with S, Z or O",
    source: "Arika 2000 (TGM2)",
    settings: &[],
    make: |_, _| Ok(Box::new(Tgm::new([Z, S, S, Z], 6))),
};

/// The pieces that Arika's games may open with.
const OPENINGS: [Piece; 4] = [I, T, J, L];

/// The piece that a game opens with.
pub(super) fn opening(draw: &mut dyn Draw) -> Piece {
    OPENINGS[draw.below(4) as usize]
}

/// The probability of each opening piece.
pub(super) fn opening_probabilities() -> Probabilities {
    PIECES.map(|piece| if OPENINGS.contains(&piece) { 0.25 } else { 0.0 })
}

/// The last four pieces, oldest first.
#[derive(Clone, Debug)]
pub(super) struct History(pub(super) [Piece; 4]);

impl History {
    pub(super) fn holds(&self, piece: Piece) -> bool {
        self.0.contains(&piece)
    }

    pub(super) fn push(&mut self, piece: Piece) {
        let [_, second, third, fourth] = self.0;
        self.0 = [second, third, fourth, piece];
    }
}

#[derive(Clone, Debug)]
struct Tgm {
    history: History,
    tries: u32,
    opened: bool,
}

impl Tgm {
    fn new(history: [Piece; 4], tries: u32) -> Tgm {
        Tgm {
            history: History(history),
            tries,
            opened: false,
        }
    }

    fn roll(&self, draw: &mut dyn Draw) -> Piece {
        let mut piece = PIECES[draw.below(7) as usize];
        for _ in 1..self.tries {
            if !self.history.holds(piece) {
                break;
            }
            piece = PIECES[draw.below(7) as usize];
        }
        piece
    }
}

impl Randomizer for Tgm {
    fn next(&mut self, draw: &mut dyn Draw, _: &Board) -> Option<Piece> {
        let piece = if self.opened {
            self.roll(draw)
        } else {
            self.opened = true;
            opening(draw)
        };
        self.history.push(piece);
        Some(piece)
    }

    fn knowledge(&self) -> Arc<dyn Knowledge> {
        Arc::new(self.clone())
    }
}

impl Knowledge for Tgm {
    fn probabilities(&self, _: &Board) -> Probabilities {
        if !self.opened {
            return opening_probabilities();
        }
        let held = PIECES.iter().filter(|&&piece| self.history.holds(piece));
        let rejected = held.count() as f64 / 7.0;
        // The probability of each try but the last, and of the last try.
        let (mut earlier, mut last) = (0.0, 1.0);
        for _ in 1..self.tries {
            earlier += last;
            last *= rejected;
        }
        PIECES.map(|piece| {
            if self.history.holds(piece) {
                last / 7.0
            } else {
                (earlier + last) / 7.0
            }
        })
    }

    fn after(&self, piece: Piece) -> Option<Arc<dyn Knowledge>> {
        let mut after = self.clone();
        after.opened = true;
        after.history.push(piece);
        Some(Arc::new(after))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{longest_drought, repeats, scripted_with, sequence};

    #[test]
    fn tgm_tries_four_times() {
        let draws = [
            (4, 1), // opens with T; memory Z Z Z T
            (7, 3),
            (7, 2),
            (7, 3),
            (7, 3), // Z, T, Z, Z: the fourth is taken; memory Z Z T Z
            (7, 4), // S; memory Z T Z S
            (7, 4),
            (7, 0), // S again, then I; memory T Z S I
            (7, 5), // J; memory Z S I J
            (7, 2), // T has left the memory
        ];
        assert_eq!(scripted_with("tgm", &draws), "TZSIJT");
    }

    #[test]
    fn tgm2_tries_six_times_and_starts_with_s_in_its_memory() {
        let draws = [
            (4, 3), // opens with L; memory S S Z L
            (7, 4),
            (7, 3),
            (7, 6),
            (7, 4),
            (7, 4),
            (7, 4), // S Z L S S S: the sixth; memory S Z L S
            (7, 1), // O; memory Z L S O
            (7, 3),
            (7, 0), // Z is still remembered, I
        ];
        assert_eq!(scripted_with("tgm2", &draws), "LSOI");
    }

    #[test]
    fn games_open_with_i_t_j_or_l() {
        for id in ["tgm", "tgm2", "tgm3"] {
            let mut seen: Vec<char> = (0..200)
                .map(|seed| sequence(id, seed, 1)[0].letter())
                .collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen, ['I', 'J', 'L', 'T'], "{id}");
        }
    }

    #[test]
    fn repeats_are_as_rare_as_the_tries_make_them() {
        // If the last four pieces differ, each try but the last hits one of them with probability
        // 4/7, and the last try hits the previous piece with probability 1/7: (4/7)^3/7 = 0.0267
        // and (4/7)^5/7 = 0.0087. Memories that contain a repeat are hit less often, so both values
        // are slightly lower.
        let rate = |id| repeats(&sequence(id, 9, 200_000)) as f64 / 200_000.0;
        assert!((0.020..0.0267).contains(&rate("tgm")), "{}", rate("tgm"));
        assert!((0.007..0.0092).contains(&rate("tgm2")), "{}", rate("tgm2"));
    }

    #[test]
    fn droughts_are_rarer_but_not_bounded() {
        let longest = |id| longest_drought(&sequence(id, 9, 200_000));
        assert!((25..70).contains(&longest("tgm")), "{}", longest("tgm"));
        assert!((25..65).contains(&longest("tgm2")), "{}", longest("tgm2"));
        assert!(longest("tgm2") < longest_drought(&sequence("uniform", 9, 200_000)));
    }
}
