//! Rewards.

use std::sync::Arc;
use tetrolab_core::evaluators::Evaluator;
use tetrolab_core::game::{Game, Status};

/// The reward of each step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RewardKind {
    /// The number of lines that the step clears.
    Lines,
    /// The points that the step scores under the ruleset's rules, or line points if it has no such
    /// rules.
    Points,
    /// 1 for each step that does not end the game.
    Survival,
    /// Nothing: the caller computes rewards, and only [`Shaping`] contributes here.
    Nothing,
}

/// Potential-based shaping (Ng, Harada and Russell 1999): `discount * potential(after) -
/// potential(before)` is added to each reward. The potential of a position is an evaluator's value
/// of the step that led there, times a scale; it is 0 at the beginning and at the end of an
/// episode.
#[derive(Clone, Debug)]
pub struct Shaping {
    /// The evaluator of positions.
    pub evaluator: Arc<dyn Evaluator>,
    /// The learner's discount factor.
    pub discount: f64,
    /// The factor by which scores are multiplied.
    pub scale: f64,
}

impl RewardKind {
    /// The counters of a game before a step, from which its reward is computed.
    #[inline]
    pub(super) fn count(self, game: &Game) -> u64 {
        match (self, game.stepped()) {
            (RewardKind::Lines | RewardKind::Survival | RewardKind::Nothing, _) => game.lines(),
            (RewardKind::Points, Some(stepped)) => stepped.tally().points,
            (RewardKind::Points, None) => game.line_points(),
        }
    }

    /// The reward of a step.
    #[inline]
    pub(super) fn of(self, before: u64, game: &Game) -> f64 {
        match self {
            RewardKind::Nothing => 0.0,
            RewardKind::Survival => f64::from(game.status() != Status::Over),
            RewardKind::Lines | RewardKind::Points => (self.count(game) - before) as f64,
        }
    }
}
