//! Evaluators turn a placement into a score. The highest score wins. Each form has a file, and a
//! line in [`EVALUATORS`].

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
pub(crate) use tables::{SAFE_ROWS, covers_few};
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

/// Finds the evaluator that a spec names, for boards of a given width: published weights, a file,
/// or anything else that the caller can look up.
pub type EvaluatorLookup<'a> = dyn Fn(&Spec, usize) -> Result<Arc<dyn Evaluator>, SpecError> + 'a;

/// The score of a placement; higher is better.
pub type Score = f64;

/// Scores of all placements of a decision; entries beyond the number of placements are undefined.
pub type Scores = [Score; MAX_OUTCOMES];

/// Buffers of evaluators, reused across decisions.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// The values of features.
    pub values: FeatureMatrix,
    /// Inputs and activations of a network.
    pub(crate) signals: (Signals, Pass),
    /// Measurements of a board, and the table entries it shows.
    pub(crate) looked_up: (BoardMeasurements, Vec<u32>),
}

/// Rates placements, by features or otherwise.
pub trait Evaluator: Send + Sync + std::fmt::Debug {
    /// Scores every placement. Scores can be compared within a decision and between decisions of
    /// the same evaluator. The workspace carries no state from one call to the next.
    fn rate(&self, outcomes: &mut Outcomes, workspace: &mut Workspace, scores: &mut Scores);

    /// The weighted features in order, if the evaluator uses features.
    fn features(&self) -> Option<&FeatureSet> {
        None
    }

    /// The step's contribution to the score, excluding that of the resulting board, in the same
    /// units. A search over several steps adds these up and rates only the last board. It is 0 for
    /// evaluators that do not make this distinction.
    fn step_value(&self, _step: &Transition) -> Score {
        0.0
    }

    /// The unit of scores in terms of the evaluator's parameters. Scores can be compared with each
    /// other directly; before a number from a user is compared with them, it is multiplied by the
    /// unit.
    fn unit(&self) -> f64 {
        1.0
    }

    /// The underlying linear evaluator, if there is one, for a kernel.
    fn as_linear(&self) -> Option<&Linear> {
        None
    }

    /// The terms of this evaluator, if it is a sum of one term per feature value, for a kernel for
    /// arbitrary features.
    fn as_sum(&self) -> Option<&dyn TermSum> {
        None
    }

    /// The underlying lookup tables, if there are any, for a kernel.
    fn as_tables(&self) -> Option<&TableSum> {
        None
    }
}

/// An evaluator that adds up one term for each number of its features, in their order.
pub trait TermSum {
    /// The term of a feature value.
    fn term(&self, number: usize, value: f64) -> f64;

    /// The slope of a term, if it is proportional to the value.
    fn slope(&self, _number: usize) -> Option<f64> {
        None
    }
}

/// A form of evaluator: its parameter tables, and its constructor.
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

/// The setting of every form: the player whose parameters are used, as in `linear(bcts)`.
pub const NUMBERS: &[Setting] = &[Setting {
    id: "player",
    help: "player whose parameters are used: a published player, or a player file with this form",
    default: None,
    kind: Kind::part("player", "bcts"),
}];
