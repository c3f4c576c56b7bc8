//! Heights of the columns: aggregates and individual values.

use super::Feature;
use super::folds::Sum;
use super::local::{At, BoardCounts, Column, ColumnTerm, Fold, MeasureUnit, RowUnion};
use super::marks::{Grid, Marked};
use crate::outcomes::Step;
use crate::placement::{Surface, Transition};
use crate::simd::{Word, WordNumber};
use std::marker::PhantomData;

pub(super) const MAX_HEIGHT: Feature = Feature::union::<MaxHeight>(
    "max_height",
    "height of the highest column",
    "MDPTetris, feature 7; thesis Tab 2 no. 1",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        column == highest_column(grid) && row < grid.top(column)
    })
});

pub(super) const DISTANCE_TO_TOP: Feature = Feature::union::<DistanceToTop>(
    "distance_to_top",
    "H minus the height of the highest column; negative for a stack above the top",
    "MDPTetris, feature -7",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        column == highest_column(grid) && grid.is_between_tops(row, column, grid.height())
    })
});

pub(super) const SUM_HEIGHTS: Feature = Feature::columns::<SumHeights>(
    "sum_heights",
    "sum of the column heights",
    "thesis 4.1 and Tab 2 nos. 18 and 35",
)
.marking(below_tops);

pub(super) const MIN_HEIGHT: Feature = Feature::fold::<Extremes<MinHeight>>(
    "min_height",
    "height of the lowest column",
    "thesis 4.1 and Tab 2 no. 2",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        column == lowest_column(grid) && row < grid.top(column)
    })
});

pub(super) const MEAN_HEIGHT: Feature = Feature::columns::<SumHeights>(
    "mean_height",
    "mean of the column heights",
    "MDPTetris, feature 18; thesis 4.1 and Tab 2 no. 3",
)
.in_units(MeasureUnit::PerColumn)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        f64::from(row < grid.top(column)) / grid.width() as f64
    })
});

pub(super) const MAX_MINUS_MEAN: Feature = Feature::step(
    "max_minus_mean",
    "height of the highest column minus the mean height",
    "thesis Tab 2 no. 4",
    max_minus_mean,
)
.marking(|step| Marked::after(step, Grid::is_surface).looked_at());

pub(super) const MEAN_MINUS_MIN: Feature = Feature::step(
    "mean_minus_min",
    "mean height minus the height of the lowest column",
    "thesis Tab 2 no. 5",
    mean_minus_min,
)
.marking(|step| Marked::after(step, Grid::is_surface).looked_at());

pub(super) const ALTITUDE_DIFFERENCE: Feature = Feature::fold::<Extremes<AltitudeDifference>>(
    "altitude_difference",
    "height of the highest column minus height of the lowest",
    "MDPTetris, feature 15; Böhm, Kókai and Mandl 2005; thesis 4.1 and Tab 2 no. 11",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        column == lowest_column(grid) && grid.is_between_tops(row, column, grid.highest())
    })
});

pub(super) const SQUARED_HEIGHT_DIFFERENCE: Feature = Feature::fold::<Extremes<SquaredDifference>>(
    "squared_height_difference",
    "square of the highest column's height minus square of the lowest column's",
    "Naing, Truong and Zeng 2016; thesis Tab 2 no. 33",
)
.marking(|step| {
    let is_extreme = |grid: &Grid, row, column| {
        let column_counts = column == lowest_column(grid) || column == highest_column(grid);
        column_counts && row < grid.top(column)
    };
    Marked::after(step, is_extreme).looked_at()
});

pub(super) const COLUMN_HEIGHTS: Feature = Feature::of_parts::<Sum<SumHeights>>(
    "column_heights",
    "height of each column, left to right: W numbers",
    "Bertsekas and Ioffe 1996; MDPTetris, feature 8; thesis Tab 2 no. 9",
)
.marking(below_tops);

pub(super) fn mean_height(surface: &Surface) -> f64 {
    f64::from(surface.total_height()) / surface.heights().len() as f64
}

fn max_minus_mean(step: &Step<'_>) -> f64 {
    f64::from(step.after.max_height()) - mean_height(step.after)
}

fn mean_minus_min(step: &Step<'_>) -> f64 {
    mean_height(step.after) - f64::from(step.after.min_height())
}

pub(super) struct MaxHeight;

impl RowUnion for MaxHeight {
    #[inline(always)]
    fn rows<W: Word>(own: Column<W>) -> W {
        own.cells
    }

    #[inline(always)]
    fn value<W: Word>(rows: W, _: usize) -> W::Num {
        rows.height()
    }
}

struct DistanceToTop;

impl RowUnion for DistanceToTop {
    #[inline(always)]
    fn rows<W: Word>(own: Column<W>) -> W {
        own.cells
    }

    #[inline(always)]
    fn value<W: Word>(rows: W, height: usize) -> W::Num {
        W::Num::splat(height as i32) - rows.height()
    }
}

pub(super) struct SumHeights;

impl ColumnTerm for SumHeights {
    const NEIGHBOURS: bool = false;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W::Num {
        own.top
    }
}

/// A number computed from the highest and the lowest column.
trait OfExtremes {
    fn value<N: WordNumber>(highest: N, lowest: N) -> N;
}

/// The heights of the highest and the lowest column.
struct Extremes<T>(PhantomData<T>);

impl<T: OfExtremes> Fold for Extremes<T> {
    type Part<W: Word> = [W::Num; 2];
    const REACH: [usize; 2] = [0, 0];

    #[inline(always)]
    fn nothing<W: Word>() -> [W::Num; 2] {
        [W::Num::splat(0), Column::<W>::wall().top]
    }

    #[inline(always)]
    fn part<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> [W::Num; 2] {
        [own.top, own.top]
    }

    #[inline(always)]
    fn join<W: Word>(left: [W::Num; 2], right: [W::Num; 2]) -> [W::Num; 2] {
        [left[0].most(right[0]), left[1].least(right[1])]
    }

    #[inline(always)]
    fn value<W: Word>([highest, lowest]: [W::Num; 2], _: &BoardCounts<W>) -> W::Num {
        T::value(highest, lowest)
    }
}

struct MinHeight;

impl OfExtremes for MinHeight {
    #[inline(always)]
    fn value<N: WordNumber>(_: N, lowest: N) -> N {
        lowest
    }
}

struct AltitudeDifference;

impl OfExtremes for AltitudeDifference {
    #[inline(always)]
    fn value<N: WordNumber>(highest: N, lowest: N) -> N {
        highest - lowest
    }
}

struct SquaredDifference;

impl OfExtremes for SquaredDifference {
    #[inline(always)]
    fn value<N: WordNumber>(highest: N, lowest: N) -> N {
        highest * highest - lowest * lowest
    }
}

fn below_tops(step: &Transition) -> Marked {
    Marked::after(step, |grid, row, column| row < grid.top(column))
}

fn highest_column(grid: &Grid) -> usize {
    grid.column_with_most(|column| grid.top(column))
}

fn lowest_column(grid: &Grid) -> usize {
    grid.column_with_most(|column| std::cmp::Reverse(grid.top(column)))
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
