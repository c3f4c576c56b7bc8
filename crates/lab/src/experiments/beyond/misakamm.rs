//! The table of Misakamm 2026: one player on boards of several heights.

use super::super::{Definition, ExperimentArm, ExperimentEntry, ExperimentSize, Stage};
use super::splitting;
use crate::study::{Evaluation, Plan};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "misakamm",
    definition: "misakamm-v2 on boards of 10 to 20 rows",
    source: "Misakamm 2026",
    settings: &[],
    make: definition,
};

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "Does the player make the published means on boards of every height?".to_owned(),
        open: Vec::new(),
        deviations: vec!["From 12 rows on means come from splitting.".to_owned()],
        cost: size.pick("a minute", "an hour on two cores").to_owned(),
        ..Definition::default()
    };
    for board in ["10x10", "10x12", "10x14", "10x16", "10x20"] {
        let plan = match board {
            "10x10" => Plan::games(size.pick(200, 10_000)),
            _ => splitting(size, 0.05),
        };
        let evaluation = Evaluation {
            players: vec!["misakamm-v2".to_owned()],
            ruleset: format!("simplified-{board}"),
            plan,
            seed: size.test_seed(),
        };
        definition
            .arms
            .push(ExperimentArm::given(board, board, "misakamm-v2"));
        definition.stages.push(Stage::evaluate(board, evaluation));
    }
    definition
}
