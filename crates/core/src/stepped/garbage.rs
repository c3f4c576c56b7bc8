//! Garbage: rows that rise from below.

use crate::board::Board;

/// Lifts the stack by a row that is full except for one column.
pub(super) fn raise(board: &Board, hole: usize) -> Board {
    let rows = board.height() + crate::rotation::ROWS_ABOVE;
    let mut raised = Board::new(board.width(), board.height()).unwrap_or(*board);
    for (column, &cells) in board.columns().iter().enumerate() {
        let lifted = cells << 1 | u64::from(column != hole);
        for row in (0..rows).filter(|row| lifted >> row & 1 == 1) {
            raised.fill(row, column);
        }
    }
    raised
}
