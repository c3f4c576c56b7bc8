//! Every optimiser with its published settings, on one task and with one budget of pieces.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentSize, Stage, TestedPlayer,
};
use crate::learning::{Budget, Learning, Scale};
use crate::study::{Evaluation, Plan};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "learners",
    definition: "every optimiser on the same task with the same budget of pieces",
    source: "ours; open question 2 of Thiery and Scherrer 2009",
    settings: &[],
    make: definition,
};

/// The learners, most of them with the settings of their papers.
const LEARNERS: [&str; 14] = [
    "thesis-ga",
    "near-perfect-ga",
    "ga-essay",
    "bohm",
    "thesis-pso",
    "pso-nus",
    "boumaza",
    "cma-es",
    "szita",
    "thiery",
    "misakamm",
    "romero",
    "chen",
    "random-search",
];

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "Which optimiser finds the best player with a given number of pieces?".to_owned(),
        open: vec![
            "The papers train on different games and features; here, all use the eight features of BCTS on 10x10, with 20 games per candidate."
                .to_owned(),
        ],
        deviations: vec![
            "A run ends after the generation in which its budget is used up, so methods with large generations use slightly more."
                .to_owned(),
        ],
        cost: size
            .pick("a minute", "half an hour on two cores")
            .to_owned(),
        ..Definition::default()
    };
    let mut players = Vec::new();
    for learner in LEARNERS {
        let mut arm = ExperimentArm {
            id: learner.to_owned(),
            ..ExperimentArm::default()
        };
        for (run, seed) in size.training_seeds(1, 5).enumerate() {
            let stage = Stage::learn(
                format!("{learner}-{}", run + 1),
                learning(size, learner, seed),
            );
            arm.learned.push(stage.id.clone());
            arm.tested.push(TestedPlayer {
                stage: "test".to_owned(),
                player: stage.player(),
            });
            players.push(stage.player());
            definition.stages.push(stage);
        }
        definition.arms.push(arm);
    }
    let evaluation = Evaluation {
        players,
        ruleset: "simplified-10x10".to_owned(),
        plan: Plan::games(size.pick(100, 2000)),
        seed: size.seed.wrapping_add(999),
    };
    definition.stages.push(Stage::evaluate("test", evaluation));
    definition
}

fn learning(size: ExperimentSize, learner: &str, seed: u64) -> Learning {
    Learning {
        learner: learner.to_owned(),
        ruleset: "simplified-10x10".to_owned(),
        features: "bcts".to_owned(),
        scale: Scale::None,
        games: size.pick(5, 20),
        max_pieces: Some(100_000),
        budget: Budget {
            pieces: Some(size.pick(2_000_000, 100_000_000)),
            ..Budget::default()
        },
        seed,
        ..Learning::default()
    }
}
