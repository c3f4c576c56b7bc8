//! Boards and moves for the tests of features.

use super::Feature;
use crate::board::Board;
use crate::outcomes::{DecisionContext, Outcomes};
use crate::piece::{Piece, Rotation};
use crate::placement::{Placement, Transition};

/// The board in the comments of the reference simulator, with known well sums.
pub(super) const LITERATURE_BOARD: [&str; 10] = [
    "........", "........", "...#....", "...##...", ".#.##...", ".#####.#", ".#####.#", "#####..#",
    "...###.#", "#.#..#.#",
];

/// A board drawn with its top row first.
pub(super) fn board(rows: &[&str]) -> Board {
    Board::from_rows(rows[0].len(), rows.len(), rows).unwrap()
}

/// The step in which `piece` locks on `cells` (row from the bottom, column), in the reference game.
pub(super) fn drop_at(rows: &[&str], piece: Piece, cells: &[(usize, usize)]) -> Transition {
    let wanted = Placement::from_cells(piece, cells).expect("the cells of a piece");
    let mut outcomes = Outcomes::default();
    outcomes.generate(&DecisionContext::simple(&board(rows), piece));
    let index = (0..outcomes.len()).find(|&index| outcomes.placement(index) == wanted);
    outcomes.transition(index.expect("a placement where the piece drops"))
}

/// The value of a feature for a step.
pub(super) fn value(feature: &Feature, transition: &Transition) -> f64 {
    feature.values(transition)[0]
}

/// The values of a feature that depends only on the resulting board.
pub(super) fn numbers_on_board(feature: &Feature, board: &Board) -> Vec<f64> {
    feature.values(&Transition {
        before: *board,
        placement: Placement {
            piece: Piece::O,
            rotation: Rotation::North,
            x: 0,
            y: 0,
            spin: crate::placement::Spin::None,
        },
        cleared: 0,
        after: *board,
        game_over: false,
        lines_before: 0,
    })
}

/// The value of a feature that depends only on the resulting board.
pub(super) fn on_board(feature: &Feature, board: &Board) -> f64 {
    numbers_on_board(feature, board)[0]
}
