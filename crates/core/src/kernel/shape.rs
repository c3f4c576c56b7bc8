//! The nineteen shapes as constants. The compiler evaluates everything that depends only on the
//! shape, so the code for a placement has no loops over the columns or rows of a shape, and no
//! branches that depend on them.

use crate::piece;

/// A shape as a compile-time constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConstShape {
    /// The cells of each column; bit 0 is the lowest row of the box. Columns beyond the width are
    /// zero.
    pub(super) columns: [u32; 4],
    /// Number of columns.
    pub(super) width: usize,
    /// Number of rows.
    pub(super) height: usize,
    /// The lowest row of each column.
    pub(super) low: [usize; 4],
    /// One more than the highest row of each column.
    pub(super) high: [usize; 4],
    /// Number of cells in each column.
    pub(super) cells: [usize; 4],
    /// Number of cells in each row.
    pub(super) cells_in_row: [usize; 4],
    /// The rows with 0 to 4 cells that the shape can complete. A row above one of the shape's
    /// columns is never completed, because that column is empty there.
    pub(super) completable: [u32; 5],
    /// The positions where neighbouring columns have different bottoms, from left to right.
    pub(super) ledges: [Option<Ledge>; 2],
}

/// Two neighbouring columns of a shape with different bottoms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ledge {
    /// The column that reaches lower.
    pub(super) low: usize,
    /// The neighbouring column, which overhangs the cells below it.
    pub(super) high: usize,
    /// First row in which only the low column has cells.
    pub(super) from: usize,
    /// The rows from `from` on as a mask.
    pub(super) rows: u32,
    /// Whether an earlier ledge has the same low column.
    pub(super) shares_low: bool,
}

const fn shape(columns: [u32; 4]) -> ConstShape {
    let all = columns[0] | columns[1] | columns[2] | columns[3];
    let mut shape = ConstShape {
        columns,
        width: 0,
        height: (32 - all.leading_zeros()) as usize,
        low: [0; 4],
        high: [0; 4],
        cells: [0; 4],
        cells_in_row: [0; 4],
        completable: [0; 5],
        ledges: [None; 2],
    };
    let mut column = 0;
    while column < 4 && columns[column] != 0 {
        let cells = columns[column];
        shape.width += 1;
        shape.low[column] = cells.trailing_zeros() as usize;
        shape.high[column] = (32 - cells.leading_zeros()) as usize;
        shape.cells[column] = cells.count_ones() as usize;
        column += 1;
    }
    add_ledges(add_rows(shape))
}

const fn add_rows(mut shape: ConstShape) -> ConstShape {
    let mut row = 0;
    while row < shape.height {
        let mut below_all_tops = true;
        let mut column = 0;
        while column < shape.width {
            shape.cells_in_row[row] += (shape.columns[column] >> row & 1) as usize;
            below_all_tops &= row < shape.high[column];
            column += 1;
        }
        if below_all_tops {
            shape.completable[shape.cells_in_row[row]] |= 1 << row;
        }
        row += 1;
    }
    shape
}

const fn add_ledges(mut shape: ConstShape) -> ConstShape {
    let (mut found, mut column) = (0, 0);
    let mut low_before = usize::MAX;
    while column + 1 < shape.width {
        let (left, right) = (shape.low[column], shape.low[column + 1]);
        if left != right {
            let (low, high) = if left < right {
                (column, column + 1)
            } else {
                (column + 1, column)
            };
            let (from, end) = (shape.low[low], shape.low[high]);
            shape.ledges[found] = Some(Ledge {
                low,
                high,
                from,
                rows: (1 << end) - (1 << from),
                shares_low: low == low_before,
            });
            low_before = low;
            found += 1;
        }
        column += 1;
    }
    shape
}

/// The index of each piece's first shape, and the number of shapes.
pub(super) const FIRST: [usize; 8] = {
    let mut first = [0; 8];
    let mut piece = 0;
    while piece < 7 {
        first[piece + 1] = first[piece] + piece::SHAPES[piece].len();
        piece += 1;
    }
    first
};

/// The shapes of all pieces, piece by piece, in the order of [`crate::piece::Piece::shapes`].
pub(super) const SHAPES: [ConstShape; FIRST[7]] = {
    let mut shapes = [shape([1, 0, 0, 0]); FIRST[7]];
    let (mut piece, mut number) = (0, 0);
    while piece < 7 {
        while number < FIRST[piece + 1] {
            let [a, b, c, d] = piece::SHAPES[piece][number - FIRST[piece]].columns;
            shapes[number] = shape([a as u32, b as u32, c as u32, d as u32]);
            number += 1;
        }
        piece += 1;
    }
    shapes
};

/// Every placement of a piece, in the reference simulator's order: the index of its shape and its
/// leftmost column.
pub(super) fn spots(piece: usize, width: usize) -> impl Iterator<Item = (usize, usize)> {
    let shapes = FIRST[piece]..FIRST[piece + 1];
    shapes.flat_map(move |shape| (0..=width - SHAPES[shape].width).map(move |x| (shape, x)))
}

/// Whether a shape of the piece has a column with this many cells.
pub(super) const fn piece_has_column(piece: usize, cells: usize) -> bool {
    let mut shape = FIRST[piece];
    while shape < FIRST[piece + 1] {
        let mut column = 0;
        while column < 4 {
            if SHAPES[shape].cells[column] == cells {
                return true;
            }
            column += 1;
        }
        shape += 1;
    }
    false
}
