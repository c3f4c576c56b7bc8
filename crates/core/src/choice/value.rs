//! The value of a step or a position in a search, and its ordering.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Sub};

/// A value in a search: survival is compared first, then the score; higher is better. The kernel
/// has one such value per lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct SearchValue<T = f64> {
    /// The probability of surviving the searched pieces; in a beam search, the number of pieces
    /// survived.
    pub survival: T,
    /// The evaluator's score of the last step, plus the values of the steps before it.
    pub score: T,
}

impl SearchValue {
    /// Lower than every value.
    pub const LOWEST: SearchValue = SearchValue {
        survival: f64::NEG_INFINITY,
        score: f64::NEG_INFINITY,
    };
    /// Higher than every value.
    pub const HIGHEST: SearchValue = SearchValue {
        survival: f64::INFINITY,
        score: f64::INFINITY,
    };

    /// The value of a last step, which may end the game.
    #[must_use]
    pub fn of_last(score: f64, ends: bool) -> SearchValue {
        SearchValue {
            survival: f64::from(!ends),
            score,
        }
    }

    /// Where losing is allowed, survival is set to 1, so that it does not count.
    #[must_use]
    pub fn judged(self, may_lose: bool) -> SearchValue {
        SearchValue {
            survival: if may_lose { 1.0 } else { self.survival },
            ..self
        }
    }

    /// The value of a step that contributes `step_value` and has this continuation.
    #[must_use]
    pub fn after(self, step_value: f64) -> SearchValue {
        SearchValue {
            score: step_value + self.score,
            ..self
        }
    }

    /// Compares two values. Scores are never NaN.
    #[must_use]
    pub fn compare(&self, other: &SearchValue) -> Ordering {
        self.partial_cmp(other).unwrap_or(Ordering::Equal)
    }
}

impl Add for SearchValue {
    type Output = SearchValue;
    fn add(self, other: SearchValue) -> SearchValue {
        SearchValue {
            survival: self.survival + other.survival,
            score: self.score + other.score,
        }
    }
}

impl Mul<f64> for SearchValue {
    type Output = SearchValue;
    fn mul(self, factor: f64) -> SearchValue {
        SearchValue {
            survival: self.survival * factor,
            score: self.score * factor,
        }
    }
}

impl Sub for SearchValue {
    type Output = SearchValue;
    fn sub(self, other: SearchValue) -> SearchValue {
        self + other * -1.0
    }
}

/// The maximum of many numbers, computed in `N` columns in parallel.
#[inline(always)]
pub(crate) fn highest<'a, const N: usize>(rows: impl IntoIterator<Item = &'a [f64; N]>) -> f64 {
    let higher = |a: f64, b: f64| if a > b { a } else { b };
    let mut highest = [f64::NEG_INFINITY; N];
    for row in rows {
        for column in 0..N {
            highest[column] = higher(row[column], highest[column]);
        }
    }
    highest.into_iter().fold(f64::NEG_INFINITY, higher)
}

/// The values after each possible piece, in the order of [`crate::piece::PIECES`], with the piece's
/// probability.
pub(crate) type Branches = [Option<(f64, SearchValue)>; 7];

/// The expected value over random pieces; `None` if no piece can follow.
///
/// Survival is the mean over the branches, and the score is the sum of the branches' scores
/// weighted with their probabilities. Branches that are certainly lost count for the score only if
/// all are lost: a board on which the game ends has a score too, sometimes a good one.
pub(crate) fn expected(branches: &Branches, may_lose: bool) -> Option<SearchValue> {
    let branches = || branches.iter().flatten();
    branches().next()?;
    let any_survives = branches().any(|(_, value)| value.survival > 0.0);
    let counted = branches().filter(|(_, value)| value.survival > 0.0 || !any_survives);
    let weighted = counted.map(|(probability, value)| *value * *probability);
    let sum = weighted.fold(SearchValue::default(), SearchValue::add);
    Some(sum.judged(may_lose))
}

/// The value when an opponent chooses the piece; `None` if no piece can follow.
pub(super) fn worst(branches: &Branches) -> Option<SearchValue> {
    let values = branches.iter().flatten().map(|(_, value)| *value);
    values.min_by(SearchValue::compare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branches(rows: &[(f64, f64, f64)]) -> Branches {
        let mut branches = [None; 7];
        for (branch, &(probability, survival, score)) in branches.iter_mut().zip(rows) {
            *branch = Some((probability, SearchValue { survival, score }));
        }
        branches
    }

    fn value(survival: f64, score: f64) -> Option<SearchValue> {
        Some(SearchValue { survival, score })
    }

    #[test]
    fn survival_is_compared_before_the_score_unless_losing_is_allowed() {
        let (safe, high) = (
            SearchValue::of_last(1.0, false),
            SearchValue::of_last(9.0, true),
        );
        assert!(safe.compare(&high).is_gt() && safe > high);
        assert!(safe.judged(true).compare(&high.judged(true)).is_lt());
        assert!(SearchValue::LOWEST < high && safe < SearchValue::HIGHEST);
        assert_eq!(safe.after(2.0), SearchValue::of_last(3.0, false));
    }

    #[test]
    fn a_branch_that_is_lost_lowers_survival_and_leaves_the_score_to_the_others() {
        let mixed = branches(&[(0.5, 1.0, 4.0), (0.25, 0.0, 100.0), (0.25, 0.5, 8.0)]);
        assert_eq!(expected(&mixed, false), value(0.625, 4.0));
        let lost = branches(&[(0.5, 0.0, 4.0), (0.5, 0.0, 8.0)]);
        assert_eq!(expected(&lost, false), value(0.0, 6.0));
    }

    #[test]
    fn where_losing_is_allowed_every_branch_counts() {
        let all = branches(&[(0.25, 1.0, 4.0), (0.5, 1.0, 100.0)]);
        assert_eq!(expected(&all, true), value(1.0, 51.0));
    }

    #[test]
    fn an_opponent_first_ends_the_game_and_then_lowers_the_score() {
        let mixed = branches(&[(0.5, 1.0, 4.0), (0.25, 0.0, 100.0), (0.25, 0.0, 8.0)]);
        assert_eq!(worst(&mixed), value(0.0, 8.0));
        assert_eq!(worst(&[None; 7]), None);
        assert_eq!(expected(&[None; 7], false), None);
    }
}
