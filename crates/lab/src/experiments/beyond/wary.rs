//! The wary players: lookup tables that learn how dangerous a board is.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentSize, Stage, TestedPlayer,
};
use super::splitting;
use crate::learning::{Budget, Learning};
use crate::study::{Evaluation, Plan};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "wary",
    definition: "tables that learn the chance to lose, next to the shipped wary players",
    source: "ours: docs/explanation/wary-players.md",
    settings: &[],
    make: definition,
};

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "Do tables that learn the chance to lose outlive the best published players?"
            .to_owned(),
        open: Vec::new(),
        deviations: vec![
            "At quick scale training is a twentieth; on 10x20 means come from splitting."
                .to_owned(),
        ],
        cost: size.pick("two minutes", "an hour on two cores").to_owned(),
        ..Definition::default()
    };
    let mut arm = ExperimentArm {
        id: "danger, learned here".to_owned(),
        ..ExperimentArm::default()
    };
    let mut players = vec!["wary-10".to_owned(), "misakamm-v2".to_owned()];
    for (run, seed) in size.training_seeds(1, 5).enumerate() {
        let stage = Stage::learn(format!("danger-{}", run + 1), learning(size, seed));
        arm.learned.push(stage.id.clone());
        arm.tested.push(TestedPlayer {
            stage: "test-10x10".to_owned(),
            player: stage.player(),
        });
        players.push(stage.player());
        definition.stages.push(stage);
    }
    definition.arms.push(arm);
    for player in &players[..2] {
        definition
            .arms
            .push(ExperimentArm::given(player, "test-10x10", player));
    }
    let games = Plan::games(size.pick(20, 1000));
    let evaluate = |id: &str, players: Vec<String>, ruleset: &str, plan| {
        Stage::evaluate(
            id,
            Evaluation {
                players,
                ruleset: ruleset.to_owned(),
                plan,
                seed: size.test_seed(),
            },
        )
    };
    let small = evaluate("test-10x10", players, "simplified-10x10", games);
    let tall = ["wary-20", "misakamm-v2"].map(str::to_owned);
    for player in &tall {
        let arm = ExperimentArm::given(player, "test-10x20", player);
        definition.arms.push(arm.variant("10x20"));
    }
    let plan = splitting(size, 0.1);
    let tall = evaluate("test-10x20", tall.into(), "simplified-10x20", plan);
    definition.stages.extend([small, tall]);
    definition
}

/// The learning description of the tables.
fn learning(size: ExperimentSize, seed: u64) -> Learning {
    let quick = "danger(cooling=150000,guided=10000,period=45000)";
    Learning {
        learner: size.pick(quick, "danger").to_owned(),
        ruleset: "simplified-10x10".to_owned(),
        features: "wary".to_owned(),
        evaluator: "tables".to_owned(),
        games: size.pick(5, 30),
        max_pieces: Some(100_000),
        budget: Budget::generations(size.pick(4, 8)),
        seed,
        ..Learning::default()
    }
}
