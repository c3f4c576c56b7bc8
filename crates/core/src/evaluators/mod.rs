//! Evaluators: from a placement to one score. The highest score wins. One form per file, one line
//! each in [`EVALUATORS`].

mod board_network;
mod displaced;
mod exponential;
mod form;
mod linear;
mod network;
mod power;
mod tables;
#[cfg(test)]
pub(crate) mod testing;

pub use board_network::{BoardNetwork, board_inputs, visit_board_inputs};
pub use displaced::Displaced;
pub use form::{
    Form, MakeEvaluator, MakeFromTables, Model, ModelKind, ParameterTable, Scaling, Size,
    WeightError,
};
pub use linear::{Linear, WEIGHT_BITS};
pub use network::FeatureNetwork;
pub use power::POWER_FLOOR;
pub(crate) use tables::{ROOM, covers_few};
pub use tables::{TableSum, sum};

use crate::features::{FeatureMatrix, FeatureSet};
use crate::lookup::BoardMeasurements;
use crate::network::{Pass, Signals};
use crate::outcomes::{MAX_OUTCOMES, Outcomes};
use crate::placement::Transition;
use crate::registry::Entry;
use crate::settings::{Kind, Setting};
use crate::spec::{Spec, SpecError};
use std::sync::Arc;

/// Finds the evaluator that a spec names, for boards of a width: published weights, a file,
/// whatever the caller knows.
pub type EvaluatorLookup<'a> = dyn Fn(&Spec, usize) -> Result<Arc<dyn Evaluator>, SpecError> + 'a;

/// What an evaluator says of a placement; more is better.
pub type Score = f64;

/// Scores of all placements of a decision; only as many as there are placements mean anything.
pub type Scores = [Score; MAX_OUTCOMES];

/// Buffers of evaluators, reused from decision to decision.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// The values of features.
    pub values: FeatureMatrix,
    /// Inputs and activations of a network.
    pub(crate) signals: (Signals, Pass),
    /// Measurements of a board and the table entries that it shows.
    pub(crate) looked_up: (BoardMeasurements, Vec<u32>),
}

/// Rates placements: by features, or by whatever it sees of them.
pub trait Evaluator: Send + Sync + std::fmt::Debug {
    /// Scores every placement. Scores of one decision compare with each other and with those of
    /// other decisions of the same evaluator. The workspace carries nothing from one call to the
    /// next.
    fn rate(&self, outcomes: &mut Outcomes, workspace: &mut Workspace, scores: &mut Scores);

    /// The features that the evaluator weighs, in order, if it is made of features.
    fn features(&self) -> Option<&FeatureSet> {
        None
    }

    /// What a step adds by itself, apart from the board that it leaves: its part of the score, in
    /// the same units. A search over several steps adds it up, and rates the last board only.
    /// Evaluators whose scores have no such part give 0.
    fn step_value(&self, _step: &Transition) -> Score {
        0.0
    }

    /// What a score of 1 means in the units in which the evaluator's numbers were given: scores are
    /// compared with each other unchanged, and with a number that a user gave after they are
    /// multiplied by it.
    fn unit(&self) -> f64 {
        1.0
    }

    /// The linear evaluator behind this one, if it is one: what a kernel can take over.
    fn as_linear(&self) -> Option<&Linear> {
        None
    }

    /// The terms of this evaluator, if it is a sum of one for each number of its features: what a
    /// kernel for any features computes.
    fn as_sum(&self) -> Option<&dyn TermSum> {
        None
    }

    /// The lookup tables behind this one, if it is made of them: a kernel can take over these too.
    fn as_tables(&self) -> Option<&TableSum> {
        None
    }
}

/// An evaluator that adds up one term for each number of its features, in their order.
pub trait TermSum {
    /// The term of a number that has this value.
    fn term(&self, number: usize, value: f64) -> f64;

    /// What the term of a number grows by with each unit of the value, if it is proportional to it.
    fn slope(&self, _number: usize) -> Option<f64> {
        None
    }
}

/// A form of evaluator: its tables of numbers, and how they make one.
pub type EvaluatorEntry = Entry<Form>;

/// Every form of evaluator. To add one: write its file, add its line here.
pub const EVALUATORS: &[EvaluatorEntry] = &[
    linear::ENTRY,
    exponential::ENTRY,
    displaced::ENTRY,
    network::ENTRY,
    board_network::ENTRY,
    tables::ENTRY,
];

/// The setting of every form: a form is named with the player whose numbers it takes, as in
/// `linear(bcts)`.
pub const NUMBERS: &[Setting] = &[Setting {
    id: "player",
    help: "whose numbers it takes: a published player or a player file of this form",
    default: None,
    kind: Kind::part("player", "bcts"),
}];
