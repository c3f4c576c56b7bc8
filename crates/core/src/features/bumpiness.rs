//! Bumpiness: height differences of neighbouring columns.

use super::Feature;
use super::folds::GapSum;
use super::local::{At, BoardCounts, Column, ColumnTerm, Fold, GapTerm};
use super::marks::{Grid, Marked};
use crate::placement::Transition;
use crate::simd::{Word, WordNumber};

pub(super) const BUMPINESS: Feature = Feature::gaps::<Bumpiness>(
    "bumpiness",
    "sum of the absolute height differences of neighbouring columns",
    "MDPTetris, feature 17; thesis 4.4 and Tab 2 no. 26",
)
.marking(|step| steps(step, |_, _| 1));

pub(super) const BUMPINESS_CIRCULAR: Feature = Feature::fold::<Circular>(
    "bumpiness_circular",
    "bumpiness plus the absolute height difference of the first and the last column",
    "Romero, Tomes and Yusiong 2011, \"smoothness\"",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        let last = grid.width() - 1;
        let around = match column {
            0 => grid.top(last),
            column if column == last => grid.top(0),
            _ => 0,
        };
        let is_around = grid.is_between_tops(row, column, around);
        higher_neighbours(grid, row, column) + u32::from(is_around)
    })
});

pub(super) const VARIATION: Feature = Feature::columns::<Variation>(
    "variation",
    "bumpiness, where an edge column's drop below its neighbour counts twice",
    "strategies, \"variation of heights\"",
)
.marking(|step| {
    steps(step, |grid, column| match grid.wall_distance(column) {
        0 => 2,
        _ => 1,
    })
});

pub(super) const COLUMN_DIFFERENCES: Feature = Feature::of_parts::<GapSum<Bumpiness>>(
    "column_differences",
    "absolute height difference of each pair of neighbouring columns, left to right: W-1 numbers",
    "Bertsekas and Ioffe 1996; MDPTetris, feature 9; thesis Tab 2 no. 27",
)
.marking(|step| steps(step, |_, _| 1));

pub(super) const COLUMN_DIFFERENCES_SIGNED: Feature = Feature::of_parts::<GapSum<Rise>>(
    "column_differences_signed",
    "height of each column minus that of its left neighbour, left to right: W-1 numbers",
    "variant of thesis Tab 2 no. 27",
)
.marking(|step| steps(step, |_, _| 1).looked_at());

pub(super) struct Bumpiness;

impl GapTerm for Bumpiness {
    const WALLS: bool = false;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, right: Column<W>) -> W::Num {
        (right.top - left.top).magnitude()
    }
}

/// The rise from the left to the right one of two columns.
struct Rise;

impl GapTerm for Rise {
    const WALLS: bool = false;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, right: Column<W>) -> W::Num {
        right.top - left.top
    }
}

/// The sum of the differences, and the height of the first column minus that of the last.
struct Circular;

impl Fold for Circular {
    type Part<W: Word> = [W::Num; 2];
    const REACH: [usize; 2] = [0, 1];

    #[inline(always)]
    fn nothing<W: Word>() -> [W::Num; 2] {
        [W::Num::splat(0); 2]
    }

    #[inline(always)]
    fn part<W: Word>(left: Column<W>, own: Column<W>, _: Column<W>, at: At) -> [W::Num; 2] {
        let none = W::Num::splat(0);
        if at.column == 0 {
            return [none, own.top];
        }
        let is_last = at.column == at.width - 1;
        let lower = if is_last { none - own.top } else { none };
        [Bumpiness::term(left, own), lower]
    }

    #[inline(always)]
    fn join<W: Word>(left: [W::Num; 2], right: [W::Num; 2]) -> [W::Num; 2] {
        [left[0] + right[0], left[1] + right[1]]
    }

    #[inline(always)]
    fn rest<W: Word>(all: [W::Num; 2], left: [W::Num; 2]) -> Option<[W::Num; 2]> {
        Some([all[0] - left[0], all[1] - left[1]])
    }

    #[inline(always)]
    fn value<W: Word>([sum, around]: [W::Num; 2], _: &BoardCounts<W>) -> W::Num {
        sum + around.magnitude()
    }
}

struct Variation;

impl ColumnTerm for Variation {
    const NEIGHBOURS: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, at: At) -> W::Num {
        let none = W::Num::splat(0);
        let first = at.column == 0;
        let last = at.column == at.width - 1;
        // The gap on the right of a column is assigned to that column.
        let gap = if last {
            none
        } else {
            (own.top - right.top).magnitude()
        };
        let neighbour = if first { right } else { left };
        if first || last {
            gap + (neighbour.top - own.top).most(none)
        } else {
            gap
        }
    }
}

/// Number of neighbouring columns that reach higher than a cell above its own column.
fn higher_neighbours(grid: &Grid, row: usize, column: usize) -> u32 {
    let inner = grid
        .neighbour_tops(column)
        .into_iter()
        .filter(|&top| top != usize::MAX);
    inner
        .map(|top| u32::from(grid.is_between_tops(row, column, top)))
        .sum()
}

/// Marks the cells of the steps between columns, above the lower column of each pair.
fn steps(step: &Transition, times: fn(&Grid, usize) -> u32) -> Marked {
    Marked::after(step, |grid, row, column| {
        times(grid, column) * higher_neighbours(grid, row, column)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, numbers_on_board, on_board};
    use super::*;

    #[test]
    fn a_worked_board() {
        // Heights 1, 4, 2, 2, 0.
        let rows = board(&[".#...", ".#...", ".###.", "####."]);
        assert_eq!(
            numbers_on_board(&COLUMN_DIFFERENCES, &rows),
            [3.0, 2.0, 0.0, 2.0]
        );
        assert_eq!(
            numbers_on_board(&COLUMN_DIFFERENCES_SIGNED, &rows),
            [3.0, -2.0, 0.0, -2.0]
        );
        assert_eq!(on_board(&BUMPINESS, &rows), 7.0);
        assert_eq!(on_board(&BUMPINESS_CIRCULAR, &rows), 8.0);
        // Both edge columns are lower than their neighbours, by 3 and by 2.
        assert_eq!(on_board(&VARIATION, &rows), 12.0);
    }

    #[test]
    fn a_higher_edge_column_counts_once() {
        let rows = board(&["....", "#...", "#...", "##.."]);
        assert_eq!(on_board(&BUMPINESS, &rows), 3.0);
        assert_eq!(on_board(&VARIATION, &rows), 3.0);
    }
}
