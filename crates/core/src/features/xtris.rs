//! The features of the xtris bot. It looks at the board with the full rows still in it and steps around them, so
//! these features do too, whichever board the others are computed from. Rows above the top are left out.

use super::Feature;
use crate::board::{Board, HEIGHTS, column_height};
use crate::outcomes::Step;

const SOURCE: &str = "xtris 1996 (Llima, Bercot, Blondeel) as in Fahey's StandardTetris";

pub(super) const XTRIS_MAX_HEIGHT: Feature = Feature::step(
    "xtris_max_height",
    "highest row, the bottom row being 1, that is neither empty nor full, full rows still in place",
    SOURCE,
    |step| column_height(Placed::new(step).partly_filled()) as f64,
);

pub(super) const XTRIS_FRONTIER: Feature = Feature::step(
    "xtris_frontier",
    "sides of empty cells that touch a filled cell or a side wall, full rows still in place",
    SOURCE,
    frontier,
);

pub(super) const XTRIS_PITS: Feature = Feature::step(
    "xtris_pits",
    "for each column, depth - 1 of the pit that nothing two wide falls into, if it is at least 2, full rows still in place",
    SOURCE,
    pits,
);

pub(super) const XTRIS_EMBEDDED_HOLES: Feature = Feature::step(
    "xtris_embedded_holes",
    "sum over empty cells of 1 + the sum of the row of the nearest filled cell one or two rows above, full rows in place",
    SOURCE,
    embedded_holes,
);

/// The board with the piece in it and no row removed.
struct Placed {
    board: Board,
    full: u64,
}

impl Placed {
    fn new(step: &Step<'_>) -> Placed {
        let mut board = step.before.board;
        let landing = &step.landing;
        board.fill_shape(
            landing.shape,
            usize::from(landing.x),
            usize::from(landing.y),
        );
        Placed {
            full: board.full_rows(),
            board,
        }
    }

    /// The rows with filled and empty cells.
    fn partly_filled(&self) -> u64 {
        let columns = self.board.columns().iter();
        columns.fold(0, |rows, own| rows | own) & board_rows(&self.board) & !self.full
    }

    /// The filled cells of a column that something falling past full rows would hit.
    fn obstacles(&self, column: usize) -> u64 {
        self.board.columns()[column] & !self.full
    }
}

/// The rows of the board, without those above the top.
fn board_rows(board: &Board) -> u64 {
    (1 << board.height()) - 1
}

fn frontier(step: &Step<'_>) -> f64 {
    let board = Placed::new(step).board;
    let rows = board_rows(&board);
    let mut sides = 0;
    for (c, &own) in board.columns().iter().enumerate() {
        let c = c as isize;
        // The top row has nothing above it, and the floor does not count as a neighbour.
        let above = (own & rows) >> 1;
        let below = own << 1;
        let (left, right) = (board.column_or_wall(c - 1), board.column_or_wall(c + 1));
        for neighbour in [above, below, left, right] {
            sides += (!own & rows & neighbour).count_ones();
        }
    }
    f64::from(sides)
}

fn pits(step: &Step<'_>) -> f64 {
    let placed = Placed::new(step);
    let rows = board_rows(&placed.board);
    let width = placed.board.width();
    let mut sum = 0;
    for c in 0..width {
        let obstacles = placed.obstacles(c);
        let left = if c == 0 {
            rows
        } else {
            placed.obstacles(c - 1)
        };
        let right = if c == width - 1 {
            rows
        } else {
            placed.obstacles(c + 1)
        };
        // Two wide falls until the column itself or both sides stop it; one wide falls on to the next filled cell.
        let stopped = column_height((obstacles | (left & right)) & rows);
        let own = placed.board.columns()[c] & ((1 << stopped) - 1);
        let depth = stopped - column_height(own);
        sum += depth.saturating_sub(1);
    }
    sum as f64
}

fn embedded_holes(step: &Step<'_>) -> f64 {
    let board = Placed::new(step).board;
    let height = board.height();
    let stack = board.max_height().min(height);
    // The sums of the rows that can cover a hole; two extra rows that cover nothing avoid a special case.
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

#[cfg(test)]
mod tests {
    use super::super::testing::{drop_at, value};
    use super::*;
    use crate::piece::Piece::{I, O};

    #[test]
    fn a_worked_board() {
        let rows = ["....", "....", "....", "....", "#.#.", ".##."];
        // The square lands on the first two columns:
        // row 3 ##..
        // row 2 ##..
        // row 1 #.#.
        // row 0 .##.
        let placed = drop_at(&rows, O, &[(2, 0), (2, 1), (3, 0), (3, 1)]);
        assert_eq!(value(&XTRIS_MAX_HEIGHT, &placed), 4.0);
        // Rows 5 and 4: the four wall sides and two cells on the square; row 3: wall, square; row 2: wall, square,
        // the cell below column 2; row 1: column 1 has all four sides, column 3 wall and cell; row 0: column 0 wall,
        // cell above, cell beside, column 3 wall and cell.
        assert_eq!(
            value(&XTRIS_FRONTIER, &placed),
            4.0 + 2.0 + 2.0 + 3.0 + 6.0 + 5.0
        );
        // Column 3 lies between the wall and column 2, of height 2; column 0 and 1 are stopped by the square.
        assert_eq!(value(&XTRIS_PITS, &placed), 1.0);
        // Rows 5 to 2 have 4, 4, 2, 2; row 1: column 1 covered by row 2 gives 3, column 3 gives 1: 4;
        // row 0: column 0 covered by row 1 gives 5, column 3 gives 1.
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
