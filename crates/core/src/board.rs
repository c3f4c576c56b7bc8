//! The settled stack, one 64-bit word per column.

use crate::piece::Shape;
use std::fmt;

/// Minimum and maximum width of a board.
pub const WIDTHS: std::ops::RangeInclusive<usize> = 4..=16;
/// Minimum and maximum height of a board.
pub const HEIGHTS: std::ops::RangeInclusive<usize> = 4..=40;

/// A column that is filled in every row: the walls left and right of the board.
pub const WALL: u64 = u64::MAX;

/// The settled stack: `width` columns of `height` rows.
///
/// Bit `r` of a column is row `r`, counted from the bottom. A piece that ends the game may reach up
/// to four rows above the top, so each word has bits for these rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    width: u8,
    height: u8,
    columns: [u64; 16],
}

/// Why a board is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// The width is not supported.
    Width(usize),
    /// The height is not supported.
    Height(usize),
    /// The number of rows differs from the height.
    Rows {
        /// The number of rows found.
        found: usize,
        /// The height of the board.
        height: usize,
    },
    /// A row's length differs from the width.
    RowLength {
        /// The number of the row, counted from 1 at the top.
        row: usize,
        /// The number of cells in the row.
        found: usize,
        /// The width of the board.
        width: usize,
    },
    /// A cell is neither `.` nor `#`.
    Cell {
        /// The number of the row, counted from 1 at the top.
        row: usize,
        /// The character found.
        cell: char,
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardError::Width(found) => write!(
                f,
                "a board must be {} to {} columns wide, got {found}",
                WIDTHS.start(),
                WIDTHS.end()
            ),
            BoardError::Height(found) => write!(
                f,
                "a board must be {} to {} rows high, got {found}",
                HEIGHTS.start(),
                HEIGHTS.end()
            ),
            BoardError::Rows { found, height } => {
                write!(f, "the board has {found} rows, but its height is {height}")
            }
            BoardError::RowLength { row, found, width } => write!(
                f,
                "row {row} from the top: expected {width} cells, found {found}"
            ),
            BoardError::Cell { row, cell } => write!(
                f,
                "row {row} from the top: expected '.' (empty) or '#' (filled), found '{cell}'"
            ),
        }
    }
}

impl std::error::Error for BoardError {}

impl Board {
    /// An empty board.
    ///
    /// # Errors
    /// If the size is outside [`WIDTHS`] and [`HEIGHTS`].
    pub fn new(width: usize, height: usize) -> Result<Board, BoardError> {
        if !WIDTHS.contains(&width) {
            return Err(BoardError::Width(width));
        }
        if !HEIGHTS.contains(&height) {
            return Err(BoardError::Height(height));
        }
        Ok(Board {
            width: width as u8,
            height: height as u8,
            columns: [0; 16],
        })
    }

    /// A board drawn as `height` rows of `.` and `#`, top row first.
    ///
    /// # Errors
    /// If the size, a row or a cell is invalid; the error says which.
    pub fn from_rows<S: AsRef<str>>(
        width: usize,
        height: usize,
        rows: &[S],
    ) -> Result<Board, BoardError> {
        Board::new(width, height)?;
        let found = rows.len();
        if found != height {
            return Err(BoardError::Rows { found, height });
        }
        Board::from_lowest_rows(width, height, rows)
    }

    /// A board drawn as its lowest rows of `.` and `#`, top row first; the rows above them are
    /// empty.
    ///
    /// # Errors
    /// If the size, a row or a cell is invalid, or there are more rows than the board is high.
    pub fn from_lowest_rows<S: AsRef<str>>(
        width: usize,
        height: usize,
        rows: &[S],
    ) -> Result<Board, BoardError> {
        let mut board = Board::new(width, height)?;
        let found = rows.len();
        if found > height {
            return Err(BoardError::Rows { found, height });
        }
        for (index, line) in rows.iter().enumerate() {
            board.fill_row(found - 1 - index, index + 1, line.as_ref())?;
        }
        Ok(board)
    }

    /// Fills the cells of a row from its drawing; `shown` is its number in the drawing, for errors.
    fn fill_row(&mut self, row: usize, shown: usize, line: &str) -> Result<(), BoardError> {
        let (found, width) = (line.chars().count(), self.width());
        if found != width {
            return Err(BoardError::RowLength {
                row: shown,
                found,
                width,
            });
        }
        for (column, cell) in line.chars().enumerate() {
            match cell {
                '#' => self.columns[column] |= 1 << row,
                '.' => {}
                _ => return Err(BoardError::Cell { row: shown, cell }),
            }
        }
        Ok(())
    }

    /// The board as `height` rows of `.` and `#`, top row first; rows above the top are omitted.
    pub fn to_rows(&self) -> Vec<String> {
        let row_of = |row: usize| {
            (0..self.width())
                .map(|column| {
                    if self.is_filled(row, column) {
                        '#'
                    } else {
                        '.'
                    }
                })
                .collect()
        };
        (0..self.height()).rev().map(row_of).collect()
    }

    /// Number of columns.
    #[inline]
    pub fn width(&self) -> usize {
        usize::from(self.width)
    }

    /// Number of rows.
    #[inline]
    pub fn height(&self) -> usize {
        usize::from(self.height)
    }

    /// The columns, left to right; bit `r` is row `r` from the bottom.
    #[inline]
    pub fn columns(&self) -> &[u64] {
        &self.columns[..self.width()]
    }

    /// A column, or the wall if the index is outside the board.
    #[inline]
    pub fn column_or_wall(&self, column: isize) -> u64 {
        if (0..self.width as isize).contains(&column) {
            self.columns[column as usize]
        } else {
            WALL
        }
    }

    /// Whether the cell is filled; row 0 is the bottom row.
    pub fn is_filled(&self, row: usize, column: usize) -> bool {
        self.columns()[column] >> row & 1 == 1
    }

    /// Fills one cell; row 0 is the bottom row.
    pub fn fill(&mut self, row: usize, column: usize) {
        assert!(row < self.height() + 4 && column < self.width());
        self.columns[column] |= 1 << row;
    }

    /// Fills cells of one column; `rows` has one bit per row.
    pub(crate) fn fill_rows(&mut self, column: usize, rows: u64) {
        assert!(column < self.width() && rows >> (self.height() + 4) == 0);
        self.columns[column] |= rows;
    }

    /// Height of every column: one more than the row of its topmost filled cell, 0 if empty.
    pub fn heights(&self) -> impl Iterator<Item = usize> + '_ {
        self.columns().iter().map(|&column| column_height(column))
    }

    /// All columns that a board can have; those beyond its width are empty.
    #[inline]
    pub(crate) fn all_columns(&self) -> &[u64; 16] {
        &self.columns
    }

    /// Height of the highest column.
    pub fn max_height(&self) -> usize {
        column_height(self.columns.iter().fold(0, |all, column| all | column))
    }

    /// Rows that are filled from wall to wall, as a mask.
    #[inline]
    pub fn full_rows(&self) -> u64 {
        self.columns()
            .iter()
            .fold(WALL, |full, column| full & column)
    }

    /// The row in which the box of `shape` locks when dropped with its left edge in column `x`.
    #[inline]
    pub fn resting_row(&self, shape: &Shape, x: usize) -> usize {
        (0..shape.width)
            .map(|j| {
                column_height(self.columns[x + j]).saturating_sub(usize::from(shape.bottoms[j]))
            })
            .max()
            .unwrap_or(0)
    }

    /// Fills the cells of `shape` with the lower left corner of its box at row `y`, column `x`.
    #[inline]
    pub fn fill_shape(&mut self, shape: &Shape, x: usize, y: usize) {
        for j in 0..shape.width {
            self.columns[x + j] |= u64::from(shape.columns[j]) << y;
        }
    }

    /// Whether a cell of `shape` at row `y`, column `x` is filled already.
    pub fn overlaps(&self, shape: &Shape, x: usize, y: usize) -> bool {
        (0..shape.width).any(|j| self.columns[x + j] & (u64::from(shape.columns[j]) << y) != 0)
    }

    /// Removes the rows of the mask and lowers everything above them.
    #[inline]
    pub fn remove_rows(&mut self, rows: u64) {
        let width = self.width();
        let mut rest = rows;
        while rest != 0 {
            // From the top down, so that the rows still to be removed keep their positions.
            let row = 63 - rest.leading_zeros();
            let below = (1u64 << row) - 1;
            for column in &mut self.columns[..width] {
                *column = (*column & below) | ((*column >> 1) & !below);
            }
            rest &= below;
        }
    }

    /// Removes every full row; returns their number.
    pub fn remove_full_rows(&mut self) -> u32 {
        let full = self.full_rows();
        self.remove_rows(full);
        full.count_ones()
    }
}

/// Height of one column: one more than the row of its topmost filled cell, 0 if empty.
#[inline]
pub fn column_height(column: u64) -> usize {
    (64 - column.leading_zeros()) as usize
}

/// The empty cells of a column that have a filled cell somewhere above them.
#[inline]
pub fn column_holes(column: u64) -> u64 {
    let below_top = (1u64 << column_height(column)) - 1;
    !column & below_top
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}x{}", self.width, self.height)?;
        self.to_rows()
            .iter()
            .try_for_each(|row| writeln!(f, "{row}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: &[&str]) -> Board {
        Board::from_rows(rows[0].len(), rows.len(), rows).unwrap()
    }

    #[test]
    fn full_rows_disappear_and_the_rest_falls() {
        let mut worked = board(&["#...", "####", ".#.#", "####", "..#."]);
        assert_eq!(worked.remove_full_rows(), 2);
        assert_eq!(worked, board(&["....", "....", "#...", ".#.#", "..#."]));
    }

    #[test]
    fn a_board_reads_back_as_it_was_written() {
        let rows = ["#...", "####", ".#.#", "####", "..#."];
        assert_eq!(board(&rows).to_rows(), rows);
    }

    #[test]
    fn the_lowest_rows_make_a_board_that_is_empty_above() {
        let lowest = Board::from_lowest_rows(4, 5, &["#...", ".###"]).unwrap();
        assert_eq!(lowest, board(&["....", "....", "....", "#...", ".###"]));
        let rows = ["...."; 6];
        assert_eq!(
            Board::from_lowest_rows(4, 5, &rows)
                .unwrap_err()
                .to_string(),
            "the board has 6 rows, but its height is 5"
        );
    }

    #[test]
    fn wrong_sizes_rows_and_cells_are_named() {
        let error = |w, h, rows: &[&str]| Board::from_rows(w, h, rows).unwrap_err().to_string();
        assert_eq!(
            error(3, 4, &[]),
            "a board must be 4 to 16 columns wide, got 3"
        );
        assert_eq!(
            error(4, 41, &[]),
            "a board must be 4 to 40 rows high, got 41"
        );
        let short = error(4, 4, &["....", "...", "....", "...."]);
        assert_eq!(short, "row 2 from the top: expected 4 cells, found 3");
        let odd = error(4, 4, &["....", "....", "..x.", "...."]);
        assert!(odd.starts_with("row 3 from the top: expected") && odd.ends_with("found 'x'"));
    }
}
