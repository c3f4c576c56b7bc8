//! Summaries of scores: bins and survival curves.

use super::axis::step_above;
use super::data::{Histogram, PlotTitle, SurvivalCurve};
use crate::stats::Observation;

/// The minimum and maximum number of bins in a histogram.
const BINS: (usize, usize) = (8, 60);
/// The maximum number of points in a survival curve; more cannot be distinguished.
const MOST_POINTS: usize = 400;

impl Histogram {
    /// The histogram of scores, with about as many bins as the square root of their number and the
    /// exponential distribution of the same mean. `None` without scores.
    #[must_use]
    pub fn of_scores(title: PlotTitle, label: &str, scores: &[f64]) -> Option<Histogram> {
        let scores = scores.iter().copied().filter(|score| score.is_finite());
        let scores: Vec<f64> = scores.collect();
        let least = scores.iter().copied().reduce(f64::min)?;
        let most = scores.iter().copied().reduce(f64::max)?;
        let bins = (scores.len() as f64).sqrt().round() as usize;
        let range = (most - least.min(0.0)).max(1.0);
        let mut width = step_above(range / bins.clamp(BINS.0, BINS.1) as f64);
        let are_whole = scores.iter().all(|score| score.fract() == 0.0);
        if are_whole {
            width = width.max(1.0);
        }
        let from = (least.min(0.0) / width).floor() * width;
        let bin = |score: f64| ((score - from) / width).floor() as usize;
        let mut counts = vec![0; bin(most) + 1];
        scores.iter().for_each(|&score| counts[bin(score)] += 1);
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        Some(Histogram {
            title,
            label: label.to_owned(),
            from,
            width,
            counts,
            fit: (least >= 0.0 && mean > 0.0).then_some(mean),
        })
    }
}

impl SurvivalCurve {
    /// The Kaplan-Meier estimate (1958) from games, some of which may be truncated.
    #[must_use]
    pub fn of_games(name: &str, games: &[Observation]) -> SurvivalCurve {
        let mut games = games.to_vec();
        games.sort_unstable();
        let (mut at_risk, mut share) = (games.len() as f64, 1.0);
        let mut points = vec![(0.0, 1.0)];
        for equal in games.chunk_by(|a, b| a.value == b.value) {
            let ended = equal.iter().filter(|game| game.finished).count() as f64;
            share *= 1.0 - ended / at_risk;
            at_risk -= equal.len() as f64;
            if ended > 0.0 {
                points.push((equal[0].value as f64, share));
            }
        }
        // Games truncated after the last loss show that the share stays constant.
        if let Some(last) = games.last().map(|game| game.value as f64)
            && points.last().is_some_and(|point| point.0 < last)
        {
            points.push((last, share));
        }
        SurvivalCurve {
            name: name.to_owned(),
            points: thinned(&points, MOST_POINTS),
            fit: None,
        }
    }
}

/// At most this many of the points, including the first and the last.
pub(super) fn thinned(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    if points.len() <= most {
        return points.to_vec();
    }
    let last = points.len() - 1;
    let index = |k: usize| k * last / (most - 1);
    (0..most).map(|k| points[index(k)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_survival_curve_extends_to_the_last_truncated_game() {
        let mut games = vec![Observation::finished(10)];
        games.extend(
            [Observation {
                value: 8000,
                finished: false,
            }; 99],
        );
        let curve = SurvivalCurve::of_games("a", &games);
        assert_eq!(curve.points.last(), Some(&(8000.0, 0.99)));
    }

    #[test]
    fn every_score_is_in_its_bin() {
        let scores = [0.0, 1.0, 9.0, 10.0, 19.0, 79.0];
        let found = Histogram::of_scores(PlotTitle::default(), "lines", &scores).unwrap();
        // 79 in at least 8 bins: 9.9 each, which is 10 in round numbers.
        assert_eq!((found.from, found.width), (0.0, 10.0));
        assert_eq!(found.counts, [3, 2, 0, 0, 0, 0, 0, 1]);
        assert_eq!(found.fit, Some(118.0 / 6.0));
        assert_eq!(
            Histogram::of_scores(PlotTitle::default(), "lines", &[f64::NAN]),
            None
        );
    }

    #[test]
    fn negative_scores_have_no_exponential_fit() {
        let found = Histogram::of_scores(PlotTitle::default(), "x", &[-3.0, 5.0]).unwrap();
        assert!(found.from <= -3.0 && found.fit.is_none());
        assert_eq!(found.counts.iter().sum::<u64>(), 2);
    }

    #[test]
    fn truncated_games_leave_the_survival_curve_where_it_is() {
        let games = [
            Observation::finished(10),
            Observation::cut_off(10),
            Observation::finished(20),
            Observation::finished(30),
        ];
        // One quarter ends at 10, and one game is truncated; of the remaining two games, one ends
        // at 20 and one at 30.
        let curve = SurvivalCurve::of_games("x", &games);
        let expected = [(0.0, 1.0), (10.0, 0.75), (20.0, 0.375), (30.0, 0.0)];
        assert_eq!(curve.points, expected);
    }

    #[test]
    fn long_curves_keep_their_ends() {
        let points: Vec<(f64, f64)> = (0..5000).map(|k| (f64::from(k), 0.0)).collect();
        let few = thinned(&points, 400);
        assert_eq!((few.len(), few[0].0, few[399].0), (400, 0.0, 4999.0));
    }
}
