//! What a node of a search is worth.

use std::cmp::Ordering;

/// What a node of a search is worth, to be compared from left to right; higher is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeValue {
    /// The chance to survive the pieces that the search looks at. Always 1 where losing is allowed.
    pub survival: f64,
    /// What the evaluator says of the end of the line, and of the steps on the way to it.
    pub score: f64,
}

impl NodeValue {
    /// Which of two is better. Scores are never NaN.
    #[must_use]
    pub fn compare(&self, other: &NodeValue) -> Ordering {
        let order = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
        order(self.survival, other.survival).then(order(self.score, other.score))
    }
}

/// The values after each piece that may come, in the order of [`crate::piece::PIECES`], with the piece's probability.
pub(super) type Branches = [Option<(f64, NodeValue)>; 7];

/// The value that is to be expected when chance decides which piece comes. None if no piece can come.
///
/// Survival is the mean of the branches. The score is their sum, each times its probability, but branches that are surely
/// lost count only when all are: a board on which the game ends has a score, and sometimes a good one.
pub(super) fn expected(branches: &Branches, may_lose: bool) -> Option<NodeValue> {
    let branches = || branches.iter().flatten();
    branches().next()?;
    let any_survives = branches().any(|(_, value)| value.survival > 0.0);
    let (mut survival, mut score) = (0.0, 0.0);
    for (probability, value) in branches() {
        survival += probability * value.survival;
        if value.survival > 0.0 || !any_survives {
            score += probability * value.score;
        }
    }
    if may_lose {
        survival = 1.0;
    }
    Some(NodeValue { survival, score })
}

/// The value when an opponent decides which piece comes. None if no piece can come.
pub(super) fn worst(branches: &Branches) -> Option<NodeValue> {
    let values = branches.iter().flatten().map(|(_, value)| *value);
    values.min_by(NodeValue::compare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branches(rows: &[(f64, f64, f64)]) -> Branches {
        let mut branches = [None; 7];
        for (branch, &(probability, survival, score)) in branches.iter_mut().zip(rows) {
            *branch = Some((probability, NodeValue { survival, score }));
        }
        branches
    }

    fn value(survival: f64, score: f64) -> Option<NodeValue> {
        Some(NodeValue { survival, score })
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
