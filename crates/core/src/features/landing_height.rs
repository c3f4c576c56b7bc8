//! Landing height of the piece. Papers disagree about which part of the piece is measured.

use super::Feature;
use super::marks::Marked;
use crate::placement::{Landing, Transition};

pub(super) const LANDING_HEIGHT: Feature = Feature::landing(
    "landing_height",
    "row of the middle of the piece's box before rows are removed, where the bottom row is 0",
    "Dellacherie 2003 as in MDPTetris, feature 1; thesis Tab 2 no. 17",
    middle,
)
.marking(looked_at_piece);

pub(super) const LANDING_HEIGHT_TOP: Feature = Feature::landing(
    "landing_height_top",
    "row of the piece's highest cell before rows are removed, where the bottom row is 0",
    "thesis 4.7, \"piece position\"",
    top,
)
.marking(looked_at_piece);

pub(super) const LANDING_HEIGHT_BOTTOM: Feature = Feature::landing(
    "landing_height_bottom",
    "row of the piece's lowest cell before rows are removed, where the bottom row is 0",
    "CogWorks' variant of thesis Tab 2 no. 17",
    bottom,
)
.marking(looked_at_piece);

pub(super) const LANDING_HEIGHT_EL_TETRIS: Feature = Feature::landing(
    "landing_height_el_tetris",
    "rows below the piece's box plus half the height of the box, before rows are removed",
    "El-Ashi 2011 (El-Tetris)",
    el_tetris,
)
.marking(looked_at_piece);

fn middle(landing: &Landing) -> f64 {
    f64::from(landing.y) + (landing.shape.height as f64 - 1.0) / 2.0
}

fn top(landing: &Landing) -> f64 {
    f64::from(landing.y) + landing.shape.height as f64 - 1.0
}

fn bottom(landing: &Landing) -> f64 {
    f64::from(landing.y)
}

fn el_tetris(landing: &Landing) -> f64 {
    f64::from(landing.y) + landing.shape.height as f64 / 2.0
}

fn looked_at_piece(step: &Transition) -> Marked {
    Marked::piece(step, |_| 1.0).looked_at()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{drop_at, value};
    use super::*;
    use crate::piece::Piece::{I, O};

    #[test]
    fn every_variant_measures_its_own_part_of_the_piece() {
        let board = ["....", "....", "....", "....", "....", "##.."];
        let upright = drop_at(&board, I, &[(1, 0), (2, 0), (3, 0), (4, 0)]);
        assert_eq!(value(&LANDING_HEIGHT, &upright), 2.5);
        assert_eq!(value(&LANDING_HEIGHT_TOP, &upright), 4.0);
        assert_eq!(value(&LANDING_HEIGHT_BOTTOM, &upright), 1.0);
        assert_eq!(value(&LANDING_HEIGHT_EL_TETRIS, &upright), 3.0);
    }

    #[test]
    fn the_height_is_that_before_rows_are_removed() {
        let board = ["....", "....", "....", "..##", "..##"];
        let clearing = drop_at(&board, O, &[(0, 0), (0, 1), (1, 0), (1, 1)]);
        assert_eq!(clearing.lines(), 2);
        assert_eq!(value(&LANDING_HEIGHT, &clearing), 0.5);
        assert_eq!(value(&LANDING_HEIGHT_TOP, &clearing), 1.0);
    }
}
