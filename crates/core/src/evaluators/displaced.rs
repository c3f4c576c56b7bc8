//! The exponential evaluator with displacement: powers of distances from a target value (Böhm,
//! Kókai and Mandl 2005).
//!
//! The absolute distance is used, and a distance of 0 is replaced by a small number: see
//! [`POWER_FLOOR`](super::POWER_FLOOR).

use super::power::{ordered, power};
use super::{
    Evaluator, EvaluatorEntry, Form, MakeEvaluator, NUMBERS, ParameterTable, Scores, TermSum,
    WeightError, Workspace, form,
};
use crate::features::FeatureSet;
use crate::outcomes::Outcomes;
use std::sync::Arc;

pub(super) const ENTRY: EvaluatorEntry = EvaluatorEntry {
    id: "displaced",
    definition: "sum of weight * |feature - displacement|^exponent",
    source: "Böhm, Kókai and Mandl 2005",
    settings: NUMBERS,
    make: Form {
        tables: &[
            ParameterTable::WEIGHTS,
            ParameterTable::EXPONENTS,
            ParameterTable::DISPLACEMENTS,
        ],
        only_direction_counts: false,
        make: MakeEvaluator::Tables(|features, tables| {
            let [weights, exponents, displacements] = form::tables(tables);
            let made = Displaced::new(features, &weights, &displacements, &exponents)?;
            Ok(Arc::new(made))
        }),
    },
};

/// Score = sum of weight times |feature - displacement| to the power of exponent.
#[derive(Clone, Debug)]
pub struct Displaced {
    features: FeatureSet,
    terms: Vec<Term>,
}

impl Displaced {
    /// Weights powers of distances. Each value of the set has a weight, a displacement and an
    /// exponent.
    ///
    /// # Errors
    /// If the length of a list is wrong, or a number is not finite.
    pub fn new(
        features: FeatureSet,
        weights: &[f64],
        displacements: &[f64],
        exponents: &[f64],
    ) -> Result<Displaced, WeightError> {
        ParameterTable::WEIGHTS.check(&features, weights)?;
        ParameterTable::DISPLACEMENTS.check(&features, displacements)?;
        ParameterTable::EXPONENTS.check(&features, exponents)?;
        let term = |number: usize| Term {
            weight: weights[number],
            displacement: displacements[number],
            exponent: exponents[number],
        };
        Ok(Displaced {
            terms: (0..weights.len()).map(term).collect(),
            features,
        })
    }

    /// Weights powers of the features themselves.
    ///
    /// # Errors
    /// If the number of weights or exponents is wrong, or one of them is not finite.
    pub fn exponential(
        features: FeatureSet,
        weights: &[f64],
        exponents: &[f64],
    ) -> Result<Displaced, WeightError> {
        let displacements = vec![0.0; features.len()];
        Displaced::new(features, weights, &displacements, exponents)
    }
}

impl Evaluator for Displaced {
    fn features(&self) -> Option<&FeatureSet> {
        Some(&self.features)
    }

    fn rate(&self, outcomes: &mut Outcomes, workspace: &mut Workspace, scores: &mut Scores) {
        self.features.fill(outcomes, &mut workspace.values);
        let scores = &mut scores[..outcomes.len()];
        scores.fill(0.0);
        for (row, term) in workspace.values.rows().zip(&self.terms) {
            for (score, &value) in scores.iter_mut().zip(row) {
                *score += term.of(value);
            }
        }
        scores.iter_mut().for_each(|score| *score = ordered(*score));
    }

    fn as_sum(&self) -> Option<&dyn TermSum> {
        Some(self)
    }
}

impl TermSum for Displaced {
    fn term(&self, number: usize, value: f64) -> f64 {
        self.terms[number].of(value)
    }
}

/// One summand of the rating function.
#[derive(Clone, Copy, Debug)]
struct Term {
    weight: f64,
    displacement: f64,
    exponent: f64,
}

impl Term {
    /// The term for a value of the feature.
    fn of(self, value: f64) -> f64 {
        self.weight * power(value - self.displacement, self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{features, scores_of_squares};
    use super::*;

    #[test]
    fn scores_are_sums_of_weighted_powers_of_distances() {
        // O on an empty board 4 wide and 4 high lands at height 0.5; row transitions are 8 at a
        // wall, 12 in the middle.
        let ids = ["landing_height", "row_transitions"];
        let made = Displaced::new(features(&ids, 4), &[4.0, -1.0], &[2.5, 12.0], &[2.0, -1.0]);
        // 4 * |0.5 - 2.5|^2 - |8 - 12|^-1, and in the middle the distance is 0, which is replaced
        // by 2^-20.
        let scores = scores_of_squares(&made.unwrap());
        assert_eq!(scores, [15.75, 16.0 - 1_048_576.0, 15.75]);
    }

    #[test]
    fn without_displacement_it_is_the_exponential_evaluator() {
        let ids = ["landing_height", "row_transitions", "holes"];
        let (weights, exponents) = ([1.5, -2.0, 3.0], [0.7, 1.3, -1.9]);
        let plain = Displaced::exponential(features(&ids, 4), &weights, &exponents);
        let displaced = Displaced::new(features(&ids, 4), &weights, &[0.0; 3], &exponents);
        assert_eq!(
            scores_of_squares(&plain.unwrap()),
            scores_of_squares(&displaced.unwrap())
        );
    }

    #[test]
    fn wrong_parameters_are_named() {
        let error = |displacements: &[f64], exponents: &[f64]| {
            let features = features(&["holes"], 6);
            let made = Displaced::new(features, &[1.0], displacements, exponents);
            made.unwrap_err().to_string()
        };
        assert_eq!(
            error(&[], &[1.0]),
            "expected 1 displacement values on a board 6 wide, found 0"
        );
        assert_eq!(
            error(&[f64::INFINITY], &[1.0]),
            "the displacement of holes is inf, not a finite number"
        );
        assert_eq!(
            error(&[0.0], &[f64::NEG_INFINITY]),
            "the exponent of holes is -inf, not a finite number"
        );
    }
}
