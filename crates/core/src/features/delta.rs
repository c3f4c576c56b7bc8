//! Changes: what a feature is after the placement minus what it was before.

use super::Feature;
use super::bumpiness::bumpiness;
use crate::board::column_holes;
use crate::outcomes::Step;
use crate::placement::Surface;

const SOURCE: &str = "Lagoudakis, Parr and Littman 2002 (LSPI)";

pub(super) const DELTA_HOLES: Feature = Feature::change(
    "delta_holes",
    "holes after the placement minus holes before it",
    SOURCE,
    |step| change(step, holes),
);

pub(super) const DELTA_MAX_HEIGHT: Feature = Feature::change(
    "delta_max_height",
    "height of the highest column after the placement minus the same before it",
    SOURCE,
    |step| change(step, |surface| i32::from(surface.max_height())),
);

pub(super) const DELTA_BUMPINESS: Feature = Feature::change(
    "delta_bumpiness",
    "bumpiness after the placement minus bumpiness before it",
    SOURCE,
    |step| change(step, bumpiness),
);

pub(super) const DELTA_MEAN_HEIGHT: Feature = Feature::change(
    "delta_mean_height",
    "mean height after the placement minus mean height before it",
    SOURCE,
    |step| {
        change(step, |surface| surface.total_height() as i32) / step.after.heights().len() as f64
    },
);

fn change(step: &Step<'_>, measure: fn(&Surface) -> i32) -> f64 {
    f64::from(measure(step.after) - measure(step.before))
}

fn holes(surface: &Surface) -> i32 {
    let count = |&column: &u64| column_holes(column).count_ones() as i32;
    surface.board.columns().iter().map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{drop_at, value};
    use super::*;
    use crate::piece::Piece::O;

    #[test]
    fn a_square_that_covers_a_hole() {
        let rows = ["....", "....", "....", "#..."];
        let covering = drop_at(&rows, O, &[(1, 0), (1, 1), (2, 0), (2, 1)]);
        assert_eq!(value(&DELTA_HOLES, &covering), 1.0);
        assert_eq!(value(&DELTA_MAX_HEIGHT, &covering), 2.0);
        assert_eq!(value(&DELTA_BUMPINESS, &covering), 2.0);
        assert_eq!(value(&DELTA_MEAN_HEIGHT, &covering), 5.0 / 4.0);
    }

    #[test]
    fn a_square_that_clears_two_lines() {
        let rows = ["....", "...#", "..##", "..##"];
        let clearing = drop_at(&rows, O, &[(0, 0), (0, 1), (1, 0), (1, 1)]);
        assert_eq!(value(&DELTA_HOLES, &clearing), 0.0);
        assert_eq!(value(&DELTA_MAX_HEIGHT, &clearing), -2.0);
        assert_eq!(value(&DELTA_BUMPINESS, &clearing), -2.0);
        assert_eq!(value(&DELTA_MEAN_HEIGHT, &clearing), -1.0);
    }
}
