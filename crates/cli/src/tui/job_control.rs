//! Ctrl-Z, `kill -TSTP` and `fg`: the shell gets its terminal back while the program is suspended.

use super::terminal::{self, SharedScreen};
use crate::interrupt::is_ignored;
use signal_hook::consts::{SIGCONT, SIGSTOP, SIGTSTP};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Gives the terminal back before the program is suspended, and takes it again when the program
/// continues.
pub(super) fn handle(screen: &SharedScreen) -> std::io::Result<()> {
    let handled = [SIGTSTP, SIGCONT].into_iter();
    let handled = handled.filter(|&signal| !is_ignored(signal));
    let mut signals = signal_hook::iterator::Signals::new(handled)?;
    let screen = screen.clone();
    std::thread::spawn(move || {
        for signal in signals.forever() {
            match signal {
                SIGTSTP => stop(&screen, stop_program),
                // Whatever suspended the program, another one may have used the terminal since.
                _ => take_again(&screen),
            }
        }
    });
    Ok(())
}

/// Does what Ctrl-Z does in a terminal that is not in raw mode.
pub(super) fn request(screen: &SharedScreen) {
    if !is_ignored(SIGTSTP) {
        stop(screen, stop_job);
    }
}

/// Suspends the program until the shell continues it; nothing is drawn in the meantime.
fn stop(screen: &SharedScreen, how: fn()) {
    if !can_go_on() {
        return;
    }
    let _drawing = screen.hold();
    if !screen.has_left.load(Ordering::Relaxed) {
        terminal::restore();
    }
    how();
    retake(screen);
}

/// Takes the terminal after the program was continued.
fn take_again(screen: &SharedScreen) {
    let _drawing = screen.hold();
    retake(screen);
}

/// Whether the program was continued only to end, for example by the shell's `kill %1`: then it no
/// longer owns the terminal. The thread that receives signals needs a moment to set the flag.
fn is_asked_to_leave() -> bool {
    std::thread::sleep(Duration::from_millis(20));
    crate::interrupt::is_interrupted()
}

/// Takes the terminal, unless the program has left it or is about to, and requests a redraw of the
/// whole screen.
fn retake(screen: &SharedScreen) {
    if !screen.has_left.load(Ordering::Relaxed) && !is_asked_to_leave() {
        terminal::retake();
        screen.is_stale.store(true, Ordering::Relaxed);
    }
}

fn stop_program() {
    let _ = signal_hook::low_level::raise(SIGSTOP);
}

/// Suspends all processes of the job, such as the `cargo run` that started this one.
fn stop_job() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "kill -STOP 0"]);
    shell.stdin(Stdio::null()).stdout(Stdio::null());
    // A shell that was itself ended by the signal has suspended the job; only a failure to start
    // the shell means that it has not.
    if shell.stderr(Stdio::null()).status().is_err() {
        stop_program();
    }
}

/// A process as Linux describes it: its parent, its job and its session.
struct ProcessIds {
    parent: String,
    group: String,
    session: String,
}

/// Reads `/proc/PROCESS/stat`, which other systems do not have.
fn ids(process: &str) -> Option<ProcessIds> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may contain anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(1).map(str::to_owned);
    Some(ProcessIds {
        parent: fields.next()?,
        group: fields.next()?,
        session: fields.next()?,
    })
}

/// Whether a shell can resume the program. A job without a shell must not be suspended, because
/// nothing would resume it.
fn can_go_on() -> bool {
    let Some(own) = ids("self") else {
        return true;
    };
    let mut parent = ids(&own.parent);
    while let Some(above) = &parent {
        if above.group != own.group {
            return above.session == own.session;
        }
        parent = ids(&above.parent);
    }
    false
}
