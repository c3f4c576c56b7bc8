//! The rules of one step: the board after a piece has locked, and whether the game goes on.
//!
//! They are implemented once, in [`Rules`]. Placement games and stepped games play by them, searches and analyses look
//! ahead by them, and [`Outcomes`](crate::outcomes::Outcomes) asks them about every placement that could complete a row
//! or end the game.

use crate::board::Board;
use crate::moves::Steering;
use crate::piece::{Piece, Rotation, Shape};
use crate::placement::{Placement, Transition};

/// When a placement game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The piece rests with a cell above the top row; then no line is cleared (MDPTetris' game).
    AboveTop,
    /// Lines are cleared first; over when the stack is still higher than the board
    /// (MDPTetris with `allow_lines_after_overflow`).
    AboveTopAfterClearing,
    /// The stack, lines cleared, reaches the top row (the thesis; Bertsekas and Ioffe's game). A piece that rests
    /// above the top ends it too; then no line is cleared.
    TopRow,
    /// The next piece cannot enter: the cells in the middle of the two top rows where it appears are taken
    /// (Lee's "near perfect" game). A piece that rests above the top ends it too; then no line is cleared.
    EntryBlocked,
}

/// Every way to end, with its name in ruleset files.
pub const ENDS: &[(End, &str)] = &[
    (End::AboveTop, "above-top"),
    (End::AboveTopAfterClearing, "above-top-after-clearing"),
    (End::TopRow, "top-row"),
    (End::EntryBlocked, "entry-blocked"),
];

/// The rules of a step. They decide what happens when a piece locks, and whether a piece can enter.
///
/// An owner holds `Rules`, all others a [`RulesRef`], which is `Copy` and does the work: see [`Rules::as_ref`].
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

impl End {
    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        ENDS.iter()
            .find(|row| row.0 == self)
            .map_or("", |row| row.1)
    }

    /// The end with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<End> {
        ENDS.iter().find(|row| row.1 == name).map(|row| row.0)
    }
}

impl Rules {
    /// The same rules, borrowed.
    #[must_use]
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
    #[must_use]
    pub fn end(&self) -> Option<End> {
        match self {
            Rules::Drops(end) => Some(*end),
            Rules::Stepped(_) => None,
        }
    }
}

impl<'a> RulesRef<'a> {
    /// A copy that owns what it is made of.
    #[must_use]
    pub fn cloned(self) -> Rules {
        match self {
            Rules::Drops(end) => Rules::Drops(end),
            Rules::Stepped(steering) => Rules::Stepped(steering.clone()),
        }
    }

    /// How pieces move in a stepped game; none where they drop straight down.
    #[must_use]
    #[inline]
    pub fn steering(self) -> Option<&'a Steering> {
        match self {
            Rules::Drops(_) => None,
            Rules::Stepped(steering) => Some(steering),
        }
    }

    /// The level of a stepped game; 0 where pieces drop.
    #[must_use]
    #[inline]
    pub fn level(self) -> u32 {
        self.steering().map_or(0, |steering| steering.level)
    }

    /// The level when the piece after this step enters; `lines` counts the lines of the game, those of the step included.
    #[must_use]
    #[inline]
    pub fn level_after(self, step: &Transition, lines: u64) -> u32 {
        self.steering().map_or(0, |steering| {
            let pace = steering.pace;
            pace.after_entry(pace.after_lock(steering.level, step.lines(), lines))
        })
    }

    /// The name of what ends the game, for messages and for files that are compared.
    #[must_use]
    pub fn end_name(self) -> &'static str {
        match self {
            Rules::Drops(end) => end,
            Rules::Stepped(steering) if steering.top_row_ends => End::TopRow,
            Rules::Stepped(_) => End::EntryBlocked,
        }
        .name()
    }

    /// Locks a shape on a board with the lower left corner of its box at column `x`, row `y`: fills its cells, removes
    /// the rows that are full, and decides whether the game is over. `next` is the piece that will enter, if it is
    /// known.
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
        if overflow && matches!(self, Rules::Drops(end) if end != End::AboveTopAfterClearing) {
            return Settled {
                cleared: 0,
                game_over: true,
            };
        }
        let cleared = board.full_rows();
        board.remove_rows(cleared);
        let is_above = |steering: &Steering| steering.lock_out && y >= steering.visible;
        let game_over = match self {
            Rules::Drops(End::AboveTop) => false,
            Rules::Drops(_) => self.ends_on(board, next),
            Rules::Stepped(steering) => is_above(steering) || self.ends_on(board, next),
        };
        Settled { cleared, game_over }
    }

    /// One step of a game: the board after a placement, and what happened. `next` is the piece that will enter, if it
    /// is known; `lines_before` counts the lines of the game so far.
    #[must_use]
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

    /// Whether the game is over on a board without full rows: the stack is too high, or the piece that will enter,
    /// if it is known, cannot.
    #[must_use]
    #[inline]
    pub fn ends_on(self, board: &Board, next: Option<Piece>) -> bool {
        let (stack, height) = (board.max_height(), board.height());
        let top_row_ends = match self {
            Rules::Drops(end) => end == End::TopRow,
            Rules::Stepped(steering) => steering.top_row_ends,
        };
        let is_too_high = stack > height || (top_row_ends && stack == height);
        is_too_high || next.is_some_and(|piece| self.blocks_entry(board, piece))
    }

    /// Whether the game is over because this piece, whose turn it is, cannot enter the board.
    #[must_use]
    pub fn blocks_entry(self, board: &Board, piece: Piece) -> bool {
        match self {
            Rules::Drops(end) => end == End::EntryBlocked && entry_is_blocked(board, piece),
            Rules::Stepped(steering) => steering.blocks_entry(board, piece),
        }
    }

    /// How high a piece may reach on this board, which has no full rows, without ending the game, if it completes no
    /// row. It may be less than the truth; 0 says that any placement could end the game.
    #[must_use]
    #[inline]
    pub(crate) fn safe_height(self, board: &Board) -> usize {
        let safe = match self {
            Rules::Drops(End::AboveTop) => return board.height(),
            // Pieces enter in the two top rows.
            Rules::Drops(_) => board.height() - 2,
            Rules::Stepped(steering) => steering.lowest_entry_row(),
        };
        if board.max_height() > safe { 0 } else { safe }
    }
}

/// Whether the cells in which `piece` enters are taken: lying, in the middle of the two top rows (I in the lower of
/// them), rounded to the left.
fn entry_is_blocked(board: &Board, piece: Piece) -> bool {
    let shape = piece.shape(Rotation::North);
    let x = (board.width() - shape.width) / 2;
    board.overlaps(shape, x, board.height() - 2)
}

/// The thesis' points for `lines` lines cleared with one piece: 0, 1, 2, 4, 8.
#[must_use]
pub fn line_points(lines: u32) -> u64 {
    (1 << lines) >> 1
}

#[cfg(test)]
mod tests;
