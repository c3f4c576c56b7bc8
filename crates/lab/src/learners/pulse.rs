//! How far the generation in progress is.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of the generation in progress: a method writes them, the driver reports them at least
/// once per second.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    generation: AtomicU64,
    done: AtomicU64,
    total: AtomicU64,
}

impl Pulse {
    /// A generation begins.
    pub(crate) fn begin(&self, generation: u64) {
        self.generation.store(generation, Ordering::Relaxed);
        self.report(0, 0);
    }

    /// Training has placed this many pieces, of this many.
    pub(crate) fn report(&self, done: u64, total: u64) {
        self.total.store(total, Ordering::Relaxed);
        self.done.store(done.min(total), Ordering::Relaxed);
    }

    /// The number of the generation, the pieces that training has placed in it, and how many it
    /// will place.
    pub(crate) fn read(&self) -> (u64, u64, u64) {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (read(&self.generation), read(&self.done), read(&self.total))
    }
}
