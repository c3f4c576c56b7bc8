//! The workloads that are timed.

use crate::library::{LibraryError, find_player, published};
use std::sync::Arc;
use tetrolab_core::choice::GreedyOptions;
use tetrolab_core::evaluators::{Displaced, FeatureNetwork, Linear};
use tetrolab_core::features::{Feature, FeatureSet, feature_set};
use tetrolab_core::network::{Activation, Initialisation, Network};
use tetrolab_core::players::{Greedy, Player};
use tetrolab_core::rng::Rng;
use tetrolab_core::ruleset::Ruleset;

/// Something that is timed: players that decide under a ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// The name of the workload.
    pub name: &'static str,
    /// The ruleset.
    pub ruleset: &'static str,
    /// The players.
    pub contenders: Contenders,
    /// The variants that are compared.
    pub beside: Beside,
}

/// The players of a workload.
#[derive(Clone, Copy, Debug)]
pub enum Contenders {
    /// One player, by name or spec.
    Player(&'static str),
    /// This many greedy players with random weights on the features of `bcts`, like the first
    /// generation of a learner.
    RandomWeights(usize),
    /// A greedy player on the features of several sets: with the published weights of `bcts`, and
    /// random ones for all other features.
    Union(&'static [&'static str]),
    /// A greedy player on the features of a set, with random weights, displacements and exponents.
    Displaced(&'static str),
    /// A greedy player with the thesis' network, 6-32-32-32-1, with random weights.
    DrawnNetwork,
}

/// The variants of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// The general path and the kernel, on one thread.
    Paths,
    /// The arena on one thread and on several.
    Threads,
    /// Only games without a kernel, on one thread.
    Nothing,
    /// Only searches for all placements of a piece on boards from the player's games, on one
    /// thread.
    Searches,
    /// Only training steps with batches of 128 samples, on one thread; each step counts as a
    /// decision.
    TrainingSteps,
}

/// The standard board.
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
        contenders: Contenders::Union(&["bcts", "dt", "misakamm"]),
        ..paths("greedy-union-10x20", USUAL, "")
    },
    paths("greedy-thesis-6", "thesis", "thesis-6"),
    paths(
        "greedy-near-perfect",
        "near-perfect",
        "greedy(near-perfect,scored=before)",
    ),
    paths("two-piece-near-perfect", "near-perfect", "near-perfect"),
    Workload {
        contenders: Contenders::Displaced("bohm-12"),
        ..paths("greedy-bohm-12-displaced", USUAL, "")
    },
    paths(
        "greedy-bcts-bag-10x20",
        "simplified-10x20(randomizer=bag)",
        "bcts",
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

/// A player on the general path and with the kernel.
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

/// Searches for all placements of a piece.
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
            Contenders::Union(sets) => Ok(vec![union_of(sets, ruleset.width, seed)?]),
            Contenders::Displaced(set) => Ok(vec![displaced_on(set, ruleset.width, seed)?]),
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

/// The thesis' network with random weights.
pub(super) fn drawn_network(seed: u64) -> Network {
    let hidden = (32, Activation::Relu);
    let layers = [hidden, hidden, hidden, (1, Activation::Linear)];
    let mut network = Network::new(6, &layers).expect("a network of a valid size");
    network.initialise(Initialisation::He, &mut Rng::new(seed));
    network
}

/// A greedy player on the features of several sets.
fn union_of(sets: &[&str], width: usize, seed: u64) -> Result<Box<dyn Player>, LibraryError> {
    let mut features: Vec<&'static Feature> = Vec::new();
    for set in sets {
        for feature in feature_set(set)?.resolve() {
            if features.iter().all(|other| other.id != feature.id) {
                features.push(feature);
            }
        }
    }
    let bcts = published("bcts").expect("it is shipped");
    let known: Vec<(String, f64)> = (bcts.weights())
        .map(|(id, weights)| (id.to_owned(), weights[0]))
        .collect();
    let mut rng = Rng::new(seed);
    let weights = features.iter().map(|feature| {
        let known = known.iter().find(|known| known.0 == feature.id);
        known.map_or_else(|| 0.2 * rng.unit() - 0.1, |known| known.1)
    });
    let weights = weights.collect();
    let features = FeatureSet::new(features, width);
    let linear = Linear::new(features, weights).expect("finite weights, one for each feature");
    Ok(Box::new(Greedy::new(
        Arc::new(linear),
        GreedyOptions::default(),
    )))
}

/// A greedy player with the displaced evaluator and random parameters.
fn displaced_on(set: &str, width: usize, seed: u64) -> Result<Box<dyn Player>, LibraryError> {
    let features = FeatureSet::new(feature_set(set)?.resolve(), width);
    let mut rng = Rng::new(seed);
    let mut draw = |from: f64, to: f64| -> Vec<f64> {
        (0..features.len())
            .map(|_| from + (to - from) * rng.unit())
            .collect()
    };
    let (weights, displacements, exponents) = (draw(-1.0, 0.0), draw(0.0, 2.0), draw(0.5, 1.5));
    let displaced = Displaced::new(features, &weights, &displacements, &exponents)
        .expect("finite numbers, one for each feature");
    Ok(Box::new(Greedy::new(
        Arc::new(displaced),
        GreedyOptions::default(),
    )))
}

/// A greedy player with random weights from -1 to 1.
fn random_greedy(rng: &mut Rng, width: usize) -> Result<Box<dyn Player>, LibraryError> {
    let options = GreedyOptions::default();
    greedy_on("bcts", width, options, &mut || 2.0 * rng.unit() - 1.0)
}

/// A greedy player on a named feature set with random weights.
pub(super) fn greedy_on(
    set: &str,
    width: usize,
    options: GreedyOptions,
    weight: &mut dyn FnMut() -> f64,
) -> Result<Box<dyn Player>, LibraryError> {
    let features = FeatureSet::new(feature_set(set)?.resolve(), width);
    let weights = (0..features.len()).map(|_| weight()).collect();
    let linear = Linear::new(features, weights).expect("finite weights, one for each feature");
    Ok(Box::new(Greedy::new(Arc::new(linear), options)))
}
