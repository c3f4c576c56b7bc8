//! The greedy player: the placement with the highest score, one piece at a time.

use super::ties::{Ties, ranks};
use super::{GREEDY_SETTINGS, Player, PlayerEntry, greedy_options};
use crate::evaluators::{Evaluator, Scores};
use crate::features::FeatureMatrix;
use crate::game::GameView;
use crate::kernel::Kernel;
use crate::outcomes::{MAX_OUTCOMES, Outcomes, Question, Scored, members};
use crate::piece::PIECES;
use crate::placement::Placement;
use crate::ruleset::Ruleset;
use std::sync::Arc;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "greedy",
    definition: "the placement with the highest score, one piece at a time",
    source: "Tsitsiklis and Van Roy 1996; Dellacherie 2003; MDPTetris",
    settings: GREEDY_SETTINGS,
    make: |settings, evaluators, width| {
        let (evaluator, options) = greedy_options(settings, evaluators, width)?;
        Ok(Box::new(Greedy::new(evaluator, options)))
    },
};

/// How a greedy player chooses, beside its evaluator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GreedyOptions {
    /// Whether a placement that ends the game may be chosen although another one does not.
    pub may_lose: bool,
    /// Which board the features look at.
    pub scored: Scored,
    /// Which of several placements with the same score is taken.
    pub ties: Ties,
}

/// Chooses the placement with the highest score.
#[derive(Clone, Debug)]
pub struct Greedy {
    evaluator: Arc<dyn Evaluator>,
    options: GreedyOptions,
    ranks: Ranks,
    outcomes: Outcomes,
    values: FeatureMatrix,
    scores: Box<Scores>,
}

/// The order of equal placements, which depends on the width of the board: made when the first board is seen.
#[derive(Clone, Debug, Default)]
struct Ranks {
    width: usize,
    of_pieces: [Vec<u8>; 7],
}

impl Ranks {
    fn on(&mut self, width: usize, ties: Ties) -> &[Vec<u8>; 7] {
        if self.width != width {
            self.width = width;
            self.of_pieces = PIECES.map(|piece| ranks(ties, piece, width));
        }
        &self.of_pieces
    }
}

/// The placement that a greedy player finds best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Where the piece goes.
    pub placement: Placement,
    /// What the evaluator says of it.
    pub score: f64,
    /// Whether it ends the game.
    pub game_over: bool,
}

impl Greedy {
    /// A greedy player with this evaluator.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, options: GreedyOptions) -> Greedy {
        Greedy {
            ranks: Ranks::default(),
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

    /// How the player chooses, beside its evaluator.
    #[must_use]
    pub fn options(&self) -> GreedyOptions {
        self.options
    }

    /// The best placement. One that ends the game is best only when all do, unless the player may lose.
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
        let ranks = self.ranks.on(question.board.width(), self.options.ties);
        let ranks = &ranks[question.piece as usize];
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

impl Player for Greedy {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        self.best(&Question::from(view)).placement
    }

    fn kernel(&self, ruleset: &Ruleset) -> Option<Kernel> {
        Kernel::new(ruleset, self.evaluator.as_linear()?, self.options)
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}
