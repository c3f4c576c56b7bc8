//! Terror-Instinct's randomizer: a pool into which the piece that has been missing longest is
//! added.
//!
//! Public descriptions differ in details (docs/explanation/stepped-games.md compares them). This
//! implementation works as follows.
//! - The pool has 35 slots, five of each piece. The memory of four starts, oldest first, as
//!   S,Z,S,Z. Starting with Z,S,S,Z would give the same pieces: both contain S and Z for the next
//!   two pieces, and then only Z.
//! - The opening piece is I, T, J or L with equal probability. It enters the memory; it does not
//!   come from the pool. Whether it counts as seen is a setting: `opening-seen`.
//! - For each further piece, draw a slot. If its piece is in the memory, put the piece seen longest
//!   ago into the slot and draw again; the sixth draw is final.
//! - The piece taken becomes the one seen last; then its slot, too, gets the piece seen longest
//!   ago.
//! - Pieces not seen yet count as seen before all others, in the order J, I, Z, L, O, T, S.
//!
//! A flaw of the arcade program, which in rare cases leaves the slot of the taken piece unchanged,
//! is not reproduced.

mod belief;

use super::tgm::{History, opening};
use super::{Draw, Knowledge, Randomizer, RandomizerEntry};
use crate::board::Board;
use crate::piece::PIECES;
use crate::piece::Piece::{self, I, J, L, O, S, T, Z};
use crate::settings::{Kind, Setting};
use belief::Belief;
use std::sync::Arc;

pub(super) const ENTRY: RandomizerEntry = RandomizerEntry {
    id: "tgm3",
    definition: "from a pool of 35, up to 6 tries to avoid the last 4; a drawn slot gets the piece seen longest ago",
    source: "Arika 2005 (TGM3); thesis 2.5",
    settings: &[Setting {
        id: "opening-seen",
        help: "whether the opening piece counts as seen when the piece seen longest ago is determined",
        default: Some("false"),
        kind: Kind::Flag,
    }],
    make: |settings, _| Ok(Box::new(Tgm3::new(settings.flag("opening-seen")))),
};

const TRIES: u32 = 6;
const POOL: usize = 35;

/// The part of the state that is determined by the pieces so far.
#[derive(Clone, Debug)]
struct Dealt {
    history: History,
    /// The pieces in the order in which they were last drawn, longest ago first.
    seen: [Piece; 7],
    opened: bool,
    /// Whether the opening piece counts as drawn.
    opening_seen: bool,
}

impl Dealt {
    fn nothing(opening_seen: bool) -> Dealt {
        Dealt {
            history: History([S, Z, S, Z]),
            seen: [J, I, Z, L, O, T, S],
            opened: false,
            opening_seen,
        }
    }

    /// Records the opening piece.
    fn open(&mut self, piece: Piece) {
        self.opened = true;
        if self.opening_seen {
            self.see(piece);
        }
    }

    /// The piece that has been missing longest.
    fn missing(&self) -> Piece {
        self.seen[0]
    }

    /// Records a piece from the pool as the latest.
    fn see(&mut self, piece: Piece) {
        let place = self.seen.iter().position(|&other| other == piece);
        // Not rotated as a slice, which would cost a call for each step.
        for later in place.unwrap_or(0) + 1..self.seen.len() {
            self.seen.swap(later - 1, later);
        }
    }
}

#[derive(Clone, Debug)]
struct Tgm3 {
    pool: [Piece; POOL],
    dealt: Dealt,
}

impl Tgm3 {
    fn new(opening_seen: bool) -> Tgm3 {
        Tgm3 {
            pool: std::array::from_fn(|slot| PIECES[slot % 7]),
            dealt: Dealt::nothing(opening_seen),
        }
    }

    fn roll(&mut self, draw: &mut dyn Draw) -> Piece {
        let mut slot = draw.below(POOL as u64) as usize;
        for _ in 1..TRIES {
            if !self.dealt.history.holds(self.pool[slot]) {
                break;
            }
            self.pool[slot] = self.dealt.missing();
            slot = draw.below(POOL as u64) as usize;
        }
        let piece = self.pool[slot];
        self.dealt.see(piece);
        self.pool[slot] = self.dealt.missing();
        piece
    }
}

impl Randomizer for Tgm3 {
    fn next(&mut self, draw: &mut dyn Draw, _: &Board) -> Option<Piece> {
        let piece = if self.dealt.opened {
            self.roll(draw)
        } else {
            let piece = opening(draw);
            self.dealt.open(piece);
            piece
        };
        self.dealt.history.push(piece);
        Some(piece)
    }

    fn knowledge(&self) -> Arc<dyn Knowledge> {
        Arc::new(Belief::at_start(self.dealt.opening_seen))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{longest_drought, repeats, scripted_with, sequence};

    #[test]
    fn drawn_slots_are_given_to_the_piece_seen_longest_ago() {
        // Slots 0 to 6 hold I O T Z S J L, and so on; seen longest ago first: J I Z L O T S.
        let draws = [
            (4, 0),  // opens with I; memory Z S Z I
            (35, 0), // slot 0 holds I, which is in the memory: it gets J
            (35, 0), // J; seen I Z L O T S J, slot 0 gets I; memory S Z I J
            (35, 0), // I is in the memory: slot 0 stays I
            (35, 7), // so does slot 7
            (35, 1), // O; seen I Z L T S J O, slot 1 gets I; memory Z I J O
            (35, 2), // T; slot 2 gets I; memory I J O T
            (35, 4), // S; seen I Z L J O T S, slot 4 gets I; memory J O T S
            (35, 4), // I from slot 4; seen Z L J O T S I, slot 4 gets Z; memory O T S I
            (35, 4), // Z
        ];
        assert_eq!(scripted_with("tgm3", &draws), "IJOTSIZ");
    }

    #[test]
    fn an_opening_piece_that_counts_as_seen_does_not_fill_slots() {
        let draws = [
            (4, 0),  // opens with I; memory Z S Z I, seen J Z L O T S I
            (35, 0), // slot 0 holds I, which is in the memory: it gets J
            (35, 0), // J; seen Z L O T S I J, slot 0 gets Z, not I; memory S Z I J
            (35, 0), // Z is in the memory: slot 0 stays Z
            (35, 1), // O; slot 1 gets Z; memory Z I J O
            (35, 2), // T; slot 2 gets Z; memory I J O T
            (35, 2), // Z
        ];
        assert_eq!(scripted_with("tgm3(opening-seen=true)", &draws), "IJOTZ");
    }

    #[test]
    fn the_sixth_try_is_taken() {
        let draws = [
            (4, 0), // opens with I; memory Z S Z I
            // Five slots with S or Z, all of which become J, and a sixth with Z.
            (35, 3),
            (35, 4),
            (35, 10),
            (35, 11),
            (35, 17),
            (35, 24),
            (35, 3), // J from a slot that was given to it
        ];
        assert_eq!(scripted_with("tgm3", &draws), "IZJ");
    }

    #[test]
    fn repeats_are_rare_and_droughts_short() {
        let pieces = sequence("tgm3", 11, 200_000);
        // A repeat is about as rare as with tgm2, (4/7)^5/7 = 0.0087: the pool contains few copies
        // of frequent pieces, but a piece that was missing for a long time leaves copies behind
        // when it is drawn. An independent implementation of the same rules found 0.0101, and a
        // drought of 19.
        let rate = repeats(&pieces) as f64 / 200_000.0;
        assert!((0.0085..0.0115).contains(&rate), "{rate}");
        let longest = longest_drought(&pieces);
        assert!((15..25).contains(&longest), "{longest}");
    }
}
