//! The source of the pieces.

use super::Session;
use serde::{Deserialize, Serialize};
use tetrolab_core::piece::Piece;
use tetrolab_core::randomizers::Randomizer;

/// The source of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dealer {
    /// The ruleset's randomizer.
    Rules,
    /// The person.
    You,
    /// An adversary that deals the worst piece.
    Adversary,
}

impl Session {
    /// Sets the source of the pieces from now on; [`Dealer::Adversary`] needs an `adversary`.
    pub fn deal_by(&mut self, dealing: Dealer, adversary: Option<Box<dyn Randomizer>>) {
        let before = std::mem::replace(&mut self.dealing, dealing);
        self.waits_for_piece = dealing == Dealer::You && self.is_playing();
        match (dealing, adversary) {
            (Dealer::Adversary, Some(adversary)) => {
                self.log.deal_otherwise();
                self.game.deal_from(adversary);
            }
            (Dealer::Rules, _) if before != Dealer::Rules => {
                // The randomizer restarts, so the seed does not determine these pieces.
                self.log.deal_otherwise();
                self.game.deal_from(self.ruleset.randomizer());
            }
            _ => (),
        }
        self.remember();
    }

    /// Adds the pieces that were drawn to the log. If the person chooses them, the game waits.
    pub(super) fn log_drawn_pieces(&mut self) {
        let drawn = self.log.add_drawn(&self.game);
        self.waits_for_piece |= drawn && self.dealing == Dealer::You && self.is_playing();
    }

    /// Sets the piece that the game is waiting for: the last one drawn.
    pub fn choose_piece(&mut self, piece: Piece) {
        if self.waits_for_piece {
            self.game.deal(piece);
            self.log.choose_last(piece);
            self.waits_for_piece = false;
            self.begin_piece();
            self.remember();
        }
    }

    /// Whether the game is waiting for the person to choose a piece.
    pub fn waits_for_piece(&self) -> bool {
        self.waits_for_piece
    }

    /// The source of the pieces.
    pub fn dealing(&self) -> Dealer {
        self.dealing
    }
}
