//! Verdicts: whether a measured number agrees with a published one.
//!
//! The rule, on logarithms, because scores are close to exponential and errors are relative:
//!
//! - A **mean** of `n` games has the standard error that the document states, or else the mean over
//!   the root of `n`, as exponential scores have it. Ours comes from the 95 % interval of the
//!   measurement. The two differ if the logarithm of their ratio is farther from 0 than the 0.975
//!   quantile times the root of the sum of both squared errors.
//! - Where **training** is part of the number, the published one is a single draw from the spread of
//!   training runs: with `k` runs of ours, whose logarithms have the standard deviation `s`, the
//!   squared error is `s² (1 + 1/k)` plus that of the published mean, with Student's quantile of
//!   `k - 1` degrees. One run of ours says nothing about the spread: inconclusive.
//! - A **maximum** of `n` games is compared with the law of the maximum of `n` exponential draws with
//!   our mean: its 0.025 and 0.975 quantiles, widened by the error of our mean. A single game is a
//!   maximum of one.
//! - **At least**: a game that was still running agrees if our mean gives such a game a chance of 5 %
//!   or more.
//! - **Times** are not comparable: another machine, another program. Their ratio is reported.
//!
//! Numbers that do not differ *agree* if the error is at most a factor of [`WIDEST`]; with a larger
//! error the comparison is *inconclusive*. Where all that is known of ours is a lower bound, it is
//! *higher* if the bound is above the published number's error, and inconclusive otherwise.

use crate::stats::student;
use serde::{Deserialize, Serialize};

/// The widest error with which numbers agree, as a factor.
pub const WIDEST: f64 = 2.0;

/// The 0.975 quantile of the standard normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;

/// The chance below which a game that was still running contradicts a mean.
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
    /// The data do not decide, and why.
    Inconclusive(String),
    /// The numbers are not of the same thing, and why.
    NotComparable(String),
}

impl Agreement {
    /// The verdict in words.
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

    /// Why, if there is something to say.
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
    /// How many games it is the mean of; none for a number without sampling error.
    pub games: Option<u64>,
    /// Its standard error, if the document states one.
    pub standard_error: Option<f64>,
}

impl PublishedMean {
    /// The standard error of its logarithm.
    fn log_error(&self) -> f64 {
        match (self.standard_error, self.games) {
            (Some(error), _) => error / self.value,
            (None, Some(games)) => (games.max(1) as f64).sqrt().recip(),
            (None, None) => 0.0,
        }
    }
}

/// What we measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredMean {
    /// The number: a mean, or the geometric mean of several training runs.
    pub value: f64,
    /// The standard error of its logarithm, for one player.
    pub log_error: f64,
    /// The training runs behind it, if training is part of it.
    pub training: Option<TrainingSpread>,
    /// Whether it is a lower bound only.
    pub is_bound: bool,
}

/// How far training runs lie apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingSpread {
    /// How many runs there are.
    pub runs: usize,
    /// The standard deviation of the logarithms of their results.
    pub deviation: f64,
}

/// How wide the error of a comparison is, on the logarithm: the half width at 95 %.
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

/// The verdict of a difference of logarithms with the half width of its error.
fn decided(difference: f64, half_width: f64) -> Agreement {
    if difference > half_width {
        Agreement::Higher
    } else if difference < -half_width {
        Agreement::Lower
    } else if half_width <= WIDEST.ln() {
        Agreement::Agrees
    } else {
        let factor = half_width.exp();
        Agreement::Inconclusive(match factor {
            ..100.0 => format!("the error is a factor of {factor:.1}"),
            _ => "the error is a factor of more than 100".to_owned(),
        })
    }
}

fn one_run() -> Agreement {
    Agreement::Inconclusive("one training run does not show the spread of training".to_owned())
}

fn bound() -> Agreement {
    Agreement::Inconclusive("only a lower bound of ours is known".to_owned())
}

/// Compares means, or results of training.
#[must_use]
pub fn compare_means(published: &PublishedMean, measured: &MeasuredMean) -> Agreement {
    if !(published.value > 0.0 && measured.value > 0.0) {
        return Agreement::Inconclusive("one of the numbers is 0".to_owned());
    }
    let difference = (measured.value / published.value).ln();
    if measured.is_bound {
        let above = difference > NORMAL * published.log_error();
        return if above { Agreement::Higher } else { bound() };
    }
    half_width(published, measured).map_or_else(one_run, |width| decided(difference, width))
}

/// The largest of `games` exponential scores with this mean that has this chance not to be exceeded.
#[must_use]
pub fn largest_of(mean: f64, games: u64, chance: f64) -> f64 {
    let of_one = chance.powf((games.max(1) as f64).recip());
    -mean * (-of_one).ln_1p()
}

/// Compares the largest of some games with what our mean makes likely.
#[must_use]
pub fn compare_largest(largest: f64, games: u64, measured: &MeasuredMean) -> Agreement {
    if !(largest > 0.0 && measured.value > 0.0) {
        return Agreement::Inconclusive("one of the numbers is 0".to_owned());
    }
    let quantile = |chance| largest_of(measured.value, games, chance).ln();
    let [low, middle, high] = [0.025, 0.5, 0.975].map(quantile);
    let exact = PublishedMean {
        value: largest,
        games: None,
        standard_error: None,
    };
    if measured.is_bound {
        let above = low > largest.ln();
        return if above { Agreement::Higher } else { bound() };
    }
    let Some(own) = half_width(&exact, measured) else {
        return one_run();
    };
    let published = largest.ln();
    // Ours is higher if the published number lies below what our mean makes likely.
    let tail = if published < middle {
        middle - low
    } else {
        high - middle
    };
    decided(middle - published, tail.hypot(own))
}

/// Compares a game that was still running with our mean.
#[must_use]
pub fn compare_running(lines: f64, measured: &MeasuredMean) -> Agreement {
    let likely = |mean: f64| (-lines / mean).exp() >= UNLIKELY;
    let width = half_width(
        &PublishedMean {
            value: lines,
            games: None,
            standard_error: None,
        },
        measured,
    );
    let highest = measured.value * width.unwrap_or(0.0).exp();
    match (likely(highest), measured.is_bound) {
        (true, _) => Agreement::Agrees,
        (false, true) => bound(),
        (false, false) => Agreement::Lower,
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
        // One game says little: a factor of exp(1.96).
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
        // Of 100 draws the largest has the median mean * ln(1 / (1 - 0.5^0.01)) = 4.98 means.
        assert!((largest_of(1.0, 100, 0.5) - 4.975).abs() < 0.001);
        assert!((largest_of(1.0, 1, 0.5) - std::f64::consts::LN_2).abs() < 1e-12);
        let of = |largest| compare_largest(largest, 100, &measured(1000.0, 0.05));
        // Its 95 % interval is from 3.3 to 8.3 means, a little wider with the error of ours.
        assert_eq!(of(5000.0), Agreement::Agrees);
        assert_eq!(of(3000.0), Agreement::Higher);
        assert_eq!(of(9000.0), Agreement::Lower);
        // A single game may be anything between a fortieth and 3.7 means.
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
    fn a_lower_bound_is_higher_or_says_nothing() {
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
}
