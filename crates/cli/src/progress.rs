//! A progress bar on a terminal, silence in a pipe, and Ctrl-C.

use indicatif::{ProgressBar, ProgressStyle};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use tetrolab::arena::Progress;

/// A bar for so many games; it hides itself where the standard error is no terminal.
pub(crate) fn games_bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    let style = "{bar:30} {pos}/{len} games  {elapsed} gone, {eta} to go  {msg}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is right"));
    bar
}

/// Shows on the bar how far play has come.
pub(crate) fn show(bar: &ProgressBar, progress: Progress) {
    bar.set_position(progress.games_done);
    let seconds = bar.elapsed().as_secs_f64().max(1e-3);
    let rate = progress.pieces as f64 / seconds / 1e6;
    bar.set_message(format!("{rate:.2} M pieces/s"));
}

/// The flag that Ctrl-C raises, the same for the whole program. A second Ctrl-C ends the program at once.
pub(crate) fn stop_on_interrupt() -> Arc<AtomicBool> {
    static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let stop = STOP.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&stop);
        // Without a handler Ctrl-C ends the program as it always does: nothing is lost but partial results.
        let _ = ctrlc::set_handler(move || {
            if raised.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(crate::INTERRUPTED));
            }
        });
        stop
    });
    Arc::clone(stop)
}
