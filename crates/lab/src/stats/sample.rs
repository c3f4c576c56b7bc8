//! Scores of games that were all played to their end.

use super::quantile::{Tail, chi_square_mean};
use super::{Interval, total};

/// The weight, in games, of the assumption that scores are geometric: strong for five scores, whose
/// spread is uncertain, and weak for hundreds.
pub(super) const PRIOR_GAMES: f64 = 20.0;

/// A sample of scores in a few numbers.
///
/// # The interval of the mean
///
/// The sum of n exponential scores has a gamma distribution of shape n, which gives the exact
/// interval mean · 2n / χ²(2n). Scores with another spread have, to second order, a gamma sum of
/// shape n / c², where c² is the squared coefficient of variation; it is estimated from the data,
/// together with a prior of twenty games of the geometric law, for which it is 1 + 1/mean. A single
/// score thus has the exact exponential interval, a few scores rely partly on the geometric law,
/// and many scores do not depend on it.
///
/// Share of intervals that contained the true mean in 20,000 simulated samples each (a test repeats
/// some of it):
///
/// | n | exponential | geometric, mean 5 | geometric, mean 0.5 | Erlang of 2 stages | Student's t, exponential |
/// |--:|--:|--:|--:|--:|--:|
/// | 1 | 0.950 | 0.968 | 0.964 | 0.993 | none |
/// | 2 | 0.946 | 0.972 | 0.954 | 0.993 | 0.909 |
/// | 5 | 0.945 | 0.967 | 0.953 | 0.991 | 0.882 |
/// | 20 | 0.943 | 0.949 | 0.958 | 0.984 | 0.921 |
/// | 100 | 0.946 | 0.947 | 0.949 | 0.964 | 0.945 |
/// | 1000 | 0.950 | 0.951 | 0.950 | 0.950 | 0.949 |
///
/// If scores have a much larger spread than exponential ones (a mixture of a good and a bad
/// player), fewer intervals contain the mean, as with every method, until there are hundreds of
/// scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Number of scores.
    pub n: usize,
    /// The mean of the scores.
    pub mean: f64,
    /// The standard deviation of the scores, with n - 1 in the denominator; `None` for one score.
    pub sd: Option<f64>,
    /// The median of the scores; for an even number, the mean of the middle two.
    pub median: f64,
    /// The lowest.
    pub min: u64,
    /// The highest.
    pub max: u64,
    /// The 95 % interval of the mean.
    pub ci95: Interval,
}

impl Summary {
    /// Summarises a sample; `None` for an empty one.
    pub fn of(scores: &[u64]) -> Option<Summary> {
        // The order of summation is fixed, so that the result does not depend on the order of the
        // games.
        let mut sorted = scores.to_vec();
        sorted.sort_unstable();
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let n = sorted.len();
        let mean = total(sorted.iter().copied()) / n as f64;
        let variance = variance(&sorted, mean);
        let middle = |index: usize| sorted[index] as f64;
        Some(Summary {
            n,
            mean,
            sd: variance.map(f64::sqrt),
            median: f64::midpoint(middle((n - 1) / 2), middle(n / 2)),
            min,
            max,
            ci95: interval(n as f64, mean, variance.unwrap_or(0.0)),
        })
    }
}

fn variance(scores: &[u64], mean: f64) -> Option<f64> {
    let square = |&score: &u64| (score as f64 - mean).powi(2);
    let n = scores.len();
    (n > 1).then(|| scores.iter().map(square).sum::<f64>() / (n - 1) as f64)
}

fn interval(n: f64, mean: f64, variance: f64) -> Interval {
    if mean == 0.0 {
        return Interval::new(0.0, highest_mean_of_zeros(n));
    }
    let observed = variance / (mean * mean);
    let spread =
        (PRIOR_GAMES * geometric_spread(mean) + (n - 1.0) * observed) / (PRIOR_GAMES + n - 1.0);
    let degrees = 2.0 * n / spread;
    Interval::new(
        mean / chi_square_mean(Tail::High, degrees),
        mean / chi_square_mean(Tail::Low, degrees),
    )
}

/// The squared coefficient of variation of a geometric distribution on 0, 1, 2, ...
pub(super) fn geometric_spread(mean: f64) -> f64 {
    1.0 + 1.0 / mean
}

/// The upper end of the interval if all of n games scored 0: the mean of the geometric distribution
/// that does so with probability 0.025.
pub(super) fn highest_mean_of_zeros(n: f64) -> f64 {
    libm::pow(40.0, 1.0 / n) - 1.0
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use tetrolab_core::rng::Rng;

    /// A random geometric score; with a large mean, it is nearly exponential.
    pub(in super::super) fn geometric(rng: &mut Rng, mean: f64) -> u64 {
        let chance = (1.0 - rng.unit()).ln();
        (chance / (mean / (1.0 + mean)).ln()) as u64
    }

    fn coverage(n: usize, samples: usize, mean: f64, mut draw: impl FnMut() -> u64) -> f64 {
        let mut held = 0;
        for _ in 0..samples {
            let scores: Vec<u64> = (0..n).map(|_| draw()).collect();
            held += usize::from(Summary::of(&scores).unwrap().ci95.contains(mean));
        }
        held as f64 / samples as f64
    }

    #[test]
    fn about_95_of_100_intervals_hold_the_mean() {
        let mut rng = Rng::new(1);
        for mean in [0.5, 5.0, 1e6] {
            for n in [1, 5, 20, 100, 1000] {
                let samples = 2000;
                let share = coverage(n, samples, mean, || geometric(&mut rng, mean));
                // Three standard errors of 2000 samples below 0.94, and wide where counts are
                // coarse.
                assert!(
                    (0.925..0.985).contains(&share),
                    "mean {mean}, n {n}: {share}"
                );
            }
        }
    }

    /// Prints the table of the doc comment: `cargo test --release -p tetrolab -- --ignored
    /// --nocapture coverage`.
    #[test]
    #[ignore = "a measurement, not a check"]
    fn coverage_table() {
        let mut rng = Rng::new(2);
        let student = |scores: &[u64], mean: f64| {
            let summary = Summary::of(scores).unwrap();
            let half = super::super::quantile::student(scores.len() as f64 - 1.0, 0.975)
                * summary.sd.unwrap()
                / (scores.len() as f64).sqrt();
            (summary.mean - mean).abs() <= half
        };
        for n in [1, 2, 5, 20, 100, 1000] {
            let mut row = format!("/// | {n}");
            for mean in [1e6, 5.0, 0.5] {
                let share = coverage(n, 20_000, mean, || geometric(&mut rng, mean));
                row += &format!(" | {share:.3}");
            }
            let share = coverage(n, 20_000, 2e6, || {
                geometric(&mut rng, 1e6) + geometric(&mut rng, 1e6)
            });
            row += &format!(" | {share:.3}");
            let held = (0..20_000).filter(|_| {
                let scores: Vec<u64> = (0..n).map(|_| geometric(&mut rng, 1e6)).collect();
                n > 1 && student(&scores, 1e6)
            });
            println!("{row} | {:.3} |", held.count() as f64 / 20_000.0);
        }
    }

    /// Tables: χ² with 2 degrees has its 0.025 and 0.975 quantiles at 0.0506 and 7.378. The spread
    /// of a geometric score, 1 + 1/mean, makes the degrees a little fewer than 2.
    #[test]
    fn one_score_has_the_exponential_interval() {
        let mean = 1e9;
        let ci95 = Summary::of(&[1_000_000_000]).unwrap().ci95;
        assert!((ci95.lo / (2.0 * mean / 7.377_759) - 1.0).abs() < 1e-6);
        assert!((ci95.hi.unwrap() / (2.0 * mean / 0.050_636) - 1.0).abs() < 1e-4);
    }

    #[test]
    fn many_exponential_scores_have_the_interval_of_the_literature() {
        // The quantiles of the exponential distribution: a sample with the spread that it should
        // have.
        let n = 10_000;
        let quantile = |i: usize| -(1.0 - (i as f64 + 0.5) / n as f64).ln();
        let scores: Vec<u64> = (0..n).map(|i| (quantile(i) * 1e6) as u64).collect();
        let summary = Summary::of(&scores).unwrap();
        let half = (summary.ci95.hi.unwrap() - summary.ci95.lo) / 2.0 / summary.mean;
        assert!((half - 1.96 / 100.0).abs() < 2e-4, "{half}");
    }

    #[test]
    fn a_sample_in_a_few_numbers() {
        let summary = Summary::of(&[4, 0, 2, 10]).unwrap();
        assert_eq!((summary.n, summary.min, summary.max), (4, 0, 10));
        assert_eq!((summary.mean, summary.median), (4.0, 3.0));
        assert!((summary.sd.unwrap() - (56.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(Summary::of(&[7]).unwrap().sd, None);
    }

    #[test]
    fn equal_scores_have_an_interval_that_narrows() {
        let width = |n: usize| {
            let ci95 = Summary::of(&vec![50; n]).unwrap().ci95;
            assert!(ci95.contains(50.0));
            ci95.hi.unwrap() - ci95.lo
        };
        assert!(width(2) > width(10) && width(10) > width(1000) && width(1000) < 1.0);
    }

    /// 40^(1/1) - 1 = 39, 40^(1/100) - 1 = 0.0376.
    #[test]
    fn games_that_score_nothing_have_an_interval() {
        let hi = |n: usize| Summary::of(&vec![0; n]).unwrap().ci95;
        assert_eq!(hi(1), Interval::new(0.0, 39.0));
        assert!((hi(100).hi.unwrap() - 0.0376).abs() < 1e-4);
    }
}
