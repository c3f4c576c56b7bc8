//! The way back: moments of a game to which an undo leads.

use super::{Dealer, Seat};
use crate::tui::log::{GameLog, LogLength};
use crate::tui::seat::script::Script;
use crate::tui::stack::Stack;
use std::collections::VecDeque;
use tetrolab::core::board::Board;
use tetrolab::core::game::Game;
use tetrolab::core::record::GameRecord;

/// How many pieces can be taken back.
const MOST_UNDONE: usize = 1000;
/// How many edits of the board can be taken back.
const MOST_EDITS: usize = 20;

/// Where a game stood.
#[derive(Clone)]
pub(super) struct Moment {
    pub(super) game: Game,
    stack: Stack,
    kept: LogLength,
    dealing: Dealer,
    waits_for_piece: bool,
}

/// A game that an edit of its board has ended.
pub(super) struct Edited {
    moment: Moment,
    log: GameLog,
    past: VecDeque<Moment>,
    script: Option<Script>,
}

impl Moment {
    pub(super) fn at_start(game: &Game, stack: &Stack, kept: LogLength) -> Moment {
        Moment {
            game: game.clone(),
            stack: stack.clone(),
            kept,
            dealing: Dealer::Rules,
            waits_for_piece: false,
        }
    }
}

impl Seat {
    fn moment(&self) -> Moment {
        Moment {
            game: self.game.clone(),
            stack: self.stack.clone(),
            kept: self.log.kept(),
            dealing: self.dealing,
            waits_for_piece: self.waits_for_piece,
        }
    }

    /// Takes note of where the game stands, so that an undo leads here.
    pub(crate) fn remember(&mut self) {
        self.entry = self.moment();
    }

    /// What has been played since the last time can be taken back, all at once.
    pub(crate) fn keep_past(&mut self) {
        if self.game.pieces() == self.entry.game.pieces() {
            return;
        }
        let next = self.moment();
        self.past
            .push_back(std::mem::replace(&mut self.entry, next));
        if self.past.len() > MOST_UNDONE {
            self.past.pop_front();
        }
    }

    /// Takes the last piece back; whether there was one.
    pub(crate) fn undo_piece(&mut self) -> bool {
        let moment = self.past.pop_back();
        let is_one = moment.is_some();
        if let Some(moment) = moment {
            self.return_to(moment);
        }
        is_one
    }

    /// A new game that begins on this board. Its pieces are those of the game's seed, from the first on.
    pub(crate) fn edit(&mut self, board: Board) {
        if self.edited.len() == MOST_EDITS {
            self.edited.remove(0);
        }
        self.edited.push(Edited {
            moment: self.moment(),
            log: self.log.clone(),
            past: std::mem::take(&mut self.past),
            script: self.script.take(),
        });
        self.begin(self.log.seed, Some(board));
    }

    /// Goes back to the game before the board was edited; whether there was one.
    pub(crate) fn undo_edit(&mut self) -> bool {
        let Some(edited) = self.edited.pop() else {
            return false;
        };
        self.log = edited.log;
        self.past = edited.past;
        self.script = edited.script;
        self.return_to(edited.moment);
        true
    }

    /// The record of the game before the last edit of its board, if somebody played it.
    pub(crate) fn record_before_edit(&self) -> Option<GameRecord> {
        let edited = self.edited.last()?;
        let record = self.record_of(&edited.log, &edited.moment.game);
        (record.pieces > 0).then_some(record)
    }

    fn return_to(&mut self, moment: Moment) {
        self.log.back_to(moment.kept);
        self.game = moment.game.clone();
        self.stack = moment.stack.clone();
        self.dealing = moment.dealing;
        self.entry = moment;
        self.begin_piece();
        self.waits_for_piece = self.entry.waits_for_piece && self.is_playing();
        self.wake_bot();
    }
}
