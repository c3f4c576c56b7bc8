//! Arika's rotation (Tetris The Grand Master): Sega's shapes with kicks one cell to the right, then
//! one to the left.
//!
//! I never kicks. J, L and T that turn from horizontal to vertical do not kick if the first filled
//! cell, row by row from the top, is in the middle column of the turned piece. TGM3 (`kicks=tgm3`)
//! lets a vertical I with an obstacle at its side kick 1 or 2 to the right or 1 to the left, and
//! has floor kicks, one for each piece: a horizontal I on the ground 1 or 2 up, a T that turns flat
//! side down 1 up.
//!
//! From Tetris Wiki, "Arika Rotation System" (whose pictures of the middle column all start from
//! horizontal pieces), and Cambridge's rulesets `arika` and `arika_ti`. NullpoMino's
//! `ClassicWallkick` differs: it applies the middle column to every turn.

use super::sega::{DRAWINGS, enters_flat_side_up};
use super::{Kick, RotationEntry, RotationSystem, Tests, Turn, When};
use crate::piece::{Piece, Rotation};
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: RotationEntry = RotationEntry {
    id: "arika",
    definition: "Sega's shapes with kicks to the right, then to the left, unless the middle column is in the way",
    source: "Tetris Wiki; Cambridge; NullpoMino",
    settings: &[Setting {
        id: "kicks",
        help: "kicks of the first two games, or those of TGM3, where I kicks too, and I and T have floor kicks",
        default: Some("tgm"),
        kind: Kind::Word(&["tgm", "tgm3"]),
    }],
    make: |settings, spec| {
        let system = RotationSystem::drawn(spec, &DRAWINGS, enters_flat_side_up);
        match settings.word("kicks") {
            "tgm3" => system.with_tests(tgm3),
            _ => system.with_tests(tgm),
        }
    },
};

fn lies(rotation: Rotation) -> bool {
    matches!(rotation, Rotation::North | Rotation::South)
}

fn tgm(piece: Piece, from: Rotation, turn: Turn) -> Option<Tests> {
    if matches!(piece, Piece::I | Piece::O) {
        return None;
    }
    let stands_up = matches!(piece, Piece::J | Piece::L | Piece::T) && lies(from);
    // For a piece on its right side, the middle column of three is the left column; otherwise it is
    // the right one.
    let middle = match turn.of(from) {
        Rotation::East => 0,
        _ => 1,
    };
    Some(Tests {
        barring_column: stands_up.then_some(middle),
        ..Tests::new([(0, 0), (1, 0), (-1, 0)])
    })
}

fn tgm3(piece: Piece, from: Rotation, turn: Turn) -> Option<Tests> {
    let to = turn.of(from);
    let (mut tests, when) = match piece {
        Piece::I if lies(to) => {
            let kicks = [(0, 0), (1, 0), (2, 0), (-1, 0)];
            (Tests::new(kicks), When::Beside)
        }
        Piece::I => (Tests::new([(0, 0), (0, 1), (0, 2)]), When::OnGround),
        _ => {
            let mut tests = tgm(piece, from, turn)?;
            let is_flat_t = piece == Piece::T && to == Rotation::North;
            let floor_kick = is_flat_t.then(|| Kick::new(0, 1).when(When::OnGround));
            tests.kicks.extend(floor_kick);
            return Some(tests);
        }
    };
    tests.kicks[1..]
        .iter_mut()
        .for_each(|kick| kick.when = when);
    Some(tests)
}
