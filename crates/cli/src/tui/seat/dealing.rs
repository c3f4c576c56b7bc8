//! Who chooses the pieces.

use super::Seat;
use tetrolab::core::piece::Piece;
use tetrolab::core::randomizers::Randomizer;

/// Who chooses the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dealer {
    /// The ruleset's randomizer.
    Rules,
    /// The person at the keyboard.
    You,
    /// The adversary.
    Adversary,
}

impl Seat {
    /// Sets who chooses the pieces from here on; `adversary` deals if it is the adversary.
    pub(crate) fn deal_by(&mut self, dealing: Dealer, adversary: Option<Box<dyn Randomizer>>) {
        self.dealing = dealing;
        self.waits_for_piece = dealing == Dealer::You && self.is_playing();
        match (dealing, adversary) {
            (Dealer::Adversary, Some(adversary)) => {
                self.log.deal_otherwise();
                self.game.deal_from(adversary);
            }
            (Dealer::Rules, _) => self.game.deal_from(self.ruleset.randomizer()),
            _ => (),
        }
        self.remember();
    }

    /// Pieces may have been drawn: if the person chooses them, the game waits.
    pub(super) fn see_pieces(&mut self) {
        let drawn = self.log.see_pieces(&self.game);
        self.waits_for_piece |= drawn && self.dealing == Dealer::You && self.is_playing();
    }

    /// The person chooses the piece for which the game waits: the last that was drawn.
    pub(crate) fn choose_piece(&mut self, piece: Piece) {
        if self.waits_for_piece {
            self.game.deal(piece);
            self.log.choose_last(piece);
            self.waits_for_piece = false;
            self.begin_piece();
            self.remember();
        }
    }

    pub(crate) fn waits_for_piece(&self) -> bool {
        self.waits_for_piece
    }

    pub(crate) fn dealing(&self) -> Dealer {
        self.dealing
    }
}
