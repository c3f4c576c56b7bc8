//! Heights: how high the columns stand, together and one by one.

use super::Feature;
use super::local::{At, ColumnTerm, RowUnion};
use crate::board::column_height;
use crate::outcomes::Step;
use crate::placement::Surface;

pub(super) const MAX_HEIGHT: Feature = Feature::union::<MaxHeight>(
    "max_height",
    "height of the highest column",
    "MDPTetris, feature 7; thesis Tab 2 no. 1",
);

pub(super) const DISTANCE_TO_TOP: Feature = Feature::union::<DistanceToTop>(
    "distance_to_top",
    "H minus the height of the highest column; negative for a stack above the top",
    "MDPTetris, feature -7",
);

pub(super) const SUM_HEIGHTS: Feature = Feature::columns::<SumHeights>(
    "sum_heights",
    "sum of the column heights",
    "thesis 4.1 and Tab 2 nos. 18 and 35",
);

pub(super) const MIN_HEIGHT: Feature = Feature::step(
    "min_height",
    "height of the lowest column",
    "thesis 4.1 and Tab 2 no. 2",
    |step| f64::from(step.after.min_height()),
);

pub(super) const MEAN_HEIGHT: Feature = Feature::step(
    "mean_height",
    "mean of the column heights",
    "MDPTetris, feature 18; thesis 4.1 and Tab 2 no. 3",
    |step| mean_height(step.after),
);

pub(super) const MAX_MINUS_MEAN: Feature = Feature::step(
    "max_minus_mean",
    "height of the highest column minus the mean height",
    "thesis Tab 2 no. 4",
    |step| f64::from(step.after.max_height()) - mean_height(step.after),
);

pub(super) const MEAN_MINUS_MIN: Feature = Feature::step(
    "mean_minus_min",
    "mean height minus the height of the lowest column",
    "thesis Tab 2 no. 5",
    |step| mean_height(step.after) - f64::from(step.after.min_height()),
);

pub(super) const ALTITUDE_DIFFERENCE: Feature = Feature::step(
    "altitude_difference",
    "height of the highest column minus height of the lowest",
    "MDPTetris, feature 15; Böhm, Kókai and Mandl 2005; thesis 4.1 and Tab 2 no. 11",
    |step| f64::from(step.after.max_height()) - f64::from(step.after.min_height()),
);

pub(super) const SQUARED_HEIGHT_DIFFERENCE: Feature = Feature::step(
    "squared_height_difference",
    "square of the highest column's height minus square of the lowest column's",
    "Naing, Truong and Zeng 2016; thesis Tab 2 no. 33",
    squared_difference,
);

pub(super) const COLUMN_HEIGHTS: Feature = Feature::vector(
    "column_heights",
    "height of each column, left to right: W numbers",
    "Bertsekas and Ioffe 1996; MDPTetris, feature 8; thesis Tab 2 no. 9",
    |width| width,
    column_heights,
);

/// The mean of the column heights, rounded once.
pub(super) fn mean_height(surface: &Surface) -> f64 {
    f64::from(surface.total_height()) / surface.heights().len() as f64
}

fn squared_difference(step: &Step<'_>) -> f64 {
    let square = |height: u8| f64::from(height) * f64::from(height);
    square(step.after.max_height()) - square(step.after.min_height())
}

fn column_heights(step: &Step<'_>, numbers: &mut [f64]) {
    for (number, &height) in numbers.iter_mut().zip(step.after.heights()) {
        *number = f64::from(height);
    }
}

struct MaxHeight;

impl RowUnion for MaxHeight {
    fn rows(own: u64, _: usize) -> u64 {
        own
    }

    fn value(rows: u64, _: usize) -> f64 {
        column_height(rows) as f64
    }
}

struct DistanceToTop;

impl RowUnion for DistanceToTop {
    fn rows(own: u64, _: usize) -> u64 {
        own
    }

    fn value(rows: u64, height: usize) -> f64 {
        height as f64 - column_height(rows) as f64
    }
}

struct SumHeights;

impl ColumnTerm for SumHeights {
    const NEIGHBOURS: bool = false;

    fn term(_: u64, own: u64, _: u64, _: At) -> i32 {
        column_height(own) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, drop_at, numbers_on_board, on_board, value};
    use super::*;
    use crate::piece::Piece::I;

    #[test]
    fn a_worked_board() {
        // Heights 4, 1, 0, 3.
        let rows = board(&["....", "#...", "...#", "#...", "##.#"]);
        assert_eq!(
            numbers_on_board(&COLUMN_HEIGHTS, &rows),
            [4.0, 1.0, 0.0, 3.0]
        );
        assert_eq!(on_board(&MAX_HEIGHT, &rows), 4.0);
        assert_eq!(on_board(&MIN_HEIGHT, &rows), 0.0);
        assert_eq!(on_board(&SUM_HEIGHTS, &rows), 8.0);
        assert_eq!(on_board(&MEAN_HEIGHT, &rows), 2.0);
        assert_eq!(on_board(&MAX_MINUS_MEAN, &rows), 2.0);
        assert_eq!(on_board(&MEAN_MINUS_MIN, &rows), 2.0);
        assert_eq!(on_board(&ALTITUDE_DIFFERENCE, &rows), 4.0);
        assert_eq!(on_board(&SQUARED_HEIGHT_DIFFERENCE, &rows), 16.0);
        assert_eq!(on_board(&DISTANCE_TO_TOP, &rows), 1.0);
    }

    #[test]
    fn a_lowest_column_above_the_floor() {
        let rows = board(&["#...", "##.#", "####", "#.##"]);
        assert_eq!(on_board(&MIN_HEIGHT, &rows), 2.0);
        assert_eq!(on_board(&SQUARED_HEIGHT_DIFFERENCE, &rows), 12.0);
        assert_eq!(on_board(&MEAN_HEIGHT, &rows), 3.0);
    }

    #[test]
    fn a_stack_above_the_top_is_measured_to_its_end() {
        let rows = ["#...", "#...", "#...", "#..."];
        let over = drop_at(&rows, I, &[(4, 0), (5, 0), (6, 0), (7, 0)]);
        assert_eq!(value(&MAX_HEIGHT, &over), 8.0);
        assert_eq!(value(&DISTANCE_TO_TOP, &over), -4.0);
    }
}
