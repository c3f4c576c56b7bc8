//! Wells: empty cells between two filled neighbours, and how deep they go. Walls are filled.

use super::Feature;
use super::local::{At, ColumnTerm};
use crate::board::column_height;

pub(super) const WELL_SUMS: Feature = Feature::columns::<WellSums>(
    "well_sums",
    "for every empty cell with both side neighbours filled (walls filled): 1 + the empty cells directly below it",
    "Dellacherie 2003; MDPTetris, feature 6; GameAI-NJUPT 2026 (RV-CE); thesis Tab 2 no. 16",
);

pub(super) const WELL_SUMS_FAST: Feature = Feature::columns::<WellSumsFast>(
    "well_sums_fast",
    "1 + 2 + ... + n for each run of n empty cells downwards from an empty cell with both side neighbours filled",
    "MDPTetris, feature -6; Gabillon, Ghavamzadeh and Scherrer 2013",
);

pub(super) const WELL_SUMS_STREAK: Feature = Feature::columns::<WellSumsStreak>(
    "well_sums_streak",
    "1 + 2 + ... + n for each vertical run of n empty cells that all have both side neighbours filled",
    "Lichtenberg and Şimşek 2019 (stew); variant of thesis Tab 2 no. 16",
);

pub(super) const WELL_CELLS: Feature = Feature::columns::<WellCells>(
    "well_cells",
    "cells in runs of empty cells downwards from an empty cell with both side neighbours filled",
    "MDPTetris, feature 12",
);

pub(super) const WELL_CELLS_BETWEEN: Feature = Feature::columns::<WellCellsBetween>(
    "well_cells_between",
    "empty cells with both side neighbours filled",
    "variant of thesis Tab 2 no. 12",
);

pub(super) const WELL_CELLS_OPEN: Feature = Feature::columns::<WellCellsOpen>(
    "well_cells_open",
    "empty cells with both side neighbours filled and an empty cell directly above",
    "thesis Tab 2 no. 12",
);

/// The cells of a column that lie between two filled neighbours.
fn between(left: u64, own: u64, right: u64) -> u64 {
    left & right & !own
}

/// For each run of empty cells, calls `add` with its length from its topmost cell between filled neighbours down.
fn each_run(left: u64, own: u64, right: u64, mut add: impl FnMut(i32)) {
    let mut cells = between(left, own, right);
    while cells != 0 {
        let above = column_height(cells);
        let bottom = column_height(own & ((1 << above) - 1));
        add((above - bottom) as i32);
        cells &= (1 << bottom) - 1;
    }
}

pub(super) struct WellSums;

impl ColumnTerm for WellSums {
    const NEIGHBOURS: bool = true;

    #[inline]
    fn term(left: u64, own: u64, right: u64, at: At) -> i32 {
        let cells = between(left, own, right);
        // Most wells are open and shallow: their cells lie just above the top of the column, which is all that
        // lies below them. No branch on whether there are any: that guess would often be wrong.
        let above = cells >> (at.top & 63);
        if above << (at.top & 63) == cells && above < 256 {
            i32::from(SUMS_FROM_ONE[above as usize])
        } else {
            cell_by_cell(cells, own)
        }
    }
}

/// For every set of rows 0 to 7: the sum of (row + 1).
const SUMS_FROM_ONE: [u8; 256] = {
    let mut sums = [0; 256];
    let mut rows: usize = 1;
    while rows < 256 {
        let lowest = rows & rows.wrapping_neg();
        sums[rows] = sums[rows - lowest] + lowest.trailing_zeros() as u8 + 1;
        rows += 1;
    }
    sums
};

fn cell_by_cell(mut cells: u64, own: u64) -> i32 {
    let mut sum = 0;
    while cells != 0 {
        let row = cells.trailing_zeros();
        let below = own & ((1 << row) - 1);
        sum += row as i32 + 1 - column_height(below) as i32;
        cells &= cells - 1;
    }
    sum
}

struct WellSumsFast;

impl ColumnTerm for WellSumsFast {
    const NEIGHBOURS: bool = true;

    fn term(left: u64, own: u64, right: u64, _: At) -> i32 {
        let mut sum = 0;
        each_run(left, own, right, |length| sum += length * (length + 1) / 2);
        sum
    }
}

struct WellSumsStreak;

impl ColumnTerm for WellSumsStreak {
    const NEIGHBOURS: bool = true;

    fn term(left: u64, own: u64, right: u64, _: At) -> i32 {
        // A run of n cells loses one cell at each turn, so that it is counted n + (n - 1) + ... + 1 times.
        let mut cells = between(left, own, right);
        let mut sum = 0;
        while cells != 0 {
            sum += cells.count_ones() as i32;
            cells &= cells >> 1;
        }
        sum
    }
}

struct WellCells;

impl ColumnTerm for WellCells {
    const NEIGHBOURS: bool = true;

    fn term(left: u64, own: u64, right: u64, _: At) -> i32 {
        let mut sum = 0;
        each_run(left, own, right, |length| sum += length);
        sum
    }
}

struct WellCellsBetween;

impl ColumnTerm for WellCellsBetween {
    const NEIGHBOURS: bool = true;

    fn term(left: u64, own: u64, right: u64, _: At) -> i32 {
        between(left, own, right).count_ones() as i32
    }
}

struct WellCellsOpen;

impl ColumnTerm for WellCellsOpen {
    const NEIGHBOURS: bool = true;

    fn term(left: u64, own: u64, right: u64, _: At) -> i32 {
        (between(left, own, right) & !(own >> 1)).count_ones() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{LITERATURE_BOARD, board, on_board};
    use super::*;

    #[test]
    fn the_reference_simulators_own_example() {
        let rows = board(&LITERATURE_BOARD);
        // Column 0: rows 3 and 4; column 2: row 5; column 1: row 0; column 6: rows 0, 1, 3, 4.
        assert_eq!(on_board(&WELL_SUMS, &rows), 20.0);
        assert_eq!(on_board(&WELL_SUMS_FAST, &rows), 23.0);
    }

    #[test]
    fn cells_of_the_same_board() {
        let rows = board(&LITERATURE_BOARD);
        // Column 0: 4, 3, 2; column 1: 0; column 2: 5; column 6: 4, 3, 1, 0, and row 2 by running down.
        assert_eq!(on_board(&WELL_CELLS_BETWEEN, &rows), 3.0 + 1.0 + 1.0 + 4.0);
        assert_eq!(on_board(&WELL_CELLS, &rows), 3.0 + 1.0 + 1.0 + 5.0);
        assert_eq!(
            on_board(&WELL_SUMS_STREAK, &rows),
            6.0 + 1.0 + 1.0 + 3.0 + 3.0
        );
        // None of them has a filled cell directly above.
        assert_eq!(on_board(&WELL_CELLS_OPEN, &rows), 3.0 + 1.0 + 1.0 + 4.0);
    }

    #[test]
    fn a_covered_well_is_a_well_but_not_open() {
        let rows = board(&["....", "###.", "#.#.", "#.#."]);
        // Column 1: rows 0 and 1 under a filled cell; column 3: rows 0 to 2 beside the wall.
        assert_eq!(on_board(&WELL_CELLS_BETWEEN, &rows), 5.0);
        assert_eq!(on_board(&WELL_CELLS_OPEN, &rows), 4.0);
    }
}
