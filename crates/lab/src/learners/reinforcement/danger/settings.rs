//! The settings of the learner of dangers.

use super::super::KEEP;
use crate::settings::settings;
use tetrolab_core::settings::Kind;
use tetrolab_core::spec::Spec;

settings! {
    /// The settings.
    pub(super) struct DangerSettings {
        /// while at least eight rows above the stack are empty, skip placements that cover more
        /// than this many empty cells beyond the minimum, unless they complete a row
        covers: u32 = "2" in Kind::count(0, 64);
        /// L: a death this many pieces away counts a third (gamma is 1 - 1/L)
        horizon: f64 = "60" in Kind::number(2.0, 1e6);
        /// alpha: step size of the danger of a board towards its target
        rate: f64 = "0.5" in Kind::number(1e-6, 10.0);
        /// share of the step size that remains at the end of the cooling; it decays exponentially
        rate_end: f64 = "0.1" in Kind::number(1e-6, 1.0);
        /// number of boards over which the rate falls
        cooling: f64 = "3000000" in Kind::count(1, 1_000_000_000);
        /// c: visits of an entry after which its step has fallen to 0.7 of the rate
        visits: f32 = "1000" in Kind::number(1.0, 1e9);
        /// bound on a relative error
        most: f64 = "3" in Kind::number(0.1, 100.0);
        /// weight of the rest of the trajectory in the target, relative to the next board alone
        lambda: f64 = "0.9" in Kind::SHARE;
        /// initial danger of every board, as a logarithm
        first: f32 = "-6" in Kind::number(-100.0, 0.0);
        /// initial behaviour policy: a player whose danger is learned first
        behaviour: Spec = "misakamm-v2" in Kind::EVALUATOR;
        /// number of boards played by the initial behaviour policy
        warmup: u64 = "200000" in Kind::count(0, 1_000_000_000);
        /// the player is a moving average of the weights over this share of all boards so far; 0
        /// for the latest weights
        average: f64 = "0.25" in Kind::number(0.0, 1.0);
        /// share of the games played by the averaged weights; the others use the latest weights
        calm: f64 = "0.7" in Kind::SHARE;
        /// also play on lower boards, starting with this height
        lowest: usize = "10" in Kind::count(4, 26);
        /// share of the games on the full board height
        full: f64 = "0.6" in Kind::SHARE;
        /// pieces are drawn in proportion to the danger after them to a power of at most this; 0
        /// draws pieces as in the game
        tilt: f64 = "1.1" in Kind::number(0.0, 10.0);
        /// share of the games with such pieces
        tilted: f64 = "0.3" in Kind::SHARE;
        /// share of the games that start on ancestors of deaths, found by splitting
        ancestors: f64 = "0" in Kind::SHARE;
        /// number of boards between two splitting runs
        refresh: u64 = "200000" in Kind::count(100, 1_000_000_000);
        /// number of trajectories from each level of such a splitting run
        trajectories: usize = "250" in Kind::count(10, 100_000);
        /// number of groups of eight games played in parallel
        groups: u64 = "4" in Kind::count(1, 64);
        keep: String = KEEP;
        /// evaluation interval, in boards
        interval: u64 = "500000" in Kind::count(100, 1_000_000_000);
    }
}

impl DangerSettings {
    /// Discount of the next board's danger.
    pub(super) fn gamma(&self) -> f64 {
        1.0 - 1.0 / self.horizon
    }

    /// The rate after this many boards.
    pub(super) fn rate_at(&self, boards: u64) -> f64 {
        let cooled = (boards as f64 / self.cooling).min(1.0);
        self.rate * libm::pow(self.rate_end, cooled)
    }
}
