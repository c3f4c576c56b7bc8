//! The highest hole, and what stands above it.

use super::Feature;
use super::local::RowUnion;
use crate::board::{column_height, column_holes};
use crate::outcomes::Step;

pub(super) const HIGHEST_HOLE: Feature = Feature::union::<HighestHole>(
    "highest_hole",
    "row of the highest hole, the bottom row being 1; 0 without holes",
    "Romero, Tomes and Yusiong 2011; thesis Tab 2 no. 23",
);

pub(super) const CELLS_ABOVE_HIGHEST_HOLE: Feature = Feature::step(
    "cells_above_highest_hole",
    "filled cells in the rows above the row of the highest hole; 0 without holes",
    "Romero, Tomes and Yusiong 2011; thesis Tab 2 no. 24",
    cells_above,
);

pub(super) const CELLS_ABOVE_HIGHEST_HOLE_IN_COLUMN: Feature = Feature::step(
    "cells_above_highest_hole_in_column",
    "filled cells above the highest hole in its column, the most of them where several columns share it; 0 without holes",
    "variant of thesis Tab 2 no. 24",
    |step| over_columns_of_highest(step, |own, row| f64::from((own >> row).count_ones())),
);

pub(super) const HIGHEST_HOLE_COLUMN_HEIGHT: Feature = Feature::step(
    "highest_hole_column_height",
    "height of the column of the highest hole, the highest of them where several columns share it; 0 without holes",
    "Misakamm 2026 (tetr-ai)",
    |step| over_columns_of_highest(step, |own, _| column_height(own) as f64),
);

pub(super) const POTENTIAL_ROWS: Feature = Feature::step(
    "potential_rows",
    "rows above the highest hole with at most 2 empty cells; 0 without holes",
    "Romero, Tomes and Yusiong 2011; thesis Tab 2 no. 25",
    |step| potential_rows(step, 2),
);

pub(super) const POTENTIAL_ROWS_1: Feature = Feature::step(
    "potential_rows_1",
    "rows above the highest hole with at most 1 empty cell; 0 without holes",
    "Harmonomino's reading of thesis Tab 2 no. 25",
    |step| potential_rows(step, 1),
);

/// The row of the highest hole, if there is one.
fn highest(step: &Step<'_>) -> Option<usize> {
    let columns = step.after.board.columns();
    let holes = columns
        .iter()
        .fold(0, |rows, &own| rows | column_holes(own));
    column_height(holes).checked_sub(1)
}

fn cells_above(step: &Step<'_>) -> f64 {
    let Some(row) = highest(step) else { return 0.0 };
    let cells = |&own: &u64| (own >> row >> 1).count_ones();
    f64::from(step.after.board.columns().iter().map(cells).sum::<u32>())
}

fn over_columns_of_highest(step: &Step<'_>, measure: fn(u64, usize) -> f64) -> f64 {
    let Some(row) = highest(step) else { return 0.0 };
    let columns = step.after.board.columns().iter().copied();
    columns
        .filter(|&own| column_holes(own) >> row & 1 == 1)
        .map(|own| measure(own, row))
        .fold(0.0, f64::max)
}

fn potential_rows(step: &Step<'_>, empty: usize) -> f64 {
    let Some(highest) = highest(step) else {
        return 0.0;
    };
    let columns = step.after.board.columns();
    let empty_cells = |row: usize| columns.iter().filter(|&&own| own >> row & 1 == 0).count();
    let rows = highest + 1..usize::from(step.after.max_height());
    rows.filter(|&row| empty_cells(row) <= empty).count() as f64
}

struct HighestHole;

impl RowUnion for HighestHole {
    fn rows(own: u64, _: usize) -> u64 {
        column_holes(own)
    }

    fn value(rows: u64, _: usize) -> f64 {
        column_height(rows) as f64
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
