//! Actions as numbers.

use super::EnvironmentKind;
use tetrolab_core::moves::{DropKey, INPUTS, Input};
use tetrolab_core::piece::{PIECES, Piece, Rotation};
use tetrolab_core::placement::Placement;
use tetrolab_core::rotation::ROWS_ABOVE;
use tetrolab_core::ruleset::Ruleset;

const ROTATIONS: [Rotation; 4] = [
    Rotation::North,
    Rotation::East,
    Rotation::South,
    Rotation::West,
];

/// The maximum number of placements of a piece in a stepped game that are listed as afterstates.
const STEPPED_AFTERSTATES: usize = 160;

/// The effect of an illegal action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalActions {
    /// The nearest legal action is taken: where pieces drop, the same rotation as far to the side
    /// as possible; otherwise the legal action with the nearest number.
    Nearest,
    /// The action is rejected.
    Refuse,
}

/// The space of actions: 0 to [`Self::count`] - 1.
#[derive(Clone, Debug)]
pub(super) enum Actions {
    /// A rotation and a column: rotation * width + column.
    Drops {
        width: usize,
        /// The mask of each piece.
        masks: Vec<Vec<i8>>,
    },
    /// Hold, rotation, column and row: ((hold * 4 + rotation) * width + column) * rows + row.
    Places {
        width: usize,
        rows: usize,
        holds: usize,
    },
    /// An index into the list of all placements, where pieces drop.
    ListedDrops {
        most: usize,
        /// The placements of each piece, in the order of their list.
        spots: [Vec<(Rotation, u8)>; PIECES.len()],
    },
    /// An index into the list of all placements, in a stepped game.
    Listed { most: usize },
    /// No key, or one of the keys.
    Keys { mask: Vec<i8> },
}

impl Actions {
    pub(super) fn new(kind: EnvironmentKind, ruleset: &Ruleset) -> Actions {
        let width = ruleset.width;
        let holds = 1 + usize::from(ruleset.stepped().is_some_and(|rules| rules.hold));
        match (kind, ruleset.stepped()) {
            (EnvironmentKind::Placement, None) => Actions::Drops {
                width,
                masks: PIECES.map(|piece| drop_mask(piece, width)).to_vec(),
            },
            (EnvironmentKind::Placement, Some(_)) => Actions::Places {
                width,
                rows: ruleset.height + ROWS_ABOVE,
                holds,
            },
            // T, J and L have the most: two shapes of two columns and two of three.
            (EnvironmentKind::Afterstates, None) => Actions::ListedDrops {
                most: 4 * width - 6,
                spots: PIECES.map(|piece| listed_drops(piece, width)),
            },
            (EnvironmentKind::Afterstates, Some(_)) => Actions::Listed {
                most: STEPPED_AFTERSTATES * holds,
            },
            (EnvironmentKind::Keys, _) => Actions::Keys {
                mask: key_mask(ruleset),
            },
        }
    }

    /// Number of actions.
    pub(super) fn count(&self) -> usize {
        match self {
            Actions::Drops { width, .. } => 4 * width,
            Actions::Places { width, rows, holds } => holds * 4 * width * rows,
            Actions::Listed { most } | Actions::ListedDrops { most, .. } => *most,
            Actions::Keys { mask } => mask.len(),
        }
    }

    /// The index of a placement in the encoding by hold, rotation, column and row.
    pub(super) fn number_of(&self, is_held: bool, placement: Placement) -> usize {
        match *self {
            Actions::Places { width, rows, .. } => {
                let turned = 4 * usize::from(is_held) + placement.rotation as usize;
                (turned * width + usize::from(placement.x)) * rows + usize::from(placement.y)
            }
            _ => 0,
        }
    }
}

/// The rotation and the column of a dropped piece; among equivalent rotations, the first. A column
/// too far to the right is clamped to the last one, and the action counts as illegal.
#[inline]
pub(super) fn drop_action(piece: Piece, width: usize, action: usize) -> (Rotation, usize) {
    let shape = piece.shape(ROTATIONS[action / width]);
    (shape.rotation, (action % width).min(width - shape.width))
}

/// Where a piece can be dropped, without duplicate rotations. It does not depend on the board.
fn drop_mask(piece: Piece, width: usize) -> Vec<i8> {
    let mut mask = vec![0; 4 * width];
    for shape in piece.shapes() {
        let first = shape.rotation as usize * width;
        mask[first..=first + width - shape.width].fill(1);
    }
    mask
}

/// Every drop of a piece, in the order of [`Outcomes`](tetrolab_core::outcomes::Outcomes).
fn listed_drops(piece: Piece, width: usize) -> Vec<(Rotation, u8)> {
    let shapes = piece.shapes().iter();
    let drops = shapes.flat_map(|shape| {
        let columns = 0..=width - shape.width;
        columns.map(|column| (shape.rotation, column as u8))
    });
    drops.collect()
}

/// Which keys a game supports; the first is none.
fn key_mask(ruleset: &Ruleset) -> Vec<i8> {
    let Some(rules) = ruleset.stepped() else {
        return vec![1];
    };
    let move_rules = ruleset.rules.as_ref().move_rules();
    let drops = move_rules.is_some_and(|move_rules| move_rules.drop != DropKey::None);
    let knows = |input: &Input| match input {
        Input::Hold => rules.hold,
        Input::Drop => drops,
        _ => true,
    };
    let keys = INPUTS.iter().map(|input| i8::from(knows(input)));
    std::iter::once(1).chain(keys).collect()
}
