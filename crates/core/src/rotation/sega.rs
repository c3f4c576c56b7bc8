//! Sega's rotation (Tetris, 1988): every piece but I keeps its lowest row, pieces enter flat side
//! up, and there are no kicks.
//!
//! From Tetris Wiki, "Sega Rotation", and NullpoMino's rule `ClassicS`. The arcade machine also
//! forbids turns above the top of the board; here, the few rows above it can be used.

use super::drawing::{HIGH_I, LEFT_S, O, RIGHT_Z};
use super::{Drawings, RotationEntry, RotationSystem};
use crate::piece::{Piece, Rotation};

pub(super) const ENTRY: RotationEntry = RotationEntry {
    id: "sega",
    definition: "every piece but I keeps its lowest row and enters flat side up in the top row; no kicks",
    source: "Tetris Wiki; NullpoMino",
    settings: &[],
    make: |_, spec| RotationSystem::drawn(spec, &DRAWINGS, enters_flat_side_up),
};

/// J, L and T enter with the flat side up, pointing down; the others are symmetric.
pub(super) fn enters_flat_side_up(piece: Piece) -> Rotation {
    match piece {
        Piece::J | Piece::L | Piece::T => Rotation::South,
        _ => Rotation::North,
    }
}

/// Shared with Arika's system.
pub(super) const DRAWINGS: Drawings = [
    HIGH_I,
    O,
    &[
        "...  .#.  ...  .#.",
        ".#.  .##  ###  ##.",
        "###  .#.  .#.  .#.",
    ],
    RIGHT_Z,
    LEFT_S,
    &[
        "...  .##  ...  .#.",
        "#..  .#.  ###  .#.",
        "###  .#.  ..#  ##.",
    ],
    &[
        "...  .#.  ...  ##.",
        "..#  .#.  ###  .#.",
        "###  .##  #..  .#.",
    ],
];
