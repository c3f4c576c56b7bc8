//! Parses the drawings of rotation systems.

use super::ALL_ROTATIONS;
use crate::piece::Piece;

// Drawings that several systems share.

/// A horizontal I high in its box, and a vertical one on the right.
pub(super) const HIGH_I: &[&str] = &[
    "....  ..#.  ....  ..#.",
    "####  ..#.  ####  ..#.",
    "....  ..#.  ....  ..#.",
    "....  ..#.  ....  ..#.",
];
pub(super) const O: &[&str] = &["##  ##  ##  ##", "##  ##  ##  ##"];
pub(super) const T: &[&str] = &[
    ".#.  .#.  ...  .#.",
    "###  .##  ###  ##.",
    "...  .#.  .#.  .#.",
];
pub(super) const J: &[&str] = &[
    "#..  .##  ...  .#.",
    "###  .#.  ###  .#.",
    "...  .#.  ..#  ##.",
];
pub(super) const L: &[&str] = &[
    "..#  .#.  ...  ##.",
    "###  .#.  ###  .#.",
    "...  .##  #..  .#.",
];
pub(super) const RIGHT_Z: &[&str] = &[
    "...  ..#  ...  ..#",
    "##.  .##  ##.  .##",
    ".##  .#.  .##  .#.",
];
pub(super) const RIGHT_S: &[&str] = &[
    "...  .#.  ...  .#.",
    ".##  .##  .##  .##",
    "##.  ..#  ##.  ..#",
];
pub(super) const LEFT_S: &[&str] = &[
    "...  #..  ...  #..",
    ".##  ##.  .##  ##.",
    "##.  .#.  ##.  .#.",
];

/// The lower left corners of the bounding boxes of a piece's four rotations, which are drawn side
/// by side with two spaces between them. Columns and rows are counted from the lower left corner of
/// each drawing.
pub(super) fn corners(piece: Piece, rows: &[&str]) -> [(i8, i8); 4] {
    ALL_ROTATIONS.map(|rotation| {
        let cells = cells(rows, rotation as usize);
        let least = |of: fn(&(usize, usize)) -> usize| cells.iter().map(of).min().unwrap_or(0);
        let (row, column) = (least(|cell| cell.0), least(|cell| cell.1));
        let shape: Vec<_> = piece.shape(rotation).cells().collect();
        let drawn: Vec<_> = cells
            .iter()
            .map(|cell| (cell.0 - row, cell.1 - column))
            .collect();
        debug_assert_eq!(drawn, shape, "{piece} {}", rotation.name());
        (column as i8, row as i8)
    })
}

/// The filled cells of one of the drawings as (row, column) from its lower left corner, lowest row
/// first.
fn cells(rows: &[&str], rotation: usize) -> Vec<(usize, usize)> {
    let mut cells = Vec::new();
    for (row, line) in rows.iter().rev().enumerate() {
        let drawn = line.split_whitespace().nth(rotation).unwrap_or("");
        cells.extend(drawn.match_indices('#').map(|(column, _)| (row, column)));
    }
    cells
}
