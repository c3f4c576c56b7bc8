//! The features of the xtris bot. It evaluates the board with the full rows still in place and
//! skips them, so these features do the same, regardless of the board that other features measure.
//! Rows above the top are ignored.

use super::Feature;
use super::local::{At, BoardCounts, BoardTerm, Column, ColumnTerm, Columns, Fold};
use super::marks::{Grid, Marked};
use crate::board::{Board, HEIGHTS};
use crate::outcomes::Step;
use crate::simd::{Word, WordNumber};

const SOURCE: &str = "xtris 1996 (Llima, Bercot, Blondeel) as in Fahey's StandardTetris";

pub(super) const XTRIS_MAX_HEIGHT: Feature = Feature::fold::<MaxHeight>(
    "xtris_max_height",
    "highest row that is neither empty nor full (the bottom row is 1), with full rows still in place",
    SOURCE,
)
.with_full_rows()
.marking(|step| {
    let is_partly_filled = |grid: &Grid, row: usize| {
        row < grid.height() && (1..grid.width()).contains(&grid.empty_in_row(row))
    };
    let is_highest = |grid: &Grid, row, _| {
        is_partly_filled(grid, row) && !(row + 1..64).any(|row| is_partly_filled(grid, row))
    };
    Marked::landed(step, is_highest).looked_at()
});

pub(super) const XTRIS_FRONTIER: Feature = Feature::columns::<Frontier>(
    "xtris_frontier",
    "sides of empty cells that touch a filled cell or a side wall, with full rows still in place",
    SOURCE,
)
.with_full_rows()
.marking(|step| {
    Marked::landed(step, |grid, row, column| {
        let above = row + 1 < grid.height() && grid.above_filled(row, column);
        let sides = [
            grid.left_filled(row, column),
            grid.right_filled(row, column),
        ];
        let [left, right] = sides.map(u32::from);
        let sides = u32::from(above) + u32::from(grid.below_filled(row, column)) + left + right;
        u32::from(row < grid.height() && grid.empty(row, column)) * sides
    })
});

pub(super) const XTRIS_PITS: Feature = Feature::board::<Pits>(
    "xtris_pits",
    "sum of depth - 1 over all pits that are at least 2 deep and too narrow for anything two columns wide, with full rows still in place",
    SOURCE,
)
.with_full_rows()
.marking(|step| {
    Marked::landed(step, |grid, row, column| {
        let (bottom, stop) = pit(grid, column);
        let depth = stop - bottom;
        let counts = (bottom..stop).contains(&row) && depth > 1;
        f64::from(counts) * (depth as f64 - 1.0) / depth.max(1) as f64
    })
});

pub(super) const XTRIS_EMBEDDED_HOLES: Feature = Feature::step(
    "xtris_embedded_holes",
    "sum over empty cells of 1 + the sum of the row of the nearest filled cell one or two rows above, with full rows still in place",
    SOURCE,
    embedded_holes,
)
.marking(|step| {
    let is_empty = |grid: &Grid, row, column| row < grid.height() && grid.empty(row, column);
    Marked::landed(step, is_empty).looked_at()
});

/// The rows of a board.
#[inline(always)]
fn rows<W: Word>(height: usize) -> W {
    W::filled(W::Num::splat(height as i32))
}

/// The rows that are full.
#[inline(always)]
fn full<W: Word>(board: &Columns<W>) -> W {
    let mut full = rows::<W>(board.height);
    for c in 0..board.width {
        full = full & board.own(c).cells;
    }
    full
}

/// The rows with a filled cell, and those with an empty one.
struct MaxHeight;

impl Fold for MaxHeight {
    type Part<W: Word> = [W; 2];
    const REACH: [usize; 2] = [0, 0];

    #[inline(always)]
    fn nothing<W: Word>() -> [W; 2] {
        [W::bits(0); 2]
    }

    #[inline(always)]
    fn part<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> [W; 2] {
        [own.cells, !own.cells]
    }

    #[inline(always)]
    fn join<W: Word>(left: [W; 2], right: [W; 2]) -> [W; 2] {
        [left[0] | right[0], left[1] | right[1]]
    }

    #[inline(always)]
    fn value<W: Word>([filled, empty]: [W; 2], board: &BoardCounts<W>) -> W::Num {
        (filled & empty & rows(board.height)).height()
    }
}

struct Frontier;

impl ColumnTerm for Frontier {
    const NEIGHBOURS: bool = true;

    #[inline(always)]
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, at: At) -> W::Num {
        let empty = !own.cells & rows(at.height);
        let above = (own.cells & rows(at.height)).down::<1>();
        let below = own.cells.up::<1>();
        let mut sides = W::Num::splat(0);
        for neighbour in [above, below, left.cells, right.cells] {
            sides = sides + (empty & neighbour).count();
        }
        // Empty rows next to a wall, above the highest bit of the word.
        let walls = i32::from(at.column == 0) + i32::from(at.column == at.width - 1);
        sides + W::Num::splat(walls * (at.height as i32 - W::BITS).max(0))
    }
}

struct Pits;

impl BoardTerm for Pits {
    #[inline(always)]
    fn value<W: Word>(board: &Columns<W>) -> W::Num {
        let (rows, full) = (rows::<W>(board.height), full(board));
        let obstacles = |column: Column<W>| column.cells & !full;
        let mut sum = W::Num::splat(0);
        for c in 0..board.width {
            let left = if c == 0 {
                rows
            } else {
                obstacles(board.left_of(c))
            };
            let right = if c + 1 == board.width {
                rows
            } else {
                obstacles(board.right_of(c))
            };
            let own = board.own(c);
            let stopped = ((obstacles(own) | (left & right)) & rows).height();
            let below = (own.cells & W::filled(stopped)).height();
            sum = sum + (stopped - below - W::Num::splat(1)).most(W::Num::splat(0));
        }
        sum
    }
}

/// The board with the piece in place and full rows not removed.
fn placed(step: &Step<'_>) -> Board {
    let (mut board, landing) = (step.before.board, &step.landing);
    let corner = (usize::from(landing.x), usize::from(landing.y));
    board.fill_shape(landing.shape, corner.0, corner.1);
    board
}

fn embedded_holes(step: &Step<'_>) -> f64 {
    let board = placed(step);
    let height = board.height();
    let stack = board.max_height().min(height);
    // Row sums, for rows that can cover a hole; two extra rows that cover nothing avoid a special
    // case.
    let mut sums = [0.0; *HEIGHTS.end() + 2];
    for row in (0..stack).rev() {
        for &column in board.columns() {
            let filled = |row: usize| row < height && column >> row & 1 == 1;
            if filled(row) {
                continue;
            }
            let cover = if filled(row + 1) {
                sums[row + 1]
            } else if filled(row + 2) {
                sums[row + 2]
            } else {
                0.0
            };
            sums[row] += 1.0 + cover;
        }
    }
    let empty_rows = (height - stack) * board.width();
    empty_rows as f64 + sums.iter().sum::<f64>()
}

/// The lowest row of a column's pit, and the row in which a gap two columns wide ends above it.
fn pit(grid: &Grid, column: usize) -> (usize, usize) {
    let is_obstacle = |row, column| grid.filled(row, column) && grid.empty_in_row(row) > 0;
    let left = |row| column == 0 || is_obstacle(row, column - 1);
    let right = |row| column + 1 == grid.width() || is_obstacle(row, column + 1);
    let stops = |row: &usize| is_obstacle(*row, column) || left(*row) && right(*row);
    let stop = (0..grid.height())
        .rev()
        .find(stops)
        .map_or(0, |row| row + 1);
    let bottom = (0..stop).rev().find(|&row| grid.filled(row, column));
    (bottom.map_or(0, |row| row + 1), stop)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{drop_at, value};
    use super::*;
    use crate::piece::Piece::{I, O};

    #[test]
    fn a_worked_board() {
        let rows = ["....", "....", "....", "....", "#.#.", ".##."];
        // The square lands on the first two columns. The rows are then: 3 ##.., 2 ##.., 1 #.#., 0
        // .##.
        let placed = drop_at(&rows, O, &[(2, 0), (2, 1), (3, 0), (3, 1)]);
        assert_eq!(value(&XTRIS_MAX_HEIGHT, &placed), 4.0);
        // Rows 5 and 4: the four wall sides and two cells on the square. Row 3: wall, square. Row
        // 2: wall, square, the cell below column 2. Row 1: all four sides of column 1, wall and
        // cell of column 3. Row 0: wall, the cell above and the cell next to column 0, wall and
        // cell of column 3.
        assert_eq!(
            value(&XTRIS_FRONTIER, &placed),
            4.0 + 2.0 + 2.0 + 3.0 + 6.0 + 5.0
        );
        // Column 3 is between the wall and column 2, which is 2 high; columns 0 and 1 are blocked
        // by the square.
        assert_eq!(value(&XTRIS_PITS, &placed), 1.0);
        // Rows 5 to 2 have the sums 4, 4, 2, 2. Row 1: column 1, covered by row 2, gives 3, and
        // column 3 gives 1, in total 4. Row 0: column 0, covered by row 1, gives 5, and column 3
        // gives 1.
        assert_eq!(
            value(&XTRIS_EMBEDDED_HOLES, &placed),
            4.0 + 4.0 + 2.0 + 2.0 + 4.0 + 6.0
        );
    }

    #[test]
    fn full_rows_are_neither_height_nor_obstacle() {
        let rows = ["....", "....", "....", "....", "#.#.", "#.#."];
        let lying = ["....", "....", "....", "....", "....", "...."];
        let cleared = drop_at(&lying, I, &[(0, 0), (0, 1), (0, 2), (0, 3)]);
        assert_eq!(cleared.lines(), 1);
        assert_eq!(value(&XTRIS_MAX_HEIGHT, &cleared), 0.0);
        assert_eq!(value(&XTRIS_PITS, &cleared), 0.0);
        let standing = drop_at(&rows, I, &[(0, 1), (1, 1), (2, 1), (3, 1)]);
        assert_eq!(value(&XTRIS_MAX_HEIGHT, &standing), 4.0);
        // Columns 0 and 3, each two deep between a wall and a filled column.
        assert_eq!(value(&XTRIS_PITS, &standing), 2.0);
    }
}
