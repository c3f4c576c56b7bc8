//! The rules of falling pieces, which determine the placements that a piece can reach.

use super::LockRule;
use super::level::Pace;
use super::paths::Graph;
use crate::board::Board;
use crate::piece::{PIECES, Piece};
use crate::placement::{Placement, Spin};
use crate::rotation::{EntryRow, Falling, RotationSystem, Turn};
use std::sync::Arc;

/// How fast pieces fall: `rows` rows in `ticks` ticks, evenly spaced, starting with the tick in
/// which the piece enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gravity {
    /// Number of rows.
    pub rows: u32,
    /// Number of ticks.
    pub ticks: u32,
}

impl Gravity {
    /// Pieces do not fall by themselves.
    pub const NONE: Gravity = Gravity { rows: 0, ticks: 1 };

    /// The number of rows that gravity has moved a piece by the end of a tick; the tick after it
    /// enters has number 1.
    #[inline]
    pub fn rows_by(self, tick: u32) -> u32 {
        (u64::from(tick) * u64::from(self.rows) / u64::from(self.ticks)) as u32
    }

    /// How many rows a piece falls in the tick with this number.
    #[inline]
    pub fn rows_in(self, tick: u32) -> u32 {
        self.rows_by(tick) - self.rows_by(tick.saturating_sub(1))
    }
}

/// Effect of the drop key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropKey {
    /// The game has no drop key.
    None,
    /// The piece falls to the ground and can still be moved (sonic drop).
    Sonic,
    /// The piece falls to the ground and locks (hard drop).
    Hard,
}

/// When a piece on the ground locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locking {
    /// When gravity would move the piece down but it cannot fall; pressing down has the same
    /// effect.
    OnFall,
    /// After a delay, or immediately if down is pressed.
    DelayOrDown,
    /// After a delay only.
    Delay,
}

/// The spins that the rules recognise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spins {
    /// None.
    None,
    /// T-spins, by three corners.
    T,
    /// T-spins, and spins of other pieces that cannot move after the turn.
    All,
}

/// The rules of falling pieces: rotation system, gravity, drops, locking and spins. Cheap to clone.
#[derive(Clone, Debug)]
pub struct MoveRules {
    /// How pieces turn and enter.
    pub system: Arc<RotationSystem>,
    /// Number of visible rows; pieces enter at the top of these.
    pub visible: usize,
    /// The progression of level and speed.
    pub pace: Pace,
    /// The level.
    pub level: u32,
    /// How fast pieces fall at this level.
    pub gravity: Gravity,
    /// The effect of the drop key.
    pub drop: DropKey,
    /// When a piece locks.
    pub locking: Locking,
    /// How long a piece can stay on the ground before it locks.
    pub lock: LockRule,
    /// The spins that are recognised.
    pub spins: Spins,
    /// Whether a piece that locks completely above the visible rows ends the game.
    pub lock_out: bool,
    /// Whether a stack that reaches the top row ends the game.
    pub top_row_ends: bool,
    /// Whether a piece that enters above the visible rows immediately falls by one row if it can.
    pub entry_drop: bool,
    pub(super) graphs: Arc<[Graph; 7]>,
}

impl MoveRules {
    /// Rules with this rotation system and this many visible rows: no gravity, hard drop, a lock
    /// delay, no spins, and no drop on entry.
    pub fn new(system: RotationSystem, visible: usize) -> MoveRules {
        let graphs = PIECES.map(|piece| Graph::new(&system, piece));
        MoveRules {
            system: Arc::new(system),
            visible,
            pace: Pace::NONE,
            level: 0,
            gravity: Gravity::NONE,
            drop: DropKey::Hard,
            locking: Locking::Delay,
            lock: LockRule::NEVER,
            spins: Spins::None,
            lock_out: true,
            top_row_ends: false,
            entry_drop: false,
            graphs: Arc::new(graphs),
        }
    }

    /// Changes the level, and with it the gravity.
    pub(crate) fn set_level(&mut self, level: u32) {
        self.level = level;
        self.gravity = self.pace.curve.at(level);
    }

    /// The graph of a piece's rotations.
    pub(super) fn graph(&self, piece: Piece) -> &Graph {
        &self.graphs[piece as usize]
    }

    /// Where a piece appears, before it falls by a row on entry.
    fn appears(&self, piece: Piece, board: &Board) -> Falling {
        self.system.entry(piece, board.width(), self.visible)
    }

    /// Where a piece enters a board: the start of all its paths.
    pub fn entry(&self, piece: Piece, board: &Board) -> Falling {
        self.entry_turned(piece, board, &[])
    }

    /// Like [`Self::entry`], for a piece that is turned as it enters (initial rotation). A turn
    /// that does not fit is ignored.
    pub fn entry_turned(&self, piece: Piece, board: &Board, turns: &[Turn]) -> Falling {
        let mut falling = self.appears(piece, board);
        for &turn in turns {
            let turned = self.system.initial_turn(board, falling, turn);
            falling = turned.unwrap_or(falling);
        }
        let drops = self.entry_drop && self.system.entry_row == EntryRow::AboveVisible;
        if drops && falling.fits(board) {
            falling = falling.fallen(board, 1);
        }
        falling
    }

    /// Whether a piece cannot enter (block out).
    pub(crate) fn blocks_entry(&self, board: &Board, piece: Piece) -> bool {
        !self.appears(piece, board).fits(board)
    }

    /// The lowest row in which a piece enters: a stack below it cannot block the entry.
    pub(crate) fn lowest_entry_row(&self) -> usize {
        self.visible.saturating_sub(3)
    }

    /// Whether the rules recognise spins of this piece.
    pub(crate) fn may_spin(&self, piece: Piece) -> bool {
        self.spins == Spins::All || self.spins == Spins::T && piece == Piece::T
    }

    /// The kind of spin when a piece locks directly after a turn. `far_kick` says whether the kick
    /// of that turn was a [far one](crate::rotation::Kick::is_far).
    pub fn spin(&self, board: &Board, falling: Falling, far_kick: bool) -> Spin {
        match (self.spins, falling.piece) {
            (Spins::T | Spins::All, Piece::T) => t_spin(board, falling, far_kick),
            (Spins::All, _) => immobile_spin(board, falling),
            _ => Spin::None,
        }
    }

    /// Like [`Self::spin`], for a placement, which does not distinguish equivalent rotations.
    pub(crate) fn spin_of(&self, board: &Board, placement: Placement, far_kick: bool) -> Spin {
        let falling = Falling {
            piece: placement.piece,
            rotation: placement.rotation,
            x: placement.x as i8,
            y: placement.y as i8,
        };
        self.spin(board, falling, far_kick)
    }
}

/// Three of the four corners around the middle of the T must be filled. The spin is a mini spin if
/// one of the two corners next to the T's point is free, unless it was reached by a far kick.
fn t_spin(board: &Board, falling: Falling, far_kick: bool) -> Spin {
    use crate::piece::Rotation::{East, North, South, West};
    // The middle of the T, from the lower left corner of its box, and the corners next to its
    // point.
    let (middle, front) = match falling.rotation {
        North => ((1, 0), [(-1, 1), (1, 1)]),
        East => ((0, 1), [(1, -1), (1, 1)]),
        South => ((1, 1), [(-1, -1), (1, -1)]),
        West => ((1, 1), [(-1, -1), (-1, 1)]),
    };
    let taken = |(dx, dy): (i32, i32)| {
        let column = i32::from(falling.x) + middle.0 + dx;
        let row = i32::from(falling.y) + middle.1 + dy;
        let outside = row < 0 || column < 0 || column >= board.width() as i32;
        outside || board.is_filled(row as usize, column as usize)
    };
    let corners = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
    let count = corners.into_iter().filter(|&corner| taken(corner)).count();
    if count < 3 {
        Spin::None
    } else if far_kick || front.into_iter().all(taken) {
        Spin::Full
    } else {
        Spin::Mini
    }
}

fn immobile_spin(board: &Board, falling: Falling) -> Spin {
    let mut steps = [(-1, 0), (1, 0), (0, 1), (0, -1)].into_iter();
    let moves = steps.any(|(dx, dy)| falling.moved(dx, dy).fits(board));
    if moves { Spin::None } else { Spin::Full }
}
