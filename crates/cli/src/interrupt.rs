//! Ctrl-C and similar signals: the first one asks the program to stop and print partial results.
//!
//! A signal that was ignored when the program started stays ignored, as `nohup` and background jobs
//! of shells expect.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tetrolab::context::CancelToken;

/// A signal that arrives this soon after the first one is the same request: `timeout` and terminals
/// send several.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// How long a [`StopDeadline`] lets the program end by itself after a request.
const GRACE: Duration = Duration::from_millis(1500);
/// Number of active deadlines.
static DEADLINES: AtomicUsize = AtomicUsize::new(0);

/// The token that a signal cancels, once a command has asked for it.
static TOKEN: OnceLock<CancelToken> = OnceLock::new();

/// The token that Ctrl-C cancels, the same for the whole program. A second Ctrl-C, a second later
/// or more, ends the program immediately.
pub(crate) fn token() -> &'static CancelToken {
    TOKEN.get_or_init(|| {
        let token = CancelToken::new();
        let requests = Requests::new(token.clone());
        // Without a handler, a signal ends the program in the default way: only partial results are
        // lost.
        let _ = listen(move || {
            if requests.arrive(Instant::now()) {
                std::process::exit(i32::from(crate::INTERRUPTED));
            }
            std::thread::spawn(|| {
                std::thread::sleep(GRACE);
                end_if_late();
            });
        });
        token
    })
}

/// While this exists, a request to stop ends the program soon even if nothing polls the token. Held
/// while games are played, and released before results are printed or files are written.
pub(crate) struct StopDeadline(());

/// Creates a deadline.
pub(crate) fn deadline() -> StopDeadline {
    DEADLINES.fetch_add(1, Ordering::Relaxed);
    StopDeadline(())
}

impl Drop for StopDeadline {
    fn drop(&mut self) {
        DEADLINES.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Ends the program if play continues too long after a request to stop.
fn end_if_late() {
    if DEADLINES.load(Ordering::Relaxed) > 0 {
        crate::complain("stopped during a long decision; results that were not saved are lost");
        std::process::exit(i32::from(crate::INTERRUPTED));
    }
}

/// Whether a stop was requested.
pub(crate) fn is_interrupted() -> bool {
    TOKEN.get().is_some_and(CancelToken::is_cancelled)
}

/// The requests to stop received so far.
struct Requests {
    token: CancelToken,
    first: Mutex<Option<Instant>>,
}

impl Requests {
    fn new(token: CancelToken) -> Requests {
        Requests {
            token,
            first: Mutex::new(None),
        }
    }

    /// Records a signal; returns whether it is a second request, which ends the program
    /// immediately.
    fn arrive(&self, now: Instant) -> bool {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        let first = *first.get_or_insert(now);
        self.token.cancel();
        now.duration_since(first) >= SAME_REQUEST
    }
}

/// Calls `on_signal` for every signal that asks the program to end.
#[cfg(unix)]
fn listen(on_signal: impl Fn() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let heard = [SIGINT, SIGTERM, SIGHUP]
        .into_iter()
        .filter(|&signal| !is_ignored(signal));
    let mut signals = signal_hook::iterator::Signals::new(heard)?;
    std::thread::spawn(move || signals.forever().for_each(|_| on_signal()));
    Ok(())
}

#[cfg(not(unix))]
fn listen(on_signal: impl Fn() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(on_signal)
}

/// Whether a signal was ignored when the program started.
#[cfg(unix)]
pub(crate) fn is_ignored(signal: i32) -> bool {
    is_in(ignored_signals(), signal)
}

/// The ignored signals, one bit each, as reported by Linux. Other systems only report them through
/// a system call that needs unsafe code; there a hang-up is left alone, since `nohup` ignores it.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let only_hangup = 1 << (signal_hook::consts::SIGHUP - 1);
    let status = std::fs::read_to_string("/proc/self/status").ok();
    let mask = status.as_deref().and_then(ignored_in);
    mask.unwrap_or(only_hangup)
}

/// The mask of ignored signals in the text of `/proc/self/status`.
#[cfg(unix)]
fn ignored_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    u64::from_str_radix(line?.trim(), 16).ok()
}

#[cfg(unix)]
fn is_in(mask: u64, signal: i32) -> bool {
    mask >> (signal - 1) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_within_a_second_are_one_request_and_a_later_one_is_another() {
        let token = CancelToken::new();
        let requests = Requests::new(token.clone());
        let began = Instant::now();
        assert!(!requests.arrive(began));
        assert!(token.is_cancelled());
        assert!(!requests.arrive(began + Duration::from_millis(900)));
        assert!(requests.arrive(began + Duration::from_millis(1100)));
    }

    #[cfg(unix)]
    #[test]
    fn the_ignored_signals_are_read_from_the_status_of_the_process() {
        let status = "Name:\ttetrolab\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n";
        let mask = ignored_in(status).unwrap();
        assert!(is_in(mask, 1) && is_in(mask, 13) && !is_in(mask, 2));
        assert_eq!(ignored_in("Name:\ttetrolab\n"), None);
    }
}
