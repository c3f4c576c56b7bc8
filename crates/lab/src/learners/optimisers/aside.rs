//! Runs steps of an optimiser on a separate thread, so that a request to stop does not have to wait
//! for them.

use crate::context::CancelToken;
use crate::learners::Optimizer;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How often the stop flag is polled while an optimiser works.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Runs an optimiser's step on a separate thread; `None` if it is cancelled first. The optimiser is
/// then abandoned: its thread ends with the step, which may take minutes for long vectors and large
/// populations, but nothing waits for it.
pub(super) fn ask_aside<T: Send + 'static>(
    optimizer: &mut Option<Box<dyn Optimizer>>,
    cancel: &CancelToken,
    work: impl FnOnce(&mut dyn Optimizer) -> T + Send + 'static,
) -> Option<T> {
    let step = Arc::new(Mutex::new(Some((optimizer.take()?, work))));
    let take = |step: &Mutex<Option<_>>| step.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (sender, receiver) = mpsc::channel();
    let taken = Arc::clone(&step);
    let aside = move || {
        if let Some((mut own, work)) = take(&taken) {
            let done = work(&mut *own);
            // An error only means that no one is waiting any more.
            let _ = sender.send((own, done));
        }
    };
    let Ok(thread) = std::thread::Builder::new().spawn(aside) else {
        let (mut own, work) = take(&step)?;
        let done = work(&mut *own);
        *optimizer = Some(own);
        return Some(done);
    };
    loop {
        match receiver.recv_timeout(BETWEEN_LOOKS) {
            Ok((own, done)) => {
                *optimizer = Some(own);
                return Some(done);
            }
            Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => return None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Ok(()) => return None,
                Err(panic) => std::panic::resume_unwind(panic),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// An optimiser whose step lasts until the test ends it.
    struct Endless(Arc<AtomicBool>);

    impl Optimizer for Endless {
        fn ask(&mut self) -> Vec<Vec<f64>> {
            while !self.0.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            Vec::new()
        }

        fn tell(&mut self, _fitness: &[f64]) {}

        fn solution(&self) -> Vec<f64> {
            Vec::new()
        }

        fn spread(&self) -> f64 {
            0.0
        }
    }

    #[test]
    fn a_request_to_stop_does_not_wait_for_an_optimiser() {
        let (cancel, is_done) = (CancelToken::new(), Arc::default());
        cancel.cancel();
        let mut optimizer: Option<Box<dyn Optimizer>> =
            Some(Box::new(Endless(Arc::clone(&is_done))));
        let asked = ask_aside(&mut optimizer, &cancel, |optimizer| optimizer.ask());
        is_done.store(true, Ordering::Relaxed);
        assert!(asked.is_none() && optimizer.is_none());
        // A step that completes immediately is accepted even after cancellation.
        let mut optimizer: Option<Box<dyn Optimizer>> = Some(Box::new(Endless(is_done)));
        assert!(ask_aside(&mut optimizer, &cancel, |optimizer| optimizer.ask()).is_some());
    }
}
