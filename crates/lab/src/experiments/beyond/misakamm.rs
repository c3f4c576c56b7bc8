//! The table of Misakamm 2026: one player on boards of several heights.

use super::super::{Definition, ExperimentEntry, ExperimentSize};
use super::{splitting, standings_10x10};
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
        question: "Does the player reach the published means on boards of every height?".to_owned(),
        open: Vec::new(),
        deviations: vec!["From 12 rows on, means are estimated by splitting.".to_owned()],
        cost: size.pick("a minute", "an hour on two cores").to_owned(),
        ..Definition::default()
    };
    for (board, seed) in BOARDS {
        let plan = match board {
            "10x10" => Plan::games(200),
            _ => splitting(size, 0.1),
        };
        let alone = Evaluation {
            players: vec![PLAYER.to_owned()],
            ruleset: format!("simplified-{board}"),
            plan,
            seed: size.pick(size.test_seed(), size.seed + seed),
        };
        let evaluation = match size.pick("", board) {
            "10x10" => standings_10x10(size),
            _ => alone,
        };
        definition.evaluate(board, evaluation, &[(board, PLAYER)]);
    }
    definition
}

const PLAYER: &str = "misakamm-v2";

/// The boards, and the offsets of their test seeds at paper scale, which select games that were not
/// used for learning.
const BOARDS: [(&str, u64); 5] = [
    ("10x10", 0),
    ("10x12", 3012),
    ("10x14", 3005),
    ("10x16", 3006),
    ("10x20", 0),
];
