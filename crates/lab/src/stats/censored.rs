//! Games of which some were cut off: a capped or interrupted game has at least the score that it had.
//!
//! If the chance to lose is the same at every moment, the mean is the total score over the number of losses, whatever
//! stopped the other games, as long as it did not look at how they stood. (A board is empty at the start, so the chance
//! is not the same in the first pieces; caps should leave that time far behind.)

use super::quantile::{Tail, chi_square_mean};
use super::sample::highest_mean_of_zeros;
use super::{Interval, Observation, total};

/// The total of all games and the number of those that ended: what is known of an exponential mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Censored {
    /// Sum of the scores, those of cut-off games included.
    pub total: f64,
    /// How many games ended.
    pub deaths: u64,
}

impl Censored {
    /// Adds the games up.
    #[must_use]
    pub fn of(games: &[Observation]) -> Censored {
        Censored {
            total: total(games.iter().map(|game| game.value)),
            deaths: games.iter().filter(|game| game.finished).count() as u64,
        }
    }

    /// Total over deaths; unknown when no game ended.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.deaths > 0).then(|| self.total / self.deaths as f64)
    }

    /// The 95 % interval of the mean: 2T / χ² with 2d degrees of freedom for the upper end and 2d + 2 for the lower.
    ///
    /// That is the exact interval for the rate of a Poisson process, of which d events were seen in a time T that did
    /// not depend on them. With no death the lower end is 2T / χ²(2) = T / ln 40 and there is no upper end. With 2d
    /// degrees on both sides the interval would be exact only for play that stops at the d-th death: of games capped at
    /// a third of their mean length it held the true mean in 92 of 100 series of 20, this one in 96.
    #[must_use]
    pub fn ci95(&self) -> Interval {
        let deaths = self.deaths as f64;
        let lo = self.total / (deaths + 1.0) / chi_square_mean(Tail::High, 2.0 * deaths + 2.0);
        let hi = self.mean().map(|mean| match mean {
            // Counts are not exponential when there is nothing to count.
            0.0 => highest_mean_of_zeros(deaths),
            _ => mean / chi_square_mean(Tail::Low, 2.0 * deaths),
        });
        Interval { lo, hi }
    }
}

/// The median score by Kaplan and Meier's estimator (1958), for which a cut-off game tells only that its score would
/// have been higher. Without cut-off games it is the median. None when the games were cut off too early to know.
#[must_use]
pub fn median(games: &[Observation]) -> Option<f64> {
    let mut sorted = games.to_vec();
    // At the same score losses come first: a game that was cut off there had not lost yet.
    sorted.sort_unstable_by_key(|game| (game.value, !game.finished));
    let mut surviving = 1.0;
    let mut half_reached_at = None;
    for (index, game) in sorted.iter().enumerate().filter(|(_, game)| game.finished) {
        if let Some(first) = half_reached_at {
            return Some(f64::midpoint(first, game.value as f64));
        }
        let at_risk = (sorted.len() - index) as f64;
        surviving *= (at_risk - 1.0) / at_risk;
        // Products of fractions are not exact; no smaller difference from one half is possible with so few games.
        let above_half = (surviving - 0.5) * sorted.len() as f64;
        if above_half < -1e-6 {
            return Some(game.value as f64);
        }
        if above_half < 1e-6 {
            half_reached_at = Some(game.value as f64);
        }
    }
    // The half was reached exactly, and the next loss was not seen.
    half_reached_at
}

#[cfg(test)]
mod tests {
    use super::super::Summary;
    use super::*;
    use proptest::prelude::*;

    /// Tables: χ²(0.025; 4) = 0.4844, χ²(0.975; 6) = 14.449; T = 300, d = 2 gives 600 / 14.449 and 600 / 0.4844.
    #[test]
    fn total_over_deaths_with_its_interval() {
        let games = [
            Observation::finished(40),
            Observation::finished(60),
            Observation::cut_off(100),
            Observation::cut_off(100),
        ];
        let censored = Censored::of(&games);
        assert_eq!(censored.mean(), Some(150.0));
        let ci95 = censored.ci95();
        assert!((ci95.lo - 41.525).abs() < 0.01);
        assert!((ci95.hi.unwrap() - 1238.6).abs() < 1.0);
    }

    /// ln 40 = 3.6889.
    #[test]
    fn without_a_death_there_is_only_a_lower_bound() {
        let censored = Censored::of(&[Observation::cut_off(1000), Observation::cut_off(1000)]);
        assert_eq!(censored.mean(), None);
        let ci95 = censored.ci95();
        assert!((ci95.lo - 2000.0 / 3.688_879).abs() < 1e-3);
        assert_eq!(ci95.hi, None);
        assert_eq!(median(&[Observation::cut_off(1000)]), None);
    }

    #[test]
    fn deaths_without_a_line_have_an_interval() {
        let games = [Observation::finished(0), Observation::cut_off(0)];
        assert_eq!(Censored::of(&games).mean(), Some(0.0));
        assert_eq!(Censored::of(&games).ci95(), Interval::new(0.0, 39.0));
    }

    #[test]
    fn capped_games_give_the_mean_of_whole_games() {
        let mut rng = tetrolab_core::rng::Rng::new(5);
        let mut held = 0;
        for _ in 0..500 {
            let games: Vec<_> = (0..50)
                .map(
                    |_| match super::super::sample::tests::geometric(&mut rng, 1e6) {
                        lines @ 0..500_000 => Observation::finished(lines),
                        _ => Observation::cut_off(500_000),
                    },
                )
                .collect();
            held += u32::from(Censored::of(&games).ci95().contains(1e6));
        }
        assert!(
            (465..=495).contains(&held),
            "{held} of 500 intervals hold the mean"
        );
    }

    /// At risk 5, 4, 3 and 1 at the losses: 4/5, 3/5, 2/5; the half is passed at the third loss.
    #[test]
    fn the_median_takes_cut_off_games_for_what_they_are() {
        let games = [
            Observation::finished(10),
            Observation::finished(20),
            Observation::finished(30),
            Observation::cut_off(5),
            Observation::cut_off(40),
            Observation::finished(50),
        ];
        assert_eq!(median(&games), Some(30.0));
        assert_eq!(median(&[]), None);
    }

    proptest! {
        #[test]
        fn without_cut_off_games_the_median_is_the_median(scores in prop::collection::vec(0_u64..50, 1..60)) {
            let games: Vec<_> = scores.iter().copied().map(Observation::finished).collect();
            prop_assert_eq!(median(&games), Some(Summary::of(&scores).unwrap().median));
        }
    }
}
