//! Learns how dangerous a board is for a player, before the first repetition.
//!
//! The optimal importance of a board is the probability of dying before the stack is back in the
//! base: trajectories then start where deaths come from, and the variance of repetitions is lowest
//! (Glasserman, Heidelberger, Shahabuddin and Zajic 1999; Cérou and Guyader 2007). It is unknown,
//! but can be learned from trajectories: `explore` plays trajectories from level to level as in a
//! repetition, and `fit` determines which boards on their paths led to the next level. These
//! trajectories are not used in an estimate, so the estimate is unbiased regardless of what was
//! learned.

mod explore;
mod fit;

pub(super) use explore::explore;
pub(super) use fit::fit;

use super::importance::{CERTAIN_DEATH, DangerTerms, EMPTY_LEVEL, LEVELS_PER_NAT};

/// The learned probability of dying from a level of a danger.
pub(crate) fn danger_chance(level: u32) -> f64 {
    let nats = (f64::from(level) - f64::from(CERTAIN_DEATH)) / LEVELS_PER_NAT;
    libm::exp(nats).min(1.0)
}

/// The ratio of the probability of losing at a level of a player's own danger to that on an empty
/// board, if that danger is correct.
pub(crate) fn times_empty(level: u32) -> f64 {
    libm::exp((f64::from(level) - EMPTY_LEVEL) / LEVELS_PER_NAT)
}

/// One trajectory.
#[derive(Clone, Debug)]
pub(super) struct Explored {
    /// Boards on the trajectory's path.
    pub(super) boards: Vec<DangerTerms>,
    pub(super) end: ExploredEnd,
}

/// The trajectories from one level.
pub(super) type ExploredLevel = Vec<Explored>;

/// How a trajectory ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExploredEnd {
    /// The trajectory fell back.
    Back,
    /// The trajectory reached the next level.
    Up,
    /// The game was over.
    Dead,
}
