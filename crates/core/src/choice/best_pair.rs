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

use super::{BestPlacement, Choice, Expansion, GreedyOptions, Step};
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
    steps: Vec<Step>,
}

/// A first placement with the best that can follow it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedPair {
    /// Where the piece goes.
    pub first: Placement,
    /// Whether that ends the game.
    pub game_over: bool,
    /// Where the next piece goes then.
    pub reply: Option<Choice>,
    /// What the pair is worth.
    pub score: f64,
}

/// How good a pair is, to be compared from left to right: who loses, then the score.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rating {
    /// 0 when the first piece ends the game, 1 when the second must, 2 otherwise; always 2 where losing is allowed.
    survival: u8,
    score: f64,
}

impl Rating {
    fn beats(self, other: Rating) -> bool {
        self.survival > other.survival
            || (self.survival == other.survival && self.score > other.score)
    }
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
        let Some(next) = question.next else {
            return self.second.best(question).placement;
        };
        let mut steps = std::mem::take(&mut self.steps);
        self.first.expand(question, &mut steps);
        let mut best: Option<(Rating, &Step)> = None;
        for step in &steps {
            let reply = self.reply(question, step, next, after_next);
            let rating = self.rate(step, reply);
            let better = best.is_none_or(|(rating_so_far, so_far)| {
                rating.beats(rating_so_far)
                    || (rating == rating_so_far && step.tie_key < so_far.tie_key)
            });
            if better {
                best = Some((rating, step));
            }
        }
        let best = best.map(|(_, step)| step.transition.placement);
        self.steps = steps;
        best.expect("a piece has a placement on every board")
    }

    /// All first placements with the best that can follow them, best first; the piece after the current one is `next`.
    pub fn all(
        &mut self,
        question: &Question<'_>,
        next: Piece,
        after_next: Option<Piece>,
    ) -> Vec<RatedPair> {
        let mut steps = Vec::new();
        self.first.expand(question, &mut steps);
        let mut rated = Vec::new();
        for step in &steps {
            let reply = self.reply(question, step, next, after_next);
            let rating = self.rate(step, reply);
            let pair = RatedPair {
                first: step.transition.placement,
                game_over: step.transition.game_over,
                reply,
                score: rating.score,
            };
            rated.push((rating, step.tie_key, pair));
        }
        rated.sort_by(|a, b| {
            let survival = b.0.survival.cmp(&a.0.survival);
            // Not `total_cmp`, to which -0 and 0 differ; scores are never NaN.
            let score = b.0.score.partial_cmp(&a.0.score);
            survival
                .then(score.unwrap_or(Ordering::Equal))
                .then(a.1.cmp(&b.1))
        });
        rated.into_iter().map(|(_, _, pair)| pair).collect()
    }

    /// What places a piece that nothing follows.
    pub fn alone(&mut self) -> &mut BestPlacement {
        &mut self.second
    }

    /// The best placement of the next piece after a first step; none after one that ends the game.
    fn reply(
        &mut self,
        question: &Question<'_>,
        step: &Step,
        next: Piece,
        after_next: Option<Piece>,
    ) -> Option<Choice> {
        let goes_on = !step.transition.game_over;
        goes_on.then(|| {
            self.second.best(&Question {
                board: &step.transition.after,
                piece: next,
                next: after_next,
                lines_before: step.lines,
                ..*question
            })
        })
    }

    /// Rates a first step with the best that can follow it.
    fn rate(&self, step: &Step, reply: Option<Choice>) -> Rating {
        let survival = match reply {
            _ if self.options().may_lose => 2,
            None => 0,
            Some(reply) if reply.game_over => 1,
            Some(_) => 2,
        };
        let score = reply.map_or(step.score, |reply| step.worth + reply.score);
        Rating { survival, score }
    }
}
