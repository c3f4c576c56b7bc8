//! How pieces enter and are held, including hold and turns that were pressed earlier.

use super::SteppedGame;
use crate::deal::Status;
use crate::moves::{Input, LockTimer};
use crate::placement::Spin;
use crate::stepped::Inputs;

impl SteppedGame {
    /// Brings in the next piece. Earlier inputs are applied first: the hold, which brings in
    /// another piece, and then the turns.
    pub(super) fn next_piece(&mut self) {
        self.deal.fill(self.preview + 1, &self.board);
        if self.deal.pieces().is_empty() {
            self.falling = None;
            self.status = Status::OutOfPieces;
            return;
        }
        // Neither the first piece nor one after a hold raises the level.
        if self.pieces > 0 {
            self.tally.level = self.move_rules.pace.after_entry(self.tally.level);
        }
        self.may_hold = true;
        let early = std::mem::take(&mut self.early);
        if early.has(Input::Hold) {
            self.swap();
        }
        self.enter(early);
    }

    /// Brings in the first piece, turned by these inputs, if it can enter.
    pub(super) fn enter(&mut self, early: Inputs) {
        self.move_rules.set_level(self.tally.level);
        let turns: Vec<_> = early.turns().collect();
        let piece = self.deal.pieces()[0];
        let falling = self.move_rules.entry_turned(piece, &self.board, &turns);
        self.falling = Some(falling);
        self.age = 0;
        self.floor_kicked = false;
        self.timer = LockTimer::new(falling.y);
        self.spin = Spin::None;
        (self.soft_rows, self.hard_rows) = (0, 0);
        if !falling.fits(&self.board) {
            self.status = Status::Over;
        }
    }

    /// Holds the falling piece, if allowed; returns whether it did.
    pub(super) fn hold(&mut self) -> bool {
        let held = self.swap();
        if held {
            self.enter(Inputs::NONE);
        }
        held
    }

    /// Holds the first piece and replaces it by the previously held one, or else by the next one;
    /// returns whether that was possible.
    fn swap(&mut self) -> bool {
        if !self.rules.hold || !self.may_hold {
            return false;
        }
        let piece = self.deal.pieces()[0];
        match self.held {
            Some(held) => self.deal.replace_current(held),
            None => {
                self.deal.fill(self.preview + 2, &self.board);
                if self.deal.pieces().len() < 2 {
                    return false;
                }
                self.deal.advance();
            }
        }
        self.held = Some(piece);
        self.may_hold = false;
        true
    }
}
