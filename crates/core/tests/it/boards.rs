//! Random decisions: boards of every size, from smooth to ragged, from empty to nearly lost.

use crate::ends::BURIED;
use proptest::prelude::*;
use tetrolab_core::board::{Board, HEIGHTS, WIDTHS};
use tetrolab_core::ends::{ENDS, End};
use tetrolab_core::outcomes::{DecisionContext, Outcomes, Scored};
use tetrolab_core::piece::{PIECES, Piece};
use tetrolab_core::rules::Rules;

/// A board with a piece to place on it.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    pub(crate) board: Board,
    pub(crate) piece: Piece,
    pub(crate) next: Option<Piece>,
    pub(crate) end: End,
    pub(crate) scored: Scored,
    pub(crate) lines_before: u64,
    /// Chooses one of the placements.
    pub(crate) pick: usize,
}

impl Decision {
    pub(crate) fn context(&self) -> DecisionContext<'_> {
        DecisionContext {
            board: &self.board,
            piece: self.piece,
            rules: Rules::Drops(self.end),
            next: self.next,
            scored: self.scored,
            lines_before: self.lines_before,
        }
    }

    /// The number of one placement; half of the time one that clears lines, if there is any.
    pub(crate) fn placement(&self, outcomes: &Outcomes) -> usize {
        let clears = |&index: &usize| outcomes.landing(index).lines() > 0;
        let clearing: Vec<usize> = (0..outcomes.len()).filter(clears).collect();
        if self.pick.is_multiple_of(2) && !clearing.is_empty() {
            clearing[self.pick / 2 % clearing.len()]
        } else {
            self.pick / 2 % outcomes.len()
        }
    }
}

pub(crate) fn decision() -> impl Strategy<Value = Decision> {
    let ends = ENDS.iter().chain([&BURIED]).map(End);
    let end = prop::sample::select(ends.collect::<Vec<_>>());
    let piece = || prop::sample::select(PIECES.to_vec());
    let next = prop::option::of(piece());
    (
        board(),
        piece(),
        next,
        end,
        any::<bool>(),
        0..1000u64,
        any::<usize>(),
    )
        .prop_map(
            |(board, piece, next, end, before_removal, lines_before, pick)| Decision {
                board,
                piece,
                next,
                end,
                scored: if before_removal {
                    Scored::BeforeRemoval
                } else {
                    Scored::AfterRemoval
                },
                lines_before,
                pick,
            },
        )
}

fn board() -> impl Strategy<Value = Board> {
    let bits = || any::<[u64; 16]>();
    let sizes = (WIDTHS, HEIGHTS);
    (
        sizes,
        0..5u8,
        0..101u64,
        any::<[u8; 16]>(),
        bits(),
        bits(),
        bits(),
        0..16usize,
    )
        .prop_map(|((width, height), kind, level, rough, a, b, c, gap)| {
            let mut board = Board::new(width, height).unwrap();
            for column in 0..width {
                let bits = [a[column], b[column], c[column]];
                let top = stack_height(height, level, rough[column], kind);
                let cells = fill(kind, bits, column == gap % width);
                for row in (0..top).filter(|&row| cells >> row & 1 == 1) {
                    board.fill(row, column);
                }
            }
            // No board of a game has a full row before a placement, but the engine accepts one.
            if !level.is_multiple_of(4) {
                board.remove_full_rows();
            }
            board
        })
}

/// The maximum height of a column: about `level` percent of the board's height.
fn stack_height(height: usize, level: u64, rough: u8, kind: u8) -> usize {
    let level = height * level as usize / 100;
    let rough = if kind == 4 { 2 } else { usize::from(rough % 5) };
    (level + rough).saturating_sub(2).min(height)
}

/// The filled cells of a kind of board: half, a quarter or an eighth empty, solid, or solid except
/// for one column.
fn fill(kind: u8, bits: [u64; 3], gap: bool) -> u64 {
    match kind {
        0 => bits[0],
        1 => bits[0] | bits[1],
        2 => bits[0] | bits[1] | bits[2],
        3 => u64::MAX,
        _ if gap => 0,
        _ => u64::MAX,
    }
}
