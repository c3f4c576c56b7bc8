//! The expectimax player: the placement with the best expectation over the pieces that follow. What that is worth is told in
//! [`Lookahead`].

use super::forecasts::ForecastTree;
use super::{GREEDY_SETTINGS, Player, PlayerEntry, greedy_options, leaves};
use crate::choice::{Dealing, GreedyOptions, Lookahead, SearchLimits};
use crate::evaluators::Evaluator;
use crate::game::GameView;
use crate::kernel::Kernel;
use crate::outcomes::Question;
use crate::placement::Placement;
use crate::ruleset::Ruleset;
use crate::settings::{Kind, Setting, Settings};
use std::sync::Arc;

const EVALUATOR: Setting = GREEDY_SETTINGS[0];
const LOSING: Setting = GREEDY_SETTINGS[1];
const SCORED: Setting = GREEDY_SETTINGS[2];
const TIES: Setting = GREEDY_SETTINGS[3];

const DEPTH: Setting = Setting {
    id: "depth",
    help: "how many pieces are placed, the current one included",
    default: Some("2"),
    kind: Kind::Count { least: 1, most: 6 },
};

const NODES: Setting = Setting {
    id: "nodes",
    help: "how many placements may be rated for a decision; the deepest search that is finished within them counts (0: any number)",
    default: Some("0"),
    kind: Kind::Count {
        least: 0,
        most: 1_000_000_000_000,
    },
};

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "expectimax",
    definition: "the placement with the highest expected score some pieces later; pieces that are not shown count by their probability",
    source: "Michie 1966; Wang et al. 2018",
    settings: &[EVALUATOR, DEPTH, NODES, LOSING, SCORED, TIES],
    make: |settings, context| {
        let (evaluator, options) = greedy_options(settings, context)?;
        let limits = limits(settings, usize::MAX);
        Ok(Box::new(Expectimax::new(
            context.ruleset,
            evaluator,
            options,
            limits,
        )))
    },
};

fn limits(settings: &Settings, width: usize) -> SearchLimits {
    SearchLimits {
        depth: settings.count(DEPTH.id),
        width,
        nodes: settings.count(NODES.id) as u64,
    }
}

/// Chooses the placement with the best expectation.
#[derive(Clone, Debug)]
pub struct Expectimax {
    search: Lookahead,
    /// How many pieces the ruleset shows.
    preview: usize,
}

impl Expectimax {
    /// An expectimax player under a ruleset.
    #[must_use]
    pub fn new(
        ruleset: &Ruleset,
        evaluator: Arc<dyn Evaluator>,
        options: GreedyOptions,
        limits: SearchLimits,
    ) -> Expectimax {
        let replies = leaves::replies(ruleset, evaluator, options);
        Expectimax {
            search: Lookahead::new(replies, Dealing::ByChance, limits),
            preview: ruleset.preview,
        }
    }
}

impl Player for Expectimax {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        let mut unseen = ForecastTree::new(view.forecast);
        let rated = self
            .search
            .rate(&Question::from(view), view.queue, &mut unseen);
        rated[0].step.transition.placement
    }

    fn needs_preview(&self) -> usize {
        self.preview.min(self.search.limits().depth - 1)
    }

    fn needs_forecast(&self) -> bool {
        self.search.limits().depth > self.preview + 1
    }

    fn allow_kernel(&mut self, allowed: bool) {
        self.search.allow_kernel(allowed);
    }

    fn kernel(&self, ruleset: &Ruleset) -> Option<Kernel> {
        let linear = self.search.evaluator().as_linear()?;
        let SearchLimits {
            depth,
            width,
            nodes,
        } = self.search.limits();
        if (depth, width, nodes) != (2, usize::MAX, 0) {
            return None;
        }
        match ruleset.preview {
            0 => Kernel::expectimax(ruleset, linear, self.search.options()),
            // With the next piece shown it is the two-piece player.
            _ => Kernel::two_piece(ruleset, linear, self.search.options()),
        }
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests;
