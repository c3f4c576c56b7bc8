//! Which of two players is better, decided as soon as the data decide it.
//!
//! Both players are measured in *units* with the same seeds: blocks of whole games, or repetitions
//! of splitting. After 16, 32, 64 ... units the ratio of their means gets an interval, and the test
//! stops when the interval leaves 1 out (one player is better) or lies within a margin around 1 (no
//! difference that matters). Looking several times would make false alarms more frequent, so the
//! error rate is divided by the number of looks (Bonferroni): with an error rate of 5 % the chance
//! to call equal players different is at most 5 % over all looks together, and so is the chance
//! that the printed interval misses the ratio.

use super::{Interval, student};
use serde::{Deserialize, Serialize};

/// The chance of a wrong decision, at most.
pub(crate) const ERROR_RATE: f64 = 0.05;
/// Units before the first look; before each later one twice as many as before the one before it.
pub(crate) const FIRST_LOOK: usize = 16;
/// How often the data are looked at, at most.
pub const LOOKS: usize = 8;

/// The units before look number `look`, from 0.
pub(crate) fn units_at(look: usize) -> usize {
    FIRST_LOOK << look
}

/// What the data say about two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The first is better.
    First,
    /// The second is better.
    Second,
    /// They differ by less than the margin.
    Equal,
    /// The data do not decide yet.
    Open,
}

/// The ratio of two means at one look.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatioLook {
    /// Units that each player was measured in.
    pub units: usize,
    /// The mean of the second divided by that of the first.
    pub ratio: f64,
    /// Its interval, wide enough for all looks together.
    pub ci95: Interval,
    /// What that decides.
    pub verdict: Verdict,
}

impl RatioLook {
    /// Compares the means of paired measurements, of which at least two are needed. Larger is
    /// better.
    pub fn at(first: &[f64], second: &[f64], margin: f64) -> Option<RatioLook> {
        let units = first.len().min(second.len());
        let (a, b) = (mean(&first[..units])?, mean(&second[..units])?);
        if units < 2 || a <= 0.0 || b <= 0.0 {
            return None;
        }
        // To first order the logarithm of the ratio is off by the mean of these.
        let pairs = first.iter().zip(second);
        let errors: Vec<f64> = pairs.map(|(x, y)| y / b - x / a).collect();
        let count = units as f64;
        let variance = errors.iter().map(|error| error * error).sum::<f64>() / (count - 1.0);
        let tail = 1.0 - ERROR_RATE / LOOKS as f64 / 2.0;
        let spread = libm::exp(student(count - 1.0, tail) * (variance / count).sqrt());
        let ratio = b / a;
        let ci95 = Interval::new(ratio / spread, ratio * spread);
        Some(RatioLook {
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

    /// Exponential scores with these means, as blocks of games would have.
    fn blocks(rng: &mut Rng, mean: f64, count: usize) -> Vec<f64> {
        let game = |rng: &mut Rng| -mean * libm::log(1.0 - rng.unit());
        let block = |_| (0..16).map(|_| game(rng)).sum::<f64>() / 16.0;
        (0..count).map(block).collect()
    }

    /// Looks until it is decided; the verdict.
    fn decide(seed: u64, ratio: f64, margin: f64) -> Verdict {
        let mut rng = Rng::new(seed);
        let most = units_at(LOOKS - 1);
        let (first, second) = (blocks(&mut rng, 1.0, most), blocks(&mut rng, ratio, most));
        let looks = (0..LOOKS).map(units_at);
        let verdicts = looks.filter_map(|n| RatioLook::at(&first[..n], &second[..n], margin));
        let mut decided = verdicts
            .map(|look| look.verdict)
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
        let look = RatioLook::at(&scores, &scores, 0.01).unwrap();
        assert_eq!((look.ratio, look.verdict), (1.0, Verdict::Equal));
    }

    #[test]
    fn one_unit_or_nothing_but_zeros_decide_nothing() {
        assert_eq!(RatioLook::at(&[1.0], &[2.0], 0.1), None);
        assert_eq!(RatioLook::at(&[0.0, 0.0], &[2.0, 1.0], 0.1), None);
    }
}
