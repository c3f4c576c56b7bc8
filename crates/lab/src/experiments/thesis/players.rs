//! The comparison of the three players, which the thesis announces but does not contain.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentSize, Quantity, ResultUnit, Stage,
    TestedPlayer,
};
use super::network::{self, learning};
use super::{ThesisGame, Training, deviations, open, test, trained_arm};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thesis-players",
    definition: "evolution, swarm and network: points over a series of games, and training time",
    source: "thesis, 1.1",
    settings: &[],
    make: definition,
};

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question:
            "Which of the thesis' three players is best in points over a series of games, and which in training time?"
                .to_owned(),
        open: [open(), network::open()].concat(),
        deviations: deviations(),
        cost: size
            .pick("a minute", "a quarter of an hour on two cores")
            .to_owned(),
        further: vec![Quantity::TrainingSeconds, Quantity::SecondsPerGame],
        ..Definition::default()
    };
    let evolution = Training {
        features: "thesis-6",
        ..Training::evolution(size, "evolution")
    };
    let swarm = Training {
        learner: format!("thesis-pso(population={})", size.pick(12, 30)),
        generations: size.pick(4, 40),
        ..Training {
            arm: "swarm".to_owned(),
            ..evolution.clone()
        }
    };
    for game in ThesisGame::BOTH {
        for training in [&evolution, &swarm] {
            let arm = trained_arm(size, &mut definition, training, game);
            definition.arms.push(arm);
        }
        let arm = network_arm(size, &mut definition, game);
        definition.arms.push(arm);
    }
    definition.one_seed_after_the_other();
    definition
}

/// The network on one of the games.
fn network_arm(
    size: ExperimentSize,
    definition: &mut Definition,
    game: ThesisGame,
) -> ExperimentArm {
    let mut arm = ExperimentArm {
        id: "network".to_owned(),
        variant: game.variant().to_owned(),
        unit: ResultUnit::LinePoints,
        ..ExperimentArm::default()
    };
    for (run, seed) in size.training_seeds(1, 3).enumerate() {
        let id = format!("{}-network-{}", game.word(), run + 1);
        let learner = network::network(size, "");
        let stage = Stage::learn(&id, learning(size, game, learner, ("tgm3", seed)));
        let tested = format!("test-{id}");
        let test = test(size, game, &tested, stage.player(), "tgm3");
        arm.learned.push(id);
        arm.tested.push(TestedPlayer {
            stage: tested,
            player: stage.player(),
        });
        definition.stages.extend([stage, test]);
    }
    arm
}
