//! A network that learns online with eligibility traces.

use super::td_settings::TdSettings;
use super::value_function::{Averaged, TraceStep, ValueFunction, numbers_of};
use super::{BoardObservation, TrainingSetup, input_scale, new_network};
use crate::feature_scale::InputScale;
use crate::library::safetensors::Tensors;
use tetrolab_core::evaluators::{Model, board_inputs, visit_board_inputs};
use tetrolab_core::features::{FeatureMatrix, FeatureSet};
use tetrolab_core::network::{Network, NetworkError, Pass, Signals, Updater};
use tetrolab_core::outcomes::{MAX_OUTCOMES, Outcomes};
use tetrolab_core::rng::Rng;
use tetrolab_core::simd::{wide_forward, wide_gradient};
use tetrolab_core::stop::StopFlag;

/// Smaller trace values have no effect.
const NEGLIGIBLE: f32 = 1e-30;

/// The observation of a board.
enum SeenInputs {
    /// Features, scaled.
    Features {
        features: FeatureSet,
        scale: InputScale,
    },
    /// The board itself, which has this many rows.
    Board { height: usize },
}

/// A network with its learning state.
pub(super) struct ValueNetwork {
    sees: SeenInputs,
    network: Network,
    averaged: Averaged,
    updater: Updater,
    /// The eligibility trace e.
    trace: Vec<f32>,
    gradient: Vec<f32>,
    matrix: FeatureMatrix,
    inputs: Signals,
    pass: Pass,
    values: [f32; MAX_OUTCOMES],
    /// The inputs of the held board.
    held: Option<Signals>,
    slope: Signals,
}

impl ValueNetwork {
    /// An untrained network.
    ///
    /// # Errors
    /// If the layers together are too large.
    pub(super) fn new(
        settings: &TdSettings,
        setup: &TrainingSetup<'_>,
        rng: &mut Rng,
    ) -> Result<ValueNetwork, NetworkError> {
        let ruleset = setup.ruleset;
        let (sees, inputs) = match &setup.observation {
            BoardObservation::Features(features) => {
                let scale = input_scale(&settings.inputs, features, ruleset);
                let features = features.clone();
                let inputs = features.len();
                (SeenInputs::Features { features, scale }, inputs)
            }
            _ => {
                let height = ruleset.height;
                (
                    SeenInputs::Board { height },
                    board_inputs(ruleset.width, height),
                )
            }
        };
        let hidden = (settings.layers, settings.units, settings.activation);
        let mut network = new_network(inputs, hidden, settings.weights, rng)?;
        // At first, all boards have about the same value: the last layer starts with small weights,
        // and its bias is the initial value.
        let last = *network.layers().last().expect("it has one");
        let parameters = network.parameters_mut();
        parameters[last.weights()]
            .iter_mut()
            .for_each(|weight| *weight *= 0.1);
        parameters[last.biases()].fill(settings.first);
        let count = network.parameters().len();
        Ok(ValueNetwork {
            sees,
            averaged: Averaged::new(count),
            updater: Updater::new(settings.update_rule(), count),
            trace: vec![0.0; count],
            gradient: vec![0.0; count],
            network,
            matrix: FeatureMatrix::default(),
            inputs: Signals::default(),
            pass: Pass::default(),
            values: [0.0; MAX_OUTCOMES],
            held: None,
            slope: Signals::from_rows(&[&[1.0]]),
        })
    }
}

impl ValueFunction for ValueNetwork {
    fn heed(&mut self, stop: &StopFlag) {
        self.pass.heed(stop);
    }

    fn look(&mut self, outcomes: &mut Outcomes) {
        match &self.sees {
            SeenInputs::Features { features, scale } => {
                features.fill(outcomes, &mut self.matrix);
                scale.fill(&self.matrix, outcomes.len(), &mut self.inputs);
            }
            SeenInputs::Board { height } => {
                self.inputs.reset(self.network.inputs(), outcomes.len());
                self.inputs.clear();
                for index in 0..outcomes.len() {
                    let board = outcomes.board_after(index);
                    visit_board_inputs(&board, *height, |input| {
                        self.inputs.row_mut(input)[index] = 1.0;
                    });
                }
            }
        }
        let values = wide_forward(&self.network, &self.inputs, &mut self.pass).row(0);
        self.values[..outcomes.len()].copy_from_slice(&values[..outcomes.len()]);
    }

    fn value(&self, placement: usize) -> f32 {
        self.values[placement]
    }

    fn hold(&mut self, placement: usize) {
        let mut held = self.held.take().unwrap_or_default();
        held.reset(self.network.inputs(), 1);
        for number in 0..self.network.inputs() {
            held.row_mut(number)[0] = self.inputs.row(number)[placement];
        }
        self.held = Some(held);
    }

    fn held(&mut self) -> Option<f32> {
        let held = self.held.as_ref()?;
        Some(wide_forward(&self.network, held, &mut self.pass).row(0)[0])
    }

    fn learn(&mut self, error: f32, step: TraceStep) {
        let Some(held) = &self.held else {
            return;
        };
        for trace in &mut self.trace {
            *trace *= step.decay;
            // Values that decay forever become denormal, which makes processors a hundred times
            // slower.
            if trace.abs() < NEGLIGIBLE {
                *trace = 0.0;
            }
        }
        let (network, pass) = (&self.network, &mut self.pass);
        wide_gradient(network, held, &self.slope, pass, &mut self.trace);
        // Update rules go against a gradient.
        for (gradient, trace) in self.gradient.iter_mut().zip(&self.trace) {
            *gradient = -error * trace;
        }
        self.updater.set_rate(step.rate);
        self.updater
            .apply(self.network.parameters_mut(), &self.gradient);
    }

    fn let_go(&mut self) {
        self.held = None;
        self.trace.fill(0.0);
    }

    fn average(&mut self, share: f32) {
        self.averaged.follow(self.network.parameters(), share);
    }

    fn model(&self, sign: f32) -> Model {
        let mut network = self.network.clone();
        let learned = self.averaged.or(self.network.parameters());
        network.parameters_mut().copy_from_slice(learned);
        let last = *network.layers().last().expect("it has one");
        for number in last.weights().chain(last.biases()) {
            network.parameters_mut()[number] *= sign;
        }
        Model::Network(match &self.sees {
            SeenInputs::Features { scale, .. } => network.absorbing(&scale.shifts, &scale.scales),
            SeenInputs::Board { .. } => network,
        })
    }

    fn is_finite(&self) -> bool {
        self.network.is_finite()
    }

    fn save(&self, tensors: &mut Tensors) {
        let mut add = |name: &str, numbers: Vec<f32>| tensors.add(name, &[numbers.len()], numbers);
        add("network", self.network.parameters().to_vec());
        add("updater", self.updater.memory());
        self.averaged.save(tensors);
    }

    fn restore(&mut self, tensors: &Tensors) -> Option<()> {
        let parameters = numbers_of(tensors, "network", self.trace.len())?;
        self.network = self.network.clone().with_parameters(parameters).ok()?;
        self.averaged.restore(tensors)?;
        let memory = &tensors.find("updater")?.numbers;
        self.updater.restore(memory).then_some(())
    }
}
