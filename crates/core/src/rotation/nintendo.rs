//! Nintendo's rotation, right-handed (NES, 1989) and left-handed (Game Boy, 1989): no kicks; I, S and Z have two rotations, whose standing ones lie on
//! that side.
//!
//! From Tetris Wiki, "Nintendo Rotation System", and NullpoMino's rules `NintendoR` and `NintendoL`.

use super::{Drawings, RotationEntry, RotationSystem};
use crate::piece::{Piece, Rotation};

pub(super) const ENTRY: RotationEntry = RotationEntry {
    id: "nintendo",
    definition: "right-handed (NES): I, S and Z have two rotations and stand to the right; no kicks",
    source: "Tetris Wiki; NullpoMino",
    settings: &[],
    make: |_, spec| RotationSystem {
        rounds_right: true,
        ..RotationSystem::drawn(spec, &RIGHT, enters_point_down)
    },
};

pub(super) const LEFT: RotationEntry = RotationEntry {
    id: "nintendo-left",
    definition: "left-handed (Game Boy): I, S and Z have two rotations and stand to the left; no kicks",
    source: "Tetris Wiki; NullpoMino",
    settings: &[],
    make: |_, spec| RotationSystem::drawn(spec, &LEFT_DRAWINGS, enters_point_down),
};

/// J, L and T enter pointing down; the others look the same both ways.
pub(super) fn enters_point_down(piece: Piece) -> Rotation {
    super::sega::enters_flat_side_up(piece)
}

/// Shared with the original system.
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
pub(super) const O: &[&str] = &["##  ##  ##  ##", "##  ##  ##  ##"];
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

const RIGHT: Drawings = [
    &[
        "....  ..#.  ....  ..#.",
        "....  ..#.  ....  ..#.",
        "####  ..#.  ####  ..#.",
        "....  ..#.  ....  ..#.",
    ],
    O,
    T,
    RIGHT_Z,
    RIGHT_S,
    J,
    L,
];

const LEFT_DRAWINGS: Drawings = [
    &[
        "....  .#..  ....  .#..",
        "....  .#..  ....  .#..",
        "####  .#..  ####  .#..",
        "....  .#..  ....  .#..",
    ],
    O,
    T,
    &[
        "...  .#.  ...  .#.",
        "##.  ##.  ##.  ##.",
        ".##  #..  .##  #..",
    ],
    &[
        "...  #..  ...  #..",
        ".##  ##.  .##  ##.",
        "##.  .#.  ##.  .#.",
    ],
    J,
    L,
];
