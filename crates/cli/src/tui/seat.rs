//! One board on the screen: a game, who plays it, and the way back.

mod plan;
mod script;

pub(crate) use plan::DROP_TICKS;

use super::bot::Bot;
use super::log::{GameLog, Kept};
use super::stack::Stack;
use plan::Plan;
use script::Script;
use std::collections::VecDeque;
use std::sync::Arc;
use tetrolab::analysis::AnalysedPlayer;
use tetrolab::core::board::Board;
use tetrolab::core::game::{Game, Status};
use tetrolab::core::moves::{Input, PathFinder};
use tetrolab::core::piece::Piece;
use tetrolab::core::placement::{Placement, Transition};
use tetrolab::core::randomizers::Randomizer;
use tetrolab::core::record::GameRecord;
use tetrolab::core::rotation::Falling;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::core::stepped::Inputs;

/// How many pieces can be taken back.
const MOST_UNDONE: usize = 1000;

/// A game at the moment when a piece comes.
#[derive(Clone)]
struct Moment {
    game: Game,
    stack: Stack,
    kept: Kept,
}

/// Who chooses the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dealing {
    /// The ruleset's randomizer.
    Rules,
    /// The person at the keyboard.
    You,
    /// The adversary.
    Adversary,
}

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
    edited: Vec<(Moment, GameLog)>,
    plan: Option<Plan>,
    /// Where the person holds the piece of a game in which pieces drop.
    aim: Option<Falling>,
    pub(crate) hint: Option<Placement>,
    dealing: Dealing,
    waits_for_piece: bool,
    script: Option<Script>,
    finder: PathFinder,
    thoughts: Option<(u64, AnalysedPlayer)>,
    /// What the last piece brought, to be shown for a moment.
    pub(crate) last: Option<Transition>,
}

impl Seat {
    pub(crate) fn new(ruleset: Arc<Ruleset>, seed: u64, bot: Option<Bot>, bot_plays: bool) -> Seat {
        let board = ruleset.empty_board();
        let forecast = bot
            .as_ref()
            .filter(|bot| bot.needs_forecast())
            .map(|_| ruleset.forecast());
        let game = Game::on_board(&ruleset, board, seed, forecast);
        let log = GameLog::new(ruleset.parts(), seed, None, &game);
        let stack = Stack::unknown(&board);
        let entry = Moment {
            game: game.clone(),
            stack: stack.clone(),
            kept: log.kept(),
        };
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
            dealing: Dealing::Rules,
            waits_for_piece: false,
            script: None,
            finder: PathFinder::default(),
            thoughts: None,
            last: None,
        };
        seat.begin_piece();
        seat.wake_bot();
        seat
    }

    /// Begins a game on a board.
    fn begin(&mut self, seed: u64, start: Option<Board>) {
        let board = start.unwrap_or_else(|| self.ruleset.empty_board());
        let bot = self.bot.as_ref().filter(|bot| bot.needs_forecast());
        let forecast = bot.map(|_| self.ruleset.forecast());
        self.game = Game::on_board(&self.ruleset, board, seed, forecast);
        self.log = GameLog::new(self.ruleset.parts(), seed, start, &self.game);
        self.stack = Stack::unknown(&board);
        self.dealing = Dealing::Rules;
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
        self.edited.clear();
        self.begin(seed, None);
    }

    /// A new game that begins on this board, with the same pieces as the game had.
    pub(crate) fn edit(&mut self, board: Board) {
        let moment = self.moment();
        self.edited.push((moment, self.log.clone()));
        self.script = None;
        self.begin(self.log.seed, Some(board));
    }

    fn moment(&self) -> Moment {
        Moment {
            game: self.game.clone(),
            stack: self.stack.clone(),
            kept: self.log.kept(),
        }
    }

    /// Takes note of where the game stands, so that an undo leads here.
    pub(crate) fn remember(&mut self) {
        self.entry = self.moment();
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
    fn locked(&mut self, step: &Transition, by_bot: bool) {
        self.stack.add(step);
        self.log.add(step.placement, by_bot, &self.game);
        self.last = Some(*step);
        self.begin_piece();
        self.waits_for_piece = self.dealing == Dealing::You && self.is_playing();
    }

    /// What has been played since the last time can be taken back, all at once.
    pub(crate) fn keep_past(&mut self) {
        let next = self.moment();
        self.past
            .push_back(std::mem::replace(&mut self.entry, next));
        if self.past.len() > MOST_UNDONE {
            self.past.pop_front();
        }
    }

    /// Takes the last piece back; whether there was one.
    pub(crate) fn undo(&mut self) -> bool {
        let Some(moment) = self.past.pop_back() else {
            return self.undo_edit();
        };
        self.return_to(moment);
        true
    }

    fn undo_edit(&mut self) -> bool {
        let Some((moment, log)) = self.edited.pop() else {
            return false;
        };
        self.log = log;
        self.return_to(moment);
        true
    }

    fn return_to(&mut self, moment: Moment) {
        self.log.back_to(moment.kept);
        self.game = moment.game.clone();
        self.stack = moment.stack.clone();
        self.entry = moment;
        self.last = None;
        self.begin_piece();
        self.waits_for_piece = self.dealing == Dealing::You;
        self.wake_bot();
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
        let by_bot = self.is_automatic();
        let inputs = match by_bot {
            true => self.automatic_input(),
            false => pressed,
        };
        if let Some(step) = self.play_tick(inputs) {
            self.locked(&step, by_bot);
            self.keep_past();
        }
    }

    fn play_tick(&mut self, inputs: Inputs) -> Option<Transition> {
        let had = self.game.stepped().map(|game| game.held());
        let ticked = self.game.tick(inputs);
        self.log.add_inputs(inputs);
        if self.game.stepped().map(|game| game.held()) != had {
            // Another piece falls; if the hold was empty, one more was drawn.
            self.log.see_pieces(&self.game);
            self.waits_for_piece |= self.dealing == Dealing::You && had == Some(None);
            self.hint = None;
            self.thoughts = None;
        }
        ticked.locked
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
            self.place(placement, true);
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
            self.place(placement, false);
            self.keep_past();
        }
    }

    fn place(&mut self, placement: Placement, by_bot: bool) {
        let step = self.game.apply(placement);
        self.locked(&step, by_bot);
    }

    /// The bot, or the record, plays a whole piece at once; whether it could. It is not remembered: see [`Self::remember`].
    pub(crate) fn leap(&mut self) -> bool {
        if !self.is_playing() || self.waits_for_piece || !self.is_automatic() {
            return false;
        }
        if self.game.stepped().is_none() {
            return match self.planned() {
                Some(placement) => {
                    self.place(placement, true);
                    true
                }
                None => false,
            };
        }
        let pieces = self.game.pieces();
        while self.is_playing() && !self.waits_for_piece && self.game.pieces() == pieces {
            let inputs = self.automatic_input();
            if let Some(step) = self.play_tick(inputs) {
                self.locked(&step, true);
            }
        }
        true
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

    /// Sets who chooses the pieces from here on; `adversary` deals if it is the adversary.
    pub(crate) fn deal_by(&mut self, dealing: Dealing, adversary: Option<Box<dyn Randomizer>>) {
        self.dealing = dealing;
        self.waits_for_piece = dealing == Dealing::You && self.is_playing();
        match (dealing, adversary) {
            (Dealing::Adversary, Some(adversary)) => {
                self.log.deal_otherwise();
                self.game.deal_from(adversary);
            }
            (Dealing::Rules, _) => self.game.deal_from(self.ruleset.randomizer()),
            _ => (),
        }
        self.remember();
    }

    /// The person chooses the piece for which the game waits.
    pub(crate) fn choose_piece(&mut self, piece: Piece) {
        if self.waits_for_piece {
            self.game.deal(piece);
            self.log.choose_last(piece);
            self.waits_for_piece = false;
            self.begin_piece();
            self.remember();
        }
    }

    /// What the bot thinks of the position; asked once for each piece.
    pub(crate) fn think(&mut self) {
        let pieces = self.game.pieces();
        if self
            .thoughts
            .as_ref()
            .is_some_and(|known| known.0 == pieces)
        {
            return;
        }
        let bot = self.bot.as_ref();
        let thoughts = bot.and_then(|bot| bot.think(&self.game));
        self.thoughts = thoughts.map(|thoughts| (pieces, thoughts));
    }

    pub(crate) fn thoughts(&self) -> Option<&AnalysedPlayer> {
        self.thoughts.as_ref().map(|(_, thoughts)| thoughts)
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

    pub(crate) fn waits_for_piece(&self) -> bool {
        self.waits_for_piece
    }

    pub(crate) fn dealing(&self) -> Dealing {
        self.dealing
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

    /// The record of the game as far as it was played.
    pub(crate) fn record(&self) -> GameRecord {
        let bot = self.bot.as_ref().map(|bot| bot.name.as_str());
        self.log.record(&self.game, bot)
    }
}

#[cfg(test)]
mod tests;
