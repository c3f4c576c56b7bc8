//! The pieces to which the cells of a stack belong; a board only stores which cells are filled.

use tetrolab_core::board::Board;
use tetrolab_core::piece::Piece;
use tetrolab_core::placement::Transition;

/// The piece to which each cell of a stack belongs.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    width: usize,
    /// The cells row by row, starting at the bottom.
    cells: Vec<Option<Piece>>,
}

impl Stack {
    /// A stack whose pieces are unknown.
    pub(super) fn unknown(board: &Board) -> Stack {
        Stack {
            width: board.width(),
            cells: Vec::new(),
        }
    }

    /// The piece of a cell, if it is known.
    pub fn piece(&self, row: usize, column: usize) -> Option<Piece> {
        self.cells.get(row * self.width + column).copied().flatten()
    }

    /// Adds a piece that has locked.
    pub(super) fn add(&mut self, step: &Transition) {
        for (row, column) in step.placement.cells() {
            let place = row * self.width + column;
            if place >= self.cells.len() {
                self.cells.resize((row + 1) * self.width, None);
            }
            self.cells[place] = Some(step.placement.piece);
        }
        let mut cleared = step.cleared;
        while cleared != 0 {
            let row = 63 - cleared.leading_zeros() as usize;
            cleared ^= 1 << row;
            let end = ((row + 1) * self.width).min(self.cells.len());
            self.cells.drain((row * self.width).min(end)..end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{find_player, find_ruleset};
    use tetrolab_core::game::Game;

    #[test]
    fn every_filled_cell_has_a_piece_and_no_empty_one() {
        let ruleset = find_ruleset("simplified-10x12").unwrap();
        let mut player = find_player("bcts", &ruleset).unwrap();
        let mut game = Game::new(&ruleset, 3);
        let mut stack = Stack::unknown(game.board());
        for _ in 0..300 {
            let placement = player.decide(&game.view());
            stack.add(&game.apply(placement));
            for row in 0..12 {
                for column in 0..10 {
                    let filled = game.board().is_filled(row, column);
                    assert_eq!(stack.piece(row, column).is_some(), filled);
                }
            }
        }
    }
}
