//! Weighted relative height: the thesis' measure of towers in the middle.

use super::Feature;
use crate::outcomes::Step;

pub(super) const WEIGHTED_RELATIVE_HEIGHT: Feature = Feature::step(
    "weighted_relative_height",
    "1/W times the sum over columns of u (height - lowest height), u = 1 + columns to the nearer wall",
    "thesis 4.5; it does not print the weights u that grow towards the middle",
    weighted,
);

fn weighted(step: &Step<'_>) -> f64 {
    let heights = step.after.heights();
    let (width, lowest) = (heights.len(), step.after.min_height());
    let term =
        |(c, &height): (usize, &u8)| (1 + c.min(width - 1 - c)) * usize::from(height - lowest);
    let sum: usize = heights.iter().enumerate().map(term).sum();
    sum as f64 / width as f64
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, on_board};
    use super::*;

    #[test]
    fn a_tower_in_the_middle_counts_more_than_one_at_the_wall() {
        let middle = board(&["..#..", "..#..", "..#..", "#####"]);
        assert_eq!(on_board(&WEIGHTED_RELATIVE_HEIGHT, &middle), 9.0 / 5.0);
        let wall = board(&["#....", "#....", "#....", "#####"]);
        assert_eq!(on_board(&WEIGHTED_RELATIVE_HEIGHT, &wall), 3.0 / 5.0);
    }
}
