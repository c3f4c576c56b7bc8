//! The value of one more ply.

use super::super::{Definition, ExperimentEntry, ExperimentSize, StageStudy};
use super::on_board;
use crate::study::{Plan, SplittingPlan};
use crate::survival::{Goal, LevelKind, TRAJECTORIES};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "plies",
    definition: "greedy players, alone, with the expectation over the next piece, and with the next piece visible",
    source: "ours; Böhm, Kókai and Mandl 2005; Wang et al. 2018 (NUS)",
    settings: &[],
    make: definition,
};

const GREEDY: [&str; 4] = ["dellacherie", "bcts", "dt-20", "misakamm-v2"];
const EXPECTIMAX: [&str; 4] = [
    "expectimax(dellacherie,depth=2)",
    "expectimax(bcts,depth=2)",
    "expectimax(dt-20,depth=2)",
    "expectimax(misakamm-v2,depth=2)",
];
const TWO_PIECE: [&str; 4] = [
    "two-piece(dellacherie)",
    "two-piece(bcts)",
    "two-piece(dt-20)",
    "two-piece(misakamm-v2)",
];

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "How much longer do players survive if they look one piece further ahead?"
            .to_owned(),
        open: Vec::new(),
        deviations: vec![
            "At quick scale the board has 6 rows, and whole games are played.".to_owned(),
        ],
        cost: size.pick("a minute", "three hours on two cores").to_owned(),
        ..Definition::default()
    };
    let boards: &[&str] = size.pick(&["10x6"], &["10x10", "10x20"]);
    for board in boards {
        for (ruleset, players, precision, trajectories) in [
            ("simplified", GREEDY, 0.05, TRAJECTORIES),
            ("simplified", EXPECTIMAX, 0.13, 3000),
            ("two-piece", TWO_PIECE, 0.13, TRAJECTORIES),
        ] {
            let estimate = Plan::Splitting {
                until: Goal::Precision(precision),
                splitting: SplittingPlan {
                    trajectories,
                    level: LevelKind::Danger,
                },
            };
            let plan = size.pick(Plan::games(300), estimate);
            on_board_once(&mut definition, size, (ruleset, board), &players, plan);
        }
    }
    definition
}

/// Greedy players and players with look-ahead play the same game in separate stages.
fn on_board_once(
    definition: &mut Definition,
    size: ExperimentSize,
    game: (&str, &str),
    players: &[&str],
    plan: Plan,
) {
    let (stages, arms) = (definition.stages.len(), definition.arms.len());
    on_board(definition, size, game, players, plan);
    let kind = players[0].split('(').next().unwrap_or_default();
    let added = &mut definition.stages[stages];
    if let StageStudy::Evaluate(evaluation) = &mut added.study {
        evaluation.seed = size.seed;
    }
    added.id = format!("{}-{kind}", added.id);
    for arm in &mut definition.arms[arms..] {
        added.id.clone_into(&mut arm.tested[0].stage);
    }
}
