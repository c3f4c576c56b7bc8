//! The minimax player: the placement with the best value if the worst piece comes, that is then
//! placed best, and so on. The possible pieces follow from those that came (after a T, a bag has no
//! other T); the value is a lower bound for every source of pieces. The value of a placement is
//! defined in [`crate::choice::Lookahead`].
//!
//! If a known adversary chooses the pieces, only its choice can come: there minimax and expectimax
//! are the same player.

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
