//! The exponential evaluator: a weighted sum of powers of features (Böhm, Kókai and Mandl 2005).
//!
//! The paper does not define 0 to a negative power and fractional powers of negative numbers; see
//! [`POWER_FLOOR`](super::POWER_FLOOR) for our definition.

use super::{Displaced, EvaluatorEntry, Form, MakeEvaluator, NUMBERS, ParameterTable, form};
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
            let made = Displaced::exponential(features, &weights, &exponents)?;
            Ok(Arc::new(made))
        }),
    },
};

#[cfg(test)]
mod tests {
    use super::super::testing::{features, scores_of_squares};
    use super::super::{Linear, POWER_FLOOR};
    use super::*;

    #[test]
    fn scores_are_sums_of_weighted_powers() {
        // O on an empty board 4 wide and 4 high lands at height 0.5. Every row has 2 row
        // transitions, but the two rows with O in the middle have 4: 12 in total, or 8 with O at a
        // wall. There are no holes.
        let ids = ["landing_height", "row_transitions", "holes"];
        let evaluator =
            Displaced::exponential(features(&ids, 4), &[-2.0, 3.0, -1.0], &[-1.0, 2.0, -0.5]);
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
        let same = Displaced::exponential(features(&ids, 4), &weights, &[1.0, 1.0]).unwrap();
        assert_eq!(scores_of_squares(&same), scores_of_squares(&linear));
    }

    #[test]
    fn wrong_parameters_are_named() {
        let error = |weights: &[f64], exponents: &[f64]| {
            let features = features(&["holes", "well_sums"], 10);
            let made = Displaced::exponential(features, weights, exponents);
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
