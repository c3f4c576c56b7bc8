//! Games from any position, each until it leaves its window.

use super::slots::{SLOTS, Slots, Windows};
use super::state::{self, GameState, level};
use super::{Fastest, Kernel};
use crate::board::Board;
use crate::level::{DangerTerms, LevelFunction, Window, danger_terms};
use crate::piece::Piece;
use crate::rng::Rng;

/// All that the future of a game depends on.
#[derive(Clone, Debug)]
pub struct Position {
    cells: super::surface::Cells,
    /// What the board scores.
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

/// How a trajectory stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The level of its board; of one that is over, before the last piece.
    pub level: u32,
    /// Whether the game is over.
    pub over: bool,
    /// Cells on the board; of a game that is over, with those of the last piece.
    pub cells: u32,
    /// Since the trajectory began: pieces placed ...
    pub pieces: u64,
    /// ... lines cleared ...
    pub lines: u64,
    /// ... and line points.
    pub line_points: u64,
}

/// Trajectories that a kernel plays side by side. The caller puts them into slots, plays, and inspects those that have come to
/// rest.
pub struct Trajectories<'k> {
    slots: Slots<'k, Fastest>,
    /// Whether the slot is free or its trajectory at rest: one in play must not be queued twice.
    rests: Box<[bool; SLOTS]>,
    width: usize,
}

impl<'k> Trajectories<'k> {
    /// Most trajectories side by side. With 50 or more, every step finds eight with the same piece.
    pub const MOST: usize = SLOTS;

    /// No trajectories yet. The windows are about levels of this kind.
    #[must_use]
    pub fn new(kernel: &'k Kernel, function: LevelFunction) -> Trajectories<'k> {
        let mut slots = Slots::new(kernel, u64::MAX);
        slots.windows = Some(Box::new(Windows {
            function,
            sees_next: slots.sees_next(),
            of_slots: [Window::OPEN; SLOTS],
        }));
        Trajectories {
            slots,
            rests: Box::new([true; SLOTS]),
            width: kernel.tables.width,
        }
    }

    /// The position with this board and a piece that has not been drawn.
    ///
    /// # Panics
    /// When the board has another size than the kernel's, a cell above its top row, or a full row.
    #[must_use]
    pub fn position_on(&self, board: &Board) -> Position {
        let state = self.slots.state(board, 0);
        Position {
            cells: state.cells,
            score: state.score,
            piece: None,
        }
    }

    /// Starts a trajectory in a slot that is free or at rest; its pieces are drawn from this seed.
    ///
    /// # Panics
    /// When there is no such slot, or its trajectory is not at rest.
    pub fn put(&mut self, slot: usize, start: &Position, seed: u64, window: Window) {
        self.leave_rest(slot, window);
        let mut rng = Rng::new(seed);
        let chances = &self.slots.kernel.tables.chances;
        let piece = start.piece.unwrap_or_else(|| chances.draw(&mut rng) as u8);
        let state = GameState::with_piece(start.cells, start.score, piece, rng);
        self.slots.start(slot, state);
    }

    /// Lets a trajectory at rest go on; one that is over stays where it is.
    ///
    /// # Panics
    /// When there is no such slot, or its trajectory is not at rest.
    pub fn go_on(&mut self, slot: usize, window: Window) {
        if !self.slots.games[slot].over {
            self.leave_rest(slot, window);
            self.slots.wait(slot);
        }
    }

    fn leave_rest(&mut self, slot: usize, window: Window) {
        assert!(slot < SLOTS, "there are {SLOTS} slots");
        assert!(self.rests[slot], "slot {slot} is still at play");
        self.rests[slot] = false;
        if let Some(windows) = &mut self.slots.windows {
            windows.of_slots[slot] = window;
        }
    }

    /// Plays until at least one trajectory has left its window or is over, and lists those; an empty list means that all are at
    /// rest.
    pub fn play(&mut self, rested: &mut Vec<usize>) {
        rested.clear();
        while rested.is_empty() && self.slots.step() > 0 {
            rested.extend(self.slots.resting());
        }
        for &slot in rested.iter() {
            self.rests[slot] = true;
        }
    }

    /// How a trajectory stands.
    #[must_use]
    pub fn standing(&self, slot: usize) -> Standing {
        let state = &self.slots.games[slot];
        let columns = state::columns(&state.cells);
        let filled: u32 = columns.iter().map(|column| column.count_ones()).sum();
        let windows = self.slots.windows.as_ref();
        let windows = windows.expect("trajectories have windows");
        let tables = &self.slots.kernel.tables;
        Standing {
            level: level::<Fastest>(&windows.function, state, windows.known(state), tables),
            over: state.over,
            cells: filled + if state.over { 4 } else { 0 },
            pieces: state.pieces,
            lines: state.lines,
            line_points: state.line_points,
        }
    }

    /// What a danger looks at on the board of a trajectory.
    #[must_use]
    pub fn danger_terms(&self, slot: usize) -> DangerTerms {
        let columns = state::columns(&self.slots.games[slot].cells);
        danger_terms(&columns[..self.width], self.known(slot))
    }

    /// The piece to be placed, if the player has seen it.
    fn known(&self, slot: usize) -> Option<Piece> {
        let piece = self.slots.games[slot].piece;
        self.slots.sees_next().then(|| state::piece(piece))
    }

    /// The position of a trajectory that is not over.
    #[must_use]
    pub fn position(&self, slot: usize) -> Position {
        let state = &self.slots.games[slot];
        Position {
            cells: state.cells,
            score: state.score,
            piece: self.slots.sees_next().then_some(state.piece),
        }
    }

    /// The board of a trajectory; of one that is over, before the last piece.
    #[must_use]
    pub fn board(&self, slot: usize) -> Board {
        self.slots.result(slot).board
    }
}
