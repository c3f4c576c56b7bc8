//! Sessions that share a clock: a person, bots side by side, or a record.

use super::{
    Bot, Dealer, KeyStroke, Keyboard, RiskMeter, RiskReading, Session, SessionError, Speed, TICKS,
    Ticker, usual_keys,
};
use crate::context::CancelToken;
use crate::library::FileSource;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use tetrolab_core::board::Board;
use tetrolab_core::moves::Input;
use tetrolab_core::piece::Piece;
use tetrolab_core::placement::Placement;
use tetrolab_core::randomizers::{Randomizer, RandomizerContext, randomizer};
use tetrolab_core::record::GameRecord;
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::stepped::InputSettings;

/// The players of the boards.
pub enum Lineup {
    /// A person with a bot that helps, and possibly an opponent on a second board.
    Person {
        /// The bot that gives hints and takes over.
        bot: Bot,
        /// The opponent, and how fast it plays.
        opponent: Option<(Bot, OpponentPace)>,
    },
    /// Bots, each on its own board.
    Bots(Vec<Bot>),
    /// A recorded game, and a bot that analyses it.
    Record {
        /// The game.
        record: Box<GameRecord>,
        /// The bot.
        bot: Bot,
    },
}

/// How fast the opponent of a person plays.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpponentPace {
    /// The opponent places one piece for each of the person's.
    Waits,
    /// This many pieces per second at normal speed.
    PerSecond(f64),
}

/// The start of a group of sessions.
pub struct GroupSetup {
    /// The ruleset of all boards.
    pub ruleset: Arc<Ruleset>,
    /// The players.
    pub lineup: Lineup,
    /// The seed of the series of games, as for an evaluation.
    pub seed: u64,
    /// The initial speed.
    pub speed: Speed,
    /// The number of pieces after which the games pause.
    pub pieces: Option<u64>,
    /// The evaluator that [`Dealer::Adversary`] plays against.
    pub adversary: String,
    /// Where the name of the evaluator is looked up.
    pub library: FileSource<'static>,
    /// How keys repeat; `None` for the usual settings of the ruleset.
    pub keys: Option<InputSettings>,
}

/// Sessions that receive the same actions and the same elapsed time.
pub struct SessionGroup {
    ruleset: Arc<Ruleset>,
    sessions: Vec<Session>,
    /// The pace of the second session, if the first is a person's.
    pace: Option<OpponentPace>,
    /// Pieces that an opponent with its own pace may still place.
    owed: f64,
    speed: Speed,
    is_paused: bool,
    ticker: Ticker,
    keyboard: Keyboard,
    seed: u64,
    game: u64,
    adversary: String,
    library: FileSource<'static>,
    pieces: Option<u64>,
    rates: Vec<Rate>,
    /// The risk meters of bots that have one, if requested.
    meters: Vec<Option<RiskMeter>>,
    elapsed: Duration,
}

/// Pieces per second, measured over about a second.
#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    passed: Duration,
    since: u64,
    per_second: Option<f64>,
}

impl Rate {
    fn add(&mut self, passed: Duration, pieces: u64) {
        if pieces < self.since {
            *self = Rate::default();
        }
        if self.passed.is_zero() && self.per_second.is_none() {
            self.since = pieces;
        }
        self.passed += passed;
        if self.passed >= Duration::from_secs(1) {
            self.per_second = Some((pieces - self.since) as f64 / self.passed.as_secs_f64());
            self.since = pieces;
            self.passed = Duration::ZERO;
        }
    }
}

impl SessionGroup {
    /// Begins the games.
    ///
    /// # Errors
    /// If a record is empty, or the adversary is unknown.
    pub fn new(setup: GroupSetup) -> Result<SessionGroup, SessionError> {
        let ruleset = setup.ruleset;
        let seed = game_seed(setup.seed, 0);
        let session = |bot, bot_plays| Session::new(Arc::clone(&ruleset), seed, bot, bot_plays);
        let mut pace = None;
        let sessions = match setup.lineup {
            Lineup::Person { bot, opponent } => {
                let mut sessions = vec![session(Some(bot), false)];
                if let Some((opponent, its_pace)) = opponent {
                    pace = Some(its_pace);
                    sessions.push(session(Some(opponent), true));
                }
                sessions
            }
            Lineup::Bots(bots) => bots
                .into_iter()
                .map(|bot| session(Some(bot), true))
                .collect(),
            Lineup::Record { record, bot } => {
                vec![Session::replay(Arc::clone(&ruleset), *record, Some(bot))?]
            }
        };
        if sessions.is_empty() {
            return Err(SessionError::no_players());
        }
        let keys = setup.keys.unwrap_or_else(|| usual_keys(&ruleset));
        let group = SessionGroup {
            ruleset,
            sessions,
            pace,
            owed: 0.0,
            speed: setup.speed,
            is_paused: false,
            ticker: Ticker::default(),
            keyboard: Keyboard::new(keys),
            seed: setup.seed,
            game: 0,
            adversary: setup.adversary,
            library: setup.library,
            pieces: setup.pieces,
            rates: Vec::new(),
            meters: Vec::new(),
            elapsed: Duration::ZERO,
        };
        group.make_adversary()?;
        Ok(group)
    }

    /// Advances time. At full speed, the games are played until `is_time` returns true.
    pub fn advance(&mut self, passed: Duration, is_time: &mut dyn FnMut() -> bool) {
        if !self.is_running() {
            return;
        }
        self.elapsed = self.elapsed.saturating_add(passed);
        self.play(passed, is_time);
        self.rates.resize(self.sessions.len(), Rate::default());
        for (rate, session) in self.rates.iter_mut().zip(&self.sessions) {
            rate.add(passed, session.game().pieces());
        }
    }

    fn play(&mut self, passed: Duration, is_time: &mut dyn FnMut() -> bool) {
        // Nobody plays manually at full speed.
        let by_hand = self.sessions.iter().any(|session| !session.is_automatic());
        let speed = if by_hand && self.speed == Speed::Full {
            Speed::NORMAL
        } else {
            self.speed
        };
        let Some(ticks) = self.ticker.ticks(speed, passed) else {
            while self.leap() && !is_time() {}
            self.on_all(Session::keep_past);
            return;
        };
        for _ in 0..ticks {
            self.tick();
            if self.has_all_pieces() || is_time() {
                break;
            }
        }
    }

    /// Plays a tick of every session that is due.
    fn tick(&mut self) {
        let pressed = self.keyboard.tick();
        for index in 0..self.sessions.len() {
            if self.is_below(&self.sessions[index]) && self.has_turn(index) {
                self.sessions[index].tick(pressed);
            }
        }
        if let (Some(OpponentPace::PerSecond(pieces)), [_, opponent]) =
            (self.pace, &mut self.sessions[..])
        {
            self.owed += pieces / TICKS;
            while self.owed >= 1.0 {
                self.owed -= 1.0;
                opponent.step();
            }
        }
    }

    /// Whether a session may play now. An opponent that waits plays until it has placed as many
    /// pieces as the person; an opponent with its own pace ignores ticks.
    fn has_turn(&self, index: usize) -> bool {
        let ([person, opponent], 1) = (&self.sessions[..], index) else {
            return true;
        };
        match self.pace {
            None => true,
            Some(OpponentPace::PerSecond(_)) => false,
            Some(OpponentPace::Waits) => {
                let is_behind = opponent.game().pieces() < person.game().pieces();
                is_behind || !person.is_playing() || opponent.is_between_pieces()
            }
        }
    }

    /// Plays a piece in every session; returns whether any could.
    fn leap(&mut self) -> bool {
        let mut leapt = false;
        for index in 0..self.sessions.len() {
            let may = self.pace != Some(OpponentPace::Waits) || self.has_turn(index);
            if may && self.is_below(&self.sessions[index]) {
                leapt |= self.sessions[index].leap();
            }
        }
        leapt
    }

    /// Whether a game has fewer pieces than requested.
    fn is_below(&self, session: &Session) -> bool {
        self.pieces
            .is_none_or(|most| session.game().pieces() < most)
    }

    /// Whether every running game has the requested number of pieces.
    pub fn has_all_pieces(&self) -> bool {
        let mut playing = self.sessions.iter().filter(|session| session.is_playing());
        self.pieces.is_some() && !playing.any(|session| self.is_below(session))
    }

    /// Whether all games have ended.
    pub fn is_over(&self) -> bool {
        !self.sessions.iter().any(Session::is_playing)
    }

    /// Whether the games advance when time passes.
    pub fn is_running(&self) -> bool {
        !self.is_paused && !self.is_over() && !self.has_all_pieces()
    }

    /// Pauses or resumes the games.
    pub fn set_paused(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
        self.keyboard.clear();
    }

    /// Pauses or resumes the games; once they have the requested number of pieces, they continue
    /// beyond it.
    pub fn toggle_pause(&mut self) {
        if self.has_all_pieces() {
            self.pieces = None;
        } else {
            self.set_paused(!self.is_paused);
        }
    }

    /// Handles a key of the game.
    pub fn key(&mut self, input: Input, stroke: KeyStroke) {
        self.keyboard.key(input, stroke);
    }

    /// Plays one piece on every board with a bot or a record, and pauses; returns whether one was
    /// played.
    pub fn step(&mut self) -> bool {
        self.is_paused = true;
        let mut stepped = false;
        for index in 0..self.sessions.len() {
            // An opponent plays only when it is its turn.
            if index == 0 || self.pace.is_none() || self.has_turn(index) {
                stepped |= self.sessions[index].step();
            }
        }
        stepped
    }

    /// Undoes a piece on every board, or the last edit, and pauses; returns whether there was one.
    pub fn undo(&mut self) -> bool {
        self.set_paused(true);
        let undone = self.on_any(Session::undo_piece);
        if !undone {
            self.rates.clear();
        }
        undone || self.on_any(Session::undo_edit)
    }

    /// Redoes the last undone piece, and pauses; returns whether there was one.
    pub fn redo(&mut self) -> bool {
        self.set_paused(true);
        self.on_any(Session::redo_piece)
    }

    fn on_all(&mut self, action: impl FnMut(&mut Session)) {
        self.sessions.iter_mut().for_each(action);
    }

    /// Performs the same action on all boards; returns whether it was possible on any.
    fn on_any(&mut self, action: fn(&mut Session) -> bool) -> bool {
        let done = self.sessions.iter_mut().map(action);
        done.fold(false, |any, done| any | done)
    }

    /// Jumps to the position after this many pieces, and pauses.
    pub fn go_to(&mut self, pieces: u64) {
        self.on_all(|session| session.go_to(pieces));
        self.rates.clear();
        self.is_paused = true;
    }

    /// Restarts the same games.
    pub fn restart(&mut self) {
        self.on_all(Session::restart);
        self.reset_clock();
        self.is_paused = false;
    }

    /// Starts the next games of the series.
    pub fn new_game(&mut self) {
        self.game += 1;
        let seed = game_seed(self.seed, self.game);
        self.on_all(|session| session.new_game(seed));
        self.reset_clock();
        self.is_paused = false;
    }

    /// Starts new games on a board, paused.
    pub fn edit(&mut self, board: Board) {
        self.on_all(|session| session.edit(board));
        self.reset_clock();
        self.is_paused = true;
    }

    /// Resets the time, the rates and the keys.
    fn reset_clock(&mut self) {
        self.keyboard.clear();
        self.elapsed = Duration::ZERO;
        self.rates.clear();
        self.owed = 0.0;
    }

    /// Hands the first game over to its bot, or to the person.
    pub fn set_bot_plays(&mut self, bot_plays: bool) {
        self.keyboard.clear();
        self.sessions[0].set_bot_plays(bot_plays);
    }

    /// The placement that the bot of the first game suggests.
    pub fn give_hint(&mut self) -> Option<Placement> {
        self.sessions[0].give_hint()
    }

    /// Ends a record: the person continues its game, initially paused.
    pub fn take_over(&mut self) {
        if self.sessions[0].recorded_player().is_some() {
            self.sessions[0].take_over();
            self.is_paused = true;
        }
    }

    /// Sets the source of the pieces from now on.
    ///
    /// # Errors
    /// If a record is being watched, or there are two boards, which get the same pieces.
    pub fn deal_by(&mut self, dealing: Dealer) -> Result<(), SessionError> {
        if self.sessions[0].recorded_pieces().is_some() {
            return SessionError::refused(
                "the pieces of a record cannot be chosen; take over the game first",
            );
        }
        if self.sessions.len() > 1 {
            return SessionError::refused(
                "pieces can be chosen on one board only; two boards get the same pieces",
            );
        }
        let is_adversary = dealing == Dealer::Adversary;
        let adversary = is_adversary.then(|| self.make_adversary()).transpose()?;
        self.sessions[0].deal_by(dealing, adversary);
        Ok(())
    }

    fn make_adversary(&self) -> Result<Box<dyn Randomizer>, SessionError> {
        let context = RandomizerContext {
            rules: self.ruleset.rules.as_ref(),
            width: self.ruleset.width,
            evaluators: &|spec, width| self.library.evaluator(spec, width),
        };
        let spec = format!("adversary({})", self.adversary).parse();
        Ok(randomizer(
            &spec.map_err(SessionError::Adversary)?,
            &context,
        )?)
    }

    /// Whether a game is waiting for the person to choose a piece.
    pub fn waits_for_piece(&self) -> bool {
        self.sessions.iter().any(Session::waits_for_piece)
    }

    /// Sets the piece that games are waiting for.
    pub fn choose_piece(&mut self, piece: Piece) {
        self.on_all(|session| session.choose_piece(piece));
    }

    /// Lets all bots analyse their positions.
    pub fn analyse(&mut self) {
        self.on_all(Session::analyse);
    }

    /// Sets the speed.
    pub fn set_speed(&mut self, speed: Speed) {
        self.speed = speed;
    }

    /// The sessions; there is at least one.
    pub fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// The evaluator of the adversary.
    pub fn adversary(&self) -> &str {
        &self.adversary
    }

    /// The speed.
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// Whether the games are paused.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// The time that has passed in these games.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Pieces per second of a session.
    pub fn pieces_per_second(&self, session: usize) -> Option<f64> {
        self.rates.get(session)?.per_second
    }

    /// Adds the risk of boards to the state, for bots whose tables estimate it.
    pub(crate) fn measure_risk(&mut self) {
        let meter = |session: &Session| RiskMeter::own(&self.ruleset, session.bot()?.player());
        self.meters = self.sessions.iter().map(meter).collect();
    }

    /// The risk of a session's board, if it is measured.
    pub fn risk(&self, session: usize) -> Option<RiskReading> {
        let (meter, game) = (self.meters.get(session)?, self.sessions[session].game());
        meter.as_ref()?.reading(game.board(), None)
    }

    /// Sets a token that stops slow decisions. Once it is cancelled, the games are invalid.
    pub fn cancelled_by(&mut self, token: &CancelToken) {
        let flag = token.flag();
        self.on_all(|session| session.heed(&flag));
    }

    /// The number of the game in its series, starting at 1.
    pub fn game_number(&self) -> u64 {
        self.game + 1
    }

    /// The seed of the series.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}
