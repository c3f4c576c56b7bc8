//! The table of populations.

use super::super::{Definition, ExperimentEntry, ExperimentSize};
use super::{Training, definition_of, evolution};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thesis-population",
    definition: "the size of the population",
    source: "thesis, 5.3.1.4.7",
    settings: &[],
    make: definition,
};

fn definition(size: ExperimentSize) -> Definition {
    let trainings = [50, 110, 170, 230, 300].map(|population| Training {
        // A sixth of the population at quick scale.
        learner: evolution(
            size,
            &format!("population={}", population / size.pick(2, 1)),
        ),
        ..Training::evolution(size, &population.to_string())
    });
    let mut definition = definition_of(
        size,
        "Do larger populations find better players?",
        &trainings,
    );
    definition.cost = size.pick("a minute", "a minute on two cores").to_owned();
    definition
}
