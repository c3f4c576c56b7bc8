//! The minimax player chooses the placement with the best value, assuming that the next piece is
//! the worst possible one, that it is placed in the best way, and so on. The possible pieces depend
//! on the earlier ones (after a T, a bag has no other T). The value is a lower bound for every
//! randomizer. The value of a placement is defined in [`crate::choice::Lookahead`].
//!
//! If a known adversary chooses the pieces, only its choice is possible, and minimax and expectimax
//! are then the same player.

use super::lookahead::{DEPTH, HOLD, NODES, make};
use super::{EVALUATOR, LOSING, PlayerEntry, SCORED, TIES};
use crate::choice::Dealing;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "minimax",
    definition: "the placement with the highest score several pieces later, assuming that every hidden piece is the worst one",
    source: "von Neumann 1928; Knuth and Moore 1975 (bounds)",
    settings: &[EVALUATOR, DEPTH, NODES, HOLD, LOSING, SCORED, TIES],
    make: |settings, context| make(settings, context, Dealing::ByOpponent, usize::MAX),
};
