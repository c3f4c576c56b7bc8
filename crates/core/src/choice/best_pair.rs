//! The best pair of placements of the current and the next piece.
//!
//! # What a pair scores
//!
//! Papers say that both pieces are placed and the result is rated, and leave open what becomes of the features of the
//! first move. Here:
//! - A pair is rated by its second step: the board after both pieces, and the landing of the second.
//! - What the first step is worth by itself ([`Evaluator::worth_of_step`]: for a linear evaluator, its weighted features
//!   of the *move*) is added, since both moves happen. Features that look at the board after the first piece are not:
//!   that would count the board twice.
//! - When boards are scored before full rows are removed, the full rows of the first piece stay where they are too
//!   and the second piece drops onto them; then nothing is added for the first step, as its lines are still
//!   there to be counted (Lee's "near perfect" bot, which rates the last board only).
//!
//! # Losing
//!
//! A first placement that ends the game is worse than one after which the second piece must end it, and that is worse
//! than the rest. A placement that ends the game has no second piece: its own score stands for the pair. Where losing is
//! allowed, scores alone decide.
//!
//! When nothing follows (the last piece of a fixed list) the piece is placed by itself.
//!
//! A caller may narrow the list of first placements; what a pair is worth does not change.

use super::{BestPlacement, Choice, Expansion, GreedyOptions, Rating, SearchStep, best_first};
use crate::evaluators::Evaluator;
use crate::outcomes::Question;
use crate::piece::Piece;
use crate::placement::Placement;
use std::cmp::Ordering;
use std::sync::Arc;

/// Finds the first placement of the best pair. Reused from decision to decision, so that none allocates.
#[derive(Clone, Debug)]
pub struct BestPair {
    first: Expansion,
    second: BestPlacement,
    /// The steps of the first piece.
    steps: Vec<SearchStep>,
}

/// A first step with the best that can follow it.
#[derive(Clone, Debug)]
pub struct RatedPair {
    /// The first step.
    pub step: SearchStep,
    /// What the second piece does, if there is one.
    pub reply: Option<Choice>,
    /// What the pair is worth. Survival is 0 when the first piece ends the game, 1 when the second must, 2 otherwise; always 2
    /// where losing is allowed.
    pub rating: Rating,
}

impl BestPair {
    /// Decides with this evaluator.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, options: GreedyOptions) -> BestPair {
        BestPair {
            first: Expansion::new(evaluator.clone(), options),
            second: BestPlacement::new(evaluator, options),
            steps: Vec::new(),
        }
    }

    /// The evaluator.
    #[must_use]
    pub fn evaluator(&self) -> &Arc<dyn Evaluator> {
        self.first.evaluator()
    }

    /// How decisions are made, apart from the evaluator.
    #[must_use]
    pub fn options(&self) -> GreedyOptions {
        self.first.options()
    }

    /// The first placement of the best pair, of the piece and the next one; `after_next` is the piece after these, if it
    /// is known.
    pub fn best(&mut self, question: &Question<'_>, after_next: Option<Piece>) -> Placement {
        let best = self.best_of(question, after_next, |_| ());
        best.step.transition.placement
    }

    /// The best pair among those that `narrow` leaves in the list of all first steps. It must leave one.
    pub fn best_of(
        &mut self,
        question: &Question<'_>,
        after_next: Option<Piece>,
        narrow: impl FnOnce(&mut Vec<SearchStep>),
    ) -> RatedPair {
        let mut steps = std::mem::take(&mut self.steps);
        self.first.expand(question, &mut steps);
        narrow(&mut steps);
        let mut best: Option<(Rating, Option<Choice>, &SearchStep)> = None;
        for step in &steps {
            let (rating, reply) = self.rate(question, step, after_next);
            let better = best.is_none_or(|(rating_so_far, _, so_far)| {
                best_first((&rating, step), (&rating_so_far, so_far)) == Ordering::Less
            });
            if better {
                best = Some((rating, reply, step));
            }
        }
        let best = best.map(|(rating, reply, step)| RatedPair {
            step: step.clone(),
            reply,
            rating,
        });
        self.steps = steps;
        best.expect("a piece has a placement on every board")
    }

    /// The same first steps with all that is known of them, best first.
    pub fn ranked(
        &mut self,
        question: &Question<'_>,
        after_next: Option<Piece>,
        narrow: impl FnOnce(&mut Vec<SearchStep>),
    ) -> Vec<RatedPair> {
        let mut steps = Vec::new();
        self.first.expand(question, &mut steps);
        narrow(&mut steps);
        let rated = steps.into_iter().map(|step| {
            let (rating, reply) = self.rate(question, &step, after_next);
            RatedPair {
                step,
                reply,
                rating,
            }
        });
        let mut rated: Vec<RatedPair> = rated.collect();
        rated.sort_by(|a, b| best_first((&a.rating, &a.step), (&b.rating, &b.step)));
        rated
    }

    /// Rates a first step with the best that can follow it.
    fn rate(
        &mut self,
        question: &Question<'_>,
        step: &SearchStep,
        after_next: Option<Piece>,
    ) -> (Rating, Option<Choice>) {
        let may_lose = self.options().may_lose;
        let rating = |survival, score| Rating {
            survival: if may_lose { 2.0 } else { survival },
            score,
        };
        let ends = step.transition.game_over;
        let Some(next) = question.next.filter(|_| !ends) else {
            return (rating(if ends { 0.0 } else { 2.0 }, step.score), None);
        };
        let rules = question.rules.at_level(step.level);
        let reply = self.second.best(&Question {
            rules: rules.as_ref(),
            board: &step.transition.after,
            piece: next,
            next: after_next,
            lines_before: step.lines,
            ..*question
        });
        let survival = if reply.game_over { 1.0 } else { 2.0 };
        (rating(survival, step.worth + reply.score), Some(reply))
    }
}
