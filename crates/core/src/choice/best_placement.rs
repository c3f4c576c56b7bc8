//! The placement with the highest score, one piece at a time.

use super::ties::tie_ranks;
use super::{Choice, GreedyOptions};
use crate::evaluators::{Evaluator, Scores};
use crate::features::FeatureMatrix;
use crate::outcomes::{MAX_OUTCOMES, Outcomes, Question, members};
use crate::piece::PIECES;
use std::sync::Arc;

/// Rates all placements of a piece and picks the best. Reused from decision to decision, so that none allocates.
#[derive(Clone, Debug)]
pub struct BestPlacement {
    evaluator: Arc<dyn Evaluator>,
    options: GreedyOptions,
    ranks: [Vec<u8>; 7],
    outcomes: Outcomes,
    values: FeatureMatrix,
    scores: Box<Scores>,
}

impl BestPlacement {
    /// Decides with this evaluator.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, options: GreedyOptions) -> BestPlacement {
        let width = evaluator.features().width();
        BestPlacement {
            ranks: PIECES.map(|piece| tie_ranks(options.ties, piece, width)),
            evaluator,
            options,
            outcomes: Outcomes::default(),
            values: FeatureMatrix::default(),
            scores: Box::new([0.0; MAX_OUTCOMES]),
        }
    }

    /// The evaluator.
    #[must_use]
    pub fn evaluator(&self) -> &Arc<dyn Evaluator> {
        &self.evaluator
    }

    /// How decisions are made, apart from the evaluator.
    #[must_use]
    pub fn options(&self) -> GreedyOptions {
        self.options
    }

    /// The best placement. One that ends the game is best only when all do, unless losing is allowed.
    pub fn best(&mut self, question: &Question<'_>) -> Choice {
        self.rate(question);
        let outcomes = &self.outcomes;
        let count = outcomes.len();
        let scores = &mut self.scores[..count];
        let mut allowed = u64::MAX >> (MAX_OUTCOMES - count);
        if !self.options.may_lose && allowed & !outcomes.losing() != 0 {
            allowed &= !outcomes.losing();
            for index in members(outcomes.losing()) {
                scores[index] = f64::NEG_INFINITY;
            }
        }
        let ranks = &self.ranks[question.piece as usize];
        let best = first_of_the_best(scores, ranks, allowed);
        Choice {
            placement: outcomes.placement(best),
            score: scores[best],
            game_over: outcomes.losing() >> best & 1 != 0,
        }
    }

    /// All placements with their scores, in the reference simulator's order.
    pub fn rate(&mut self, question: &Question<'_>) -> (&Outcomes, &[f64]) {
        let question = Question {
            scored: self.options.scored,
            ..*question
        };
        self.outcomes.generate(&question);
        self.evaluator
            .rate(&mut self.outcomes, &mut self.values, &mut self.scores);
        (&self.outcomes, &self.scores[..self.outcomes.len()])
    }
}

/// The allowed placement with the highest score; of several, the one with the lowest rank.
fn first_of_the_best(scores: &[f64], ranks: &[u8], allowed: u64) -> usize {
    let highest = highest(scores);
    let mut best = 0u64;
    for (&score, &bit) in scores.iter().zip(&BITS) {
        best |= if score == highest { bit } else { 0 };
    }
    let best = if best & allowed != 0 {
        best & allowed
    } else {
        allowed
    };
    let first = members(best).min_by_key(|&index| ranks[index]);
    first.expect("there is a placement")
}

/// The bit of every placement in a set of placements.
const BITS: [u64; MAX_OUTCOMES] = {
    let mut bits = [0; MAX_OUTCOMES];
    let mut index = 0;
    while index < MAX_OUTCOMES {
        bits[index] = 1 << index;
        index += 1;
    }
    bits
};

/// The highest of the scores, found in four columns at once.
fn highest(scores: &[f64]) -> f64 {
    let higher = |a: f64, b: f64| if a > b { a } else { b };
    let (chunks, rest) = scores.as_chunks::<4>();
    let mut highest = [f64::NEG_INFINITY; 4];
    for chunk in chunks {
        for (highest, &score) in highest.iter_mut().zip(chunk) {
            *highest = higher(score, *highest);
        }
    }
    let all = highest.iter().chain(rest);
    all.fold(f64::NEG_INFINITY, |most, &score| higher(score, most))
}
