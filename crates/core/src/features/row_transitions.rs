//! Row transitions: changes between filled and empty along the rows.

use super::Feature;
use super::local::GapTerm;
use crate::board::WALL;
use crate::outcomes::Step;

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

pub(super) const ROW_TRANSITIONS_BELOW_TOP: Feature = Feature::step(
    "row_transitions_below_top",
    "changes between filled and empty along the rows below the highest column's height, both walls filled",
    "variant of thesis Tab 2 no. 21 that leaves the empty rows out",
    below_top,
);

pub(super) struct WithWalls;

impl GapTerm for WithWalls {
    const WALLS: bool = true;

    #[inline]
    fn term(left: u64, right: u64, _: usize) -> i32 {
        (left ^ right).count_ones() as i32
    }

    /// Beside each of the two walls, the word's rows above the board count as changes too.
    #[inline]
    fn offset(height: usize) -> i32 {
        -2 * (64 - height as i32)
    }
}

struct WithoutWalls;

impl GapTerm for WithoutWalls {
    const WALLS: bool = false;

    fn term(left: u64, right: u64, _: usize) -> i32 {
        (left ^ right).count_ones() as i32
    }
}

fn below_top(step: &Step<'_>) -> f64 {
    let rows = (1u64 << step.after.max_height()) - 1;
    let mut changes = 0;
    let mut left = WALL;
    for &own in step.after.board.columns().iter().chain([&WALL]) {
        changes += ((left ^ own) & rows).count_ones();
        left = own;
    }
    f64::from(changes)
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
