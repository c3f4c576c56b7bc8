//! Tie-breaking between placements with the same score.

use crate::board::Board;
use crate::moves::placements;
use crate::outcomes::DecisionContext;
use crate::piece::{Piece, Rotation};
use crate::placement::Placement;
use crate::rules::Rules;

/// The choice between placements with the same score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The first in the reference simulator's order: shapes first, then left to right (MDPTetris).
    #[default]
    Reference,
    /// The nearest to the middle, then the leftmost, then the least turned clockwise (Misakamm
    /// 2026).
    Center,
    /// The farthest from where the piece enters, then the leftmost, then the least turned
    /// (Dellacherie 2003).
    Dellacherie,
}

/// A key that sorts placements of one piece under any rules: of two with the same score, the one
/// with the lower key is chosen. `index` is the index in the reference simulator's order if pieces
/// drop.
pub(crate) fn order_key(
    ties: Ties,
    decision: &DecisionContext<'_>,
    placement: Placement,
    index: usize,
) -> [isize; 3] {
    let width = decision.board.width();
    match decision.rules {
        Rules::Drops(_) => tie_key(ties, placement, index, width),
        Rules::Stepped(_) => stepped_key(ties, placement, width),
    }
}

/// The key for games in which pieces drop.
fn tie_key(ties: Ties, placement: Placement, index: usize, width: usize) -> [isize; 3] {
    let x = isize::from(placement.x);
    let turned = placement.rotation as isize;
    let piece_width = placement.shape().width as isize;
    let width = width as isize;
    match ties {
        Ties::Reference => [index as isize, 0, 0],
        Ties::Center => [(2 * x + piece_width - width).abs(), x, turned],
        Ties::Dellacherie => {
            let entry_width = placement.piece.shape(Rotation::North).width as isize;
            let enters_at = (width - entry_width) / 2;
            [-(x - enters_at).abs(), isize::from(x >= enters_at), turned]
        }
    }
}

/// The key for stepped games, where several placements may have the same rotation and column; the
/// highest one is preferred.
fn stepped_key(ties: Ties, placement: Placement, width: usize) -> [isize; 3] {
    match ties {
        Ties::Reference => {
            let shapes = placement.piece.shapes().iter();
            let mut shapes = shapes.map(|shape| shape.rotation);
            let shape = shapes.position(|rotation| rotation == placement.rotation);
            let shape = shape.unwrap_or(0) as isize;
            [shape, isize::from(placement.x), -isize::from(placement.y)]
        }
        _ => tie_key(ties, placement, 0, width),
    }
}

/// The index of every placement of a piece in the tie-breaking order; the lowest wins.
pub(crate) fn tie_ranks(ties: Ties, piece: Piece, width: usize) -> Vec<u8> {
    let board = Board::new(width, 4).expect("an evaluator is made for a legal width");
    let placements = placements(&board, piece);
    let mut order: Vec<usize> = (0..placements.len()).collect();
    order.sort_by_key(|&index| tie_key(ties, placements[index], index, width));
    let mut ranks = vec![0; order.len()];
    for (rank, index) in order.into_iter().enumerate() {
        ranks[index] = rank as u8;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The placement of a T on an empty board that wins all ties: rotation and column.
    fn first(ties: Ties, width: usize) -> (Rotation, u8) {
        let board = Board::new(width, 12).unwrap();
        let ranks = tie_ranks(ties, Piece::T, width);
        let all = placements(&board, Piece::T);
        let first = all[ranks.iter().position(|&rank| rank == 0).unwrap()];
        (first.rotation, first.x)
    }

    #[test]
    fn each_order_has_its_own_first_placement() {
        assert_eq!(first(Ties::Reference, 10), (Rotation::East, 0));
        // Two columns are in the middle of ten, so only the upright shapes are exactly centred.
        assert_eq!(first(Ties::Center, 10), (Rotation::East, 4));
        assert_eq!(first(Ties::Center, 9), (Rotation::North, 3));
        // A T enters in column 3 of ten, so the right edge is farther away than the left one.
        assert_eq!(first(Ties::Dellacherie, 10), (Rotation::East, 8));
        assert_eq!(first(Ties::Dellacherie, 9), (Rotation::East, 7));
    }
}
