//! What a greedy decision is, whoever asks for it: a player, an adversary that deals pieces, or the kernel where it needs
//! the general answer. An evaluator rates all placements, and the best is taken, of one piece ([`BestPlacement`]), of
//! a piece and the next ([`BestPair`]), or as far ahead as wanted ([`Lookahead`]).

mod best_pair;
mod best_placement;
mod expansion;
mod lookahead;
mod rating;
mod replies;
mod ties;
mod value;

pub use best_pair::{BestPair, RatedPair};
pub use best_placement::BestPlacement;
pub use expansion::{Expansion, SearchStep};
pub use lookahead::{AnyPiece, Dealing, Lookahead, RatedStep, SearchLimits, UnseenPieces};
pub use rating::{Rating, best_first};
pub use replies::{Replies, RepliesOneByOne, ReplyRequest, SearchNode};
pub use ties::Ties;
pub(crate) use ties::{order_key, tie_ranks};
pub use value::NodeValue;

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
