//! Bumpiness: the steps between neighbouring columns.

use super::Feature;
use super::local::{At, ColumnTerm, GapTerm};
use crate::board::column_height;
use crate::outcomes::Step;
use crate::placement::Surface;

pub(super) const BUMPINESS: Feature = Feature::gaps::<Bumpiness>(
    "bumpiness",
    "sum of the absolute height differences of neighbouring columns",
    "MDPTetris, feature 17; thesis 4.4 and Tab 2 no. 26",
);

pub(super) const BUMPINESS_CIRCULAR: Feature = Feature::step(
    "bumpiness_circular",
    "bumpiness plus the absolute height difference of the first and the last column",
    "Romero, Tomes and Yusiong 2011, \"smoothness\"",
    circular,
);

pub(super) const VARIATION: Feature = Feature::columns::<Variation>(
    "variation",
    "bumpiness, where an edge column's drop below its neighbour counts twice",
    "strategies, \"variation of heights\"",
);

pub(super) const COLUMN_DIFFERENCES: Feature = Feature::vector(
    "column_differences",
    "absolute height difference of each pair of neighbouring columns, left to right: W-1 numbers",
    "Bertsekas and Ioffe 1996; MDPTetris, feature 9; thesis Tab 2 no. 27",
    |width| width - 1,
    |step, numbers| differences(step, numbers, f64::abs),
);

pub(super) const COLUMN_DIFFERENCES_SIGNED: Feature = Feature::vector(
    "column_differences_signed",
    "height of each column minus that of its left neighbour, left to right: W-1 numbers",
    "variant of thesis Tab 2 no. 27",
    |width| width - 1,
    |step, numbers| differences(step, numbers, |step_up| step_up),
);

/// Sum of the absolute height differences of neighbouring columns.
pub(super) fn bumpiness(surface: &Surface) -> i32 {
    let heights = surface.heights();
    let step = |pair: &[u8]| i32::from(pair[0].abs_diff(pair[1]));
    heights.windows(2).map(step).sum()
}

fn circular(step: &Step<'_>) -> f64 {
    let heights = step.after.heights();
    let around = heights[0].abs_diff(heights[heights.len() - 1]);
    f64::from(bumpiness(step.after) + i32::from(around))
}

fn differences(step: &Step<'_>, numbers: &mut [f64], measure: fn(f64) -> f64) {
    for (number, pair) in numbers.iter_mut().zip(step.after.heights().windows(2)) {
        *number = measure(f64::from(pair[1]) - f64::from(pair[0]));
    }
}

struct Bumpiness;

impl GapTerm for Bumpiness {
    const WALLS: bool = false;

    fn term(left: u64, right: u64, _: usize) -> i32 {
        column_height(left).abs_diff(column_height(right)) as i32
    }
}

struct Variation;

impl ColumnTerm for Variation {
    const NEIGHBOURS: bool = true;

    fn term(left: u64, own: u64, right: u64, at: At) -> i32 {
        let height = |column| column_height(column) as i32;
        let first = at.column == 0;
        let last = at.column == at.width - 1;
        // Each column answers for the gap on its right.
        let gap = if last {
            0
        } else {
            (height(own) - height(right)).abs()
        };
        let neighbour = if first { right } else { left };
        let edge = if first || last {
            (height(neighbour) - height(own)).max(0)
        } else {
            0
        };
        gap + edge
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, numbers_on_board, on_board};
    use super::*;

    #[test]
    fn a_worked_board() {
        // Heights 1, 4, 2, 2, 0.
        let rows = board(&[".#...", ".#...", ".###.", "####."]);
        assert_eq!(
            numbers_on_board(&COLUMN_DIFFERENCES, &rows),
            [3.0, 2.0, 0.0, 2.0]
        );
        assert_eq!(
            numbers_on_board(&COLUMN_DIFFERENCES_SIGNED, &rows),
            [3.0, -2.0, 0.0, -2.0]
        );
        assert_eq!(on_board(&BUMPINESS, &rows), 7.0);
        assert_eq!(on_board(&BUMPINESS_CIRCULAR, &rows), 8.0);
        // Both edge columns lie lower than their neighbours, by 3 and by 2.
        assert_eq!(on_board(&VARIATION, &rows), 12.0);
    }

    #[test]
    fn an_edge_column_that_stands_higher_counts_once() {
        let rows = board(&["....", "#...", "#...", "##.."]);
        assert_eq!(on_board(&BUMPINESS, &rows), 3.0);
        assert_eq!(on_board(&VARIATION, &rows), 3.0);
    }
}
