//! How far the generation in progress is.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The state of the generation in progress: a method writes it, the driver reports it at least once
/// per second.
#[derive(Debug, Default)]
pub(crate) struct Pulse(Mutex<TrainingProgress>);

/// How far a generation is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TrainingProgress {
    /// The number of the generation.
    pub(crate) generation: u64,
    /// The pieces that training has placed in it ...
    pub(crate) done: u64,
    /// ... and how many it will place; 0 if that is not known.
    pub(crate) total: u64,
}

impl Pulse {
    fn lock(&self) -> MutexGuard<'_, TrainingProgress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A generation begins.
    pub(crate) fn begin(&self, generation: u64) {
        *self.lock() = TrainingProgress {
            generation,
            ..TrainingProgress::default()
        };
    }

    /// Training has placed this many pieces, of this many.
    pub(crate) fn report(&self, done: u64, total: u64) {
        let mut progress = self.lock();
        (progress.done, progress.total) = (done.min(total), total);
    }

    /// How far the generation is.
    pub(crate) fn read(&self) -> TrainingProgress {
        *self.lock()
    }
}
