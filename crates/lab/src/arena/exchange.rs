//! Moves games from busy workers to idle ones.
//!
//! Among games played side by side, a few long ones remain at the end. When the queue is empty, a
//! worker waits here; the others check regularly, and one of them hands over a batch, or half of
//! its games, in the middle of play (`worker`). A game depends only on its seed, so it does not
//! matter which worker plays it.

use super::lock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use tetrolab_core::kernel::Suspended;

/// Games of a batch that are being moved from one worker to another.
#[derive(Debug)]
pub(super) struct Transfer {
    /// The index of the first arm in the group that plays the games.
    pub arm: usize,
    /// The games.
    pub games: Vec<Suspended>,
}

/// Connects workers that have games with workers that have none.
#[derive(Default)]
pub(super) struct Exchange {
    workers: Mutex<Workers>,
    changed: Condvar,
    /// Number of waiting workers that have not been assigned games: a copy that can be read without
    /// the lock.
    unserved: AtomicUsize,
}

/// The state of the workers.
#[derive(Default)]
struct Workers {
    /// Number of workers that play. A worker that has not started is not counted: it may have to
    /// wait for a thread, and by then the others may have played everything.
    busy: usize,
    waiting: usize,
    transfers: Vec<Transfer>,
}

impl Exchange {
    /// Records that a worker starts playing.
    pub(super) fn enter(&self) {
        lock(&self.workers).busy += 1;
    }

    /// Whether a waiting worker has not been assigned games.
    pub(super) fn is_wanted(&self) -> bool {
        self.unserved.load(Ordering::Relaxed) > 0
    }

    /// Hands games over to a waiting worker, unless another one was faster.
    pub(super) fn hand_over(&self, give: impl FnOnce() -> Option<Transfer>) {
        let mut workers = lock(&self.workers);
        if workers.waiting > workers.transfers.len()
            && let Some(transfer) = give()
        {
            workers.transfers.push(transfer);
            self.update(&workers);
            self.changed.notify_all();
        }
    }

    /// Waits for games; `None` if no worker is left that could hand any over.
    pub(super) fn wait(&self) -> Option<Transfer> {
        let mut workers = lock(&self.workers);
        workers.busy -= 1;
        workers.waiting += 1;
        self.update(&workers);
        loop {
            if let Some(transfer) = workers.transfers.pop() {
                workers.waiting -= 1;
                workers.busy += 1;
                self.update(&workers);
                return Some(transfer);
            }
            if workers.busy == 0 {
                self.changed.notify_all();
                return None;
            }
            workers = (self.changed.wait(workers)).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Records that a busy worker panicked: the others do not wait for it.
    pub(super) fn leave(&self) {
        let mut workers = lock(&self.workers);
        // A worker that panics after the end of play is no longer counted.
        workers.busy = workers.busy.saturating_sub(1);
        drop(workers);
        self.changed.notify_all();
    }

    fn update(&self, workers: &Workers) {
        let unserved = workers.waiting.saturating_sub(workers.transfers.len());
        self.unserved.store(unserved, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::scope;

    fn exchange(workers: usize) -> Exchange {
        let exchange = Exchange::default();
        (0..workers).for_each(|_| exchange.enter());
        exchange
    }

    fn transfer(arm: usize) -> Transfer {
        let games = Vec::new();
        Transfer { arm, games }
    }

    #[test]
    fn a_worker_that_waits_gets_what_another_hands_over() {
        let exchange = exchange(2);
        assert!(!exchange.is_wanted());
        scope(|scope| {
            let waiting = scope.spawn(|| exchange.wait().map(|transfer| transfer.arm));
            while !exchange.is_wanted() {
                std::thread::yield_now();
            }
            exchange.hand_over(|| Some(transfer(3)));
            assert!(!exchange.is_wanted());
            assert_eq!(waiting.join().unwrap(), Some(3));
        });
    }

    #[test]
    fn games_are_handed_over_only_to_waiting_workers() {
        let exchange = exchange(1);
        exchange.hand_over(|| panic!("nobody waits"));
        assert!(exchange.wait().is_none());
    }

    #[test]
    fn no_worker_waits_when_none_has_games() {
        let exchange = exchange(3);
        scope(|scope| {
            let waiting = [0, 1, 2].map(|_| scope.spawn(|| exchange.wait()));
            assert!(
                waiting
                    .into_iter()
                    .all(|worker| worker.join().unwrap().is_none())
            );
        });
    }

    #[test]
    fn a_worker_that_panics_is_not_waited_for() {
        let exchange = exchange(2);
        scope(|scope| {
            let waiting = scope.spawn(|| exchange.wait());
            exchange.leave();
            assert!(waiting.join().unwrap().is_none());
        });
    }
}
