//! Diversity: the number of different patterns on the board. Three papers define it differently.

use super::Feature;
use super::local::{At, BoardCounts, Column, Fold};
use super::marks::{Grid, Marked};
use crate::outcomes::Step;
use crate::simd::{Word, WordNumber};

pub(super) const DIVERSITY: Feature = Feature::fold::<SmallSteps>(
    "diversity",
    "number of values among -2, -1, 0, 1, 2 that occur as height differences of neighbouring columns",
    "Thiery and Scherrer 2009; MDPTetris, feature -14; Gabillon, Ghavamzadeh and Scherrer 2013",
)
.marking(|step| Marked::after(step, Grid::is_surface).looked_at());

pub(super) const DIVERSITY_ROWS: Feature = Feature::step(
    "diversity_rows",
    "number of different rows below the height of the highest column",
    "thesis Tab 2 no. 31 as worded there",
    different_rows,
)
.marking(|step| {
    Marked::after(step, |grid, row, _| {
        let pattern = |row| (0..grid.width()).map(move |column| grid.filled(row, column));
        let is_new = (0..row).all(|other| pattern(other).ne(pattern(row)));
        grid.share_of_row(is_new && row < grid.highest())
    })
});

pub(super) const DIVERSITY_COLUMNS: Feature = Feature::step(
    "diversity_columns",
    "number of different cell-by-cell differences between neighbouring columns",
    "CogWorks' variant of thesis Tab 2 no. 31",
    different_columns,
)
.marking(|step| Marked::after(step, |grid, row, column| row < grid.top(column)).looked_at());

/// A bit for each difference, the lowest for -2; other differences have other bits, or none.
struct SmallSteps;

impl Fold for SmallSteps {
    type Part<W: Word> = W;
    const REACH: [usize; 2] = [0, 1];
    const FIRST: usize = 1;

    #[inline(always)]
    fn nothing<W: Word>() -> W {
        W::bits(0)
    }

    #[inline(always)]
    fn part<W: Word>(left: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W {
        W::bits(1).up_by(own.top - left.top + W::Num::splat(2))
    }

    #[inline(always)]
    fn join<W: Word>(left: W, right: W) -> W {
        left | right
    }

    #[inline(always)]
    fn value<W: Word>(seen: W, _: &BoardCounts<W>) -> W::Num {
        (seen & W::bits(0b11111)).count()
    }
}

fn different_rows(step: &Step<'_>) -> f64 {
    let columns = step.after.board.columns();
    let rows = 0..u32::from(step.after.max_height());
    let bits = |row: u32| {
        columns
            .iter()
            .fold(0u32, |bits, &column| bits << 1 | (column >> row & 1) as u32)
    };
    different(rows.map(bits).collect())
}

fn different_columns(step: &Step<'_>) -> f64 {
    let columns = step.after.board.columns();
    let pattern = |pair: &[u64]| (pair[0] & !pair[1], pair[1] & !pair[0]);
    different(columns.windows(2).map(pattern).collect())
}

fn different<T: Ord>(mut patterns: Vec<T>) -> f64 {
    patterns.sort_unstable();
    patterns.dedup();
    patterns.len() as f64
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, on_board};
    use super::*;

    #[test]
    fn a_worked_board() {
        // Heights 1, 4, 2, 2, 0: differences 3, -2, 0, -2.
        let rows = board(&[".#...", ".#...", ".###.", "####."]);
        assert_eq!(on_board(&DIVERSITY, &rows), 2.0);
        assert_eq!(on_board(&DIVERSITY_ROWS, &rows), 3.0);
        // Columns 1-2 differ in rows 1-3 (right), 2-3 in rows 2-3 (left), 3-4 nowhere, 4-5 in rows
        // 0-1 (left).
        assert_eq!(on_board(&DIVERSITY_COLUMNS, &rows), 4.0);
    }

    #[test]
    fn all_five_small_steps() {
        // Heights 0, 2, 1, 1, 2, 0.
        let rows = board(&["......", "......", ".#..#.", ".####."]);
        assert_eq!(on_board(&DIVERSITY, &rows), 5.0);
    }
}
