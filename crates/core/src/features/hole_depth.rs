//! Hole depth: what lies on top of holes.

use super::Feature;
use super::local::{At, ColumnTerm};
use crate::board::{column_height, column_holes};
use crate::outcomes::Step;

pub(super) const HOLE_DEPTH: Feature = Feature::columns::<Contiguous>(
    "hole_depth",
    "filled cells in an unbroken vertical run directly above an empty cell, each counted once",
    "Thiery and Scherrer 2009 as in MDPTetris, feature -1; GameAI-NJUPT 2026 (RV-CE); thesis Tab 2 no. 30",
);

pub(super) const HOLE_DEPTH_ALL: Feature = Feature::columns::<All>(
    "hole_depth_all",
    "for every hole, all filled cells above it in its column",
    "Boumaza 2009 as worded there; Romero, Tomes and Yusiong 2011; thesis Tab 2 no. 30 as worded there",
);

pub(super) const MEAN_HOLE_DEPTH: Feature = Feature::step(
    "mean_hole_depth",
    "hole_depth divided by the number of holes; 0 without holes",
    "thesis Tab 2 no. 8",
    |step| mean(step, contiguous),
);

pub(super) const MEAN_HOLE_DEPTH_ALL: Feature = Feature::step(
    "mean_hole_depth_all",
    "filled cells above a hole in its column, on average over the holes; 0 without holes",
    "variant of thesis Tab 2 no. 8",
    |step| mean(step, all_above),
);

pub(super) const MEAN_HOLE_DEPTH_ROWS: Feature = Feature::step(
    "mean_hole_depth_rows",
    "rows from a hole up to the top of its column, on average over the holes; 0 without holes",
    "variant of thesis Tab 2 no. 8",
    |step| mean(step, rows_to_top),
);

fn contiguous(own: u64) -> i32 {
    // Every run of filled cells lies on an empty cell, except the one that stands on the floor: adding one
    // carries through exactly that run. What is left are all filled cells above the lowest empty cell of the
    // column, which is how RV-CE words its hole depth: the two definitions are one feature.
    (own & (own + 1)).count_ones() as i32
}

fn all_above(own: u64) -> i32 {
    over_holes(own, |row| (own >> row).count_ones() as i32)
}

fn rows_to_top(own: u64) -> i32 {
    over_holes(own, |row| column_height(own) as i32 - row as i32)
}

fn over_holes(own: u64, term: impl Fn(u32) -> i32) -> i32 {
    let mut holes = column_holes(own);
    let mut sum = 0;
    while holes != 0 {
        sum += term(holes.trailing_zeros());
        holes &= holes - 1;
    }
    sum
}

fn mean(step: &Step<'_>, depth: fn(u64) -> i32) -> f64 {
    let columns = step.after.board.columns();
    let holes: u32 = columns
        .iter()
        .map(|&own| column_holes(own).count_ones())
        .sum();
    let depths: i32 = columns.iter().map(|&own| depth(own)).sum();
    if holes == 0 {
        0.0
    } else {
        f64::from(depths) / f64::from(holes)
    }
}

pub(super) struct Contiguous;

impl ColumnTerm for Contiguous {
    const NEIGHBOURS: bool = false;

    #[inline]
    fn term(_: u64, own: u64, _: u64, _: At) -> i32 {
        contiguous(own)
    }
}

struct All;

impl ColumnTerm for All {
    const NEIGHBOURS: bool = false;

    fn term(_: u64, own: u64, _: u64, _: At) -> i32 {
        all_above(own)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, on_board};
    use super::*;

    #[test]
    fn a_worked_board() {
        // The first column has holes in rows 1, 2 and 4 under runs of one and two cells; the second none.
        let rows = board(&["#...", "#...", "....", "#...", "....", "....", "##.."]);
        assert_eq!(on_board(&HOLE_DEPTH, &rows), 3.0);
        assert_eq!(on_board(&HOLE_DEPTH_ALL, &rows), 3.0 + 3.0 + 2.0);
        assert_eq!(on_board(&MEAN_HOLE_DEPTH, &rows), 1.0);
        assert_eq!(on_board(&MEAN_HOLE_DEPTH_ALL, &rows), 8.0 / 3.0);
        assert_eq!(
            on_board(&MEAN_HOLE_DEPTH_ROWS, &rows),
            (6.0 + 5.0 + 3.0) / 3.0
        );
    }

    #[test]
    fn it_counts_all_filled_cells_above_the_lowest_empty_cell() {
        for own in 0..1u64 << 12 {
            let lowest_empty = own.trailing_ones();
            let above = (own >> lowest_empty).count_ones() as i32;
            assert_eq!(contiguous(own), above, "{own:b}");
        }
    }

    #[test]
    fn without_holes_all_depths_are_zero() {
        let rows = board(&["....", "....", "#...", "##.#"]);
        for feature in [
            HOLE_DEPTH,
            HOLE_DEPTH_ALL,
            MEAN_HOLE_DEPTH,
            MEAN_HOLE_DEPTH_ALL,
        ] {
            assert_eq!(on_board(&feature, &rows), 0.0, "{}", feature.id);
        }
    }
}
