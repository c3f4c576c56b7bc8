//! The greedy player: the placement with the highest score, one piece at a time.

use super::analysis::{Finding, rows};
use super::{GREEDY_SETTINGS, Player, PlayerEntry, RatedPlacement, greedy_options};
use crate::choice::{BestPlacement, GreedyOptions, RatedStep};
use crate::evaluators::Evaluator;
use crate::game::GameView;
use crate::kernel::Kernel;
use crate::outcomes::DecisionContext;
use crate::placement::Placement;
use crate::ruleset::Ruleset;
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
    pub fn new(evaluator: Arc<dyn Evaluator>, options: GreedyOptions) -> Greedy {
        Greedy {
            decision: BestPlacement::new(evaluator, options),
        }
    }
}

impl Player for Greedy {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        self.decision.best(&DecisionContext::from(view)).placement
    }

    fn analyse(&mut self, view: &GameView<'_>) -> Vec<RatedPlacement> {
        let steps = self.decision.list_all(&DecisionContext::from(view));
        let mut rated: Vec<RatedStep> = steps.into_iter().map(RatedStep::alone).collect();
        RatedStep::sort(&mut rated, self.decision.options().may_lose);
        let findings = rated.iter().map(Finding::from).collect();
        rows(view, &self.decision, findings)
    }

    fn rated_choice(&mut self, view: &GameView<'_>) -> Option<RatedPlacement> {
        let choice = self.decision.best(&DecisionContext::from(view));
        Some(Finding::from(choice).chosen(&self.decision))
    }

    fn rating(&self) -> Option<&BestPlacement> {
        Some(&self.decision)
    }

    fn kernel(&self, ruleset: &Ruleset) -> Option<Kernel> {
        Kernel::new(ruleset, self.decision.evaluator(), self.decision.options())
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}
