//! The table of Scherrer et al. 2015.

use super::super::{Definition, ExperimentEntry, ExperimentSize};
use super::{splitting, standings_10x10};
use crate::study::{Evaluation, Plan};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "scherrer",
    definition: "DT-10, DT-20, BDU and BCTS on 10x10 and 10x20, 10,000 games each",
    source: "Scherrer et al. 2015",
    settings: &[],
    make: definition,
};

const PLAYERS: [&str; 4] = ["dt-10", "dt-20", "bdu", "bcts"];

fn definition(size: ExperimentSize) -> Definition {
    let mut definition = Definition {
        question: "Do the published players reach the published means over 10,000 games?"
            .to_owned(),
        open: Vec::new(),
        deviations: vec![
            "On 10x20, means are estimated by splitting, not by whole games.".to_owned(),
        ],
        cost: size.pick("a minute", "an hour on two cores").to_owned(),
        ..Definition::default()
    };
    for (board, plan) in [
        ("10x10", Plan::games(200)),
        ("10x20", splitting(size, 0.05)),
    ] {
        let own = Evaluation {
            players: PLAYERS.map(str::to_owned).into(),
            ruleset: format!("simplified-{board}"),
            plan,
            seed: size.test_seed(),
        };
        let evaluation = match size.pick("", board) {
            "10x10" => standings_10x10(size),
            _ => own,
        };
        let arms = PLAYERS.map(|player| (format!("{player} {board}"), player));
        let arms: Vec<(&str, &str)> = arms.iter().map(|arm| (&*arm.0, arm.1)).collect();
        definition.evaluate(&format!("simplified-{board}"), evaluation, &arms);
    }
    definition
}
