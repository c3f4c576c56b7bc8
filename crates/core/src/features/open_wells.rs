//! Open wells: columns that are lower than both neighbours. The depth of a well is the height
//! difference to the lower neighbour, where walls are infinitely high. Counted in cells, it is the
//! number of cells above the column that are between two filled ones. The two definitions differ if
//! a neighbour has holes.

use super::Feature;
use super::folds::Largest;
use super::local::{At, Column, ColumnTerm};
use super::marks::{Grid, Marked};
use crate::placement::Transition;
use crate::simd::{Word, WordNumber};

pub(super) const WELL_DEPTHS: Feature = Feature::columns::<WellDepths>(
    "well_depths",
    "sum of the depths of the open wells, measured between column heights",
    "Fahey 2003, \"sum of well heights\"; Böhm, Kókai and Mandl 2005; thesis Tab 2 no. 15",
)
.marking(|step| wells(step, 1, |_| 1));

pub(super) const WELL_DEPTHS_FILLED: Feature = Feature::columns::<WellDepthsFilled>(
    "well_depths_filled",
    "cells above the columns that are between two filled cells",
    "variant of thesis Tab 2 no. 15",
)
.marking(|step| Marked::after(step, is_between_filled));

pub(super) const DEEP_WELLS: Feature = Feature::columns::<DeepWells>(
    "deep_wells",
    "sum of the depths of the open wells at least 2 deep, measured between column heights",
    "Thiery and Scherrer 2009 after xtris; variant of thesis Tab 2 no. 15",
)
.marking(|step| wells(step, 2, |_| 1));

pub(super) const NUMBER_OF_WELLS: Feature = Feature::columns::<WellCount<1>>(
    "number_of_wells",
    "columns with an open well, measured between column heights",
    "thesis Tab 2 no. 14",
)
.marking(|step| wells(step, 1, |depth| depth));

pub(super) const NUMBER_OF_WELLS_2: Feature = Feature::columns::<WellCount<2>>(
    "number_of_wells_2",
    "columns with an open well at least 2 deep, measured between column heights",
    "variant of thesis Tab 2 no. 14",
)
.marking(|step| wells(step, 2, |depth| depth));

pub(super) const NUMBER_OF_WELLS_3: Feature = Feature::columns::<WellCount<3>>(
    "number_of_wells_3",
    "columns with an open well at least 3 deep, measured between column heights",
    "variant of thesis Tab 2 no. 14",
)
.marking(|step| wells(step, 3, |depth| depth));

pub(super) const MAX_WELL_DEPTH: Feature = Feature::fold::<Largest<WellDepths>>(
    "max_well_depth",
    "depth of the deepest open well, measured between column heights",
    "Böhm, Kókai and Mandl 2005; thesis Tab 2 no. 13",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        let deepest = grid.column_with_most(|column| well_depth(grid, column));
        column == deepest && is_in_well(grid, row, column)
    })
});

pub(super) const MAX_WELL_DEPTH_FILLED: Feature = Feature::fold::<Largest<WellDepthsFilled>>(
    "max_well_depth_filled",
    "the maximum number of cells above a column that are between two filled cells",
    "Wang et al. 2018 (PSO, NUS), \"deepest well\"",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        let cells = |column| {
            (0..64)
                .filter(|&row| is_between_filled(grid, row, column))
                .count()
        };
        column == grid.column_with_most(cells) && is_between_filled(grid, row, column)
    })
});

/// The height difference of a column to the lower of its neighbours.
#[inline(always)]
pub(super) fn depth<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>) -> W::Num {
    (left.top.least(right.top) - own.top).most(W::Num::splat(0))
}

struct WellDepths;

impl ColumnTerm for WellDepths {
    const NEIGHBOURS: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, _: At) -> W::Num {
        depth(left, own, right)
    }
}

struct WellDepthsFilled;

impl ColumnTerm for WellDepthsFilled {
    const NEIGHBOURS: bool = true;
    const TALLIES: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, _: At) -> W::Num {
        (left.cells & right.cells).down_by(own.top).tally()
    }
}

struct DeepWells;

impl ColumnTerm for DeepWells {
    const NEIGHBOURS: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, _: At) -> W::Num {
        let depth = depth(left, own, right);
        depth.only_if(depth.above(W::Num::splat(1)))
    }
}

struct WellCount<const DEPTH: i32>;

impl<const DEPTH: i32> ColumnTerm for WellCount<DEPTH> {
    const NEIGHBOURS: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, _: At) -> W::Num {
        let is_deep = depth(left, own, right).above(W::Num::splat(DEPTH - 1));
        W::Num::splat(1).only_if(is_deep)
    }
}

fn well_depth(grid: &Grid, column: usize) -> usize {
    let [left, right] = grid.neighbour_tops(column);
    left.min(right).saturating_sub(grid.top(column))
}

fn is_in_well(grid: &Grid, row: usize, column: usize) -> bool {
    grid.is_between_tops(row, column, grid.top(column) + well_depth(grid, column))
}

fn is_between_filled(grid: &Grid, row: usize, column: usize) -> bool {
    let sides = grid.left_filled(row, column) && grid.right_filled(row, column);
    sides && row >= grid.top(column)
}

/// Marks the cells of open wells that are at least this deep; `count` of them contribute one.
fn wells(step: &Transition, least: usize, parts: fn(usize) -> usize) -> Marked {
    Marked::after(step, |grid, row, column| {
        let depth = well_depth(grid, column);
        let is_counted = depth >= least && is_in_well(grid, row, column);
        f64::from(is_counted) / parts(depth).max(1) as f64
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, on_board};
    use super::*;

    #[test]
    fn a_worked_board() {
        // Heights 1, 4, 2, 3, 0: depths 3, 0, 1, 0, 3; the fourth column has a hole in row 1.
        let rows = board(&[".....", ".#...", ".#.#.", ".##..", "####."]);
        assert_eq!(on_board(&WELL_DEPTHS, &rows), 7.0);
        assert_eq!(on_board(&WELL_DEPTHS_FILLED, &rows), 3.0 + 1.0 + 2.0);
        assert_eq!(on_board(&MAX_WELL_DEPTH, &rows), 3.0);
        assert_eq!(on_board(&MAX_WELL_DEPTH_FILLED, &rows), 3.0);
        assert_eq!(on_board(&DEEP_WELLS, &rows), 6.0);
        assert_eq!(on_board(&NUMBER_OF_WELLS, &rows), 3.0);
        assert_eq!(on_board(&NUMBER_OF_WELLS_2, &rows), 2.0);
        assert_eq!(on_board(&NUMBER_OF_WELLS_3, &rows), 2.0);
    }

    #[test]
    fn a_neighbours_hole_makes_the_well_shallower_in_cells() {
        let rows = board(&["....", "..#.", "#...", "#.#."]);
        // Heights 2, 0, 3, 0.
        assert_eq!(on_board(&MAX_WELL_DEPTH, &rows), 3.0);
        assert_eq!(on_board(&MAX_WELL_DEPTH_FILLED, &rows), 2.0);
        assert_eq!(on_board(&WELL_DEPTHS, &rows), 5.0);
        assert_eq!(on_board(&WELL_DEPTHS_FILLED, &rows), 3.0);
    }
}
