//! How far the piece falls, and how far below the top it locks.

use super::Feature;
use super::marks::Marked;
use crate::piece::{Piece, Rotation};
use crate::placement::Landing;

pub(super) const PIECE_DISTANCE_TO_TOP: Feature = Feature::landing(
    "piece_distance_to_top",
    "mean distance of the piece's four cells from the top row (0 there, negative above), before rows are removed",
    "Misakamm 2026 (tetr-ai)",
    mean_distance,
)
.marking(|step| {
    let height = step.before.height() as f64;
    Marked::piece(step, |row| (height - 1.0 - row as f64) / 4.0)
});

pub(super) const DROP_DISTANCE: Feature = Feature::landing(
    "drop_distance",
    "rows that the piece's pivot falls from the top row; the pivot is the cell around which the piece turns",
    "xtris 1996 as in Fahey's StandardTetris",
    drop_distance,
)
.marking(|step| Marked::piece(step, |_| 1.0).looked_at());

fn mean_distance(landing: &Landing) -> f64 {
    // A cell in row r of the box is counted once for each of rows 1 to r.
    let rows = |column: &u8| (1..4).map(|r| (column >> r).count_ones()).sum::<u32>();
    let in_box: u32 = landing.shape.columns.iter().map(rows).sum();
    let sum = in_box + 4 * u32::from(landing.y);
    f64::from(landing.board_height) - 1.0 - f64::from(sum) / 4.0
}

fn drop_distance(landing: &Landing) -> f64 {
    let pivot = usize::from(landing.y) + pivot_row(landing);
    f64::from(landing.board_height) - 1.0 - pivot as f64
}

/// The pivot's row in the box: the middle one, rounded up, except for T, J and L with the long side
/// down, which turn around the middle of that side.
fn pivot_row(landing: &Landing) -> usize {
    let long_side_down = landing.shape.rotation == Rotation::North
        && matches!(landing.piece, Piece::T | Piece::J | Piece::L);
    if long_side_down {
        0
    } else {
        landing.shape.height / 2
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{drop_at, value};
    use super::*;
    use crate::piece::Piece::{I, T};

    const BOARD: [&str; 6] = ["....", "....", "....", "....", "....", "...."];

    #[test]
    fn an_upright_bar_on_the_floor() {
        let bar = drop_at(&BOARD, I, &[(0, 0), (1, 0), (2, 0), (3, 0)]);
        assert_eq!(
            value(&PIECE_DISTANCE_TO_TOP, &bar),
            (5.0 + 4.0 + 3.0 + 2.0) / 4.0
        );
        assert_eq!(value(&DROP_DISTANCE, &bar), 3.0);
    }

    #[test]
    fn the_t_turns_around_the_middle_of_its_long_side() {
        let down = drop_at(&BOARD, T, &[(0, 0), (0, 1), (0, 2), (1, 1)]);
        let up = drop_at(&BOARD, T, &[(0, 1), (1, 0), (1, 1), (1, 2)]);
        assert_eq!(value(&DROP_DISTANCE, &down), 5.0);
        assert_eq!(value(&DROP_DISTANCE, &up), 4.0);
        assert_eq!(value(&PIECE_DISTANCE_TO_TOP, &up), 4.25);
    }

    #[test]
    fn cells_above_the_top_row_count_negative() {
        let board = ["#...", "#...", "#...", "#..."];
        let over = drop_at(&board, I, &[(4, 0), (5, 0), (6, 0), (7, 0)]);
        assert!(over.game_over);
        assert_eq!(value(&PIECE_DISTANCE_TO_TOP, &over), -2.5);
    }
}
