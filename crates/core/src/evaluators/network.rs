//! The network evaluator: a network computes the score from features (the thesis; Langenhoven, van
//! Heerden and Engelbrecht 2010).
//!
//! Its inputs are the raw feature values. A learner may scale them while it learns, and folds the
//! scale into the first layer when it writes the network ([`Network::absorbing`]), so that files
//! need no scale.

use super::power::ordered;
use super::{
    Evaluator, EvaluatorEntry, Form, MakeEvaluator, NUMBERS, Scores, WeightError, Workspace,
};
use crate::features::FeatureSet;
use crate::network::{Network, Signals};
use crate::outcomes::Outcomes;
use crate::simd::wide_forward;
use std::sync::Arc;

pub(super) const ENTRY: EvaluatorEntry = EvaluatorEntry {
    id: "network",
    definition: "output of a feed-forward network whose inputs are the features",
    source: "thesis; Langenhoven, van Heerden and Engelbrecht 2010",
    settings: NUMBERS,
    make: Form {
        tables: &[],
        only_direction_counts: false,
        make: MakeEvaluator::Network {
            has_features: true,
            make: |features, network| Ok(Arc::new(FeatureNetwork::new(features, network)?)),
        },
    },
};

/// Score = output of a network whose inputs are features.
#[derive(Clone, Debug)]
pub struct FeatureNetwork {
    features: FeatureSet,
    network: Network,
}

impl FeatureNetwork {
    /// Evaluates a network on the features of a set; it has one input for each feature value and
    /// one output.
    ///
    /// # Errors
    /// If the network has other inputs or outputs.
    pub fn new(features: FeatureSet, network: Network) -> Result<FeatureNetwork, WeightError> {
        let (expected, found) = (features.len(), network.inputs());
        if expected != found {
            let width = features.width();
            return WeightError::because(format!(
                "the network has {found} inputs, but {expected} are needed on a board {width} wide"
            ));
        }
        WeightError::check_outputs(network.outputs())?;
        Ok(FeatureNetwork { features, network })
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }
}

/// Takes scores from the first output of a network; NaN is treated as the worst score.
pub(super) fn put_scores(outputs: &Signals, scores: &mut Scores) {
    for (score, output) in scores.iter_mut().zip(outputs.row(0)) {
        *score = ordered(f64::from(*output));
    }
}

impl Evaluator for FeatureNetwork {
    fn features(&self) -> Option<&FeatureSet> {
        Some(&self.features)
    }

    fn rate(&self, outcomes: &mut Outcomes, workspace: &mut Workspace, scores: &mut Scores) {
        self.features.fill(outcomes, &mut workspace.values);
        let (inputs, pass) = &mut workspace.signals;
        inputs.reset(self.features.len(), outcomes.len());
        for (number, row) in workspace.values.rows().enumerate() {
            for (input, value) in inputs.row_mut(number).iter_mut().zip(row) {
                *input = *value as f32;
            }
        }
        put_scores(wide_forward(&self.network, inputs, pass), scores);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{features, scores_of_squares};
    use super::*;
    use crate::network::Activation;

    fn network(layers: &[(usize, Activation)], inputs: usize, parameters: &[f32]) -> Network {
        let network = Network::new(inputs, layers).unwrap();
        network.with_parameters(parameters.to_vec()).unwrap()
    }

    #[test]
    fn scores_are_the_output_of_the_network_for_the_features() {
        // O on an empty board 4 wide and 4 high lands at height 0.5; row transitions are 8 at a
        // wall, 12 in the middle.
        let ids = ["landing_height", "row_transitions"];
        let layers = [(2, Activation::Relu), (1, Activation::Linear)];
        // max(0, 2 l + r - 10) and max(0, r - 20); three times the first, minus the second, plus
        // one half.
        let parameters = [2.0, 1.0, 0.0, 1.0, -10.0, -20.0, 3.0, -1.0, 0.5];
        let made = FeatureNetwork::new(features(&ids, 4), network(&layers, 2, &parameters));
        assert_eq!(scores_of_squares(&made.unwrap()), [0.5, 9.5, 0.5]);
    }

    #[test]
    fn an_output_that_is_no_number_is_the_worst_score() {
        // Infinity minus infinity.
        let layers = [(2, Activation::Linear), (1, Activation::Linear)];
        let huge = f32::MAX;
        let parameters = [huge, huge, huge, huge, huge, -huge, 0.0];
        let made = FeatureNetwork::new(
            features(&["row_transitions"], 4),
            network(&layers, 1, &parameters),
        );
        let scores = scores_of_squares(&made.unwrap());
        assert!(scores.iter().all(|score| *score == f64::NEG_INFINITY));
    }

    #[test]
    fn a_network_that_does_not_fit_is_refused() {
        let layers = [(2, Activation::Linear)];
        let error = |ids: &[&str]| {
            let made = FeatureNetwork::new(features(ids, 6), network(&layers, 1, &[0.0; 4]));
            made.unwrap_err().to_string()
        };
        assert_eq!(
            error(&["holes", "well_sums"]),
            "the network has 1 inputs, but 2 are needed on a board 6 wide"
        );
        assert_eq!(error(&["holes"]), "the network must have 1 output, got 2");
    }
}
