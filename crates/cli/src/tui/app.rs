//! The application behind the screen: games, messages and help. It uses no terminal, and only
//! writes files on request.

mod actions;
mod save;

use super::keys::{Action, Key, is_control};
use super::palette::Colours;
use super::risk::BackgroundMeter;
use super::screen_flags::ScreenSettings;
use super::settings::UserSettings;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tetrolab::session::{Editor, GroupSetup, KeyStroke, Session, SessionGroup};

/// How long a message is shown.
const MESSAGE: Duration = Duration::from_secs(4);

/// The state of the program behind the screen.
pub(crate) struct App {
    pub(crate) games: SessionGroup,
    pub(super) settings: UserSettings,
    pub(super) colours: Colours,
    /// The editor of the first session's board while it is being edited.
    pub(super) editor: Option<Editor>,
    /// Whether the terminal reports released keys. Other terminals repeat held keys, and each
    /// repetition counts as a press.
    pub(super) reports_releases: bool,
    pub(super) risk: Option<BackgroundMeter>,
    folder: PathBuf,
    pub(super) shows_panel: bool,
    /// The page of the help that is open, if any.
    pub(super) help_page: Option<usize>,
    /// Width and height of the screen in characters.
    pub(super) size: (u16, u16),
    message: Option<(String, Duration)>,
    wants_picture: bool,
    pub(super) has_quit: bool,
}

impl App {
    /// Starts the program with these games; whether held keys repeat is a setting of the screen.
    pub(crate) fn new(games: GroupSetup, screen: ScreenSettings) -> anyhow::Result<App> {
        let ruleset = Arc::clone(&games.ruleset);
        let keys = Some(screen.settings.input_settings(&ruleset));
        let games = SessionGroup::new(GroupSetup { keys, ..games });
        let games = games.map_err(crate::in_flags::session)?;
        let bot = games.sessions()[0].bot().filter(|_| screen.danger);
        let risk = bot.map(|bot| BackgroundMeter::start(&ruleset, bot.player()));
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
        })
    }

    /// Advances time. At full speed, games are played until `is_time` asks for a redraw.
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
        if self.is_running() {
            self.games.advance(passed, is_time);
        }
        if self.shows_panel {
            self.games.analyse();
        }
    }

    /// Whether the games are running.
    pub(crate) fn is_running(&self) -> bool {
        self.editor.is_none() && self.help_page.is_none() && self.games.is_running()
    }

    /// Handles a key that was pressed, repeated or released.
    pub(crate) fn key(&mut self, event: &KeyEvent) {
        let key = Key::of(event);
        let action = self.settings.bindings.action(key);
        if event.kind == KeyEventKind::Release {
            if let Some(Action::Play(input)) = action {
                self.games.key(input, KeyStroke::Release);
            }
            return;
        }
        if is_control(event, 'c') {
            self.has_quit = true;
        } else if let Some(page) = self.help_page {
            self.help_page = self.next_help_page(page, event.code);
            self.has_quit |= action == Some(Action::Quit);
        } else if self.editor.is_some() {
            self.edit_key(event);
        } else if !self.choose_piece(event) && !self.replay_key(event, action) {
            self.act(action, event);
        }
    }

    /// Whether a key suspends the program: Ctrl-Z, unless the settings assign it.
    #[cfg(unix)]
    pub(crate) fn is_stop_key(&self, event: &KeyEvent) -> bool {
        let is_free = self.settings.bindings.action(Key::of(event)).is_none();
        is_control(event, 'z') && is_free && event.kind == KeyEventKind::Press
    }

    /// Handles a key while the help is open: arrows turn pages, any other key returns to the game.
    fn next_help_page(&self, page: usize, code: KeyCode) -> Option<usize> {
        let pages = super::draw::help_pages(self.size);
        let turns = match code {
            KeyCode::Right | KeyCode::Down | KeyCode::PageDown | KeyCode::Char(' ') => 1,
            KeyCode::Left | KeyCode::Up | KeyCode::PageUp => pages - 1,
            _ => return None,
        };
        (pages > 1).then_some((page + turns) % pages)
    }

    /// Shows a message to the user.
    fn say(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), MESSAGE));
    }

    /// Waits for the risk meter before the games resume, so that a recording does not depend on how
    /// long the meter takes.
    pub(crate) fn begin_film(&mut self) {
        self.games.set_paused(false);
        if let Some(risk) = &mut self.risk {
            risk.wait();
        }
    }

    pub(crate) fn sessions(&self) -> &[Session] {
        self.games.sessions()
    }

    pub(crate) fn message(&self) -> Option<&str> {
        self.message.as_ref().map(|(text, _)| text.as_str())
    }
}

#[cfg(test)]
mod tests;
