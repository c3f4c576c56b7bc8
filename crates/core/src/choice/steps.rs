//! The steps from one position, which searches expand.

use super::ties::order_key;
use super::{BestPlacement, GreedyOptions, SearchValue};
use crate::outcomes::{DecisionContext, MAX_OUTCOMES, Scored};
use crate::placement::Transition;
use std::cmp::Ordering;

/// A placement of the current piece, as a step of a search.
#[derive(Clone, Debug)]
pub struct SearchStep {
    /// The placement and the board after it. Where boards are scored before full rows are removed,
    /// the board still has these rows.
    pub transition: Transition,
    /// The evaluator's score of the step without a continuation.
    pub score: f64,
    /// The step's own contribution, which is added to the value of its continuation
    /// ([`Evaluator::step_value`](crate::evaluators::Evaluator::step_value)). It is 0 if full rows
    /// stay on the board, because they have not been counted yet.
    pub step_value: f64,
    /// Lines cleared in the game after the step.
    pub lines: u64,
    /// The level of a stepped game when the next piece enters; 0 where pieces drop.
    pub level: u32,
    /// Breaks ties: of several steps with the same value, the one with the lowest key is chosen.
    pub tie_key: [isize; 3],
}

impl SearchStep {
    /// The value of the step without a continuation.
    #[must_use]
    pub fn value(&self) -> SearchValue {
        SearchValue::of_last(self.score, self.transition.game_over)
    }
}

/// A step with its value in a search.
#[derive(Clone, Debug)]
pub struct RatedStep {
    /// The step.
    pub step: SearchStep,
    /// The value of the step including the continuation.
    pub value: SearchValue,
}

impl RatedStep {
    /// A step without a continuation.
    #[must_use]
    pub fn alone(step: SearchStep) -> RatedStep {
        RatedStep {
            value: step.value(),
            step,
        }
    }

    /// Sorts the steps of a piece, best first.
    pub fn sort(rated: &mut [RatedStep], may_lose: bool) {
        rated.sort_by(|a, b| a.compare(b, may_lose));
    }

    /// Orders the better of two steps first.
    #[must_use]
    pub fn compare(&self, other: &RatedStep, may_lose: bool) -> Ordering {
        best_first(
            (&self.step, self.value),
            (&other.step, other.value),
            may_lose,
        )
    }
}

/// Orders the better of two steps of one piece first: a step that does not end the game, then the
/// higher value, then the lower tie key. Where losing is allowed, only score and tie key count.
#[must_use]
pub fn best_first(
    a: (&SearchStep, SearchValue),
    b: (&SearchStep, SearchValue),
    may_lose: bool,
) -> Ordering {
    let lost = |step: &SearchStep| step.transition.game_over && !may_lose;
    let judged = |value: SearchValue| value.judged(may_lose);
    lost(a.0)
        .cmp(&lost(b.0))
        .then_with(|| judged(b.1).compare(&judged(a.1)))
        .then_with(|| a.0.tie_key.cmp(&b.0.tie_key))
}

impl BestPlacement {
    /// All steps from a position, in the reference simulator's order.
    pub fn list_all(&mut self, decision: &DecisionContext<'_>) -> Vec<SearchStep> {
        let mut steps = Vec::with_capacity(MAX_OUTCOMES);
        let evaluator = self.evaluator().clone();
        let GreedyOptions { scored, ties, .. } = self.options();
        self.rate_each(decision, |outcomes, index, score| {
            let transition = outcomes.transition(index);
            let (step_value, lines) = match scored {
                Scored::AfterRemoval => (
                    evaluator.step_value(&transition),
                    u64::from(transition.lines()),
                ),
                Scored::BeforeRemoval => (0.0, 0),
            };
            let tie_key = order_key(ties, decision, transition.placement, index);
            let all_lines = decision.lines_before + u64::from(transition.lines());
            steps.push(SearchStep {
                score,
                step_value,
                lines: decision.lines_before + lines,
                level: decision.rules.level_after(&transition, all_lines),
                tie_key,
                transition,
            });
        });
        steps
    }

    /// Like [`Self::list_all`], without the steps that the evaluator skips by scoring them minus
    /// infinity; if it skips every step that survives, all are listed.
    pub fn expand(&mut self, decision: &DecisionContext<'_>) -> Vec<SearchStep> {
        let mut steps = self.list_all(decision);
        let is_looked_at = |step: &SearchStep| step.score > f64::NEG_INFINITY;
        if steps
            .iter()
            .any(|step| is_looked_at(step) && !step.transition.game_over)
        {
            steps.retain(is_looked_at);
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::evaluators::{Evaluator, Scores, Workspace};
    use crate::outcomes::Outcomes;
    use crate::piece::Piece;
    use std::sync::Arc;

    /// Scores placements by index; those that the evaluator skips get minus infinity.
    #[derive(Debug)]
    struct Partial(fn(&Outcomes, usize) -> bool);

    impl Evaluator for Partial {
        fn rate(&self, outcomes: &mut Outcomes, _: &mut Workspace, scores: &mut Scores) {
            for index in 0..outcomes.len() {
                scores[index] = if self.0(outcomes, index) {
                    index as f64
                } else {
                    f64::NEG_INFINITY
                };
            }
        }
    }

    fn steps(rows: &[&str], looks: fn(&Outcomes, usize) -> bool) -> Vec<SearchStep> {
        let board = Board::from_rows(4, rows.len(), rows).unwrap();
        let mut expansion = BestPlacement::new(Arc::new(Partial(looks)), GreedyOptions::default());
        expansion.expand(&DecisionContext::simple(&board, Piece::O))
    }

    #[test]
    fn placements_that_the_evaluator_skips_are_not_steps() {
        let low = ["....", "....", "....", "...."];
        assert_eq!(steps(&low, |_, _| true).len(), 3);
        let first = steps(&low, |_, index| index == 1);
        assert_eq!(first.len(), 1);
        assert_eq!(first[0].score, 1.0);
        assert_eq!(steps(&low, |_, _| false).len(), 3);
    }

    #[test]
    fn a_surviving_step_is_kept_even_if_only_losing_ones_are_considered() {
        let high = ["....", "#...", "#...", "#..."];
        let losing = |outcomes: &Outcomes, index: usize| outcomes.landing(index).game_over;
        let steps = steps(&high, losing);
        assert!(steps.iter().any(|step| step.transition.game_over));
        assert!(steps.iter().any(|step| !step.transition.game_over));
    }
}
