//! The steps from one position: what every search expands.

use super::ties::order_key;
use super::{BestPlacement, GreedyOptions};
use crate::evaluators::Evaluator;
use crate::outcomes::{Question, Scored};
use crate::placement::Transition;
use std::sync::Arc;

/// A placement of the current piece, as a step of a search.
#[derive(Clone, Debug)]
pub struct SearchStep {
    /// The placement and the board after it. Where boards are scored before full rows are removed, these rows are still there.
    pub transition: Transition,
    /// What the evaluator says of the step if nothing follows it.
    pub score: f64,
    /// What the step adds to the worth of what follows ([`Evaluator::worth_of_step`]). Nothing where full rows stay on the board:
    /// they have not been counted yet.
    pub worth: f64,
    /// Lines cleared in the game after the step.
    pub lines: u64,
    /// The level of a stepped game when the next piece enters; 0 where pieces drop.
    pub level: u32,
    /// Decides ties: of several with the same worth, the step with the lowest key is taken.
    pub tie_key: [isize; 3],
}

/// Lists the steps from a position. Reused, so that little is allocated.
#[derive(Clone, Debug)]
pub struct Expansion {
    rating: BestPlacement,
}

impl Expansion {
    /// Rates steps with this evaluator.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, options: GreedyOptions) -> Expansion {
        Expansion {
            rating: BestPlacement::new(evaluator, options),
        }
    }

    /// The evaluator.
    #[must_use]
    pub fn evaluator(&self) -> &Arc<dyn Evaluator> {
        self.rating.evaluator()
    }

    /// How decisions are made, apart from the evaluator.
    #[must_use]
    pub fn options(&self) -> GreedyOptions {
        self.rating.options()
    }

    /// Replaces the list by all steps from a position, in the reference simulator's order. Placements that the evaluator does not look
    /// at are none: those that it scores with minus infinity, if it looks at one that does not end the game.
    pub fn expand(&mut self, question: &Question<'_>, steps: &mut Vec<SearchStep>) {
        steps.clear();
        let evaluator = self.rating.evaluator().clone();
        let GreedyOptions { scored, ties, .. } = self.rating.options();
        self.rating.rate_each(question, |outcomes, index, score| {
            let transition = outcomes.transition(index);
            let (worth, lines) = match scored {
                Scored::AfterRemoval => {
                    let worth = evaluator.worth_of_step(&transition);
                    (worth, u64::from(transition.lines()))
                }
                Scored::BeforeRemoval => (0.0, 0),
            };
            let tie_key = order_key(ties, question, transition.placement, index);
            let all_lines = question.lines_before + u64::from(transition.lines());
            steps.push(SearchStep {
                score,
                worth,
                lines: question.lines_before + lines,
                level: question.rules.level_after(&transition, all_lines),
                tie_key,
                transition,
            });
        });
        let is_looked_at = |step: &SearchStep| step.score > f64::NEG_INFINITY;
        if steps
            .iter()
            .any(|step| is_looked_at(step) && !step.transition.game_over)
        {
            steps.retain(is_looked_at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::evaluators::Scores;
    use crate::features::FeatureMatrix;
    use crate::outcomes::Outcomes;
    use crate::piece::Piece;

    /// Scores placements by their number; minus infinity where it does not look.
    #[derive(Debug)]
    struct Partial(fn(&Outcomes, usize) -> bool);

    impl Evaluator for Partial {
        fn rate(&self, outcomes: &mut Outcomes, _: &mut FeatureMatrix, scores: &mut Scores) {
            for index in 0..outcomes.len() {
                scores[index] = match self.0(outcomes, index) {
                    true => index as f64,
                    false => f64::NEG_INFINITY,
                };
            }
        }
    }

    fn steps(rows: &[&str], looks: fn(&Outcomes, usize) -> bool) -> Vec<SearchStep> {
        let board = Board::from_rows(4, rows.len(), rows).unwrap();
        let mut expansion = Expansion::new(Arc::new(Partial(looks)), GreedyOptions::default());
        let mut steps = Vec::new();
        expansion.expand(&Question::simple(&board, Piece::O), &mut steps);
        steps
    }

    #[test]
    fn placements_that_the_evaluator_does_not_look_at_are_no_steps() {
        let low = ["....", "....", "....", "...."];
        assert_eq!(steps(&low, |_, _| true).len(), 3);
        let first = steps(&low, |_, index| index == 1);
        assert_eq!(first.len(), 1);
        assert_eq!(first[0].score, 1.0);
        assert_eq!(steps(&low, |_, _| false).len(), 3);
    }

    #[test]
    fn a_step_that_survives_is_there_even_if_only_losing_ones_are_looked_at() {
        let high = ["....", "#...", "#...", "#..."];
        let losing = |outcomes: &Outcomes, index: usize| outcomes.landing(index).game_over;
        let steps = steps(&high, losing);
        assert!(steps.iter().any(|step| step.transition.game_over));
        assert!(steps.iter().any(|step| !step.transition.game_over));
    }
}
