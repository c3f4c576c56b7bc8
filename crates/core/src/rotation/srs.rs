//! The Super Rotation System of the Tetris guideline: pieces turn about a point, and every turn has
//! five tests.
//!
//! Shapes and kicks are those of the Tetris Worlds tables as listed on the wikis (Tetris Wiki,
//! "Super Rotation System"; Hard Drop, "SRS"), with I's own table; NullpoMino's `StandardWallkick`
//! has the same numbers with rows counted downwards. The guideline has no half turns; the tests for
//! them (`half=true`) are those of Heboris' SRS-X, which NullpoMino adopted.

use super::drawing::{J, L, O, T};
use super::{Drawings, EntryRow, RotationEntry, RotationSystem, Tests, Turn};
use crate::piece::{Piece, Rotation};
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: RotationEntry = RotationEntry {
    id: "super",
    definition: "pieces turn about a point and enter flat side down above the visible rows; five tests for each turn",
    source: "Tetris Wiki; Hard Drop; NullpoMino",
    settings: &[Setting {
        id: "half",
        help: "whether pieces can make half turns, with the kicks of Heboris' SRS-X",
        default: Some("false"),
        kind: Kind::Flag,
    }],
    make: |settings, spec| {
        let has_half = settings.flag("half");
        let system = RotationSystem::drawn(spec, &DRAWINGS, |_| Rotation::North);
        RotationSystem {
            entry_row: EntryRow::AboveVisible,
            has_half,
            initial_kicks: true,
            ..system
        }
        .with_tests(tests)
    },
};

const DRAWINGS: Drawings = [
    &[
        "....  ..#.  ....  .#..",
        "####  ..#.  ....  .#..",
        "....  ..#.  ####  .#..",
        "....  ..#.  ....  .#..",
    ],
    O,
    T,
    &[
        "##.  ..#  ...  .#.",
        ".##  .##  ##.  ##.",
        "...  .#.  .##  #..",
    ],
    &[
        ".##  .#.  ...  #..",
        "##.  .##  .##  ##.",
        "...  ..#  ##.  .#.",
    ],
    J,
    L,
];

/// The kicks of J, L, S, T and Z by the rotation that a quarter turn starts from or, negated, ends
/// in: those of north and south are zero.
const SIDES: [[(i8, i8); 4]; 2] = [
    [(1, 0), (1, -1), (0, 2), (1, 2)],
    [(-1, 0), (-1, -1), (0, 2), (-1, 2)],
];

/// The kicks of I for the clockwise turns from north and from east. From south and west they are
/// negated, and a reverse turn has the negated kicks of the original turn.
const BAR: [[(i8, i8); 4]; 2] = [
    [(-2, 0), (1, 0), (-2, -1), (1, 2)],
    [(-1, 0), (2, 0), (-1, 2), (2, -1)],
];

/// The half turns of all pieces except I, from north and from east.
const HALF: [[(i8, i8); 11]; 2] = [
    [
        (1, 0),
        (2, 0),
        (1, -1),
        (2, -1),
        (-1, 0),
        (-2, 0),
        (-1, -1),
        (-2, -1),
        (0, 1),
        (3, 0),
        (-3, 0),
    ],
    [
        (0, -1),
        (0, -2),
        (-1, -1),
        (-1, -2),
        (0, 1),
        (0, 2),
        (-1, 1),
        (-1, 2),
        (1, 0),
        (0, -3),
        (0, 3),
    ],
];

/// The half turns of I from north and from east.
const HALF_BAR: [[(i8, i8); 5]; 2] = [
    [(-1, 0), (-2, 0), (1, 0), (2, 0), (0, -1)],
    [(0, -1), (0, -2), (0, 1), (0, 2), (-1, 0)],
];

fn tests(piece: Piece, from: Rotation, turn: Turn) -> Option<Tests> {
    let kicks = match (piece, turn) {
        (Piece::O, _) => return None,
        (Piece::I, Turn::Half) => half(&HALF_BAR, from),
        (_, Turn::Half) => half(&HALF, from),
        (Piece::I, _) => bar(from, turn),
        _ => sides(from, turn),
    };
    let basic = std::iter::once((0, 0));
    Some(Tests::new(basic.chain(kicks)))
}

fn negated(kicks: &[(i8, i8)]) -> Vec<(i8, i8)> {
    kicks.iter().map(|(dx, dy)| (-dx, -dy)).collect()
}

fn sides(from: Rotation, turn: Turn) -> Vec<(i8, i8)> {
    match (from, turn.of(from)) {
        (Rotation::East, _) => SIDES[0].to_vec(),
        (Rotation::West, _) => SIDES[1].to_vec(),
        (_, Rotation::East) => negated(&SIDES[0]),
        _ => negated(&SIDES[1]),
    }
}

fn bar(from: Rotation, turn: Turn) -> Vec<(i8, i8)> {
    if turn == Turn::Counterclockwise {
        let back = turn.of(from);
        return negated(&bar(back, Turn::Clockwise));
    }
    let kicks = &BAR[from as usize % 2];
    match from {
        Rotation::North | Rotation::East => kicks.to_vec(),
        Rotation::South | Rotation::West => negated(kicks),
    }
}

/// From south, the kicks of north are mirrored in both directions; from west, those of east are
/// mirrored horizontally only.
fn half<const N: usize>(kicks: &[[(i8, i8); N]; 2], from: Rotation) -> Vec<(i8, i8)> {
    let from_first = &kicks[from as usize % 2];
    match from {
        Rotation::North | Rotation::East => from_first.to_vec(),
        Rotation::South => negated(from_first),
        Rotation::West => from_first.iter().map(|(dx, dy)| (-dx, *dy)).collect(),
    }
}
