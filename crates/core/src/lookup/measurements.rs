//! Measurements of boards that several tables need, so that they are computed only once.
//!
//! Everything is generic over [`Word`]: `u64` for one board, a vector for eight.

use super::covers;
use super::fits::FitPlaces;
use super::measure::{BoardMeasure, measure};
use super::row_digits::RowDigits;
use crate::board::{HEIGHTS, WIDTHS};
use crate::simd::{Word, WordNumber};
use std::ops::{BitOr, Deref};

/// The maximum numbers of columns and rows of a board.
pub(crate) const MOST_COLUMNS: usize = *WIDTHS.end();
const MOST_ROWS: usize = *HEIGHTS.end();
/// Number of rows that are assembled from columns together; on the widest board, the last of them
/// fits in 32 bits.
const ROWS_TOGETHER: usize = 16;

/// What tables need besides the columns and their heights, which are always measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs(u32);

impl Needs {
    /// Nothing else.
    pub const NONE: Needs = Needs(0);
    /// The cells of each row, and the number of empty ones.
    pub const ROWS: Needs = Needs(1);
    /// Rows as numbers in base 3.
    pub const PATTERNS: Needs = Needs(2 | Needs::ROWS.0);
    /// The cells above the highest hole of each column.
    pub const COVERS: Needs = Needs(4 | Needs::ROWS.0);
    /// The pieces that fit the surface.
    pub const FITS: Needs = Needs(8);

    /// Another measure of the whole board.
    pub(super) const fn measure(measure: BoardMeasure) -> Needs {
        Needs(16 << measure as u32)
    }

    /// Whether all of the other needs are included in these.
    #[inline(always)]
    pub(super) const fn include(self, other: Needs) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Needs {
    type Output = Needs;

    fn bitor(self, other: Needs) -> Needs {
        Needs(self.0 | other.0)
    }
}

/// Constants for measurements, computed once for a set of tables.
#[derive(Debug)]
pub(super) struct NumberTables {
    pub(super) rows: RowDigits,
    pub(super) fits: FitPlaces,
}

impl NumberTables {
    pub(super) fn new(needs: Needs, width: usize) -> NumberTables {
        // Row patterns that would need too much memory are not computed.
        let row_width = if needs.include(Needs::PATTERNS) {
            width
        } else {
            1
        };
        NumberTables {
            rows: RowDigits::new(row_width),
            fits: FitPlaces::new(),
        }
    }
}

/// Measurements of one board, or of eight boards. Row `r` is bit `r` of a column, where the bottom
/// row is 0; column `c` is bit `c` of a row. Measurements that no table [needs](Needs) are not
/// updated.
#[derive(Clone, Debug)]
pub struct Measurements<W: Word> {
    /// The number of rows of the board.
    pub(super) height: W::Num,
    pub(super) columns: [W; MOST_COLUMNS],
    /// The height of column `c` at `c + 1`; the walls are as high as the board.
    pub(super) heights: [W::Num; MOST_COLUMNS + 2],
    /// The height of the next column minus the height of this one.
    pub(super) rises: [W::Num; MOST_COLUMNS],
    /// Empty cells below the top of their column.
    pub(super) covered: [W; MOST_COLUMNS],
    /// The depth of a column below the lower of its neighbours, 0 if it is not lower.
    pub(super) wells: [W::Num; MOST_COLUMNS],
    /// Height of the highest column.
    pub(super) highest: W::Num,
    /// Rows that contain a covered cell.
    pub(super) hole_rows: W,
    /// One more than the row of the highest hole; 0 without a hole.
    pub(super) hole_top: W::Num,
    /// Height of the highest column over all boards.
    pub(super) most_rows: usize,
    /// The filled cells of each row up to that height.
    pub(super) filled_rows: [W::Num; MOST_ROWS],
    /// Each of these rows as a [pattern](RowDigits).
    pub(super) patterns: [<W::Num as WordNumber>::Stored; MOST_ROWS],
    /// The number of empty cells in each of these rows.
    pub(super) missing: [W::Num; MOST_ROWS],
    /// The number of empty cells in all rows below each of these rows.
    pub(super) missing_below: [<W::Num as WordNumber>::Stored; MOST_ROWS + 1],
    /// Number of fitting placements of each piece: see [`FitPlaces`].
    pub(super) fits: W::Num,
    /// One more than the row of the highest hole of each column.
    pub(super) cover_tops: [W::Num; MOST_COLUMNS],
    /// The cells above the highest hole of each column: their number, and the number of empty cells
    /// in their rows, packed into one number.
    pub(super) covers: [W::Num; MOST_COLUMNS],
    /// All measures of the board.
    pub(super) measures: [W::Num; BoardMeasure::COUNT],
}

/// Measurements of one board.
pub type BoardMeasurements = Measurements<u64>;

impl Default for BoardMeasurements {
    fn default() -> BoardMeasurements {
        Measurements::new()
    }
}

impl<W: Word> Measurements<W> {
    /// Scratch space, reused across boards.
    #[inline(always)]
    pub(crate) fn new() -> Measurements<W> {
        let (zero, none) = (W::Num::splat(0), W::bits(0));
        Measurements {
            height: zero,
            columns: [none; MOST_COLUMNS],
            heights: [zero; MOST_COLUMNS + 2],
            rises: [zero; MOST_COLUMNS],
            covered: [none; MOST_COLUMNS],
            wells: [zero; MOST_COLUMNS],
            highest: zero,
            hole_rows: none,
            hole_top: zero,
            most_rows: 0,
            filled_rows: [zero; MOST_ROWS],
            patterns: [zero.store(); MOST_ROWS],
            missing: [zero; MOST_ROWS],
            missing_below: [zero.store(); MOST_ROWS + 1],
            fits: zero,
            cover_tops: [zero; MOST_COLUMNS],
            covers: [zero; MOST_COLUMNS],
            measures: [zero; BoardMeasure::COUNT],
        }
    }

    /// Computes the needed measurements of boards with these columns and numbers of rows.
    #[inline(always)]
    pub(super) fn measure(
        &mut self,
        (width, height): (usize, W::Num),
        columns: &[W; MOST_COLUMNS],
        needs: Needs,
        numbers: &NumberTables,
    ) {
        self.measure_columns(width, height, columns);
        if needs.include(Needs::PATTERNS) {
            self.turn::<true>(width, &numbers.rows);
        } else if needs.include(Needs::ROWS) {
            self.turn::<false>(width, &numbers.rows);
        }
        if needs.include(Needs::FITS) {
            self.fits = numbers.fits.count(&self.rises[..width - 1]);
        }
        if needs.include(Needs::COVERS) {
            covers::measure(width, self);
        }
        measure(width, self, needs);
    }

    /// Stores a measure of the whole board.
    #[inline(always)]
    pub(super) fn set(&mut self, measure: BoardMeasure, value: W::Num) {
        self.measures[measure as usize] = value;
    }

    #[inline(always)]
    fn measure_columns(&mut self, width: usize, height: W::Num, columns: &[W; MOST_COLUMNS]) {
        let zero = W::Num::splat(0);
        self.height = height;
        self.heights[0] = height;
        self.heights[width + 1] = height;
        (self.highest, self.hole_rows) = (zero, W::bits(0));
        for c in 0..width {
            let column = columns[c];
            let top = column.height();
            let covered = W::filled(top) & !column;
            self.columns[c] = column;
            self.heights[c + 1] = top;
            self.covered[c] = covered;
            self.highest = self.highest.most(top);
            self.hole_rows = self.hole_rows | covered;
        }
        self.hole_top = self.hole_rows.height();
        for c in 0..width {
            let (left, own, right) = (self.heights[c], self.heights[c + 1], self.heights[c + 2]);
            self.rises[c] = right - own;
            self.wells[c] = (left.least(right) - own).most(zero);
        }
        self.most_rows = (self.highest.largest() as usize).min(MOST_ROWS);
    }

    /// Assembles rows from columns.
    #[inline(always)]
    fn turn<const PATTERNS: bool>(&mut self, width: usize, digits: &RowDigits) {
        let mut below = W::Num::splat(0);
        for first in (0..self.most_rows).step_by(ROWS_TOGETHER) {
            let moved;
            let [cells, holes] = if first == 0 {
                [&self.columns, &self.covered]
            } else {
                moved = self.moved_down(first, width);
                [&moved[0], &moved[1]]
            };
            for row in first..self.most_rows.min(first + ROWS_TOGETHER) {
                let filled = row_of(row - first, &cells[..width]);
                self.filled_rows[row] = filled.number();
                if PATTERNS {
                    let covered = row_of(row - first, &holes[..width]);
                    let pattern = digits.pattern(filled.number(), covered.number());
                    pattern.store_to(&mut self.patterns[row]);
                }
                let missing = W::Num::splat(width as i32) - filled.count();
                self.missing[row] = missing;
                below.store_to(&mut self.missing_below[row]);
                below = below + missing;
            }
        }
        below.store_to(&mut self.missing_below[self.most_rows]);
    }

    /// The filled and covered cells from a row on.
    #[inline(always)]
    fn moved_down(&self, row: usize, width: usize) -> [[W; MOST_COLUMNS]; 2] {
        let mut moved = [self.columns, self.covered];
        for c in 0..width {
            moved[0][c] = moved[0][c].down_by(W::Num::splat(row as i32));
            moved[1][c] = moved[1][c].down_by(W::Num::splat(row as i32));
        }
        moved
    }
}

/// One of the lowest rows of some columns; bit `c` is column `c`.
#[inline(always)]
fn row_of<W: Word>(row: usize, columns: &[W]) -> W {
    let cell = W::bits(1 << row);
    let mut cells = W::bits(0);
    for &column in columns.iter().rev() {
        cells = cells.up::<1>() | (column & cell);
    }
    cells.down_by(W::Num::splat(row as i32))
}

/// Measured boards. Their width is stored here, so that loops over columns can be unrolled if the
/// compiler knows it.
pub struct BoardView<'m, W: Word> {
    pub(super) width: usize,
    pub(super) measured: &'m Measurements<W>,
}

impl<W: Word> Deref for BoardView<'_, W> {
    type Target = Measurements<W>;

    #[inline(always)]
    fn deref(&self) -> &Measurements<W> {
        self.measured
    }
}

impl<W: Word> BoardView<'_, W> {
    /// Height of a column.
    #[inline(always)]
    pub(super) fn height_of(&self, column: usize) -> W::Num {
        self.heights[column + 1]
    }

    /// The number of empty rows above the highest column, at most this many.
    #[inline(always)]
    pub(super) fn rows_left(&self, most: usize) -> W::Num {
        let rows = self.height - self.highest;
        rows.least(W::Num::splat(most as i32))
    }

    /// The heights of the neighbours of a column minus its own; a wall is as high as the board.
    #[inline(always)]
    pub(super) fn sides(&self, column: usize) -> [W::Num; 2] {
        let own = self.heights[column + 1];
        [self.heights[column] - own, self.heights[column + 2] - own]
    }

    /// A mask of the boards whose highest column reaches this row.
    #[inline(always)]
    pub(super) fn has_row(&self, row: usize) -> W::Num {
        self.highest.above(W::Num::splat(row as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn a_board_is_measured_as_it_is_drawn() {
        let (mut measured, needs) = (BoardMeasurements::default(), Needs::PATTERNS);
        let numbers = NumberTables::new(needs, 4);
        // Earlier boards leave no traces.
        for rows in [
            ["####", "#...", "####", "#.##"],
            ["....", "#...", ".#..", "##.#"],
        ] {
            let board = Board::from_rows(4, 4, &rows).unwrap();
            let mut columns = [0; MOST_COLUMNS];
            columns[..4].copy_from_slice(board.columns());
            measured.measure((4, 4), &columns, needs, &numbers);
        }
        assert_eq!(measured.heights[..6], [4, 3, 2, 0, 1, 4]);
        assert_eq!(measured.filled_rows[..3], [0b1011, 0b0010, 0b0001]);
        assert_eq!(measured.missing_below[..4], [[0], [1], [4], [7]]);
        assert_eq!((measured.most_rows, measured.highest), (3, 3));
        assert_eq!((measured.hole_rows, measured.hole_top), (0b10, 2));
        assert_eq!(measured.rises[..3], [-1, -2, 1]);
        assert_eq!(measured.wells[..4], [0, 0, 1, 0]);
        let view = BoardView {
            width: 4,
            measured: &measured,
        };
        assert_eq!([view.sides(0), view.sides(3)], [[1, -1], [-1, 3]]);
    }
}
