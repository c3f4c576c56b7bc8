//! How good a step of a search is.

use super::SearchStep;
use std::cmp::Ordering;

/// How good a step and what follows it is: whoever survives longer, or with a better chance, is better; then the score decides.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Rating {
    /// How far, or how likely, the game goes on. The search says in which measure; the same for all where losing is allowed.
    pub survival: f64,
    /// What the evaluator makes of it.
    pub score: f64,
}

impl Rating {
    /// Sorts the better one first.
    #[must_use]
    pub fn best_first(&self, other: &Rating) -> Ordering {
        other.partial_cmp(self).unwrap_or(Ordering::Equal)
    }
}

/// Sorts the better step first; of equal ones the one that wins ties.
#[must_use]
pub fn best_first(one: (&Rating, &SearchStep), other: (&Rating, &SearchStep)) -> Ordering {
    let by_rating = one.0.best_first(other.0);
    by_rating.then_with(|| one.1.tie_key.cmp(&other.1.tie_key))
}
