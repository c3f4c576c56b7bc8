//! Ctrl-Z, `kill -TSTP` and `fg`: the shell gets its terminal back while the program is stopped.

use super::terminal::{self, SharedScreen};
use crate::interrupt::is_ignored;
use signal_hook::consts::{SIGCONT, SIGTSTP};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

/// Gives the terminal back before the program is stopped, and takes it again when it goes on.
pub(super) fn handle(screen: &SharedScreen) -> std::io::Result<()> {
    let handled = [SIGTSTP, SIGCONT].into_iter();
    let handled = handled.filter(|&signal| !is_ignored(signal));
    let mut signals = signal_hook::iterator::Signals::new(handled)?;
    let screen = screen.clone();
    std::thread::spawn(move || {
        for signal in signals.forever() {
            // Nothing is drawn meanwhile.
            let _drawing = screen
                .drawing
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let is_shown = !screen.has_left.load(Ordering::Relaxed);
            if signal == SIGTSTP {
                stop(is_shown);
            }
            if is_shown {
                // Whatever stopped the program, another one may have used the terminal since.
                terminal::retake();
                screen.is_stale.store(true, Ordering::Relaxed);
            }
        }
    });
    Ok(())
}

/// Stops the program until the shell lets it go on.
fn stop(is_shown: bool) {
    if !can_go_on() {
        return;
    }
    if is_shown {
        terminal::restore();
    }
    let _ = signal_hook::low_level::raise(signal_hook::consts::SIGSTOP);
}

/// Asks the program to stop, as Ctrl-Z does in a terminal that is not in raw mode.
pub(super) fn request() {
    if !is_ignored(SIGTSTP) {
        let _ = signal_hook::low_level::raise(SIGTSTP);
    }
}

/// Whether a shell can let the program go on. A program that is the only one of its terminal must not
/// stop: nothing would ever wake it.
fn can_go_on() -> bool {
    let session = |process: &str| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name of the program, in parentheses, may contain anything.
        let (_, fields) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        Some((fields.get(1)?.to_string(), fields.get(3)?.to_string()))
    };
    // Systems without /proc do not tell.
    let Some((parent, own)) = session("self") else {
        return true;
    };
    session(&parent).is_none_or(|(_, parents)| parents == own)
}
