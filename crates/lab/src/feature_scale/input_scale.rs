//! Scales network inputs to mean 0 and standard deviation 1.

use super::{reference, sample_features};
use tetrolab_core::features::{FeatureMatrix, FeatureSet};
use tetrolab_core::network::Signals;
use tetrolab_core::ruleset::Ruleset;

/// The offset and the factor of each input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InputScale {
    pub(crate) shifts: Vec<f32>,
    pub(crate) scales: Vec<f32>,
}

impl InputScale {
    /// Leaves inputs unchanged.
    pub(crate) fn plain(inputs: usize) -> InputScale {
        InputScale {
            shifts: vec![0.0; inputs],
            scales: vec![1.0; inputs],
        }
    }

    /// The mean and the spread of each input over all placements in a thousand decisions of
    /// Dellacherie's player in seeded games.
    pub(crate) fn measured(features: &FeatureSet, ruleset: &Ruleset) -> InputScale {
        let mut sums = vec![[0.0f64; 2]; features.len()];
        let mut count = 0.0;
        sample_features(
            features,
            reference(ruleset.width),
            ruleset,
            |values, placements| {
                for (sums, row) in sums.iter_mut().zip(values.rows()) {
                    for value in &row[..placements] {
                        sums[0] += value;
                        sums[1] += value * value;
                    }
                }
                count += placements as f64;
            },
        );
        let moments = |[sum, squares]: &[f64; 2]| {
            let mean = sum / count;
            let spread = (squares / count - mean * mean).max(0.0).sqrt();
            // An input that never changes carries no information at any scale.
            let scale = if spread > 1e-9 { 1.0 / spread } else { 1.0 };
            (mean as f32, scale as f32)
        };
        let (shifts, scales) = sums.iter().map(moments).unzip();
        InputScale { shifts, scales }
    }

    /// The values of all placements of a decision as inputs.
    pub(crate) fn fill(&self, values: &FeatureMatrix, count: usize, inputs: &mut Signals) {
        inputs.reset(self.shifts.len(), count);
        for (number, row) in values.rows().enumerate() {
            let (shift, scale) = (self.shifts[number], self.scales[number]);
            for (input, value) in inputs.row_mut(number).iter_mut().zip(row) {
                *input = (*value as f32 - shift) * scale;
            }
        }
    }
}
