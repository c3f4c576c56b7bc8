//! Greedy decisions, for players, for an adversary that chooses pieces, and for the kernel when it
//! falls back to the general path. An evaluator rates all placements, and the best is chosen: of
//! one piece ([`BestPlacement`]), or several pieces ahead ([`Lookahead`]). All compare
//! [`SearchValue`]s.

mod best_placement;
mod lookahead;
mod replies;
mod steps;
mod ties;
mod value;

pub use best_placement::BestPlacement;
pub use lookahead::{AnyPiece, Dealing, Lookahead, Narrow, SearchLimits, UnseenPieces};
pub use replies::{Replies, ReplyRequest, SearchNode, SearchRules};
pub use steps::{RatedStep, SearchStep, best_first};
pub use ties::Ties;
pub(crate) use ties::tie_ranks;
pub use value::SearchValue;
pub(crate) use value::{Branches, expected, highest};

use crate::outcomes::Scored;
use crate::placement::Placement;

/// The options of a greedy decision, apart from the evaluator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GreedyOptions {
    /// Whether a placement that ends the game may be chosen even if others do not.
    pub may_lose: bool,
    /// Which board the features measure.
    pub scored: Scored,
    /// The choice between placements with the same score.
    pub ties: Ties,
}

/// The best placement according to a greedy decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The placement.
    pub placement: Placement,
    /// The score of the placement.
    pub score: f64,
    /// Whether the placement ends the game.
    pub game_over: bool,
}

impl Choice {
    /// The value of the placement without a continuation.
    #[must_use]
    pub fn value(&self) -> SearchValue {
        SearchValue::of_last(self.score, self.game_over)
    }
}
