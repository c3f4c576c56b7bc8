//! The table of Scherrer et al. 2015.

use super::super::{Definition, ExperimentEntry, ExperimentSize};
use super::{on_board, splitting};
use crate::study::Plan;

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
        question: "Do the published players make the means of 10,000 games?".to_owned(),
        open: Vec::new(),
        deviations: vec!["On 10x20 means come from splitting, not from whole games.".to_owned()],
        cost: size.pick("a minute", "an hour on two cores").to_owned(),
        ..Definition::default()
    };
    let games = Plan::games(size.pick(200, 10_000));
    on_board(
        &mut definition,
        size,
        ("simplified", "10x10"),
        &PLAYERS,
        games,
    );
    let plan = splitting(size, 0.05);
    on_board(
        &mut definition,
        size,
        ("simplified", "10x20"),
        &PLAYERS,
        plan,
    );
    definition
}
