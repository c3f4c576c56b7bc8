//! Lee's "near perfect" game.

use super::{End, EndEntry, EndRule};
use crate::board::Board;
use crate::piece::{Piece, Rotation};

impl End {
    /// A piece that cannot enter ends the game.
    pub const ENTRY_BLOCKED: End = End(&ENTRY);
}

pub(super) const ENTRY: EndEntry = EndEntry {
    id: "entry-blocked",
    definition: "the next piece cannot enter in the middle of the two top rows; or a piece locks above the top row, and then clears no line",
    source: "Lee 2013 (near-perfect)",
    settings: &[],
    make: EndRule {
        before_clearing: true,
        rows: 2,
        looks_at_next: true,
        ends_on: |board, next| next.is_some_and(|piece| is_blocked(board, piece)),
    },
};

/// Whether the cells in which `piece` enters are filled: horizontal, in the middle of the two top
/// rows (I in the lower of them), rounded to the left.
fn is_blocked(board: &Board, piece: Piece) -> bool {
    let shape = piece.shape(Rotation::North);
    let x = (board.width() - shape.width) / 2;
    board.overlaps(shape, x, board.height() - 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::PIECES;

    #[test]
    fn every_piece_enters_in_the_middle_of_the_two_top_rows() {
        for piece in PIECES {
            let mut cells = Vec::new();
            for row in 0..8 {
                for column in 0..10 {
                    let mut board = Board::new(10, 8).unwrap();
                    board.fill(row, column);
                    if is_blocked(&board, piece) {
                        cells.push((row, column));
                    }
                }
            }
            let expected: &[_] = match piece {
                Piece::I => &[(6, 3), (6, 4), (6, 5), (6, 6)],
                Piece::O => &[(6, 4), (6, 5), (7, 4), (7, 5)],
                Piece::T => &[(6, 3), (6, 4), (6, 5), (7, 4)],
                Piece::Z => &[(6, 4), (6, 5), (7, 3), (7, 4)],
                Piece::S => &[(6, 3), (6, 4), (7, 4), (7, 5)],
                Piece::J => &[(6, 3), (6, 4), (6, 5), (7, 3)],
                Piece::L => &[(6, 3), (6, 4), (6, 5), (7, 5)],
            };
            assert_eq!(cells, expected, "{piece}");
        }
    }
}
