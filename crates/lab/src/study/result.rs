//! What an evaluation found: one schema for whole games and for splitting.

use super::{Note, SCHEMA, StudyError};
use crate::number::{finite, optional};
use crate::stats::{Interval, Paired};
use crate::survival::{LevelKind, Survival};
use serde::{Deserialize, Serialize};

/// What an evaluation found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluated {
    /// The version of this schema: [`SCHEMA`].
    pub schema: u32,
    /// Whether it was stopped before all was done.
    pub interrupted: bool,
    /// What is known of each player, in the order in which they were asked for; a player that was
    /// not reached is missing.
    pub results: Vec<PlayerResult>,
    /// The players for which an error was found after others had been measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedPlayer>,
    /// The players that played whole games, each against the first of them, on the games that all
    /// of them played.
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
    /// The player as it was asked for.
    pub player: String,
    /// Why.
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

/// What is known of one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerResult {
    /// The player as it was asked for.
    pub player: String,
    /// The name of the ruleset.
    pub ruleset: String,
    /// The seed of the games.
    pub seed: u64,
    /// `games` or `splitting`.
    pub method: String,
    /// Games played, those that were cut off included.
    pub games: u64,
    /// Games that the player lost.
    pub finished: u64,
    /// Games that were cut off, by the cap or by an interruption.
    pub cut_off: u64,
    /// Whether less was done than asked for because it was stopped.
    pub interrupted: bool,
    /// Lines of a game.
    pub lines: LinesResult,
    /// Pieces of a game.
    pub pieces: MeanResult,
    /// Line points of a game.
    pub line_points: MeanResult,
    /// Points of a game, where the ruleset gives points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<MeanResult>,
    /// Deaths per piece.
    #[serde(serialize_with = "optional")]
    pub rate: Option<f64>,
    /// The half width of the 95 % interval of the lines, as a part of the mean: the wider side.
    #[serde(serialize_with = "optional")]
    pub precision: Option<f64>,
    /// Whether what was asked for was done: all games played, or the precision reached.
    pub reached: bool,
    /// What splitting adds.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub splitting: Option<SplittingResult>,
    /// Pieces that were played for this result.
    pub pieces_simulated: u64,
    /// How the stack climbs, level by level; nothing for whole games.
    pub levels: Vec<LevelRow>,
    /// What a reader should know.
    pub notes: Vec<Note>,
    /// Pieces played per second by the clock.
    pub decisions_per_second: f64,
    /// How long it took by the clock.
    pub seconds: f64,
}

/// The lines of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinesResult {
    /// The mean; none when no game ended.
    #[serde(serialize_with = "optional")]
    pub mean: Option<f64>,
    /// Its 95 % interval.
    pub ci95: Option<Interval>,
    /// `sample`, `censored`, `splitting`, or `lower-bound` where a short cap allows no more.
    pub method: Option<String>,
    /// The median.
    #[serde(serialize_with = "optional")]
    pub median: Option<f64>,
    /// The mean that the median would mean if scores were exponential.
    #[serde(serialize_with = "optional")]
    pub mean_by_median: Option<f64>,
    /// The standard deviation; none if games were cut off.
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
    /// Its 95 % interval, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ci95: Option<Interval>,
}

/// What splitting says beyond a mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SplittingResult {
    /// The standard error of the rate, as a part of it.
    #[serde(serialize_with = "optional")]
    pub relative_error: Option<f64>,
    /// Whether there are no doubts.
    pub trusted: bool,
    /// Why the estimate is not to be trusted.
    pub doubts: Vec<String>,
    /// Independent repetitions.
    pub repetitions: u64,
    /// Trajectories that start at each level of a repetition.
    pub trajectories: usize,
    /// What is a level; results of earlier versions, which do not say it, have levels of the stack.
    #[serde(default = "LevelKind::of_earlier_versions")]
    pub level: LevelKind,
    /// How many times as many pieces whole games would need for the same error.
    #[serde(serialize_with = "optional")]
    pub saving: Option<f64>,
    /// Levels up to this one are the base.
    pub base: u32,
    /// Excursions from the base per piece.
    #[serde(serialize_with = "finite")]
    pub entry_rate: f64,
}

/// One level on the way to the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelRow {
    /// The level at which trajectories started.
    pub level: u32,
    /// How many there were.
    pub trajectories: u64,
    /// How many reached the next level, or the end of the game.
    pub successes: u64,
    /// The part that did.
    #[serde(serialize_with = "finite")]
    pub chance: f64,
    /// Different excursions from the base among the ancestors of these.
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
    /// Games that both played.
    pub games: usize,
    /// Games in which the second made more lines.
    pub second_wins: usize,
    /// Games in which the first made more lines.
    pub first_wins: usize,
    /// Games in which both made as many.
    pub ties: usize,
    /// Games of which that is not known, because they were cut off.
    pub undecided: usize,
    /// The ratio of the means; none if a mean is unknown or nothing.
    pub ratio: Option<RatioResult>,
}

/// The ratio of two means.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatioResult {
    /// The mean of the second divided by that of the first.
    #[serde(serialize_with = "finite")]
    pub second_to_first: f64,
    /// Its 95 % interval.
    pub ci95: Interval,
    /// The mean of the first divided by that of the second: the inverse.
    #[serde(default, serialize_with = "finite")]
    pub first_to_second: f64,
    /// Its 95 % interval; results of earlier versions, which do not say it, have none.
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
