//! Cells: how much of the board is filled.

use super::Feature;
use super::local::{At, Column, ColumnTerm, MeasureUnit};
use super::marks::{Grid, Marked};
use crate::simd::{Word, WordNumber};

pub(super) const OCCUPIED_CELLS: Feature = Feature::columns::<Occupied>(
    "occupied_cells",
    "filled cells",
    "MDPTetris, feature 10; Böhm, Kókai and Mandl 2005; thesis Tab 2 no. 19",
)
.marking(|step| Marked::after(step, Grid::filled));

pub(super) const WEIGHTED_CELLS: Feature = Feature::columns::<WeightedCells>(
    "weighted_cells",
    "sum over the filled cells of their rows, where the bottom row is 1",
    "MDPTetris, feature 11; Böhm, Kókai and Mandl 2005; thesis Tab 2 no. 20",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        f64::from(grid.filled(row, column)) * (row + 1) as f64
    })
});

pub(super) const FREE_CELLS: Feature = Feature::columns::<Free>(
    "free_cells",
    "W times H minus the filled cells",
    "thesis Tab 2 no. 32",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        row < grid.height() && grid.empty(row, column)
    })
});

pub(super) const BOARD_FILL: Feature = Feature::columns::<Occupied>(
    "board_fill",
    "filled cells in percent of W times H",
    "thesis 4.9",
)
.in_units(MeasureUnit::Percent)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        let all = (grid.width() * grid.height()) as f64;
        f64::from(grid.filled(row, column)) * 100.0 / all
    })
});

struct Occupied;

impl ColumnTerm for Occupied {
    const NEIGHBOURS: bool = false;
    const TALLIES: bool = true;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W::Num {
        own.cells.tally()
    }
}

struct WeightedCells;

impl ColumnTerm for WeightedCells {
    const NEIGHBOURS: bool = false;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W::Num {
        // Row numbers in binary: each digit is 1 in half of the rows.
        const ROWS_WITH_DIGIT: [u64; 6] = [
            0xAAAA_AAAA_AAAA_AAAA,
            0xCCCC_CCCC_CCCC_CCCC,
            0xF0F0_F0F0_F0F0_F0F0,
            0xFF00_FF00_FF00_FF00,
            0xFFFF_0000_FFFF_0000,
            0xFFFF_FFFF_0000_0000,
        ];
        let mut sum = own.cells.count();
        for (digit, rows) in ROWS_WITH_DIGIT.into_iter().enumerate() {
            sum = sum + (own.cells & W::bits(rows)).count() * W::Num::splat(1 << digit);
        }
        sum
    }
}

struct Free;

impl ColumnTerm for Free {
    const NEIGHBOURS: bool = false;

    #[inline(always)]
    fn term<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, at: At) -> W::Num {
        W::Num::splat(at.height as i32) - own.cells.count()
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
