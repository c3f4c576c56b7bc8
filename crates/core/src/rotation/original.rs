//! The original rotation (Electronika 60 and IBM PC, 1985): Nintendo's right-handed one with the lying I one row higher; no kicks.
//!
//! From Tetris Wiki, "Original Rotation System", and its table of rotation systems by code. The original turns pieces in one direction only; here
//! both ways are open, as in every later game.

use super::nintendo::{J, L, O, RIGHT_S, RIGHT_Z, T, enters_point_down};
use super::{Drawings, RotationEntry, RotationSystem};

pub(super) const ENTRY: RotationEntry = RotationEntry {
    id: "original",
    definition: "Nintendo's right-handed rotation with the lying I one row higher; no kicks",
    source: "Tetris Wiki",
    settings: &[],
    make: |_, spec| RotationSystem {
        rounds_right: true,
        ..RotationSystem::drawn(spec, &DRAWINGS, enters_point_down)
    },
};

const DRAWINGS: Drawings = [
    &[
        "....  ..#.  ....  ..#.",
        "####  ..#.  ####  ..#.",
        "....  ..#.  ....  ..#.",
        "....  ..#.  ....  ..#.",
    ],
    O,
    T,
    RIGHT_Z,
    RIGHT_S,
    J,
    L,
];
