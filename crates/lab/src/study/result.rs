//! The result of an evaluation: one schema for whole games and for splitting.

use super::{Note, SCHEMA, StudyError};
use crate::number::{finite, optional};
use crate::stats::{Interval, Paired};
use crate::survival::{LevelKind, Survival};
use serde::{Deserialize, Serialize};

/// The result of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluated {
    /// The version of this schema: [`SCHEMA`].
    pub schema: u32,
    /// Whether the evaluation was stopped early.
    pub interrupted: bool,
    /// The result of each player, in the order in which they were given; players that were not
    /// reached are missing.
    pub results: Vec<PlayerResult>,
    /// The players that failed after others had been measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedPlayer>,
    /// The players that played whole games, each compared with the first of them, on the games that
    /// all of them played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<PairResult>,
}

impl Evaluated {
    pub(super) fn new(
        interrupted: bool,
        results: Vec<PlayerResult>,
        failed: Vec<FailedPlayer>,
        comparisons: Vec<PairResult>,
    ) -> Evaluated {
        Evaluated {
            schema: SCHEMA,
            interrupted,
            results,
            failed,
            comparisons,
        }
    }
}

/// A player that could not be measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedPlayer {
    /// The player as given.
    pub player: String,
    /// The reason.
    pub error: String,
}

impl FailedPlayer {
    pub(super) fn new(player: &str, error: &StudyError) -> FailedPlayer {
        FailedPlayer {
            player: player.to_owned(),
            error: error.to_string(),
        }
    }
}

/// The result of one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerResult {
    /// The player as given.
    pub player: String,
    /// The name of the ruleset.
    pub ruleset: String,
    /// The seed of the games.
    pub seed: u64,
    /// `games` or `splitting`.
    pub method: String,
    /// Games played, including truncated ones.
    pub games: u64,
    /// Games that the player lost.
    pub finished: u64,
    /// Truncated games, by the cap or by an interruption.
    pub cut_off: u64,
    /// Whether the evaluation of this player was stopped early.
    pub interrupted: bool,
    /// Lines of a game.
    pub lines: LinesResult,
    /// Pieces of a game.
    pub pieces: MeanResult,
    /// Line points of a game.
    pub line_points: MeanResult,
    /// Points per game, if the ruleset gives points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<MeanResult>,
    /// Deaths per piece.
    #[serde(serialize_with = "optional")]
    pub rate: Option<f64>,
    /// The half width of the 95 % interval of the lines, relative to the mean, taken on the wider
    /// side.
    #[serde(serialize_with = "optional")]
    pub precision: Option<f64>,
    /// Whether the target was reached: all games played, or the precision.
    pub reached: bool,
    /// Additional results of splitting.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub splitting: Option<SplittingResult>,
    /// Number of pieces played for this result.
    pub pieces_simulated: u64,
    /// The levels of splitting; empty for whole games.
    pub levels: Vec<LevelRow>,
    /// Remarks for readers.
    pub notes: Vec<Note>,
    /// Pieces played per second of wall-clock time.
    pub decisions_per_second: f64,
    /// Duration in wall-clock time.
    pub seconds: f64,
}

/// The lines of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinesResult {
    /// The mean; `None` if no game ended.
    #[serde(serialize_with = "optional")]
    pub mean: Option<f64>,
    /// The 95 % interval of the mean.
    pub ci95: Option<Interval>,
    /// `sample`, `censored`, `splitting`, or `lower-bound` if a short cap permits no more than
    /// that.
    pub method: Option<String>,
    /// The median.
    #[serde(serialize_with = "optional")]
    pub median: Option<f64>,
    /// The mean implied by the median if scores were exponential.
    #[serde(serialize_with = "optional")]
    pub mean_by_median: Option<f64>,
    /// The standard deviation; `None` if games were truncated.
    #[serde(serialize_with = "optional")]
    pub sd: Option<f64>,
    /// The largest.
    pub max: Option<u64>,
}

/// A mean of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeanResult {
    /// The mean.
    #[serde(serialize_with = "optional")]
    pub mean: Option<f64>,
    /// The 95 % interval of the mean, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ci95: Option<Interval>,
}

/// Additional results of splitting besides the mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SplittingResult {
    /// The relative standard error of the rate.
    #[serde(serialize_with = "optional")]
    pub relative_error: Option<f64>,
    /// Whether the estimate is reliable, that is, whether there are no doubts about it.
    pub trusted: bool,
    /// Why the estimate may be unreliable.
    pub doubts: Vec<String>,
    /// Independent repetitions.
    pub repetitions: u64,
    /// Trajectories that start at each level of a repetition.
    pub trajectories: usize,
    /// The importance function; results of earlier versions do not state it and used the stack.
    #[serde(default = "LevelKind::of_earlier_versions")]
    pub level: LevelKind,
    /// The factor by which the number of pieces would grow with whole games for the same error.
    #[serde(serialize_with = "optional")]
    pub saving: Option<f64>,
    /// Levels up to this one belong to the base set.
    pub base: u32,
    /// Excursions from the base set per piece.
    #[serde(serialize_with = "finite")]
    pub entry_rate: f64,
}

/// One level of splitting.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelRow {
    /// The level at which trajectories started.
    pub level: u32,
    /// Number of trajectories.
    pub trajectories: u64,
    /// Number of these trajectories that reached the next level, or the end of the game.
    pub successes: u64,
    /// The share of these trajectories that did so.
    #[serde(serialize_with = "finite")]
    pub chance: f64,
    /// Number of different excursions among the ancestors of these trajectories.
    pub ancestors: u64,
    /// Pieces played.
    pub pieces: u64,
}

impl LevelRow {
    /// The levels of an estimate.
    pub(super) fn all(survival: &Survival) -> Vec<LevelRow> {
        let row = |level: &crate::survival::LevelResult| LevelRow {
            level: level.level,
            trajectories: level.trajectories,
            successes: level.successes,
            chance: level.chance(),
            ancestors: level.ancestors,
            pieces: level.pieces,
        };
        survival.levels.iter().map(row).collect()
    }
}

/// Two players on the same games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairResult {
    /// The first player.
    pub first: String,
    /// The second player.
    pub second: String,
    /// Number of games that both players played.
    pub games: usize,
    /// Number of games in which the second player cleared more lines.
    pub second_wins: usize,
    /// Number of games in which the first player cleared more lines.
    pub first_wins: usize,
    /// Number of games with equal lines.
    pub ties: usize,
    /// Number of games whose winner is unknown because they were truncated.
    pub undecided: usize,
    /// The ratio of the means; `None` if a mean is unknown or 0.
    pub ratio: Option<RatioResult>,
}

/// The ratio of two means.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatioResult {
    /// The mean of the second divided by that of the first.
    #[serde(serialize_with = "finite")]
    pub second_to_first: f64,
    /// The 95 % interval of this ratio.
    pub ci95: Interval,
    /// The mean of the first divided by that of the second: the inverse.
    #[serde(default, serialize_with = "finite")]
    pub first_to_second: f64,
    /// The 95 % interval of this ratio; missing in results of earlier versions.
    #[serde(default)]
    pub first_to_second_ci95: Option<Interval>,
}

impl RatioResult {
    pub(super) fn new(second_to_first: f64, ci95: Interval) -> RatioResult {
        RatioResult {
            second_to_first,
            ci95,
            first_to_second: second_to_first.recip(),
            first_to_second_ci95: ci95.inverse(),
        }
    }
}

impl PairResult {
    pub(super) fn new(first: &str, second: &str, paired: &Paired) -> PairResult {
        PairResult {
            first: first.to_owned(),
            second: second.to_owned(),
            games: paired.games,
            second_wins: paired.wins,
            first_wins: paired.losses,
            ties: paired.ties,
            undecided: paired.undecided,
            ratio: (paired.ratio).map(|ratio| RatioResult::new(ratio.value, ratio.ci95)),
        }
    }
}
