//! Table 12: the cap on the pieces of a training game.

use super::super::{Definition, ExperimentEntry, ExperimentSize};
use super::{Training, definition_of};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thesis-cap",
    definition: "the cap on the pieces of a training game",
    source: "thesis, Tab 12",
    settings: &[],
    make: definition,
};

fn definition(size: ExperimentSize) -> Definition {
    let trainings = [500, 1000, 2000, 5000, 10_000].map(|cap| Training {
        cap,
        ..Training::evolution(size, &cap.to_string())
    });
    let mut definition = definition_of(
        size,
        "Do players become better by training in longer games?",
        &trainings,
    );
    definition
        .open
        .push("The features are not stated: the seven that table 11 found best.".to_owned());
    definition.cost = size.pick("two minutes", "a minute on two cores").to_owned();
    definition
}
