//! Edits a board by hand.

use tetrolab_core::board::Board;

/// A change in an [`Editor`]: of its cursor, or of the board at the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Moves the cursor one column to the left.
    Left,
    /// Moves the cursor one column to the right.
    Right,
    /// Moves the cursor one row up.
    Up,
    /// Moves the cursor one row down.
    Down,
    /// Fills or empties the cell.
    Toggle,
    /// Fills the row except for the cell.
    FillRow,
    /// Adds a row of garbage from below, with a hole in the cursor's column.
    Garbage,
    /// Empties the row.
    ClearRow,
    /// Empties the board.
    ClearAll,
}

/// A board that is being edited, and its cursor.
#[derive(Clone, Debug)]
pub struct Editor {
    rows: Vec<Vec<bool>>,
    height: usize,
    /// Row from the bottom, and column.
    pub cursor: (usize, usize),
}

impl Editor {
    /// Edits the visible rows.
    pub fn new(board: Board, visible: usize) -> Editor {
        let row = |row| (0..board.width()).map(move |column| board.is_filled(row, column));
        Editor {
            rows: (0..visible).map(|place| row(place).collect()).collect(),
            height: board.height(),
            cursor: (0, board.width() / 2),
        }
    }

    /// Whether a cell is filled.
    pub fn is_filled(&self, row: usize, column: usize) -> bool {
        self.rows[row][column]
    }

    /// Makes a change.
    pub fn edit(&mut self, edit: Edit) {
        let (row, column) = &mut self.cursor;
        let width = self.rows[0].len();
        match edit {
            Edit::Left => *column = column.saturating_sub(1),
            Edit::Right => *column = (*column + 1).min(width - 1),
            Edit::Up => *row = (*row + 1).min(self.rows.len() - 1),
            Edit::Down => *row = row.saturating_sub(1),
            Edit::Toggle => self.rows[*row][*column] ^= true,
            Edit::FillRow => self.rows[*row] = full_but(*column, width),
            Edit::Garbage => {
                self.rows.insert(0, full_but(*column, width));
                self.rows.pop();
            }
            Edit::ClearRow => self.rows[*row].fill(false),
            Edit::ClearAll => self.rows.iter_mut().for_each(|row| row.fill(false)),
        }
    }

    /// The board without its full rows.
    pub fn board_without_full_rows(&self) -> Board {
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

/// A row with one hole.
fn full_but(hole: usize, width: usize) -> Vec<bool> {
    (0..width).map(|column| column != hole).collect()
}
