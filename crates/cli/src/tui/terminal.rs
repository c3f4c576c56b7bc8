//! The terminal: keys in, screens out, and everything as it was when the program leaves.

use super::app::App;
use super::capture::save_svg;
use super::draw::{draw, screen};
use super::film::{Film, FilmFlags};
use super::speed::Speed;
use crate::interrupt;
use anyhow::bail;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show as ShowCursor;
use ratatui::crossterm::event::{
    self, Event, KeyboardEnhancementFlags, PopKeyboardEnhancementFlags,
    PushKeyboardEnhancementFlags,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
    supports_keyboard_enhancement,
};
use std::io::{IsTerminal, Stdout, stdin, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

/// Frames of a second.
const FRAME: Duration = Duration::from_micros(16_667);
/// While nothing moves the screen waits for keys, and looks up now and then.
const IDLE: Duration = Duration::from_millis(100);
/// For how long a request to stop may wait for a decision or a key.
const PATIENCE: Duration = Duration::from_secs(1);
/// At full speed the screen is drawn less often, so that it takes little from the game.
const FRAME_AT_FULL_SPEED: Duration = Duration::from_millis(66);

/// Whether there is a terminal to show a game in.
pub(crate) fn is_there() -> bool {
    stdout().is_terminal() && stdin().is_terminal()
}

/// Shows the program until the person leaves; films it if that is asked for.
pub(crate) fn show(app: &mut App, flags: &FilmFlags, title: &str) -> anyhow::Result<()> {
    if !is_there() {
        bail!(
            "there is no terminal to show a game in; with --gif, --cast or --svg and --pieces N, watch needs none, and eval never does"
        );
    }
    let stop = interrupt::stop_flag();
    let screen = Screen::enter()?;
    app.set_tells_releases(screen.tells_releases);
    let mut terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
    let size = terminal.size()?;
    let mut film = flags.begin(size.width, size.height, title)?;
    let began = Instant::now();
    let left = leave_when_stuck(&stop);
    let shown = show_until_left(app, &mut terminal, &mut film, title, began, &stop);
    left.store(true, Ordering::Relaxed);
    drop(screen);
    shown?;
    film.finish(began.elapsed())
}

fn show_until_left(
    app: &mut App,
    terminal: &mut Terminal<CrosstermBackend<Stdout>>,
    film: &mut Film,
    title: &str,
    began: Instant,
    stop: &AtomicBool,
) -> anyhow::Result<()> {
    let mut last = Instant::now();
    while !app.has_quit() && !stop.load(Ordering::Relaxed) {
        let now = Instant::now();
        let is_full = app.speed() == Speed::Full && app.goes_on();
        let next = now + if is_full { FRAME_AT_FULL_SPEED } else { FRAME };
        app.advance(now - last, &mut || Instant::now() >= next);
        last = now;
        terminal.draw(|frame| draw(app, frame.area(), frame.buffer_mut()))?;
        let size = terminal.size()?;
        if film.is_wanted() {
            film.add(screen(app, size.width, size.height), began.elapsed())?;
        }
        if let Some(path) = app.wanted_picture() {
            let saved = save_svg(&path, &screen(app, size.width, size.height), title);
            app.say_picture(&path, saved);
        }
        let next = if app.goes_on() { next } else { now + IDLE };
        read_keys(app, next)?;
    }
    Ok(())
}

/// Ends the program when it was asked to stop and does not: a read from a terminal that has gone away never returns. The flag says that it has left by
/// itself.
fn leave_when_stuck(stop: &Arc<AtomicBool>) -> Arc<AtomicBool> {
    let left = Arc::new(AtomicBool::new(false));
    let (stop, has_left) = (Arc::clone(stop), Arc::clone(&left));
    std::thread::spawn(move || {
        while !has_left.load(Ordering::Relaxed) {
            std::thread::sleep(IDLE);
            if stop.load(Ordering::Relaxed) {
                std::thread::sleep(PATIENCE);
                if !has_left.load(Ordering::Relaxed) {
                    restore();
                    std::process::exit(i32::from(crate::INTERRUPTED));
                }
            }
        }
    });
    left
}

/// Takes what is typed until the next frame.
fn read_keys(app: &mut App, next: Instant) -> anyhow::Result<()> {
    let mut wait = next.saturating_duration_since(Instant::now());
    while !app.has_quit() && event::poll(wait)? {
        match event::read()? {
            Event::Key(key) => app.key(&key),
            // The screen is drawn again at once.
            Event::Resize(..) => return Ok(()),
            _ => (),
        }
        wait = match app.goes_on() {
            true => next.saturating_duration_since(Instant::now()),
            // Something may have changed: after the keys that wait already the screen is drawn.
            false => Duration::ZERO,
        };
    }
    Ok(())
}

/// The terminal while it is ours: it is given back when this is dropped.
struct Screen {
    tells_releases: bool,
}

impl Screen {
    fn enter() -> anyhow::Result<Screen> {
        restore_on_panic();
        enable_raw_mode()?;
        let tells_releases = matches!(supports_keyboard_enhancement(), Ok(true));
        let screen = Screen { tells_releases };
        execute!(stdout(), EnterAlternateScreen)?;
        if tells_releases {
            let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES
                | KeyboardEnhancementFlags::REPORT_EVENT_TYPES;
            execute!(stdout(), PushKeyboardEnhancementFlags(flags))?;
        }
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back. If that fails there is nobody to tell.
fn restore() {
    let _ = execute!(stdout(), PopKeyboardEnhancementFlags);
    let _ = execute!(stdout(), LeaveAlternateScreen, ShowCursor);
    let _ = disable_raw_mode();
}

/// A panic is told on the screen that was there before.
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
mod tests {
    use super::*;
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use std::io::Read;

    /// Takes the screen and panics: only for the test below, which runs it in a terminal of its own.
    #[test]
    #[ignore = "run by the_terminal_is_given_back_by_a_panic"]
    fn panics_on_the_screen() {
        let _screen = Screen::enter().unwrap();
        panic!("in the middle of a game");
    }

    #[test]
    fn the_terminal_is_given_back_by_a_panic() {
        let pair = native_pty_system().openpty(PtySize::default()).unwrap();
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        let test = "tui::terminal::tests::panics_on_the_screen";
        command.args(["--exact", test, "--ignored", "--nocapture"]);
        command.env("TERM", "xterm-256color");
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut output = pair.master.try_clone_reader().unwrap();
        let reader = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // The end of a terminal is an error on Linux.
            let _ = output.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        child.wait().unwrap();
        drop(pair.master);
        let text = reader.join().unwrap();
        let place = |wanted: &str| text.find(wanted).unwrap_or_else(|| panic!("{text:?}"));
        let (entered, left) = (place("\x1b[?1049h"), place("\x1b[?1049l"));
        let told = place("in the middle of a game");
        assert!(entered < left && left < told, "{text:?}");
        assert!(text.contains("\x1b[?25h"), "the cursor is back: {text:?}");
    }
}
