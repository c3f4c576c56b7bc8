//! Holes: empty cells that a piece dropped from above cannot reach.

use super::Feature;
use super::local::{At, BoardCounts, Column, ColumnTerm, Fold};
use super::marks::{Grid, Marked};
use crate::placement::Transition;
use crate::simd::{Word, WordNumber};

pub(super) const HOLES: Feature = Feature::fold::<AllHoles>(
    "holes",
    "empty cells with at least one filled cell above them in their column",
    "MDPTetris, feature 5; thesis 4.2 and Tab 2 no. 6",
)
.marking(|step| Marked::after(step, Grid::is_hole));

pub(super) const CONNECTED_HOLES: Feature = Feature::columns::<Connected>(
    "connected_holes",
    "vertical runs of holes, that is, holes directly below a filled cell",
    "Böhm, Kókai and Mandl 2005; thesis Tab 2 no. 7",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        grid.empty(row, column) && grid.above_filled(row, column)
    })
});

pub(super) const SURROUNDED_HOLES: Feature = Feature::columns::<Surrounded>(
    "surrounded_holes",
    "empty cells with a filled cell directly above and a filled cell or the floor directly below",
    "MDPTetris, feature -4",
)
.marking(|step| Marked::after(step, is_surrounded));

pub(super) const ENCLOSED_HOLES: Feature = Feature::columns::<Enclosed>(
    "enclosed_holes",
    "empty cells whose four neighbours are all filled; walls and floor count as filled",
    "Bertsekas and Ioffe 1996 as worded there",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        let sides = grid.left_filled(row, column) && grid.right_filled(row, column);
        is_surrounded(grid, row, column) && sides
    })
});

pub(super) const WALL_HOLES_0: Feature = Feature::columns::<WallHoles<0>>(
    "wall_holes_0",
    "holes in the two columns next to the walls",
    "Misakamm 2026 (tetr-ai)",
)
.marking(|step| holes_wall_distance(step, 0));

pub(super) const WALL_HOLES_1: Feature = Feature::columns::<WallHoles<1>>(
    "wall_holes_1",
    "holes in the second column from each wall",
    "Misakamm 2026 (tetr-ai)",
)
.marking(|step| holes_wall_distance(step, 1));

pub(super) const WALL_HOLES_2: Feature = Feature::columns::<WallHoles<2>>(
    "wall_holes_2",
    "holes in the third column from each wall",
    "Misakamm 2026 (tetr-ai)",
)
.marking(|step| holes_wall_distance(step, 2));

/// The cells below the tops that are not filled.
pub(super) struct AllHoles;

impl Fold for AllHoles {
    type Part<W: Word> = W::Num;
    const REACH: [usize; 2] = [0, 0];

    #[inline(always)]
    fn nothing<W: Word>() -> W::Num {
        W::Num::splat(0)
    }

    #[inline(always)]
    fn part<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W::Num {
        own.top
    }

    #[inline(always)]
    fn join<W: Word>(left: W::Num, right: W::Num) -> W::Num {
        left + right
    }

    #[inline(always)]
    fn rest<W: Word>(all: W::Num, left: W::Num) -> Option<W::Num> {
        Some(all - left)
    }

    #[inline(always)]
    fn value<W: Word>(tops: W::Num, board: &BoardCounts<W>) -> W::Num {
        tops - board.filled
    }
}

/// The holes of one column.
struct Holes;

impl ColumnTerm for Holes {
    const NEIGHBOURS: bool = false;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W::Num {
        own.top - own.cells.count()
    }
}

struct Connected;

impl ColumnTerm for Connected {
    const NEIGHBOURS: bool = false;
    const TALLIES: bool = true;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W::Num {
        (!own.cells & own.cells.down::<1>()).tally()
    }
}

/// The empty cells between a filled cell and another one, or the floor.
#[inline(always)]
fn surrounded<W: Word>(own: W) -> W {
    let below = own.up::<1>() | W::bits(1);
    !own & own.down::<1>() & below
}

struct Surrounded;

impl ColumnTerm for Surrounded {
    const NEIGHBOURS: bool = false;
    const TALLIES: bool = true;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W::Num {
        surrounded(own.cells).tally()
    }
}

struct Enclosed;

impl ColumnTerm for Enclosed {
    const NEIGHBOURS: bool = true;
    const TALLIES: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, _: At) -> W::Num {
        (surrounded(own.cells) & left.cells & right.cells).tally()
    }
}

struct WallHoles<const FROM_WALL: usize>;

impl<const FROM_WALL: usize> ColumnTerm for WallHoles<FROM_WALL> {
    const NEIGHBOURS: bool = false;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, at: At) -> W::Num {
        if at.wall_distance() == FROM_WALL {
            Holes::term(own, own, own, at)
        } else {
            W::Num::splat(0)
        }
    }
}

fn is_surrounded(grid: &Grid, row: usize, column: usize) -> bool {
    let below = row == 0 || grid.below_filled(row, column);
    grid.empty(row, column) && grid.above_filled(row, column) && below
}

fn holes_wall_distance(step: &Transition, wall_distance: usize) -> Marked {
    Marked::after(step, |grid, row, column| {
        grid.wall_distance(column) == wall_distance && grid.is_hole(row, column)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, on_board};
    use super::*;

    #[test]
    fn a_worked_board() {
        let rows = board(&[
            "......", //
            "#.....", "..##..", "##.#..", "#.##.#", "##.#..",
        ]);
        // Holes by column: 1, 1, 2, 0, 0, 1. All of them are one cell high.
        assert_eq!(on_board(&HOLES, &rows), 5.0);
        assert_eq!(on_board(&CONNECTED_HOLES, &rows), 5.0);
        assert_eq!(on_board(&SURROUNDED_HOLES, &rows), 5.0);
        // The holes in columns 1 and 2 have filled cells on both sides.
        assert_eq!(on_board(&ENCLOSED_HOLES, &rows), 3.0);
        assert_eq!(on_board(&WALL_HOLES_0, &rows), 2.0);
        assert_eq!(on_board(&WALL_HOLES_1, &rows), 1.0);
        assert_eq!(on_board(&WALL_HOLES_2, &rows), 2.0);
    }

    #[test]
    fn a_tall_run_of_holes_is_connected_and_not_surrounded() {
        let rows = board(&["#...", "....", "....", "...."]);
        assert_eq!(on_board(&HOLES, &rows), 3.0);
        assert_eq!(on_board(&CONNECTED_HOLES, &rows), 1.0);
        assert_eq!(on_board(&SURROUNDED_HOLES, &rows), 0.0);
    }
}
