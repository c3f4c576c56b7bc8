//! Eroded piece cells: the piece's own cells in cleared rows, times the number of these rows.

use super::Feature;
use super::marks::Marked;
use crate::placement::{Landing, Transition};

pub(super) const ERODED_PIECE_CELLS: Feature = Feature::landing(
    "eroded_piece_cells",
    "lines cleared times the number of the piece's cells in them",
    "Dellacherie 2003; MDPTetris, feature 2; thesis Tab 2 no. 28",
    times_lines,
)
.marking(|step| eroded(step, step.lines()));

pub(super) const ERODED_CELLS: Feature = Feature::landing(
    "eroded_cells",
    "number of the piece's cells in the lines it cleared",
    "CogWorks' variant of thesis Tab 2 no. 28",
    alone,
)
.marking(|step| eroded(step, 1));

fn times_lines(landing: &Landing) -> f64 {
    if landing.cleared == 0 {
        return 0.0; // nearly always
    }
    f64::from(landing.lines() * landing.cleared_piece_cells())
}

fn alone(landing: &Landing) -> f64 {
    f64::from(landing.cleared_piece_cells())
}

/// The piece's cells in the lines it clears.
fn eroded(step: &Transition, count: u32) -> Marked {
    Marked::piece(step, |row| {
        f64::from(count) * (step.cleared >> row & 1) as f64
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{drop_at, value};
    use super::*;
    use crate::piece::Piece::I;

    #[test]
    fn three_of_four_cells_in_three_lines() {
        let board = ["....", "....", ".###", ".#.#", ".###", ".###"];
        let bar = drop_at(&board, I, &[(0, 0), (1, 0), (2, 0), (3, 0)]);
        assert_eq!(bar.lines(), 3);
        assert_eq!(value(&ERODED_CELLS, &bar), 3.0);
        assert_eq!(value(&ERODED_PIECE_CELLS, &bar), 9.0);
    }
}
