//! The settings of the learner of temporal differences.

use super::KEEP;
use super::actor::Reward;
use crate::settings::settings;
use tetrolab_core::network::{Activation, Initialisation, UpdateRule};
use tetrolab_core::settings::Kind;
use tetrolab_core::spec::Spec;

settings! {
    /// The settings.
    pub(super) struct TdSettings {
        /// learned value of a board: the logarithm of the discounted probability of losing, or the
        /// discounted return
        value: String = "danger" in Kind::Word(&["danger", "return"]);
        /// reward of a move with value=return: lines, 2^(lines-1), 1, or exp(-holes/33)
        reward: Reward = "survival" in Kind::Word(Reward::NAMES);
        /// discount of the next board's value
        gamma: f32 = "0.983" in Kind::number(0.0, 0.999_999);
        /// share of the eligibility trace that remains from board to board (lambda), in addition to
        /// gamma
        lambda: f32 = "0.5" in Kind::SHARE;
        /// step size (alpha)
        rate: f64 = "0.0003" in Kind::number(1e-8, 10.0);
        /// share of the step size that remains at the end of the cooling; it decays exponentially
        rate_end: f64 = "0.1" in Kind::number(1e-4, 1.0);
        /// placements are drawn with probabilities proportional to exp(value / temperature); 0
        /// chooses the best
        temperature: f64 = "0" in Kind::number(0.0, 1e6);
        /// number of placements over which the step size falls to its final value, and the
        /// temperature linearly to 0
        cooling: f64 = "4000000" in Kind::count(1, 1_000_000_000);
        /// initial value of every board
        first: f32 = "-4" in Kind::number(-100.0, 1e6);
        /// initial behaviour policy: a player whose value is learned first
        behaviour: Spec = "bcts" in Kind::EVALUATOR;
        /// number of placements by the initial behaviour policy
        warmup: u64 = "200000" in Kind::count(0, 1_000_000_000);
        /// the player is a moving average of the parameters over about this many placements; 0 for
        /// the latest parameters
        average: u64 = "500000" in Kind::count(0, 1_000_000_000);
        /// units of each hidden layer of a network
        units: usize = "100" in Kind::count(1, 4096);
        /// hidden layers of a network
        layers: usize = "1" in Kind::count(1, 8);
        /// activation function of the hidden units
        activation: Activation = "dsilu" in Kind::Word(&["relu", "silu", "dsilu", "sigmoid"]);
        /// initialisation of the weights of a network
        weights: Initialisation = "xavier" in Kind::Word(&["he", "xavier"]);
        /// features unchanged, or scaled to mean 0 and spread 1 over a thousand decisions
        inputs: String = "scaled" in Kind::Word(&["plain", "scaled"]);
        /// update rule of the network's parameters
        rule: String = "rmsprop" in Kind::Word(&["rmsprop", "adam", "sgd"]);
        /// number of visits of a table entry after which its step has fallen to 0.7 of the rate
        visits: f32 = "5000" in Kind::number(1.0, 1e9);
        keep: String = KEEP;
        /// evaluation interval, in placements; each interval starts with a new game
        interval: u64 = "100000" in Kind::count(100, 1_000_000_000);
    }
}

impl TdSettings {
    /// Whether the logarithm of the discounted probability of losing is learned, rather than
    /// rewards.
    pub(super) fn learns_danger(&self) -> bool {
        self.value == "danger"
    }

    pub(super) fn update_rule(&self) -> UpdateRule {
        let rate = self.rate as f32;
        match self.rule.as_str() {
            "sgd" => UpdateRule::Sgd { rate },
            "adam" => UpdateRule::adam(rate),
            _ => UpdateRule::rmsprop(rate),
        }
    }

    /// The progress of the cooling, from 0 to 1, after this many placements.
    fn cooled(&self, placements: u64) -> f64 {
        (placements as f64 / self.cooling).min(1.0)
    }

    /// The step size after this many placements.
    pub(super) fn rate_at(&self, placements: u64) -> f32 {
        (self.rate * libm::pow(self.rate_end, self.cooled(placements))) as f32
    }

    /// The temperature after this many placements.
    pub(super) fn temperature_at(&self, placements: u64) -> f64 {
        self.temperature * (1.0 - self.cooled(placements))
    }
}
