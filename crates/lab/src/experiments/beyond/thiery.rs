//! The table of Thiery and Scherrer 2009: Dellacherie's player and BCTS.

use super::super::{Definition, ExperimentEntry, ExperimentSize};
use super::{hundred_games, splitting};
use crate::study::Evaluation;

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thiery",
    definition: "Dellacherie's player and BCTS on 10x20, as the authors of BCTS report them",
    source: "Thiery and Scherrer 2009",
    settings: &[],
    make: definition,
};

const ARMS: [(&str, &str); 2] = [("dellacherie", "dellacherie"), ("bcts", "bcts")];

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question:
            "Do Dellacherie's player and BCTS reach the means reported by the authors of BCTS?"
                .to_owned(),
        deviations: vec![
            "At quick scale, means are estimated by splitting, not by whole games.".to_owned(),
        ],
        cost: size
            .pick("half a minute", "ten minutes on two cores")
            .to_owned(),
        ..Definition::default()
    };
    let evaluation = Evaluation {
        players: ARMS.map(|arm| arm.1.to_owned()).into(),
        ruleset: "simplified-10x20".to_owned(),
        plan: splitting(size, 0.1),
        seed: size.test_seed(),
    };
    definition.evaluate(
        "games",
        size.pick(evaluation, hundred_games(size, "10x20")),
        &ARMS,
    );
    definition
}
