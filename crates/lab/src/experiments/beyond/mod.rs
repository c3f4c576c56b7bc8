//! Experiments that are not from the five founding documents.

pub(super) mod learners;
pub(super) mod misakamm;
pub(super) mod network_search;
pub(super) mod networks;
pub(super) mod plies;
pub(super) mod scherrer;
pub(super) mod splitting;
pub(super) mod survival_learning;
pub(super) mod sz_tetris;
pub(super) mod thiery;
pub(super) mod wary;
pub(super) mod wary_tables;

use super::definition::splitting;
use super::{Definition, ExperimentArm, ExperimentSize, Stage};
use crate::study::{Evaluation, Plan};

/// The published players on 10x10 as `--scale paper` of several experiments measures them: 10,000
/// games each, as in Scherrer et al. 2015.
fn standings_10x10(size: ExperimentSize) -> Evaluation {
    const PLAYERS: [&str; 7] = [
        "dellacherie",
        "boumaza-8",
        "bcts",
        "dt-10",
        "dt-20",
        "bdu",
        "misakamm-v2",
    ];
    Evaluation {
        players: PLAYERS.map(str::to_owned).into(),
        ruleset: "simplified-10x10".to_owned(),
        plan: Plan::games(10_000),
        seed: size.seed,
    }
}

/// Players of Boumaza 2009 on a board as `--scale paper` of several experiments measures them: 100
/// whole games each, as in that paper.
pub(in crate::experiments) fn hundred_games(size: ExperimentSize, board: &str) -> Evaluation {
    const PLAYERS: [&str; 5] = ["dellacherie", "boumaza-6", "boumaza-8", "ce-6", "bcts"];
    Evaluation {
        players: PLAYERS.map(str::to_owned).into(),
        ruleset: format!("simplified-{board}"),
        plan: Plan::games(100),
        seed: size.seed,
    }
}

/// Adds an evaluation of players, with arms called `PLAYER SIZE`.
fn on_board(
    definition: &mut Definition,
    size: ExperimentSize,
    (ruleset, board): (&str, &str),
    players: &[&str],
    plan: Plan,
) {
    let stage = format!("{ruleset}-{board}");
    for player in players {
        let arm = ExperimentArm::given(format!("{player} {board}"), &stage, *player);
        definition.arms.push(arm);
    }
    let evaluation = Evaluation {
        players: players.iter().map(|&player| player.to_owned()).collect(),
        ruleset: stage.clone(),
        plan,
        seed: size.test_seed(),
    };
    definition.stages.push(Stage::evaluate(stage, evaluation));
}
