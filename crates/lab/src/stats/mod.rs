//! Statistics of scores: means with intervals, and comparisons of players on the same games.
//!
//! With a fixed player the length of a game is a hitting time of a Markov chain, so scores are
//! close to geometric, and to exponential when they are large: the standard deviation is about the
//! mean, and the literature writes mean (1 +- 2/sqrt(n)) for 95 % (Szita and Lőrincz 2006; Thiery
//! and Scherrer 2009). The intervals here agree with that for many exponential scores, are also
//! valid for few of them, and adapt to the data where scores are not exponentially distributed.
//!
//! Games that were truncated by a cap or by an interruption are censored: see [`censored`].
//!
//! Nothing here draws random numbers, and the order of the games does not change a result.

pub mod censored;
mod paired;
mod quantile;
mod sample;
pub mod sequential;

pub use paired::{Difference, Paired, Ratio, UnequalLengths};
pub(crate) use quantile::student;
pub use sample::Summary;

use crate::number::Number;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A 95 % interval from `lo` to `hi`, or unbounded above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub lo: f64,
    /// The upper end; `None` if unbounded.
    pub hi: Option<f64>,
}

impl Interval {
    /// From `lo` to `hi`.
    pub fn new(lo: f64, hi: f64) -> Interval {
        Interval { lo, hi: Some(hi) }
    }

    /// The interval of the inverse of a positive value; `None` if the interval is unbounded above.
    pub fn inverse(&self) -> Option<Interval> {
        let lo = self.hi?.recip();
        let hi = (self.lo > 0.0).then(|| self.lo.recip());
        Some(Interval { lo, hi })
    }

    /// Whether the value is in the interval, including its ends.
    pub fn contains(&self, value: f64) -> bool {
        self.lo <= value && self.hi.is_none_or(|hi| value <= hi)
    }
}

/// As JSON: `[lo, hi]`, with `null` for an open end.
impl Serialize for Interval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (Number(self.lo), self.hi.map(Number)).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Interval {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Interval, D::Error> {
        let (lo, hi) = Deserialize::deserialize(deserializer)?;
        Ok(Interval { lo, hi })
    }
}

/// The score of a game: a count (lines, pieces, points), and whether the game was played to its
/// end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Observation {
    /// The count.
    pub value: u64,
    /// Whether the game ended by itself; if not, it was truncated at this count.
    pub finished: bool,
}

impl Observation {
    /// A game that was played to its end.
    pub fn finished(value: u64) -> Observation {
        let finished = true;
        Observation { value, finished }
    }

    /// A truncated game.
    #[must_use]
    pub fn cut_off(value: u64) -> Observation {
        let finished = false;
        Observation { value, finished }
    }
}

/// How a mean was estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimator {
    /// Every game ended: the mean of the scores.
    Sample,
    /// Some games were truncated: the total divided by the number of games that ended.
    Censored,
}

impl Estimator {
    /// The name in JSON and in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Estimator::Sample => "sample",
            Estimator::Censored => "censored",
        }
    }
}

/// The expected score of a player, estimated from games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// How the mean was estimated.
    pub estimator: Estimator,
    /// The mean; `None` if no game ended, because then there is only a lower bound.
    pub mean: Option<f64>,
    /// The 95 % interval of the mean.
    pub ci95: Interval,
    /// The median, with truncated games as censored; `None` if too many games were truncated.
    pub median: Option<f64>,
}

impl Estimate {
    /// The estimate from these games: the sample mean if all ended, the censored estimator if some
    /// were truncated; `None` without games.
    pub fn of(games: &[Observation]) -> Option<Estimate> {
        let median = censored::median(games);
        if games.iter().all(|game| game.finished) {
            let scores: Vec<u64> = games.iter().map(|game| game.value).collect();
            let summary = Summary::of(&scores)?;
            return Some(Estimate {
                estimator: Estimator::Sample,
                mean: Some(summary.mean),
                ci95: summary.ci95,
                median,
            });
        }
        let censored = censored::Censored::of(games);
        Some(Estimate {
            estimator: Estimator::Censored,
            mean: censored.mean(),
            ci95: censored.ci95(),
            median,
        })
    }

    /// The mean implied by the median if scores are exponential, median / ln 2; if it is far from
    /// the mean, they are not.
    pub(crate) fn mean_by_median(&self) -> Option<f64> {
        self.median.map(|median| median / std::f64::consts::LN_2)
    }
}

/// The sum of counts, which may exceed the range of a single count.
fn total(values: impl Iterator<Item = u64>) -> f64 {
    values.map(u128::from).sum::<u128>() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn games() -> impl Strategy<Value = Vec<Observation>> {
        let value = prop_oneof![0_u64..5, 0_u64..100_000, any::<u64>()];
        let game = (value, prop::bool::weighted(0.8))
            .prop_map(|(value, finished)| Observation { value, finished });
        prop::collection::vec(game, 1..40)
    }

    proptest! {
        #[test]
        fn an_interval_is_finite_and_contains_the_mean(games in games()) {
            let estimate = Estimate::of(&games).unwrap();
            prop_assert!(estimate.ci95.lo.is_finite() && estimate.ci95.lo >= 0.0);
            prop_assert!(estimate.ci95.hi.is_none_or(f64::is_finite));
            prop_assert_eq!(estimate.mean.is_none(), estimate.ci95.hi.is_none());
            if let Some(mean) = estimate.mean {
                prop_assert!(mean.is_finite() && estimate.ci95.contains(mean));
            }
        }

        #[test]
        fn the_order_of_games_does_not_matter(games in games()) {
            let mut sorted = games.clone();
            sorted.sort_unstable();
            prop_assert_eq!(Estimate::of(&games), Estimate::of(&sorted));
        }
    }

    #[test]
    fn there_is_no_estimate_without_games() {
        assert_eq!(Estimate::of(&[]), None);
    }

    #[test]
    fn the_estimator_follows_from_the_games() {
        let ended = [Observation::finished(3), Observation::finished(5)];
        assert_eq!(Estimate::of(&ended).unwrap().estimator, Estimator::Sample);
        let cut = [Observation::finished(3), Observation::cut_off(5)];
        let estimate = Estimate::of(&cut).unwrap();
        assert_eq!(estimate.estimator.as_str(), "censored");
        assert_eq!(estimate.mean, Some(8.0));
    }

    #[test]
    fn the_median_gives_the_mean_of_an_exponential_law() {
        let scores = [1, 7, 7, 900].map(Observation::finished);
        let by_median = Estimate::of(&scores).unwrap().mean_by_median().unwrap();
        assert!((by_median - 10.0988).abs() < 1e-4);
    }
}
