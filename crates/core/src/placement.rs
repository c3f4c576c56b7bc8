//! Placements and their effects on the board.

use crate::board::{Board, column_height};
use crate::piece::{Piece, Rotation, Shape};

/// The position in which a piece locks: the lower left corner of its bounding box is at row `y`,
/// column `x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The piece.
    pub piece: Piece,
    /// The rotation of the piece.
    pub rotation: Rotation,
    /// Leftmost column of the bounding box.
    pub x: u8,
    /// Lowest row of the bounding box, before rows are removed; row 0 is the bottom row.
    pub y: u8,
    /// Whether the last input was a turn, if the rules recognise spins.
    pub spin: Spin,
}

/// Whether a piece was turned into a position that it could hardly have reached otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spin {
    /// No spin, or the rules do not recognise any.
    #[default]
    None,
    /// A spin into a more open position than a full spin.
    Mini,
    /// A full spin.
    Full,
}

impl Spin {
    /// The lower-case name: `none`, `mini` or `full` (the Tetris Bot Protocol's names).
    pub fn name(self) -> &'static str {
        ["none", "mini", "full"][self as usize]
    }
}

impl Placement {
    /// The shape that locks.
    pub fn shape(&self) -> &'static Shape {
        self.piece.shape(self.rotation)
    }

    /// The four cells as (row from the bottom, column), lowest row first, then left to right.
    pub fn cells(&self) -> [(usize, usize); 4] {
        let mut cells = [(0, 0); 4];
        for (cell, (row, column)) in cells.iter_mut().zip(self.shape().cells()) {
            *cell = (row + usize::from(self.y), column + usize::from(self.x));
        }
        cells
    }

    /// The placement of `piece` that covers exactly these cells (row from the bottom, column).
    pub fn from_cells(piece: Piece, cells: &[(usize, usize)]) -> Option<Placement> {
        let y = cells.iter().map(|cell| cell.0).min()?;
        let x = cells.iter().map(|cell| cell.1).min()?;
        let mut wanted = cells.to_vec();
        wanted.sort_unstable();
        piece.shapes().iter().find_map(|shape| {
            let placement = Placement {
                piece,
                rotation: shape.rotation,
                x: u8::try_from(x).ok()?,
                y: u8::try_from(y).ok()?,
                spin: Spin::None,
            };
            (placement.cells()[..] == wanted[..]).then_some(placement)
        })
    }
}

/// One step of a game: the board before, the placement, and the board after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The board before the placement.
    pub before: Board,
    /// Where the piece locked.
    pub placement: Placement,
    /// The full rows that the placement completed, as a mask over the rows before removal.
    pub cleared: u64,
    /// The board after the placement, with full rows removed (unless the transition is scored
    /// before removal).
    pub after: Board,
    /// Whether the placement ends the game.
    pub game_over: bool,
    /// Lines cleared in the game before this placement.
    pub lines_before: u64,
}

impl Transition {
    /// Number of lines that the placement cleared.
    pub fn lines(&self) -> u32 {
        self.cleared.count_ones()
    }
}

/// A board with the measures that most features need.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    /// The board itself.
    pub board: Board,
    heights: [u8; 16],
}

impl Surface {
    /// Measures a board.
    #[inline]
    pub fn new(board: Board) -> Surface {
        let heights = [0; 16];
        let mut surface = Surface { board, heights };
        surface.measure();
        surface
    }

    /// Measures the board again after it was changed.
    #[inline]
    pub(crate) fn measure(&mut self) {
        for (height, &column) in self.heights.iter_mut().zip(self.board.columns()) {
            *height = column_height(column) as u8;
        }
    }

    /// Height of every column, left to right.
    #[inline]
    pub fn heights(&self) -> &[u8] {
        &self.heights[..self.board.width()]
    }

    /// Height of the highest column.
    pub fn max_height(&self) -> u8 {
        self.heights().iter().copied().max().unwrap_or(0)
    }

    /// Height of the lowest column.
    pub fn min_height(&self) -> u8 {
        self.heights().iter().copied().min().unwrap_or(0)
    }

    /// Sum of the column heights.
    pub fn total_height(&self) -> u32 {
        self.heights().iter().map(|&height| u32::from(height)).sum()
    }
}

/// The landing of a placement: the input of features of the move, known before the resulting board
/// is computed.
#[derive(Clone, Copy, Debug)]
pub struct Landing {
    /// The piece.
    pub piece: Piece,
    /// The shape that locks.
    pub shape: &'static Shape,
    /// Leftmost column of its bounding box.
    pub x: u8,
    /// Lowest row of its bounding box.
    pub y: u8,
    /// Whether the piece was rotated into this position.
    pub spin: Spin,
    /// Height of the board.
    pub board_height: u8,
    /// Whether the placement ends the game.
    pub game_over: bool,
    /// The full rows that the placement completes.
    pub cleared: u64,
}

impl Landing {
    /// The placement itself.
    pub fn placement(&self) -> Placement {
        Placement {
            piece: self.piece,
            rotation: self.shape.rotation,
            x: self.x,
            y: self.y,
            spin: self.spin,
        }
    }

    /// Number of lines that the placement clears.
    #[inline]
    pub fn lines(&self) -> u32 {
        self.cleared.count_ones()
    }

    /// Number of the piece's cells in the rows that it clears.
    #[inline]
    pub fn cleared_piece_cells(&self) -> u32 {
        let rows = (self.cleared >> self.y) as u8;
        let cells = |column: &u8| (column & rows).count_ones();
        self.shape.columns.iter().map(cells).sum()
    }
}

impl From<&Transition> for Landing {
    fn from(transition: &Transition) -> Landing {
        let placement = transition.placement;
        Landing {
            piece: placement.piece,
            shape: placement.shape(),
            x: placement.x,
            y: placement.y,
            spin: placement.spin,
            board_height: transition.before.height() as u8,
            game_over: transition.game_over,
            cleared: transition.cleared,
        }
    }
}
