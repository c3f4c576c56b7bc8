//! The minimax player: the placement that leaves most if the worst piece comes, then its best
//! placement is found, and so on. Which pieces can come is known from those that came (after a T, a
//! bag has no other T); whoever deals them, nothing worse can happen. The value of a placement is
//! defined in [`crate::choice::Lookahead`].
//!
//! Where the pieces are dealt by an adversary that is known, only the one that it will deal can
//! come: there minimax and expectimax are the same player.

use super::lookahead::{DEPTH, HOLD, NODES, make};
use super::{EVALUATOR, LOSING, PlayerEntry, SCORED, TIES};
use crate::choice::Dealing;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "minimax",
    definition: "the placement with the highest score some pieces later if of the pieces that are not shown always the worst comes",
    source: "von Neumann 1928; Knuth and Moore 1975 (bounds)",
    settings: &[EVALUATOR, DEPTH, NODES, HOLD, LOSING, SCORED, TIES],
    make: |settings, context| make(settings, context, Dealing::ByOpponent, usize::MAX),
};
