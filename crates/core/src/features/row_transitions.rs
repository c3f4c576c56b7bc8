//! Row transitions: changes between filled and empty along the rows.

use super::Feature;
use super::local::{At, BoardCounts, Column, Fold, GapTerm};
use super::marks::{Grid, Marked};
use crate::placement::Transition;
use crate::simd::{Word, WordNumber};

pub(super) const ROW_TRANSITIONS: Feature = Feature::gaps::<WithWalls>(
    "row_transitions",
    "changes between filled and empty along all H rows, with filled walls; an empty row has 2",
    "Dellacherie 2003; MDPTetris, feature 3; thesis Tab 2 no. 21",
)
.marking(|step| transitions(step, |grid, row| row < grid.height(), true));

pub(super) const ROW_TRANSITIONS_NO_WALLS: Feature = Feature::gaps::<WithoutWalls>(
    "row_transitions_no_walls",
    "changes between filled and empty along the rows, from cell to cell only",
    "thesis 4.8; CogWorks",
)
.marking(|step| transitions(step, |_, _| true, false));

pub(super) const ROW_TRANSITIONS_BELOW_TOP: Feature = Feature::fold::<BelowTop>(
    "row_transitions_below_top",
    "changes between filled and empty along the rows below the highest column's height, with filled walls",
    "variant of thesis Tab 2 no. 21 that leaves the empty rows out",
)
.marking(|step| transitions(step, |grid, row| row < grid.highest(), true));

pub(super) struct WithWalls;

impl GapTerm for WithWalls {
    const WALLS: bool = true;
    const TALLIES: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, right: Column<W>) -> W::Num {
        (left.cells ^ right.cells).tally()
    }

    /// Every row above the board has a change at both walls; these are not counted.
    #[inline(always)]
    fn offset<W: Word>(height: usize) -> i32 {
        -2 * (W::BITS - height as i32)
    }
}

struct WithoutWalls;

impl GapTerm for WithoutWalls {
    const WALLS: bool = false;
    const TALLIES: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, right: Column<W>) -> W::Num {
        (left.cells ^ right.cells).tally()
    }
}

/// The tally of all changes, and the height of the highest column. In the rows above it, only the
/// walls change.
struct BelowTop;

impl Fold for BelowTop {
    type Part<W: Word> = [W::Num; 2];
    const REACH: [usize; 2] = [0, 1];
    const BEYOND: usize = 1;

    #[inline(always)]
    fn nothing<W: Word>() -> [W::Num; 2] {
        [W::Num::splat(0); 2]
    }

    #[inline(always)]
    fn part<W: Word>(left: Column<W>, own: Column<W>, _: Column<W>, at: At) -> [W::Num; 2] {
        let is_wall = at.column == at.width;
        let top = if is_wall { W::Num::splat(0) } else { own.top };
        [WithWalls::term(left, own), top]
    }

    #[inline(always)]
    fn join<W: Word>(left: [W::Num; 2], right: [W::Num; 2]) -> [W::Num; 2] {
        [left[0] + right[0], left[1].most(right[1])]
    }

    #[inline(always)]
    fn value<W: Word>([changes, highest]: [W::Num; 2], _: &BoardCounts<W>) -> W::Num {
        W::total(changes) - W::Num::splat(2 * W::BITS) + highest + highest
    }
}

/// Marks every transition on its empty cell.
fn transitions(step: &Transition, counts: fn(&Grid, usize) -> bool, walls: bool) -> Marked {
    Marked::after(step, |grid, row, column| {
        let left = grid.left_filled(row, column) && (walls || column > 0);
        let right = grid.right_filled(row, column) && (walls || column + 1 < grid.width());
        let is_counted = grid.empty(row, column) && counts(grid, row);
        u32::from(is_counted) * (u32::from(left) + u32::from(right))
    })
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
