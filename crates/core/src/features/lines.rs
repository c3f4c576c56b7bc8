//! Lines cleared by the move, and in the whole game.

use super::Feature;
use super::local::{At, BoardCounts, Column, Fold};
use super::marks::Marked;
use crate::outcomes::Step;
use crate::placement::{Landing, Transition};
use crate::simd::{Word, WordNumber};

pub(super) const LINES_CLEARED: Feature = Feature::landing(
    "lines_cleared",
    "lines that the placement cleared",
    "MDPTetris, feature 13; thesis Tab 2 no. 10",
    lines,
)
.marking(|step| cleared(step, 1.0));

pub(super) const ANY_LINE: Feature = Feature::landing(
    "any_line",
    "1 if the placement cleared at least one line, else 0",
    "strategies",
    any_line,
)
.marking(|step| cleared(step, f64::from(step.lines().max(1))));

pub(super) const COMPLETE_LINES: Feature = Feature::fold::<CompleteLines>(
    "complete_lines",
    "full rows on the scored board: the lines of the move if rows are not removed first",
    "Lee 2013 (near-perfect)",
)
.marking(|step| {
    Marked::after(step, |grid, row, _| {
        grid.share_of_row(grid.empty_in_row(row) == 0)
    })
});

pub(super) const TOTAL_LINES: Feature = Feature::step(
    "total_lines",
    "lines cleared in the game so far, including those of this placement",
    "thesis Tab 2 no. 34",
    total,
)
.marking(|step| cleared(step, 1.0).looked_at());

fn lines(landing: &Landing) -> f64 {
    f64::from(landing.lines())
}

fn any_line(landing: &Landing) -> f64 {
    f64::from(u8::from(landing.lines() > 0))
}

fn total(step: &Step<'_>) -> f64 {
    (step.lines_before + u64::from(step.landing.lines())) as f64
}

struct CompleteLines;

impl Fold for CompleteLines {
    type Part<W: Word> = ();
    const REACH: [usize; 2] = [0, 0];

    #[inline(always)]
    fn nothing<W: Word>() {}

    #[inline(always)]
    fn part<W: Word>(_: Column<W>, _: Column<W>, _: Column<W>, _: At) {}

    #[inline(always)]
    fn join<W: Word>((): (), (): ()) {}

    #[inline(always)]
    fn value<W: Word>((): (), board: &BoardCounts<W>) -> W::Num {
        // Rarely is a row full.
        if board.full.all_empty() {
            return W::Num::splat(0);
        }
        board.full.count()
    }
}

/// Marks the cells of the cleared rows; `rows` of them contribute one.
fn cleared(step: &Transition, rows: f64) -> Marked {
    Marked::landed(step, |grid, row, _| {
        grid.share_of_row(step.cleared >> row & 1 == 1) / rows
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, drop_at, on_board, value};
    use super::*;
    use crate::piece::Piece::O;
    use crate::placement::Transition;

    #[test]
    fn two_lines_of_a_square() {
        let rows = ["....", "....", "..##", "..##"];
        let clearing = drop_at(&rows, O, &[(0, 0), (0, 1), (1, 0), (1, 1)]);
        assert_eq!(value(&LINES_CLEARED, &clearing), 2.0);
        assert_eq!(value(&ANY_LINE, &clearing), 1.0);
        assert_eq!(value(&COMPLETE_LINES, &clearing), 0.0);
        let later = Transition {
            lines_before: 40,
            ..clearing
        };
        assert_eq!(value(&TOTAL_LINES, &later), 42.0);
    }

    #[test]
    fn no_line() {
        let rows = ["....", "....", "...#", "...#"];
        let other = drop_at(&rows, O, &[(0, 0), (0, 1), (1, 0), (1, 1)]);
        assert_eq!(value(&LINES_CLEARED, &other), 0.0);
        assert_eq!(value(&ANY_LINE, &other), 0.0);
    }

    #[test]
    fn full_rows_not_yet_removed_are_complete_lines() {
        let rows = board(&["....", "####", "#.##", "####"]);
        assert_eq!(on_board(&COMPLETE_LINES, &rows), 2.0);
    }
}
