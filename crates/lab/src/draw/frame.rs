//! Positions of a board's cells in a picture.

use super::outline::outline;
use super::paper::Paper;
use tetrolab_core::board::Board;
use tetrolab_core::piece::{Piece, Rotation};

/// The four cells of a piece: row from the bottom, column.
type Cells = [(usize, usize); 4];

/// A board in a picture.
#[derive(Clone, Copy)]
pub(super) struct BoardFrame {
    /// The left and the upper edge.
    pub(super) origin: (usize, usize),
    /// The width of a cell.
    pub(super) cell: usize,
    /// Number of rows drawn: those of the board, and those above it that a placement reaches.
    pub(super) rows: usize,
}

impl BoardFrame {
    /// The left and the upper edge of a cell.
    pub(super) fn corner(&self, (row, column): (usize, usize)) -> (usize, usize) {
        let (x, y) = self.origin;
        (
            x + column * self.cell,
            y + (self.rows - 1 - row) * self.cell,
        )
    }

    /// The board with its settled stack.
    pub(super) fn settled(&self, paper: &mut Paper, board: &Board) {
        let (width, height) = (board.width() * self.cell, board.height() * self.cell);
        paper.well(self.corner((board.height() - 1, 0)), (width, height));
        for row in 0..board.height() {
            for column in 0..board.width() {
                let kind = if board.is_filled(row, column) {
                    "settled"
                } else {
                    "empty"
                };
                paper.cell(kind, self.corner((row, column)), self.cell);
            }
        }
    }

    /// Draws a placed piece.
    pub(super) fn placed(&self, paper: &mut Paper, piece: Piece, cells: &Cells) {
        for &cell in cells {
            paper.cell(&format!("piece {piece}"), self.corner(cell), self.cell);
        }
    }

    /// Draws a possible placement as an outline with this inset.
    pub(super) fn outlined(&self, paper: &mut Paper, piece: Piece, cells: &Cells, inset: f64) {
        let (x, y) = self.origin;
        let corner = |(row, column): (usize, usize)| {
            (x + column * self.cell, y + (self.rows - row) * self.cell)
        };
        paper.outline(&outline(cells, inset, corner), piece);
    }
}

/// Draws a piece next to a board, as it enters.
pub(super) fn small_piece(paper: &mut Paper, at: (usize, usize), piece: Piece, size: usize) {
    let shape = piece.shape(Rotation::North);
    for (row, column) in shape.cells() {
        let corner = (at.0 + column * size, at.1 + (shape.height - 1 - row) * size);
        paper.cell(&format!("piece {piece}"), corner, size);
    }
}
