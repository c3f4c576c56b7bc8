//! The thesis' wells: the height difference of a column to the mean of its neighbours.
//!
//! Its formula 6 is misprinted: the middle case has 2f(i) for f(i), and the right edge has its sign
//! reversed. Both versions are implemented, because it is not known which one its players were
//! trained with.

use super::Feature;
use super::folds::Largest;
use super::local::{At, Column, ColumnTerm, MeasureUnit};
use super::marks::{Grid, Marked};
use crate::placement::Transition;
use crate::simd::{Word, WordNumber};

pub(super) const THESIS_WELL_MAX: Feature = Feature::fold::<Largest<TwiceDrop>>(
    "thesis_well_max",
    "the largest drop of a column below the mean height of its neighbours (at an edge: below its one neighbour)",
    "thesis 4.3, \"deepest well\", as it must be meant",
)
.in_units(MeasureUnit::Half)
.marking(|step| deepest(step, drop_below_neighbours));

pub(super) const THESIS_WELL_SUM: Feature = Feature::columns::<TwiceDrop>(
    "thesis_well_sum",
    "sum of the drops of columns below the mean height of their neighbours (at an edge: below the one neighbour)",
    "thesis 4.3, \"sum of wells\", as it must be meant",
)
.in_units(MeasureUnit::Half)
.marking(|step| Marked::after(step, |grid, row, column| in_drop(grid, (row, column), drop_below_neighbours)));

pub(super) const THESIS_WELL_MAX_PRINTED: Feature = Feature::fold::<Largest<TwiceDropPrinted>>(
    "thesis_well_max_printed",
    "largest w: f(1)-f(0) at the left, f(W-1)-f(W-2) at the right, (f(i-1)+f(i+1))/2-2f(i) between, where f(i) is the height of column i; at least 0",
    "thesis 4.3, \"deepest well\", as printed",
)
.in_units(MeasureUnit::Half)
.marking(|step| deepest(step, drop_as_printed));

pub(super) const THESIS_WELL_SUM_PRINTED: Feature = Feature::columns::<TwiceDropPrinted>(
    "thesis_well_sum_printed",
    "sum of the w of thesis_well_max_printed that are above 0",
    "thesis 4.3, \"sum of wells\", as printed",
)
.in_units(MeasureUnit::Half)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        in_drop(grid, (row, column), drop_as_printed)
    })
});

/// Twice the drop of a column below the mean height of its neighbours.
struct TwiceDrop;

impl ColumnTerm for TwiceDrop {
    const NEIGHBOURS: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, at: At) -> W::Num {
        let left_top = if at.column == 0 { right.top } else { left.top };
        let right_top = if at.column == at.width - 1 {
            left.top
        } else {
            right.top
        };
        (left_top + right_top - own.top - own.top).most(W::Num::splat(0))
    }
}

/// Like [`TwiceDrop`], as printed in the thesis.
struct TwiceDropPrinted;

impl ColumnTerm for TwiceDropPrinted {
    const NEIGHBOURS: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, at: At) -> W::Num {
        let two = W::Num::splat(2);
        let twice = if at.column == 0 {
            two * (right.top - own.top)
        } else if at.column == at.width - 1 {
            two * (own.top - left.top)
        } else {
            left.top + right.top - two * two * own.top
        };
        twice.most(W::Num::splat(0))
    }
}

/// Heights of a column's neighbours; at an edge, the only neighbour's height twice.
fn neighbours(grid: &Grid, column: usize) -> [f64; 2] {
    let last = grid.width() - 1;
    let left = if column == 0 { 1 } else { column - 1 };
    let right = if column == last { last - 1 } else { column + 1 };
    [left, right].map(|column| grid.top(column) as f64)
}

fn drop_below_neighbours(grid: &Grid, column: usize) -> f64 {
    let [left, right] = neighbours(grid, column);
    (left + right) / 2.0 - grid.top(column) as f64
}

fn drop_as_printed(grid: &Grid, column: usize) -> f64 {
    let (own, [left, right]) = (grid.top(column) as f64, neighbours(grid, column));
    if column == 0 {
        right - own
    } else if column + 1 == grid.width() {
        own - left
    } else {
        (left + right) / 2.0 - 2.0 * own
    }
}

/// The share of one cell above a column in the column's drop.
fn in_drop(grid: &Grid, (row, column): (usize, usize), drop: fn(&Grid, usize) -> f64) -> f64 {
    let above = row as f64 - grid.top(column) as f64;
    let counts = above >= 0.0;
    f64::from(counts) * (drop(grid, column) - above).clamp(0.0, 1.0)
}

fn deepest(step: &Transition, drop: fn(&Grid, usize) -> f64) -> Marked {
    Marked::after(step, |grid, row, column| {
        let is_deepest = column == grid.column_with_most(|column| drop(grid, column));
        f64::from(is_deepest) * in_drop(grid, (row, column), drop)
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
        // The right edge counts if it is higher: that is the reversed sign.
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
