//! Two players that played the same games.

use super::censored::Censored;
use super::quantile::{fisher, student};
use super::sample::{PRIOR_GAMES, geometric_spread};
use super::{Estimator, Interval, Observation};

/// A player, the second, compared with another, the first, on the same seeds.
///
/// The difference needs scores, so it exists only if every game of both was played to its end. The
/// ratio of means can also be estimated from capped games. The winner of a pair of games is known
/// if the game with the lower score has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paired {
    /// Number of seeds that both players played.
    pub games: usize,
    /// Number of games in which the second player scored more.
    pub wins: usize,
    /// Number of games in which the second player scored less.
    pub losses: usize,
    /// Number of games with the same score.
    pub ties: usize,
    /// Number of pairs whose winner is unknown because the game with the lower or equal score was
    /// truncated.
    pub undecided: usize,
    /// The second score minus the first; `None` if a game was truncated.
    pub difference: Option<Difference>,
    /// The second mean divided by the first; `None` if a mean is unknown or 0.
    pub ratio: Option<Ratio>,
}

/// The mean of the differences, game by game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Mean of second minus first.
    pub mean: f64,
    /// Student's 95 % interval; `None` for a single game.
    ///
    /// In simulations with exponential scores, it contained the true difference in 95 to 97 of 100
    /// series of 5 to 100 games if the means were equal, and in 89, 92 and 95 of 100 series of 5,
    /// 20 and 100 games if one was ten times the other. For few games of unequal players, the ratio
    /// is therefore more reliable.
    pub ci95: Option<Interval>,
}

/// The ratio of the two means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// How the two means were estimated.
    pub estimator: Estimator,
    /// The mean of the second player divided by that of the first.
    pub value: f64,
    /// The 95 % interval of the ratio.
    ///
    /// For whole games: the means of exponential scores have a ratio with Fisher's distribution;
    /// its degrees of freedom are chosen to match the variance of the logarithm of the ratio,
    /// estimated from the data and twenty games' worth of independent geometric scores (as in
    /// [`Summary`](super::Summary)), so a correlation of the arms in the same games makes it
    /// narrower. In simulations, it contained the true ratio in 94.5 to 95.3 of 100 series of 1 to
    /// 100 independent exponential pairs, and in more when the pairs were correlated.
    ///
    /// For capped games: Fisher's distribution with twice the deaths, as if the arms were
    /// independent.
    pub ci95: Interval,
}

/// The arms did not play the same number of games, so they cannot be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the arms played {first} and {second} games, but only the same games can be compared")]
pub struct UnequalLengths {
    /// Games of the first arm.
    pub first: usize,
    /// Games of the second arm.
    pub second: usize,
}

impl Paired {
    /// Compares two arms; game i of both had the same seed.
    ///
    /// # Errors
    /// If the arms played different numbers of games.
    pub fn of(first: &[Observation], second: &[Observation]) -> Result<Paired, UnequalLengths> {
        let (a, b) = (first.len(), second.len());
        if a != b {
            return Err(UnequalLengths {
                first: a,
                second: b,
            });
        }
        let mut pairs: Vec<_> = first.iter().copied().zip(second.iter().copied()).collect();
        // The order of summation is fixed, so that the result does not depend on the order of the
        // games.
        pairs.sort_unstable();
        let count = |outcome| {
            pairs
                .iter()
                .filter(|&&pair| winner(pair) == outcome)
                .count()
        };
        let whole = pairs.iter().all(|(a, b)| a.finished && b.finished);
        let moments = (whole && !pairs.is_empty()).then(|| Moments::of(&pairs));
        Ok(Paired {
            games: pairs.len(),
            wins: count(GameWinner::Second),
            losses: count(GameWinner::First),
            ties: count(GameWinner::Tie),
            undecided: count(GameWinner::Unknown),
            difference: moments.map(|moments| moments.difference()),
            ratio: match moments {
                Some(moments) => moments.ratio(),
                None => censored_ratio(&Censored::of(first), &Censored::of(second)),
            },
        })
    }

    /// Compares every arm but the first with the first, in order.
    ///
    /// # Errors
    /// If the arms played different numbers of games.
    pub(crate) fn against_first(arms: &[Vec<Observation>]) -> Result<Vec<Paired>, UnequalLengths> {
        let Some((first, others)) = arms.split_first() else {
            return Ok(Vec::new());
        };
        others
            .iter()
            .map(|other| Paired::of(first, other))
            .collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum GameWinner {
    First,
    Second,
    Tie,
    Unknown,
}

fn winner((first, second): (Observation, Observation)) -> GameWinner {
    match first.value.cmp(&second.value) {
        std::cmp::Ordering::Less if first.finished => GameWinner::Second,
        std::cmp::Ordering::Greater if second.finished => GameWinner::First,
        std::cmp::Ordering::Equal if first.finished && second.finished => GameWinner::Tie,
        _ => GameWinner::Unknown,
    }
}

/// Means, variances and covariance of pairs.
#[derive(Clone, Copy)]
struct Moments {
    n: f64,
    first: f64,
    second: f64,
    /// Variance of second - first.
    difference: f64,
    /// Variance of second / its mean - first / its mean.
    relative: f64,
}

impl Moments {
    fn of(pairs: &[(Observation, Observation)]) -> Moments {
        let n = pairs.len() as f64;
        let first = super::total(pairs.iter().map(|pair| pair.0.value)) / n;
        let second = super::total(pairs.iter().map(|pair| pair.1.value)) / n;
        // With equal divisors the scale of the pairs cancels, and only their differences remain.
        let spread = |first_unit: f64, second_unit: f64| {
            let square = |pair: &(Observation, Observation)| {
                let a = (pair.0.value as f64 - first) / first_unit;
                let b = (pair.1.value as f64 - second) / second_unit;
                (b - a).powi(2)
            };
            pairs.iter().map(square).sum::<f64>() / (n - 1.0).max(1.0)
        };
        Moments {
            n,
            first,
            second,
            difference: spread(1.0, 1.0),
            relative: spread(first, second),
        }
    }

    fn difference(&self) -> Difference {
        let mean = self.second - self.first;
        let ci95 = (self.n > 1.0).then(|| {
            let half = student(self.n - 1.0, 0.975) * (self.difference / self.n).sqrt();
            Interval::new(mean - half, mean + half)
        });
        Difference { mean, ci95 }
    }

    fn ratio(&self) -> Option<Ratio> {
        if self.first == 0.0 || self.second == 0.0 {
            return None;
        }
        let prior = geometric_spread(self.first) + geometric_spread(self.second);
        let data = self.n - 1.0;
        let spread = (PRIOR_GAMES * prior + data * self.relative) / (PRIOR_GAMES + data);
        // Two means of exponential scores have a spread of 2 and 2n degrees of freedom each.
        let degrees = 4.0 * self.n / spread;
        let factor = fisher(degrees, degrees);
        let value = self.second / self.first;
        Some(Ratio {
            estimator: Estimator::Sample,
            value,
            ci95: Interval::new(value / factor, value * factor),
        })
    }
}

fn censored_ratio(first: &Censored, second: &Censored) -> Option<Ratio> {
    let (a, b) = (first.mean()?, second.mean()?);
    if a == 0.0 || b == 0.0 {
        return None;
    }
    let value = b / a;
    let (first, second) = (2.0 * first.deaths as f64, 2.0 * second.deaths as f64);
    Some(Ratio {
        estimator: Estimator::Censored,
        value,
        ci95: Interval::new(value / fisher(second, first), value * fisher(first, second)),
    })
}

#[cfg(test)]
mod tests {
    use super::super::sample::tests::geometric;
    use super::*;
    use proptest::prelude::*;
    use tetrolab_core::rng::Rng;

    fn whole(scores: &[u64]) -> Vec<Observation> {
        scores.iter().copied().map(Observation::finished).collect()
    }

    /// Differences 1, 3, -1 and 1: mean 1, variance 8/3, standard error 0.8165, t(0.975; 3) =
    /// 3.1824.
    #[test]
    fn differences_are_taken_game_by_game() {
        let paired = Paired::of(&whole(&[10, 10, 10, 10]), &whole(&[11, 13, 9, 11])).unwrap();
        assert_eq!((paired.wins, paired.losses, paired.ties), (3, 1, 0));
        let difference = paired.difference.unwrap();
        assert_eq!(difference.mean, 1.0);
        let ci95 = difference.ci95.unwrap();
        assert!(
            (ci95.lo - (1.0 - 2.5984)).abs() < 1e-3 && (ci95.hi.unwrap() - 3.5984).abs() < 1e-3
        );
        assert!((paired.ratio.unwrap().value - 1.1).abs() < 1e-12);
    }

    /// Two exponential scores: F(0.975; 2, 2) = 39.
    #[test]
    fn one_pair_has_a_ratio_with_a_wide_interval() {
        let paired = Paired::of(&whole(&[1_000_000_000]), &whole(&[2_000_000_000])).unwrap();
        assert_eq!(paired.difference.unwrap().ci95, None);
        let ci95 = paired.ratio.unwrap().ci95;
        assert!((ci95.lo - 2.0 / 39.0).abs() < 1e-4 && (ci95.hi.unwrap() - 78.0).abs() < 1e-3);
    }

    #[test]
    fn truncated_games_can_leave_pairs_undecided() {
        let first = [
            Observation::finished(5),
            Observation::cut_off(9),
            Observation::finished(9),
            Observation::cut_off(9),
        ];
        let second = [
            Observation::cut_off(9),
            Observation::finished(4),
            Observation::cut_off(9),
            Observation::cut_off(9),
        ];
        let paired = Paired::of(&first, &second).unwrap();
        assert_eq!(
            (paired.wins, paired.losses, paired.ties, paired.undecided),
            (1, 1, 0, 2)
        );
        assert_eq!(paired.difference, None);
        let ratio = paired.ratio.unwrap();
        assert_eq!(
            (ratio.estimator, ratio.value),
            (Estimator::Censored, 31.0 / 16.0)
        );
        let endless = [Observation::cut_off(9); 4];
        assert_eq!(Paired::of(&first, &endless).unwrap().ratio, None);
    }

    #[test]
    fn arms_of_different_lengths_are_not_compared() {
        let error = Paired::of(&whole(&[1]), &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the arms played 1 and 0 games, but only the same games can be compared"
        );
        assert_eq!(Paired::of(&[], &[]).unwrap().ratio, None);
    }

    #[test]
    fn a_player_ties_with_itself_and_a_player_without_lines_has_no_ratio() {
        let scores = whole(&[3, 8, 1]);
        let arms = [scores.clone(), scores, whole(&[0, 0, 0])];
        let [same, nothing] = Paired::against_first(&arms).unwrap()[..] else {
            panic!("two arms are compared with the first");
        };
        assert_eq!((same.ties, same.ratio.unwrap().value), (3, 1.0));
        assert_eq!(same.difference.unwrap().ci95, Some(Interval::new(0.0, 0.0)));
        assert_eq!((nothing.losses, nothing.ratio), (3, None));
    }

    #[test]
    fn about_95_of_100_intervals_hold_the_ratio() {
        let mut rng = Rng::new(3);
        for n in [1, 5, 20, 100] {
            let mut held = 0;
            for _ in 0..1000 {
                let mut arm = |mean| {
                    (0..n)
                        .map(|_| Observation::finished(geometric(&mut rng, mean)))
                        .collect()
                };
                let (first, second): (Vec<_>, Vec<_>) = (arm(1e5), arm(1e6));
                let ratio = Paired::of(&first, &second).unwrap().ratio.unwrap();
                held += u32::from(ratio.ci95.contains(10.0));
            }
            assert!((925..=975).contains(&held), "n {n}: {held} of 1000");
        }
    }

    proptest! {
        #[test]
        fn exchanging_the_arms_mirrors_the_comparison(
            pairs in prop::collection::vec((0_u64..1000, 1_u64..1000), 1..40)
        ) {
            let (first, second): (Vec<u64>, Vec<u64>) = pairs.into_iter().unzip();
            let (first, second) = (whole(&first), whole(&second));
            let there = Paired::of(&first, &second).unwrap();
            let back = Paired::of(&second, &first).unwrap();
            prop_assert_eq!((there.wins, there.losses), (back.losses, back.wins));
            prop_assert_eq!(there.difference.unwrap().mean, -back.difference.unwrap().mean);
            if let (Some(there), Some(back)) = (there.ratio, back.ratio) {
                prop_assert!((there.value * back.value - 1.0).abs() < 1e-9);
                prop_assert!(there.ci95.contains(there.value));
                prop_assert!((there.ci95.lo * back.ci95.hi.unwrap() - 1.0).abs() < 1e-9);
            }
        }
    }
}
