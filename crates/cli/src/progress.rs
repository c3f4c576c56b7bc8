//! A progress bar on a terminal, silence in a pipe, and Ctrl-C.

use indicatif::{ProgressBar, ProgressStyle};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use tetrolab::arena::Progress;
use tetrolab::survival::{self, Goal};

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

/// A bar for so many workloads; it moves between them only, so that it takes no time from what is timed.
pub(crate) fn workloads_bar(workloads: usize) -> ProgressBar {
    let bar = ProgressBar::new(workloads as u64);
    let style = "{bar:30} {pos}/{len} workloads  {msg}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is right"));
    bar
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

/// Whether Ctrl-C was pressed.
pub(crate) fn is_interrupted() -> bool {
    stop_on_interrupt().load(Ordering::Relaxed)
}

/// A bar for the estimate of a player; its length is in thousandths of the goal.
pub(crate) fn estimate_bar(player: &str) -> ProgressBar {
    let bar = ProgressBar::new(1000);
    let style = "{prefix}  {bar:30} {elapsed} gone, {eta} to go  {msg}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is right"));
    bar.set_prefix(player.to_owned());
    bar
}

/// Shows on the bar how far an estimate has come. The error shrinks with the square root of the work.
pub(crate) fn show_estimate(bar: &ProgressBar, goal: Goal, progress: survival::Progress) {
    let part = match goal {
        Goal::Precision(wanted) => (wanted / progress.precision).powi(2),
        Goal::Pieces(wanted) => progress.pieces as f64 / wanted as f64,
        Goal::Repetitions(wanted) => progress.repetitions as f64 / wanted as f64,
    };
    bar.set_position((1000.0 * part.clamp(0.0, 1.0)) as u64);
    let (repetitions, precision) = (progress.repetitions, 100.0 * progress.precision);
    bar.set_message(format!("{repetitions} repetitions, +/- {precision:.1} %"));
}
