//! Edits a board by hand.

use ratatui::crossterm::event::KeyCode;
use tetrolab::core::board::Board;

/// A board that is being edited, and where the cursor is.
#[derive(Clone, Debug)]
pub(crate) struct Editor {
    rows: Vec<Vec<bool>>,
    height: usize,
    /// Row from the bottom, and column.
    pub(crate) cursor: (usize, usize),
}

impl Editor {
    /// Edits the rows that are shown.
    pub(crate) fn new(board: Board, visible: usize) -> Editor {
        let row = |row| (0..board.width()).map(move |column| board.is_filled(row, column));
        Editor {
            rows: (0..visible).map(|place| row(place).collect()).collect(),
            height: board.height(),
            cursor: (0, board.width() / 2),
        }
    }

    pub(crate) fn is_filled(&self, row: usize, column: usize) -> bool {
        self.rows[row][column]
    }

    pub(super) fn key(&mut self, code: KeyCode) {
        let (row, column) = &mut self.cursor;
        match code {
            KeyCode::Left => *column = column.saturating_sub(1),
            KeyCode::Right => *column = (*column + 1).min(self.rows[0].len() - 1),
            KeyCode::Up => *row = (*row + 1).min(self.rows.len() - 1),
            KeyCode::Down => *row = row.saturating_sub(1),
            KeyCode::Char(' ' | 'x') => {
                let cell = &mut self.rows[*row][*column];
                *cell = !*cell;
            }
            KeyCode::Char('f') => {
                let hole = *column;
                let row = &mut self.rows[*row];
                row.iter_mut().for_each(|cell| *cell = true);
                row[hole] = false;
            }
            KeyCode::Char('g') => {
                // A row of garbage rises.
                let mut garbage = vec![true; self.rows[0].len()];
                garbage[*column] = false;
                self.rows.insert(0, garbage);
                self.rows.pop();
            }
            KeyCode::Delete | KeyCode::Backspace => {
                self.rows[*row].iter_mut().for_each(|cell| *cell = false);
            }
            KeyCode::Char('c') => {
                let cells = self.rows.iter_mut().flatten();
                cells.for_each(|cell| *cell = false);
            }
            _ => (),
        }
    }

    /// The board, from which full rows have disappeared.
    pub(super) fn board_without_full_rows(&self) -> Board {
        let width = self.rows[0].len();
        let mut board = Board::new(width, self.height).expect("the size of a board");
        let kept = self.rows.iter().filter(|row| row.contains(&false));
        for (place, row) in kept.enumerate() {
            for column in (0..width).filter(|&column| row[column]) {
                board.fill(place, column);
            }
        }
        board
    }
}
