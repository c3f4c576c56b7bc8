//! A training step: samples forward, errors back, parameter update.

use super::{Network, Pass, Signals, UpdateRule, Updater};
use crate::stop::StopFlag;

/// Trains a network with one output on squared errors; scratch space is allocated once.
#[derive(Clone, Debug)]
pub struct Training {
    updater: Updater,
    pass: Pass,
    slopes: Signals,
    gradient: Vec<f32>,
    /// The largest error that counts in full; beyond it, the loss grows linearly.
    most: f32,
}

impl Training {
    /// Prepares to train a network with an update rule.
    pub fn new(network: &Network, rule: UpdateRule) -> Training {
        let parameters = network.parameters().len();
        Training {
            updater: Updater::new(rule, parameters),
            pass: Pass::default(),
            slopes: Signals::default(),
            gradient: vec![0.0; parameters],
            most: f32::INFINITY,
        }
    }

    /// Limits the weight of large errors (Huber 1964).
    #[must_use]
    pub fn clipped(self, most: f32) -> Training {
        Training { most, ..self }
    }

    /// Stops a step once a flag is raised; the network is then invalid.
    pub fn heed(&mut self, stop: &StopFlag) {
        self.pass.heed(stop);
    }

    /// The update rule with its state.
    pub fn updater(&mut self) -> &mut Updater {
        &mut self.updater
    }

    /// The state of the rule: [`Updater::memory`].
    pub fn memory(&self) -> Vec<f32> {
        self.updater.memory()
    }

    /// Moves the outputs for samples towards their targets; returns the mean squared error before
    /// the step.
    ///
    /// # Panics
    /// If the numbers of targets and samples differ.
    #[inline(always)]
    pub fn step(&mut self, network: &mut Network, inputs: &Signals, targets: &[f32]) -> f32 {
        assert_eq!(targets.len(), inputs.count(), "one target for each sample");
        let outputs = network.forward(inputs, &mut self.pass);
        self.slopes.reset(1, targets.len());
        let share = 1.0 / targets.len() as f32;
        let mut loss = 0.0;
        let slopes = self.slopes.row_mut(0).iter_mut();
        for ((slope, output), target) in slopes.zip(outputs.row(0)).zip(targets) {
            let error = output - target;
            loss += error * error;
            // NaN is preserved by both comparisons.
            let error = if error > self.most { self.most } else { error };
            let error = if error < -self.most {
                -self.most
            } else {
                error
            };
            *slope = 2.0 * share * error;
        }
        self.gradient.fill(0.0);
        network.backward(inputs, &self.slopes, &mut self.pass, &mut self.gradient);
        self.updater.apply(&mut network.parameters, &self.gradient);
        loss * share
    }
}
