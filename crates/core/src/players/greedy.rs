//! The greedy player: the placement with the highest score, one piece at a time.

use super::{GREEDY_SETTINGS, Player, PlayerEntry, RatedPlacement, greedy_options};
use crate::choice::{BestPlacement, GreedyOptions, order_key};
use crate::evaluators::{Evaluator, Score};
use crate::game::GameView;
use crate::kernel::Kernel;
use crate::outcomes::{Question, Scored};
use crate::placement::Placement;
use crate::ruleset::Ruleset;
use std::cmp::Ordering;
use std::sync::Arc;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "greedy",
    definition: "the placement with the highest score, one piece at a time",
    source: "Tsitsiklis and Van Roy 1996; Dellacherie 2003; MDPTetris",
    settings: GREEDY_SETTINGS,
    make: |settings, context| {
        let (evaluator, options) = greedy_options(settings, context)?;
        Ok(Box::new(Greedy::new(evaluator, options)))
    },
};

/// Chooses the placement with the highest score.
#[derive(Clone, Debug)]
pub struct Greedy {
    decision: BestPlacement,
}

impl Greedy {
    /// A greedy player with this evaluator.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, options: GreedyOptions) -> Greedy {
        Greedy {
            decision: BestPlacement::new(evaluator, options),
        }
    }
}

impl Player for Greedy {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        self.decision.best(&Question::from(view)).placement
    }

    fn analyse(&mut self, view: &GameView<'_>) -> Vec<RatedPlacement> {
        rated_placements(&mut self.decision, view)
    }

    fn rated_choice(&mut self, view: &GameView<'_>) -> Option<RatedPlacement> {
        let choice = self.decision.best(&Question::from(view));
        Some(RatedPlacement {
            placement: choice.placement,
            score: choice.score * self.decision.evaluator().unit(),
            survival: if choice.game_over { 0.0 } else { 1.0 },
            line: Vec::new(),
        })
    }

    fn evaluator(&self) -> Option<&Arc<dyn Evaluator>> {
        Some(self.decision.evaluator())
    }

    fn scored(&self) -> Scored {
        self.decision.options().scored
    }

    fn kernel(&self, ruleset: &Ruleset) -> Option<Kernel> {
        Kernel::new(
            ruleset,
            &**self.decision.evaluator(),
            self.decision.options(),
        )
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}

/// What a decision by a single piece thinks of all placements, best first.
pub(super) fn rated_placements(
    decision: &mut BestPlacement,
    view: &GameView<'_>,
) -> Vec<RatedPlacement> {
    let options = decision.options();
    let unit = decision.evaluator().unit();
    let mut rated: Vec<([isize; 3], RatedPlacement)> = Vec::new();
    let question = Question::from(view);
    decision.rate_each(&question, |outcomes, index, score| {
        let landing = outcomes.landing(index);
        let placement = RatedPlacement {
            placement: landing.placement(),
            score: score * unit,
            survival: if landing.game_over { 0.0 } else { 1.0 },
            line: Vec::new(),
        };
        let key = order_key(options.ties, &question, placement.placement, index);
        rated.push((key, placement));
    });
    let all_end = rated.iter().all(|(_, rated)| rated.survival == 0.0);
    if !all_end && !options.may_lose {
        let ending = rated.iter_mut().filter(|(_, rated)| rated.survival == 0.0);
        ending.for_each(|(_, rated)| rated.score = Score::NEG_INFINITY);
    }
    rated.sort_by(|a, b| {
        // Not `total_cmp`, to which -0 and 0 differ; scores are never NaN.
        let score = b.1.score.partial_cmp(&a.1.score);
        score.unwrap_or(Ordering::Equal).then(a.0.cmp(&b.0))
    });
    rated.into_iter().map(|(_, rated)| rated).collect()
}
