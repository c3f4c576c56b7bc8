//! The result of learning.

use super::SCHEMA;
use crate::learners::Solution;
use crate::learning::{Driven, Generation, Learning};
use serde::{Deserialize, Serialize};

/// The result of learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearningResult {
    /// The version of this schema: [`SCHEMA`].
    pub schema: u32,
    /// Whether the run was stopped early; the store contains the results up to that point.
    pub interrupted: bool,
    /// The folder of the run.
    pub run: String,
    /// The player's file, in the form that other studies accept; `None` if learning was stopped.
    pub player: Option<String>,
    /// The description, with the complete rules.
    pub plan: Learning,
    /// Why each of the independent runs ended.
    pub ended: Vec<String>,
    /// Number of games played.
    pub games: u64,
    /// Number of pieces placed.
    pub pieces: u64,
    /// Duration in seconds.
    pub seconds: f64,
    /// The solution of each run; a model is in the player's file.
    pub solutions: Vec<Vec<f64>>,
    /// Whether the run had already finished, so that nothing new was learned.
    pub finished_before: bool,
    /// The truncated games of the last generation, if they are more than half.
    pub capped: Option<Capped>,
}

/// Truncated games, whose cap hides how long candidates would have survived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capped {
    /// Number of truncated games.
    pub cut_off: u64,
    /// Number of all games.
    pub games: u64,
}

impl LearningResult {
    /// The result of the driver; `run` is the folder of the run.
    pub(super) fn of(
        plan: &Learning,
        driven: &Driven,
        run: String,
        finished_before: bool,
    ) -> LearningResult {
        let numbers = |solution: &Solution| match solution {
            Solution::Numbers(numbers) => Some(numbers.clone()),
            Solution::Model(_) => None,
        };
        LearningResult {
            schema: SCHEMA,
            interrupted: driven.interrupted,
            run,
            player: None,
            finished_before,
            capped: driven.last.as_ref().and_then(Capped::of),
            ended: driven.stops.clone(),
            games: driven.games,
            pieces: driven.pieces,
            seconds: driven.seconds,
            solutions: driven.solutions.iter().filter_map(numbers).collect(),
            plan: plan.clone(),
        }
    }
}

impl Capped {
    fn of(last: &Generation) -> Option<Capped> {
        let games = last.games;
        let cut_off = last.mostly_cut_off()?;
        Some(Capped { cut_off, games })
    }
}
