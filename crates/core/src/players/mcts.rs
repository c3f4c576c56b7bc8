//! Monte Carlo tree search on placements: UCT (Kocsis and Szepesvári 2006) with chance nodes for
//! the pieces that are not shown.
//!
//! A node is a board with the piece to place; an edge is a placement, after which the next piece is
//! random. A simulation descends the tree: UCB1 selects the placements and the forecast draws the
//! pieces, until the line has `depth` pieces. The last piece is not drawn: the greedy replies to
//! all possible pieces are found in one call. The value of the line is the mean of their scores,
//! weighted with the pieces' probabilities, plus the values of the steps along the way. All lines
//! have the same length because every step contributes a value: longer lines would look worse, or
//! better, just because of their length.
//!
//! It differs from the paper in four ways:
//! - Placements are tried in the order of their scores, and a node visited n times considers
//!   only the first 2 sqrt(n) of them (progressive widening; Chaslot et al. 2008): most placements
//!   are never worth a simulation.
//! - The value of a node is that of its best placement, and the value of a placement is the mean
//!   over the pieces, weighted with their probabilities, not the mean over all simulations through
//!   it (Keller and Helmert 2013), so trying a bad placement does not harm the good ones. For a
//!   piece that has not been drawn yet, the value of the greedy reply is corrected by the mean
//!   difference between the deeper and the greedy values of the other pieces.
//! - The n-th visit of every edge uses the same random number, so that placements are compared on
//!   the same pieces.
//! - Values have no fixed range. For UCB1, they are scaled by the lowest and the highest line of
//!   the decision, and a lost game is as far below the lowest as the lowest is below the highest.
//!
//! The budget is the number of simulations; with more simulations, the choice approaches that of a
//! full search to the same depth. The placement with the most visits is chosen. A tree of 400
//! megabytes (about 100,000 boards) stops growing, and the remaining simulations are skipped.

mod tree;

use super::analysis::{Finding, rows};
use super::{EVALUATOR, LOSING, Player, PlayerEntry, RatedPlacement, TIES, options_after_removal};
use crate::choice::{BestPlacement, GreedyOptions, Replies};
use crate::evaluators::Evaluator;
use crate::game::GameView;
use crate::kernel::replies;
use crate::placement::Placement;
use crate::rng::{Rng, decision_seed};
use crate::ruleset::Ruleset;
use crate::settings::{Kind, Setting};
use crate::stop::StopFlag;
use std::sync::Arc;
use tree::Tree;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "mcts",
    definition: "the placement visited most often by a Monte Carlo tree search with upper confidence bounds (UCT)",
    source: "Kocsis and Szepesvári 2006; Naing, Truong and Zeng 2016",
    settings: &[EVALUATOR, LOSING, TIES, SIMULATIONS, DEPTH, EXPLORATION],
    make: |settings, context| {
        let (evaluator, options) = options_after_removal(settings, context)?;
        let size = (settings.count(SIMULATIONS.id), settings.count(DEPTH.id));
        let exploration = settings.number(EXPLORATION.id);
        Ok(Box::new(Mcts::new(
            context.ruleset,
            evaluator,
            options,
            size,
            exploration,
        )))
    },
};

const SIMULATIONS: Setting = Setting {
    id: "simulations",
    help: "number of simulations per decision; fewer if the tree reaches 400 megabytes",
    default: Some("100"),
    kind: Kind::count(1, 10_000_000),
};

const DEPTH: Setting = Setting {
    id: "depth",
    help: "number of pieces in a line, including the current one and the greedy reply",
    default: Some("3"),
    kind: Kind::count(2, 100),
};

const EXPLORATION: Setting = Setting {
    id: "exploration",
    help: "exploration constant of UCB1, for values from 0 to 1",
    default: Some("1"),
    kind: Kind::number(0.0, 100.0),
};

/// Chooses by Monte Carlo tree search.
#[derive(Clone, Debug)]
pub struct Mcts {
    expansion: BestPlacement,
    replies: Box<dyn Replies>,
    simulations: usize,
    depth: usize,
    exploration: f64,
    preview: usize,
    seed: u64,
    stop: StopFlag,
}

impl Mcts {
    /// A player that makes this many simulations per decision, with this exploration constant.
    pub fn new(
        ruleset: &Ruleset,
        evaluator: Arc<dyn Evaluator>,
        options: GreedyOptions,
        (simulations, depth): (usize, usize),
        exploration: f64,
    ) -> Mcts {
        Mcts {
            expansion: BestPlacement::new(evaluator.clone(), options),
            replies: replies(ruleset, evaluator, options),
            simulations,
            depth,
            exploration,
            preview: ruleset.preview,
            seed: 0,
            stop: StopFlag::default(),
        }
    }

    /// Builds the tree of a decision.
    fn search<'a>(&'a mut self, view: &'a GameView<'a>) -> Tree<'a> {
        let rng = Rng::new(decision_seed(self.seed, view.pieces));
        let mut tree = Tree::new(
            view,
            &mut self.expansion,
            &mut *self.replies,
            (rng, self.depth),
        );
        tree.grow(self.simulations, self.exploration, &self.stop);
        tree
    }
}

impl Player for Mcts {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        self.search(view).ranked()[0].step.placement
    }

    /// Placements that no simulation has tried come last.
    fn analyse(&mut self, view: &GameView<'_>) -> Vec<RatedPlacement> {
        let tree = self.search(view);
        let findings = tree.ranked().into_iter().map(|edge| Finding {
            line: tree.line(edge),
            ..tree.finding(edge)
        });
        let findings = findings.collect();
        rows(view, &self.expansion, findings)
    }

    fn rated_choice(&mut self, view: &GameView<'_>) -> Option<RatedPlacement> {
        let tree = self.search(view);
        let best = tree.finding(tree.ranked()[0]);
        Some(best.chosen(&self.expansion))
    }

    fn rating(&self) -> Option<&BestPlacement> {
        Some(&self.expansion)
    }

    fn start(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn needs_preview(&self) -> usize {
        self.preview
    }

    fn needs_forecast(&self) -> bool {
        true
    }

    fn heed(&mut self, stop: &StopFlag) {
        self.stop = stop.clone();
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests;
