//! Peaks: columns that are higher than both neighbours.

use super::Feature;
use super::local::{At, Column, ColumnTerm};
use super::marks::Marked;
use crate::simd::{Word, WordNumber};

pub(super) const PEAKS: Feature = Feature::columns::<Peaks>(
    "peaks",
    "columns that are higher than both neighbours; walls count as higher than everything",
    "tutorial",
)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        let [left, right] = grid.neighbour_tops(column);
        row + 1 == grid.top(column) && row + 1 > left.max(right)
    })
});

struct Peaks;

impl ColumnTerm for Peaks {
    const NEIGHBOURS: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, _: At) -> W::Num {
        let is_peak = own.top.above(left.top).only_if(own.top.above(right.top));
        W::Num::splat(1).only_if(is_peak)
    }
}
