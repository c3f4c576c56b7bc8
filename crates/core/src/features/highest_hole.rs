//! The highest hole, and what stands above it.

use super::Feature;
use super::local::{BoardTerm, Column, Columns, RowUnion};
use crate::simd::{Word, WordNumber};

pub(super) const HIGHEST_HOLE: Feature = Feature::union::<HighestHole>(
    "highest_hole",
    "row of the highest hole, the bottom row being 1; 0 without holes",
    "Romero, Tomes and Yusiong 2011; thesis Tab 2 no. 23",
);

pub(super) const CELLS_ABOVE_HIGHEST_HOLE: Feature = Feature::board::<CellsAbove>(
    "cells_above_highest_hole",
    "filled cells in the rows above the row of the highest hole; 0 without holes",
    "Romero, Tomes and Yusiong 2011; thesis Tab 2 no. 24",
);

pub(super) const CELLS_ABOVE_HIGHEST_HOLE_IN_COLUMN: Feature = Feature::board::<CellsAboveInColumn>(
    "cells_above_highest_hole_in_column",
    "filled cells above the highest hole in its column, the most of them where several columns share it; 0 without holes",
    "variant of thesis Tab 2 no. 24",
);

pub(super) const HIGHEST_HOLE_COLUMN_HEIGHT: Feature = Feature::board::<ColumnHeight>(
    "highest_hole_column_height",
    "height of the column of the highest hole, the highest of them where several columns share it; 0 without holes",
    "Misakamm 2026 (tetr-ai)",
);

pub(super) const POTENTIAL_ROWS: Feature = Feature::board::<PotentialRows>(
    "potential_rows",
    "rows above the highest hole with at most 2 empty cells; 0 without holes",
    "Romero, Tomes and Yusiong 2011; thesis Tab 2 no. 25",
);

pub(super) const POTENTIAL_ROWS_1: Feature = Feature::board::<PotentialRows1>(
    "potential_rows_1",
    "rows above the highest hole with at most 1 empty cell; 0 without holes",
    "Harmonomino's reading of thesis Tab 2 no. 25",
);

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

/// One more than the row of the highest hole; 0 without holes.
#[inline(always)]
fn highest<W: Word>(board: &Columns<W>) -> W::Num {
    board.value_of_rows::<HighestHole>()
}

/// The largest number of the columns that have the highest hole; 0 without holes.
#[inline(always)]
fn over_columns_of_highest<W: Word>(
    board: &Columns<W>,
    measure: impl Fn(Column<W>, W::Num) -> W::Num,
) -> W::Num {
    let (none, highest) = (W::Num::splat(0), highest(board));
    let mut largest = none;
    for c in 0..board.width {
        let own = board.own(c);
        let hole = own.holes().height();
        let shares = hole.equal(highest).only_if(hole.above(none));
        largest = largest.most(measure(own, highest).only_if(shares));
    }
    largest
}

/// Rows above the highest hole, below the highest column, in which at most `EMPTY` cells are empty; 0
/// without holes.
#[inline(always)]
fn potential_rows<W: Word, const EMPTY: usize>(board: &Columns<W>) -> W::Num {
    let (none, highest) = (W::Num::splat(0), highest(board));
    // Rows with at least one, two, three empty cells.
    let mut with_empty = [W::bits(0); 3];
    let mut filled = W::bits(0);
    for c in 0..board.width {
        let cells = board.own(c).cells;
        with_empty[2] = with_empty[2] | (with_empty[1] & !cells);
        with_empty[1] = with_empty[1] | (with_empty[0] & !cells);
        with_empty[0] = with_empty[0] | !cells;
        filled = filled | cells;
    }
    let rows = W::filled(filled.height()) & !W::filled(highest) & !with_empty[EMPTY];
    rows.count().only_if(highest.above(none))
}

struct CellsAbove;

impl BoardTerm for CellsAbove {
    #[inline(always)]
    fn value<W: Word>(board: &Columns<W>) -> W::Num {
        let highest = highest(board);
        let mut cells = W::Num::splat(0);
        for c in 0..board.width {
            cells = cells + board.own(c).cells.down_by(highest).count();
        }
        cells.only_if(highest.above(W::Num::splat(0)))
    }
}

struct CellsAboveInColumn;

impl BoardTerm for CellsAboveInColumn {
    #[inline(always)]
    fn value<W: Word>(board: &Columns<W>) -> W::Num {
        over_columns_of_highest(board, |own, highest| own.cells.down_by(highest).count())
    }
}

struct ColumnHeight;

impl BoardTerm for ColumnHeight {
    #[inline(always)]
    fn value<W: Word>(board: &Columns<W>) -> W::Num {
        over_columns_of_highest(board, |own, _| own.top)
    }
}

struct PotentialRows;

impl BoardTerm for PotentialRows {
    #[inline(always)]
    fn value<W: Word>(board: &Columns<W>) -> W::Num {
        potential_rows::<W, 2>(board)
    }
}

struct PotentialRows1;

impl BoardTerm for PotentialRows1 {
    #[inline(always)]
    fn value<W: Word>(board: &Columns<W>) -> W::Num {
        potential_rows::<W, 1>(board)
    }
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
