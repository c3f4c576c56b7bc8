//! Table 6: the number of games of an evaluation.

use super::super::{Definition, ExperimentEntry, ExperimentSize};
use super::{Training, definition_of};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thesis-games",
    definition: "how many games per evaluation give a good player?",
    source: "thesis, Tab 6",
    settings: &[],
    make: definition,
};

fn definition(size: ExperimentSize) -> Definition {
    let trainings = [1, 2, 4, 8].map(|games| Training {
        features: "thesis-4",
        games,
        ..Training::evolution(size, &games.to_string())
    });
    let mut definition = definition_of(
        size,
        "Do players become better if candidates are evaluated with more games?",
        &trainings,
    );
    definition.open.push(
        "The features are not stated; the run with 8 games is that of table 11 with 4 features."
            .to_owned(),
    );
    definition.cost = size.pick("a minute", "a minute on two cores").to_owned();
    definition
}
