//! One board on the screen: a game, who plays it, and the way back.

mod dealing;
mod history;
mod plan;
mod script;

pub(crate) use dealing::Dealer;

use super::bot::Bot;
use super::log::{GameLog, Hand};
use super::stack::Stack;
use history::{Edited, Moment};
use plan::{DROP_TICKS, Plan};
use script::Script;
use std::collections::VecDeque;
use std::sync::Arc;
use tetrolab::analysis::AnalysedPlayer;
use tetrolab::core::board::Board;
use tetrolab::core::game::{Game, Status};
use tetrolab::core::moves::{Input, PathFinder};
use tetrolab::core::piece::Piece;
use tetrolab::core::placement::{Placement, Transition};
use tetrolab::core::record::GameRecord;
use tetrolab::core::rotation::Falling;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::core::stepped::Inputs;

/// A board on the screen.
pub(crate) struct Seat {
    ruleset: Arc<Ruleset>,
    pub(crate) bot: Option<Bot>,
    /// Whether the bot plays; otherwise the person does.
    pub(crate) bot_plays: bool,
    game: Game,
    stack: Stack,
    log: GameLog,
    /// The game when the current piece came, and before each piece that can be taken back.
    entry: Moment,
    past: VecDeque<Moment>,
    /// Games that an edit of the board has ended.
    edited: Vec<Edited>,
    plan: Option<Plan>,
    /// Where the person holds the piece of a game in which pieces drop.
    aim: Option<Falling>,
    pub(crate) hint: Option<Placement>,
    dealing: Dealer,
    waits_for_piece: bool,
    script: Option<Script>,
    /// Who played the record that was watched last.
    replayed: String,
    finder: PathFinder,
    /// What the bot thinks of the piece; asked once.
    thoughts: Option<AnalysedPlayer>,
}

/// A game that begins.
fn open(ruleset: &Ruleset, seed: u64, start: Option<Board>, bot: Option<&Bot>) -> (Game, GameLog) {
    let board = start.unwrap_or_else(|| ruleset.empty_board());
    let bot = bot.filter(|bot| bot.needs_forecast());
    let forecast = bot.map(|_| ruleset.forecast());
    let game = Game::on_board(ruleset, board, seed, forecast);
    let log = GameLog::new(ruleset.parts(), seed, start, &game);
    (game, log)
}

impl Seat {
    pub(crate) fn new(ruleset: Arc<Ruleset>, seed: u64, bot: Option<Bot>, bot_plays: bool) -> Seat {
        let (game, log) = open(&ruleset, seed, None, bot.as_ref());
        let stack = Stack::unknown(game.board());
        let entry = Moment::at_start(&game, &stack, log.kept());
        let mut seat = Seat {
            ruleset,
            bot,
            bot_plays,
            game,
            stack,
            log,
            entry,
            past: VecDeque::new(),
            edited: Vec::new(),
            plan: None,
            aim: None,
            hint: None,
            dealing: Dealer::Rules,
            waits_for_piece: false,
            script: None,
            replayed: String::new(),
            finder: PathFinder::default(),
            thoughts: None,
        };
        seat.begin_piece();
        seat.wake_bot();
        seat
    }

    /// Begins a game on a board.
    fn begin(&mut self, seed: u64, start: Option<Board>) {
        (self.game, self.log) = open(&self.ruleset, seed, start, self.bot.as_ref());
        self.stack = Stack::unknown(self.game.board());
        self.dealing = Dealer::Rules;
        self.waits_for_piece = false;
        self.past.clear();
        self.remember();
        self.begin_piece();
        self.wake_bot();
    }

    /// The same game from its beginning.
    pub(crate) fn restart(&mut self) {
        let start = match &self.script {
            Some(script) => script.record.start,
            None => self.log.start,
        };
        self.begin(self.log.seed, start);
    }

    /// Another game.
    pub(crate) fn new_game(&mut self, seed: u64) {
        self.script = None;
        self.replayed.clear();
        self.edited.clear();
        self.begin(seed, None);
    }

    fn wake_bot(&mut self) {
        if let Some(bot) = &mut self.bot {
            bot.start(self.log.seed);
        }
    }

    /// A piece comes: nobody has planned anything for it.
    fn begin_piece(&mut self) {
        self.plan = None;
        self.hint = None;
        self.thoughts = None;
        let drops = self.game.stepped().is_none() && self.game.status() == Status::Playing;
        self.aim = drops.then(|| plan::hovering(&self.game, None));
    }

    /// A piece has come to rest.
    fn locked(&mut self, step: &Transition, hand: Hand) {
        self.stack.add(step);
        self.log.add(step.placement, hand);
        self.begin_piece();
        self.see_pieces();
    }

    /// Who places the piece.
    fn hand(&self) -> Hand {
        match (&self.script, self.bot_plays) {
            (Some(_), _) => Hand::Record,
            (None, true) => Hand::Bot,
            (None, false) => Hand::You,
        }
    }

    /// Plays a tick; what the person presses counts while the bot does not play.
    pub(crate) fn tick(&mut self, pressed: Inputs) {
        if !self.is_playing() || self.waits_for_piece {
            return;
        }
        match self.game.stepped().is_some() {
            true => self.tick_stepped(pressed),
            false => self.tick_drops(pressed),
        }
    }

    fn tick_stepped(&mut self, pressed: Inputs) {
        let inputs = match self.is_automatic() {
            true => self.automatic_input(),
            false => pressed,
        };
        let hand = self.hand();
        if let Some(step) = self.play_tick(inputs) {
            self.locked(&step, hand);
            self.keep_past();
        }
    }

    fn play_tick(&mut self, inputs: Inputs) -> Option<Transition> {
        let before = self.waiting_piece();
        let ticked = self.game.tick(inputs);
        self.log.add_inputs(inputs);
        if ticked.locked.is_none() {
            self.see_pieces();
            if self.waiting_piece() != before {
                // Another piece falls.
                self.hint = None;
                self.thoughts = None;
            }
        }
        ticked.locked
    }

    /// The piece that falls, and the one in the hold.
    fn waiting_piece(&self) -> Option<(Option<Piece>, Option<Piece>)> {
        let game = self.game.stepped()?;
        Some((game.falling().map(|falling| falling.piece), game.held()))
    }

    fn tick_drops(&mut self, pressed: Inputs) {
        if !self.is_automatic() {
            if let Some(aim) = self.aim {
                self.aim = Some(plan::steered(&self.game, aim, pressed));
            }
            if pressed.has(Input::Drop) {
                self.drop_aim();
            }
            return;
        }
        if self.plan.is_none() {
            self.plan = self.next_placement().map(Plan::drop);
        }
        let Some(Plan::Drop { placement, ticks }) = &mut self.plan else {
            return;
        };
        *ticks += 1;
        if *ticks >= DROP_TICKS {
            let placement = *placement;
            self.place(placement);
            self.keep_past();
        }
    }

    /// Drops the piece where the person holds it.
    fn drop_aim(&mut self) {
        let Some(aim) = self.aim else {
            return;
        };
        let placement = plan::dropped(self.game.board(), aim);
        if self.game.check(placement).is_ok() {
            self.place(placement);
            self.keep_past();
        }
    }

    fn place(&mut self, placement: Placement) {
        let hand = self.hand();
        let step = self.game.apply(placement);
        self.locked(&step, hand);
    }

    /// The bot, or the record, plays a whole piece at once; whether it could. It is not remembered: see [`Self::remember`].
    pub(crate) fn leap(&mut self) -> bool {
        if !self.is_playing() || self.waits_for_piece || !self.is_automatic() {
            return false;
        }
        if self.game.stepped().is_none() {
            return match self.planned() {
                Some(placement) => {
                    self.place(placement);
                    true
                }
                None => false,
            };
        }
        let pieces = self.game.pieces();
        while self.is_playing() && !self.waits_for_piece && self.game.pieces() == pieces {
            self.leap_tick();
        }
        // The next piece is to be seen.
        while self.is_playing() && self.waiting_piece().is_some_and(|piece| piece.0.is_none()) {
            self.leap_tick();
        }
        true
    }

    fn leap_tick(&mut self) {
        let (inputs, hand) = (self.automatic_input(), self.hand());
        if let Some(step) = self.play_tick(inputs) {
            self.locked(&step, hand);
        }
    }

    /// As [`Self::leap`], but it can be taken back.
    pub(crate) fn step(&mut self) -> bool {
        let leapt = self.leap();
        if leapt {
            self.keep_past();
        }
        leapt
    }

    fn planned(&mut self) -> Option<Placement> {
        match self.plan.take() {
            Some(Plan::Drop { placement, .. }) => Some(placement),
            _ => self.next_placement(),
        }
    }

    /// Where the record or the bot puts the piece.
    fn next_placement(&mut self) -> Option<Placement> {
        match &self.script {
            Some(script) => script.placement(&self.game),
            None => self.bot.as_mut()?.choose(&self.game),
        }
    }

    /// What the record or the bot presses in the next tick.
    fn automatic_input(&mut self) -> Inputs {
        if let Some(inputs) = self
            .script
            .as_ref()
            .and_then(|script| script.inputs(&self.game))
        {
            return inputs;
        }
        let falls = self
            .game
            .stepped()
            .is_some_and(|game| game.falling().is_some());
        if self.plan.is_none() && falls {
            let path = match &self.script {
                Some(script) => script.path(&self.game, &mut self.finder),
                None => {
                    let bot = self.bot.as_mut();
                    bot.and_then(|bot| bot.path(&self.game, &mut self.finder))
                }
            };
            self.plan = Some(Plan::path(path));
        }
        self.plan.as_mut().map_or(Inputs::NONE, Plan::next_input)
    }

    /// Lets the bot play, or the person.
    pub(crate) fn toggle_bot(&mut self) {
        self.bot_plays = !self.bot_plays && self.bot.is_some();
        self.plan = None;
        self.script = None;
    }

    /// Shows where the bot would go.
    pub(crate) fn give_hint(&mut self) {
        let bot = self.bot.as_ref();
        self.hint = bot.and_then(|bot| bot.look(&self.game));
    }

    /// Asks the bot what it thinks of the position, once for each piece.
    pub(crate) fn think(&mut self) {
        if self.thoughts.is_none() {
            let bot = self.bot.as_ref();
            self.thoughts = bot.and_then(|bot| bot.think(&self.game));
        }
    }

    pub(crate) fn thoughts(&self) -> Option<&AnalysedPlayer> {
        self.thoughts.as_ref()
    }

    /// Whether somebody other than the person plays.
    pub(crate) fn is_automatic(&self) -> bool {
        self.script.is_some() || self.bot_plays
    }

    /// Whether a piece waits to be placed; a record that is played has an end too.
    pub(crate) fn is_playing(&self) -> bool {
        let is_waiting = self.game.status() == Status::Playing;
        is_waiting
            && self
                .script
                .as_ref()
                .is_none_or(|script| script.goes_on(&self.game))
    }

    /// Whether a piece of a stepped game has locked and the next one has not entered.
    pub(crate) fn is_between_pieces(&self) -> bool {
        let game = self.game.stepped();
        self.is_playing() && game.is_some_and(|game| game.falling().is_none())
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn stack(&self) -> &Stack {
        &self.stack
    }

    pub(crate) fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Rows that are shown.
    pub(crate) fn visible_rows(&self) -> usize {
        let stepped = self.ruleset.stepped();
        stepped.map_or(self.ruleset.height, |rules| rules.steering.visible)
    }

    /// The piece on its way down, as it is shown.
    pub(crate) fn falling(&self) -> Option<Falling> {
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

    /// Where the piece would land if it fell straight down.
    pub(crate) fn ghost(&self) -> Option<Placement> {
        if let Some(game) = self.game.stepped() {
            return game.ghost().map(|ghost| ghost.placement());
        }
        match &self.plan {
            Some(Plan::Drop { placement, .. }) => Some(*placement),
            _ => self.aim.map(|aim| plan::dropped(self.game.board(), aim)),
        }
    }

    /// The record of the game so far.
    pub(crate) fn record(&self) -> GameRecord {
        self.record_of(&self.log, &self.game)
    }

    fn record_of(&self, log: &GameLog, game: &Game) -> GameRecord {
        let bot = self.bot.as_ref().map_or("", |bot| bot.name.as_str());
        log.record(game, &self.replayed, bot, self.hand())
    }
}

#[cfg(test)]
mod tests;
