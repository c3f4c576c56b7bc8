//! How pieces enter and are held, with the hold and the turns that were pressed before.

use super::{Phase, SteppedGame, SteppedStatus};
use crate::moves::{Input, LockTimer};
use crate::piece::Piece;
use crate::placement::Spin;
use crate::stepped::Inputs;

impl SteppedGame {
    /// Draws pieces until more of them wait than are shown, or none comes any more.
    fn fill_queue(&mut self) {
        while self.queue.len() <= self.preview && self.draw() {}
    }

    /// The next piece of the queue enters. What was pressed before is done first: the hold, which brings
    /// another piece, and then the turns.
    pub(super) fn next_piece(&mut self) {
        self.fill_queue();
        let Some(next) = self.queue.pop_front() else {
            self.falling = None;
            self.status = SteppedStatus::OutOfPieces;
            return;
        };
        // Neither the first piece nor one that comes by a hold raises the level.
        if self.pieces > 0 {
            self.rules.score.enters(&mut self.tally);
        }
        self.may_hold = true;
        let early = std::mem::take(&mut self.early);
        let swapped = match early.has(Input::Hold) {
            true => self.swap(next),
            false => None,
        };
        self.enter(swapped.unwrap_or(next), early);
    }

    /// A piece enters, turned by these inputs, if it can.
    pub(super) fn enter(&mut self, piece: Piece, early: Inputs) {
        self.steering.gravity = self.rules.gravity.at(self.tally.level);
        let turns: Vec<_> = early.turns().collect();
        let falling = self.steering.entry_turned(piece, &self.board, &turns);
        self.falling = Some(falling);
        self.age = 0;
        self.floor_kicked = false;
        self.timer = LockTimer::new(falling.y);
        self.spin = Spin::None;
        (self.soft_rows, self.hard_rows) = (0, 0);
        self.phase = Phase::Falling;
        if !falling.fits(&self.board) {
            self.status = SteppedStatus::Over;
        }
    }

    /// Holds the piece that falls, if it may; whether it did.
    pub(super) fn hold(&mut self, piece: Piece) -> bool {
        let Some(other) = self.swap(piece) else {
            return false;
        };
        self.enter(other, Inputs::NONE);
        true
    }

    /// Puts a piece into the hold; the one that comes for it, or none if it cannot be held.
    fn swap(&mut self, piece: Piece) -> Option<Piece> {
        if !self.rules.hold || !self.may_hold {
            return None;
        }
        let other = match self.held {
            Some(held) => held,
            None => {
                self.fill_queue();
                self.queue.pop_front()?
            }
        };
        self.held = Some(piece);
        self.may_hold = false;
        Some(other)
    }
}
