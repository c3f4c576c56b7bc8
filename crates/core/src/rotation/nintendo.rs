//! Nintendo's rotation, right-handed (NES, 1989) and left-handed (Game Boy, 1989): no kicks; I, S
//! and Z have two rotations, of which the vertical one is on the named side.
//!
//! From Tetris Wiki, "Nintendo Rotation System", and NullpoMino's rules `NintendoR` and
//! `NintendoL`.

use super::drawing::{J, L, LEFT_S, O, RIGHT_S, RIGHT_Z, T};
use super::sega::enters_flat_side_up;
use super::{Drawings, RotationEntry, RotationSystem};

pub(super) const ENTRY: RotationEntry = RotationEntry {
    id: "nintendo",
    definition: "right-handed (NES): I, S and Z have two rotations, the vertical one on the right; no kicks",
    source: "Tetris Wiki; NullpoMino",
    settings: &[],
    make: |_, spec| RotationSystem {
        rounds_right: true,
        ..RotationSystem::drawn(spec, &RIGHT, enters_flat_side_up)
    },
};

pub(super) const LEFT: RotationEntry = RotationEntry {
    id: "nintendo-left",
    definition: "left-handed (Game Boy): I, S and Z have two rotations, the vertical one on the left; no kicks",
    source: "Tetris Wiki; NullpoMino",
    settings: &[],
    make: |_, spec| RotationSystem::drawn(spec, &LEFT_DRAWINGS, enters_flat_side_up),
};

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
    LEFT_S,
    J,
    L,
];
