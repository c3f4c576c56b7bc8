//! Features of the Misakamm player: how many pieces fit the surface, and a penalty for wells.

use super::Feature;
use super::local::{At, BoardCounts, Column, Fold};
use super::marks::{Grid, Marked};
use crate::simd::{Word, WordNumber};

pub(super) const SHAPE_ADAPTABILITY: Feature = Feature::fold::<Adaptability>(
    "shape_adaptability",
    "for each of J, L, O, S, T, Z: 0, 4 or 6 if a rotation or its mirror image fits the surface nowhere, in one position, or in more",
    "Misakamm 2026 (tetr-ai)",
)
.marking(|step| Marked::after(step, Grid::is_surface).looked_at());

pub(super) const MISAKAMM_WELLS: Feature = Feature::fold::<Wells>(
    "misakamm_wells",
    "5 (2 sum - max) of the penalties for open wells, with walls H high: 35.2, 176, then 99 + (depth-2)(401 + 132, 88, 88, 0 from the wall)",
    "Misakamm 2026 (tetr-ai)",
)
.marking(|step| {
    let is_in_well = |grid: &Grid, row, column| {
        let [left, right] = grid.neighbour_tops(column).map(|top| top.min(grid.height()));
        grid.is_between_tops(row, column, left.min(right))
    };
    Marked::after(step, is_in_well).looked_at()
});

const O: u64 = 1;
const S: u64 = 2;
const Z: u64 = 4;
const T: u64 = 8;
const J: u64 = 16;
const L: u64 = 32;

/// For each piece, whether a rotation or its mirror image fits two columns that differ by 0, 1 or
/// 2; eight bits each.
const FIT_RISE: u64 = (O | J | L) | (S | Z | T) << 8 | (J | L) << 16;

/// Like [`FIT_RISE`], for three columns that rise by `a` and `b`, each -1, 0 or 1, by the magnitude
/// of 3 a + b.
const FIT_RISES: u64 = (T | J | L) | (S | J) << 8 | T << 16 | (Z | L) << 24;

/// The eight bits with this index; none beyond the last.
#[inline(always)]
fn bits_of<W: Word>(all: u64, number: W::Num) -> W {
    W::bits(all).down_by(W::Num::splat(8) * number) & W::bits(255)
}

/// The pieces that fit some columns in at least one position, and those that fit in at least two.
struct Adaptability;

impl Fold for Adaptability {
    type Part<W: Word> = [W; 2];
    const REACH: [usize; 2] = [1, 1];

    #[inline(always)]
    fn nothing<W: Word>() -> [W; 2] {
        [W::bits(0); 2]
    }

    /// The column with its left neighbour is one position, and the column with both neighbours
    /// another. No piece fits a height difference to a wall.
    #[inline(always)]
    fn part<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, _: At) -> [W; 2] {
        let (a, b) = (own.top - left.top, right.top - own.top);
        let two: W = bits_of(FIT_RISE, a.magnitude());
        let is_steep = a.magnitude().most(b.magnitude()).above(W::Num::splat(1));
        let number = (a + a + a + b).magnitude();
        let three: W = bits_of(FIT_RISES, is_steep.pick(W::Num::splat(4), number));
        [two | three, two & three]
    }

    #[inline(always)]
    fn join<W: Word>(left: [W; 2], right: [W; 2]) -> [W; 2] {
        [
            left[0] | right[0],
            left[1] | right[1] | (left[0] & right[0]),
        ]
    }

    #[inline(always)]
    fn value<W: Word>([once, twice]: [W; 2], _: &BoardCounts<W>) -> W::Num {
        let (once, twice) = (once.count(), twice.count());
        once + once + once + once + twice + twice
    }
}

/// The sum of the penalties for wells, and the highest penalty.
struct Wells;

impl Fold for Wells {
    type Part<W: Word> = [W::Num; 2];
    const REACH: [usize; 2] = [1, 1];

    #[inline(always)]
    fn nothing<W: Word>() -> [W::Num; 2] {
        [W::Num::splat(0); 2]
    }

    #[inline(always)]
    fn part<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, at: At) -> [W::Num; 2] {
        // Unlike elsewhere, walls are only as high as the board.
        let wall = W::Num::splat(at.height as i32);
        let left = if at.column == 0 { wall } else { left.top };
        let right = if at.column + 1 == at.width {
            wall
        } else {
            right.top
        };
        let depth = left.least(right) - own.top;
        [five_times_price(depth, at.wall_distance()); 2]
    }

    #[inline(always)]
    fn join<W: Word>(left: [W::Num; 2], right: [W::Num; 2]) -> [W::Num; 2] {
        [left[0] + right[0], left[1].most(right[1])]
    }

    #[inline(always)]
    fn value<W: Word>([sum, most]: [W::Num; 2], _: &BoardCounts<W>) -> W::Num {
        sum + sum - most
    }
}

/// Five times the penalty for an open well: 35.2, 176, then 99 + (depth - 2) (401 + 132, 88, 88 or
/// 0).
#[inline(always)]
fn five_times_price<N: WordNumber>(depth: N, wall_distance: usize) -> N {
    let beside_wall = [132, 88, 88].get(wall_distance).copied().unwrap_or(0);
    let (one, two) = (N::splat(1), N::splat(2));
    let deep = N::splat(5 * 99) + (depth - two) * N::splat(5 * (401 + beside_wall));
    let shallow = N::splat(176).only_if(depth.equal(one)) + N::splat(880).only_if(depth.equal(two));
    shallow + deep.only_if(depth.above(two))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, on_board};
    use super::*;
    use crate::piece::Piece;

    #[test]
    fn the_tables_of_fits_are_those_of_the_shapes() {
        let pieces = [Piece::O, Piece::S, Piece::Z, Piece::T, Piece::J, Piece::L];
        let (mut rise_fits, mut rises_fit) = ([0; 5], [[0; 3]; 3]);
        for (bit, piece) in pieces.into_iter().enumerate() {
            for shape in piece.shapes() {
                let rise = |j: usize| i32::from(shape.bottoms[j + 1]) - i32::from(shape.bottoms[j]);
                for mirror in [1, -1] {
                    if shape.width == 2 {
                        rise_fits[(2 + mirror * rise(0)) as usize] |= 1 << bit;
                    } else {
                        let (a, b) = (1 + mirror * rise(0), 1 + mirror * rise(1));
                        rises_fit[a as usize][b as usize] |= 1 << bit;
                    }
                }
            }
        }
        for rise in -2..=2i32 {
            let own: u64 = bits_of(FIT_RISE, rise.abs());
            assert_eq!(own, rise_fits[(2 + rise) as usize]);
        }
        for (a, b) in (0..9).map(|pair| (pair / 3 - 1, pair % 3 - 1)) {
            let own: u64 = bits_of(FIT_RISES, i32::abs(3 * a + b));
            assert_eq!(own, rises_fit[(a + 1) as usize][(b + 1) as usize]);
        }
    }

    #[test]
    fn the_empty_board_takes_all_but_s_and_z_well() {
        let rows = board(&["....", "....", "....", "...."]);
        // O, T (two flat positions), J and L: 6 each; S and Z nothing.
        assert_eq!(on_board(&SHAPE_ADAPTABILITY, &rows), 24.0);
    }

    #[test]
    fn one_place_gives_four() {
        // Rises 3, -3, 1: one position each for S, Z and T, none for O, J and L.
        let rows = board(&["....", ".#..", ".#..", ".#.#"]);
        assert_eq!(on_board(&SHAPE_ADAPTABILITY, &rows), 12.0);
    }

    #[test]
    fn prices_of_wells() {
        // Heights 3, 0, 3, 4, 3, 4, 2, 4 on a board 5 high: depths 0 (the neighbour is lower), 3,
        // 0, 0, 1, 0, 2, 0.
        let rows = board(&[
            "........", //
            "...#.#.#", "#.####.#", "#.######", "#.######",
        ]);
        let (deep, small, two) = (5 * (99 + 401 + 88), 176, 880);
        let expected = 2 * (deep + small + two) - deep;
        assert_eq!(on_board(&MISAKAMM_WELLS, &rows), f64::from(expected));
    }

    #[test]
    fn a_well_beside_the_wall_costs_more() {
        let rows = board(&["....", ".###", ".###", ".###"]);
        assert_eq!(
            on_board(&MISAKAMM_WELLS, &rows),
            f64::from(5 * (99 + 401 + 132))
        );
    }
}
