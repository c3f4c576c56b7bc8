//! A game between two pieces.

use super::decide::Decision;
use super::surface::{Cells, fill, remove_rows};
use crate::board::Board;
use crate::piece::{PIECES, Piece};
use crate::placement::Transition;
use crate::randomizers::Chances;
use crate::rng::Rng;
use crate::rules::line_points;
use crate::simd::{LANES, Lanes, Words};

/// Everything that the kernel stores about a game, in two cache lines.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct GameState {
    pub(super) cells: Cells,
    /// The score of the board, with rounded weights.
    pub(super) score: i32,
    pub(super) piece: u8,
    /// The piece after the current one; drawn only if the player sees it.
    pub(super) next: u8,
    /// The piece that ended the game, if it is over.
    pub(super) last: u8,
    pub(super) over: bool,
    pub(super) rng: Rng,
    pub(super) pieces: u64,
    pub(super) lines: u64,
    pub(super) line_points: u64,
}

impl GameState {
    /// A game on this board, before its first piece.
    pub(super) fn new(cells: Cells, score: i32, seed: u64, chances: &Chances) -> GameState {
        let mut rng = Rng::new(seed);
        let piece = chances.draw(&mut rng) as u8;
        GameState::with_piece(cells, score, piece, rng)
    }

    /// A game that has drawn its first piece.
    pub(super) fn with_piece(cells: Cells, score: i32, piece: u8, rng: Rng) -> GameState {
        GameState {
            cells,
            score,
            piece,
            next: 0,
            last: 0,
            over: false,
            rng,
            pieces: 0,
            lines: 0,
            line_points: 0,
        }
    }

    /// Fills the cells of an empty board.
    pub(super) fn write_to(&self, board: &mut Board) {
        write_cells(&self.cells, board);
    }

    /// Places the piece as decided; without a decision, the game is lost.
    #[inline(always)]
    pub(super) fn apply<L: Lanes>(&mut self, decision: Option<Decision<'_>>) {
        self.pieces += 1;
        let Some(decision) = decision else {
            (self.over, self.last) = (true, self.piece);
            return;
        };
        fill::<L>(&mut self.cells, decision.place, decision.landing);
        self.score = decision.board_score;
        remove_rows::<L>(&mut self.cells, decision.removed);
        let lines = decision.removed.count_ones();
        self.lines += u64::from(lines);
        self.line_points += line_points(lines);
    }
}

impl GameState {
    /// Copies the board after a step on the general path; the board is unchanged if the game is
    /// lost.
    pub(super) fn take_step(&mut self, step: &Transition) {
        self.pieces += 1;
        if step.game_over {
            (self.over, self.last) = (true, self.piece);
            return;
        }
        self.cells = cells(&step.after);
        self.lines += u64::from(step.lines());
        self.line_points += line_points(step.lines());
    }
}

/// The cells of a board above a floor.
pub(super) fn cells(board: &Board) -> Cells {
    let mut cells = [Words([0; LANES]); 2];
    for (cell, &column) in cells
        .iter_mut()
        .flat_map(|half| &mut half.0)
        .zip(board.columns())
    {
        *cell = (column as i32) << 1 | 1;
    }
    cells
}

/// Fills the cells of an empty board.
pub(super) fn write_cells(cells: &Cells, board: &mut Board) {
    let rows = (1 << board.height()) - 1;
    for (column, cells) in columns(cells)[..board.width()].iter().enumerate() {
        board.fill_rows(column, cells & rows);
    }
}

/// The columns of a board without the floor, in the format of [`Board`].
#[inline(always)]
pub(super) fn columns(cells: &Cells) -> [u64; 2 * LANES] {
    std::array::from_fn(|column| (cells[column / LANES].0[column % LANES] as u32 >> 1).into())
}

/// The piece with this number.
pub(super) fn piece(number: u8) -> Piece {
    PIECES[usize::from(number)]
}

/// The sum of the heights of a board's columns, and the maximum height.
#[inline(always)]
pub(super) fn heights<L: Lanes>(cells: &Cells) -> (u32, u32) {
    // Columns beyond the board's width have no floor; with a floor added, their height is zero.
    let top = |half: &Words| L::load(half).or(L::splat(1)).bit_length();
    let tops = [top(&cells[0]), top(&cells[1])];
    let sum = tops[0].add(tops[1]).fold(L::add).store().0[0];
    let highest = tops[0].max(tops[1]).fold(L::max).store().0[0];
    let floors = (2 * LANES) as i32;
    ((sum - floors) as u32, (highest - 1) as u32)
}
