//! Learns how dangerous a board is for one player, before the first repetition.
//!
//! The best level of a board is the chance to die before the stack is back in the base: with it,
//! trajectories start where deaths come from, and repetitions scatter least (Glasserman,
//! Heidelberger, Shahabuddin and Zajic 1999; Cérou and Guyader 2007). It is not known, but
//! trajectories show it: those of `explore` climb from level to level as a repetition does, and
//! `fit` asks which boards on the way belonged to those that reached the next level. No estimate
//! uses these trajectories, so the levels of a danger are as good as levels given from outside:
//! nothing becomes biased, whatever was learned.

mod explore;
mod fit;

pub(super) use explore::explore;
pub(super) use fit::fit;

use super::importance::{CERTAIN_DEATH, DangerTerms, EMPTY_LEVEL, LEVELS_PER_NAT};

/// The chance to die, as it was learned, on a level of a danger.
pub fn danger_chance(level: u32) -> f64 {
    let nats = (f64::from(level) - f64::from(CERTAIN_DEATH)) / LEVELS_PER_NAT;
    libm::exp(nats).min(1.0)
}

/// How much likelier it is to lose on a level of a player's own danger than on the empty board, if
/// it is right.
pub fn times_empty(level: u32) -> f64 {
    libm::exp((f64::from(level) - EMPTY_LEVEL) / LEVELS_PER_NAT)
}

/// What one trajectory did.
#[derive(Clone, Debug)]
pub(super) struct Explored {
    /// Boards that it came by.
    pub(super) boards: Vec<DangerTerms>,
    pub(super) end: ExploredEnd,
}

/// What the trajectories from one level did.
pub(super) type ExploredLevel = Vec<Explored>;

/// How a trajectory ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExploredEnd {
    /// It fell back.
    Back,
    /// It reached the next level.
    Up,
    /// The game was over.
    Dead,
}
