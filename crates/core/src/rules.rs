//! The rules of one step: what becomes of a board when a piece has come to rest.
//!
//! They are implemented once, in [`End::settle`]. A [`Game`](crate::game::Game) plays by it, recorded placements are
//! judged by it, and [`Outcomes`](crate::outcomes::Outcomes) asks it about every placement that could complete a row or
//! end the game.

use crate::board::Board;
use crate::piece::{Piece, Rotation, Shape};
use crate::placement::{Placement, Transition};

/// When a placement game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The piece rests with a cell above the top row; then no line is cleared (MDPTetris' game).
    AboveTop,
    /// Lines are cleared first; over when the stack is still higher than the board
    /// (MDPTetris with `allow_lines_after_overflow`).
    AboveTopAfterClearing,
    /// The stack, lines cleared, reaches the top row (the thesis; Bertsekas and Ioffe's game). A piece that rests
    /// above the top ends it too; then no line is cleared.
    TopRow,
    /// The next piece cannot enter: the cells in the middle of the two top rows where it appears are taken
    /// (Lee's "near perfect" game). A piece that rests above the top ends it too; then no line is cleared.
    EntryBlocked,
}

/// Every way to end, with its name in ruleset files.
pub const ENDS: &[(End, &str)] = &[
    (End::AboveTop, "above-top"),
    (End::AboveTopAfterClearing, "above-top-after-clearing"),
    (End::TopRow, "top-row"),
    (End::EntryBlocked, "entry-blocked"),
];

/// What became of a board on which a piece came to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The full rows that were removed, as a mask over the rows before removal.
    pub cleared: u64,
    /// Whether the game is over.
    pub game_over: bool,
}

impl End {
    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        ENDS.iter()
            .find(|row| row.0 == self)
            .map_or("", |row| row.1)
    }

    /// The end with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<End> {
        ENDS.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Lets a shape come to rest on a board with the lower left corner of its box at column `x`, row `y`: fills its
    /// cells, removes the rows that are full, and decides whether the game is over. `next` is the piece that will
    /// enter, if it is known.
    #[inline]
    pub fn settle(
        self,
        board: &mut Board,
        shape: &Shape,
        (x, y): (usize, usize),
        next: Option<Piece>,
    ) -> Settled {
        board.fill_shape(shape, x, y);
        let overflow = y + shape.height > board.height();
        if overflow && self != End::AboveTopAfterClearing {
            return Settled {
                cleared: 0,
                game_over: true,
            };
        }
        let cleared = board.full_rows();
        board.remove_rows(cleared);
        let game_over = match self {
            End::AboveTop => false,
            End::AboveTopAfterClearing => board.max_height() > board.height(),
            End::TopRow => board.max_height() >= board.height(),
            End::EntryBlocked => next.is_some_and(|piece| self.bars_entry(board, piece)),
        };
        Settled { cleared, game_over }
    }

    /// One step of a game: the board after a placement, and what happened. `next` is the piece that will enter, if it
    /// is known; `lines_before` counts the lines of the game so far.
    #[must_use]
    #[inline]
    pub fn step(
        self,
        before: &Board,
        placement: Placement,
        next: Option<Piece>,
        lines_before: u64,
    ) -> Transition {
        let corner = (usize::from(placement.x), usize::from(placement.y));
        let mut after = *before;
        let settled = self.settle(&mut after, placement.shape(), corner, next);
        Transition {
            before: *before,
            placement,
            cleared: settled.cleared,
            after,
            game_over: settled.game_over,
            lines_before,
        }
    }

    /// Whether the game is over because this piece, whose turn it is, cannot enter the board.
    #[must_use]
    pub fn bars_entry(self, board: &Board, piece: Piece) -> bool {
        self == End::EntryBlocked && entry_is_blocked(board, piece)
    }

    /// How high a piece may reach on a board of this height without ending the game, if the stack is no higher and no row
    /// becomes full. It may say less than the truth: pieces enter in the two top rows, and below them nothing ends.
    #[must_use]
    pub(crate) fn safe_height(self, height: usize) -> usize {
        match self {
            End::AboveTop => height,
            _ => height - 2,
        }
    }
}

/// Whether the cells in which `piece` enters are taken: lying, in the middle of the two top rows (I in the lower of
/// them), rounded to the left.
#[must_use]
pub fn entry_is_blocked(board: &Board, piece: Piece) -> bool {
    let shape = piece.shape(Rotation::North);
    let x = (board.width() - shape.width) / 2;
    board.overlaps(shape, x, board.height() - 2)
}

/// The thesis' points for `lines` lines cleared with one piece: 0, 1, 2, 4, 8.
#[must_use]
pub fn line_points(lines: u32) -> u64 {
    (1 << lines) >> 1
}

#[cfg(test)]
mod tests;
