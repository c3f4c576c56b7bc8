//! Tables 10 and 11: seven sets of features, their learned weights and results.

use super::super::{Definition, ExperimentArm, ExperimentEntry, ExperimentSize, ResultUnit, Stage};
use super::readings::{PLAY, Reading, player_text};
use super::{ThesisGame, Training, deviations, open, test_plan, trained_arms};
use crate::study::Evaluation;

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thesis-features",
    definition: "seven sets of features: the weights of table 10, and newly learned ones",
    source: "thesis, Tab 10 and 11",
    settings: &[],
    make: definition,
};

/// The sets, by number of features.
pub(super) const SETS: [(&str, &str); 7] = [
    ("4", "thesis-4"),
    ("5", "thesis-5"),
    ("6", "thesis-6"),
    ("7", "thesis-7"),
    ("8", "thesis-8"),
    ("10", "thesis-10"),
    ("14", "thesis-14"),
];

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "How good are the weights of table 10, and does the thesis' evolutionary algorithm find equally good players with each set of features?"
            .to_owned(),
        open: open(),
        deviations: deviations(),
        cost: size.pick("a minute", "two minutes on two cores").to_owned(),
        ..Definition::default()
    };
    for game in ThesisGame::BOTH {
        published_weights(size, &mut definition, game);
    }
    let trainings = SETS.map(|(arm, features)| Training {
        features,
        ..Training::evolution(size, arm)
    });
    trained_arms(size, &mut definition, &trainings);
    definition
}

/// The players of table 10 on one of the games.
fn published_weights(size: ExperimentSize, definition: &mut Definition, game: ThesisGame) {
    let stage = format!("weights-{}", game.word());
    let mut players = Vec::new();
    for (arm, name) in SETS {
        let player = match game {
            ThesisGame::Stated => name.to_owned(),
            ThesisGame::Identified => {
                let text = player_text(name, &Reading::IDENTIFIED);
                let write = Stage::write(format!("{name}-identified"), text);
                let player = format!("greedy({},{})", write.player(), PLAY[0].1);
                definition.stages.push(write);
                player
            }
        };
        let variant = format!("weights of Tab 10, {}", game.variant());
        let arm = ExperimentArm::given(arm, &stage, &*player).variant(variant);
        definition.arms.push(arm.unit(ResultUnit::LinePoints));
        players.push(player);
    }
    let evaluation = Evaluation {
        players,
        ruleset: game.ruleset("tgm3"),
        plan: test_plan(size, game),
        seed: size.test_seed(),
    };
    definition.stages.push(Stage::evaluate(stage, evaluation));
}
