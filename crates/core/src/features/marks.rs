//! Marks: the cells that a feature counts, for pictures that illustrate it.
//!
//! Each feature lists its cells next to its rule, in simple code that visits the board cell by
//! cell. A test compares the sum of the marks with the value of the rule, so pictures and values
//! always agree.

use crate::board::Board;
use crate::placement::Transition;

/// Finds the cells that a feature counts in a step.
pub type Marker = fn(&Transition) -> Marked;

/// A cell that a feature counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkedCell {
    /// Row from the bottom, starting at 0.
    pub row: usize,
    /// Column from the left, starting at 0.
    pub column: usize,
    /// The contribution of the cell to the feature; 1 if the feature is not a sum over cells.
    pub count: f64,
}

/// The cells that a feature counts in a step.
#[derive(Clone, Debug)]
pub struct Marked {
    /// The board with these cells: after the step, or with the piece in place and full rows not yet
    /// removed.
    pub board: Board,
    /// The cells, row by row from the bottom.
    pub cells: Vec<MarkedCell>,
    /// Whether the counts add up to the feature's value, or to the sum of its values. Otherwise the
    /// feature depends on these cells but is not a sum over them: a maximum, a row number, the
    /// number of different patterns.
    pub adds_up: bool,
}

impl Marked {
    /// No cells, for a feature that does not depend on any.
    pub(super) fn nothing(step: &Transition) -> Marked {
        Marked::counted(step.after, &|_, _, _| 0.0)
    }

    /// Cells of the board after the step, each with its contribution to the feature.
    pub(super) fn after<N: Into<f64>>(
        step: &Transition,
        count: impl Fn(&Grid, usize, usize) -> N,
    ) -> Marked {
        Marked::counted(step.after, &|grid, row, column| {
            count(grid, row, column).into()
        })
    }

    /// Cells of the board with the piece in place and full rows not yet removed.
    pub(super) fn landed<N: Into<f64>>(
        step: &Transition,
        count: impl Fn(&Grid, usize, usize) -> N,
    ) -> Marked {
        let board = super::with_full_rows(step);
        Marked::counted(board, &|grid, row, column| count(grid, row, column).into())
    }

    /// Cells of the piece, where it landed.
    pub(super) fn piece<N: Into<f64>>(step: &Transition, count: impl Fn(usize) -> N) -> Marked {
        let cells = step.placement.cells();
        Marked::landed(step, |_, row, column| {
            match cells.contains(&(row, column)) {
                true => count(row).into(),
                false => 0.0,
            }
        })
    }

    /// The same cells, for a feature that is not a sum over them.
    pub(super) fn looked_at(mut self) -> Marked {
        self.cells.iter_mut().for_each(|cell| cell.count = 1.0);
        self.adds_up = false;
        self
    }

    /// Not generic, so that the loop over the board is compiled only once rather than for each
    /// feature.
    fn counted(board: Board, count: &dyn Fn(&Grid, usize, usize) -> f64) -> Marked {
        let grid = Grid { board };
        let mut cells = Vec::new();
        for row in 0..=board.height().max(board.max_height()) {
            for column in 0..board.width() {
                let count = count(&grid, row, column);
                if count != 0.0 {
                    cells.push(MarkedCell { row, column, count });
                }
            }
        }
        Marked {
            board,
            cells,
            adds_up: true,
        }
    }
}

/// A board, cell by cell. Beyond the side walls all cells are filled; above the board and below the
/// floor, all are empty.
pub(super) struct Grid {
    pub(super) board: Board,
}

impl Grid {
    pub(super) fn width(&self) -> usize {
        self.board.width()
    }

    pub(super) fn height(&self) -> usize {
        self.board.height()
    }

    pub(super) fn filled(&self, row: usize, column: usize) -> bool {
        self.board.is_filled(row, column)
    }

    pub(super) fn empty(&self, row: usize, column: usize) -> bool {
        !self.filled(row, column)
    }

    pub(super) fn left_filled(&self, row: usize, column: usize) -> bool {
        column == 0 || self.filled(row, column - 1)
    }

    pub(super) fn right_filled(&self, row: usize, column: usize) -> bool {
        column + 1 == self.width() || self.filled(row, column + 1)
    }

    pub(super) fn above_filled(&self, row: usize, column: usize) -> bool {
        self.filled(row + 1, column)
    }

    /// Whether the cell below is filled; the floor is not.
    pub(super) fn below_filled(&self, row: usize, column: usize) -> bool {
        row > 0 && self.filled(row - 1, column)
    }

    /// Height of a column.
    pub(super) fn top(&self, column: usize) -> usize {
        let rows = (0..64).rev().find(|&row| self.filled(row, column));
        rows.map_or(0, |row| row + 1)
    }

    /// Heights of the neighbours of a column; a wall is higher than everything.
    pub(super) fn neighbour_tops(&self, column: usize) -> [usize; 2] {
        let left = column
            .checked_sub(1)
            .map_or(usize::MAX, |left| self.top(left));
        let right = column + 1;
        [
            left,
            if right < self.width() {
                self.top(right)
            } else {
                usize::MAX
            },
        ]
    }

    /// Whether a cell is between the top of its column and a height above it.
    pub(super) fn is_between_tops(&self, row: usize, column: usize, height: usize) -> bool {
        (self.top(column)..height).contains(&row)
    }

    /// Height of the highest column.
    pub(super) fn highest(&self) -> usize {
        self.board.max_height()
    }

    /// Height of the lowest column.
    pub(super) fn lowest(&self) -> usize {
        self.board.heights().min().unwrap_or(0)
    }

    /// The first column with the largest number of some kind.
    pub(super) fn column_with_most<N: PartialOrd>(&self, number: impl Fn(usize) -> N) -> usize {
        let mut best = 0;
        for column in 1..self.width() {
            if number(column) > number(best) {
                best = column;
            }
        }
        best
    }

    /// Distance from a column to the nearer wall.
    pub(super) fn wall_distance(&self, column: usize) -> usize {
        column.min(self.width() - 1 - column)
    }

    /// Whether a cell is empty with a filled cell somewhere above it.
    pub(super) fn is_hole(&self, row: usize, column: usize) -> bool {
        self.empty(row, column) && row < self.top(column)
    }

    /// Number of holes.
    pub(super) fn holes(&self) -> usize {
        (0..self.width())
            .map(|column| self.holes_below(self.top(column), column))
            .sum()
    }

    /// Number of holes of a column below a row.
    pub(super) fn holes_below(&self, row: usize, column: usize) -> usize {
        (0..row).filter(|&row| self.is_hole(row, column)).count()
    }

    /// Row of the highest hole.
    pub(super) fn highest_hole(&self) -> Option<usize> {
        let has_hole = |row: &usize| (0..self.width()).any(|column| self.is_hole(*row, column));
        (0..self.highest()).rev().find(has_hole)
    }

    /// Number of empty cells of a row.
    pub(super) fn empty_in_row(&self, row: usize) -> usize {
        (0..self.width())
            .filter(|&column| self.empty(row, column))
            .count()
    }

    /// The share of a cell if a whole row counts as one.
    pub(super) fn share_of_row(&self, counts: bool) -> f64 {
        f64::from(counts) / self.width() as f64
    }

    /// Whether a cell is the highest filled one of its column, or the floor cell of an empty
    /// column.
    pub(super) fn is_surface(&self, row: usize, column: usize) -> bool {
        row == self.top(column).saturating_sub(1)
    }
}
