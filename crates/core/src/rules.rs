//! The rules of one step: the board after a piece has locked, and whether the game continues.
//!
//! They are implemented once, in [`Rules`]. Placement games and stepped games use them, searches
//! and analyses look ahead with them, and [`Outcomes`](crate::outcomes::Outcomes) applies them to
//! every placement that could complete a row or end the game.

use crate::board::Board;
use crate::ends::End;
use crate::moves::MoveRules;
use crate::piece::{Piece, Shape};
use crate::placement::{Placement, Transition};

/// The rules of a step. They decide what happens when a piece locks, and whether a piece can enter.
///
/// The owner has a `Rules`; everything else uses a [`RulesRef`], which is `Copy` and provides the
/// methods: see [`Rules::as_ref`]. The definition of a ruleset has a `Rules<Spec>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules<S = MoveRules> {
    /// Pieces drop straight down, and this rule ends the game.
    Drops(End),
    /// Pieces are moved and turned while they fall, one step at a time.
    Stepped(S),
}

/// The rules of a step, borrowed.
pub type RulesRef<'a> = Rules<&'a MoveRules>;

/// Whether a piece can be held, and which one is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hold {
    /// The game has no hold.
    #[default]
    None,
    /// The piece can be held; the first piece of the queue then replaces it.
    Empty,
    /// The piece can be held; this piece then replaces it.
    Piece(Piece),
    /// This piece is held, and cannot be used before the next piece.
    Used(Piece),
}

/// The board after a piece has locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The full rows that were removed, as a mask over the rows before removal.
    pub cleared: u64,
    /// Whether the game is over.
    pub game_over: bool,
}

impl Rules {
    /// The same rules, borrowed.
    #[inline]
    pub fn as_ref(&self) -> RulesRef<'_> {
        match self {
            Rules::Drops(end) => Rules::Drops(*end),
            Rules::Stepped(move_rules) => Rules::Stepped(move_rules),
        }
    }
}

impl<S> Rules<S> {
    /// The end of a placement game; `None` for a stepped game.
    pub fn end(&self) -> Option<End> {
        match self {
            Rules::Drops(end) => Some(*end),
            Rules::Stepped(_) => None,
        }
    }
}

impl<'a> RulesRef<'a> {
    /// An owned copy.
    pub fn cloned(self) -> Rules {
        match self {
            Rules::Drops(end) => Rules::Drops(end),
            Rules::Stepped(move_rules) => Rules::Stepped(move_rules.clone()),
        }
    }

    /// The rules of falling pieces in a stepped game; `None` where they drop straight down.
    #[inline]
    pub fn move_rules(self) -> Option<&'a MoveRules> {
        match self {
            Rules::Drops(_) => None,
            Rules::Stepped(move_rules) => Some(move_rules),
        }
    }

    /// The level of a stepped game; 0 where pieces drop.
    #[inline]
    pub fn level(self) -> u32 {
        self.move_rules().map_or(0, |move_rules| move_rules.level)
    }

    /// The level when the piece after this step enters; `lines` counts the lines of the game,
    /// including those of the step.
    #[inline]
    pub fn level_after(self, step: &Transition, lines: u64) -> u32 {
        self.move_rules().map_or(0, |move_rules| {
            let pace = move_rules.pace;
            pace.after_entry(pace.after_lock(move_rules.level, step.lines(), lines))
        })
    }

    /// Locks a shape on a board with the lower left corner of its box at column `x`, row `y`: fills
    /// its cells, removes full rows, and determines whether the game is over. `next` is the piece
    /// that will enter, if it is known.
    #[inline]
    pub fn settle(
        self,
        board: &mut Board,
        shape: &Shape,
        (x, y): (usize, usize),
        next: Option<Piece>,
    ) -> Settled {
        board.fill_shape(shape, x, y);
        let overflow = y + shape.height > board.height();
        if overflow && matches!(self, Rules::Drops(end) if end.rule().before_clearing) {
            return Settled {
                cleared: 0,
                game_over: true,
            };
        }
        let cleared = board.full_rows();
        board.remove_rows(cleared);
        let is_above = |move_rules: &MoveRules| move_rules.lock_out && y >= move_rules.visible;
        let game_over = match self {
            Rules::Drops(end) => (overflow || end.rule().rows > 0) && self.ends_on(board, next),
            Rules::Stepped(move_rules) => is_above(move_rules) || self.ends_on(board, next),
        };
        Settled { cleared, game_over }
    }

    /// One step of a game: the board after a placement, and its effects. `next` is the piece that
    /// will enter, if it is known; `lines_before` counts the lines of the game so far.
    #[inline]
    pub fn step(
        self,
        before: &Board,
        placement: Placement,
        next: Option<Piece>,
        lines_before: u64,
    ) -> Transition {
        let corner = (usize::from(placement.x), usize::from(placement.y));
        let mut after = *before;
        let settled = self.settle(&mut after, placement.shape(), corner, next);
        Transition {
            before: *before,
            placement,
            cleared: settled.cleared,
            after,
            game_over: settled.game_over,
            lines_before,
        }
    }

    /// Whether the game is over on a board without full rows: the stack is too high, or the next
    /// piece, if it is known, cannot enter.
    #[inline]
    pub fn ends_on(self, board: &Board, next: Option<Piece>) -> bool {
        let (stack, height) = (board.max_height(), board.height());
        let ends = match self {
            Rules::Drops(end) => (end.rule().ends_on)(board, next),
            Rules::Stepped(move_rules) => {
                (move_rules.top_row_ends && stack == height)
                    || next.is_some_and(|piece| move_rules.blocks_entry(board, piece))
            }
        };
        ends || stack > height
    }

    /// Whether the game is over because this piece cannot enter the board; false on a board on
    /// which the game would be over with any piece.
    pub fn blocks_entry(self, board: &Board, piece: Piece) -> bool {
        match self {
            Rules::Drops(end) => {
                let rule = end.rule();
                let ends = |next| (rule.ends_on)(board, next);
                rule.looks_at_next && ends(Some(piece)) && !ends(None)
            }
            Rules::Stepped(move_rules) => move_rules.blocks_entry(board, piece),
        }
    }

    /// How high a piece that completes no row may reach without ending the game, on this board
    /// without full rows. It is a lower bound; 0 means that any placement could end the game.
    #[inline]
    pub(crate) fn safe_height(self, board: &Board) -> usize {
        let safe = match self {
            Rules::Drops(end) if end.rule().rows == 0 => return board.height(),
            Rules::Drops(end) => board.height().saturating_sub(end.rule().rows),
            Rules::Stepped(move_rules) => move_rules.lowest_entry_row(),
        };
        if board.max_height() > safe { 0 } else { safe }
    }
}

/// The thesis' points for `lines` lines cleared with one piece: 0, 1, 2, 4, 8.
pub fn line_points(lines: u32) -> u64 {
    (1 << lines) >> 1
}

#[cfg(test)]
mod tests;
