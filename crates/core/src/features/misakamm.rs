//! The Misakamm player's own features: how well the surface takes pieces, and its price for wells.

use super::Feature;
use crate::outcomes::Step;

pub(super) const SHAPE_ADAPTABILITY: Feature = Feature::step(
    "shape_adaptability",
    "for each of J, L, O, S, T, Z: 0, 4 or 6 if none, one or more places of the surface fit a rotation or its mirror image",
    "Misakamm 2026 (tetr-ai)",
    adaptability,
);

pub(super) const MISAKAMM_WELLS: Feature = Feature::step(
    "misakamm_wells",
    "5 (2 sum - max) of the prices of open wells, walls H high: 35.2, 176, then 99 + (depth-2)(401 + 132, 88, 88, 0 from the wall)",
    "Misakamm 2026 (tetr-ai)",
    wells,
);

// Sets of pieces, one bit each. The bar is left out: it fits nearly everywhere.
const O: u8 = 1;
const S: u8 = 2;
const Z: u8 = 4;
const T: u8 = 8;
const J: u8 = 16;
const L: u8 = 32;

/// The pieces with a rotation two wide that fits a rise of -2, -1, 0, 1, 2 between two columns, or its mirror image.
const FIT_RISE: [u8; 5] = [J | L, S | Z | T, O | J | L, S | Z | T, J | L];

/// The same for rotations three wide and two rises of -1, 0, 1 each.
const FIT_RISES: [[u8; 3]; 3] = [[0, Z | L, T], [S | J, T | J | L, S | J], [T, Z | L, 0]];

fn adaptability(step: &Step<'_>) -> f64 {
    let heights = step.after.heights();
    let (mut once, mut twice) = (0, 0);
    let mut found = |pieces: u8| {
        twice |= once & pieces;
        once |= pieces;
    };
    let mut last_rise = i32::MAX;
    for pair in heights.windows(2) {
        let rise = i32::from(pair[1]) - i32::from(pair[0]);
        found(fit_rise(rise));
        found(fit_rises(last_rise, rise));
        last_rise = rise;
    }
    f64::from(4 * once.count_ones() + 2 * twice.count_ones())
}

fn fit_rise(rise: i32) -> u8 {
    if rise.abs() <= 2 {
        FIT_RISE[(rise + 2) as usize]
    } else {
        0
    }
}

fn fit_rises(first: i32, second: i32) -> u8 {
    if first.abs() <= 1 && second.abs() <= 1 {
        FIT_RISES[(first + 1) as usize][(second + 1) as usize]
    } else {
        0
    }
}

fn wells(step: &Step<'_>) -> f64 {
    let heights = step.after.heights();
    let last = heights.len() - 1;
    let wall = step.after.board.height() as i32;
    let height = |c: usize| i32::from(heights[c]);
    let (mut sum, mut most) = (0, 0);
    for c in 0..=last {
        let left = if c == 0 { wall } else { height(c - 1) };
        let right = if c == last { wall } else { height(c + 1) };
        let price = five_times_price(left.min(right) - height(c), c.min(last - c));
        sum += price;
        most = most.max(price);
    }
    f64::from(2 * sum - most)
}

/// Five times the price of a well, which is a whole number.
fn five_times_price(depth: i32, from_wall: usize) -> i32 {
    let beside_wall = [132, 88, 88].get(from_wall).copied().unwrap_or(0);
    match depth {
        ..=0 => 0,
        1 => 176,
        2 => 5 * 176,
        _ => 5 * (99 + (depth - 2) * (401 + beside_wall)),
    }
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
