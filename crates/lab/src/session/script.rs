//! Recorded games that are being watched.

use super::{Bot, Dealer, Session, SessionError};
use std::sync::Arc;
use tetrolab_core::game::Game;
use tetrolab_core::moves::{Path, PathFinder};
use tetrolab_core::placement::Placement;
use tetrolab_core::record::{GameRecord, ShortPlacement};
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::stepped::Inputs;

/// A recorded game that plays by itself.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) record: GameRecord,
}

impl Script {
    /// Whether the record continues from here.
    pub(super) fn continues(&self, game: &Game) -> bool {
        (game.pieces() as usize) < self.record.placements.len()
    }

    /// The next placement.
    pub(super) fn placement(&self, game: &Game) -> Option<Placement> {
        let next = self.record.placements.get(game.pieces() as usize)?;
        next.on(game.board()).ok()
    }

    /// The inputs of the next tick, if the record has inputs.
    pub(super) fn inputs(&self, game: &Game) -> Option<Inputs> {
        let log = self.record.inputs.as_ref()?;
        Some(log.at(game.stepped()?.ticks()))
    }

    /// A path to the next placement.
    pub(super) fn path(&self, game: &Game, finder: &mut PathFinder) -> Option<Path> {
        game.stepped()?.path_to(self.placement(game)?, finder)
    }
}

impl Session {
    /// A session that shows a recorded game, which must be possible under its rules.
    ///
    /// # Errors
    /// If the record has no placements.
    pub fn replay(
        ruleset: Arc<Ruleset>,
        record: GameRecord,
        bot: Option<Bot>,
    ) -> Result<Session, SessionError> {
        if record.placements.is_empty() {
            return SessionError::refused("the record has no placements");
        }
        let mut session = Session::new(ruleset, record.seed, bot, false);
        session.replayed.clone_from(&record.player);
        session.script = Some(Script { record });
        session.restart();
        Ok(session)
    }

    /// Jumps to the position after this many pieces: of the record, or of the game's own history.
    pub fn go_to(&mut self, pieces: u64) {
        let Some(script) = &self.script else {
            while self.game.pieces() > pieces && self.undo_piece() {}
            while self.game.pieces() < pieces && self.redo_piece() {}
            return;
        };
        let pieces = pieces.min(script.record.placements.len() as u64);
        if pieces < self.game.pieces() {
            self.restart();
        }
        while self.game.pieces() < pieces && self.step() {}
    }

    /// The number of pieces in the record, if one is watched.
    pub fn recorded_pieces(&self) -> Option<usize> {
        let script = self.script.as_ref()?;
        Some(script.record.placements.len())
    }

    /// Whether the game started as a record.
    pub fn begins_in_a_record(&self) -> bool {
        !self.replayed.is_empty()
    }

    /// The player of the record.
    pub fn recorded_player(&self) -> Option<&str> {
        let script = self.script.as_ref()?;
        Some(&script.record.player)
    }

    /// The placement of the record for the current piece.
    pub fn recorded_placement(&self) -> Option<ShortPlacement> {
        let script = self.script.as_ref()?;
        let next = script.record.placements.get(self.game.pieces() as usize);
        next.copied()
    }

    /// Leaves the record: the person continues the game from here.
    pub fn take_over(&mut self) {
        self.script = None;
        self.plan = None;
        self.dealing = Dealer::Rules;
    }
}
