//! The seven pieces and their shapes.

use std::fmt;

/// One of the seven one-sided tetrominoes, in the order of the reference simulator (MDPTetris).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Piece {
    /// The bar.
    I,
    /// The square.
    O,
    /// The T.
    T,
    /// The Z: its upper half is on the left.
    Z,
    /// The S: its upper half is on the right.
    S,
    /// The J.
    J,
    /// The L.
    L,
}

/// Every piece, in the order of [`Piece`]: `PIECES[p as usize] == p`.
pub const PIECES: [Piece; 7] = [
    Piece::I,
    Piece::O,
    Piece::T,
    Piece::Z,
    Piece::S,
    Piece::J,
    Piece::L,
];

/// The rotation of a piece, clockwise from its entry (names of the Tetris Bot Protocol).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rotation {
    /// The rotation on entry: flat side down; I, S and Z are horizontal.
    North,
    /// A quarter turn clockwise.
    East,
    /// Half a turn.
    South,
    /// A quarter turn counter-clockwise.
    West,
}

impl Rotation {
    /// The lower-case name: `north`, `east`, `south` or `west`.
    pub fn name(self) -> &'static str {
        ["north", "east", "south", "west"][self as usize]
    }
}

/// A piece in one rotation: the cells of its bounding box, column by column.
///
/// Rotations with the same cells (all four of O, two of I, S and Z) share a shape, named after the
/// first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The rotation.
    pub rotation: Rotation,
    /// Width of the bounding box.
    pub width: usize,
    /// Height of the bounding box.
    pub height: usize,
    /// The filled cells of each column; bit 0 is the lowest row of the box. Zero beyond `width`.
    pub columns: [u8; 4],
    /// The lowest filled cell of each column, counted from the bottom of the box.
    pub bottoms: [u8; 4],
    /// One more than the highest filled cell of each column, counted from the bottom of the box.
    pub tops: [u8; 4],
}

impl Shape {
    /// A shape drawn as rows, top row first: `["##.", ".##"]`.
    const fn draw(rotation: Rotation, rows: &[&str]) -> Shape {
        let (height, width) = (rows.len(), rows[0].len());
        let (mut columns, mut bottoms, mut tops) = ([0u8; 4], [0u8; 4], [0u8; 4]);
        let mut column = 0;
        while column < width {
            let mut row = 0;
            while row < height {
                if rows[height - 1 - row].as_bytes()[column] == b'#' {
                    columns[column] |= 1 << row;
                }
                row += 1;
            }
            bottoms[column] = columns[column].trailing_zeros() as u8;
            tops[column] = 8 - columns[column].leading_zeros() as u8;
            column += 1;
        }
        Shape {
            rotation,
            width,
            height,
            columns,
            bottoms,
            tops,
        }
    }

    /// The filled cells as (row, column) inside the box, lowest row first, then left to right.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.height).flat_map(move |row| {
            (0..self.width)
                .filter(move |&column| self.columns[column] >> row & 1 == 1)
                .map(move |column| (row, column))
        })
    }
}

use Rotation::{East, North, South, West};

/// The distinct shapes of every piece, in the reference simulator's order of orientations.
pub(crate) const SHAPES: [&[Shape]; 7] = [
    &[
        Shape::draw(East, &["#", "#", "#", "#"]),
        Shape::draw(North, &["####"]),
    ],
    &[Shape::draw(North, &["##", "##"])],
    &[
        Shape::draw(East, &["#.", "##", "#."]),
        Shape::draw(North, &[".#.", "###"]),
        Shape::draw(West, &[".#", "##", ".#"]),
        Shape::draw(South, &["###", ".#."]),
    ],
    &[
        Shape::draw(East, &[".#", "##", "#."]),
        Shape::draw(North, &["##.", ".##"]),
    ],
    &[
        Shape::draw(East, &["#.", "##", ".#"]),
        Shape::draw(North, &[".##", "##."]),
    ],
    &[
        Shape::draw(North, &["#..", "###"]),
        Shape::draw(West, &[".#", ".#", "##"]),
        Shape::draw(South, &["###", "..#"]),
        Shape::draw(East, &["##", "#.", "#."]),
    ],
    &[
        Shape::draw(South, &["###", "#.."]),
        Shape::draw(East, &["#.", "#.", "##"]),
        Shape::draw(North, &["..#", "###"]),
        Shape::draw(West, &["##", ".#", ".#"]),
    ],
];

impl Piece {
    /// The piece's letter.
    pub fn letter(self) -> char {
        ['I', 'O', 'T', 'Z', 'S', 'J', 'L'][self as usize]
    }

    /// The piece with this letter, in either case.
    pub fn from_letter(letter: char) -> Option<Piece> {
        PIECES
            .into_iter()
            .find(|piece| piece.letter() == letter.to_ascii_uppercase())
    }

    /// The distinct shapes, in the reference simulator's order of orientations.
    #[inline]
    pub fn shapes(self) -> &'static [Shape] {
        SHAPES[self as usize]
    }

    /// The shape for a rotation; equivalent rotations have the same shape.
    pub fn shape(self, rotation: Rotation) -> &'static Shape {
        let find = |wanted| self.shapes().iter().find(|shape| shape.rotation == wanted);
        let twin = [North, East, North, East][rotation as usize];
        find(rotation)
            .or_else(|| find(twin))
            .unwrap_or(&self.shapes()[0])
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_four_cells_that_fill_its_box() {
        for piece in PIECES {
            for shape in piece.shapes() {
                assert_eq!(shape.cells().count(), 4, "{piece}");
                let rows = shape.columns.iter().fold(0, |rows, column| rows | column);
                assert_eq!(rows, (1 << shape.height) - 1, "{piece}");
                assert!(shape.columns[..shape.width].iter().all(|&c| c != 0));
                assert!(shape.columns[shape.width..].iter().all(|&c| c == 0));
            }
        }
    }

    #[test]
    fn each_rotation_is_the_one_before_turned_clockwise() {
        for piece in PIECES {
            let rotations = [North, East, South, West];
            for (from, to) in rotations.into_iter().zip([East, South, West, North]) {
                let (from, to) = (piece.shape(from), piece.shape(to));
                let mut turned: Vec<_> = from
                    .cells()
                    .map(|(row, column)| (from.width - 1 - column, row))
                    .collect();
                turned.sort_unstable();
                assert_eq!(turned, to.cells().collect::<Vec<_>>(), "{piece}");
            }
        }
    }
}
