//! Rows with holes.

use super::Feature;
use super::local::{Column, RowUnion};
use super::marks::Marked;
use crate::simd::Word;

pub(super) const ROWS_WITH_HOLES: Feature = Feature::union::<RowsWithHoles>(
    "rows_with_holes",
    "rows that have at least one hole",
    "Thiery and Scherrer 2009; MDPTetris, feature -2; thesis Tab 2 no. 29",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        let holes = (0..grid.width()).filter(|&column| grid.is_hole(row, column));
        f64::from(grid.is_hole(row, column)) / holes.count().max(1) as f64
    })
});

pub(super) struct RowsWithHoles;

impl RowUnion for RowsWithHoles {
    #[inline(always)]
    fn rows<W: Word>(own: Column<W>) -> W {
        own.holes()
    }

    #[inline(always)]
    fn value<W: Word>(rows: W, _: usize) -> W::Num {
        rows.count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, on_board};
    use super::*;

    #[test]
    fn two_holes_in_one_row_count_once() {
        // Holes in row 0 (columns 0 and 2) and row 1 (column 2); column 3 is open.
        let rows = board(&["....", "..#.", "##..", ".#.."]);
        assert_eq!(on_board(&ROWS_WITH_HOLES, &rows), 2.0);
    }
}
