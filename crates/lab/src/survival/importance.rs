//! Importance functions: how close a stack is to the end of the game.
//!
//! The mean does not depend on the function, but a good one needs fewer pieces.

mod danger;
mod tables;

pub(super) use danger::{CERTAIN_DEATH, DANGER_TERMS, DangerTerms, danger_terms};
pub(crate) use danger::{Danger, LEVELS_PER_NAT};
pub(crate) use tables::{EMPTY_LEVEL, TableDanger};

use tetrolab_core::board::column_height;
use tetrolab_core::kernel::{Importance, TrajectoryBoard};
use tetrolab_core::piece::Piece;

/// The importance of a stack with these columns: twice the sum of their heights, plus `width` times
/// the maximum height.
///
/// A stack ends a game when every placement reaches above the top. The highest column alone does
/// not distinguish a lone tower from a full board, and rises by whole rows; the sum alone misses
/// the tower. Together they rise in small steps, so that levels can be chosen as finely as needed.
/// The empty board has importance 0, and a column of height `h` on all `width` columns has `3 h
/// width`.
fn stack_importance(columns: &[u64]) -> u32 {
    let heights = columns.iter().map(|&column| column_height(column) as u32);
    let (sum, highest) = heights.fold((0, 0), |(sum, highest), height| {
        (sum + height, height.max(highest))
    });
    of_heights(sum, highest, columns.len())
}

#[inline(always)]
fn of_heights(sum: u32, highest: u32, width: usize) -> u32 {
    2 * sum + width as u32 * highest
}

/// An importance function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum ImportanceFunction {
    /// How high the stack is: [`stack_importance`].
    #[default]
    Stack,
    /// The learned probability that the player dies.
    Danger(Box<Danger>),
    /// The negative score of lookup tables: those of the player, or others.
    Tables(Box<TableDanger>),
}

impl ImportanceFunction {
    /// The importance of a board with these columns, and with this piece to place, if known.
    pub(super) fn of_columns(&self, columns: &[u64], piece: Option<Piece>) -> u32 {
        match self {
            ImportanceFunction::Stack => stack_importance(columns),
            ImportanceFunction::Danger(danger) => danger.level(columns, piece),
            ImportanceFunction::Tables(danger) => danger.level(columns),
        }
    }
}

impl Importance for ImportanceFunction {
    #[inline(always)]
    fn of(&self, board: &TrajectoryBoard<'_>) -> u32 {
        match self {
            ImportanceFunction::Stack => {
                let (sum, highest) = board.heights();
                of_heights(sum, highest, board.width())
            }
            ImportanceFunction::Tables(danger) => match board.table_sum(danger.tables()) {
                Some(sum) => danger.level_of_sum(sum),
                None => danger.level(&board.columns()[..board.width()]),
            },
            ImportanceFunction::Danger(danger) => {
                danger.level(&board.columns()[..board.width()], board.piece())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrolab_core::board::Board;

    #[test]
    fn the_importance_of_a_stack_counts_all_columns_and_the_highest_again() {
        let board =
            Board::from_rows(4, 6, &["....", "....", "....", "#...", "#...", "##.#"]).unwrap();
        assert_eq!(stack_importance(board.columns()), 2 * (3 + 1 + 1) + 4 * 3);
        assert_eq!(stack_importance(Board::new(4, 6).unwrap().columns()), 0);
    }
}
