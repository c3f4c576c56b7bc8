//! The search of all players that look a number of pieces ahead, and of the adversary: maximum over
//! placements, and for pieces that are not shown the mean (expectimax: Michie 1966) or the minimum
//! (minimax).
//!
//! # The value of a placement
//!
//! A [`SearchValue`] is a pair of survival and score, compared in this order.
//! - A step that ends the game has survival 0 and its own score ([`SearchStep::score`]); it is
//!   taken only when all steps end the game.
//! - On the last ply, a step that does not end the game has survival 1 and its own score.
//! - Any other step has the survival of what follows it; its score is that of what follows plus the
//!   step's own contribution ([`SearchStep::step_value`]). If no piece can follow (the end of a
//!   fixed list) the step has its own value as on the last ply.
//! - What follows is the best step of the next piece if that is shown. Otherwise each piece that
//!   can come has a best step, and their values are averaged with the probabilities of the pieces,
//!   or the worst is taken. In an average, branches that are surely lost count for survival, and
//!   for the score only when all are lost.
//! - With a hold, the best step of the next piece is the best of its own steps and of those of the
//!   piece that would come for it: the held one, or the piece after it if the hold is empty and
//!   that piece is shown.
//! - A piece that is not shown and cannot enter the board
//!   ([`Rules::blocks_entry`](crate::rules::Rules::blocks_entry)) ends the game before it is
//!   placed. Such a branch is lost; its score is that of the placement that would be best if
//!   nothing followed.
//! - Of steps with the same value the one with the lowest [`SearchStep::tie_key`] is taken.
//! - Where losing is allowed, survival is 1 everywhere, all branches count, and scores alone
//!   decide.
//! - Where boards are scored before full rows are removed, the rows stay on the board and the steps
//!   on the way add nothing. The board without these rows decides which pieces come, and whether
//!   they can enter.
//!
//! With a depth of 1 this is the greedy decision ([`super::BestPlacement`]). With a depth of 2 and
//! the next piece shown it is the decision of the two-piece player. Papers say that both pieces are
//! placed and the result is rated, and leave open how the features of the first move count. Here
//! both moves count, since both happen, and of the boards only the last: anything else would count
//! the board twice. Lee's "near perfect" bot, which rates the last board only, scores boards before
//! full rows are removed.

mod search;

use super::{BestPlacement, RatedStep, Replies, SearchStep, SearchValue};
use crate::board::Board;
use crate::outcomes::DecisionContext;
use crate::piece::Piece;
use crate::placement::Placement;
use crate::rules::Hold;
use crate::stop::StopFlag;
use search::Search;

/// A search's knowledge of the pieces that are not shown. It depends on the pieces before, which
/// are represented by a state: 0 is the state after all shown pieces.
pub trait UnseenPieces {
    /// The probability of each next piece on this board, in the order of [`crate::piece::PIECES`].
    /// All 0 when no piece is left.
    fn probabilities(&mut self, state: usize, board: &Board) -> [f64; 7];

    /// The state after one more piece. Equal states mean equal probabilities from there on.
    fn after(&mut self, state: usize, piece: Piece) -> usize;
}

/// Any piece may come, each with the same probability.
#[derive(Clone, Copy, Debug)]
pub struct AnyPiece;

impl UnseenPieces for AnyPiece {
    fn probabilities(&mut self, _: usize, _: &Board) -> [f64; 7] {
        [1.0 / 7.0; 7]
    }

    fn after(&mut self, state: usize, _: Piece) -> usize {
        state
    }
}

/// Who chooses the pieces that are not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dealing {
    /// Chance: values are averaged.
    ByChance,
    /// An opponent: the worst value counts.
    ByOpponent,
}

/// Limits on the depth and width of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// How many pieces are placed, the current one included; at least 1.
    pub depth: usize,
    /// Number of steps of each piece that are expanded, those with the best scores; the last ply is
    /// always searched completely.
    pub width: usize,
    /// Number of placements that may be rated for a decision; 0 for no limit. With a limit the
    /// search deepens iteratively, and the deepest completed search counts.
    pub nodes: u64,
}

impl SearchLimits {
    /// This many pieces, without other limits.
    #[must_use]
    pub const fn exact(depth: usize) -> SearchLimits {
        SearchLimits {
            depth,
            width: usize::MAX,
            nodes: 0,
        }
    }
}

/// Which first steps are searched: removes the others from the list, which must not become empty.
pub type Narrow<'a> = &'a dyn Fn(&mut Vec<SearchStep>);

/// The search. Reused from decision to decision.
#[derive(Clone, Debug)]
pub struct Lookahead {
    expansion: BestPlacement,
    replies: Box<dyn Replies>,
    dealing: Dealing,
    limits: SearchLimits,
    hold: Hold,
    stop: StopFlag,
}

impl Lookahead {
    /// A search whose last ply is answered by these replies.
    #[must_use]
    pub fn new(replies: Box<dyn Replies>, dealing: Dealing, limits: SearchLimits) -> Lookahead {
        Lookahead {
            expansion: BestPlacement::new(replies.evaluator().clone(), replies.options()),
            replies,
            dealing,
            limits,
            hold: Hold::None,
            stop: StopFlag::default(),
        }
    }

    /// The hold after the first piece, which is placed whatever the hold is: from the second piece
    /// on, searches swap pieces where that is better.
    pub fn set_hold(&mut self, hold: Hold) {
        self.hold = match hold {
            Hold::Used(piece) => Hold::Piece(piece),
            hold => hold,
        };
    }

    /// Ends searches once the flag is raised: their result is then only a legal placement.
    pub fn heed(&mut self, stop: &StopFlag) {
        self.stop = stop.clone();
    }

    /// Rates steps: the evaluator, and the options of decisions.
    #[must_use]
    pub fn expansion(&self) -> &BestPlacement {
        &self.expansion
    }

    /// The steps of a piece, in the reference simulator's order.
    pub fn expand(&mut self, decision: &DecisionContext<'_>) -> Vec<SearchStep> {
        self.expansion.expand(decision)
    }

    /// Allows or forbids the kernel on the last ply; it never changes a result.
    pub fn allow_kernel(&mut self, allowed: bool) {
        self.replies.allow_kernel(allowed);
    }

    /// Who chooses the pieces that are not shown.
    #[must_use]
    pub fn dealing(&self) -> Dealing {
        self.dealing
    }

    /// The limits on the depth and width of the search.
    #[must_use]
    pub fn limits(&self) -> SearchLimits {
        self.limits
    }

    /// All steps of the piece, best first.
    #[cfg(test)]
    pub(crate) fn rate(
        &mut self,
        decision: &DecisionContext<'_>,
        shown: &[Piece],
        unseen: &mut dyn UnseenPieces,
    ) -> Vec<RatedStep> {
        let mut search = Search::new(self, decision.rules, shown, unseen);
        search.rated(decision).0
    }

    /// The expanded steps of the piece, best first, restricted by `narrow`. `shown` are the pieces
    /// after it that the player sees, the first being the next piece of the decision. Each step has
    /// its expected continuation: the best placements of the shown pieces, then of the most likely
    /// piece, or of the worst one against an opponent.
    pub fn explain(
        &mut self,
        decision: &DecisionContext<'_>,
        shown: &[Piece],
        unseen: &mut dyn UnseenPieces,
        narrow: Narrow<'_>,
    ) -> Vec<(RatedStep, Vec<Placement>)> {
        let mut search = Search::new(self, decision.rules, shown, unseen).narrowed(narrow);
        let (rated, plies) = search.rated(decision);
        let with_line = |rated: RatedStep| {
            let line = search.line(&rated.step, plies);
            (rated, line)
        };
        rated.into_iter().map(with_line).collect()
    }

    /// The first of the steps that [`Lookahead::explain`] lists. Against an opponent it is found
    /// faster: steps that turn out to be worse than another are not followed to their end.
    pub fn best(
        &mut self,
        decision: &DecisionContext<'_>,
        shown: &[Piece],
        unseen: &mut dyn UnseenPieces,
        narrow: Narrow<'_>,
    ) -> RatedStep {
        Search::new(self, decision.rules, shown, unseen)
            .narrowed(narrow)
            .best_step(decision)
    }

    /// The value of the best step of a piece against an opponent who chooses all following pieces.
    /// If it is no lower than the ceiling, a number between the two may be returned instead.
    pub fn value_against_opponent(
        &mut self,
        decision: &DecisionContext<'_>,
        ceiling: Option<SearchValue>,
    ) -> SearchValue {
        let mut unseen = AnyPiece;
        Search::new(self, decision.rules, &[], &mut unseen).value_below(decision, ceiling)
    }
}
