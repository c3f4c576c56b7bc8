//! The thesis' wells: how far a column lies below the mean of its neighbours.
//!
//! Its formula 6 is misprinted: the middle case has 2f(i) for f(i), and the right edge has its sign reversed. Both
//! readings are here, because it is not known which one its players were trained with.

use super::Feature;
use crate::outcomes::Step;

pub(super) const THESIS_WELL_MAX: Feature = Feature::step(
    "thesis_well_max",
    "the largest drop of a column below the mean height of its neighbours (at an edge: below its one neighbour)",
    "thesis 4.3, \"deepest well\", as it must be meant",
    |step| f64::from(twice_wells(step).max().unwrap_or(0)) / 2.0,
);

pub(super) const THESIS_WELL_SUM: Feature = Feature::step(
    "thesis_well_sum",
    "sum of the drops of columns below the mean height of their neighbours (at an edge: below the one neighbour)",
    "thesis 4.3, \"sum of wells\", as it must be meant",
    |step| f64::from(twice_wells(step).sum::<i32>()) / 2.0,
);

pub(super) const THESIS_WELL_MAX_PRINTED: Feature = Feature::step(
    "thesis_well_max_printed",
    "largest w: f(1)-f(0) at the left, f(W-1)-f(W-2) at the right, (f(i-1)+f(i+1))/2-2f(i) between, f(i) being heights; at least 0",
    "thesis 4.3, \"deepest well\", as printed",
    |step| f64::from(twice_wells_printed(step).max().unwrap_or(0)) / 2.0,
);

pub(super) const THESIS_WELL_SUM_PRINTED: Feature = Feature::step(
    "thesis_well_sum_printed",
    "sum of the w of thesis_well_max_printed that are above 0",
    "thesis 4.3, \"sum of wells\", as printed",
    |step| f64::from(twice_wells_printed(step).sum::<i32>()) / 2.0,
);

/// Twice the well of each column, so that halves stay whole.
fn twice_wells<'a>(step: &Step<'a>) -> impl Iterator<Item = i32> + 'a {
    let heights = step.after.heights();
    let last = heights.len() - 1;
    let height = |column: usize| i32::from(heights[column]);
    (0..=last).map(move |c| {
        let left = height(if c == 0 { 1 } else { c - 1 });
        let right = height(if c == last { last - 1 } else { c + 1 });
        (left + right - 2 * height(c)).max(0)
    })
}

/// The same to the letter of the thesis.
fn twice_wells_printed<'a>(step: &Step<'a>) -> impl Iterator<Item = i32> + 'a {
    let heights = step.after.heights();
    let last = heights.len() - 1;
    let height = |column: usize| i32::from(heights[column]);
    (0..=last).map(move |c| {
        let twice = if c == 0 {
            2 * (height(1) - height(0))
        } else if c == last {
            2 * (height(last) - height(last - 1))
        } else {
            height(c - 1) + height(c + 1) - 4 * height(c)
        };
        twice.max(0)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, on_board};
    use super::*;

    #[test]
    fn a_worked_board() {
        // Heights 1, 4, 2, 3, 0: wells 3, 0, 1.5, 0, 3; as printed 3, 0, 0, 0, 0.
        let rows = board(&[".....", ".#...", ".#.#.", ".###.", "####."]);
        assert_eq!(on_board(&THESIS_WELL_MAX, &rows), 3.0);
        assert_eq!(on_board(&THESIS_WELL_SUM, &rows), 7.5);
        assert_eq!(on_board(&THESIS_WELL_MAX_PRINTED, &rows), 3.0);
        assert_eq!(on_board(&THESIS_WELL_SUM_PRINTED, &rows), 3.0);
    }

    #[test]
    fn a_slope_is_no_well_but_at_the_wall() {
        let rows = board(&["...#", "..##", ".###", "####"]);
        assert_eq!(on_board(&THESIS_WELL_SUM, &rows), 1.0);
        // The right edge counts when it stands higher: that is the reversed sign.
        assert_eq!(on_board(&THESIS_WELL_SUM_PRINTED, &rows), 2.0);
    }

    #[test]
    fn as_printed_a_column_must_lie_very_low() {
        // Heights 3, 0, 4, 2.
        let rows = board(&["..#.", "#.#.", "#.##", "#.##"]);
        assert_eq!(on_board(&THESIS_WELL_MAX_PRINTED, &rows), 3.5);
        assert_eq!(on_board(&THESIS_WELL_SUM, &rows), 3.5 + 2.0);
    }
}
