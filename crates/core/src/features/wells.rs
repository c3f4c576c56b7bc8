//! Wells: empty cells between two filled neighbours, and their depths. Walls count as filled.

use super::Feature;
use super::local::{At, Column, ColumnTerm, MeasureUnit};
use super::marks::{Grid, Marked};
use crate::simd::{Word, WordNumber};

pub(super) const WELL_SUMS: Feature = Feature::columns::<WellSums>(
    "well_sums",
    "for every empty cell with both side neighbours filled (walls filled): 1 + the empty cells directly below it",
    "Dellacherie 2003; MDPTetris, feature 6; GameAI-NJUPT 2026 (RV-CE); thesis Tab 2 no. 16",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| match is_between(grid, row, column) {
        true => (row + 1 - run_bottom(grid, row, column)) as f64,
        false => 0.0,
    })
});

pub(super) const WELL_SUMS_FAST: Feature = Feature::columns::<TwiceWellSumsFast>(
    "well_sums_fast",
    "1 + 2 + ... + n for each downward run of n empty cells that starts at an empty cell with both side neighbours filled",
    "MDPTetris, feature -6; Gabillon, Ghavamzadeh and Scherrer 2013",
)
.in_units(MeasureUnit::Half)
.marking(|step| {
    Marked::after(step, |grid, row, column| match run_top(grid, row, column) {
        Some(top) => (top + 1 - row) as f64,
        None => 0.0,
    })
});

pub(super) const WELL_SUMS_STREAK: Feature = Feature::columns::<WellSumsStreak>(
    "well_sums_streak",
    "1 + 2 + ... + n for each vertical run of n empty cells that all have both side neighbours filled",
    "Lichtenberg and Şimşek 2019 (stew); variant of thesis Tab 2 no. 16",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        let streak = (row..64).take_while(|&row| is_between(grid, row, column));
        streak.count() as f64
    })
});

pub(super) const WELL_CELLS: Feature = Feature::columns::<WellCells>(
    "well_cells",
    "cells in downward runs of empty cells that start at an empty cell with both side neighbours filled",
    "MDPTetris, feature 12",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        run_top(grid, row, column).is_some()
    })
});

pub(super) const WELL_CELLS_BETWEEN: Feature = Feature::columns::<WellCellsBetween>(
    "well_cells_between",
    "empty cells with both side neighbours filled",
    "variant of thesis Tab 2 no. 12",
)
.marking(|step| Marked::after(step, is_between));

pub(super) const WELL_CELLS_OPEN: Feature = Feature::columns::<WellCellsOpen>(
    "well_cells_open",
    "empty cells with both side neighbours filled and an empty cell directly above",
    "thesis Tab 2 no. 12",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        is_between(grid, row, column) && !grid.above_filled(row, column)
    })
});

/// The empty cells of a column with both side neighbours filled.
#[inline(always)]
fn between<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>) -> W {
    left.cells & right.cells & !own.cells
}

/// Sums a term over every run of empty cells that extends downwards from a cell with both side
/// neighbours filled. The term receives the length of the run, which is 0 for boards that have
/// fewer runs than others.
#[inline(always)]
fn over_runs<W: Word>(
    left: Column<W>,
    own: Column<W>,
    right: Column<W>,
    term: impl Fn(W::Num) -> W::Num,
) -> W::Num {
    let mut cells = between(left, own, right);
    let mut sum = W::Num::splat(0);
    while !cells.all_empty() {
        let above = cells.height();
        let bottom = (own.cells & W::filled(above)).height();
        sum = sum + term(above - bottom);
        cells = cells & W::filled(bottom);
    }
    sum
}

pub(super) struct WellSums;

impl ColumnTerm for WellSums {
    const NEIGHBOURS: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, _: At) -> W::Num {
        between(left, own, right).fall(own.cells)
    }
}

struct TwiceWellSumsFast;

impl ColumnTerm for TwiceWellSumsFast {
    const NEIGHBOURS: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, _: At) -> W::Num {
        over_runs(left, own, right, |length| {
            length * (length + W::Num::splat(1))
        })
    }
}

struct WellSumsStreak;

impl ColumnTerm for WellSumsStreak {
    const NEIGHBOURS: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, _: At) -> W::Num {
        let mut cells = between(left, own, right);
        let mut sum = W::Num::splat(0);
        while !cells.all_empty() {
            sum = sum + cells.count();
            cells = cells & cells.down::<1>();
        }
        sum
    }
}

struct WellCells;

impl ColumnTerm for WellCells {
    const NEIGHBOURS: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, _: At) -> W::Num {
        over_runs(left, own, right, |length| length)
    }
}

struct WellCellsBetween;

impl ColumnTerm for WellCellsBetween {
    const NEIGHBOURS: bool = true;
    const TALLIES: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, _: At) -> W::Num {
        between(left, own, right).tally()
    }
}

struct WellCellsOpen;

impl ColumnTerm for WellCellsOpen {
    const NEIGHBOURS: bool = true;
    const TALLIES: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, _: At) -> W::Num {
        (between(left, own, right) & !own.cells.down::<1>()).tally()
    }
}

fn is_between(grid: &Grid, row: usize, column: usize) -> bool {
    let sides = grid.left_filled(row, column) && grid.right_filled(row, column);
    sides && grid.empty(row, column)
}

/// The lowest of the empty cells that extend down from a cell.
fn run_bottom(grid: &Grid, row: usize, column: usize) -> usize {
    let filled = (0..row).rev().find(|&row| grid.filled(row, column));
    filled.map_or(0, |row| row + 1)
}

/// The highest cell between two filled ones from which empty cells extend down to this one.
fn run_top(grid: &Grid, row: usize, column: usize) -> Option<usize> {
    let empty = (row..64).take_while(|&row| grid.empty(row, column));
    empty.filter(|&row| is_between(grid, row, column)).last()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{LITERATURE_BOARD, board, on_board};
    use super::*;

    #[test]
    fn the_reference_simulators_own_example() {
        let rows = board(&LITERATURE_BOARD);
        // Column 0: rows 3 and 4; column 2: row 5; column 1: row 0; column 6: rows 0, 1, 3, 4.
        assert_eq!(on_board(&WELL_SUMS, &rows), 20.0);
        assert_eq!(on_board(&WELL_SUMS_FAST, &rows), 23.0);
    }

    #[test]
    fn cells_of_the_same_board() {
        let rows = board(&LITERATURE_BOARD);
        // Column 0: 4, 3, 2; column 1: 0; column 2: 5; column 6: 4, 3, 1, 0, with row 2 as part of
        // a run.
        assert_eq!(on_board(&WELL_CELLS_BETWEEN, &rows), 3.0 + 1.0 + 1.0 + 4.0);
        assert_eq!(on_board(&WELL_CELLS, &rows), 3.0 + 1.0 + 1.0 + 5.0);
        assert_eq!(
            on_board(&WELL_SUMS_STREAK, &rows),
            6.0 + 1.0 + 1.0 + 3.0 + 3.0
        );
        // None of them has a filled cell directly above.
        assert_eq!(on_board(&WELL_CELLS_OPEN, &rows), 3.0 + 1.0 + 1.0 + 4.0);
    }

    #[test]
    fn a_covered_well_is_a_well_but_not_open() {
        let rows = board(&["....", "###.", "#.#.", "#.#."]);
        // Column 1: rows 0 and 1 under a filled cell; column 3: rows 0 to 2 next to the wall.
        assert_eq!(on_board(&WELL_CELLS_BETWEEN, &rows), 5.0);
        assert_eq!(on_board(&WELL_CELLS_OPEN, &rows), 4.0);
    }
}
