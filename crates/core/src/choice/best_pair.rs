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

use super::ties::tie_key;
use super::{BestPlacement, GreedyOptions};
use crate::evaluators::Evaluator;
use crate::outcomes::{Question, Scored};
use crate::piece::Piece;
use crate::placement::{Placement, Transition};
use std::sync::Arc;

/// Finds the first placement of the best pair. Reused from decision to decision, so that none allocates.
#[derive(Clone, Debug)]
pub struct BestPair {
    first: BestPlacement,
    second: BestPlacement,
    /// The steps of the first piece with their scores.
    steps: Vec<(Transition, f64)>,
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
            first: BestPlacement::new(evaluator.clone(), options),
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
            return self.first.best(question).placement;
        };
        let ties = self.options().ties;
        let steps = self.take_steps(question);
        let mut best: Option<(Rating, [isize; 3], Placement)> = None;
        for (index, (step, own_score)) in steps.iter().enumerate() {
            let rating = self.rate(question, (step, *own_score), next, after_next);
            let key = tie_key(ties, step.placement, index, question.board.width());
            let better = best.is_none_or(|(rating_so_far, key_so_far, _)| {
                rating.beats(rating_so_far) || (rating == rating_so_far && key < key_so_far)
            });
            if better {
                best = Some((rating, key, step.placement));
            }
        }
        self.steps = steps;
        best.expect("a piece has a placement on every board").2
    }

    /// The steps of the first piece with their scores, in the room that is kept for them.
    fn take_steps(&mut self, question: &Question<'_>) -> Vec<(Transition, f64)> {
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        let (outcomes, scores) = self.first.rate(question);
        let rated = scores.iter().enumerate();
        steps.extend(rated.map(|(index, &score)| (outcomes.transition(index), score)));
        steps
    }

    /// Rates a first step with the best that can follow it.
    fn rate(
        &mut self,
        question: &Question<'_>,
        (step, own_score): (&Transition, f64),
        next: Piece,
        after_next: Option<Piece>,
    ) -> Rating {
        let options = self.options();
        let survival = |survival| if options.may_lose { 2 } else { survival };
        if step.game_over {
            return Rating {
                survival: survival(0),
                score: own_score,
            };
        }
        // Rows that are still on the board have not been counted yet.
        let (lines, worth) = match options.scored {
            Scored::AfterRemoval => {
                let worth = self.evaluator().worth_of_step(step);
                (u64::from(step.lines()), worth)
            }
            Scored::BeforeRemoval => (0, 0.0),
        };
        let answer = self.second.best(&Question {
            board: &step.after,
            piece: next,
            next: after_next,
            lines_before: question.lines_before + lines,
            ..*question
        });
        Rating {
            survival: survival(if answer.game_over { 1 } else { 2 }),
            score: worth + answer.score,
        }
    }
}
