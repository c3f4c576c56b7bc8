//! Row transitions: changes between filled and empty along the rows.

use super::Feature;
use super::local::{BoardTerm, Column, Columns, GapTerm};
use crate::simd::{Word, WordNumber};

pub(super) const ROW_TRANSITIONS: Feature = Feature::gaps::<WithWalls>(
    "row_transitions",
    "changes between filled and empty along all H rows, both walls filled; an empty row has 2",
    "Dellacherie 2003; MDPTetris, feature 3; thesis Tab 2 no. 21",
);

pub(super) const ROW_TRANSITIONS_NO_WALLS: Feature = Feature::gaps::<WithoutWalls>(
    "row_transitions_no_walls",
    "changes between filled and empty along the rows, from cell to cell only",
    "thesis 4.8; CogWorks",
);

pub(super) const ROW_TRANSITIONS_BELOW_TOP: Feature = Feature::board::<BelowTop>(
    "row_transitions_below_top",
    "changes between filled and empty along the rows below the highest column's height, both walls filled",
    "variant of thesis Tab 2 no. 21 that leaves the empty rows out",
);

pub(super) struct WithWalls;

impl GapTerm for WithWalls {
    const WALLS: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, right: Column<W>) -> W::Num {
        (left.cells ^ right.cells).count()
    }

    /// The rows above the board, which do not count, have a change at either wall.
    #[inline(always)]
    fn offset<W: Word>(height: usize) -> i32 {
        -2 * (W::BITS - height as i32)
    }
}

struct WithoutWalls;

impl GapTerm for WithoutWalls {
    const WALLS: bool = false;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, right: Column<W>) -> W::Num {
        (left.cells ^ right.cells).count()
    }
}

struct BelowTop;

impl BoardTerm for BelowTop {
    #[inline(always)]
    fn value<W: Word>(board: &Columns<W>) -> W::Num {
        let mut highest = W::Num::splat(0);
        for c in 0..board.width {
            highest = highest.most(board.own(c).top);
        }
        let rows = W::filled(highest);
        let mut changes = W::Num::splat(0);
        for gap in 0..=board.width {
            let (left, right) = (board.left_of(gap), board.own(gap));
            changes = changes + ((left.cells ^ right.cells) & rows).count();
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, drop_at, on_board, value};
    use super::*;
    use crate::piece::Piece::I;

    #[test]
    fn a_worked_board() {
        // Top to bottom with walls: 2, 2, 4, 2.
        let rows = board(&["....", "##..", "#.#.", ".###"]);
        assert_eq!(on_board(&ROW_TRANSITIONS, &rows), 10.0);
        assert_eq!(on_board(&ROW_TRANSITIONS_BELOW_TOP, &rows), 8.0);
        // Without walls: 0, 1, 3, 1.
        assert_eq!(on_board(&ROW_TRANSITIONS_NO_WALLS, &rows), 5.0);
    }

    #[test]
    fn an_empty_board() {
        let rows = board(&["....", "....", "....", "....", "...."]);
        assert_eq!(on_board(&ROW_TRANSITIONS, &rows), 10.0);
        assert_eq!(on_board(&ROW_TRANSITIONS_BELOW_TOP, &rows), 0.0);
        assert_eq!(on_board(&ROW_TRANSITIONS_NO_WALLS, &rows), 0.0);
    }

    #[test]
    fn rows_above_the_top_count_as_the_reference_simulator_counts_them() {
        let rows = ["#...", "#...", "#...", "#..."];
        let over = drop_at(&rows, I, &[(4, 0), (5, 0), (6, 0), (7, 0)]);
        // Eight rows with 2 each, and 2 less for each of the four rows above the top.
        assert_eq!(value(&ROW_TRANSITIONS, &over), 8.0);
        assert_eq!(value(&ROW_TRANSITIONS_BELOW_TOP, &over), 16.0);
    }
}
