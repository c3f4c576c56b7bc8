//! A slow, simple engine: a grid of cells, a piece that falls row by row, and full rows that are
//! removed one by one.

use tetrolab_core::board::Board;
use tetrolab_core::ends::End;
use tetrolab_core::piece::Piece;

/// Rows kept above the board, for a piece that locks there.
const SPARE: usize = 8;

/// Cells as (row from the bottom, column) pairs.
pub(crate) type Cells = Vec<(usize, usize)>;

/// A board as a grid: `cells[row][column]`, row 0 at the bottom, with spare rows above the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) cells: Vec<Vec<bool>>,
}

impl Grid {
    pub(crate) fn new(board: &Board) -> Grid {
        let (width, height) = (board.width(), board.height());
        let row = |row| {
            (0..width)
                .map(|column| board.is_filled(row, column))
                .collect()
        };
        Grid {
            width,
            height,
            cells: (0..height + SPARE).map(row).collect(),
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.cells.len()
    }

    /// Whether the cell is filled; walls and floor are, cells above the board are not.
    pub(crate) fn at(&self, row: isize, column: isize) -> bool {
        if column < 0 || column >= self.width as isize || row < 0 {
            return true;
        }
        let row = self.cells.get(row as usize);
        row.is_some_and(|cells| cells[column as usize])
    }

    /// Height of a column: one more than its topmost filled row.
    pub(crate) fn column_height(&self, column: usize) -> usize {
        let filled = |row: &usize| self.cells[*row][column];
        (0..self.rows()).rev().find(filled).map_or(0, |row| row + 1)
    }

    pub(crate) fn heights(&self) -> Vec<usize> {
        (0..self.width)
            .map(|column| self.column_height(column))
            .collect()
    }

    pub(crate) fn max_height(&self) -> usize {
        self.heights().into_iter().max().unwrap()
    }

    pub(crate) fn is_full(&self, row: usize) -> bool {
        self.cells[row].iter().all(|&cell| cell)
    }

    pub(crate) fn full_rows(&self) -> Vec<usize> {
        (0..self.rows()).filter(|&row| self.is_full(row)).collect()
    }

    pub(crate) fn fill(&mut self, cells: &Cells) {
        for &(row, column) in cells {
            assert!(!self.cells[row][column], "a piece rests on empty cells");
            self.cells[row][column] = true;
        }
    }

    fn board(&self) -> Board {
        let mut board = Board::new(self.width, self.height).unwrap();
        for (row, cells) in self.cells.iter().enumerate() {
            let filled = (0..self.width).filter(|column| cells[*column]);
            filled.for_each(|column| board.fill(row, column));
        }
        board
    }

    fn without_full_rows(&self) -> Grid {
        let mut cells = self.cells.clone();
        cells.retain(|row| !row.iter().all(|&cell| cell));
        cells.resize(self.rows(), vec![false; self.width]);
        Grid {
            cells,
            ..self.clone()
        }
    }
}

/// The cells of every distinct rotation of a piece, moved to the lower left corner.
pub(crate) fn rotations(piece: Piece) -> Vec<Cells> {
    let mut all: Vec<Cells> = Vec::new();
    let mut cells = entering(piece);
    for _ in 0..4 {
        if !all.contains(&cells) {
            all.push(cells.clone());
        }
        cells = turned(&cells);
    }
    all
}

/// The piece as it enters.
pub(crate) fn entering(piece: Piece) -> Cells {
    let drawing: &[&str] = match piece {
        Piece::I => &["####"],
        Piece::O => &["##", "##"],
        Piece::T => &[".#.", "###"],
        Piece::Z => &["##.", ".##"],
        Piece::S => &[".##", "##."],
        Piece::J => &["#..", "###"],
        Piece::L => &["..#", "###"],
    };
    let mut cells = Cells::new();
    for (row, line) in drawing.iter().rev().enumerate() {
        cells.extend(line.match_indices('#').map(|(column, _)| (row, column)));
    }
    cells
}

/// A quarter turn clockwise.
fn turned(cells: &Cells) -> Cells {
    let right = cells.iter().map(|cell| cell.1).max().unwrap();
    let mut turned: Cells = cells
        .iter()
        .map(|&(row, column)| (right - column, row))
        .collect();
    turned.sort_unstable();
    turned
}

/// One placement and its effects.
#[derive(Clone, Debug)]
pub(crate) struct Fall {
    pub(crate) cells: Cells,
    /// The board with the piece, before full rows are removed.
    pub(crate) placed: Grid,
    pub(crate) cleared: Vec<usize>,
    pub(crate) after: Grid,
    pub(crate) game_over: bool,
}

/// Drops every rotation of the piece in every column.
pub(crate) fn falls(grid: &Grid, piece: Piece, end: End, next: Option<Piece>) -> Vec<Fall> {
    let mut falls = Vec::new();
    for rotation in rotations(piece) {
        for x in 0..grid.width {
            if rotation.iter().all(|&(_, column)| x + column < grid.width) {
                let cells = dropped(grid, &rotation, x);
                falls.push(settled(grid, cells, end, next));
            }
        }
    }
    falls
}

fn dropped(grid: &Grid, rotation: &Cells, x: usize) -> Cells {
    let at = |y: usize| -> Cells {
        rotation
            .iter()
            .map(|&(row, column)| (row + y, column + x))
            .collect()
    };
    let fits = |cells: &Cells| cells.iter().all(|&(row, column)| !grid.cells[row][column]);
    let mut y = grid.height;
    while y > 0 && fits(&at(y - 1)) {
        y -= 1;
    }
    at(y)
}

fn settled(grid: &Grid, cells: Cells, end: End, next: Option<Piece>) -> Fall {
    let mut placed = grid.clone();
    placed.fill(&cells);
    let sticks_out = cells.iter().any(|&(row, _)| row >= grid.height);
    let clears = !sticks_out || !end.rule().before_clearing;
    let (cleared, after) = if clears {
        (placed.full_rows(), placed.without_full_rows())
    } else {
        (Vec::new(), placed.clone())
    };
    let game_over = match end.name() {
        "above-top" => sticks_out,
        "above-top-after-clearing" => after.max_height() > grid.height,
        "top-row" => sticks_out || after.max_height() >= grid.height,
        "entry-blocked" => sticks_out || next.is_some_and(|piece| blocked(&after, piece)),
        // A rule without a twin is called directly, with the board of this engine.
        _ => {
            !clears
                || after.max_height() > grid.height
                || (end.rule().ends_on)(&after.board(), next)
        }
    };
    Fall {
        cells,
        placed,
        cleared,
        after,
        game_over,
    }
}

/// Whether a cell in which the piece enters is filled. Pieces enter in the middle of the two top
/// rows (a horizontal I in the lower of them), rounded to the left.
fn blocked(grid: &Grid, piece: Piece) -> bool {
    let cells = entering(piece);
    let width = 1 + cells.iter().map(|cell| cell.1).max().unwrap();
    let (x, y) = ((grid.width - width) / 2, grid.height - 2);
    cells
        .iter()
        .any(|&(row, column)| grid.cells[row + y][column + x])
}
