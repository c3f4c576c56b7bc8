//! The parameters of the thesis' network, searched by a swarm and by CMA-ES.

use super::super::{Definition, ExperimentArm, ExperimentEntry, ExperimentSize, Quantity, Stage};
use crate::learning::{Budget, Learning};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "network-search",
    definition: "the 2,369 parameters of the thesis' network, searched by a swarm and by CMA-ES",
    source: "Langenhoven, van Heerden and Engelbrecht 2010; Ros and Hansen 2008",
    settings: &[],
    make: definition,
};

/// The arms with their learners.
const ARMS: [(&str, &str); 3] = [
    ("network-swarm", "network-swarm"),
    ("network-cma-es", "network-cma-es"),
    (
        "network-cma-es-low-rank",
        "network-cma-es(covariance=low-rank)",
    ),
];

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "Which optimiser improves the parameters of a network most?".to_owned(),
        open: vec!["The paper's network, features, swarm and games are not known.".to_owned()],
        deviations: vec![
            "One training seed, and fitness in training games alone: only large differences mean \
             anything."
                .to_owned(),
        ],
        cost: size.pick("seconds", "a minute on two cores").to_owned(),
        further: vec![Quantity::Training, Quantity::TrainingSeconds],
        ..Definition::default()
    };
    for (id, learner) in ARMS {
        let learning = Learning {
            learner: learner.to_owned(),
            ruleset: "simplified-10x10".to_owned(),
            features: "thesis-6".to_owned(),
            evaluator: "network".to_owned(),
            objective: "pieces".to_owned(),
            games: size.pick(5, 10),
            max_pieces: Some(2000),
            budget: Budget::generations(size.pick(20, 100)),
            seed: size.seed,
            ..Learning::default()
        };
        let stage = Stage::learn(id, learning);
        definition.arms.push(ExperimentArm {
            id: id.to_owned(),
            learned: vec![stage.id.clone()],
            ..ExperimentArm::default()
        });
        definition.stages.push(stage);
    }
    definition
}
