//! Ctrl-C, and a bar for workloads.

use crate::bars::bar;
use indicatif::ProgressBar;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// A bar for so many workloads; it moves between them only, so that it takes no time from what is timed.
pub(crate) fn workloads_bar(workloads: usize) -> ProgressBar {
    bar(workloads as u64, "{bar:30} {pos}/{len} workloads  {msg}")
}

/// The flag that Ctrl-C raises, once somebody asked for it.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The flag that Ctrl-C raises, the same for the whole program. A second Ctrl-C ends the program at once.
pub(crate) fn stop_on_interrupt() -> Arc<AtomicBool> {
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
    STOP.get().is_some_and(|stop| stop.load(Ordering::Relaxed))
}

/// What stands above the commands that repeat a result, or finish it.
pub(crate) fn again(interrupted: bool) -> &'static str {
    match interrupted {
        true => "\nTo finish:",
        false => "\nAgain:",
    }
}
