//! The two-piece player: the best pair of placements of the current and the next piece. What a pair is worth is told in
//! [`BestPair`].

use super::analysis::{rated_pair, rated_pairs};
use super::{GREEDY_SETTINGS, Player, PlayerEntry, RatedPlacement, greedy_options};
use crate::choice::{BestPair, GreedyOptions};
use crate::evaluators::Evaluator;
use crate::game::GameView;
use crate::kernel::Kernel;
use crate::outcomes::{Question, Scored};
use crate::placement::Placement;
use crate::ruleset::Ruleset;
use std::sync::Arc;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "two-piece",
    definition: "the first placement of the pair, of this piece and the next, with the highest score",
    source: "Böhm, Kókai and Mandl 2005; strategies, the full two-step; Lee 2013",
    settings: GREEDY_SETTINGS,
    make: |settings, context| {
        let (evaluator, options) = greedy_options(settings, context)?;
        Ok(Box::new(TwoPiece::new(evaluator, options)))
    },
};

/// Chooses the first placement of the best pair.
#[derive(Clone, Debug)]
pub struct TwoPiece {
    decision: BestPair,
}

impl TwoPiece {
    /// A two-piece player with this evaluator.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, options: GreedyOptions) -> TwoPiece {
        TwoPiece {
            decision: BestPair::new(evaluator, options),
        }
    }
}

impl Player for TwoPiece {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        let after_next = view.queue.get(1).copied();
        self.decision.best(&Question::from(view), after_next)
    }

    fn rated_choice(&mut self, view: &GameView<'_>) -> Option<RatedPlacement> {
        let after_next = view.queue.get(1).copied();
        let question = Question::from(view);
        let best = self.decision.best_of(&question, after_next, |_| ());
        // If the best pair begins with the end of the game, all do.
        Some(rated_pair(&self.decision, &best, true))
    }

    fn analyse(&mut self, view: &GameView<'_>) -> Vec<RatedPlacement> {
        let after_next = view.queue.get(1).copied();
        let pairs = self
            .decision
            .ranked(&Question::from(view), after_next, |_| ());
        rated_pairs(view, &self.decision, pairs)
    }

    fn evaluator(&self) -> Option<&Arc<dyn Evaluator>> {
        Some(self.decision.evaluator())
    }

    fn scored(&self) -> Scored {
        self.decision.options().scored
    }

    fn needs_preview(&self) -> usize {
        1
    }

    fn kernel(&self, ruleset: &Ruleset) -> Option<Kernel> {
        Kernel::two_piece(ruleset, self.decision.evaluator(), self.decision.options())
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests;
