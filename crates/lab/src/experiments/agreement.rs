//! Verdicts: whether a measured number agrees with a published one.
//!
//! The rule uses logarithms, because scores are nearly exponentially distributed and errors are
//! relative:
//!
//! - A **mean** of `n` games has the standard error that the document states, or else, as for
//!   exponential scores, the mean divided by the root of `n`. Ours comes from the 95 % interval of
//!   the measurement. The two differ if the logarithm of their ratio is farther from 0 than the
//!   0.975 quantile times the root of the sum of both squared errors.
//! - Where **training** contributes to the number, the published one is a single draw from the
//!   distribution over training runs: if `k` runs of ours have logarithms with the standard
//!   deviation `s`, the squared error is `s² (1 + 1/k)` plus that of the published mean, with
//!   Student's quantile of `k - 1` degrees. With a single run of ours, the spread is unknown, and
//!   the verdict is inconclusive.
//! - A **maximum** of `n` games is compared with the distribution of the maximum of `n` exponential
//!   draws with our mean: its 0.025 and 0.975 quantiles, widened by the error of our mean. A single
//!   game is a maximum of one.
//! - **At least**: a published game that was still running agrees if, given our mean, such a game
//!   has a probability of at least 5 %. Our number is *lower* if the probability is below 5 % even
//!   with the upper end of our interval.
//! - **Times** are not comparable: machine and program differ. Their ratio is reported.
//!
//! Numbers that do not differ *agree* if the error is at most a factor of [`WIDEST`]; with a larger
//! error the comparison is *inconclusive*. If our number is only a lower bound, it is *higher* if
//! the bound is above the published number by more than the error (that of the published number,
//! and that of training if it contributes to ours), and inconclusive otherwise. A measured 0 is
//! *lower* if the upper end of its interval is below the published number's error.

use crate::stats::student;
use serde::{Deserialize, Serialize};

/// The largest error with which numbers can agree, as a factor.
pub const WIDEST: f64 = 2.0;

/// The 0.975 quantile of the standard normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;

/// The probability below which a game that was still running contradicts a mean.
const UNLIKELY: f64 = 0.05;

/// Whether a measured number agrees with a published one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "verdict", content = "reason")]
pub enum Agreement {
    /// The numbers do not differ by more than their errors.
    Agrees,
    /// Ours is higher.
    Higher,
    /// Ours is lower.
    Lower,
    /// The data are insufficient, for this reason.
    Inconclusive(String),
    /// The numbers measure different things, for this reason.
    NotComparable(String),
}

impl Agreement {
    /// The verdict as text.
    #[must_use]
    pub fn words(&self) -> &'static str {
        match self {
            Agreement::Agrees => "agrees",
            Agreement::Higher => "higher",
            Agreement::Lower => "lower",
            Agreement::Inconclusive(_) => "inconclusive",
            Agreement::NotComparable(_) => "not comparable",
        }
    }

    /// The reason, if any.
    #[must_use]
    pub fn reason(&self) -> &str {
        match self {
            Agreement::Inconclusive(reason) | Agreement::NotComparable(reason) => reason,
            _ => "",
        }
    }
}

/// A published mean or other number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedMean {
    /// The number.
    pub value: f64,
    /// Number of games that were averaged; `None` for a number without sampling error.
    pub games: Option<u64>,
    /// The standard error, if the document states one.
    pub standard_error: Option<f64>,
}

impl PublishedMean {
    /// The standard error of the logarithm.
    fn log_error(&self) -> f64 {
        match (self.standard_error, self.games) {
            (Some(error), _) => error / self.value,
            (None, Some(games)) => (games.max(1) as f64).sqrt().recip(),
            (None, None) => 0.0,
        }
    }
}

/// Our measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredMean {
    /// The number: a mean, or the geometric mean of several training runs.
    pub value: f64,
    /// The standard error of the logarithm of the number, for one player.
    pub log_error: f64,
    /// The training runs behind the number, if training contributes to it.
    pub training: Option<TrainingSpread>,
    /// Whether the number is only a lower bound.
    pub is_bound: bool,
    /// The upper end of the 95 % interval, if known; it is the only way to judge a measured 0.
    pub high: Option<f64>,
}

impl MeasuredMean {
    /// A lower bound without its own error.
    fn as_bound(self) -> MeasuredMean {
        MeasuredMean {
            log_error: 0.0,
            ..self
        }
    }
}

/// The spread of training runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingSpread {
    /// Number of runs.
    pub runs: usize,
    /// The standard deviation of the logarithms of the runs' results; infinite if one result is 0.
    pub deviation: f64,
}

/// The error of a comparison of logarithms: the half width at 95 %.
fn half_width(published: &PublishedMean, measured: &MeasuredMean) -> Option<f64> {
    let published = published.log_error().powi(2);
    match measured.training {
        None => Some(NORMAL * (published + measured.log_error.powi(2)).sqrt()),
        Some(TrainingSpread { runs, .. }) if runs < 2 => None,
        Some(TrainingSpread { runs, deviation }) => {
            let own = deviation.powi(2) * (1.0 + (runs as f64).recip());
            let quantile = student((runs - 1) as f64, 0.975);
            Some(quantile * (published + own).sqrt())
        }
    }
}

/// The verdict for a difference of logarithms, given the half width of its error.
fn decided(difference: f64, half_width: f64) -> Agreement {
    if difference > half_width {
        Agreement::Higher
    } else if difference < -half_width {
        Agreement::Lower
    } else if half_width <= WIDEST.ln() {
        Agreement::Agrees
    } else {
        wide(half_width)
    }
}

/// The error is too large to decide.
fn wide(half_width: f64) -> Agreement {
    let factor = half_width.exp();
    Agreement::Inconclusive(match factor {
        ..100.0 => format!("the error is a factor of {factor:.1}"),
        _ if half_width.is_finite() => "the error is a factor of more than 100".to_owned(),
        _ => "the result of a training run is 0".to_owned(),
    })
}

fn one_run() -> Agreement {
    Agreement::Inconclusive("one training run does not show the spread of training".to_owned())
}

fn bound() -> Agreement {
    Agreement::Inconclusive("ours is only a lower bound".to_owned())
}

/// Compares means, or results of training.
#[must_use]
pub(crate) fn compare_means(published: &PublishedMean, measured: &MeasuredMean) -> Agreement {
    if !(published.value > 0.0 && measured.value > 0.0) {
        return compare_zero(published, measured);
    }
    let difference = (measured.value / published.value).ln();
    if measured.is_bound {
        let width = half_width(published, &measured.as_bound());
        return width.map_or_else(one_run, |width| above_bound(difference - width));
    }
    half_width(published, measured).map_or_else(one_run, |width| decided(difference, width))
}

/// The verdict on a lower bound, given its distance to the published number minus all errors.
fn above_bound(distance: f64) -> Agreement {
    if distance > 0.0 {
        Agreement::Higher
    } else {
        bound()
    }
}

/// Compares numbers that are not both positive, so that logarithms are undefined.
fn compare_zero(published: &PublishedMean, measured: &MeasuredMean) -> Agreement {
    let high = measured.high.filter(|_| measured.value == 0.0);
    match (high, measured.training) {
        (Some(_), Some(TrainingSpread { runs: 1, .. })) => one_run(),
        (Some(high), _) if published.value > 0.0 => {
            let lowest = published.value * (-NORMAL * published.log_error()).exp();
            if high < lowest {
                Agreement::Lower
            } else {
                Agreement::Inconclusive("the measured number is 0".to_owned())
            }
        }
        _ => Agreement::Inconclusive("one of the numbers is not positive".to_owned()),
    }
}

/// The value that the maximum of `games` exponential scores with this mean stays below with this
/// probability.
#[must_use]
pub(crate) fn largest_of(mean: f64, games: u64, chance: f64) -> f64 {
    let of_one = chance.powf((games.max(1) as f64).recip());
    -mean * (-of_one).ln_1p()
}

/// The distribution of a maximum on a logarithmic scale: its median, and the distances to both ends
/// of its 95 % interval, including the error of our mean.
struct LargestLaw {
    median: f64,
    /// The distance from the median down to the lower end of the 95 % interval.
    below: f64,
    above: f64,
}

impl LargestLaw {
    /// `None` if there is only one training run.
    fn new(measured: &MeasuredMean, games: u64) -> Option<LargestLaw> {
        let quantile = |chance| largest_of(measured.value, games, chance).ln();
        let [low, median, high] = [0.025, 0.5, 0.975].map(quantile);
        let exact = PublishedMean {
            value: 1.0,
            games: None,
            standard_error: None,
        };
        let own = if measured.is_bound {
            half_width(&exact, &measured.as_bound())
        } else {
            half_width(&exact, measured)
        }?;
        Some(LargestLaw {
            median,
            below: (median - low).hypot(own),
            above: (high - median).hypot(own),
        })
    }
}

/// The expected maximum of some games, given our mean: its median, and the 95 % interval that
/// [`compare_largest`] uses. With a single training run, the interval does not include the spread
/// of training.
#[must_use]
pub(crate) fn largest_interval(measured: &MeasuredMean, games: u64) -> (f64, f64, f64) {
    let untrained = MeasuredMean {
        training: None,
        ..*measured
    };
    let law = LargestLaw::new(measured, games).or_else(|| LargestLaw::new(&untrained, games));
    law.map_or((0.0, 0.0, 0.0), |law| {
        let (low, high) = (law.median - law.below, law.median + law.above);
        (law.median.exp(), low.exp(), high.exp())
    })
}

/// Compares the maximum of some games with its distribution under our mean.
#[must_use]
pub(crate) fn compare_largest(largest: f64, games: u64, measured: &MeasuredMean) -> Agreement {
    if !(largest > 0.0 && measured.value > 0.0) {
        return Agreement::Inconclusive("one of the numbers is not positive".to_owned());
    }
    let Some(law) = LargestLaw::new(measured, games) else {
        return one_run();
    };
    let published = largest.ln();
    if measured.is_bound {
        return above_bound(law.median - law.below - published);
    }
    // Ours is higher if the published number is below the range expected from our mean.
    let width = if published < law.median {
        law.below
    } else {
        law.above
    };
    decided(law.median - published, width)
}

/// Compares a game that was still running with our mean.
#[must_use]
pub(crate) fn compare_running(lines: f64, measured: &MeasuredMean) -> Agreement {
    let likely = |mean: f64| (-lines / mean).exp() >= UNLIKELY;
    let exact = PublishedMean {
        value: lines,
        games: None,
        standard_error: None,
    };
    let Some(width) = half_width(&exact, measured) else {
        return one_run();
    };
    if likely(measured.value) {
        Agreement::Agrees
    } else if measured.is_bound {
        bound()
    } else if likely(measured.value * width.exp()) {
        wide(width)
    } else {
        Agreement::Lower
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(value: f64, games: u64) -> PublishedMean {
        PublishedMean {
            value,
            games: Some(games),
            standard_error: None,
        }
    }

    fn measured(value: f64, log_error: f64) -> MeasuredMean {
        MeasuredMean {
            value,
            log_error,
            training: None,
            is_bound: false,
            high: None,
        }
    }

    #[test]
    fn means_are_compared_by_the_errors_of_both() {
        // Thesis, table 11, 4 features: 551.55 over 100 games, an error of 10 %; ours has 3.2 %.
        // 1.96 sqrt(0.01 + 0.001) = 0.206: from 449 to 678.
        let of = |ours| compare_means(&published(551.55, 100), &measured(ours, 0.0316));
        assert_eq!(of(575.0), Agreement::Agrees);
        assert_eq!(of(670.0), Agreement::Agrees);
        assert_eq!(of(690.0), Agreement::Higher);
        assert_eq!(of(440.0), Agreement::Lower);
        // A single game is weak evidence: its error is a factor of exp(1.96).
        let one = compare_means(&published(551.55, 1), &measured(575.0, 0.0316));
        assert_eq!(
            one,
            Agreement::Inconclusive("the error is a factor of 7.1".to_owned())
        );
    }

    #[test]
    fn a_stated_error_replaces_that_of_exponential_scores() {
        let exact = PublishedMean {
            value: 100.0,
            games: Some(4),
            standard_error: Some(1.0),
        };
        assert_eq!(
            compare_means(&exact, &measured(104.0, 0.0)),
            Agreement::Higher
        );
        assert_eq!(
            compare_means(&published(100.0, 100), &measured(104.0, 0.0)),
            Agreement::Agrees
        );
    }

    #[test]
    fn a_trained_number_is_compared_with_the_spread_of_our_runs() {
        let trained = |runs| MeasuredMean {
            training: Some(TrainingSpread {
                runs,
                deviation: 0.1,
            }),
            ..measured(800.0, 0.0)
        };
        let exact = |value| PublishedMean {
            value,
            games: None,
            standard_error: None,
        };
        // Five runs: 2.776 * 0.1 * sqrt(1.2) = 0.304: from 590 to 1084.
        assert_eq!(
            compare_means(&exact(1080.0), &trained(5)),
            Agreement::Agrees
        );
        assert_eq!(compare_means(&exact(1090.0), &trained(5)), Agreement::Lower);
        assert_eq!(
            compare_means(&exact(1090.0), &trained(1)).words(),
            "inconclusive"
        );
    }

    #[test]
    fn a_maximum_is_compared_with_the_law_of_the_largest_of_exponential_draws() {
        // The maximum of 100 draws has the median mean * ln(1 / (1 - 0.5^0.01)) = 4.98 means.
        assert!((largest_of(1.0, 100, 0.5) - 4.975).abs() < 0.001);
        assert!((largest_of(1.0, 1, 0.5) - std::f64::consts::LN_2).abs() < 1e-12);
        let of = |largest| compare_largest(largest, 100, &measured(1000.0, 0.05));
        // Its 95 % interval is from 3.3 to 8.3 means, slightly wider with the error of ours.
        assert_eq!(of(5000.0), Agreement::Agrees);
        assert_eq!(of(3000.0), Agreement::Higher);
        assert_eq!(of(9000.0), Agreement::Lower);
        // A single game may score anything between a fortieth of the mean and 3.7 means.
        assert_eq!(
            compare_largest(4161.0, 1, &measured(4000.0, 0.05)).words(),
            "inconclusive"
        );
        assert_eq!(
            compare_largest(4161.0, 1, &measured(400.0, 0.05)),
            Agreement::Lower
        );
    }

    #[test]
    fn a_game_that_still_ran_agrees_unless_our_mean_makes_it_unlikely() {
        let of = |mean| compare_running(2_183_277.0, &measured(mean, 0.01));
        assert_eq!(of(1e6), Agreement::Agrees);
        assert_eq!(of(5e5), Agreement::Lower);
        let bound = MeasuredMean {
            is_bound: true,
            ..measured(5e5, 0.01)
        };
        assert_eq!(compare_running(2_183_277.0, &bound).words(), "inconclusive");
    }

    #[test]
    fn a_lower_bound_is_higher_or_inconclusive() {
        let bound = |value| MeasuredMean {
            is_bound: true,
            ..measured(value, 0.0)
        };
        assert_eq!(
            compare_means(&published(100.0, 100), &bound(200.0)),
            Agreement::Higher
        );
        assert_eq!(
            compare_means(&published(100.0, 100), &bound(90.0)).words(),
            "inconclusive"
        );
    }

    #[test]
    fn a_lower_bound_of_one_training_run_is_inconclusive_about_training() {
        let bound = |runs| MeasuredMean {
            is_bound: true,
            training: Some(TrainingSpread {
                runs,
                deviation: 0.5,
            }),
            ..measured(2000.0, 1.0)
        };
        let of = |runs| compare_means(&published(300.0, 100), &bound(runs)).words();
        assert_eq!(of(1), "inconclusive");
        // Five runs: 2.776 sqrt(0.25 * 1.2 + 0.01) = 1.546, a factor of 4.7: above 1,408.
        assert_eq!(of(5), "higher");
        let of_largest = |largest, runs| compare_largest(largest, 100, &bound(runs)).words();
        assert_eq!(of_largest(100.0, 1), "inconclusive");
        assert_eq!(of_largest(1000.0, 5), "higher");
        assert_eq!(of_largest(6000.0, 5), "inconclusive");
    }

    #[test]
    fn a_game_that_still_ran_is_not_judged_by_a_wide_error() {
        let trained = |mean, runs| MeasuredMean {
            training: Some(TrainingSpread {
                runs,
                deviation: 0.5,
            }),
            ..measured(mean, 0.0)
        };
        let of = |mean, runs| compare_running(10_000.0, &trained(mean, runs)).words();
        assert_eq!(of(4000.0, 3), "agrees");
        // Three runs: 4.303 * 0.5 * sqrt(4 / 3) = 2.48, a factor of 12.
        assert_eq!(of(500.0, 3), "inconclusive");
        assert_eq!(of(100.0, 3), "lower");
        assert_eq!(of(100.0, 1), "inconclusive");
    }

    #[test]
    fn a_measured_zero_is_lower_if_its_interval_is() {
        let zero = |high| MeasuredMean {
            high,
            ..measured(0.0, 1.0)
        };
        let of = |high| compare_means(&published(335.0, 100), &zero(high)).words();
        assert_eq!(of(Some(0.04)), "lower");
        assert_eq!(of(Some(300.0)), "inconclusive");
        assert_eq!(of(None), "inconclusive");
    }

    #[test]
    fn the_interval_of_a_largest_game_is_the_one_that_it_is_judged_by() {
        let own = measured(1000.0, 0.3);
        let (_, low, high) = largest_interval(&own, 100);
        for (largest, words) in [(low, "higher"), (high, "lower")] {
            let [inside, outside] = match words {
                "higher" => [1.01, 0.99],
                _ => [0.99, 1.01],
            };
            assert_ne!(compare_largest(largest * inside, 100, &own).words(), words);
            assert_eq!(compare_largest(largest * outside, 100, &own).words(), words);
        }
    }
}
