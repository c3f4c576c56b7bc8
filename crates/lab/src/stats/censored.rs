//! Censored games: the final score of a capped or interrupted game would have been at least its
//! score so far.
//!
//! If the hazard of losing is constant, the mean is the total score divided by the number of
//! losses, provided that censoring is independent of the state of the games. The board is empty at
//! the start, so the first pieces are safe, and a cap must be far beyond that time: [`CapCheck`]
//! checks this.

use super::quantile::{Tail, chi_square_mean};
use super::sample::highest_mean_of_zeros;
use super::{Interval, Observation, Summary, total};

/// The total of all games and the number of losses: sufficient statistics of an exponential mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Censored {
    /// Sum of the scores, including those of truncated games.
    pub total: f64,
    /// Number of games that ended.
    pub deaths: u64,
}

impl Censored {
    /// Adds up the games.
    pub fn of(games: &[Observation]) -> Censored {
        Censored {
            total: total(games.iter().map(|game| game.value)),
            deaths: games.iter().filter(|game| game.finished).count() as u64,
        }
    }

    /// Total divided by deaths; unknown if no game ended.
    pub fn mean(&self) -> Option<f64> {
        (self.deaths > 0).then(|| self.total / self.deaths as f64)
    }

    /// The 95 % interval of the mean: 2T / χ² with 2d degrees of freedom for the upper end and 2d +
    /// 2 for the lower.
    ///
    /// That is the exact interval for the rate of a Poisson process, with d events in a time T that
    /// did not depend on them. With no death the lower end is 2T / χ²(2) = T / ln 40 and there is
    /// no upper end. With 2d degrees of freedom on both sides, the interval would be exact only if
    /// play stopped at the d-th death: for games capped at a third of their mean length, it
    /// contained the true mean in 92 of 100 series of 20, and the one used here in 96.
    pub fn ci95(&self) -> Interval {
        let deaths = self.deaths as f64;
        let lo = self.total / (deaths + 1.0) / chi_square_mean(Tail::High, 2.0 * deaths + 2.0);
        let hi = self.mean().map(|mean| match mean {
            // Counts of 0 are not exponential.
            0.0 => highest_mean_of_zeros(deaths),
            _ => mean / chi_square_mean(Tail::Low, 2.0 * deaths),
        });
        Interval { lo, hi }
    }
}

/// The safe time at the start of a game, in multiples of the number of pieces that fill its board.
/// With caps of 2 to 40 boards, means of 5,000 to 20,000 games were too high by the equivalent of
/// 1.3 (6x8) and 2 (10x10) boards, for dellacherie as well as bcts.
const SAFE_BOARDS: f64 = 2.0;
/// The maximum bias in standard errors: half a standard error reduces the coverage of a 95 %
/// interval by three percentage points.
const HARMLESS_ERROR: f64 = 0.5;

/// Whether a cap on pieces is long enough for the censored estimator.
///
/// Suppose that games are safe for their first t pieces, and then end at a constant rate. If a cap
/// truncates a share c of the games, the total divided by the losses is too large by t c / (1 - c)
/// pieces; relative to itself, by t times the number of truncated games divided by the total. The
/// cap is too short if that is not negligible compared with the standard error, 1 / sqrt(losses).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CapCheck {
    /// The approximate relative bias of the mean.
    pub excess: f64,
    deaths: u64,
}

impl CapCheck {
    /// Checks whether a cap was long enough, on a board that `capacity` pieces fill.
    pub fn of(pieces: &[Observation], capacity: f64) -> CapCheck {
        let Censored { total, deaths } = Censored::of(pieces);
        let cut_off = pieces.len() as f64 - deaths as f64;
        CapCheck {
            excess: SAFE_BOARDS * capacity * cut_off / total.max(1.0),
            deaths,
        }
    }

    /// Whether the cap is so short that the interval is too high to be trusted.
    pub(crate) fn is_short(&self) -> bool {
        self.excess * (self.deaths.max(1) as f64).sqrt() > HARMLESS_ERROR
    }
}

/// The lower end of the 95 % interval of the score under the cap, which is also a lower bound for
/// whole games.
pub(crate) fn lower_bound(games: &[Observation]) -> Option<f64> {
    let scores: Vec<u64> = games.iter().map(|game| game.value).collect();
    Summary::of(&scores).map(|summary| summary.ci95.lo)
}

/// The median by Kaplan and Meier's estimator (1958), for which a censored game only gives a lower
/// bound on its score. Without censored games it is the sample median. `None` if the games were
/// truncated too early.
pub fn median(games: &[Observation]) -> Option<f64> {
    let mut sorted = games.to_vec();
    // At the same score, losses come first: a game truncated there had not been lost yet.
    sorted.sort_unstable_by_key(|game| (game.value, !game.finished));
    let mut surviving = 1.0;
    let mut half_reached_at = None;
    for (index, game) in sorted.iter().enumerate().filter(|(_, game)| game.finished) {
        if let Some(first) = half_reached_at {
            return Some(f64::midpoint(first, game.value as f64));
        }
        let at_risk = (sorted.len() - index) as f64;
        surviving *= (at_risk - 1.0) / at_risk;
        // Products of fractions are not exact; no smaller difference from one half is possible with
        // this few games.
        let above_half = (surviving - 0.5) * sorted.len() as f64;
        if above_half < -1e-6 {
            return Some(game.value as f64);
        }
        if above_half < 1e-6 {
            half_reached_at = Some(game.value as f64);
        }
    }
    // Exactly one half was reached, and the next loss was not observed.
    half_reached_at
}

#[cfg(test)]
mod tests {
    use super::super::Summary;
    use super::*;
    use proptest::prelude::*;

    /// Tables: χ²(0.025; 4) = 0.4844, χ²(0.975; 6) = 14.449; T = 300, d = 2 gives 600 / 14.449 and
    /// 600 / 0.4844.
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

    /// The number of pieces in a game that is safe at first and then lost at a constant rate, up to
    /// a cap.
    fn capped_game(
        rng: &mut tetrolab_core::rng::Rng,
        safe: u64,
        rest: f64,
        cap: u64,
    ) -> Observation {
        match safe + super::super::sample::tests::geometric(rng, rest) {
            pieces if pieces < cap => Observation::finished(pieces),
            _ => Observation::cut_off(cap),
        }
    }

    /// Of 300 intervals for series of this many games, the number that contain the mean, and the
    /// number of caps that are judged too short.
    fn coverage(games: usize, cap: u64) -> (u32, u32) {
        let (safe, rest, capacity) = (20, 130.0, 12.0);
        let mut rng = tetrolab_core::rng::Rng::new(9);
        let (mut held, mut short, mut below) = (0, 0, 0);
        for _ in 0..300 {
            let games: Vec<_> = (0..games)
                .map(|_| capped_game(&mut rng, safe, rest, cap))
                .collect();
            let mean = safe as f64 + rest;
            held += u32::from(Censored::of(&games).ci95().contains(mean));
            short += u32::from(CapCheck::of(&games, capacity).is_short());
            below += u32::from(lower_bound(&games).unwrap() <= mean);
        }
        assert!(below >= 285, "{below} bounds hold");
        (held, short)
    }

    #[test]
    fn a_cap_that_is_short_for_the_estimator_is_called_so() {
        for (games, cap) in [(30, 20), (30, 25), (100, 40), (1000, 60), (1000, 120)] {
            let (held, short) = coverage(games, cap);
            assert!(
                held < 270 && short > 270,
                "{games} games of {cap}: {held}, {short}"
            );
        }
    }

    #[test]
    fn where_a_cap_is_long_enough_intervals_hold_the_mean() {
        for (games, cap) in [(30, 300), (100, 400), (1000, 600)] {
            let (held, short) = coverage(games, cap);
            assert!(
                held >= 275 && short < 30,
                "{games} games of {cap}: {held}, {short}"
            );
        }
    }

    /// At risk 5, 4, 3 and 1 at the losses: 4/5, 3/5, 2/5; the half is passed at the third loss.
    #[test]
    fn the_median_accounts_for_truncated_games() {
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
