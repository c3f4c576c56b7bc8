//! Monte Carlo tree search on placements: UCT (Kocsis and Szepesvári 2006) with chance nodes for the pieces that are not shown.
//!
//! A node is a board with the piece to place; an edge is a placement, after which chance deals the next piece. A simulation goes down
//! the tree: UCB1 selects the placements, the forecast draws the pieces, until the line has `depth` pieces. The last of them is not
//! drawn: the greedy replies to all pieces that may come are found in one call, and the mean of their scores by the pieces'
//! probabilities, with the worth of the steps on the way, is the value of the line. All lines have the same length because
//! every step has a worth of its own: longer lines would look worse, or better, for being longer.
//!
//! Four things differ from the paper:
//! - Placements are tried in the order of their own scores, and a node visited n times considers only the first 2 sqrt(n) of them
//!   (progressive widening; Chaslot et al. 2008): most placements are never worth a simulation.
//! - A node is worth what its best placement is worth, and a placement the mean over the pieces by their probabilities, not the
//!   mean over all simulations that came by (Keller and Helmert 2013): trying a bad placement does not harm the good ones.
//!   For a piece that was not drawn yet, the greedy reply is corrected by what looking deeper changed for the others.
//! - The n-th visit of every edge draws with the same random number, so that placements are compared on the same pieces.
//! - Values have no fixed range. UCB1 sees them scaled by the lowest and the highest line of the decision, and a lost game
//!   is as far below the lowest as that is below the highest.
//!
//! The budget is the number of simulations; the more there are, the nearer is the choice to that of a full search to the same depth. The
//! choice is the placement with the most visits. A tree of 400 megabytes (some 100,000 boards) grows no more: the simulations that are left are not made.

mod tree;
mod value;

use super::analysis::in_game;
use super::leaves::replies;
use super::{EVALUATOR, LOSING, Player, PlayerEntry, RatedPlacement, TIES, options_after_removal};
use crate::choice::{Expansion, GreedyOptions, Replies};
use crate::evaluators::{Evaluator, Score};
use crate::game::GameView;
use crate::outcomes::Scored;
use crate::placement::Placement;
use crate::rng::{Rng, decision_seed};
use crate::ruleset::Ruleset;
use crate::settings::{Kind, Setting};
use crate::stop::StopFlag;
use std::sync::Arc;
use tree::{Edge, Tree};

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
    help: "how many lines are played in a decision; fewer when the tree has grown to 400 megabytes",
    default: Some("100"),
    kind: Kind::Count {
        least: 1,
        most: 10_000_000,
    },
};

const DEPTH: Setting = Setting {
    id: "depth",
    help: "how many pieces a line has, the current one and the greedy reply included",
    default: Some("3"),
    kind: Kind::Count {
        least: 2,
        most: 100,
    },
};

const EXPLORATION: Setting = Setting {
    id: "exploration",
    help: "how much placements that were tried less often are preferred (the constant of UCB1, for values from 0 to 1)",
    default: Some("1"),
    kind: Kind::Number {
        least: 0.0,
        most: 100.0,
    },
};

/// Chooses by Monte Carlo tree search.
#[derive(Clone, Debug)]
pub struct Mcts {
    expansion: Expansion,
    replies: Box<dyn Replies>,
    simulations: usize,
    depth: usize,
    exploration: f64,
    preview: usize,
    seed: u64,
    stop: StopFlag,
}

impl Mcts {
    /// A player that makes so many simulations for each decision, with this constant of exploration.
    #[must_use]
    pub fn new(
        ruleset: &Ruleset,
        evaluator: Arc<dyn Evaluator>,
        options: GreedyOptions,
        (simulations, depth): (usize, usize),
        exploration: f64,
    ) -> Mcts {
        Mcts {
            expansion: Expansion::new(evaluator.clone(), options),
            replies: replies(ruleset, evaluator, options),
            simulations,
            depth,
            exploration,
            preview: ruleset.preview,
            seed: 0,
            stop: StopFlag::default(),
        }
    }

    /// The tree of a decision.
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

/// The row of a placement without its line.
fn rated_edge(edge: &Edge, all_end: bool, unit: f64) -> RatedPlacement {
    RatedPlacement {
        placement: edge.step.placement,
        score: match edge.score() {
            Some(score) => score * unit,
            None if all_end => edge.step.score * unit,
            None => Score::NEG_INFINITY,
        },
        survival: edge.survival(),
        line: Vec::new(),
    }
}

impl Player for Mcts {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        self.search(view).ranked()[0].step.placement
    }

    /// Placements that no simulation has tried come last.
    fn analyse(&mut self, view: &GameView<'_>) -> Vec<RatedPlacement> {
        let unit = self.expansion.evaluator().unit();
        let tree = self.search(view);
        let ranked = tree.ranked();
        let all_end = ranked.iter().all(|edge| edge.step.game_over);
        let row = |edge: &Edge| {
            let row = rated_edge(edge, all_end, unit);
            let line = in_game(view, Scored::AfterRemoval, row.placement, &tree.line(edge));
            RatedPlacement { line, ..row }
        };
        ranked.into_iter().map(row).collect()
    }

    fn rated_choice(&mut self, view: &GameView<'_>) -> Option<RatedPlacement> {
        let unit = self.expansion.evaluator().unit();
        let tree = self.search(view);
        // If the best placement ends the game, all do.
        Some(rated_edge(tree.ranked()[0], true, unit))
    }

    fn evaluator(&self) -> Option<&Arc<dyn Evaluator>> {
        Some(self.expansion.evaluator())
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
