//! The search of all players that look a number of pieces ahead, and of the adversary: maximum over placements, and for
//! pieces that are not shown the mean (expectimax: Michie 1966) or the minimum (minimax).
//!
//! # What a placement is worth
//!
//! A [`NodeValue`] is a pair of survival and score, compared in this order.
//! - A step that ends the game has survival 0 and its own score ([`SearchStep::score`]); it is taken only when all steps end the game.
//! - On the last ply, a step that does not end the game has survival 1 and its own score.
//! - Any other step has the survival of what follows it; its score is that of what follows plus what the step adds by itself
//!   ([`SearchStep::worth`]). If no piece can follow (the end of a fixed list) the step stands by itself as on the last ply.
//! - What follows is the best step of the next piece if that is shown. Otherwise each piece that can come has a best step, and their
//!   values are averaged with the probabilities of the pieces, or the worst is taken. In an average, branches that are surely
//!   lost count for survival, and for the score only when all are lost.
//! - With a hold, the best step of the next piece is the best of its own steps and of those of the piece that would come for it: the held one,
//!   or the piece after it if the hold is empty and that piece is shown.
//! - A piece that is not shown and cannot enter the board ([`Rules::blocks_entry`](crate::rules::Rules::blocks_entry)) ends the game before it is placed. Such a branch is
//!   lost; its score is that of the placement that would be best if nothing followed.
//! - Of steps with the same value the one with the lowest [`SearchStep::tie_key`] is taken.
//! - Where losing is allowed, survival is 1 everywhere, all branches count, and scores alone decide.
//! - Where boards are scored before full rows are removed, the rows stay on the board and the steps on the way add nothing. What decides
//!   which pieces come, and whether they can enter, is the board without these rows.
//!
//! With a depth of 1 this is the greedy decision ([`super::BestPlacement`]), with a depth of 2 and the next piece shown that of the best pair
//! ([`super::BestPair`]).

mod search;

use super::{Expansion, GreedyOptions, NodeValue, Replies, SearchStep};
use crate::board::Board;
use crate::evaluators::Evaluator;
use crate::outcomes::Question;
use crate::piece::Piece;
use crate::placement::Placement;
use crate::rules::Hold;
use crate::stop::StopFlag;
use search::Search;
use std::cmp::Ordering;
use std::sync::Arc;

/// What a search is told of the pieces that are not shown. What is known depends on the pieces before, which a state stands for:
/// 0 is the state after all pieces that are shown.
pub trait UnseenPieces {
    /// With which probability each piece comes next on this board, in the order of [`crate::piece::PIECES`]. All 0 when no piece is left.
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

/// Who decides which of the pieces that are not shown comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dealing {
    /// Chance: values are averaged.
    ByChance,
    /// An opponent: the worst value counts.
    ByOpponent,
}

/// How far and how wide a search looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// How many pieces are placed, the current one included; at least 1.
    pub depth: usize,
    /// How many steps of each piece are looked into, those with the best scores; the last ply is always looked at as a whole.
    pub width: usize,
    /// How many placements may be rated for a decision; 0 for any number. With a limit the search deepens from 1 on, and what the deepest
    /// search says that could be finished counts.
    pub nodes: u64,
}

/// A step with what it is worth to a search.
#[derive(Clone, Debug)]
pub struct RatedStep {
    /// The step.
    pub step: SearchStep,
    /// What it is worth with all that follows.
    pub value: NodeValue,
}

/// Which of two steps of the same piece comes first, being better.
fn first_of(a: (&SearchStep, NodeValue), b: (&SearchStep, NodeValue), may_lose: bool) -> Ordering {
    let lost = |step: &SearchStep| step.transition.game_over && !may_lose;
    lost(a.0)
        .cmp(&lost(b.0))
        .then(b.1.compare(&a.1))
        .then(a.0.tie_key.cmp(&b.0.tie_key))
}

/// Looks ahead. Reused from decision to decision.
#[derive(Clone, Debug)]
pub struct Lookahead {
    expansion: Expansion,
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
            expansion: Expansion::new(replies.evaluator().clone(), replies.options()),
            replies,
            dealing,
            limits,
            hold: Hold::None,
            stop: StopFlag::default(),
        }
    }

    /// The hold after the first piece, which is placed whatever the hold is: from the second piece on, searches swap pieces where
    /// that is better.
    pub fn set_hold(&mut self, hold: Hold) {
        self.hold = match hold {
            Hold::Used(piece) => Hold::Piece(piece),
            hold => hold,
        };
    }

    /// Ends searches once the flag is raised: what they find then is no more than a placement.
    pub fn heed(&mut self, stop: &StopFlag) {
        self.stop = stop.clone();
    }

    /// The evaluator.
    #[must_use]
    pub fn evaluator(&self) -> &Arc<dyn Evaluator> {
        self.expansion.evaluator()
    }

    /// How decisions are made, apart from the evaluator.
    #[must_use]
    pub fn options(&self) -> GreedyOptions {
        self.expansion.options()
    }

    /// Allows or forbids the kernel on the last ply; it never changes a result.
    pub fn allow_kernel(&mut self, allowed: bool) {
        self.replies.allow_kernel(allowed);
    }

    /// How far and how wide the search looks.
    #[must_use]
    pub fn limits(&self) -> SearchLimits {
        self.limits
    }

    /// All steps of the piece that are looked into, best first. `shown` are the pieces after it that the player sees, the first of
    /// which is the next of the question.
    pub fn rate(
        &mut self,
        question: &Question<'_>,
        shown: &[Piece],
        unseen: &mut dyn UnseenPieces,
    ) -> Vec<RatedStep> {
        let mut search = Search::new(self, question.rules, shown, unseen);
        search.rated(question).0
    }

    /// The same, each step with the placements that are expected to follow it: the best ones of the pieces that are shown, and
    /// then of the most likely piece, or of the worst one if an opponent deals.
    pub fn explain(
        &mut self,
        question: &Question<'_>,
        shown: &[Piece],
        unseen: &mut dyn UnseenPieces,
    ) -> Vec<(RatedStep, Vec<Placement>)> {
        let mut search = Search::new(self, question.rules, shown, unseen);
        let (rated, plies) = search.rated(question);
        let with_line = |rated: RatedStep| {
            let line = search.line(&rated.step, plies);
            (rated, line)
        };
        rated.into_iter().map(with_line).collect()
    }

    /// The first of the steps that [`Lookahead::rate`] lists. Against an opponent it is found faster: steps that turn out to be worse than
    /// another are not followed to their end.
    pub fn best(
        &mut self,
        question: &Question<'_>,
        shown: &[Piece],
        unseen: &mut dyn UnseenPieces,
    ) -> RatedStep {
        let mut search = Search::new(self, question.rules, shown, unseen);
        search.best_step(question)
    }

    /// What the best step of a piece is worth against an opponent who deals all that follow. If that is no lower than the ceiling,
    /// a number between the two may be returned instead.
    pub fn worth_against_opponent(
        &mut self,
        question: &Question<'_>,
        ceiling: Option<NodeValue>,
    ) -> NodeValue {
        let mut unseen = AnyPiece;
        let mut search = Search::new(self, question.rules, &[], &mut unseen);
        search.worth_below(question, ceiling)
    }
}
