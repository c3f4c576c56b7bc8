//! Measured numbers of the arms of an experiment, from its stages.

use super::agreement::{
    MeasuredMean, PublishedMean, TrainingSpread, compare_largest, compare_means, compare_running,
    largest_interval,
};
use super::result::standard_deviation;
use super::{Agreement, ExperimentArm, ExperimentResults, PublishedValue, ResultUnit};
use crate::study::PlayerResult;
use serde::{Deserialize, Serialize};

/// The quantity of a published or measured number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// The highest fitness reached in training.
    Training,
    /// The generation or iteration in which it was reached.
    Generations,
    /// The mean of the test games.
    Mean,
    /// The maximum over the test games.
    Max,
    /// The result of one game.
    Single,
    /// The result of one game that was still running.
    AtLeast,
    /// Seconds per test game.
    SecondsPerGame,
    /// Seconds per generation.
    SecondsPerGeneration,
    /// Seconds per piece.
    SecondsPerPiece,
    /// Seconds per training run.
    TrainingSeconds,
}

impl Quantity {
    /// Every quantity with its name in tables.
    const ALL: [(Quantity, &'static str); 10] = [
        (Quantity::Training, "training"),
        (Quantity::Generations, "generations"),
        (Quantity::Mean, "mean"),
        (Quantity::Max, "max"),
        (Quantity::Single, "single"),
        (Quantity::AtLeast, "at-least"),
        (Quantity::SecondsPerGame, "seconds-per-game"),
        (Quantity::SecondsPerGeneration, "seconds-per-generation"),
        (Quantity::SecondsPerPiece, "seconds-per-piece"),
        (Quantity::TrainingSeconds, "training-seconds"),
    ];

    /// The name of the quantity in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        let row = Quantity::ALL.iter().find(|row| row.0 == self);
        row.map_or("", |row| row.1)
    }

    /// The name of the quantity.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Quantity::Training => "training result",
            Quantity::Generations => "generation",
            Quantity::Mean => "mean",
            Quantity::Max => "largest",
            Quantity::Single => "one game",
            Quantity::AtLeast => "still running",
            Quantity::SecondsPerGame => "s per game",
            Quantity::SecondsPerGeneration => "s per generation",
            Quantity::SecondsPerPiece => "s per piece",
            Quantity::TrainingSeconds => "s of training",
        }
    }

    /// Whether the quantity depends on the machine.
    #[must_use]
    pub fn is_time(self) -> bool {
        matches!(
            self,
            Quantity::SecondsPerGame
                | Quantity::SecondsPerGeneration
                | Quantity::SecondsPerPiece
                | Quantity::TrainingSeconds
        )
    }

    /// Whether the quantity is a property of training rather than of a test.
    #[must_use]
    pub(crate) fn is_of_training(self) -> bool {
        matches!(
            self,
            Quantity::Training
                | Quantity::Generations
                | Quantity::SecondsPerGeneration
                | Quantity::TrainingSeconds
        )
    }
}

impl std::str::FromStr for Quantity {
    type Err = ();

    fn from_str(text: &str) -> Result<Quantity, ()> {
        let row = Quantity::ALL.iter().find(|row| row.1 == text);
        row.map(|row| row.0).ok_or(())
    }
}

impl ExperimentArm {
    /// Whether the stages of the arm measure a quantity.
    #[must_use]
    pub fn measures(&self, quantity: Quantity) -> bool {
        if quantity.is_of_training() {
            !self.learned.is_empty()
        } else {
            !self.tested.is_empty()
        }
    }
}

/// A measured number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MeasuredNumber {
    pub(super) mean: MeasuredMean,
    /// The range over training runs, or the 95 % interval of one player.
    pub(super) range: (f64, Option<f64>),
    /// Number of games over all training runs.
    pub(super) games: u64,
}

/// The mean of a player with the standard error of its logarithm.
fn of_player(result: &PlayerResult, unit: ResultUnit) -> Option<MeasuredNumber> {
    let interval = result.lines.ci95?;
    let factor = match (unit, result.line_points.mean, result.lines.mean) {
        (ResultUnit::LinePoints, Some(points), Some(lines)) if lines > 0.0 => points / lines,
        _ => 1.0,
    };
    let is_bound = result.lines.mean.is_none() || interval.hi.is_none();
    let value = result
        .lines
        .mean
        .filter(|_| !is_bound)
        .unwrap_or(interval.lo);
    let log_error = match interval.hi {
        Some(hi) if interval.lo > 0.0 => (hi / interval.lo).ln() / (2.0 * 1.96),
        _ => 1.0,
    };
    Some(MeasuredNumber {
        mean: MeasuredMean {
            value: factor * value,
            log_error,
            training: None,
            is_bound,
            high: interval.hi.map(|hi| factor * hi),
        },
        range: (
            factor * interval.lo,
            interval.hi.filter(|_| !is_bound).map(|hi| factor * hi),
        ),
        games: result.games,
    })
}

/// Combines several training runs into one number: their geometric mean, or the arithmetic mean if
/// a result is not positive.
fn over_runs(runs: &[MeasuredNumber]) -> Option<MeasuredNumber> {
    let values: Vec<f64> = runs.iter().map(|run| run.mean.value).collect();
    let least = values.iter().copied().reduce(f64::min)?;
    let most = values.iter().copied().reduce(f64::max)?;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (value, deviation) = if values.len() == 1 {
        (values[0], 0.0)
    } else if least > 0.0 {
        let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
        (mean(&logs).exp(), standard_deviation(&logs))
    } else {
        (mean(&values), f64::INFINITY)
    };
    let is_bound = runs.iter().any(|run| run.mean.is_bound);
    let single = runs.first().filter(|_| runs.len() == 1);
    let highs = runs.iter().map(|run| run.mean.high);
    Some(MeasuredNumber {
        mean: MeasuredMean {
            value,
            log_error: runs[0].mean.log_error,
            training: Some(TrainingSpread {
                runs: runs.len(),
                deviation,
            }),
            is_bound,
            high: highs.reduce(|a, b| Some(a?.max(b?))).flatten(),
        },
        range: match single {
            Some(run) => run.range,
            None => (least, Some(most).filter(|_| !is_bound)),
        },
        games: runs.iter().map(|run| run.games).sum(),
    })
}

/// A property of a training run, which has no sampling error.
fn exact(value: f64) -> MeasuredNumber {
    MeasuredNumber {
        mean: MeasuredMean {
            value,
            log_error: 0.0,
            training: None,
            is_bound: false,
            high: Some(value),
        },
        range: (value, Some(value)),
        games: 0,
    }
}

impl ExperimentResults {
    /// The mean of an arm over the tested training runs; `None` if no run has been tested.
    fn mean_of(&self, arm: &ExperimentArm) -> Option<MeasuredNumber> {
        let runs = arm.tested.iter().filter_map(|tested| {
            let record = self.stage(&tested.stage)?;
            of_player(record.of_player(&tested.player)?, arm.unit)
        });
        let runs: Vec<MeasuredNumber> = runs.collect();
        if arm.learned.is_empty() {
            runs.first().copied()
        } else {
            over_runs(&runs)
        }
    }

    /// A property of the completed training runs of an arm.
    fn training_of(
        &self,
        arm: &ExperimentArm,
        of_run: impl Fn(&super::LearnedPlayer) -> Option<f64>,
    ) -> Option<MeasuredNumber> {
        let runs = arm.learned.iter();
        let runs =
            runs.filter_map(|stage| self.stage(stage)?.learned().and_then(&of_run).map(exact));
        let runs: Vec<MeasuredNumber> = runs.collect();
        over_runs(&runs)
    }

    /// Seconds of an arm's tests, divided by a count.
    fn seconds_of(
        &self,
        arm: &ExperimentArm,
        counted: impl Fn(&PlayerResult) -> f64,
    ) -> Option<MeasuredNumber> {
        let (mut seconds, mut count) = (0.0, 0.0);
        for tested in &arm.tested {
            let record = self.stage(&tested.stage);
            if let Some(result) = record.and_then(|record| record.of_player(&tested.player)) {
                seconds += result.seconds;
                count += counted(result);
            }
        }
        (count > 0.0).then(|| exact(seconds / count))
    }

    /// The measurements of an arm.
    pub(super) fn measured(
        &self,
        arm: &ExperimentArm,
        quantity: Quantity,
        games: Option<u64>,
    ) -> Option<MeasuredNumber> {
        match quantity {
            Quantity::Mean | Quantity::AtLeast => self.mean_of(arm),
            Quantity::Max | Quantity::Single => self.mean_of(arm).map(|mean| {
                let games = if quantity == Quantity::Single {
                    1
                } else {
                    games.unwrap_or(100)
                };
                mean.largest(games)
            }),
            Quantity::Training => self.training_of(arm, super::LearnedPlayer::best),
            Quantity::Generations => self.training_of(arm, |learned| {
                learned.best_generation().map(|number| number as f64)
            }),
            Quantity::SecondsPerGeneration => {
                self.training_of(arm, super::LearnedPlayer::seconds_per_generation)
            }
            Quantity::TrainingSeconds => {
                self.training_of(arm, |learned| Some(learned.learning.seconds))
            }
            Quantity::SecondsPerGame => self.seconds_of(arm, |result| result.games as f64),
            Quantity::SecondsPerPiece => {
                self.seconds_of(arm, |result| result.pieces_simulated as f64)
            }
        }
    }

    /// The verdict on a published number.
    pub(super) fn agreement(&self, arm: &ExperimentArm, published: &PublishedValue) -> Agreement {
        if let Some(reason) = &published.reason {
            return Agreement::NotComparable(reason.clone());
        }
        let Some(value) = published.value else {
            return Agreement::NotComparable("empty in the document".to_owned());
        };
        let quantity = published.quantity;
        let not_measured = || Agreement::Inconclusive(self.why_not_measured(arm));
        if quantity.is_time() {
            let measured = self.measured(arm, quantity, None);
            return measured
                .map_or_else(not_measured, |own| times(quantity, value, own.mean.value));
        }
        if let Some(doubt) = self.doubt(arm).filter(|_| !quantity.is_of_training()) {
            return Agreement::Inconclusive(format!("our estimate is unreliable: {doubt}"));
        }
        let mean = PublishedMean {
            value,
            games: published.games.filter(|_| quantity == Quantity::Mean),
            standard_error: published.standard_error,
        };
        match quantity {
            Quantity::Max | Quantity::Single | Quantity::AtLeast => {
                let games = match quantity {
                    Quantity::Max => published.games.unwrap_or(100),
                    _ => 1,
                };
                let own = self.mean_of(arm).map(|own| own.mean);
                own.map_or_else(not_measured, |own| match quantity {
                    Quantity::AtLeast => compare_running(value, &own),
                    _ => compare_largest(value, games, &own),
                })
            }
            _ => {
                let own = self.measured(arm, quantity, None);
                own.map_or_else(not_measured, |own| compare_means(&mean, &own.mean))
            }
        }
    }
}

impl ExperimentResults {
    /// The available test results of an arm.
    fn tests<'a>(&'a self, arm: &'a ExperimentArm) -> impl Iterator<Item = &'a PlayerResult> {
        arm.tested.iter().filter_map(|tested| {
            let record = self.stage(&tested.stage)?;
            record.of_player(&tested.player)
        })
    }

    /// Why an estimate of an arm is not reliable, if there is a reason.
    fn doubt<'a>(&'a self, arm: &'a ExperimentArm) -> Option<&'a str> {
        let mut found = self.tests(arm).flat_map(|result| &result.splitting);
        found.find_map(|found| found.doubts.first().map(String::as_str))
    }

    /// Why an arm has no number: a failed player, or missing stages.
    fn why_not_measured(&self, arm: &ExperimentArm) -> String {
        let failed = arm.tested.iter().find_map(|tested| {
            let record = self.stage(&tested.stage)?;
            record.failed(&tested.player)
        });
        match failed {
            Some(error) => format!("the player failed: {error}"),
            None => "not measured yet".to_owned(),
        }
    }
}

impl MeasuredNumber {
    /// The expected maximum of some games, given this mean: its median and its 95 % interval.
    fn largest(self, games: u64) -> MeasuredNumber {
        let (median, low, high) = largest_interval(&self.mean, games);
        MeasuredNumber {
            mean: MeasuredMean {
                value: median,
                ..self.mean
            },
            range: (low, Some(high).filter(|_| !self.mean.is_bound)),
            games: self.games,
        }
    }
}

/// The ratio of times, which is not a verdict: ours are wall-clock times on a different machine.
fn times(quantity: Quantity, published: f64, own: f64) -> Agreement {
    let why = match quantity {
        Quantity::SecondsPerGame => "machine and length of games differ",
        _ => "another machine",
    };
    let ratio = published / own;
    Agreement::NotComparable(if ratio.is_finite() {
        let ratio = crate::report::show(ratio);
        format!("{why}; the published time is {ratio} times ours")
    } else {
        format!("{why}; ours is too short to measure")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f64, is_bound: bool) -> MeasuredNumber {
        let mut number = exact(value);
        number.mean.is_bound = is_bound;
        number
    }

    #[test]
    fn training_runs_are_one_number_whatever_they_reached() {
        let of = |values: &[f64]| {
            let runs: Vec<MeasuredNumber> = values.iter().map(|&value| exact(value)).collect();
            over_runs(&runs).unwrap().mean
        };
        assert_eq!(of(&[0.0]).value, 0.0);
        assert_eq!(of(&[-0.5]).value, -0.5);
        assert!((of(&[100.0, 400.0]).value - 200.0).abs() < 1e-9);
        // The ratio is meaningless for a run without lines.
        let zero = of(&[0.0, 500.0, 400.0]);
        assert_eq!(zero.value, 300.0);
        assert_eq!(zero.training.unwrap().deviation, f64::INFINITY);
    }

    #[test]
    fn runs_of_which_one_is_a_bound_have_no_upper_end() {
        let runs = [number(100.0, false), number(300.0, true)];
        let all = over_runs(&runs).unwrap();
        assert!(all.mean.is_bound);
        assert_eq!(all.range, (100.0, None));
    }

    #[test]
    fn times_are_ratios() {
        let words = |own| times(Quantity::SecondsPerGame, 3.0, own);
        assert!(
            words(0.5)
                .reason()
                .ends_with("the published time is 6.00 times ours")
        );
        assert!(words(0.0).reason().ends_with("too short to measure"));
    }
}
