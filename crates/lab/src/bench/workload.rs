//! What is timed.

use crate::library::{LibraryError, find_player};
use std::sync::Arc;
use tetrolab_core::choice::GreedyOptions;
use tetrolab_core::evaluators::{FeatureNetwork, Linear};
use tetrolab_core::features::{FeatureSet, feature_set};
use tetrolab_core::network::{Activation, Initialisation, Network};
use tetrolab_core::players::{Greedy, Player};
use tetrolab_core::rng::Rng;
use tetrolab_core::ruleset::Ruleset;

/// Something that is timed: players that decide under a ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Its name.
    pub name: &'static str,
    /// The ruleset.
    pub ruleset: &'static str,
    /// Who decides.
    pub contenders: Contenders,
    /// What is set beside what.
    pub beside: Beside,
}

/// Who decides in a workload.
#[derive(Clone, Copy, Debug)]
pub enum Contenders {
    /// One player, by name or spec.
    Player(&'static str),
    /// This many greedy players with random weights on the features of `bcts`: what a learner begins with.
    RandomWeights(usize),
    /// A greedy player with the thesis' network, 6-32-32-32-1, whose weights are drawn.
    DrawnNetwork,
}

/// What a workload sets beside what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// The general path and the kernel, on one thread.
    Paths,
    /// The arena on one thread and on several.
    Threads,
    /// Nothing: games without a kernel, on one thread.
    Nothing,
    /// Nothing: searches for all places of a piece on boards that the player has come to, on one thread.
    Searches,
    /// Nothing: steps of learning with batches of 128 samples, on one thread; each counts as a decision.
    TrainingSteps,
}

/// The usual board.
const USUAL: &str = "simplified-10x20";

/// Every workload. To add one, add its row here.
pub const WORKLOADS: &[Workload] = &[
    paths("greedy-bcts-10x20", USUAL, "bcts"),
    paths("greedy-dellacherie-10x20", USUAL, "dellacherie"),
    paths("greedy-dt-10x20", USUAL, "dt-20"),
    paths("greedy-misakamm-10x20", USUAL, "misakamm-v2"),
    paths("greedy-wary-10x20", USUAL, "wary-20"),
    Workload {
        name: "greedy-random-weights-10x20",
        ruleset: USUAL,
        contenders: Contenders::RandomWeights(20),
        beside: Beside::Paths,
    },
    paths("two-piece-bcts-10x20", "two-piece-10x20", "two-piece(bcts)"),
    paths("expectimax2-bcts-10x20", USUAL, "expectimax(bcts,depth=2)"),
    paths(
        "expectimax2-misakamm-10x20",
        USUAL,
        "expectimax(misakamm-v2,depth=2)",
    ),
    Workload {
        beside: Beside::Threads,
        ..paths("arena-bcts-10x20", USUAL, "bcts")
    },
    alone("stepped-bcts-guideline", "guideline", "bcts"),
    alone("stepped-bcts-nes", "nes", "bcts"),
    alone("stepped-bcts-tgm3", "tgm3", "bcts"),
    alone(
        "stepped-two-piece-bcts-near-perfect",
        "near-perfect-stepped",
        "two-piece(bcts)",
    ),
    searches("path-searches-super-10x22", "near-perfect-stepped"),
    searches(
        "path-searches-arika-10x20",
        "tgm3(moves=stepped(rotation=arika(kicks=tgm3),gravity=none))",
    ),
    Workload {
        name: "greedy-network-10x20",
        ruleset: USUAL,
        contenders: Contenders::DrawnNetwork,
        beside: Beside::Nothing,
    },
    Workload {
        name: "training-network-128",
        ruleset: USUAL,
        contenders: Contenders::DrawnNetwork,
        beside: Beside::TrainingSteps,
    },
];

/// A player on the general path, and beside it on the kernel.
const fn paths(name: &'static str, ruleset: &'static str, player: &'static str) -> Workload {
    Workload {
        name,
        ruleset,
        contenders: Contenders::Player(player),
        beside: Beside::Paths,
    }
}

/// A player without a kernel.
const fn alone(name: &'static str, ruleset: &'static str, player: &'static str) -> Workload {
    Workload {
        beside: Beside::Nothing,
        ..paths(name, ruleset, player)
    }
}

/// Searches for all places of a piece.
const fn searches(name: &'static str, ruleset: &'static str) -> Workload {
    Workload {
        beside: Beside::Searches,
        ..paths(name, ruleset, "bcts")
    }
}

impl Workload {
    /// The players, on a board of this width.
    pub(super) fn players(
        &self,
        ruleset: &Ruleset,
        seed: u64,
    ) -> Result<Vec<Box<dyn Player>>, LibraryError> {
        match self.contenders {
            Contenders::Player(name) => Ok(vec![find_player(name, ruleset)?]),
            Contenders::RandomWeights(count) => {
                let mut rng = Rng::new(seed);
                (0..count)
                    .map(|_| random_greedy(&mut rng, ruleset.width))
                    .collect()
            }
            Contenders::DrawnNetwork => {
                let features = FeatureSet::new(feature_set(THESIS)?.resolve(), ruleset.width);
                let network = FeatureNetwork::new(features, drawn_network(seed));
                let network = Arc::new(network.expect("one input for each feature"));
                Ok(vec![Box::new(Greedy::new(
                    network,
                    GreedyOptions::default(),
                ))])
            }
        }
    }
}

/// The features of the thesis' network.
const THESIS: &str = "thesis-6";

/// The thesis' network with drawn weights.
pub(super) fn drawn_network(seed: u64) -> Network {
    let hidden = (32, Activation::Relu);
    let layers = [hidden, hidden, hidden, (1, Activation::Linear)];
    let mut network = Network::new(6, &layers).expect("a network of bearable size");
    network.initialise(Initialisation::He, &mut Rng::new(seed));
    network
}

/// A greedy player whose weights are drawn from -1 to 1.
fn random_greedy(rng: &mut Rng, width: usize) -> Result<Box<dyn Player>, LibraryError> {
    greedy_on("bcts", width, &mut || 2.0 * rng.unit() - 1.0)
}

/// A greedy player on a named feature set with drawn weights.
pub(super) fn greedy_on(
    set: &str,
    width: usize,
    weight: &mut dyn FnMut() -> f64,
) -> Result<Box<dyn Player>, LibraryError> {
    let features = FeatureSet::new(feature_set(set)?.resolve(), width);
    let weights = (0..features.len()).map(|_| weight()).collect();
    let linear = Linear::new(features, weights).expect("finite weights, one for each feature");
    Ok(Box::new(Greedy::new(
        Arc::new(linear),
        GreedyOptions::default(),
    )))
}
