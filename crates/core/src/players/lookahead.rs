//! A player that searches several pieces ahead. Two-piece, accelerated, expectimax and minimax are
//! configurations of it. The value of a placement is defined in [`Lookahead`].

use super::accelerated::Shortlist;
use super::analysis::{Finding, rows};
use super::forecasts::ForecastTree;
use super::{Player, PlayerContext, RatedPlacement, greedy_options};
use crate::choice::{
    BestPlacement, Dealing, GreedyOptions, Lookahead, RatedStep, Replies, SearchLimits, SearchNode,
    SearchRules, SearchStep,
};
use crate::evaluators::{Evaluator, Score};
use crate::game::GameView;
use crate::kernel::{Kernel, replies};
use crate::outcomes::DecisionContext;
use crate::placement::Placement;
use crate::ruleset::Ruleset;
use crate::settings::{Kind, Setting, Settings};
use crate::spec::SpecError;
use crate::stop::StopFlag;
use std::sync::Arc;

/// The depth of the look-ahead.
pub(super) const DEPTH: Setting = Setting {
    id: "depth",
    help: "number of pieces placed, including the current one",
    default: Some("2"),
    kind: Kind::count(1, 6),
};

/// A trillion, or the maximum on a 32-bit machine.
const MOST_NODES: usize = {
    let most = 1_000_000_000_000_u64;
    if most < usize::MAX as u64 {
        most as usize
    } else {
        usize::MAX
    }
};

/// The limits of the search.
pub(super) const NODES: Setting = Setting {
    id: "nodes",
    help: "limit on the rated placements of a decision; the deepest completed search is used (0: no limit)",
    default: Some("0"),
    kind: Kind::count(0, MOST_NODES),
};

/// Whether the hold is used after the first piece.
pub(super) const HOLD: Setting = Setting {
    id: "hold",
    help: "whether later pieces may also be swapped with the held one, if the ruleset has a hold; the current piece always can",
    default: Some("false"),
    kind: Kind::Flag,
};

/// Creates the player with these settings.
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

/// Chooses the placement with the highest value after several pieces.
#[derive(Clone, Debug)]
pub struct LookaheadPlayer {
    search: Lookahead,
    /// Number of pieces after the current one that the player sees.
    preview: usize,
    /// Whether later pieces may be swapped with the held one.
    holds: bool,
    /// The placements of the current piece that are searched; `None` for all.
    shortlist: Option<Shortlist>,
}

impl LookaheadPlayer {
    /// A player under a ruleset, with this assumption about hidden pieces.
    pub fn new(
        ruleset: &Ruleset,
        evaluator: Arc<dyn Evaluator>,
        options: GreedyOptions,
        dealing: Dealing,
        limits: SearchLimits,
    ) -> LookaheadPlayer {
        let search = Lookahead::new(replies(ruleset, evaluator, options), dealing, limits);
        LookaheadPlayer::with_search(search, ruleset.preview)
    }

    fn with_search(search: Lookahead, preview: usize) -> LookaheadPlayer {
        LookaheadPlayer {
            search,
            preview,
            holds: false,
            shortlist: None,
        }
    }

    /// The player that places the current piece and the next one, which must be visible.
    pub fn two_piece(
        ruleset: &Ruleset,
        evaluator: Arc<dyn Evaluator>,
        options: GreedyOptions,
    ) -> LookaheadPlayer {
        LookaheadPlayer::two_piece_with(replies(ruleset, evaluator, options))
    }

    /// Like [`Self::two_piece`], with these replies.
    pub(crate) fn two_piece_with(replies: Box<dyn Replies>) -> LookaheadPlayer {
        let search = Lookahead::new(replies, Dealing::ByChance, SearchLimits::exact(2));
        LookaheadPlayer::with_search(search, 1)
    }

    /// The same player, restricted to the `n` placements of a piece that were previously the best
    /// replies.
    #[must_use]
    pub fn with_shortlist(self, n: usize) -> LookaheadPlayer {
        LookaheadPlayer {
            shortlist: Some(Shortlist::new(n, self.search.expansion().options())),
            ..self
        }
    }

    /// Sets the position before a search.
    fn prepare(&mut self, view: &GameView<'_>) {
        if self.holds {
            self.search.set_hold(view.hold);
        }
        if let Some(shortlist) = &mut self.shortlist {
            shortlist.recall(view.pieces);
        }
    }

    fn best(&mut self, view: &GameView<'_>) -> RatedStep {
        self.prepare(view);
        let mut unseen = ForecastTree::new(view.forecast);
        let narrow = |steps: &mut Vec<SearchStep>| {
            if let Some(shortlist) = &self.shortlist {
                shortlist.narrow(view.pieces, steps);
            }
        };
        self.search.best(
            &DecisionContext::from(view),
            view.queue,
            &mut unseen,
            &narrow,
        )
    }

    /// The rows of the placements that are considered with this shortlist.
    fn rows(&mut self, view: &GameView<'_>, shortlist: Option<&Shortlist>) -> Vec<RatedPlacement> {
        let mut unseen = ForecastTree::new(view.forecast);
        let narrow = |steps: &mut Vec<SearchStep>| {
            if let Some(shortlist) = shortlist {
                shortlist.narrow(view.pieces, steps);
            }
        };
        let explained = self.search.explain(
            &DecisionContext::from(view),
            view.queue,
            &mut unseen,
            &narrow,
        );
        let findings = explained.into_iter().map(|(rated, line)| Finding {
            line,
            ..Finding::from(&rated)
        });
        rows(view, self.search.expansion(), findings.collect())
    }

    /// Stores the best replies of the next piece to the chosen step, if the player has a shortlist.
    fn remember(&mut self, view: &GameView<'_>, chosen: &SearchStep) {
        let shortlist = self.shortlist.as_mut().filter(|list| list.has_memory());
        let (Some(shortlist), Some(&piece)) = (shortlist, view.queue.first()) else {
            return;
        };
        if chosen.transition.game_over {
            return;
        }
        let node = SearchNode::after(chosen);
        let mut rules = SearchRules::new(view.rules);
        let decision = rules.decision(&node, piece, view.queue.get(1).copied());
        let replies = self.search.expand(&decision);
        shortlist.remember(view.pieces + 1, replies);
    }
}

impl Player for LookaheadPlayer {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        let best = self.best(view);
        self.remember(view, &best.step);
        best.step.transition.placement
    }

    fn rated_choice(&mut self, view: &GameView<'_>) -> Option<RatedPlacement> {
        let best = self.best(view);
        Some(Finding::from(&best).chosen(self.search.expansion()))
    }

    /// Placements that are not on the shortlist come last.
    fn analyse(&mut self, view: &GameView<'_>) -> Vec<RatedPlacement> {
        self.prepare(view);
        let shortlist = self.shortlist.clone();
        let mut rows = self.rows(view, shortlist.as_ref());
        if shortlist.is_some() {
            let known: Vec<Placement> = rows.iter().map(|row| row.placement).collect();
            let mut others = self.rows(view, None);
            others.retain(|row| !known.contains(&row.placement));
            rows.extend(others.into_iter().map(|row| RatedPlacement {
                score: Score::NEG_INFINITY,
                ..row
            }));
        }
        rows
    }

    fn rating(&self) -> Option<&BestPlacement> {
        Some(self.search.expansion())
    }

    fn start(&mut self, _seed: u64) {
        if let Some(shortlist) = &mut self.shortlist {
            shortlist.forget();
        }
    }

    fn has_memory(&self) -> bool {
        self.shortlist.as_ref().is_some_and(Shortlist::has_memory)
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
        if self.shortlist.is_some() || self.search.limits() != SearchLimits::exact(2) {
            return None;
        }
        let expansion = self.search.expansion();
        let (evaluator, options) = (expansion.evaluator(), expansion.options());
        match (self.preview.max(ruleset.preview), self.search.dealing()) {
            (0, Dealing::ByChance) => Kernel::expectimax(ruleset, evaluator, options),
            (0, Dealing::ByOpponent) => None,
            // If the next piece is visible, both are the two-piece player.
            _ => Kernel::two_piece(ruleset, evaluator, options),
        }
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests;
