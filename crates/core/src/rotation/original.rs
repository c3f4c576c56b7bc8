//! The original rotation (Electronika 60 and IBM PC, 1985): like Nintendo's right-handed one, but
//! with the horizontal I one row higher; no kicks.
//!
//! From Tetris Wiki, "Original Rotation System", and the table of rotation systems by code on the
//! same page. The original turns pieces in one direction only; here both directions are available,
//! as in every later game.

use super::drawing::{HIGH_I, J, L, O, RIGHT_S, RIGHT_Z, T};
use super::sega::enters_flat_side_up;
use super::{Drawings, RotationEntry, RotationSystem};

pub(super) const ENTRY: RotationEntry = RotationEntry {
    id: "original",
    definition: "Nintendo's right-handed rotation with the horizontal I one row higher; no kicks",
    source: "Tetris Wiki",
    settings: &[],
    make: |_, spec| RotationSystem {
        rounds_right: true,
        ..RotationSystem::drawn(spec, &DRAWINGS, enters_flat_side_up)
    },
};

const DRAWINGS: Drawings = [HIGH_I, O, T, RIGHT_Z, RIGHT_S, J, L];
