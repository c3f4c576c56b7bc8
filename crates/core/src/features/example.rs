//! The step that illustrates features in pictures: a stack with holes, wells and towers, and a
//! piece that clears a row.

use super::{Feature, with_full_rows};
use crate::board::Board;
use crate::ends::End;
use crate::piece::{Piece, Rotation};
use crate::placement::{Placement, Spin, Transition};
use crate::rules::Rules;

/// The lowest rows of the board before the step, top row first.
const STACK: [&str; 6] = [
    "..#.......",
    "####..####",
    ".########.",
    "#########.",
    ".##.####..",
    "####.##.##",
];

/// An O lands in the gap of the second row and completes it.
const PLACEMENT: Placement = Placement {
    piece: Piece::O,
    rotation: Rotation::North,
    x: 4,
    y: 4,
    spin: Spin::None,
};

/// The step on which a feature is illustrated. It is the same for all features, but features with
/// the value 0 there are shown on the board with the full row still in place.
#[must_use]
pub fn feature_example(feature: &Feature) -> Transition {
    let board = Board::from_lowest_rows(10, 10, &STACK).expect("a valid board");
    let rules = Rules::Drops(End::ABOVE_TOP);
    let mut step = rules.step(&board, PLACEMENT, None, 0);
    if feature.values(&step).iter().all(|&value| value == 0.0) {
        step.after = with_full_rows(&step);
    }
    step
}
