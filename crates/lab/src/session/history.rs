//! Undo and redo: positions to which a game can return.

use super::log::{GameLog, LogLength, LogTail};
use super::script::Script;
use super::stack::Stack;
use super::{Dealer, Session};
use std::collections::VecDeque;
use tetrolab_core::board::Board;
use tetrolab_core::game::Game;
use tetrolab_core::record::GameRecord;

/// Number of pieces that can be undone.
const MOST_UNDONE: usize = 1000;
/// Number of edits that can be undone.
const MOST_EDITS: usize = 20;
/// The total number of placements and ticks kept in edited games; the last one is always kept.
const MOST_IN_EDITS: usize = 100_000;

/// The state of a game at one point in time.
#[derive(Clone)]
pub(super) struct Moment {
    pub(super) game: Game,
    stack: Stack,
    kept: LogLength,
    dealing: Dealer,
    waits_for_piece: bool,
}

/// An undone piece: the position after the piece, and its part of the log.
pub(super) struct TakenBack {
    moment: Moment,
    tail: LogTail,
}

/// A game that ended because its board was edited.
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

impl Session {
    fn moment(&self) -> Moment {
        Moment {
            game: self.game.clone(),
            stack: self.stack.clone(),
            kept: self.log.kept(),
            dealing: self.dealing,
            waits_for_piece: self.waits_for_piece,
        }
    }

    /// Makes this the position to which the next undo returns.
    pub(super) fn remember(&mut self) {
        self.entry = self.moment();
        self.future.clear();
    }

    /// Turns the pieces since the last call into one step of the history.
    pub(crate) fn keep_past(&mut self) {
        if self.game.pieces() == self.entry.game.pieces() {
            return;
        }
        let next = self.moment();
        self.past
            .push_back(std::mem::replace(&mut self.entry, next));
        self.future.clear();
        if self.past.len() > MOST_UNDONE {
            self.past.pop_front();
        }
    }

    /// Undoes the last piece; returns whether there was one.
    pub(crate) fn undo_piece(&mut self) -> bool {
        let Some(moment) = self.past.pop_back() else {
            return false;
        };
        self.log.back_to(self.entry.kept);
        let tail = self.log.back_to(moment.kept);
        let moment = std::mem::replace(&mut self.entry, moment);
        self.future.push(TakenBack { moment, tail });
        self.return_to_entry();
        true
    }

    /// Redoes the last undone piece; returns whether there was one.
    pub(crate) fn redo_piece(&mut self) -> bool {
        let Some(TakenBack { moment, tail }) = self.future.pop() else {
            return false;
        };
        self.log.back_to(self.entry.kept);
        self.log.add_again(tail, moment.kept);
        let before = std::mem::replace(&mut self.entry, moment);
        self.past.push_back(before);
        self.return_to_entry();
        true
    }

    /// Starts a new game on this board. It uses the pieces of the game's seed, starting with the
    /// first.
    pub fn edit(&mut self, board: Board) {
        self.edited.push(Edited {
            moment: self.moment(),
            log: self.log.clone(),
            past: std::mem::take(&mut self.past),
            script: self.script.take(),
        });
        self.forget_edits();
        self.begin(self.log.seed, Some(board));
    }

    /// Discards the oldest edited games, except the last, while there are too many of them or they
    /// are too long.
    fn forget_edits(&mut self) {
        let size = |edited: &Edited| {
            let script = edited.script.as_ref();
            edited.log.size() + script.map_or(0, |script| script.record.placements.len())
        };
        let mut total: usize = self.edited.iter().map(size).sum();
        while self.edited.len() > 1 && (self.edited.len() > MOST_EDITS || total > MOST_IN_EDITS) {
            total -= size(&self.edited.remove(0));
        }
    }

    /// Returns to the game before the board was edited; returns whether there was one.
    pub(crate) fn undo_edit(&mut self) -> bool {
        let Some(edited) = self.edited.pop() else {
            return false;
        };
        self.log = edited.log;
        self.past = edited.past;
        self.script = edited.script;
        self.future.clear();
        self.log.back_to(edited.moment.kept);
        self.entry = edited.moment;
        self.return_to_entry();
        true
    }

    /// The record of the game before the last edit of its board, if it was played.
    pub fn record_before_edit(&self) -> Option<GameRecord> {
        let edited = self.edited.last()?;
        let record = self.record_of(&edited.log, &edited.moment.game);
        (record.pieces > 0).then_some(record)
    }

    /// The available steps of undo and redo.
    pub fn history(&self) -> (usize, usize) {
        (self.past.len(), self.future.len())
    }

    /// The numbers of pieces at the earliest and the latest points that undo and redo can reach.
    pub fn moments(&self) -> (u64, u64) {
        let now = self.game.pieces();
        let first = self.past.front().map(|moment| moment.game.pieces());
        let last = self.future.first().map(|next| next.moment.game.pieces());
        (first.unwrap_or(now), last.unwrap_or(now))
    }

    fn return_to_entry(&mut self) {
        self.game = self.entry.game.clone();
        self.stack = self.entry.stack.clone();
        self.dealing = self.entry.dealing;
        self.begin_piece();
        self.waits_for_piece = self.entry.waits_for_piece && self.is_playing();
        self.start_bot();
    }
}
