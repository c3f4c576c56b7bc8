//! Arenas that stop when a time is up, besides when they are told to.

use super::Arena;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often it is looked whether the arena behind is to stop.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// An arena that stops at a deadline, or when the one that it was made from is to stop.
pub(crate) struct DeadlineArena {
    arena: Arena,
    /// The flag of the arena that it was made from.
    asked: Arc<AtomicBool>,
    watch: Option<Watch>,
}

/// The thread that waits for the deadline.
struct Watch {
    is_over: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Arena {
    /// An arena on the same threads that stops at a deadline too, if there is one.
    pub(crate) fn until(&self, deadline: Option<Instant>) -> DeadlineArena {
        let asked = Arc::clone(&self.stop);
        let stop = match deadline {
            Some(_) => Arc::new(AtomicBool::new(self.is_stopped())),
            None => Arc::clone(&asked),
        };
        let watch = deadline.map(|deadline| Watch::new(deadline, &asked, &stop));
        let arena = Arena {
            pool: Arc::clone(&self.pool),
            uses_kernels: self.uses_kernels,
            stop,
        };
        DeadlineArena {
            arena,
            asked,
            watch,
        }
    }
}

impl DeadlineArena {
    /// Whether it stopped because the time is up, and not because it was told to.
    pub(crate) fn is_expired(&self) -> bool {
        self.watch.is_some() && self.is_stopped() && !self.asked.load(Ordering::Relaxed)
    }
}

impl Deref for DeadlineArena {
    type Target = Arena;

    fn deref(&self) -> &Arena {
        &self.arena
    }
}

impl Watch {
    fn new(deadline: Instant, asked: &Arc<AtomicBool>, stop: &Arc<AtomicBool>) -> Watch {
        let is_over = Arc::new((Mutex::new(false), Condvar::new()));
        let (asked, stop) = (Arc::clone(asked), Arc::clone(stop));
        let over = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            let (mutex, ended) = &*over;
            let mut is_over = super::lock(mutex);
            while !*is_over {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() || asked.load(Ordering::Relaxed) {
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
                let waited = ended.wait_timeout(is_over, left.min(BETWEEN_LOOKS));
                is_over = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
            }
        });
        Watch {
            is_over,
            thread: Some(thread),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        *super::lock(&self.is_over.0) = true;
        self.is_over.1.notify_all();
        if let Some(thread) = self.thread.take() {
            // It only waits; it cannot panic.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_stops_an_arena_and_leaves_the_one_behind_alone() {
        let arena = Arena::new(1).unwrap();
        let timed = arena.until(Some(Instant::now()));
        while !timed.is_stopped() {
            std::thread::yield_now();
        }
        assert!(timed.is_expired() && !arena.is_stopped());
        let endless = arena.until(None);
        assert!(!endless.is_stopped() && !endless.is_expired());
    }

    #[test]
    fn a_request_to_stop_reaches_an_arena_with_a_deadline() {
        let stop = Arc::new(AtomicBool::new(false));
        let arena = Arena::new(1).unwrap().stop_flag(Arc::clone(&stop));
        let timed = arena.until(Some(Instant::now() + Duration::from_secs(600)));
        assert!(!timed.is_stopped());
        stop.store(true, Ordering::Relaxed);
        while !timed.is_stopped() {
            std::thread::yield_now();
        }
        assert!(!timed.is_expired());
    }
}
