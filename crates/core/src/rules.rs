//! The rules of one step: the board after a piece has locked, and whether the game continues.
//!
//! They are implemented once, in [`Rules`]. Placement games and stepped games play by them,
//! searches and analyses look ahead by them, and [`Outcomes`](crate::outcomes::Outcomes) asks them
//! about every placement that could complete a row or end the game.

use crate::board::Board;
use crate::ends::End;
use crate::moves::Steering;
use crate::piece::{Piece, Shape};
use crate::placement::{Placement, Transition};

/// The rules of a step. They decide what happens when a piece locks, and whether a piece can enter.
///
/// An owner holds `Rules`, all others a [`RulesRef`], which is `Copy` and does the work: see
/// [`Rules::as_ref`].
#[derive(Clone, Copy, Debug)]
pub enum Rules<S = Steering> {
    /// Pieces drop straight down, and the game ends like this.
    Drops(End),
    /// Pieces are moved and turned while they fall, one step at a time.
    Stepped(S),
}

/// The rules of a step, borrowed.
pub type RulesRef<'a> = Rules<&'a Steering>;

/// Whether a piece can be held, and which one is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hold {
    /// There is no hold.
    #[default]
    None,
    /// The piece can be held; then the first piece of the queue comes.
    Empty,
    /// The piece can be held; then this piece comes.
    Piece(Piece),
    /// This piece is held, and cannot be taken before the next piece.
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
            Rules::Stepped(steering) => Rules::Stepped(steering),
        }
    }
}

impl<S> Rules<S> {
    /// How a placement game ends; none for a stepped game.
    pub fn end(&self) -> Option<End> {
        match self {
            Rules::Drops(end) => Some(*end),
            Rules::Stepped(_) => None,
        }
    }
}

impl<'a> RulesRef<'a> {
    /// A copy that owns what it is made of.
    pub fn cloned(self) -> Rules {
        match self {
            Rules::Drops(end) => Rules::Drops(end),
            Rules::Stepped(steering) => Rules::Stepped(steering.clone()),
        }
    }

    /// How pieces move in a stepped game; none where they drop straight down.
    #[inline]
    pub fn steering(self) -> Option<&'a Steering> {
        match self {
            Rules::Drops(_) => None,
            Rules::Stepped(steering) => Some(steering),
        }
    }

    /// The level of a stepped game; 0 where pieces drop.
    #[inline]
    pub fn level(self) -> u32 {
        self.steering().map_or(0, |steering| steering.level)
    }

    /// The level when the piece after this step enters; `lines` counts the lines of the game, those
    /// of the step included.
    #[inline]
    pub fn level_after(self, step: &Transition, lines: u64) -> u32 {
        self.steering().map_or(0, |steering| {
            let pace = steering.pace;
            pace.after_entry(pace.after_lock(steering.level, step.lines(), lines))
        })
    }

    /// The name of what ends the game, for messages and for files that are compared.
    pub fn end_name(self) -> &'static str {
        match self {
            Rules::Drops(end) => end,
            Rules::Stepped(steering) if steering.top_row_ends => End::TOP_ROW,
            Rules::Stepped(_) => End::ENTRY_BLOCKED,
        }
        .name()
    }

    /// Locks a shape on a board with the lower left corner of its box at column `x`, row `y`: fills
    /// its cells, removes the rows that are full, and decides whether the game is over. `next` is
    /// the piece that will enter, if it is known.
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
        let is_above = |steering: &Steering| steering.lock_out && y >= steering.visible;
        let game_over = match self {
            Rules::Drops(end) => (overflow || end.rule().rows > 0) && self.ends_on(board, next),
            Rules::Stepped(steering) => is_above(steering) || self.ends_on(board, next),
        };
        Settled { cleared, game_over }
    }

    /// One step of a game: the board after a placement, and what happened. `next` is the piece that
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

    /// Whether the game is over on a board without full rows: the stack is too high, or the piece
    /// that will enter, if it is known, cannot.
    #[inline]
    pub fn ends_on(self, board: &Board, next: Option<Piece>) -> bool {
        let (stack, height) = (board.max_height(), board.height());
        let ends = match self {
            Rules::Drops(end) => (end.rule().ends_on)(board, next),
            Rules::Stepped(steering) => {
                (steering.top_row_ends && stack == height)
                    || next.is_some_and(|piece| steering.blocks_entry(board, piece))
            }
        };
        ends || stack > height
    }

    /// Whether the game is over because this piece, whose turn it is, cannot enter the board; false
    /// on a board on which the game would be over whatever piece came.
    pub fn blocks_entry(self, board: &Board, piece: Piece) -> bool {
        match self {
            Rules::Drops(end) => {
                let rule = end.rule();
                let ends = |next| (rule.ends_on)(board, next);
                rule.rows > 0 && ends(Some(piece)) && !ends(None)
            }
            Rules::Stepped(steering) => steering.blocks_entry(board, piece),
        }
    }

    /// How high a piece may reach on this board, which has no full rows, without ending the game,
    /// if it completes no row. It may be less than the truth; 0 says that any placement could end
    /// the game.
    #[inline]
    pub(crate) fn safe_height(self, board: &Board) -> usize {
        let safe = match self {
            Rules::Drops(end) if end.rule().rows == 0 => return board.height(),
            Rules::Drops(end) => board.height().saturating_sub(end.rule().rows),
            Rules::Stepped(steering) => steering.lowest_entry_row(),
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
