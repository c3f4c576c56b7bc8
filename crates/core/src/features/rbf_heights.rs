//! Radial basis functions of the mean height: a smooth measure of how full the board is, for value
//! functions.

use super::Feature;
use super::heights::mean_height;
use super::marks::{Grid, Marked};
use crate::outcomes::Step;

pub(super) const RBF_HEIGHTS: Feature = Feature::vector(
    "rbf_heights",
    "exp(-(m - i H/4)^2 / (2 (H/5)^2)) for i = 0..4, where m is the mean height: 5 numbers",
    "Gabillon, Ghavamzadeh and Scherrer 2013; Scherrer et al. 2015",
    |_| 5,
    rbf_heights,
)
.marking(|step| Marked::after(step, Grid::is_surface).looked_at());

fn rbf_heights(step: &Step<'_>, numbers: &mut [f64]) {
    let height = step.after.board.height() as f64;
    let mean = mean_height(step.after);
    let width = height / 5.0;
    for (i, number) in numbers.iter_mut().enumerate() {
        let distance = mean - i as f64 * height / 4.0;
        // `libm` computes the same bits on every platform.
        *number = libm::exp(-(distance * distance) / (2.0 * (width * width)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{board, numbers_on_board};
    use super::*;

    #[test]
    fn the_empty_board_is_at_the_first_centre() {
        let numbers = numbers_on_board(&RBF_HEIGHTS, &board(&["....", "....", "....", "...."]));
        assert_eq!(numbers[0], 1.0);
        // One centre is 1 row = 1.25 widths away: exp(-0.78125).
        assert!((numbers[1] - 0.457_833_361_771_614_2).abs() < 1e-15);
        assert!((numbers[4] - libm::exp(-12.5)).abs() < 1e-20);
    }

    #[test]
    fn a_half_full_board_is_at_the_middle_centre() {
        let numbers = numbers_on_board(&RBF_HEIGHTS, &board(&["....", "....", "####", "####"]));
        assert_eq!(numbers[2], 1.0);
        assert_eq!(numbers[1], numbers[3]);
    }
}
