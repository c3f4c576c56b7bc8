//! Column transitions: changes between filled and empty along the columns.

use super::Feature;
use super::local::{At, Column, ColumnTerm};
use super::marks::Marked;
use crate::placement::Transition;
use crate::simd::{Word, WordNumber};

pub(super) const COLUMN_TRANSITIONS: Feature = Feature::columns::<FloorFilled>(
    "column_transitions",
    "changes between filled and empty along all columns, with a filled floor and an empty ceiling; an empty column has 1",
    "Dellacherie 2003; MDPTetris, feature 4; thesis Tab 2 no. 22",
)
.marking(|step| transitions(step, true, false, false));

pub(super) const COLUMN_TRANSITIONS_CEILING: Feature = Feature::columns::<CeilingFilled>(
    "column_transitions_ceiling",
    "changes between filled and empty along the H rows of all columns, with filled floor and ceiling",
    "variant of thesis Tab 2 no. 22",
)
.marking(|step| transitions(step, true, true, true));

pub(super) const COLUMN_TRANSITIONS_NO_FLOOR: Feature = Feature::columns::<NoFloor>(
    "column_transitions_no_floor",
    "changes between filled and empty along all columns, without the floor, with an empty ceiling",
    "variant of thesis Tab 2 no. 22",
)
.marking(|step| transitions(step, false, false, false));

pub(super) const COLUMN_TRANSITIONS_INNER: Feature = Feature::columns::<Inner>(
    "column_transitions_inner",
    "changes between filled and empty along the H rows of all columns, from cell to cell only",
    "thesis 4.8",
)
.marking(|step| transitions(step, false, false, true));

/// Changes between filled and empty from cell to cell.
#[inline(always)]
fn changes<W: Word>(own: W) -> W {
    own ^ own.down::<1>()
}

/// Changes within the rows of a board, as a tally.
#[inline(always)]
fn inner<W: Word>(own: W, height: usize) -> W::Num {
    (changes(own) & W::filled(W::Num::splat(height as i32 - 1))).tally()
}

pub(super) struct FloorFilled;

impl ColumnTerm for FloorFilled {
    const NEIGHBOURS: bool = false;
    const TALLIES: bool = true;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W::Num {
        (own.cells ^ (own.cells.up::<1>() | W::bits(1))).tally()
    }
}

struct CeilingFilled;

impl ColumnTerm for CeilingFilled {
    const NEIGHBOURS: bool = false;
    const TALLIES: bool = true;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, at: At) -> W::Num {
        let floor = !own.cells & W::bits(1);
        let ceiling = !own.cells.down_by(W::Num::splat(at.height as i32 - 1)) & W::bits(1);
        inner(own.cells, at.height) + floor.tally() + ceiling.tally()
    }
}

struct NoFloor;

impl ColumnTerm for NoFloor {
    const NEIGHBOURS: bool = false;
    const TALLIES: bool = true;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W::Num {
        changes(own.cells).tally()
    }
}

struct Inner;

impl ColumnTerm for Inner {
    const NEIGHBOURS: bool = false;
    const TALLIES: bool = true;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, at: At) -> W::Num {
        inner(own.cells, at.height)
    }
}

/// Marks every transition on its empty cell. Floor and ceiling may count as filled; the rows may
/// end at the ceiling.
fn transitions(step: &Transition, floor: bool, ceiling: bool, within: bool) -> Marked {
    Marked::after(step, |grid, row, column| {
        let last = within && row + 1 == grid.height();
        let below = grid.below_filled(row, column) || floor && row == 0;
        let above = if last {
            ceiling
        } else {
            grid.above_filled(row, column)
        };
        let is_counted = grid.empty(row, column) && !(within && row >= grid.height());
        u32::from(is_counted) * (u32::from(below) + u32::from(above))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, on_board};
    use super::*;

    #[test]
    fn a_worked_board() {
        // The columns, bottom up: ####, ...., #.#., .#.#
        let rows = board(&["#..#", "#.#.", "#..#", "#.#."]);
        assert_eq!(on_board(&COLUMN_TRANSITIONS, &rows), 1.0 + 1.0 + 3.0 + 5.0);
        assert_eq!(
            on_board(&COLUMN_TRANSITIONS_CEILING, &rows),
            0.0 + 2.0 + 4.0 + 4.0
        );
        assert_eq!(
            on_board(&COLUMN_TRANSITIONS_NO_FLOOR, &rows),
            1.0 + 0.0 + 3.0 + 4.0
        );
        assert_eq!(
            on_board(&COLUMN_TRANSITIONS_INNER, &rows),
            0.0 + 0.0 + 3.0 + 3.0
        );
    }

    #[test]
    fn an_empty_column_has_one_change_at_the_floor() {
        let rows = board(&["....", "....", "....", "...."]);
        assert_eq!(on_board(&COLUMN_TRANSITIONS, &rows), 4.0);
        assert_eq!(on_board(&COLUMN_TRANSITIONS_CEILING, &rows), 8.0);
        assert_eq!(on_board(&COLUMN_TRANSITIONS_NO_FLOOR, &rows), 0.0);
    }
}
