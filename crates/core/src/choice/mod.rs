//! Greedy decisions, for players, for an adversary that deals pieces, and for the kernel where it
//! needs the general answer. An evaluator rates all placements, and the best is taken: of one piece
//! ([`BestPlacement`]), or as many pieces ahead as wanted ([`Lookahead`]). All compare
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

/// How a greedy decision is made, apart from the evaluator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GreedyOptions {
    /// Whether a placement that ends the game may be chosen although another one does not.
    pub may_lose: bool,
    /// Which board the features look at.
    pub scored: Scored,
    /// Which of several placements with the same score is taken.
    pub ties: Ties,
}

/// The placement that a greedy decision finds best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Where the piece goes.
    pub placement: Placement,
    /// What the evaluator says of it.
    pub score: f64,
    /// Whether it ends the game.
    pub game_over: bool,
}

impl Choice {
    /// Its value if nothing follows it.
    #[must_use]
    pub fn value(&self) -> SearchValue {
        SearchValue::of_last(self.score, self.game_over)
    }
}
