//! Weighted relative height: the thesis' measure of towers in the middle.

use super::Feature;
use super::local::{At, BoardCounts, Column, Fold, MeasureUnit};
use super::marks::Marked;
use crate::simd::{Word, WordNumber};

pub(super) const WEIGHTED_RELATIVE_HEIGHT: Feature = Feature::fold::<Weighted>(
    "weighted_relative_height",
    "1/W times the sum over columns of u (height - lowest height), u = 1 + columns to the nearer wall",
    "thesis 4.5; it does not print the weights u that grow towards the middle",
)
.in_units(MeasureUnit::PerColumn)
.marking(|step| {
    Marked::after(step, |grid, row, column| {
        let is_counted = row >= grid.lowest() && row < grid.top(column);
        f64::from(is_counted) * (1 + grid.wall_distance(column)) as f64 / grid.width() as f64
    })
});

/// The lowest height, and the weighted sum of all.
struct Weighted;

impl Fold for Weighted {
    type Part<W: Word> = [W::Num; 2];
    const REACH: [usize; 2] = [0, 0];

    #[inline(always)]
    fn nothing<W: Word>() -> [W::Num; 2] {
        [Column::<W>::wall().top, W::Num::splat(0)]
    }

    #[inline(always)]
    fn part<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, at: At) -> [W::Num; 2] {
        [
            own.top,
            own.top * W::Num::splat(1 + at.wall_distance() as i32),
        ]
    }

    #[inline(always)]
    fn join<W: Word>(left: [W::Num; 2], right: [W::Num; 2]) -> [W::Num; 2] {
        [left[0].least(right[0]), left[1] + right[1]]
    }

    #[inline(always)]
    fn value<W: Word>([lowest, sum]: [W::Num; 2], board: &BoardCounts<W>) -> W::Num {
        // 1 + 2 + ... from either wall to the middle.
        let half = (board.width / 2) as i32;
        let weights = (half + 1) * (half + (board.width % 2) as i32);
        sum - lowest * W::Num::splat(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, on_board};
    use super::*;

    #[test]
    fn a_tower_in_the_middle_counts_more_than_one_at_the_wall() {
        let middle = board(&["..#..", "..#..", "..#..", "#####"]);
        assert_eq!(on_board(&WEIGHTED_RELATIVE_HEIGHT, &middle), 9.0 / 5.0);
        let wall = board(&["#....", "#....", "#....", "#####"]);
        assert_eq!(on_board(&WEIGHTED_RELATIVE_HEIGHT, &wall), 3.0 / 5.0);
    }
}
