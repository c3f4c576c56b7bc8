//! Table 7: a fixed list of pieces compared with new pieces in every game.

use super::super::{Definition, ExperimentEntry, ExperimentSize};
use super::{Training, definition_of};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thesis-scenario",
    definition: "one list of pieces for all training games, compared with new pieces in every game",
    source: "thesis, Tab 7",
    settings: &[],
    make: definition,
};

fn definition(size: ExperimentSize) -> Definition {
    let trainings = [("fixed", true), ("random", false)].map(|(arm, fixed)| Training {
        features: "thesis-4",
        games: 1,
        fixed,
        ..Training::evolution(size, arm)
    });
    let mut definition = definition_of(
        size,
        "Does a player play worse if it is trained on one fixed list of pieces?",
        &trainings,
    );
    definition.open.push(
        "The list has 2000 pieces, the cap: every generation plays the same seeded game."
            .to_owned(),
    );
    definition.cost = size
        .pick("a minute", "half an hour on two cores")
        .to_owned();
    definition
}
