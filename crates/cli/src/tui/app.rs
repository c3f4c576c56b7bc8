//! What the screen shows and what keys do: no terminal, no files but those that a person asks for.

mod actions;
mod editor;
mod save;

pub(crate) use editor::Editor;

use super::bot::Bot;
use super::danger::DangerMeter;
use super::keyboard::Keyboard;
use super::keys::{Action, Key};
use super::palette::Colours;
use super::screen_flags::ScreenSettings;
use super::seat::Seat;
use super::settings::UserSettings;
use super::speed::{Speed, TICKS, Ticker};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tetrolab::core::record::GameRecord;
use tetrolab::core::rng::game_seed;
use tetrolab::core::ruleset::Ruleset;

/// For how long a message is shown.
const MESSAGE: Duration = Duration::from_secs(4);

/// Who sits at the boards.
pub(crate) enum Seating {
    /// The person; the bot hints, takes over, and may play beside it.
    You {
        bot: Bot,
        opponent: Option<(Bot, Pace)>,
    },
    /// Bots, each on its own board.
    Bots(Vec<Bot>),
    /// A recorded game, and a bot that says what it thinks of it.
    Record { record: Box<GameRecord>, bot: Bot },
}

/// How fast the opponent of a person plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pace {
    /// One piece for each of the person's.
    Waits,
    /// This many pieces a second at normal speed.
    PerSecond(f64),
}

/// What is to be shown.
pub(crate) struct Setup {
    pub(crate) ruleset: Arc<Ruleset>,
    pub(crate) seating: Seating,
    /// The seed of the series of games, as `eval` has it.
    pub(crate) seed: u64,
    pub(crate) speed: Speed,
    /// After how many pieces the show ends.
    pub(crate) pieces: Option<u64>,
    pub(crate) screen: ScreenSettings,
}

/// What is going on.
#[derive(Clone, Debug)]
pub(crate) enum Mode {
    Playing,
    Paused,
    /// The board of the first seat is being edited.
    Editing(Editor),
}

/// The program behind the screen.
pub(crate) struct App {
    ruleset: Arc<Ruleset>,
    seats: Vec<Seat>,
    /// How fast the second seat plays, if the first is a person's.
    pace: Option<Pace>,
    /// Pieces that the opponent may still place, at a pace of its own.
    owed: f64,
    settings: UserSettings,
    pub(super) colours: Colours,
    mode: Mode,
    pub(super) speed: Speed,
    ticker: Ticker,
    keyboard: Keyboard,
    seed: u64,
    game: u64,
    adversary: String,
    pieces: Option<u64>,
    danger: Option<DangerMeter>,
    folder: PathBuf,
    shows_panel: bool,
    /// The page of the help, if it is shown.
    help_page: Option<usize>,
    /// Columns and rows of the screen.
    size: (u16, u16),
    message: Option<(String, Duration)>,
    wants_picture: bool,
    has_quit: bool,
    was_interrupted: bool,
    /// Time and pieces of the last second or so, for the speed that is shown.
    rates: Vec<Rate>,
    elapsed: Duration,
}

/// How many pieces lie in a second.
#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    passed: Duration,
    since: u64,
    per_second: Option<f64>,
}

impl Rate {
    fn add(&mut self, passed: Duration, pieces: u64) {
        if pieces < self.since {
            *self = Rate {
                since: pieces,
                ..Rate::default()
            };
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

/// Whether a game has fewer pieces than were asked for.
fn is_below(seat: &Seat, most: Option<u64>) -> bool {
    most.is_none_or(|most| seat.game().pieces() < most)
}

impl App {
    pub(crate) fn new(show: Setup) -> anyhow::Result<App> {
        let Setup {
            ruleset, screen, ..
        } = show;
        let seed = game_seed(show.seed, 0);
        let seat = |bot, bot_plays| Seat::new(Arc::clone(&ruleset), seed, bot, bot_plays);
        let mut pace = None;
        let seats = match show.seating {
            Seating::You { bot, opponent } => {
                pace = opponent.as_ref().map(|opponent| opponent.1);
                let opponent = opponent.map(|(bot, _)| seat(Some(bot), true));
                std::iter::once(seat(Some(bot), false))
                    .chain(opponent)
                    .collect()
            }
            Seating::Bots(bots) => bots.into_iter().map(|bot| seat(Some(bot), true)).collect(),
            Seating::Record { record, bot } => {
                vec![Seat::replay(Arc::clone(&ruleset), *record, Some(bot))?]
            }
        };
        let mut app = App {
            keyboard: Keyboard::new(screen.settings.input_settings(&ruleset)),
            ruleset,
            seats,
            pace,
            owed: 0.0,
            settings: screen.settings,
            colours: screen.colours,
            mode: Mode::Playing,
            speed: show.speed,
            ticker: Ticker::default(),
            seed: show.seed,
            game: 0,
            adversary: screen.adversary,
            pieces: show.pieces,
            danger: None,
            folder: screen.folder,
            shows_panel: true,
            help_page: None,
            size: (80, 24),
            message: None,
            wants_picture: false,
            has_quit: false,
            was_interrupted: false,
            rates: Vec::new(),
            elapsed: Duration::ZERO,
        };
        app.make_adversary()?;
        if screen.danger {
            let bot = app.seats.first().and_then(|seat| seat.bot.as_ref());
            let meter = bot.map(|bot| DangerMeter::learn(&app.ruleset, bot.player()));
            app.danger = meter.transpose()?;
        }
        Ok(app)
    }

    /// Time passes. When `is_time` says that the screen is to be drawn, the games wait; at full speed they play until then.
    pub(crate) fn advance(&mut self, passed: Duration, is_time: &mut dyn FnMut() -> bool) {
        if let Some((_, left)) = &mut self.message {
            *left = left.saturating_sub(passed);
            if left.is_zero() {
                self.message = None;
            }
        }
        if let Some(Err(problem)) = self.danger.as_mut().map(DangerMeter::look) {
            self.danger = None;
            self.say(format!("no danger meter: {problem}"));
        }
        if self.goes_on() {
            self.elapsed += passed;
            self.play(passed, is_time);
            self.rates.resize(self.seats.len(), Rate::default());
            for (rate, seat) in self.rates.iter_mut().zip(&self.seats) {
                rate.add(passed, seat.game().pieces());
            }
        }
        if self.shows_panel {
            self.seats.iter_mut().for_each(Seat::think);
        }
    }

    /// Whether the games move.
    pub(crate) fn goes_on(&self) -> bool {
        let is_on = matches!(self.mode, Mode::Playing) && self.help_page.is_none();
        is_on && !self.is_over() && !self.has_come_to_its_end()
    }

    fn play(&mut self, passed: Duration, is_time: &mut dyn FnMut() -> bool) {
        // Nobody plays by hand at full speed.
        let by_hand = self.seats.iter().any(|seat| !seat.is_automatic());
        let speed = match (self.speed, by_hand) {
            (Speed::Full, true) => Speed::NORMAL,
            (speed, _) => speed,
        };
        match self.ticker.ticks(speed, passed) {
            Some(ticks) => {
                for _ in 0..ticks {
                    self.tick();
                    if self.has_come_to_its_end() || is_time() {
                        break;
                    }
                }
            }
            None => {
                while self.leap() && !is_time() {}
                self.seats.iter_mut().for_each(Seat::keep_past);
            }
        }
    }

    /// A tick of every seat whose turn it is.
    fn tick(&mut self) {
        let pressed = self.keyboard.tick();
        for index in 0..self.seats.len() {
            if is_below(&self.seats[index], self.pieces) && self.has_turn(index) {
                self.seats[index].tick(pressed);
            }
        }
        if let (Some(Pace::PerSecond(pieces)), [_, opponent]) = (self.pace, &mut self.seats[..]) {
            self.owed += pieces / TICKS;
            while self.owed >= 1.0 {
                self.owed -= 1.0;
                opponent.step();
            }
        }
    }

    /// Whether a seat may play now. An opponent that waits plays until it has as many pieces as the person;
    /// one with a pace of its own is not moved by ticks.
    fn has_turn(&self, index: usize) -> bool {
        let ([you, opponent], 1) = (&self.seats[..], index) else {
            return true;
        };
        match self.pace {
            None => true,
            Some(Pace::PerSecond(_)) => false,
            Some(Pace::Waits) => {
                let is_behind = opponent.game().pieces() < you.game().pieces();
                is_behind || !you.is_playing() || opponent.is_between_pieces()
            }
        }
    }

    /// Every seat plays a piece; whether one could.
    fn leap(&mut self) -> bool {
        let mut leapt = false;
        for index in 0..self.seats.len() {
            let may = self.pace != Some(Pace::Waits) || self.has_turn(index);
            if may && is_below(&self.seats[index], self.pieces) {
                leapt |= self.seats[index].leap();
            }
        }
        leapt
    }

    /// Whether as many pieces lie as were asked for, wherever a game goes on.
    pub(crate) fn has_come_to_its_end(&self) -> bool {
        let mut playing = self.seats.iter().filter(|seat| seat.is_playing());
        self.pieces.is_some() && !playing.any(|seat| is_below(seat, self.pieces))
    }

    /// Whether all games have ended.
    pub(crate) fn is_over(&self) -> bool {
        !self.seats.iter().any(Seat::is_playing)
    }

    /// A key was pressed, held or let go.
    pub(crate) fn key(&mut self, event: &KeyEvent) {
        let key = Key::of(event);
        let action = self.settings.bindings.action(key);
        if event.kind == KeyEventKind::Release {
            if let Some(Action::Play(input)) = action {
                self.keyboard.key(input, event.kind, true);
            }
            return;
        }
        let leaves =
            event.code == KeyCode::Char('c') && event.modifiers.contains(KeyModifiers::CONTROL);
        if leaves {
            self.has_quit = true;
            self.was_interrupted = true;
        } else if let Some(page) = self.help_page {
            self.help_page = self.next_help_page(page, event.code);
            self.has_quit |= action == Some(Action::Quit);
        } else if matches!(self.mode, Mode::Editing(_)) {
            self.edit_key(event);
        } else if !self.choose_piece(event) && !self.replay_key(event, action) {
            self.act(action, event);
        }
    }

    /// Whether a key asks the shell to stop the program: Ctrl-Z, unless the settings give it another meaning.
    #[cfg(unix)]
    pub(crate) fn is_stop_key(&self, event: &KeyEvent) -> bool {
        let is_it =
            event.code == KeyCode::Char('z') && event.modifiers.contains(KeyModifiers::CONTROL);
        let is_free = self.settings.bindings.action(Key::of(event)).is_none();
        is_it && is_free && event.kind == KeyEventKind::Press
    }

    /// The page of the help after a key: arrows turn pages, other keys go back to the game.
    fn next_help_page(&self, page: usize, code: KeyCode) -> Option<usize> {
        let pages = super::draw::help_pages(self.size);
        let turns = match code {
            KeyCode::Right | KeyCode::Down | KeyCode::PageDown | KeyCode::Char(' ') => 1,
            KeyCode::Left | KeyCode::Up | KeyCode::PageUp => pages - 1,
            _ => return None,
        };
        (pages > 1).then_some((page + turns) % pages)
    }

    /// Tells the program how large the screen is.
    pub(crate) fn set_size(&mut self, width: u16, height: u16) {
        self.size = (width, height);
    }

    /// Tells the person something.
    fn say(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), MESSAGE));
    }

    /// Whether the terminal tells when a key is let go.
    pub(crate) fn set_tells_releases(&mut self, tells: bool) {
        self.keyboard.set_tells_releases(tells);
    }

    /// Goes to the moment of a record at which so many pieces lie.
    pub(crate) fn go_to(&mut self, pieces: u64) {
        self.seats.iter_mut().for_each(|seat| seat.go_to(pieces));
        self.rates.clear();
        self.mode = Mode::Paused;
    }

    /// Lets the games go on, and waits until the danger is known: for films, in which nothing depends on the time that this takes.
    pub(crate) fn begin_film(&mut self) {
        self.mode = Mode::Playing;
        if let Some(danger) = &mut self.danger {
            danger.wait();
        }
    }

    pub(crate) fn has_quit(&self) -> bool {
        self.has_quit
    }

    /// Whether the person left by Ctrl-C.
    pub(crate) fn was_interrupted(&self) -> bool {
        self.was_interrupted
    }

    pub(crate) fn seats(&self) -> &[Seat] {
        &self.seats
    }

    pub(crate) fn mode(&self) -> &Mode {
        &self.mode
    }

    pub(crate) fn speed(&self) -> Speed {
        self.speed
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.elapsed
    }

    pub(crate) fn settings(&self) -> &UserSettings {
        &self.settings
    }

    pub(crate) fn colours(&self) -> Colours {
        self.colours
    }

    pub(crate) fn danger(&self) -> Option<&DangerMeter> {
        self.danger.as_ref()
    }

    pub(crate) fn message(&self) -> Option<&str> {
        self.message.as_ref().map(|(text, _)| text.as_str())
    }

    pub(crate) fn help_page(&self) -> Option<usize> {
        self.help_page
    }

    pub(crate) fn shows_panel(&self) -> bool {
        self.shows_panel
    }

    /// How many pieces lie in a second at a seat.
    pub(crate) fn pieces_per_second(&self, seat: usize) -> Option<f64> {
        self.rates.get(seat)?.per_second
    }

    /// The number of the game in its series, from 1.
    pub(crate) fn game_number(&self) -> u64 {
        self.game + 1
    }

    pub(crate) fn series_seed(&self) -> u64 {
        self.seed
    }
}
