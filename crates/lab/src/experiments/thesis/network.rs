//! The network with the thesis' variant of Q-learning, whose results are empty in the thesis.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentSize, ResultUnit, Stage, TestedPlayer,
};
use super::{ThesisGame, test};
use crate::learning::{Budget, Learning};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thesis-network",
    definition: "the thesis' network with its variant of Q-learning, as described and with variations of each unstated choice",
    source: "thesis, 5.4",
    settings: &[],
    make: definition,
};

/// The arms: settings that differ from the thesis, and the randomizer.
const ARMS: [(&str, &str, &str); 7] = [
    ("as described", "", "tgm3"),
    ("line points as the reward", "reward=line-points", "tgm3"),
    ("scaled inputs", "inputs=scaled", "tgm3"),
    ("gamma 0.8", "gamma=0.8", "tgm3"),
    ("gamma 0.99", "gamma=0.99", "tgm3"),
    ("7-bag", "", "bag"),
    ("memoryless pieces", "", "uniform"),
];

/// The network of the thesis with additional settings.
pub(super) fn network(size: ExperimentSize, settings: &str) -> String {
    let quick = "queue=20000,interval=10000,cooling=20000";
    let settings = [size.pick(quick, ""), settings];
    let settings: Vec<&str> = settings
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect();
    match settings.as_slice() {
        [] => "q-network".to_owned(),
        settings => format!("q-network({})", settings.join(",")),
    }
}

/// The learning description of the network.
pub(super) fn learning(
    size: ExperimentSize,
    game: ThesisGame,
    learner: String,
    (randomizer, seed): (&str, u64),
) -> Learning {
    Learning {
        learner,
        ruleset: game.ruleset(randomizer),
        features: game.features("thesis-6"),
        player: game.player().to_owned(),
        evaluator: "network".to_owned(),
        objective: "line-points".to_owned(),
        games: size.pick(4, 20),
        max_pieces: Some(size.pick(2_000, 20_000)),
        budget: Budget::generations(size.pick(2, 15)),
        seed,
        ..Learning::default()
    }
}

/// What the thesis leaves open about its network.
pub(super) fn open() -> Vec<String> {
    [
        "The features are not stated: the six that did well in table 11, one per input.",
        "The update rule, its step size and the initial weights are not stated: Adam with 0.001, and He's initialisation.",
        "Exploration is not stated: every placement is random until the replay buffer is half full, then from 20 % to none within a million placements.",
        "The end of training is not stated: 1.5 million placements.",
    ]
    .map(str::to_owned)
    .into()
}

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "How good is the thesis' network, and which of the unstated choices matter?"
            .to_owned(),
        open: open(),
        deviations: vec![
            "Its results are empty in the thesis, so nothing is compared.".to_owned(),
            "At quick scale, the replay buffer is smaller and training is shorter by a factor of fifty.".to_owned(),
        ],
        cost: size
            .pick("a minute", "half an hour on two cores")
            .to_owned(),
        ..Definition::default()
    };
    let game = ThesisGame::Stated;
    for (number, (name, settings, randomizer)) in ARMS.into_iter().enumerate() {
        let mut arm = ExperimentArm {
            id: name.to_owned(),
            unit: ResultUnit::LinePoints,
            ..ExperimentArm::default()
        };
        for (run, seed) in size.training_seeds(1, 3).enumerate() {
            let id = format!("network-{}-{}", number + 1, run + 1);
            let learner = network(size, settings);
            let stage = Stage::learn(&id, learning(size, game, learner, (randomizer, seed)));
            let tested = format!("test-{id}");
            let test = test(size, game, &tested, stage.player(), randomizer);
            arm.learned.push(id);
            arm.tested.push(TestedPlayer {
                stage: tested,
                player: stage.player(),
            });
            definition.stages.extend([stage, test]);
        }
        definition.arms.push(arm);
    }
    definition.one_seed_after_the_other();
    definition
}
