//! The highest hole, and the cells above it.

use super::Feature;
use super::folds::Union;
use super::local::{At, BoardCounts, BoardTerm, Column, Columns, Fold, RowUnion};
use super::marks::{Grid, Marked};
use crate::placement::Transition;
use crate::simd::{Word, WordNumber};
use std::marker::PhantomData;

pub(super) const HIGHEST_HOLE: Feature = Feature::union::<HighestHole>(
    "highest_hole",
    "row of the highest hole, where the bottom row is 1; 0 without holes",
    "Romero, Tomes and Yusiong 2011; thesis Tab 2 no. 23",
)
.marking(|step| {
    let is_highest =
        |grid: &Grid, row, column| grid.is_hole(row, column) && grid.highest_hole() == Some(row);
    Marked::after(step, is_highest).looked_at()
});

pub(super) const CELLS_ABOVE_HIGHEST_HOLE: Feature = Feature::board::<CellsAbove>(
    "cells_above_highest_hole",
    "filled cells in the rows above the row of the highest hole; 0 without holes",
    "Romero, Tomes and Yusiong 2011; thesis Tab 2 no. 24",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        grid.filled(row, column) && is_above(grid, row)
    })
});

pub(super) const CELLS_ABOVE_HIGHEST_HOLE_IN_COLUMN: Feature = Feature::fold::<
    InColumn<CellsAboveInColumn>,
>(
    "cells_above_highest_hole_in_column",
    "filled cells above the highest hole in its column; the maximum if several columns have a hole in this row; 0 without holes",
    "variant of thesis Tab 2 no. 24",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        let is_counted = grid.filled(row, column) && is_above(grid, row);
        is_counted && highest_hole_column(grid) == Some(column)
    })
});

pub(super) const HIGHEST_HOLE_COLUMN_HEIGHT: Feature = Feature::fold::<InColumn<ColumnHeight>>(
    "highest_hole_column_height",
    "height of the column of the highest hole; the maximum if several columns have a hole in this row; 0 without holes",
    "Misakamm 2026 (tetr-ai)",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        row < grid.top(column) && highest_hole_column(grid) == Some(column)
    })
});

pub(super) const POTENTIAL_ROWS: Feature = Feature::fold::<PotentialRows<2>>(
    "potential_rows",
    "rows above the highest hole with at most 2 empty cells; 0 without holes",
    "Romero, Tomes and Yusiong 2011; thesis Tab 2 no. 25",
)
.marking(|step| potential_rows(step, 2));

pub(super) const POTENTIAL_ROWS_1: Feature = Feature::fold::<PotentialRows<1>>(
    "potential_rows_1",
    "rows above the highest hole with at most 1 empty cell; 0 without holes",
    "Harmonomino's reading of thesis Tab 2 no. 25",
)
.marking(|step| potential_rows(step, 1));

struct HighestHole;

impl RowUnion for HighestHole {
    #[inline(always)]
    fn rows<W: Word>(own: Column<W>) -> W {
        own.holes()
    }

    #[inline(always)]
    fn value<W: Word>(rows: W, _: usize) -> W::Num {
        rows.height()
    }
}

struct CellsAbove;

impl BoardTerm for CellsAbove {
    #[inline(always)]
    fn value<W: Word>(board: &Columns<W>) -> W::Num {
        let highest = board.fold::<Union<HighestHole>>();
        let mut cells = W::Num::splat(0);
        for c in 0..board.width {
            cells = cells + board.own(c).cells.down_by(highest).tally();
        }
        W::total(cells).only_if(highest.above(W::Num::splat(0)))
    }
}

/// A number below 256 for a column that has the highest hole.
trait OfColumn {
    /// The number for a column, given the height of its highest hole.
    fn number<W: Word>(own: Column<W>, hole: W::Num) -> W::Num;
}

/// The largest number over the columns that have the highest hole; 0 without holes. A part is the
/// height of the highest hole times 256, plus the number.
struct InColumn<T>(PhantomData<T>);

impl<T: OfColumn> Fold for InColumn<T> {
    type Part<W: Word> = W::Num;
    const REACH: [usize; 2] = [0, 0];

    #[inline(always)]
    fn nothing<W: Word>() -> W::Num {
        W::Num::splat(0)
    }

    #[inline(always)]
    fn part<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W::Num {
        let hole = own.holes().height();
        let part = hole * W::Num::splat(256) + T::number(own, hole);
        part.only_if(hole.above(W::Num::splat(0)))
    }

    #[inline(always)]
    fn join<W: Word>(left: W::Num, right: W::Num) -> W::Num {
        left.most(right)
    }

    #[inline(always)]
    fn value<W: Word>(highest: W::Num, _: &BoardCounts<W>) -> W::Num {
        highest & W::Num::splat(255)
    }
}

struct CellsAboveInColumn;

impl OfColumn for CellsAboveInColumn {
    #[inline(always)]
    fn number<W: Word>(own: Column<W>, hole: W::Num) -> W::Num {
        own.cells.down_by(hole).count()
    }
}

struct ColumnHeight;

impl OfColumn for ColumnHeight {
    #[inline(always)]
    fn number<W: Word>(own: Column<W>, _: W::Num) -> W::Num {
        own.top
    }
}

/// The rows with holes, those with a filled cell, and those with at least one, two and three empty
/// cells.
#[derive(Clone, Copy)]
struct RowMasks<W> {
    holes: W,
    filled: W,
    empty: [W; 3],
}

/// Rows above the highest hole, below the highest column, in which at most `EMPTY` cells are empty;
/// 0 without holes.
struct PotentialRows<const EMPTY: usize>;

impl<const EMPTY: usize> Fold for PotentialRows<EMPTY> {
    type Part<W: Word> = RowMasks<W>;
    const REACH: [usize; 2] = [0, 0];

    #[inline(always)]
    fn nothing<W: Word>() -> RowMasks<W> {
        RowMasks {
            holes: W::bits(0),
            filled: W::bits(0),
            empty: [W::bits(0); 3],
        }
    }

    #[inline(always)]
    fn part<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> RowMasks<W> {
        RowMasks {
            holes: own.holes(),
            filled: own.cells,
            empty: [!own.cells, W::bits(0), W::bits(0)],
        }
    }

    #[inline(always)]
    fn join<W: Word>(left: RowMasks<W>, right: RowMasks<W>) -> RowMasks<W> {
        let ([a1, a2, a3], [b1, b2, b3]) = (left.empty, right.empty);
        RowMasks {
            holes: left.holes | right.holes,
            filled: left.filled | right.filled,
            empty: [
                a1 | b1,
                a2 | b2 | (a1 & b1),
                a3 | b3 | (a2 & b1) | (a1 & b2),
            ],
        }
    }

    #[inline(always)]
    fn value<W: Word>(all: RowMasks<W>, _: &BoardCounts<W>) -> W::Num {
        let highest = all.holes.height();
        let rows = W::filled(all.filled.height()) & !W::filled(highest) & !all.empty[EMPTY];
        rows.count().only_if(highest.above(W::Num::splat(0)))
    }
}

fn is_above(grid: &Grid, row: usize) -> bool {
    grid.highest_hole().is_some_and(|hole| row > hole)
}

/// The highest of the columns with the highest hole. It has no other hole above that one, so it
/// also has the most filled cells above it.
fn highest_hole_column(grid: &Grid) -> Option<usize> {
    let hole = grid.highest_hole()?;
    let height = |column| match grid.is_hole(hole, column) {
        true => grid.top(column),
        false => 0,
    };
    Some(grid.column_with_most(height))
}

fn potential_rows(step: &Transition, empty: usize) -> Marked {
    Marked::after(step, |grid, row, _| {
        let is_low = row < grid.highest() && grid.empty_in_row(row) <= empty;
        grid.share_of_row(is_low && is_above(grid, row))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, on_board};
    use super::*;

    #[test]
    fn a_worked_board() {
        // Holes in row 1, columns 0 and 3, and in row 0, column 2.
        let rows = board(&["...#.", "##.#.", "####.", ".##.#", "##.##"]);
        assert_eq!(on_board(&HIGHEST_HOLE, &rows), 2.0);
        assert_eq!(on_board(&CELLS_ABOVE_HIGHEST_HOLE, &rows), 8.0);
        assert_eq!(on_board(&CELLS_ABOVE_HIGHEST_HOLE_IN_COLUMN, &rows), 3.0);
        assert_eq!(on_board(&HIGHEST_HOLE_COLUMN_HEIGHT, &rows), 5.0);
        assert_eq!(on_board(&POTENTIAL_ROWS, &rows), 2.0);
        assert_eq!(on_board(&POTENTIAL_ROWS_1, &rows), 1.0);
    }

    #[test]
    fn without_holes_all_are_zero() {
        let rows = board(&["....", "....", "###.", "###."]);
        for feature in [
            HIGHEST_HOLE,
            CELLS_ABOVE_HIGHEST_HOLE,
            CELLS_ABOVE_HIGHEST_HOLE_IN_COLUMN,
            HIGHEST_HOLE_COLUMN_HEIGHT,
            POTENTIAL_ROWS,
            POTENTIAL_ROWS_1,
        ] {
            assert_eq!(on_board(&feature, &rows), 0.0, "{}", feature.id);
        }
    }
}
