//! Weighted relative height: the thesis' measure of towers in the middle.

use super::Feature;
use super::heights::extremes;
use super::local::{BoardTerm, Columns, MeasureUnit};
use crate::simd::{Word, WordNumber};

pub(super) const WEIGHTED_RELATIVE_HEIGHT: Feature = Feature::board::<Weighted>(
    "weighted_relative_height",
    "1/W times the sum over columns of u (height - lowest height), u = 1 + columns to the nearer wall",
    "thesis 4.5; it does not print the weights u that grow towards the middle",
)
.in_units(MeasureUnit::PerColumn);

struct Weighted;

impl BoardTerm for Weighted {
    #[inline(always)]
    fn value<W: Word>(board: &Columns<W>) -> W::Num {
        let [_, lowest] = extremes(board);
        let mut sum = W::Num::splat(0);
        for c in 0..board.width {
            let weight = W::Num::splat(1 + board.at(c).from_wall() as i32);
            sum = sum + weight * (board.own(c).top - lowest);
        }
        sum
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
