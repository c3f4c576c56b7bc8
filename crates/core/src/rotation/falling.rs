//! A falling piece.

use crate::board::Board;
use crate::piece::{Piece, Rotation, Shape};
use crate::placement::{Placement, Spin};

/// A piece that has not locked: the lower left corner of its bounding box is at row `y`, column
/// `x`. It may be outside the board; [`Self::fits`] checks that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Falling {
    /// The piece.
    pub piece: Piece,
    /// The rotation of the piece. Equivalent rotations are distinguished, because they turn
    /// differently.
    pub rotation: Rotation,
    /// Leftmost column of the bounding box.
    pub x: i8,
    /// Lowest row of the bounding box.
    pub y: i8,
}

/// The number of rows above a board's top that a falling piece may occupy.
pub const ROWS_ABOVE: usize = 4;

/// Whether a cell is on the board, or in the rows above that a piece may occupy, and is empty.
pub(super) fn is_free(board: &Board, row: i32, column: i32) -> bool {
    let rows = (board.height() + ROWS_ABOVE) as i32;
    let inside = (0..board.width() as i32).contains(&column) && (0..rows).contains(&row);
    inside && !board.is_filled(row as usize, column as usize)
}

impl Falling {
    /// The shape of the piece in its rotation.
    pub fn shape(&self) -> &'static Shape {
        self.piece.shape(self.rotation)
    }

    /// The four cells as (row from the bottom, column).
    pub fn cells(&self) -> [(i32, i32); 4] {
        let mut cells = [(0, 0); 4];
        for (cell, (row, column)) in cells.iter_mut().zip(self.shape().cells()) {
            *cell = (
                row as i32 + i32::from(self.y),
                column as i32 + i32::from(self.x),
            );
        }
        cells
    }

    /// The piece moved by columns to the right and rows up.
    #[must_use]
    pub fn moved(self, dx: i8, dy: i8) -> Falling {
        Falling {
            x: self.x + dx,
            y: self.y + dy,
            ..self
        }
    }

    /// Whether all cells of the piece are free: on the board or in the few rows above it.
    pub fn fits(&self, board: &Board) -> bool {
        let shape = self.shape();
        let (right, top) = (
            i32::from(self.x) + shape.width as i32,
            i32::from(self.y) + shape.height as i32,
        );
        let rows = (board.height() + ROWS_ABOVE) as i32;
        self.x >= 0
            && self.y >= 0
            && right <= board.width() as i32
            && top <= rows
            && !board.overlaps(shape, self.x as usize, self.y as usize)
    }

    /// Whether the piece cannot fall.
    pub fn is_grounded(&self, board: &Board) -> bool {
        !self.moved(0, -1).fits(board)
    }

    /// The piece after it has fallen by at most this many rows.
    #[must_use]
    pub fn fallen(self, board: &Board, rows: u32) -> Falling {
        let mut falling = self;
        for _ in 0..rows {
            if falling.is_grounded(board) {
                break;
            }
            falling = falling.moved(0, -1);
        }
        falling
    }

    /// The placement of the piece if it locks here; equivalent rotations are normalised to the
    /// first.
    pub fn placement(&self) -> Placement {
        Placement {
            piece: self.piece,
            rotation: self.shape().rotation,
            x: self.x as u8,
            y: self.y as u8,
            spin: Spin::None,
        }
    }
}
