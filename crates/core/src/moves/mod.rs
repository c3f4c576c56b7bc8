//! Move generation: all the ways in which a piece can lock on a board. [`crate::rules`] and
//! [`crate::outcomes`] compute the effects of a placement.
//!
//! In placement games pieces drop straight down from above the board (`drops`, [`check`],
//! [`placements`]). In stepped games they are moved while they fall: [`MoveRules`] has the rules,
//! and the [`PathFinder`] finds every reachable placement, with a shortest [`Path`] to it.

mod drops;
mod input;
mod level;
mod lock;
mod move_rules;
pub mod paths;

pub(crate) use drops::{
    COLUMNS, Drops, Excerpt, Group, Padded, PerColumn, WALL_HEIGHT, WINDOW_MARGIN, for_each_lane,
    lane_if,
};

pub use input::{INPUTS, Input, Path};
pub(crate) use level::CURVES;
pub use level::{GravityCurve, Pace, ScoreRule};
pub use lock::{LockReset, LockRule, LockTimer, MOST_MOVES};
pub use move_rules::{DropKey, Gravity, Locking, MoveRules, Spins};
pub(crate) use paths::drops_only;
pub use paths::{PathFinder, PathStart};

use crate::board::Board;
use crate::piece::{Piece, Rotation};
use crate::placement::{Placement, Spin};
use std::fmt;

/// Why a piece cannot lock at a placement's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The piece would extend beyond a side wall.
    Outside(u8),
    /// A piece that drops straight down would lock in a different row.
    Row {
        /// The row in which the piece locks.
        expected: u8,
        /// The row of the placement.
        found: u8,
    },
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Outside(found) => {
                write!(f, "the piece extends beyond the board at column {found}")
            }
            MoveError::Row { expected, found } => {
                write!(f, "the piece locks in row {expected}, not in row {found}")
            }
        }
    }
}

impl std::error::Error for MoveError {}

/// Checks that a placement exists on a board.
///
/// # Errors
/// If the piece cannot lock there, with the reason.
pub fn check(board: &Board, placement: Placement) -> Result<(), MoveError> {
    let dropped = drop_in(board, placement.piece, placement.rotation, placement.x)?;
    let (expected, found) = (dropped.y, placement.y);
    if expected != found {
        return Err(MoveError::Row { expected, found });
    }
    Ok(())
}

/// The placement of a piece that drops in this rotation with its left edge in column `x`.
/// Equivalent rotations are normalised to the first.
///
/// # Errors
/// If it would extend beyond a side wall.
pub fn drop_in(
    board: &Board,
    piece: Piece,
    rotation: Rotation,
    x: u8,
) -> Result<Placement, MoveError> {
    let shape = piece.shape(rotation);
    let column = usize::from(x);
    if column + shape.width > board.width() {
        return Err(MoveError::Outside(x));
    }
    Ok(Placement {
        piece,
        rotation: shape.rotation,
        x,
        y: board.resting_row(shape, column) as u8,
        spin: Spin::None,
    })
}

/// Every distinct placement of a piece on a board, in the reference simulator's order: shape by
/// shape, each from left to right.
pub fn placements(board: &Board, piece: Piece) -> Vec<Placement> {
    let mut drops = Drops::default();
    drops.lay_out(board, piece);
    (0..drops.len())
        .map(|index| drops.placement(index))
        .collect()
}

#[cfg(test)]
mod tests;
