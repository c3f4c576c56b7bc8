//! A recorded game that is played again.

use super::{Dealer, Seat};
use anyhow::Context;
use std::sync::Arc;
use tetrolab::core::game::Game;
use tetrolab::core::moves::{Path, PathFinder};
use tetrolab::core::placement::Placement;
use tetrolab::core::record::{GameRecord, ShortPlacement};
use tetrolab::core::ruleset::Ruleset;
use tetrolab::core::stepped::Inputs;

/// A recorded game, whose placements and inputs come by themselves.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) record: GameRecord,
}

impl Script {
    /// Whether the record goes on from here.
    pub(super) fn goes_on(&self, game: &Game) -> bool {
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

impl Seat {
    /// A recorded game that will be played again; it must be one under its rules.
    pub(crate) fn replay(
        ruleset: Arc<Ruleset>,
        record: GameRecord,
        bot: Option<super::Bot>,
    ) -> anyhow::Result<Seat> {
        record
            .placements
            .first()
            .context("the record holds no placements")?;
        let mut seat = Seat::new(ruleset, record.seed, bot, false);
        seat.replayed.clone_from(&record.player);
        seat.script = Some(Script { record });
        seat.restart();
        Ok(seat)
    }

    /// Goes to the moment of the record at which so many pieces lie.
    pub(crate) fn go_to(&mut self, pieces: u64) {
        let Some(script) = &self.script else {
            return;
        };
        let pieces = pieces.min(script.record.placements.len() as u64);
        if pieces < self.game.pieces() {
            self.restart();
        }
        while self.game.pieces() < pieces && self.step() {}
    }

    /// How many pieces the record has, if one is played.
    pub(crate) fn recorded_pieces(&self) -> Option<usize> {
        let script = self.script.as_ref()?;
        Some(script.record.placements.len())
    }

    /// Whether the game began as a record, or on a board of someone's own.
    pub(crate) fn begins_in_a_record(&self) -> bool {
        !self.replayed.is_empty()
    }

    /// Who played the record.
    pub(crate) fn recorded_player(&self) -> Option<&str> {
        let script = self.script.as_ref()?;
        Some(&script.record.player)
    }

    /// What the record has for the piece that waits.
    pub(crate) fn recorded_placement(&self) -> Option<ShortPlacement> {
        let script = self.script.as_ref()?;
        let next = script.record.placements.get(self.game.pieces() as usize);
        next.copied()
    }

    /// Leaves the record: the game goes on from here.
    pub(crate) fn take_over(&mut self) {
        self.script = None;
        self.plan = None;
        self.dealing = Dealer::Rules;
    }
}
