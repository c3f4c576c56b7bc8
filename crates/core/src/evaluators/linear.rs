//! The linear evaluator: a weighted sum of features.
//!
//! # Precision
//!
//! Weights are stored as integers of at most [`WEIGHT_BITS`] bits with a common scale. If the
//! weights, written as decimals, fit after multiplication by a power of ten, they are stored
//! exactly; otherwise they are rounded to a multiple of a power of two such that the largest one
//! has [`WEIGHT_BITS`] bits. Nearly all features are multiples of a quarter below 2^14, so every
//! product and every sum is exact in an `f64` (53 bits): equal placements have equal scores
//! regardless of the order of summation, and an implementation with integers makes exactly the same
//! decisions. The exceptions are features whose values are not such numbers (means, radial bases)
//! or can be larger (`total_lines`, `xtris_embedded_holes`, and `misakamm_wells`, whose own weight
//! is small): they are summed in the order of the set.

use super::{
    Evaluator, EvaluatorEntry, Form, MakeEvaluator, NUMBERS, ParameterTable, Score, Scores,
    TermSum, WeightError, Workspace,
};
use crate::features::{Feature, FeatureMatrix, FeatureSet, weigh_classic};
use crate::outcomes::Outcomes;
use crate::placement::Transition;
use std::sync::Arc;

pub(super) const ENTRY: EvaluatorEntry = EvaluatorEntry {
    id: "linear",
    definition: "sum of weight * feature",
    source: "Tsitsiklis and Van Roy 1996 and nearly everyone since",
    settings: NUMBERS,
    make: Form {
        tables: &[ParameterTable::WEIGHTS],
        only_direction_counts: true,
        make: MakeEvaluator::Tables(|features, tables| {
            let weights = tables.into_iter().flatten().collect();
            Ok(Arc::new(Linear::new(features, weights)?))
        }),
    },
};

/// The maximum number of bits of a weight in a linear evaluator.
pub const WEIGHT_BITS: u32 = 32;

/// Score = sum of weight times feature.
#[derive(Clone, Debug)]
pub struct Linear {
    features: FeatureSet,
    weights: Vec<f64>,
    scaled: Vec<f64>,
    /// The weights of the classic features, if the set has no others.
    classic: Option<[f64; 8]>,
    /// The features that describe the move, with their scaled weights.
    of_move: Vec<(&'static Feature, f64)>,
}

impl Linear {
    /// Computes a weighted sum of the features of a set, with one weight for each of its values.
    ///
    /// # Errors
    /// If the number of weights is wrong, or one is not finite.
    pub fn new(features: FeatureSet, weights: Vec<f64>) -> Result<Linear, WeightError> {
        ParameterTable::WEIGHTS.check(&features, &weights)?;
        let scaled = whole_numbers(&weights);
        Ok(Linear {
            classic: features.classic_weights(&scaled),
            of_move: features_of_move(&features, &scaled),
            features,
            weights,
            scaled,
        })
    }

    /// The weights as given.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The weights as integers, from which scores are computed.
    pub fn scaled_weights(&self) -> &[f64] {
        &self.scaled
    }

    /// The weighted features, in order.
    pub fn features(&self) -> &FeatureSet {
        &self.features
    }

    /// Scores every placement from its features.
    fn score_all(&self, values: &FeatureMatrix, count: usize, scores: &mut Scores) {
        // Computes four placements at a time, including a few beyond the last one: the sums then
        // stay in registers.
        for (chunk, scores) in scores.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            if 4 * chunk >= count {
                break;
            }
            let mut sums = [0.0; 4];
            for (row, &weight) in values.rows().zip(&self.scaled) {
                for (sum, &value) in sums.iter_mut().zip(&row.as_chunks::<4>().0[chunk]) {
                    *sum += weight * value;
                }
            }
            *scores = sums;
        }
    }
}

impl Evaluator for Linear {
    fn features(&self) -> Option<&FeatureSet> {
        Some(&self.features)
    }

    fn rate(&self, outcomes: &mut Outcomes, workspace: &mut Workspace, scores: &mut Scores) {
        if let Some(weights) = &self.classic {
            weigh_classic(outcomes, &mut workspace.values, weights, scores);
        } else {
            self.features.fill(outcomes, &mut workspace.values);
            self.score_all(&workspace.values, outcomes.len(), scores);
        }
    }

    fn step_value(&self, step: &Transition) -> Score {
        let term = |(feature, weight): &(&Feature, f64)| {
            weight * feature.value_of_move(step).unwrap_or(0.0)
        };
        self.of_move.iter().map(term).sum()
    }

    fn unit(&self) -> f64 {
        let pairs = self.weights.iter().zip(&self.scaled);
        let largest = pairs.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        let (weight, scaled) = largest
            .filter(|pair| *pair.1 != 0.0)
            .unwrap_or((&1.0, &1.0));
        weight / scaled
    }

    fn as_linear(&self) -> Option<&Linear> {
        Some(self)
    }

    fn as_sum(&self) -> Option<&dyn TermSum> {
        Some(self)
    }
}

impl TermSum for Linear {
    fn term(&self, number: usize, value: f64) -> f64 {
        self.scaled[number] * value
    }

    fn slope(&self, number: usize) -> Option<f64> {
        Some(self.scaled[number])
    }
}

/// The features of a set that describe the move, with their weights. All of them are single
/// numbers.
fn features_of_move(features: &FeatureSet, weights: &[f64]) -> Vec<(&'static Feature, f64)> {
    let mut rest = weights;
    let mut of_move = Vec::new();
    for feature in features.features() {
        let (own, others) = rest.split_at(feature.len(features.width()));
        if feature.describes_move() {
            of_move.push((*feature, own[0]));
        }
        rest = others;
    }
    of_move
}

/// The weights as integers of at most [`WEIGHT_BITS`] bits, all multiplied by the same number.
fn whole_numbers(weights: &[f64]) -> Vec<f64> {
    let largest = weights
        .iter()
        .fold(0.0, |most: f64, weight| most.max(weight.abs()));
    let limit = libm::ldexp(1.0, WEIGHT_BITS as i32);
    let decimals = weights
        .iter()
        .map(|&weight| decimals(weight))
        .max()
        .unwrap_or(0);
    let power_of_ten = (0..decimals).fold(1.0, |power, _| power * 10.0);
    if largest * power_of_ten < limit {
        let scaled = |weight: &f64| libm::rint(weight * power_of_ten);
        return weights.iter().map(scaled).collect();
    }
    let (_, exponent) = libm::frexp(largest);
    let scaled = |&weight: &f64| libm::rint(libm::ldexp(weight, WEIGHT_BITS as i32 - exponent));
    weights.iter().map(scaled).collect()
}

/// The number of decimals in the shortest decimal form of a number.
fn decimals(number: f64) -> usize {
    let text = format!("{number}");
    text.split_once('.').map_or(0, |(_, digits)| digits.len())
}

#[cfg(test)]
mod tests {
    use super::super::Displaced;
    use super::super::testing::features;
    use super::*;
    use crate::board::Board;
    use crate::ends::End;
    use crate::moves::drop_in;
    use crate::piece::{Piece, Rotation};
    use crate::rules::Rules;

    /// A square on the floor of a board with a tower.
    fn step() -> Transition {
        let before = Board::from_rows(4, 4, &["....", "....", "##..", "##.."]).unwrap();
        let square = drop_in(&before, Piece::O, Rotation::North, 2).unwrap();
        Rules::Drops(End::ABOVE_TOP).step(&before, square, None, 0)
    }

    #[test]
    fn the_value_of_a_step_is_the_sum_of_its_weighted_features_of_the_move() {
        let ids = [
            "holes",
            "landing_height",
            "column_heights",
            "lines_cleared",
            "delta_max_height",
        ];
        let weights = vec![-4.0, -1.5, 9.0, 9.0, 9.0, 9.0, 3.0, 0.5];
        let linear = Linear::new(features(&ids, 4), weights).unwrap();
        // Weights count tenths: landing at 0.5, two lines, and the stack two rows lower.
        assert_eq!(linear.step_value(&step()), -7.5 + 60.0 - 10.0);
    }

    #[test]
    fn evaluators_that_are_not_sums_of_features_have_no_step_value() {
        let set = || features(&["landing_height"], 4);
        let exponential = Displaced::exponential(set(), &[-1.0], &[1.0]).unwrap();
        let displaced = Displaced::new(set(), &[-1.0], &[0.0], &[1.0]).unwrap();
        assert_eq!(exponential.step_value(&step()), 0.0);
        assert_eq!(displaced.step_value(&step()), 0.0);
    }

    #[test]
    fn decimal_weights_are_held_exactly() {
        let scaled = whole_numbers(&[-12.629, 6.601974, -24.04087]);
        assert_eq!(scaled, [-12_629_000.0, 6_601_974.0, -24_040_870.0]);
    }

    #[test]
    fn other_weights_are_rounded_to_the_stated_number_of_bits() {
        let scaled = whole_numbers(&[1.0 / 3.0, -1e-300]);
        assert_eq!(scaled, [2_863_311_531.0, 0.0]);
    }

    #[test]
    fn the_largest_and_the_smallest_numbers_are_weights_too() {
        assert_eq!(whole_numbers(&[0.0, -0.0]), [0.0, 0.0]);
        for size in [f64::MAX, 1.0 / 3e300, f64::MIN_POSITIVE, 4e-320] {
            let scaled = whole_numbers(&[size, -size / 2.0]);
            assert!(
                scaled[0] >= 1.0 && scaled[0] <= libm::ldexp(1.0, 32),
                "{size}"
            );
            assert!((scaled[1] + scaled[0] / 2.0).abs() <= 0.5, "{size}");
        }
    }
}
