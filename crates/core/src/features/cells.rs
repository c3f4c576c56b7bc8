//! Cells: how much of the board is filled.

use super::Feature;
use super::local::{At, ColumnTerm};
use crate::outcomes::Step;

pub(super) const OCCUPIED_CELLS: Feature = Feature::columns::<Occupied>(
    "occupied_cells",
    "filled cells",
    "MDPTetris, feature 10; Böhm, Kókai and Mandl 2005; thesis Tab 2 no. 19",
);

pub(super) const WEIGHTED_CELLS: Feature = Feature::columns::<WeightedCells>(
    "weighted_cells",
    "sum over the filled cells of their rows, the bottom row being 1",
    "MDPTetris, feature 11; Böhm, Kókai and Mandl 2005; thesis Tab 2 no. 20",
);

pub(super) const FREE_CELLS: Feature = Feature::columns::<Free>(
    "free_cells",
    "W times H minus the filled cells",
    "thesis Tab 2 no. 32",
);

pub(super) const BOARD_FILL: Feature = Feature::step(
    "board_fill",
    "filled cells in percent of W times H",
    "thesis 4.9",
    board_fill,
);

fn board_fill(step: &Step<'_>) -> f64 {
    let board = &step.after.board;
    let filled: u32 = board.columns().iter().map(|own| own.count_ones()).sum();
    100.0 * f64::from(filled) / (board.width() * board.height()) as f64
}

struct Occupied;

impl ColumnTerm for Occupied {
    const NEIGHBOURS: bool = false;

    fn term(_: u64, own: u64, _: u64, _: At) -> i32 {
        own.count_ones() as i32
    }
}

struct WeightedCells;

impl ColumnTerm for WeightedCells {
    const NEIGHBOURS: bool = false;

    fn term(_: u64, own: u64, _: u64, _: At) -> i32 {
        let mut rest = own;
        let mut sum = 0;
        while rest != 0 {
            sum += rest.trailing_zeros() as i32 + 1;
            rest &= rest - 1;
        }
        sum
    }
}

struct Free;

impl ColumnTerm for Free {
    const NEIGHBOURS: bool = false;

    fn term(_: u64, own: u64, _: u64, at: At) -> i32 {
        at.height as i32 - own.count_ones() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, on_board};
    use super::*;

    #[test]
    fn a_worked_board() {
        let rows = board(&["....", "#...", "....", "##.#"]);
        assert_eq!(on_board(&OCCUPIED_CELLS, &rows), 4.0);
        assert_eq!(on_board(&WEIGHTED_CELLS, &rows), 3.0 + 3.0);
        assert_eq!(on_board(&FREE_CELLS, &rows), 12.0);
        assert_eq!(on_board(&BOARD_FILL, &rows), 25.0);
    }
}
