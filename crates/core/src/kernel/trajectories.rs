//! Games from any position, each played until it leaves its window.

use super::slots::{SLOTS, Slots};
use super::state::{self, GameState};
use super::tables::Tables;
use super::{Fastest, Kernel};
use crate::board::Board;
use crate::evaluators::TableSum;
use crate::piece::Piece;
use crate::rng::Rng;
use crate::simd::{LANES, Lanes, Work};
use std::sync::Arc;

/// The importance function of splitting: how close a board is to the end of the game.
pub trait Importance {
    /// The importance of a board. If inlined, it is compiled for the vector registers of the
    /// kernel.
    fn of(&self, board: &TrajectoryBoard<'_>) -> u32;
}

/// A trajectory is played while its importance is strictly between `low` and `high`, and it has
/// fewer than `pieces` pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The trajectory stops at this level or below it; `None` for never.
    pub low: Option<u32>,
    /// The trajectory stops at this level or above it; `None` for never.
    pub high: Option<u32>,
    /// The trajectory stops when it has this many pieces.
    pub pieces: u64,
}

impl Window {
    /// No limits: until the game is over.
    pub const OPEN: Window = Window {
        low: None,
        high: None,
        pieces: u64::MAX,
    };

    /// Whether a trajectory with this importance and this many pieces continues.
    #[must_use]
    #[inline]
    pub fn holds(&self, importance: u32, pieces: u64) -> bool {
        self.low.is_none_or(|low| importance > low)
            && self.high.is_none_or(|high| importance < high)
            && pieces < self.pieces
    }
}

/// The board of a trajectory, as an importance function sees it.
#[derive(Clone, Copy)]
pub struct TrajectoryBoard<'a> {
    game: &'a GameState,
    tables: &'a Tables,
    sees_next: bool,
}

impl TrajectoryBoard<'_> {
    /// The width of the board.
    #[must_use]
    #[inline(always)]
    pub fn width(&self) -> usize {
        self.tables.width
    }

    /// The columns in the format of [`Board::columns`]; those beyond the width of the board are
    /// empty.
    #[must_use]
    #[inline(always)]
    pub fn columns(&self) -> [u64; 2 * LANES] {
        state::columns(&self.game.cells)
    }

    /// The sum of the columns' heights, and the maximum height.
    #[must_use]
    #[inline(always)]
    pub fn heights(&self) -> (u32, u32) {
        state::heights::<Fastest>(&self.game.cells)
    }

    /// The piece to place, if the player has seen it.
    #[must_use]
    #[inline(always)]
    pub fn piece(&self) -> Option<Piece> {
        self.sees_next.then(|| state::piece(self.game.piece))
    }

    /// The sum of the board's table entries as an integer of the tables' scale, if the player uses
    /// these tables and the sum is therefore already known.
    #[must_use]
    #[inline(always)]
    pub fn table_sum(&self, tables: &TableSum) -> Option<f64> {
        let lookup = self.tables.lookup.as_ref();
        let is_known = lookup.is_some_and(|own| Arc::ptr_eq(tables.rounded(), &own.weights));
        is_known.then(|| f64::from(self.game.score))
    }
}

/// Everything that the future of a game depends on.
#[derive(Clone, Debug)]
pub struct Position {
    cells: super::surface::Cells,
    /// The score of the board.
    score: i32,
    /// The piece to place, if it has been seen.
    piece: Option<u8>,
}

impl Position {
    /// Fills the cells of an empty board of the kernel's size.
    pub fn write_to(&self, board: &mut Board) {
        state::write_cells(&self.cells, board);
    }
}

/// The state of a trajectory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The importance of its board; if the game is over, of the board before the last piece.
    pub level: u32,
    /// Whether the game is over.
    pub over: bool,
    /// Cells on the board; if the game is over, including those of the last piece.
    pub cells: u32,
    /// Pieces placed since the start of the trajectory.
    pub pieces: u64,
    /// ... lines cleared ...
    pub lines: u64,
    /// ... and line points.
    pub line_points: u64,
}

/// Trajectories that a kernel plays side by side. The caller puts them into slots, plays, and
/// inspects those that have stopped.
pub struct Trajectories<'k, I> {
    slots: Slots<'k, Fastest>,
    importance: I,
    windows: Box<[Window; SLOTS]>,
    /// Whether the slot is free or its trajectory has stopped; a trajectory in play must not be
    /// queued twice.
    rests: Box<[bool; SLOTS]>,
}

impl<'k, I: Importance> Trajectories<'k, I> {
    /// The maximum number of trajectories side by side. With 50 or more, every step finds eight
    /// with the same piece.
    pub const MOST: usize = SLOTS;

    /// Starts without trajectories. Windows refer to this importance function.
    #[must_use]
    pub fn new(kernel: &'k Kernel, importance: I) -> Trajectories<'k, I> {
        Trajectories {
            // Trajectories pause after every piece, until it is known whether they have left their
            // windows.
            slots: Slots::new(kernel, 0),
            importance,
            windows: Box::new([Window::OPEN; SLOTS]),
            rests: Box::new([true; SLOTS]),
        }
    }

    /// The position with this board and a piece that has not been drawn.
    ///
    /// # Panics
    /// If the board's size differs from the kernel's, or it has a cell above its top row or a full
    /// row.
    #[must_use]
    pub fn position_on(&self, board: &Board) -> Position {
        let state = self.slots.state(board, 0);
        Position {
            cells: state.cells,
            score: state.score,
            piece: None,
        }
    }

    /// Starts a trajectory in a slot that is free or whose trajectory has stopped. Its pieces are
    /// drawn from this seed.
    ///
    /// # Panics
    /// If the slot does not exist, or its trajectory has not stopped.
    pub fn put(&mut self, slot: usize, start: &Position, seed: u64, window: Window) {
        self.leave_rest(slot, window);
        let mut rng = Rng::new(seed);
        let chances = &self.slots.kernel.tables.chances;
        let piece = start.piece.unwrap_or_else(|| chances.draw(&mut rng) as u8);
        let state = GameState::with_piece(start.cells, start.score, piece, rng);
        self.slots.start(slot, state);
    }

    /// Continues a trajectory that has stopped; a trajectory that is over remains over.
    ///
    /// # Panics
    /// If the slot does not exist, or its trajectory has not stopped.
    pub fn resume(&mut self, slot: usize, window: Window) {
        if !self.slots.games[slot].over {
            self.leave_rest(slot, window);
            self.slots.wait(slot);
        }
    }

    fn leave_rest(&mut self, slot: usize, window: Window) {
        assert!(slot < SLOTS, "there are {SLOTS} slots");
        assert!(self.rests[slot], "slot {slot} is still at play");
        self.rests[slot] = false;
        self.windows[slot] = window;
    }

    /// Plays until at least one trajectory has left its window or is over, and lists these; the
    /// list is empty if all trajectories have stopped.
    pub fn play(&mut self, rested: &mut Vec<usize>) {
        rested.clear();
        while rested.is_empty() && self.slots.advance() > 0 {
            Fastest::enter(ContinueOrPause {
                trajectories: self,
                rested,
            });
        }
    }

    /// The state of a trajectory.
    #[must_use]
    pub fn standing(&self, slot: usize) -> Standing {
        let state = &self.slots.games[slot];
        let columns = state::columns(&state.cells);
        let filled: u32 = columns.iter().map(|column| column.count_ones()).sum();
        Standing {
            level: self.importance.of(&self.board(slot)),
            over: state.over,
            cells: filled + if state.over { 4 } else { 0 },
            pieces: state.pieces,
            lines: state.lines,
            line_points: state.line_points,
        }
    }

    /// The piece that ended a lost trajectory.
    #[must_use]
    pub fn last_piece(&self, slot: usize) -> Piece {
        state::piece(self.slots.games[slot].last)
    }

    /// The position of a trajectory; if it is over, before the last piece.
    #[must_use]
    pub fn position(&self, slot: usize) -> Position {
        let state = &self.slots.games[slot];
        Position {
            cells: state.cells,
            score: state.score,
            piece: self.slots.sees_next().then_some(state.piece),
        }
    }

    /// The board of a trajectory; if it is over, before the last piece.
    #[must_use]
    #[inline(always)]
    pub fn board(&self, slot: usize) -> TrajectoryBoard<'_> {
        TrajectoryBoard {
            game: &self.slots.games[slot],
            tables: &self.slots.kernel.tables,
            sees_next: self.slots.sees_next(),
        }
    }
}

/// After a step: lists the trajectories that ended or left their windows, and lets the others wait
/// for their next decision.
struct ContinueOrPause<'t, 'k, I> {
    trajectories: &'t mut Trajectories<'k, I>,
    rested: &'t mut Vec<usize>,
}

impl<I: Importance> Work<Fastest> for ContinueOrPause<'_, '_, I> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let all = self.trajectories;
        for number in 0..all.slots.resting().len() {
            let slot = usize::from(all.slots.resting()[number]);
            let game = &all.slots.games[slot];
            let plays_on = !game.over
                && all.windows[slot].holds(all.importance.of(&all.board(slot)), game.pieces);
            if plays_on {
                all.slots.wait(slot);
            } else {
                all.rests[slot] = true;
                self.rested.push(slot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_open_strictly_between_its_ends() {
        let window = Window {
            low: Some(10),
            high: Some(20),
            pieces: 5,
        };
        assert!(window.holds(11, 4) && window.holds(19, 0));
        assert!(!window.holds(10, 0) && !window.holds(20, 0) && !window.holds(15, 5));
        assert!(Window::OPEN.holds(0, 1 << 40));
    }
}
