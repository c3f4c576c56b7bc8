//! The probability of mutation: an experiment that the thesis announces but does not report.

use super::super::{Definition, ExperimentEntry, ExperimentSize};
use super::{Training, definition_of, evolution};

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thesis-mutation",
    definition: "the mutation probability, an experiment that the thesis announces but does not report",
    source: "thesis, 5.3.1.4",
    settings: &[],
    make: definition,
};

fn definition(size: ExperimentSize) -> Definition {
    let trainings = ["0.01", "0.05", "0.1", "0.2", "0.5"].map(|chance| Training {
        learner: evolution(size, &format!("mutation={chance}")),
        ..Training::evolution(size, chance)
    });
    let mut definition = definition_of(
        size,
        "Which mutation probability gives the best players?",
        &trainings,
    );
    definition.open.push(
        "The thesis mentions the experiment, but states neither its values nor its results; ours are around the 5 % of near-perfect."
            .to_owned(),
    );
    definition.cost = size.pick("a minute", "a minute on two cores").to_owned();
    definition
}
