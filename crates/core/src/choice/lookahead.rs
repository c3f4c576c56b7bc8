//! The search of all players that look a number of pieces ahead, and of the adversary: maximum over
//! placements, and over the pieces that are not shown, the mean (expectimax: Michie 1966) or the
//! minimum (minimax).
//!
//! # The value of a placement
//!
//! A [`SearchValue`] is a pair of survival and score, compared in this order.
//! - A step that ends the game has survival 0 and its own score ([`SearchStep::score`]); it is
//!   chosen only if all steps end the game.
//! - On the last ply, a step that does not end the game has survival 1 and its own score.
//! - Any other step has the survival of its continuation; its score is that of the continuation
//!   plus the step's own contribution ([`SearchStep::step_value`]). If no piece can follow (the end
//!   of a fixed list) the step has its own value as on the last ply.
//! - The continuation is the best step of the next piece if that piece is shown. Otherwise each
//!   possible piece has a best step, and the result is either their mean, weighted with the
//!   probabilities of the pieces, or the worst of them. In a mean, branches that are certainly lost
//!   always count for survival, but for the score only if all are lost.
//! - With a hold, the best step of the next piece is the best among its steps and those of the
//!   piece that would replace it: the held one, or the piece after it if the hold is empty and that
//!   piece is shown.
//! - A piece that is not shown and cannot enter the board
//!   ([`Rules::blocks_entry`](crate::rules::Rules::blocks_entry)) ends the game before it is
//!   placed. Such a branch is lost; its score is that of the placement that would be best if no
//!   piece followed.
//! - Ties are broken by the lowest [`SearchStep::tie_key`].
//! - Where losing is allowed, survival is always 1, all branches count, and only scores matter.
//! - Where boards are scored before full rows are removed, the rows stay on the board, and steps
//!   before the last contribute nothing. The possible pieces, and whether they can enter, are
//!   determined on the board without these rows.
//!
//! With a depth of 1 this is the greedy decision ([`super::BestPlacement`]). With a depth of 2 and
//! the next piece shown it is the decision of the two-piece player. Papers say that both pieces are
//! placed and the result is rated, but not how the features of the first move count. Here both
//! moves count, because both are played, but only the last board: otherwise the board would count
//! twice. Lee's "near perfect" bot rates only the last board, before full rows are removed.

mod search;

use super::{BestPlacement, RatedStep, Replies, SearchStep, SearchValue};
use crate::board::Board;
use crate::outcomes::DecisionContext;
use crate::piece::Piece;
use crate::placement::Placement;
use crate::rules::Hold;
use crate::stop::StopFlag;
use search::Search;

/// A search's knowledge of the pieces that are not shown. It depends on the earlier pieces, which
/// are represented by a state: 0 is the state after all shown pieces.
pub trait UnseenPieces {
    /// The probability of each next piece on this board, in the order of [`crate::piece::PIECES`].
    /// All are 0 if no piece is left.
    fn probabilities(&mut self, state: usize, board: &Board) -> [f64; 7];

    /// The state after one more piece. Equal states imply equal probabilities from then on.
    fn after(&mut self, state: usize, piece: Piece) -> usize;
}

/// All pieces are possible and equally likely.
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

/// How hidden pieces are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dealing {
    /// Chance: values are averaged.
    ByChance,
    /// By an opponent: the worst value is used.
    ByOpponent,
}

/// Limits on the depth and width of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Number of pieces placed, including the current one; at least 1.
    pub depth: usize,
    /// Number of steps expanded for each piece: those with the best scores. The last ply is always
    /// searched completely.
    pub width: usize,
    /// Maximum number of placements rated per decision; 0 for no limit. With a limit, the search
    /// deepens iteratively, and the deepest completed search is used.
    pub nodes: u64,
}

impl SearchLimits {
    /// This number of pieces, without other limits.
    #[must_use]
    pub const fn exact(depth: usize) -> SearchLimits {
        SearchLimits {
            depth,
            width: usize::MAX,
            nodes: 0,
        }
    }
}

/// Chooses the first steps that are searched: removes the others from the list, which must not
/// become empty.
pub type Narrow<'a> = &'a dyn Fn(&mut Vec<SearchStep>);

/// The search. It is reused across decisions.
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
    /// A search that uses these replies on its last ply.
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

    /// Sets whether the current piece can be swapped with the hold where that is better. This
    /// applies from the second piece on: the first piece is always placed.
    pub fn set_hold(&mut self, hold: Hold) {
        self.hold = match hold {
            Hold::Used(piece) => Hold::Piece(piece),
            hold => hold,
        };
    }

    /// Stops searches once the flag is raised; their result is then an arbitrary legal placement.
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

    /// How hidden pieces are chosen.
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

    /// The expanded steps of the piece, best first, restricted by `narrow`. `shown` are the
    /// following pieces that the player can see, starting with the decision's next piece. Each step
    /// has its expected continuation: the best placements of the shown pieces, then of the most
    /// likely piece, or of the worst one against an opponent.
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

    /// The first of the steps that [`Lookahead::explain`] lists. Against an opponent, this is
    /// faster: steps that turn out to be worse than another one are abandoned early.
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
    /// If it is not below the ceiling, any number from the ceiling to this value may be returned
    /// instead. `None` if the search ended early: it was stopped or used up its budget.
    pub fn value_against_opponent(
        &mut self,
        decision: &DecisionContext<'_>,
        ceiling: Option<SearchValue>,
    ) -> Option<SearchValue> {
        let mut unseen = AnyPiece;
        let mut search = Search::new(self, decision.rules, &[], &mut unseen);
        search.value_below(decision, ceiling).ok()
    }
}
