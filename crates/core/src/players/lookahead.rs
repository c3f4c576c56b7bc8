//! What expectimax and minimax share: a player that searches a number of pieces ahead. What a placement is worth to it is told in
//! [`Lookahead`].

use super::analysis::{rated_step, rated_steps};
use super::forecasts::ForecastTree;
use super::{Player, PlayerContext, RatedPlacement, greedy_options, leaves};
use crate::choice::{Dealing, GreedyOptions, Lookahead, RatedStep, SearchLimits};
use crate::evaluators::Evaluator;
use crate::game::GameView;
use crate::kernel::Kernel;
use crate::outcomes::{Question, Scored};
use crate::placement::Placement;
use crate::ruleset::Ruleset;
use crate::settings::{Kind, Setting, Settings};
use crate::spec::SpecError;
use crate::stop::StopFlag;
use std::sync::Arc;

/// How far the player looks.
pub(super) const DEPTH: Setting = Setting {
    id: "depth",
    help: "how many pieces are placed, the current one included",
    default: Some("2"),
    kind: Kind::Count { least: 1, most: 6 },
};

/// A trillion, or as many as a 32-bit machine can count.
const MOST_NODES: usize = {
    let most = 1_000_000_000_000_u64;
    if most < usize::MAX as u64 {
        most as usize
    } else {
        usize::MAX
    }
};

/// How much it may look at.
pub(super) const NODES: Setting = Setting {
    id: "nodes",
    help: "how many placements may be rated for a decision; the deepest search that is finished within them counts (0: any number)",
    default: Some("0"),
    kind: Kind::Count {
        least: 0,
        most: MOST_NODES,
    },
};

/// Whether the hold is used after the first piece.
pub(super) const HOLD: Setting = Setting {
    id: "hold",
    help: "whether later pieces may be swapped with the held one too, where a ruleset has a hold; the current piece always may",
    default: Some("false"),
    kind: Kind::Flag,
};

/// The player that settings ask for.
pub(super) fn make(
    settings: &Settings,
    context: &PlayerContext<'_>,
    dealing: Dealing,
    width: usize,
) -> Result<Box<dyn Player>, SpecError> {
    let (evaluator, options) = greedy_options(settings, context)?;
    let limits = SearchLimits {
        depth: settings.count(DEPTH.id),
        width,
        nodes: settings.count(NODES.id) as u64,
    };
    let mut player = LookaheadPlayer::new(context.ruleset, evaluator, options, dealing, limits);
    player.holds = settings.flag(HOLD.id);
    Ok(Box::new(player))
}

/// Chooses the placement that is worth most some pieces later.
#[derive(Clone, Debug)]
pub struct LookaheadPlayer {
    search: Lookahead,
    dealing: Dealing,
    /// How many pieces the ruleset shows.
    preview: usize,
    /// Whether later pieces may be swapped with the held one.
    holds: bool,
}

impl LookaheadPlayer {
    /// A player under a ruleset that thinks that pieces which are not shown are dealt like this.
    #[must_use]
    pub fn new(
        ruleset: &Ruleset,
        evaluator: Arc<dyn Evaluator>,
        options: GreedyOptions,
        dealing: Dealing,
        limits: SearchLimits,
    ) -> LookaheadPlayer {
        let replies = leaves::replies(ruleset, evaluator, options);
        LookaheadPlayer {
            search: Lookahead::new(replies, dealing, limits),
            dealing,
            preview: ruleset.preview,
            holds: false,
        }
    }
}

impl LookaheadPlayer {
    fn use_hold(&mut self, view: &GameView<'_>) {
        if self.holds {
            self.search.set_hold(view.hold);
        }
    }

    fn best(&mut self, view: &GameView<'_>) -> RatedStep {
        let mut unseen = ForecastTree::new(view.forecast);
        let question = Question::from(view);
        self.use_hold(view);
        self.search.best(&question, view.queue, &mut unseen)
    }
}

impl Player for LookaheadPlayer {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        self.best(view).step.transition.placement
    }

    fn rated_choice(&mut self, view: &GameView<'_>) -> Option<RatedPlacement> {
        let best = self.best(view);
        // If the best step ends the game, all do.
        Some(rated_step(&self.search, &best, true))
    }

    fn analyse(&mut self, view: &GameView<'_>) -> Vec<RatedPlacement> {
        let mut unseen = ForecastTree::new(view.forecast);
        let question = Question::from(view);
        self.use_hold(view);
        let explained = self.search.explain(&question, view.queue, &mut unseen);
        rated_steps(view, &self.search, explained)
    }

    fn evaluator(&self) -> Option<&Arc<dyn Evaluator>> {
        Some(self.search.evaluator())
    }

    fn scored(&self) -> Scored {
        self.search.options().scored
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

    fn heed(&mut self, stop: &StopFlag) {
        self.search.heed(stop);
    }

    fn kernel(&self, ruleset: &Ruleset) -> Option<Kernel> {
        let evaluator = self.search.evaluator();
        let SearchLimits {
            depth,
            width,
            nodes,
        } = self.search.limits();
        if (depth, width, nodes) != (2, usize::MAX, 0) {
            return None;
        }
        match (ruleset.preview, self.dealing) {
            (0, Dealing::ByChance) => Kernel::expectimax(ruleset, evaluator, self.search.options()),
            (0, Dealing::ByOpponent) => None,
            // With the next piece shown it is the two-piece player.
            _ => Kernel::two_piece(ruleset, evaluator, self.search.options()),
        }
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests;
