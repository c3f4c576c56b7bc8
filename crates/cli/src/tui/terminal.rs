//! The terminal: reads keys, draws screens, and restores its state at the end.

use super::app::App;
use super::capture::save_svg;
use super::draw::{draw, screen};
use super::film::{Film, FilmFlags};
use super::input::{self, InputEvent};
use crate::interrupt;
use anyhow::bail;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show as ShowCursor;
use ratatui::crossterm::event::{
    KeyboardEnhancementFlags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::style::Print;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::Rect;
use std::io::{IsTerminal, Stdout, stdin, stdout};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};
use tetrolab::context::CancelToken;
use tetrolab::session::Speed;

/// Time between two frames: 60 frames per second.
const FRAME: Duration = Duration::from_micros(16_667);
/// While nothing moves, the screen waits for keys, and is redrawn at this interval.
const IDLE: Duration = Duration::from_millis(100);
/// How long a decision may delay a request to stop.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a terminal that accepts no output may delay the end of the program.
const LAST_OUTPUT: Duration = Duration::from_millis(300);
/// At full speed the screen is redrawn less often, so that drawing costs the game little time.
const FRAME_AT_FULL_SPEED: Duration = Duration::from_millis(66);
/// Asks whether the terminal supports kitty's keyboard protocol. Other terminals do not answer.
const KEYBOARD_QUERY: &str = "\x1b[?u";

/// Whether the terminal reports released keys.
static REPORTS_RELEASES: AtomicBool = AtomicBool::new(false);

/// Whether there is a terminal that can show a game.
pub(crate) fn is_there() -> bool {
    stdout().is_terminal() && stdin().is_terminal()
}

/// Shows the program until the user leaves; records it on request.
pub(crate) fn show(app: &mut App, flags: &FilmFlags, title: &str) -> anyhow::Result<()> {
    if !is_there() {
        bail!(
            "there is no terminal to show a game in; `watch` does not need one with --pieces N and --gif, --cast or --svg, and `eval` never needs one"
        );
    }
    let stop = interrupt::token();
    let shared = SharedScreen::default();
    leave_when_stuck(stop, &shared);
    let screen = Screen::enter()?;
    #[cfg(unix)]
    super::job_control::handle(&shared)?;
    // A terminal that is dropped normally reports errors when its window is closed, and panics
    // since there is no output.
    let terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
    let mut window = GameWindow {
        events: input::open(stop),
        terminal: ManuallyDrop::new(terminal),
        shared: shared.clone(),
        stop,
    };
    let size = window.terminal.size()?;
    let mut film = flags.begin(size.width, size.height, title)?;
    let began = Instant::now();
    let shown = window.show(app, &mut film, title, began);
    {
        // Waits if another thread is taking the terminal again after a suspension.
        let _drawing = shared.hold();
        shared.has_left.store(true, Ordering::Relaxed);
        drop(screen);
    }
    shown?;
    film.finish(began.elapsed())
}

/// State shared by the threads that use the screen.
#[derive(Clone, Default)]
pub(super) struct SharedScreen {
    /// Held while drawing, and while the program is suspended.
    drawing: Arc<Mutex<()>>,
    /// Whether something else was on the screen since the last frame.
    pub(super) is_stale: Arc<AtomicBool>,
    /// Whether the program has left the terminal.
    pub(super) has_left: Arc<AtomicBool>,
}

impl SharedScreen {
    /// Waits until no drawing is in progress, and prevents drawing until the guard is dropped.
    pub(super) fn hold(&self) -> MutexGuard<'_, ()> {
        let drawing = self.drawing.lock();
        drawing.unwrap_or_else(PoisonError::into_inner)
    }
}

/// The terminal in which a game is shown.
struct GameWindow {
    terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
    events: Receiver<InputEvent>,
    shared: SharedScreen,
    stop: &'static CancelToken,
}

impl GameWindow {
    /// Shows the program until the user leaves, or the terminal is closed.
    fn show(
        &mut self,
        app: &mut App,
        film: &mut Film,
        title: &str,
        began: Instant,
    ) -> anyhow::Result<()> {
        let mut last = Instant::now();
        while !app.has_quit && !self.stop.is_cancelled() {
            let is_stale = self.shared.is_stale.swap(false, Ordering::Relaxed);
            let now = Instant::now();
            let passed = if is_stale { Duration::ZERO } else { now - last };
            let is_full = app.games.speed() == Speed::Full && app.is_running();
            let next = now + if is_full { FRAME_AT_FULL_SPEED } else { FRAME };
            app.advance(passed, &mut || Instant::now() >= next);
            last = now;
            let Ok(size) = self.draw(app, is_stale) else {
                // The window was closed.
                self.stop.cancel();
                return Ok(());
            };
            app.size = (size.width, size.height);
            if film.is_wanted() {
                film.add(screen(app, size.width, size.height), began.elapsed())?;
            }
            if let Some(path) = app.wanted_picture() {
                let saved = save_svg(&path, &screen(app, size.width, size.height), title);
                app.say_picture(&path, saved);
            }
            let next = if app.is_running() { next } else { now + IDLE };
            self.read_keys(app, next);
        }
        Ok(())
    }

    /// Draws a frame, completely if something else was shown since the last one; returns the size
    /// of the screen.
    fn draw(&mut self, app: &App, whole: bool) -> std::io::Result<Rect> {
        let _drawing = self.shared.hold();
        if whole {
            let size = self.terminal.size()?;
            self.terminal
                .resize(Rect::new(0, 0, size.width, size.height))?;
        }
        let shown = |frame: &mut ratatui::Frame<'_>| draw(app, frame.area(), frame.buffer_mut());
        Ok(self.terminal.draw(shown)?.area)
    }

    /// Reads keys until the next frame.
    fn read_keys(&mut self, app: &mut App, next: Instant) {
        let mut wait = next.saturating_duration_since(Instant::now());
        while !app.has_quit && !self.stop.is_cancelled() {
            match self.events.recv_timeout(wait) {
                Err(_) => return,
                Ok(InputEvent::KeyboardProtocol) => {
                    let _drawing = self.shared.hold();
                    report_releases();
                    app.reports_releases = true;
                }
                #[cfg(unix)]
                Ok(InputEvent::Key(key)) if app.is_stop_key(&key) => {
                    super::job_control::request(&self.shared);
                }
                Ok(InputEvent::Key(key)) => app.key(&key),
            }
            wait = if app.is_running() {
                next.saturating_duration_since(Instant::now())
            } else {
                // Something may have changed: the screen is drawn after the keys that are already
                // waiting.
                Duration::ZERO
            };
        }
    }
}

/// Ends the program if it does not react to a request to stop: a decision may take long, and a
/// terminal may accept no output.
fn leave_when_stuck(stop: &'static CancelToken, screen: &SharedScreen) {
    let has_left = Arc::clone(&screen.has_left);
    std::thread::spawn(move || {
        while !has_left.load(Ordering::Relaxed) {
            std::thread::sleep(IDLE);
            if stop.is_cancelled() {
                std::thread::sleep(PATIENCE);
                if !has_left.load(Ordering::Relaxed) {
                    restore_or_give_up();
                    std::process::exit(i32::from(crate::INTERRUPTED));
                }
            }
        }
    });
}

/// Gives the terminal back, unless it accepts no output.
fn restore_or_give_up() {
    let (done, is_done) = mpsc::channel();
    std::thread::spawn(move || {
        restore();
        // If it took too long, the receiver is gone.
        let _ = done.send(());
    });
    if is_done.recv_timeout(LAST_OUTPUT).is_err() {
        let _ = disable_raw_mode();
    }
}

/// The terminal while this program uses it; dropping this gives it back.
struct Screen;

impl Screen {
    fn enter() -> anyhow::Result<Screen> {
        restore_on_panic();
        enable_raw_mode()?;
        let screen = Screen;
        execute!(stdout(), EnterAlternateScreen)?;
        if cfg!(unix) {
            execute!(stdout(), Print(KEYBOARD_QUERY))?;
        }
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Releases the terminal. Failures are ignored.
pub(super) fn restore() {
    let _ = execute!(stdout(), PopKeyboardEnhancementFlags);
    let _ = execute!(stdout(), LeaveAlternateScreen, ShowCursor);
    let _ = disable_raw_mode();
}

/// Takes the terminal again after a suspension.
#[cfg(unix)]
pub(super) fn retake() {
    // Raw mode is set again even if it was active before.
    let _ = disable_raw_mode();
    let _ = enable_raw_mode();
    let _ = execute!(stdout(), EnterAlternateScreen);
    if REPORTS_RELEASES.load(Ordering::Relaxed) {
        let _ = execute!(stdout(), PopKeyboardEnhancementFlags);
        report_releases();
    }
}

/// Makes the terminal report released keys.
fn report_releases() {
    let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES
        | KeyboardEnhancementFlags::REPORT_EVENT_TYPES;
    let _ = execute!(stdout(), PushKeyboardEnhancementFlags(flags));
    REPORTS_RELEASES.store(true, Ordering::Relaxed);
}

/// Makes panics print to the screen that was there before.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            restore();
            tell(info);
        }));
    });
}

#[cfg(all(test, unix))]
mod tests;
