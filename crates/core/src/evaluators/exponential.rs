//! The exponential evaluator: a weighted sum of powers of features (Böhm, Kókai and Mandl 2005).
//!
//! The paper leaves open what 0 to a negative power and a negative number to a fraction are; see
//! [`POWER_FLOOR`](super::POWER_FLOOR) for what they are here.

use super::power::{Term, score_all};
use super::{
    Evaluator, EvaluatorEntry, Form, MakeEvaluator, NUMBERS, ParameterTable, Scores, TermSum,
    WeightError, Workspace, form,
};
use crate::features::FeatureSet;
use crate::outcomes::Outcomes;
use std::sync::Arc;

pub(super) const ENTRY: EvaluatorEntry = EvaluatorEntry {
    id: "exponential",
    definition: "sum of weight * |feature|^exponent",
    source: "Böhm, Kókai and Mandl 2005",
    settings: NUMBERS,
    make: Form {
        tables: &[ParameterTable::WEIGHTS, ParameterTable::EXPONENTS],
        only_direction_counts: false,
        make: MakeEvaluator::Tables(|features, tables| {
            let [weights, exponents] = form::tables(tables);
            Ok(Arc::new(Exponential::new(features, weights, exponents)?))
        }),
    },
};

/// Score = sum of weight times |feature| to the power of exponent.
#[derive(Clone, Debug)]
pub struct Exponential {
    features: FeatureSet,
    weights: Vec<f64>,
    exponents: Vec<f64>,
}

impl Exponential {
    /// Weighs powers of the features of a set: a weight and an exponent for each of its numbers.
    ///
    /// # Errors
    /// When the number of weights or exponents is wrong or one of them is not finite.
    pub fn new(
        features: FeatureSet,
        weights: Vec<f64>,
        exponents: Vec<f64>,
    ) -> Result<Exponential, WeightError> {
        ParameterTable::WEIGHTS.check(&features, &weights)?;
        ParameterTable::EXPONENTS.check(&features, &exponents)?;
        Ok(Exponential {
            features,
            weights,
            exponents,
        })
    }

    /// The weights, in the order of the features.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The exponents, in the order of the features.
    #[must_use]
    pub fn exponents(&self) -> &[f64] {
        &self.exponents
    }
}

impl Evaluator for Exponential {
    fn features(&self) -> Option<&FeatureSet> {
        Some(&self.features)
    }

    fn rate(&self, outcomes: &mut Outcomes, workspace: &mut Workspace, scores: &mut Scores) {
        self.features.fill(outcomes, &mut workspace.values);
        let terms = (0..self.weights.len()).map(|number| self.term_of(number));
        score_all(terms, &workspace.values, outcomes.len(), scores);
    }

    fn as_sum(&self) -> Option<&dyn TermSum> {
        Some(self)
    }
}

impl Exponential {
    fn term_of(&self, number: usize) -> Term {
        Term {
            weight: self.weights[number],
            displacement: 0.0,
            exponent: self.exponents[number],
        }
    }
}

impl TermSum for Exponential {
    fn term(&self, number: usize, value: f64) -> f64 {
        self.term_of(number).of(value)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{features, scores_of_squares};
    use super::super::{Linear, POWER_FLOOR};
    use super::*;

    #[test]
    fn scores_are_sums_of_weighted_powers() {
        // O on an empty board 4 wide and 4 high lands at height 0.5. Every row has 2 row transitions, but the two with
        // O in their middle have 4: 12 in all, 8 with O at a wall. There are no holes.
        let ids = ["landing_height", "row_transitions", "holes"];
        let evaluator = Exponential::new(
            features(&ids, 4),
            vec![-2.0, 3.0, -1.0],
            vec![-1.0, 2.0, -0.5],
        );
        let holes = libm::pow(POWER_FLOOR, -0.5);
        assert_eq!(holes, 1024.0);
        let scores = scores_of_squares(&evaluator.unwrap());
        let at_wall = -2.0 * 2.0 + 3.0 * 64.0 - holes;
        let in_middle = -2.0 * 2.0 + 3.0 * 144.0 - holes;
        assert_eq!(scores, [at_wall, in_middle, at_wall]);
    }

    #[test]
    fn with_exponents_of_one_it_is_linear_but_for_the_floor() {
        let ids = ["row_transitions", "column_transitions"];
        let weights = vec![-3.0, 2.0];
        let linear = Linear::new(features(&ids, 4), weights.clone()).unwrap();
        let same = Exponential::new(features(&ids, 4), weights, vec![1.0, 1.0]).unwrap();
        assert_eq!(scores_of_squares(&same), scores_of_squares(&linear));
    }

    #[test]
    fn wrong_parameters_are_named() {
        let error = |weights: &[f64], exponents: &[f64]| {
            let features = features(&["holes", "well_sums"], 10);
            let made = Exponential::new(features, weights.to_vec(), exponents.to_vec());
            made.unwrap_err().to_string()
        };
        assert_eq!(
            error(&[1.0], &[1.0, 1.0]),
            "expected 2 weight values on a board 10 wide, found 1"
        );
        assert_eq!(
            error(&[1.0, 1.0], &[1.0, 1.0, 1.0]),
            "expected 2 exponent values on a board 10 wide, found 3"
        );
        assert_eq!(
            error(&[1.0, 1.0], &[1.0, f64::NAN]),
            "the exponent of well_sums is NaN, not a finite number"
        );
    }
}
