//! The estimate from all repetitions.

use super::entry::LevelResult;
use super::levels::Levels;
use super::repetition::Repetition;
use crate::stats::{Interval, student};
use serde::{Deserialize, Serialize};

/// If all deaths of a repetition descend from fewer excursions than this, the variation between
/// repetitions underestimates the error.
const FEW_ANCESTORS: u64 = 10;
/// A standard deviation of one repetition, relative to the mean, above which repetitions disagree.
const WILD: f64 = 1.0;
/// A single repetition with at least this share of the sum is an outlier.
const LARGE_SHARE: f64 = 0.3;
/// The halves of the equilibrium runs are considered different if Student's statistic is beyond
/// this quantile: one false alarm in 16,000.
const DRIFT: f64 = 1.0 - 3e-5;

/// A player's mean score, from the rate at which games end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survival {
    /// Deaths per piece.
    pub rate: f64,
    /// The relative standard error of the rate; infinite if unknown.
    #[serde(with = "infinite_as_null")]
    pub relative_error: f64,
    /// The half width of the 95 % interval on a logarithmic scale: 0.05 means 5 %.
    #[serde(with = "infinite_as_null")]
    pub precision: f64,
    /// Mean number of pieces of a game; `None` if no trajectory reached the end of a game.
    pub pieces: Option<f64>,
    /// The 95 % interval of the number of pieces.
    pub pieces_ci95: Interval,
    /// Mean number of lines.
    pub lines: Option<f64>,
    /// The 95 % interval of the lines.
    pub lines_ci95: Interval,
    /// Mean number of line points.
    pub line_points: Option<f64>,
    /// Independent repetitions.
    pub repetitions: u64,
    /// Pieces played by the repetitions.
    pub pieces_simulated: u64,
    /// Excursions from the base set per piece.
    pub entry_rate: f64,
    /// Levels up to this one belong to the base set.
    pub base: u32,
    /// The statistics of every level over all repetitions; the number of ancestors is that of the
    /// repetition with the fewest.
    pub levels: Vec<LevelResult>,
    /// Why the estimate may be unreliable; empty if there is no reason.
    pub doubts: Vec<Doubt>,
    /// Why the goal was not reached; `None` if it was reached.
    pub unmet: Option<Unmet>,
}

/// Why an estimate ended before its goal was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum Unmet {
    /// The estimate was stopped from outside.
    #[error("interrupted after {repetitions} repetitions")]
    Stopped {
        /// Number of repetitions until then.
        repetitions: u64,
    },
    /// The estimate reached the maximum number of repetitions.
    #[error("the maximum of {repetitions} repetitions was reached before the target")]
    MostRepetitions {
        /// Number of repetitions until then.
        repetitions: u64,
    },
    /// No game ended, and more repetitions would not change that.
    #[error("no game ended in {repetitions} repetitions")]
    NoDeaths {
        /// Number of repetitions until then.
        repetitions: u64,
    },
}

/// Why an estimate may be unreliable.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// In some repetitions no trajectory reached the end of a game.
    #[error("{empty} of {repetitions} repetitions never reached the end of a game")]
    Empty {
        /// Number of such repetitions.
        empty: u64,
        /// Total number of repetitions.
        repetitions: u64,
    },
    /// All deaths descend from few excursions.
    #[error("in one repetition, all deaths descend from {0} excursion(s)")]
    FewAncestors(u64),
    /// The standard deviation of repetitions exceeds their mean.
    #[error("repetitions disagree: the standard deviation of one is {0:.1} times the mean")]
    Wild(f64),
    /// One repetition contributes a large share of the sum.
    #[error("one of {repetitions} repetitions contributes {share:.0} % of the sum")]
    Outlier {
        /// The share of this repetition, in per cent.
        share: f64,
        /// Total number of repetitions.
        repetitions: u64,
    },
    /// The games are deterministic.
    #[error("all repetitions are identical: the pieces do not seem to be random")]
    Identical,
    /// The equilibrium run was not in equilibrium.
    #[error(
        "the second halves of the equilibrium runs differ from the first by {0:.1} standard errors"
    )]
    Drift(f64),
    /// The games are so short that the lines are a small difference between pieces and remaining
    /// cells.
    #[error(
        "the games are so short that the mean lines are known much less precisely than the mean \
         pieces, whose +/- is shown; whole games suit them better"
    )]
    ShortGames,
}

impl Survival {
    /// The estimate from these repetitions, for a board of this width; `None` without repetitions.
    pub(super) fn of(
        levels: &Levels,
        repetitions: &[&Repetition],
        width: usize,
    ) -> Option<Survival> {
        let rates: Vec<f64> = repetitions
            .iter()
            .map(|repetition| repetition.rate)
            .collect();
        let (rate, relative_error) = mean_and_error(&rates)?;
        let precision = half_width(rates.len(), relative_error);
        let piece_interval = |rate: f64| {
            // On a logarithmic scale the error is symmetric, and the ends are never below zero.
            let spread = libm::exp(precision);
            Interval::new(1.0 / (rate * spread), spread / rate)
        };
        let known = (rate > 0.0).then_some(rate);
        let pieces = known.map(|rate| 1.0 / rate);
        let pieces_ci95 = known.map_or(Interval { lo: 0.0, hi: None }, piece_interval);
        // Every piece adds four cells, every line removes `width`; the rest are on the last board.
        let left = repetitions.iter().map(|r| r.cells * r.rate).sum::<f64>()
            / rates.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let lines = |pieces: f64| ((4.0 * pieces - left) / width as f64).max(0.0);
        let sum = |f: fn(&Repetition) -> u64| repetitions.iter().map(|r| f(r)).sum::<u64>() as f64;
        let points_per_line =
            sum(|r| r.equilibrium.line_points) / sum(|r| r.equilibrium.lines).max(1.0);
        let lines_ci95 = Interval {
            lo: lines(pieces_ci95.lo),
            hi: pieces_ci95.hi.map(lines),
        };
        let mut doubts = doubts(&rates, relative_error, repetitions, levels);
        if is_much_wider(lines_ci95, pieces_ci95) {
            doubts.push(Doubt::ShortGames);
        }
        Some(Survival {
            rate,
            relative_error,
            precision,
            pieces,
            pieces_ci95,
            lines: pieces.map(lines),
            lines_ci95,
            line_points: pieces.map(|pieces| lines(pieces) * points_per_line),
            repetitions: repetitions.len() as u64,
            pieces_simulated: repetitions.iter().map(|r| r.pieces()).sum(),
            entry_rate: sum(|r| r.equilibrium.early_entries + r.equilibrium.late_entries)
                / sum(|r| r.equilibrium.pieces),
            base: levels.base,
            levels: level_results(levels, repetitions),
            doubts,
            unmet: None,
        })
    }

    /// The factor by which the number of pieces would grow with whole games for the same relative
    /// error: the score of a game has a standard deviation as large as its mean.
    pub fn saving(&self) -> Option<f64> {
        let games = 1.0 / (self.relative_error * self.relative_error);
        let pieces = self.pieces? * games;
        Some(pieces / self.pieces_simulated as f64).filter(|saving| saving.is_finite())
    }
}

/// The mean and its relative standard error, which is infinite if all values are zero or there is
/// only one.
fn mean_and_error(values: &[f64]) -> Option<(f64, f64)> {
    let count = values.len() as f64;
    if values.is_empty() {
        return None;
    }
    let mean = values.iter().sum::<f64>() / count;
    if values.len() == 1 || mean <= 0.0 {
        return Some((mean, f64::INFINITY));
    }
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    Some((mean, error / mean))
}

/// The half width of the interval from this many repetitions, on a logarithmic scale.
fn half_width(repetitions: usize, relative_error: f64) -> f64 {
    match repetitions {
        0 | 1 => f64::INFINITY,
        count => student(count as f64 - 1.0, 0.975) * relative_error,
    }
}

/// The precision of the estimate from these repetitions.
pub(super) fn precision(repetitions: &[&Repetition]) -> f64 {
    let rates: Vec<f64> = repetitions.iter().map(|r| r.rate).collect();
    let error = mean_and_error(&rates).map_or(f64::INFINITY, |(_, error)| error);
    half_width(rates.len(), error)
}

/// The statistics of every level over all repetitions.
fn level_results(levels: &Levels, repetitions: &[&Repetition]) -> Vec<LevelResult> {
    let result = |(index, &level): (usize, &u32)| {
        let all = || repetitions.iter().filter_map(move |r| r.levels.get(index));
        LevelResult {
            level,
            trajectories: all().map(|result| result.trajectories).sum(),
            successes: all().map(|result| result.successes).sum(),
            ancestors: all().map(|result| result.ancestors).min().unwrap_or(0),
            pieces: all().map(|result| result.pieces).sum(),
        }
    };
    levels.levels.iter().enumerate().map(result).collect()
}

/// Whether one interval is more than twice as wide as the other on a logarithmic scale.
fn is_much_wider(one: Interval, other: Interval) -> bool {
    let squared = |interval: Interval, power: i32| {
        let ratio = interval.hi? / interval.lo;
        (!ratio.is_nan()).then(|| ratio.powi(power))
    };
    match (squared(one, 1), squared(other, 2)) {
        (Some(one), Some(other)) => one > other,
        _ => false,
    }
}

fn doubts(
    rates: &[f64],
    relative_error: f64,
    repetitions: &[&Repetition],
    levels: &Levels,
) -> Vec<Doubt> {
    let count = rates.len() as f64;
    let mut doubts = Vec::new();
    let empty = rates.iter().filter(|&&rate| rate <= 0.0).count() as u64;
    if empty > 0 {
        let repetitions = rates.len() as u64;
        doubts.push(Doubt::Empty { empty, repetitions });
    }
    let last = levels.levels.len() - 1;
    let ancestors = repetitions.iter().filter_map(|r| r.levels.get(last));
    if let Some(fewest) = ancestors.map(|result| result.ancestors).min()
        && (1..FEW_ANCESTORS).contains(&fewest)
    {
        doubts.push(Doubt::FewAncestors(fewest));
    }
    let deviation = relative_error * count.sqrt();
    if rates.len() > 1 && largest_equals_smallest(rates) {
        doubts.push(Doubt::Identical);
    }
    if deviation > WILD && deviation.is_finite() {
        doubts.push(Doubt::Wild(deviation));
    }
    let largest = rates.iter().copied().fold(0.0, f64::max);
    let share = largest / rates.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    if share > LARGE_SHARE && rates.len() >= 8 {
        doubts.push(Doubt::Outlier {
            share: 100.0 * share,
            repetitions: rates.len() as u64,
        });
    }
    let drift = drift(repetitions);
    if rates.len() > 2 && drift.abs() > student(count - 1.0, DRIFT) {
        doubts.push(Doubt::Drift(drift.abs()));
    }
    doubts
}

fn largest_equals_smallest(rates: &[f64]) -> bool {
    rates[0] > 0.0 && rates.iter().all(|rate| rate == &rates[0])
}

/// The difference between the entry rates in the two halves of the equilibrium runs, in standard
/// errors.
fn drift(repetitions: &[&Repetition]) -> f64 {
    let differences = repetitions.iter().map(|repetition| {
        let equilibrium = &repetition.equilibrium;
        equilibrium.late_entries as f64 - equilibrium.early_entries as f64
    });
    let differences: Vec<f64> = differences.collect();
    let count = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / count;
    let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    if error > 0.0 { mean / error } else { 0.0 }
}

/// A number that may be infinite, which JSON cannot represent: null.
mod infinite_as_null {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        value.is_finite().then_some(*value).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        let value: Option<f64> = Option::deserialize(deserializer)?;
        Ok(value.unwrap_or(f64::INFINITY))
    }
}
