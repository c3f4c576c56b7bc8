//! Evaluators: from the feature values of a placement to one score. The highest score wins.

mod displaced;
mod exponential;
mod linear;
mod power;
#[cfg(test)]
pub(crate) mod testing;

pub use displaced::Displaced;
pub use exponential::Exponential;
pub use linear::{Linear, WEIGHT_BITS};
pub use power::POWER_FLOOR;

use crate::features::{FeatureMatrix, FeatureSet};
use crate::outcomes::{MAX_OUTCOMES, Outcomes, Step};
use crate::spec::{Spec, SpecError};
use std::sync::Arc;

/// Finds the evaluator that a spec names, for boards of a width: published weights, a file, whatever the caller knows.
pub type EvaluatorLookup<'a> = dyn Fn(&Spec, usize) -> Result<Arc<dyn Evaluator>, SpecError> + 'a;

/// What an evaluator says of a placement; more is better.
pub type Score = f64;

/// Scores of all placements of a decision; only as many as there are placements mean anything.
pub type Scores = [Score; MAX_OUTCOMES];

/// Rates placements by their features.
pub trait Evaluator: Send + Sync + std::fmt::Debug {
    /// The features that the evaluator weighs, in order.
    fn features(&self) -> &FeatureSet;

    /// Scores every placement from its features. Scores of one decision compare with each other and with those
    /// of other decisions of the same evaluator.
    fn score_all(&self, values: &FeatureMatrix, count: usize, scores: &mut Scores);

    /// Computes the features of every placement and scores it. `values` is only room to work in.
    fn rate(&self, outcomes: &mut Outcomes, values: &mut FeatureMatrix, scores: &mut Scores) {
        self.features().fill(outcomes, values);
        self.score_all(values, outcomes.len(), scores);
    }

    /// What a step adds by itself, apart from the board that it leaves: its part of the score, in the same units. A search
    /// over several steps adds it up, and rates the last board only. Evaluators whose scores have no such part give 0.
    fn worth_of_step(&self, _step: &Step<'_>) -> Score {
        0.0
    }

    /// The linear evaluator behind this one, if it is one: what a kernel can take over.
    fn as_linear(&self) -> Option<&Linear> {
        None
    }
}

/// A form of evaluator, for lists.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatorEntry {
    /// Its name.
    pub id: &'static str,
    /// One line: how a score comes about.
    pub definition: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

/// Every form of evaluator. To add one: write its file, add its line here.
pub const EVALUATORS: &[EvaluatorEntry] = &[
    EvaluatorEntry {
        id: "linear",
        definition: "sum of weight * feature",
        source: "Tsitsiklis and Van Roy 1996 and nearly everyone since",
    },
    EvaluatorEntry {
        id: "exponential",
        definition: "sum of weight * |feature|^exponent",
        source: "Böhm, Kókai and Mandl 2005",
    },
    EvaluatorEntry {
        id: "displaced",
        definition: "sum of weight * |feature - displacement|^exponent",
        source: "Böhm, Kókai and Mandl 2005",
    },
];

/// Why weights or other parameters do not make an evaluator.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WeightError {
    /// The number of parameters differs from the number of feature values.
    #[error("{expected} {kind}s are needed on a board {width} wide, not {found}")]
    Count {
        /// Which parameter: `weight`, `exponent`, `displacement`.
        kind: &'static str,
        /// How many are needed.
        expected: usize,
        /// How many were given.
        found: usize,
        /// The width of the board.
        width: usize,
    },
    /// A parameter is not a finite number.
    #[error("the {kind} of {feature} is {value}, not a finite number")]
    NotFinite {
        /// Which parameter: `weight`, `exponent`, `displacement`.
        kind: &'static str,
        /// The feature whose parameter it is.
        feature: String,
        /// The offending value.
        value: f64,
    },
}

/// Checks that there is one finite weight for each number of the set.
fn check_weights(features: &FeatureSet, weights: &[f64]) -> Result<(), WeightError> {
    check_parameters("weight", features, weights)
}

/// Checks that there is one finite parameter for each number of the set.
fn check_parameters(
    kind: &'static str,
    features: &FeatureSet,
    values: &[f64],
) -> Result<(), WeightError> {
    if values.len() != features.len() {
        return Err(WeightError::Count {
            kind,
            expected: features.len(),
            found: values.len(),
            width: features.width(),
        });
    }
    let mut rest = values;
    for feature in features.features() {
        let (own, others) = rest.split_at(feature.len(features.width()));
        if let Some(&value) = own.iter().find(|value| !value.is_finite()) {
            let feature = feature.id.to_owned();
            return Err(WeightError::NotFinite {
                kind,
                feature,
                value,
            });
        }
        rest = others;
    }
    Ok(())
}
