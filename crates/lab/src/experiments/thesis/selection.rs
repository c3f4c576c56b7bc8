//! The table of selection methods, whose roulette column is empty in the thesis.

use super::super::{Definition, ExperimentEntry, ExperimentSize};
use super::{Training, definition_of, evolution};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thesis-selection",
    definition: "roulette, ranking and tournament selection",
    source: "thesis, 5.3.1.4.6",
    settings: &[],
    make: definition,
};

fn definition(size: ExperimentSize) -> Definition {
    let trainings = ["roulette", "ranking", "tournament"].map(|selection| Training {
        learner: evolution(size, &format!("selection={selection}")),
        cap: 5000,
        ..Training::evolution(size, selection)
    });
    let mut definition = definition_of(
        size,
        "Which selection method gives the best players, and what belongs in the empty roulette column?",
        &trainings,
    );
    definition.open.push(
        "The cap is not stated; the run with tournaments is that of table 12 with 5000 pieces."
            .to_owned(),
    );
    definition.cost = size
        .pick("two minutes", "two minutes on two cores")
        .to_owned();
    definition
}
