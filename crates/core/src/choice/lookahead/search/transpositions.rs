//! Boards that a search has already reached by other steps.
//!
//! Two pieces can be placed in either order, so a search of four or more pieces reaches many boards
//! more than once: two out of five boards on the last ply with a depth of 4, and two out of three
//! with a depth of 5. With a depth of 3 it is only one out of twenty, and a table costs more than
//! it saves.

use super::{Dealt, Reached, SearchValue};
use crate::board::Board;
use std::collections::HashMap;

type Key = (Board, u32, usize, Dealt);

/// From this depth on, boards are stored.
const DEPTH: usize = 4;
/// Maximum number of stored boards, which need about 30 megabytes.
const MOST: usize = 1 << 17;

/// The values of boards in a search of one depth. The number of cells determines the lines, so
/// lines are not part of the key.
#[derive(Debug, Default)]
pub(super) struct Transpositions {
    /// The key is the board, the level, the number of pieces placed, and the coming pieces. The
    /// level of a stepped game does not follow from the lines: in TGM3, three lines cleared with
    /// one piece count as four.
    known: HashMap<Key, Option<SearchValue>>,
    is_used: bool,
}

impl Transpositions {
    /// A table for a search of this depth.
    pub(super) fn of_depth(plies: usize) -> Transpositions {
        Transpositions {
            known: HashMap::new(),
            is_used: plies >= DEPTH,
        }
    }

    /// The stored value of a board, if any.
    pub(super) fn get(&self, reached: &Reached) -> Option<Option<SearchValue>> {
        let known = || self.known.get(&key(reached)).copied();
        self.is_used.then(known).flatten()
    }

    /// Stores the value of a board.
    pub(super) fn add(&mut self, reached: &Reached, follows: Option<SearchValue>) {
        if self.is_used && self.known.len() < MOST {
            self.known.insert(key(reached), follows);
        }
    }
}

fn key(reached: &Reached) -> Key {
    (
        reached.node.board,
        reached.node.level,
        reached.ply,
        reached.dealt,
    )
}
