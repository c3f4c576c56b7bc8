//! What a greedy decision is, whoever asks for it: a player, an adversary that deals pieces, or the kernel where it needs
//! the general answer. An evaluator rates all placements, and the best is taken, of one piece ([`BestPlacement`]) or of
//! a piece and the next ([`BestPair`]).

mod best_pair;
mod best_placement;
mod expansion;
mod rating;
mod replies;
mod ties;

pub use best_pair::{BestPair, RatedPair};
pub use best_placement::BestPlacement;
pub use expansion::{Expansion, Step};
pub use rating::{Rating, best_first};
pub use replies::{Replies, RepliesOneByOne, ReplyRequest, SearchNode};
pub use ties::Ties;
pub(crate) use ties::tie_ranks;

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
