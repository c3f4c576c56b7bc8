//! Experiments beyond the five documents.

pub(super) mod learners;
pub(super) mod misakamm;
pub(super) mod plies;
pub(super) mod scherrer;
pub(super) mod sz_tetris;
pub(super) mod thiery;
pub(super) mod wary;

use super::definition::splitting;
use super::{Definition, ExperimentArm, ExperimentSize, Stage};
use crate::study::{Evaluation, Plan};

/// Adds an evaluation of players, with arms `PLAYER SIZE`.
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
