//! The Misakamm player's own features: how well the surface takes pieces, and its price for wells.

use super::Feature;
use super::local::{BoardTerm, Columns};
use crate::simd::{Word, WordNumber};

pub(super) const SHAPE_ADAPTABILITY: Feature = Feature::board::<Adaptability>(
    "shape_adaptability",
    "for each of J, L, O, S, T, Z: 0, 4 or 6 if none, one or more places of the surface fit a rotation or its mirror image",
    "Misakamm 2026 (tetr-ai)",
);

pub(super) const MISAKAMM_WELLS: Feature = Feature::board::<Wells>(
    "misakamm_wells",
    "5 (2 sum - max) of the prices of open wells, walls H high: 35.2, 176, then 99 + (depth-2)(401 + 132, 88, 88, 0 from the wall)",
    "Misakamm 2026 (tetr-ai)",
);

const O: u64 = 1;
const S: u64 = 2;
const Z: u64 = 4;
const T: u64 = 8;
const J: u64 = 16;
const L: u64 = 32;

/// The pieces of which a rotation, or its mirror image, fits two columns: the second is 2 lower, ..., 2
/// higher than the first.
const FIT_RISE: [u64; 5] = [J | L, S | Z | T, O | J | L, S | Z | T, J | L];

/// The same for three columns: the second and the third are each 1 lower, level or 1 higher than the one
/// before.
const FIT_RISES: [[u64; 3]; 3] = [[0, Z | L, T], [S | J, T | J | L, S | J], [T, Z | L, 0]];

/// Rows of six bits side by side, the first in the lowest bits.
const fn packed(rows: &[u64]) -> u64 {
    let (mut all, mut row) = (0, 0);
    while row < rows.len() {
        all |= rows[row] << (6 * row);
        row += 1;
    }
    all
}

/// The row with this number; empty if the number is out of range.
#[inline(always)]
fn row_of<W: Word>(rows: u64, number: W::Num) -> W {
    W::bits(rows).down_by(W::Num::splat(6) * number) & W::bits(63)
}

/// The pieces that fit a rise of two columns.
#[inline(always)]
fn fit_rise<W: Word>(rise: W::Num) -> W {
    row_of(const { packed(&FIT_RISE) }, rise + W::Num::splat(2))
}

/// The pieces that fit two rises of three columns.
#[inline(always)]
fn fit_rises<W: Word>(first: W::Num, second: W::Num) -> W {
    let mut pieces = W::bits(0);
    for (index, fitting) in FIT_RISES.iter().enumerate() {
        let is_first = first.equal(W::Num::splat(index as i32 - 1));
        let fitting: W = row_of(packed(fitting), second + W::Num::splat(1));
        pieces = pieces | fitting.only_if(is_first);
    }
    pieces
}

struct Adaptability;

impl BoardTerm for Adaptability {
    #[inline(always)]
    fn value<W: Word>(board: &Columns<W>) -> W::Num {
        let (mut once, mut twice) = (W::bits(0), W::bits(0));
        // No piece fits the rise before the first column.
        let mut last_rise = W::Num::splat(64);
        for c in 1..board.width {
            let rise = board.own(c).top - board.own(c - 1).top;
            let fitting = [fit_rise::<W>(rise), fit_rises::<W>(last_rise, rise)];
            for pieces in fitting {
                twice = twice | (once & pieces);
                once = once | pieces;
            }
            last_rise = rise;
        }
        W::Num::splat(4) * once.count() + W::Num::splat(2) * twice.count()
    }
}

struct Wells;

impl BoardTerm for Wells {
    #[inline(always)]
    fn value<W: Word>(board: &Columns<W>) -> W::Num {
        let wall = W::Num::splat(board.height as i32);
        let (mut sum, mut most) = (W::Num::splat(0), W::Num::splat(0));
        for c in 0..board.width {
            // Unlike elsewhere, walls are only as high as the board.
            let left = if c == 0 { wall } else { board.left_of(c).top };
            let right = if c + 1 == board.width {
                wall
            } else {
                board.right_of(c).top
            };
            let depth = left.least(right) - board.own(c).top;
            let price = five_times_price(depth, board.at(c).from_wall());
            sum = sum + price;
            most = most.most(price);
        }
        sum + sum - most
    }
}

/// Five times the price of an open well: 35.2, 176, then 99 + (depth - 2) (401 + 132, 88, 88 or 0).
#[inline(always)]
fn five_times_price<N: WordNumber>(depth: N, from_wall: usize) -> N {
    let beside_wall = [132, 88, 88].get(from_wall).copied().unwrap_or(0);
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
        assert_eq!(FIT_RISE, rise_fits);
        assert_eq!(FIT_RISES, rises_fit);
    }

    #[test]
    fn the_empty_board_takes_all_but_s_and_z_well() {
        let rows = board(&["....", "....", "....", "...."]);
        // O, T (two flat places), J and L: 6 each; S and Z nothing.
        assert_eq!(on_board(&SHAPE_ADAPTABILITY, &rows), 24.0);
    }

    #[test]
    fn one_place_gives_four() {
        // Rises 3, -3, 1: one place each for S, Z and T, none for O, J and L.
        let rows = board(&["....", ".#..", ".#..", ".#.#"]);
        assert_eq!(on_board(&SHAPE_ADAPTABILITY, &rows), 12.0);
    }

    #[test]
    fn prices_of_wells() {
        // Heights 3, 0, 3, 4, 3, 4, 2, 4 on a board 5 high: depths 0 (the neighbour is lower), 3, 0, 0, 1, 0, 2, 0.
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
