//! What tables look at: a board with all that several of them ask of it, measured once.

use crate::board::{Board, HEIGHTS, WIDTHS, column_height, column_holes};
use crate::outcomes::members;

/// The most columns and rows of a board; pieces may reach above the top while they are placed, settled boards do not.
const MOST_COLUMNS: usize = *WIDTHS.end();
const MOST_ROWS: usize = *HEIGHTS.end();

/// A board as tables see it. Column `c` is bit `c` of a row, row `r` bit `r` of a column, both from 0 on, the bottom row being 0.
#[derive(Clone, Debug)]
pub struct BoardMeasurements {
    width: usize,
    height: usize,
    columns: [u64; MOST_COLUMNS],
    heights: [u8; MOST_COLUMNS],
    /// Empty cells below the top of their column.
    covered: [u64; MOST_COLUMNS],
    /// Filled cells of every row up to the highest column.
    filled_rows: [u16; MOST_ROWS],
    /// Covered cells of every row up to the highest column.
    covered_rows: [u16; MOST_ROWS],
    highest: usize,
    hole_rows: u64,
    holes: u32,
}

impl Default for BoardMeasurements {
    fn default() -> BoardMeasurements {
        BoardMeasurements {
            width: 0,
            height: 0,
            columns: [0; MOST_COLUMNS],
            heights: [0; MOST_COLUMNS],
            covered: [0; MOST_COLUMNS],
            filled_rows: [0; MOST_ROWS],
            covered_rows: [0; MOST_ROWS],
            highest: 0,
            hole_rows: 0,
            holes: 0,
        }
    }
}

impl BoardMeasurements {
    /// Looks at a board. What reaches above its top is cut off.
    pub fn look(&mut self, board: &Board) {
        let (width, height) = (board.width(), board.height());
        (self.width, self.height) = (width, height);
        let inside = u64::MAX >> (64 - height);
        (self.highest, self.hole_rows, self.holes) = (0, 0, 0);
        for (number, column) in board.columns().iter().enumerate() {
            let column = column & inside;
            let (top, covered) = (column_height(column), column_holes(column));
            self.columns[number] = column;
            self.heights[number] = top as u8;
            self.covered[number] = covered;
            self.highest = self.highest.max(top);
            self.hole_rows |= covered;
            self.holes += covered.count_ones();
        }
        self.turn();
    }

    /// Rows from columns.
    fn turn(&mut self) {
        self.filled_rows[..self.highest].fill(0);
        self.covered_rows[..self.highest].fill(0);
        for number in 0..self.width {
            for row in members(self.columns[number]) {
                self.filled_rows[row] |= 1 << number;
            }
            for row in members(self.covered[number]) {
                self.covered_rows[row] |= 1 << number;
            }
        }
    }

    /// Columns of the board.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows of the board.
    #[inline]
    pub fn height(&self) -> usize {
        self.height
    }

    /// The filled cells of a column.
    #[inline]
    pub fn column(&self, number: usize) -> u64 {
        self.columns[number]
    }

    /// Heights of the columns, from the left.
    #[inline]
    pub fn heights(&self) -> &[u8] {
        &self.heights[..self.width]
    }

    /// The empty cells of a column below its top.
    #[inline]
    pub fn covered(&self, number: usize) -> u64 {
        self.covered[number]
    }

    /// The filled cells of the rows up to the highest column, from the bottom.
    #[inline]
    pub fn filled_rows(&self) -> &[u16] {
        &self.filled_rows[..self.highest]
    }

    /// The covered cells of the same rows.
    #[inline]
    pub fn covered_rows(&self) -> &[u16] {
        &self.covered_rows[..self.highest]
    }

    /// Height of the highest column.
    #[inline]
    pub fn highest(&self) -> usize {
        self.highest
    }

    /// Empty rows above the highest column.
    #[inline]
    pub fn rows_left(&self) -> usize {
        self.height - self.highest
    }

    /// Rows that have a covered cell, as a mask.
    #[inline]
    pub fn hole_rows(&self) -> u64 {
        self.hole_rows
    }

    /// How many cells are covered.
    #[inline]
    pub fn holes(&self) -> usize {
        self.holes as usize
    }

    /// The row of the highest covered cell.
    #[inline]
    pub fn highest_hole(&self) -> Option<usize> {
        column_height(self.hole_rows).checked_sub(1)
    }

    /// How much higher the column to the right of a gap is than the one to its left: `height(gap + 1) - height(gap)`.
    #[inline]
    pub fn rise(&self, gap: usize) -> i32 {
        i32::from(self.heights[gap + 1]) - i32::from(self.heights[gap])
    }

    /// How much higher the neighbours of a column are than the column itself; a wall is as high as the board.
    #[inline]
    pub fn sides(&self, number: usize) -> [i32; 2] {
        let own = i32::from(self.heights[number]);
        let wall = self.height as i32;
        let left = number
            .checked_sub(1)
            .map_or(wall, |left| i32::from(self.heights[left]));
        let right = self
            .heights()
            .get(number + 1)
            .map_or(wall, |right| i32::from(*right));
        [left - own, right - own]
    }

    /// How far a column lies below the lower of its neighbours, 0 if it does not: the depth of the well.
    #[inline]
    pub fn well(&self, number: usize) -> usize {
        let [left, right] = self.sides(number);
        left.min(right).max(0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_measured_as_it_is_drawn() {
        let rows = ["....", "#...", ".#..", "##.#"];
        let board = Board::from_rows(4, 4, &rows).unwrap();
        let mut measurements = BoardMeasurements::default();
        // What was seen before leaves nothing behind.
        measurements.look(&Board::from_rows(4, 4, &["####", "#...", "####", "#.##"]).unwrap());
        measurements.look(&board);
        assert_eq!(measurements.heights(), [3, 2, 0, 1]);
        assert_eq!(measurements.filled_rows(), [0b1011, 0b0010, 0b0001]);
        assert_eq!(measurements.covered_rows(), [0, 0b0001, 0]);
        assert_eq!((measurements.highest(), measurements.rows_left()), (3, 1));
        assert_eq!(
            (measurements.holes(), measurements.highest_hole()),
            (1, Some(1))
        );
        assert_eq!([0, 1, 2].map(|gap| measurements.rise(gap)), [-1, -2, 1]);
        assert_eq!(measurements.sides(0), [1, -1]);
        assert_eq!(measurements.sides(3), [-1, 3]);
        assert_eq!(
            [0, 1, 2, 3].map(|column| measurements.well(column)),
            [0, 0, 1, 0]
        );
    }
}
