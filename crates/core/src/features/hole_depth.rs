//! Hole depth: filled cells on top of holes.

use super::Feature;
use super::folds::Sum;
use super::holes::AllHoles;
use super::local::{At, Column, ColumnTerm, Columns};
use super::marks::{Grid, Marked};
use crate::outcomes::Step;
use crate::placement::Transition;
use crate::simd::{Word, WordNumber};

pub(super) const HOLE_DEPTH: Feature = Feature::columns::<Contiguous>(
    "hole_depth",
    "filled cells in a contiguous vertical run directly above an empty cell, each counted once",
    "Thiery and Scherrer 2009 as in MDPTetris, feature -1; GameAI-NJUPT 2026 (RV-CE); thesis Tab 2 no. 30",
)
.marking(|step| contiguous(step, |_| 1));

pub(super) const HOLE_DEPTH_ALL: Feature = Feature::columns::<All>(
    "hole_depth_all",
    "for every hole, all filled cells above it in its column",
    "Boumaza 2009 as worded there; Romero, Tomes and Yusiong 2011; thesis Tab 2 no. 30 as worded there",
)
.marking(|step| all(step, |_| 1));

pub(super) const MEAN_HOLE_DEPTH: Feature = Feature::step(
    "mean_hole_depth",
    "hole_depth divided by the number of holes; 0 without holes",
    "thesis Tab 2 no. 8",
    mean::<Contiguous>,
)
.marking(|step| contiguous(step, Grid::holes));

pub(super) const MEAN_HOLE_DEPTH_ALL: Feature = Feature::step(
    "mean_hole_depth_all",
    "filled cells above a hole in its column, on average over the holes; 0 without holes",
    "variant of thesis Tab 2 no. 8",
    mean::<All>,
)
.marking(|step| all(step, Grid::holes));

pub(super) const MEAN_HOLE_DEPTH_ROWS: Feature = Feature::step(
    "mean_hole_depth_rows",
    "rows from a hole up to the top of its column, on average over the holes; 0 without holes",
    "variant of thesis Tab 2 no. 8",
    mean::<RowsToTop>,
)
.marking(|step| {
    Marked::after(step, |grid, row, column| match grid.is_hole(row, column) {
        true => (grid.top(column) - row) as f64 / grid.holes() as f64,
        false => 0.0,
    })
});

/// Sums a term over all holes; the term receives the row of the hole.
#[inline(always)]
fn over_holes<W: Word>(own: Column<W>, term: impl Fn(W::Num) -> W::Num) -> W::Num {
    let mut holes = own.holes();
    let mut sum = W::Num::splat(0);
    while !holes.all_empty() {
        let lowest = holes.lowest();
        let row = lowest.height() - W::Num::splat(1);
        sum = sum + term(row).only_if(lowest.is_empty().equal(W::Num::splat(0)));
        holes = holes ^ lowest;
    }
    sum
}

pub(super) struct Contiguous;

impl ColumnTerm for Contiguous {
    const NEIGHBOURS: bool = false;
    const TALLIES: bool = true;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W::Num {
        // Adding one carries through the cells that are connected to the floor.
        (own.cells & own.cells.plus_one()).tally()
    }
}

struct All;

impl ColumnTerm for All {
    const NEIGHBOURS: bool = false;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W::Num {
        over_holes(own, |row| own.cells.down_by(row).count())
    }
}

/// For every hole, the rows up to the top of its column.
struct RowsToTop;

impl ColumnTerm for RowsToTop {
    const NEIGHBOURS: bool = false;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W::Num {
        over_holes(own, |row| own.top - row)
    }
}

/// A sum over columns divided by the number of holes.
fn mean<T: ColumnTerm>(step: &Step<'_>) -> f64 {
    let board = Columns::of(&step.after.board);
    let holes = board.fold::<AllHoles>();
    if holes == 0 {
        0.0
    } else {
        f64::from(board.fold::<Sum<T>>()) / f64::from(holes)
    }
}

/// Marks filled cells with an empty cell below them; `count` of these cells contribute one.
fn contiguous(step: &Transition, parts: fn(&Grid) -> usize) -> Marked {
    Marked::after(step, |grid, row, column| {
        let is_above_hole = grid.filled(row, column) && grid.holes_below(row, column) > 0;
        f64::from(is_above_hole) / parts(grid).max(1) as f64
    })
}

/// Marks filled cells, each counted once per hole below it.
fn all(step: &Transition, parts: fn(&Grid) -> usize) -> Marked {
    Marked::after(step, |grid, row, column| match grid.filled(row, column) {
        true => grid.holes_below(row, column) as f64 / parts(grid).max(1) as f64,
        false => 0.0,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, on_board};
    use super::*;

    #[test]
    fn a_worked_board() {
        // The first column has holes in rows 1, 2 and 4 under runs of one and two cells; the second
        // has none.
        let rows = board(&["#...", "#...", "....", "#...", "....", "....", "##.."]);
        assert_eq!(on_board(&HOLE_DEPTH, &rows), 3.0);
        assert_eq!(on_board(&HOLE_DEPTH_ALL, &rows), 3.0 + 3.0 + 2.0);
        assert_eq!(on_board(&MEAN_HOLE_DEPTH, &rows), 1.0);
        assert_eq!(on_board(&MEAN_HOLE_DEPTH_ALL, &rows), 8.0 / 3.0);
        assert_eq!(
            on_board(&MEAN_HOLE_DEPTH_ROWS, &rows),
            (6.0 + 5.0 + 3.0) / 3.0
        );
    }

    #[test]
    fn it_counts_all_filled_cells_above_the_lowest_empty_cell() {
        for own in 0..1u64 << 12 {
            let lowest_empty = own.trailing_ones();
            let above = (own >> lowest_empty).count_ones() as i32;
            let column = Column::new(own);
            let at = Columns::<u64>::new(10, 20).at(0);
            assert_eq!(
                Contiguous::term(column, column, column, at),
                above,
                "{own:b}"
            );
        }
    }

    #[test]
    fn without_holes_all_depths_are_zero() {
        let rows = board(&["....", "....", "#...", "##.#"]);
        for feature in [
            HOLE_DEPTH,
            HOLE_DEPTH_ALL,
            MEAN_HOLE_DEPTH,
            MEAN_HOLE_DEPTH_ALL,
        ] {
            assert_eq!(on_board(&feature, &rows), 0.0, "{}", feature.id);
        }
    }
}
