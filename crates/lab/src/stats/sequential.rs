//! A sequential test of which of two players is better.
//!
//! Both players are measured in *units* with the same seeds: blocks of whole games, or repetitions
//! of splitting. After 16, 32, 64 ... units the ratio of their means gets an interval, and the test
//! stops when the interval excludes 1 (one player is better) or is within a margin around 1 (the
//! difference does not matter). Repeated analyses would make false alarms more frequent, so the
//! error rate is divided by the number of analyses (Bonferroni): with an error rate of 5 % the
//! probability of calling equal players different is at most 5 % over all analyses together, and so
//! is the probability that the printed interval misses the ratio.

use super::{Interval, student};
use serde::{Deserialize, Serialize};

/// The maximum probability of a wrong decision.
pub(crate) const ERROR_RATE: f64 = 0.05;
/// Number of units before the first interim analysis; each later analysis uses twice as many as the
/// previous one.
pub(crate) const FIRST_ANALYSIS: usize = 16;
/// Maximum number of interim analyses.
pub const MOST_ANALYSES: usize = 8;

/// The units before an interim analysis, numbered from 0.
pub(crate) fn units_at(number: usize) -> usize {
    FIRST_ANALYSIS << number
}

/// The verdict on two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The first is better.
    First,
    /// The second is better.
    Second,
    /// The players differ by less than the margin.
    Equal,
    /// The data are not sufficient yet.
    Open,
}

/// The ratio of two means at an interim analysis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct InterimAnalysis {
    /// Number of units in which each player was measured.
    pub units: usize,
    /// The mean of the second divided by that of the first.
    pub ratio: f64,
    /// The interval of the ratio, wide enough for all analyses together.
    pub ci95: Interval,
    /// The verdict.
    pub verdict: Verdict,
}

impl InterimAnalysis {
    /// Compares the means of at least two paired measurements. Larger is better.
    pub fn at(first: &[f64], second: &[f64], margin: f64) -> Option<InterimAnalysis> {
        let units = first.len().min(second.len());
        let (a, b) = (mean(&first[..units])?, mean(&second[..units])?);
        if units < 2 || a <= 0.0 || b <= 0.0 {
            return None;
        }
        // To first order, the error of the logarithm of the ratio is the mean of these values.
        let pairs = first.iter().zip(second);
        let errors: Vec<f64> = pairs.map(|(x, y)| y / b - x / a).collect();
        let count = units as f64;
        let variance = errors.iter().map(|error| error * error).sum::<f64>() / (count - 1.0);
        let tail = 1.0 - ERROR_RATE / MOST_ANALYSES as f64 / 2.0;
        let spread = libm::exp(student(count - 1.0, tail) * (variance / count).sqrt());
        let ratio = b / a;
        let ci95 = Interval::new(ratio / spread, ratio * spread);
        Some(InterimAnalysis {
            units,
            ratio,
            ci95,
            verdict: verdict(&ci95, margin),
        })
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / count)
}

fn verdict(ci95: &Interval, margin: f64) -> Verdict {
    let hi = ci95.hi.unwrap_or(f64::INFINITY);
    if ci95.lo > 1.0 {
        Verdict::Second
    } else if hi < 1.0 {
        Verdict::First
    } else if ci95.lo >= 1.0 / (1.0 + margin) && hi <= 1.0 + margin {
        Verdict::Equal
    } else {
        Verdict::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrolab_core::rng::Rng;

    /// Exponential scores with these means, similar to blocks of games.
    fn blocks(rng: &mut Rng, mean: f64, count: usize) -> Vec<f64> {
        let game = |rng: &mut Rng| -mean * libm::log(1.0 - rng.unit());
        let block = |_| (0..16).map(|_| game(rng)).sum::<f64>() / 16.0;
        (0..count).map(block).collect()
    }

    /// Analyses the data until there is a decision; returns the verdict.
    fn decide(seed: u64, ratio: f64, margin: f64) -> Verdict {
        let mut rng = Rng::new(seed);
        let most = units_at(MOST_ANALYSES - 1);
        let (first, second) = (blocks(&mut rng, 1.0, most), blocks(&mut rng, ratio, most));
        let units = (0..MOST_ANALYSES).map(units_at);
        let verdicts = units.filter_map(|n| InterimAnalysis::at(&first[..n], &second[..n], margin));
        let mut decided = verdicts
            .map(|analysis| analysis.verdict)
            .filter(|v| *v != Verdict::Open);
        decided.next().unwrap_or(Verdict::Open)
    }

    #[test]
    fn equal_players_are_called_different_at_most_as_often_as_stated() {
        let wrong = (0..400).filter(|&seed| {
            let verdict = decide(seed, 1.0, 0.1);
            matches!(verdict, Verdict::First | Verdict::Second)
        });
        let wrong = wrong.count();
        assert!(wrong <= 20, "{wrong} of 400");
    }

    #[test]
    fn a_better_player_is_found() {
        for seed in 0..50 {
            assert_eq!(decide(seed, 1.5, 0.05), Verdict::Second, "{seed}");
            assert_eq!(decide(seed, 0.7, 0.05), Verdict::First, "{seed}");
        }
    }

    #[test]
    fn the_same_numbers_twice_are_equal() {
        let scores = [1.0, 2.0, 3.0];
        let analysis = InterimAnalysis::at(&scores, &scores, 0.01).unwrap();
        assert_eq!((analysis.ratio, analysis.verdict), (1.0, Verdict::Equal));
    }

    #[test]
    fn one_unit_or_nothing_but_zeros_decide_nothing() {
        assert_eq!(InterimAnalysis::at(&[1.0], &[2.0], 0.1), None);
        assert_eq!(InterimAnalysis::at(&[0.0, 0.0], &[2.0, 1.0], 0.1), None);
    }
}
