//! The placement with the highest score: decisions about one piece at a time.

use super::ties::{Ties, order_key, tie_ranks};
use super::{Choice, GreedyOptions, SearchValue, highest};
use crate::evaluators::{Evaluator, Scores, Workspace};
use crate::outcomes::{DecisionContext, MAX_OUTCOMES, Outcomes, members};
use crate::piece::PIECES;
use std::sync::Arc;

/// Rates all placements of a piece, and picks the best or lists them all. Its scratch space is
/// created by the first decision and reused, so that later decisions do not allocate; candidates
/// that a kernel plays never need it.
#[derive(Debug)]
pub struct BestPlacement {
    evaluator: Arc<dyn Evaluator>,
    options: GreedyOptions,
    scratch: Option<Box<Scratch>>,
}

/// Scratch space for the decisions on boards of one width.
#[derive(Debug)]
struct Scratch {
    width: usize,
    ranks: [Vec<u8>; 7],
    outcomes: Outcomes,
    workspace: Workspace,
    scores: Scores,
}

impl Scratch {
    fn new(ties: Ties, width: usize) -> Box<Scratch> {
        Box::new(Scratch {
            width,
            ranks: PIECES.map(|piece| tie_ranks(ties, piece, width)),
            outcomes: Outcomes::default(),
            workspace: Workspace::default(),
            scores: [0.0; MAX_OUTCOMES],
        })
    }

    fn rate(&mut self, evaluator: &dyn Evaluator, decision: &DecisionContext<'_>) {
        self.outcomes.generate(decision);
        evaluator.rate(&mut self.outcomes, &mut self.workspace, &mut self.scores);
    }
}

impl Clone for BestPlacement {
    /// A clone makes the same decisions, with separate scratch space.
    fn clone(&self) -> BestPlacement {
        BestPlacement::new(self.evaluator.clone(), self.options)
    }
}

impl BestPlacement {
    /// Creates a decision maker with this evaluator.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, options: GreedyOptions) -> BestPlacement {
        BestPlacement {
            evaluator,
            options,
            scratch: None,
        }
    }

    /// The evaluator.
    #[must_use]
    pub fn evaluator(&self) -> &Arc<dyn Evaluator> {
        &self.evaluator
    }

    /// Replaces the evaluator and keeps the scratch space.
    pub(crate) fn set_evaluator(&mut self, evaluator: &Arc<dyn Evaluator>) {
        if !Arc::ptr_eq(&self.evaluator, evaluator) {
            self.evaluator = evaluator.clone();
        }
    }

    /// How decisions are made, apart from the evaluator.
    #[must_use]
    pub fn options(&self) -> GreedyOptions {
        self.options
    }

    /// The best placement. A placement that ends the game is chosen only if all placements do,
    /// unless losing is allowed.
    pub fn best(&mut self, decision: &DecisionContext<'_>) -> Choice {
        if decision.rules.move_rules().is_some() {
            return self.best_stepped(decision);
        }
        let may_lose = self.options.may_lose;
        let scratch = self.rated(decision);
        let outcomes = &scratch.outcomes;
        let count = outcomes.len();
        let scores = &mut scratch.scores[..count];
        let mut allowed = u64::MAX >> (MAX_OUTCOMES - count);
        if !may_lose && allowed & !outcomes.losing() != 0 {
            allowed &= !outcomes.losing();
            for index in members(outcomes.losing()) {
                scores[index] = f64::NEG_INFINITY;
            }
        }
        let ranks = &scratch.ranks[decision.piece as usize];
        let best = first_of_the_best(scores, ranks, allowed);
        Choice {
            placement: outcomes.placement(best),
            score: scores[best],
            game_over: outcomes.losing() >> best & 1 != 0,
        }
    }

    /// The best placement in a stepped game, where placements may come in several batches.
    fn best_stepped(&mut self, decision: &DecisionContext<'_>) -> Choice {
        let GreedyOptions { may_lose, ties, .. } = self.options;
        let mut best: Option<(SearchValue, [isize; 3], Choice)> = None;
        self.rate_each(decision, |outcomes, index, score| {
            let game_over = outcomes.losing() >> index & 1 != 0;
            let value = SearchValue::of_last(score, game_over).judged(may_lose);
            if best.is_some_and(|best| value < best.0) {
                return;
            }
            let placement = outcomes.placement(index);
            let key = order_key(ties, decision, placement, index);
            if best.is_none_or(|best| value > best.0 || key < best.1) {
                let choice = Choice {
                    placement,
                    score,
                    game_over,
                };
                best = Some((value, key, choice));
            }
        });
        best.expect("a piece has a placement on every board").2
    }

    /// Rates all placements and visits each with its index among the outcomes and its score, in
    /// the reference simulator's order; in stepped games, straight drops first.
    pub(super) fn rate_each(
        &mut self,
        decision: &DecisionContext<'_>,
        mut visit: impl FnMut(&Outcomes, usize, f64),
    ) {
        let evaluator = self.evaluator.clone();
        let scored = self.options.scored;
        let scratch = self.rated(decision);
        loop {
            for index in 0..scratch.outcomes.len() {
                visit(&scratch.outcomes, index, scratch.scores[index]);
            }
            let decision = DecisionContext {
                scored,
                ..*decision
            };
            if !scratch.outcomes.generate_more(&decision) {
                return;
            }
            evaluator.rate(
                &mut scratch.outcomes,
                &mut scratch.workspace,
                &mut scratch.scores,
            );
        }
    }

    /// The scratch space with all placements rated.
    fn rated(&mut self, decision: &DecisionContext<'_>) -> &mut Scratch {
        let decision = DecisionContext {
            scored: self.options.scored,
            ..*decision
        };
        let width = decision.board.width();
        let scratch = self.scratch.take().filter(|scratch| scratch.width == width);
        let scratch = self
            .scratch
            .insert(scratch.unwrap_or_else(|| Scratch::new(self.options.ties, width)));
        scratch.rate(&*self.evaluator, &decision);
        scratch
    }
}

/// The allowed placement with the highest score; ties are broken by the lowest rank.
fn first_of_the_best(scores: &[f64], ranks: &[u8], allowed: u64) -> usize {
    let (rows, rest) = scores.as_chunks::<4>();
    let highest = rest.iter().fold(highest(rows), |a, &b| a.max(b));
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

/// The bit of each placement in a set of placements.
const BITS: [u64; MAX_OUTCOMES] = {
    let mut bits = [0; MAX_OUTCOMES];
    let mut index = 0;
    while index < MAX_OUTCOMES {
        bits[index] = 1 << index;
        index += 1;
    }
    bits
};
