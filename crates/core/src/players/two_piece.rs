//! The two-piece player: the best pair of placements of the current and the next piece.
//!
//! # What a pair scores
//!
//! Papers say that both pieces are placed and the result is rated, and leave open what becomes of the features of the
//! first move. Here:
//! - A pair is rated by its second step: the board after both pieces, and the landing of the second.
//! - When the evaluator is linear, the weighted features of the first *move* ([`Rule::Landing`]: landing height, eroded
//!   cells, lines; [`Rule::Change`]: what it changed) are added, since both moves happen. Features that look at the
//!   board after the first piece are not: that would count the board twice. Other evaluators have no share of a single feature that could
//!   be added, and rate the second step alone.
//! - When boards are scored before full rows are removed, the full rows of the first piece stay where they are too
//!   and the second piece drops onto them; then nothing is added for the first landing, as its lines are still
//!   there to be counted (Lee's "near perfect" bot, which rates the last board only).
//!
//! # Losing
//!
//! A first placement that ends the game is worse than one after which the second piece must end it, and that is worse
//! than the rest. A placement that ends the game has no second piece: its own score stands for the pair. A player that may
//! lose goes by scores alone.
//!
//! When nothing follows (the last piece of a fixed list) the piece is placed greedily.

use super::ties::tie_key;
use super::{GREEDY_SETTINGS, Greedy, GreedyOptions, Player, PlayerEntry, greedy_options};
use crate::evaluators::Evaluator;
use crate::features::Rule;
use crate::game::GameView;
use crate::kernel::Kernel;
use crate::outcomes::{Question, Scored, Step};
use crate::piece::Piece;
use crate::placement::{Landing, Placement, Surface, Transition};
use crate::ruleset::Ruleset;
use std::sync::Arc;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "two-piece",
    definition: "the first placement of the pair, of this piece and the next, with the highest score",
    source: "Böhm, Kókai and Mandl 2005; strategies, the full two-step; Lee 2013",
    settings: GREEDY_SETTINGS,
    make: |settings, evaluators, width| {
        let (evaluator, options) = greedy_options(settings, evaluators, width)?;
        Ok(Box::new(TwoPiece::new(evaluator, options)))
    },
};

/// Chooses the first placement of the best pair.
#[derive(Clone, Debug)]
pub struct TwoPiece {
    first: Greedy,
    second: Greedy,
    /// The features of the first move that count, with their weights.
    move_terms: Vec<MoveTerm>,
    options: GreedyOptions,
    /// The steps of the first piece; kept so that a decision does not allocate.
    steps: Vec<(Transition, f64)>,
}

/// A feature of the first move and its weight.
#[derive(Clone, Copy, Debug)]
struct MoveTerm {
    rule: Rule,
    weight: f64,
}

impl MoveTerm {
    /// What the feature adds for a move.
    fn value(&self, transition: &Transition, landing: &Landing) -> f64 {
        self.weight
            * match self.rule {
                Rule::Landing(value) => value(landing),
                Rule::Change(value) => value(&Step {
                    landing: *landing,
                    lines_before: transition.lines_before,
                    before: &Surface::new(transition.before),
                    after: &Surface::new(transition.after),
                }),
                _ => 0.0,
            }
    }
}

/// How good a pair is, to be compared from left to right: who loses, then the score.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rating {
    /// 0 when the first piece ends the game, 1 when the second must, 2 otherwise; 2 for a player that may lose.
    survival: u8,
    score: f64,
}

impl Rating {
    fn beats(self, other: Rating) -> bool {
        self.survival > other.survival
            || (self.survival == other.survival && self.score > other.score)
    }
}

impl TwoPiece {
    /// A two-piece player with this evaluator.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, options: GreedyOptions) -> TwoPiece {
        let move_terms = match options.scored {
            Scored::AfterRemoval => move_terms(&*evaluator),
            Scored::BeforeRemoval => Vec::new(),
        };
        TwoPiece {
            first: Greedy::new(evaluator.clone(), options),
            second: Greedy::new(evaluator, options),
            move_terms,
            options,
            steps: Vec::new(),
        }
    }

    /// The first placement of the best pair; `after_next` is the piece after the next, if it is known.
    fn best(&mut self, view: &GameView<'_>, next: Piece, after_next: Option<Piece>) -> Placement {
        let (outcomes, scores) = self.first.rate(&Question::from(view));
        let steps = (0..outcomes.len()).map(|index| (outcomes.transition(index), scores[index]));
        let mut steps_of_first = std::mem::take(&mut self.steps);
        steps_of_first.clear();
        steps_of_first.extend(steps);
        let mut best: Option<(Rating, [isize; 3], Placement)> = None;
        for (index, (step, own_score)) in steps_of_first.iter().enumerate() {
            let rating = self.rate_pair(view, step, *own_score, next, after_next);
            let key = tie_key(self.options.ties, step.placement, index, view.board.width());
            let better = best.is_none_or(|(rating_so_far, key_so_far, _)| {
                rating.beats(rating_so_far) || (rating == rating_so_far && key < key_so_far)
            });
            if better {
                best = Some((rating, key, step.placement));
            }
        }
        self.steps = steps_of_first;
        best.expect("a piece has a placement on every board").2
    }

    fn rate_pair(
        &mut self,
        view: &GameView<'_>,
        step: &Transition,
        own_score: f64,
        next: Piece,
        after_next: Option<Piece>,
    ) -> Rating {
        let survival = |survival| if self.options.may_lose { 2 } else { survival };
        if step.game_over {
            return Rating {
                survival: survival(0),
                score: own_score,
            };
        }
        // Rows that are still on the board have not been counted yet.
        let lines = match self.options.scored {
            Scored::AfterRemoval => u64::from(step.lines()),
            Scored::BeforeRemoval => 0,
        };
        let answer = self.second.best(&Question {
            board: &step.after,
            piece: next,
            end: view.end,
            next: after_next,
            scored: self.options.scored,
            lines_before: view.lines + lines,
        });
        let landing = Landing::from(step);
        let terms = self.move_terms.iter();
        let first_move: f64 = terms.map(|term| term.value(step, &landing)).sum();
        Rating {
            survival: survival(if answer.game_over { 1 } else { 2 }),
            score: first_move + answer.score,
        }
    }
}

impl Player for TwoPiece {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        match *view.queue {
            [] => self.first.choose(view),
            [next, ref rest @ ..] => self.best(view, next, rest.first().copied()),
        }
    }

    fn needs_preview(&self) -> usize {
        1
    }

    fn kernel(&self, ruleset: &Ruleset) -> Option<Kernel> {
        let linear = self.second.evaluator().as_linear()?;
        Kernel::two_piece(ruleset, linear, self.options)
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}

/// The features of a linear evaluator that describe a move, with their weights in units of its scores.
fn move_terms(evaluator: &dyn Evaluator) -> Vec<MoveTerm> {
    let Some(linear) = evaluator.as_linear() else {
        return Vec::new();
    };
    let mut weights = linear.scaled_weights();
    let features = linear.features();
    let mut terms = Vec::new();
    for feature in features.features() {
        let (own, rest) = weights.split_at(feature.len(features.width()));
        if let rule @ (Rule::Landing(_) | Rule::Change(_)) = feature.make {
            terms.push(MoveTerm {
                rule,
                weight: own[0],
            });
        }
        weights = rest;
    }
    terms
}

#[cfg(test)]
mod tests;
