//! The settings of the learners of values by replay.

use super::actor::Reward;
use crate::settings::settings;
use tetrolab_core::network::{Activation, Initialisation, UpdateRule};
use tetrolab_core::settings::Kind;

settings! {
    /// The settings, with the thesis' values; those that the thesis does not state are marked
    /// "ours".
    pub(super) struct QSettings {
        /// units of each hidden layer
        units: usize = "32" in Kind::count(1, 4096);
        /// hidden layers
        layers: usize = "3" in Kind::count(1, 8);
        /// activation function of the hidden units
        activation: Activation = "relu" in Kind::Word(&["relu", "silu", "dsilu", "sigmoid"]);
        /// initialisation of the weights (ours)
        weights: Initialisation = "he" in Kind::Word(&["he", "xavier"]);
        /// features unchanged, or scaled to mean 0 and spread 1 over a thousand decisions
        inputs: String = "plain" in Kind::Word(&["plain", "scaled"]);
        /// size of the replay buffer, in moves
        queue: usize = "1000000" in Kind::count(16, 10_000_000);
        /// fill level of the replay buffer at which learning starts
        begin: f64 = "0.5" in Kind::SHARE;
        /// placements from one training step to the next
        every: u64 = "5" in Kind::count(1, 1_000_000);
        /// steps on each batch, with the same targets
        epochs: usize = "10" in Kind::count(1, 1000);
        /// batch size, in moves drawn from the replay buffer
        batch: usize = "128" in Kind::count(1, 65_536);
        /// update rule of the parameters (ours)
        rule: String = "adam" in Kind::Word(&["adam", "momentum", "sgd"]);
        /// step size (ours)
        rate: f64 = "0.001" in Kind::number(1e-8, 10.0);
        /// share of the step size that remains at the end of the cooling (ours)
        rate_end: f64 = "1" in Kind::SHARE;
        /// discount of the next board's value; the thesis: 0.8 to 0.99
        gamma: f32 = "0.95" in Kind::SHARE;
        /// number of moves whose rewards are summed before the value of a board is used; the
        /// thesis: 1
        steps: usize = "1" in Kind::count(1, 100);
        /// reward of a move: lines, 2^(lines-1), 1, or exp(-holes/33)
        reward: Reward = "lines" in Kind::Word(Reward::NAMES);
        /// probability of a random placement when learning begins; before that it is 1 (ours)
        explore: f64 = "0.2" in Kind::SHARE;
        /// probability of a random placement at the end of the cooling (ours)
        explore_end: f64 = "0" in Kind::SHARE;
        /// placements over which exploration and step size decrease linearly to their final values
        /// (ours)
        cooling: f64 = "1000000" in Kind::count(1, 1_000_000_000);
        /// training steps after which the target network is updated; 0 for no target network
        target: u64 = "0" in Kind::count(0, 1_000_000);
        /// error beyond which the loss is linear (Huber); 0 for squared errors
        clip: f32 = "0" in Kind::number(0.0, 1e9);
        /// which network is the result: the last one, or the one with the best test
        keep: String = "last" in Kind::Word(&["last", "best"]);
        /// number of games played in parallel
        actors: u64 = "1" in Kind::count(1, 1024);
        /// placements per actor with the same network; training steps run in parallel
        ahead: u64 = "5" in Kind::count(1, 100_000);
        /// evaluation interval, in placements
        interval: u64 = "100000" in Kind::count(1, 1_000_000_000);
    }
}

impl QSettings {
    /// Number of moves in the buffer when learning starts.
    pub(super) fn begins_at(&self) -> usize {
        let share = (self.begin * self.queue as f64).round() as usize;
        share.clamp(1, self.queue)
    }

    pub(super) fn update_rule(&self) -> UpdateRule {
        let rate = self.rate as f32;
        match self.rule.as_str() {
            "sgd" => UpdateRule::Sgd { rate },
            "momentum" => UpdateRule::Momentum { rate, decay: 0.9 },
            _ => UpdateRule::adam(rate),
        }
    }

    /// The error beyond which the loss grows linearly.
    pub(super) fn clipped_at(&self) -> f32 {
        if self.clip > 0.0 {
            self.clip
        } else {
            f32::INFINITY
        }
    }

    /// The progress of the cooling, from 0 to 1, this many placements after learning started.
    pub(super) fn cooled(&self, placements: u64) -> f64 {
        (placements as f64 / self.cooling).min(1.0)
    }
}
