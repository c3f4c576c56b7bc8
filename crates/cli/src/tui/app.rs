//! The program behind the screen: games, messages and help. It knows no terminal, and writes no files
//! but those that a person asks for.

mod actions;
mod save;

use super::keys::{Action, Key};
use super::palette::Colours;
use super::risk::BackgroundMeter;
use super::screen_flags::ScreenSettings;
use super::settings::UserSettings;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::session::{Editor, GroupSetup, KeyStroke, Lineup, Session, SessionGroup, Speed};

/// For how long a message is shown.
const MESSAGE: Duration = Duration::from_secs(4);

/// What is shown, and how.
pub(crate) struct Setup {
    pub(crate) ruleset: Arc<Ruleset>,
    pub(crate) lineup: Lineup,
    /// The seed of the series of games, as `eval` has it.
    pub(crate) seed: u64,
    pub(crate) speed: Speed,
    /// After how many pieces the show ends.
    pub(crate) pieces: Option<u64>,
    pub(crate) screen: ScreenSettings,
}

/// The program behind the screen.
pub(crate) struct App {
    pub(crate) games: SessionGroup,
    settings: UserSettings,
    pub(super) colours: Colours,
    /// The board of the first session while it is edited.
    editor: Option<Editor>,
    /// Whether the terminal reports released keys. Others repeat keys that are held, and each
    /// repetition counts as a press.
    reports_releases: bool,
    risk: Option<BackgroundMeter>,
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
}

impl App {
    pub(crate) fn new(show: Setup) -> anyhow::Result<App> {
        let screen = show.screen;
        let games = SessionGroup::new(GroupSetup {
            keys: Some(screen.settings.input_settings(&show.ruleset)),
            ruleset: Arc::clone(&show.ruleset),
            lineup: show.lineup,
            seed: show.seed,
            speed: show.speed,
            pieces: show.pieces,
            adversary: screen.adversary,
        })
        .map_err(crate::in_flags::session)?;
        let bot = games.sessions()[0].bot().filter(|_| screen.danger);
        let risk = bot.map(|bot| BackgroundMeter::start(&show.ruleset, bot.player()));
        Ok(App {
            risk: risk.transpose()?,
            games,
            settings: screen.settings,
            colours: screen.colours,
            editor: None,
            reports_releases: false,
            folder: screen.folder,
            shows_panel: true,
            help_page: None,
            size: (80, 24),
            message: None,
            wants_picture: false,
            has_quit: false,
            was_interrupted: false,
        })
    }

    /// Lets time pass. When `is_time` says that the screen is to be drawn, the games wait; at full
    /// speed they play until then.
    pub(crate) fn advance(&mut self, passed: Duration, is_time: &mut dyn FnMut() -> bool) {
        if let Some((_, left)) = &mut self.message {
            *left = left.saturating_sub(passed);
            if left.is_zero() {
                self.message = None;
            }
        }
        if let Some(Err(problem)) = self.risk.as_mut().map(BackgroundMeter::update) {
            let text = format!("no danger meter: {problem}");
            self.risk = None;
            self.say(text);
        }
        if self.goes_on() {
            self.games.advance(passed, is_time);
        }
        if self.shows_panel {
            self.games.analyse();
        }
    }

    /// Whether the games move.
    pub(crate) fn goes_on(&self) -> bool {
        self.editor.is_none() && self.help_page.is_none() && self.games.goes_on()
    }

    /// Receives a key that was pressed, repeated or released.
    pub(crate) fn key(&mut self, event: &KeyEvent) {
        let key = Key::of(event);
        let action = self.settings.bindings.action(key);
        if event.kind == KeyEventKind::Release {
            if let Some(Action::Play(input)) = action {
                self.games.key(input, KeyStroke::Release);
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
        } else if self.editor.is_some() {
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

    /// Sets the size of the screen.
    pub(crate) fn set_size(&mut self, width: u16, height: u16) {
        self.size = (width, height);
    }

    /// Shows the person a message.
    fn say(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), MESSAGE));
    }

    /// Says whether the terminal reports released keys.
    pub(crate) fn set_reports_releases(&mut self, reports: bool) {
        self.reports_releases = reports;
    }

    /// Lets the games go on when the risk meter is ready: nothing in a film depends on the time
    /// that this takes.
    pub(crate) fn begin_film(&mut self) {
        self.games.set_paused(false);
        if let Some(risk) = &mut self.risk {
            risk.wait();
        }
    }

    pub(crate) fn has_quit(&self) -> bool {
        self.has_quit
    }

    /// Whether the person left by Ctrl-C.
    pub(crate) fn was_interrupted(&self) -> bool {
        self.was_interrupted
    }

    pub(crate) fn sessions(&self) -> &[Session] {
        self.games.sessions()
    }

    pub(crate) fn editor(&self) -> Option<&Editor> {
        self.editor.as_ref()
    }

    pub(crate) fn settings(&self) -> &UserSettings {
        &self.settings
    }

    pub(crate) fn colours(&self) -> Colours {
        self.colours
    }

    pub(crate) fn risk(&self) -> Option<&BackgroundMeter> {
        self.risk.as_ref()
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
}

#[cfg(test)]
mod tests;
