//! Sessions: games shared by people and bots, with undo.
//!
//! A session uses no terminal, file or clock: it receives inputs, actions and elapsed ticks, and
//! returns values (boards, placements, a [`GameRecord`]). So a terminal, a server and a browser can
//! all use it.
//!
//! ```text
//! SessionStart -> SessionGroup (Sessions on one clock) <- SessionMessage, as a value or as JSON
//!                                                      -> SessionState, GameRecord
//! ```

mod bot;
mod dealing;
mod editor;
mod error;
mod group;
mod history;
mod keyboard;
mod log;
mod message;
mod plan;
mod play;
mod risk;
mod script;
mod speed;
mod stack;
mod start_level;

pub use crate::number::seed;
pub use bot::Bot;
pub use dealing::Dealer;
pub use editor::{Edit, Editor};
pub use error::SessionError;
pub use group::{GroupSetup, Lineup, OpponentPace, SessionGroup};
pub use keyboard::{KeyStroke, Keyboard, usual_keys};
pub use message::{BoardState, DrawnPiece, KeyRepeat, SessionMessage, SessionStart, SessionState};
pub use risk::{RiskMeter, RiskReading};
pub(crate) use speed::TICKS;
pub use speed::{Speed, Ticker, parse_speed};
pub use stack::Stack;
pub use start_level::at_level;

use crate::analysis::AnalysedPlayer;
use history::{Edited, Moment, TakenBack};
use log::{GameLog, Hand};
use plan::Plan;
use script::Script;
use std::collections::VecDeque;
use std::sync::Arc;
use tetrolab_core::board::Board;
use tetrolab_core::game::{Game, Status};
use tetrolab_core::moves::PathFinder;
use tetrolab_core::placement::{Placement, Transition};
use tetrolab_core::record::GameRecord;
use tetrolab_core::rotation::Falling;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::stop::StopFlag;

/// A game, its players, and its history.
pub struct Session {
    ruleset: Arc<Ruleset>,
    bot: Option<Bot>,
    /// Whether the bot plays; if not, the person does.
    bot_plays: bool,
    game: Game,
    stack: Stack,
    log: GameLog,
    /// The game at the time when the current piece entered.
    entry: Moment,
    /// The game before each piece that can be undone.
    past: VecDeque<Moment>,
    /// The undone pieces; the next one to redo is last.
    future: Vec<TakenBack>,
    /// Games that ended because the board was edited.
    edited: Vec<Edited>,
    plan: Option<Plan>,
    /// The person's piece above the board of a placement game.
    aim: Option<Falling>,
    hint: Option<Placement>,
    dealing: Dealer,
    waits_for_piece: bool,
    script: Option<Script>,
    /// The player of the last watched record.
    replayed: String,
    finder: PathFinder,
    /// The bot's analysis of the position, computed once per piece.
    analysis: Option<AnalysedPlayer>,
}

fn open(ruleset: &Ruleset, seed: u64, start: Option<Board>, bot: Option<&Bot>) -> (Game, GameLog) {
    let board = start.unwrap_or_else(|| ruleset.empty_board());
    let bot = bot.filter(|bot| bot.player().needs_forecast());
    let forecast = bot.map(|_| ruleset.forecast());
    let game = Game::on_board(ruleset, board, seed, forecast);
    let log = GameLog::new(ruleset.parts(), seed, start, &game);
    (game, log)
}

impl Session {
    /// A new game; `bot_plays` says whether the bot or the person plays first.
    pub fn new(ruleset: Arc<Ruleset>, seed: u64, bot: Option<Bot>, bot_plays: bool) -> Session {
        let (game, log) = open(&ruleset, seed, None, bot.as_ref());
        let stack = Stack::unknown(game.board());
        let entry = Moment::at_start(&game, &stack, log.kept());
        let mut session = Session {
            ruleset,
            bot,
            bot_plays,
            game,
            stack,
            log,
            entry,
            past: VecDeque::new(),
            future: Vec::new(),
            edited: Vec::new(),
            plan: None,
            aim: None,
            hint: None,
            dealing: Dealer::Rules,
            waits_for_piece: false,
            script: None,
            replayed: String::new(),
            finder: PathFinder::default(),
            analysis: None,
        };
        session.begin_piece();
        session.start_bot();
        session
    }

    /// Starts a game, on an empty board unless another one is given.
    fn begin(&mut self, seed: u64, start: Option<Board>) {
        (self.game, self.log) = open(&self.ruleset, seed, start, self.bot.as_ref());
        self.stack = Stack::unknown(self.game.board());
        self.dealing = Dealer::Rules;
        self.waits_for_piece = false;
        self.past.clear();
        self.remember();
        self.begin_piece();
        self.start_bot();
    }

    /// Restarts the same game.
    pub fn restart(&mut self) {
        let recorded = self.script.as_ref().map(|script| script.record.start);
        self.begin(self.log.seed, recorded.unwrap_or(self.log.start));
    }

    /// Starts another game.
    pub fn new_game(&mut self, seed: u64) {
        self.script = None;
        self.replayed.clear();
        self.edited.clear();
        self.begin(seed, None);
    }

    fn start_bot(&mut self) {
        if let Some(bot) = &mut self.bot {
            bot.start(self.log.seed);
        }
    }

    /// Discards plans and analyses of the previous piece.
    fn begin_piece(&mut self) {
        self.plan = None;
        self.hint = None;
        self.analysis = None;
        let drops = self.game.stepped().is_none() && self.game.status() == Status::Playing;
        self.aim = drops.then(|| plan::hovering(&self.game, None));
    }

    /// Updates the state after a piece has locked.
    fn locked(&mut self, step: &Transition, hand: Hand) {
        self.stack.add(step);
        self.log.add(step.placement, hand);
        self.begin_piece();
        self.log_drawn_pieces();
    }

    /// Hands the game over to the bot, or to the person; this ends a record.
    pub fn set_bot_plays(&mut self, bot_plays: bool) {
        self.bot_plays = bot_plays && self.bot.is_some();
        self.plan = None;
        self.script = None;
    }

    /// The placement that the bot suggests, which is shown until the piece locks.
    pub fn give_hint(&mut self) -> Option<Placement> {
        let bot = self.bot.as_ref();
        self.hint = bot.and_then(|bot| bot.suggest(&self.game));
        self.hint
    }

    /// Lets the bot analyse the position, once per piece.
    pub fn analyse(&mut self) {
        if self.analysis.is_none() {
            let bot = self.bot.as_ref();
            self.analysis = bot.and_then(|bot| bot.analyse(&self.game));
        }
    }

    /// The bot's analysis of the position, if requested.
    pub fn analysis(&self) -> Option<&AnalysedPlayer> {
        self.analysis.as_ref()
    }

    /// The bot, which plays or helps.
    pub fn bot(&self) -> Option<&Bot> {
        self.bot.as_ref()
    }

    fn heed(&mut self, stop: &StopFlag) {
        self.ruleset = Arc::new(self.ruleset.heeding(stop));
        self.game.heed(stop);
        if let Some(bot) = &mut self.bot {
            bot.heed(stop);
        }
    }

    /// Whether the bot plays; otherwise the person or the record does.
    pub fn bot_plays(&self) -> bool {
        self.bot_plays
    }

    /// The bot's suggestion for this piece, if there was one.
    pub fn hint(&self) -> Option<Placement> {
        self.hint
    }

    /// Whether the bot or a record plays.
    pub(crate) fn is_automatic(&self) -> bool {
        self.script.is_some() || self.bot_plays
    }

    /// Whether a piece is waiting to be placed; a record being played can end too.
    pub fn is_playing(&self) -> bool {
        let script = self.script.as_ref();
        let continues = script.is_none_or(|script| script.continues(&self.game));
        continues && self.game.status() == Status::Playing
    }

    /// Whether a piece of a stepped game has locked and the next one has not entered.
    pub fn is_between_pieces(&self) -> bool {
        let game = self.game.stepped();
        self.is_playing() && game.is_some_and(|game| game.falling().is_none())
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The pieces that the cells of the stack belong to.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// The ruleset of the game.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Number of visible rows; those above are hidden.
    pub fn visible_rows(&self) -> usize {
        let stepped = self.ruleset.stepped();
        stepped.map_or(self.ruleset.height, |rules| rules.move_rules.visible)
    }

    /// The falling piece as shown.
    pub fn falling(&self) -> Option<Falling> {
        if let Some(game) = self.game.stepped() {
            return game.falling();
        }
        match &self.plan {
            Some(Plan::Drop { placement, ticks }) => {
                Some(plan::on_the_way(&self.game, *placement, *ticks))
            }
            _ => self.aim,
        }
    }

    /// The placement of the piece if it fell straight down.
    pub fn ghost(&self) -> Option<Placement> {
        if let Some(game) = self.game.stepped() {
            return game.ghost().map(|ghost| ghost.placement());
        }
        match &self.plan {
            Some(Plan::Drop { placement, .. }) => Some(*placement),
            _ => self.aim.map(|aim| plan::dropped(self.game.board(), aim)),
        }
    }

    /// The record of the game so far.
    pub fn record(&self) -> GameRecord {
        self.record_of(&self.log, &self.game)
    }

    fn record_of(&self, log: &GameLog, game: &Game) -> GameRecord {
        let bot = self.bot.as_ref().map_or("", |bot| bot.name.as_str());
        log.record(game, &self.replayed, bot, self.hand())
    }
}

#[cfg(test)]
mod tests;
