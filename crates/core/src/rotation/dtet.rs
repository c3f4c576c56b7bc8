//! DTET's rotation (Mihys' game of 2003): Sega's shapes with four rotations for I, S and Z, and
//! kicks to the side of the turn first, then to the other side, down, and diagonally down.
//!
//! From Tetris Wiki, "DTET Rotation System", and NullpoMino's `DTETWallkick` and rule `DTET`.
//! DTET's handling of held buttons is not implemented.

use super::sega::{DRAWINGS as SEGA, enters_flat_side_up};
use super::{Drawings, RotationEntry, RotationSystem, Tests, Turn};

pub(super) const ENTRY: RotationEntry = RotationEntry {
    id: "dtet",
    definition: "Sega's shapes, four rotations each; kicks to the side of the turn, to the other side, down, and diagonally down",
    source: "Tetris Wiki; NullpoMino",
    settings: &[],
    make: |_, spec| {
        let system = RotationSystem::drawn(spec, &DRAWINGS, enters_flat_side_up);
        system.with_tests(|_, _, turn| Some(tests(turn)))
    },
};

const DRAWINGS: Drawings = [
    &[
        "....  ..#.  ....  .#..",
        "....  ..#.  ....  .#..",
        "####  ..#.  ####  .#..",
        "....  ..#.  ....  .#..",
    ],
    SEGA[1],
    SEGA[2],
    &[
        "...  ..#  ...  .#.",
        "##.  .##  ##.  ##.",
        ".##  .#.  .##  #..",
    ],
    &[
        "...  .#.  ...  #..",
        ".##  .##  .##  ##.",
        "##.  ..#  ##.  .#.",
    ],
    SEGA[5],
    SEGA[6],
];

fn tests(turn: Turn) -> Tests {
    let side = if turn == Turn::Clockwise { 1 } else { -1 };
    let kicks = [(0, 0), (1, 0), (-1, 0), (0, -1), (1, -1), (-1, -1)];
    Tests::new(kicks.map(|(dx, dy)| (side * dx, dy)))
}
