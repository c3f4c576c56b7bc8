//! Where workers without games get some from workers with many.
//!
//! A series of games that are played side by side ends with a few long ones. When the queue is empty, a worker waits
//! here; the others see that, now and then, and one of them hands over half of its games in the middle of play. A game
//! depends on its seed alone, so it does not matter who plays it.

use super::lock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use tetrolab_core::kernel::Suspended;

/// Games of one arm that change hands.
#[derive(Debug)]
pub(super) struct Parcel {
    /// Which arm plays them.
    pub arm: usize,
    /// The games.
    pub games: Vec<Suspended>,
}

/// Joins workers that have games and workers that have none.
pub(super) struct Exchange {
    state: Mutex<State>,
    changed: Condvar,
    /// How many workers wait for whom there is no parcel yet; a copy that can be read at any time.
    hungry: AtomicUsize,
    /// Whether a worker has panicked.
    broken: AtomicBool,
}

struct State {
    /// Workers that play.
    busy: usize,
    waiting: usize,
    parcels: Vec<Parcel>,
}

impl Exchange {
    /// All workers are busy at first.
    pub(super) fn new(workers: usize) -> Exchange {
        Exchange {
            state: Mutex::new(State {
                busy: workers,
                waiting: 0,
                parcels: Vec::new(),
            }),
            changed: Condvar::new(),
            hungry: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
        }
    }

    /// Whether a worker waits in vain.
    pub(super) fn is_wanted(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    /// Whether play is to end because a worker has panicked.
    pub(super) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// Hands games over to a worker that waits. Another one may have been faster; then they wait with the workers.
    pub(super) fn hand_over(&self, parcel: Parcel) {
        let mut state = lock(&self.state);
        state.parcels.push(parcel);
        self.update(&state);
        self.changed.notify_all();
    }

    /// Waits for games; none when nobody is left who could hand any over.
    pub(super) fn wait(&self) -> Option<Parcel> {
        let mut state = lock(&self.state);
        state.busy -= 1;
        state.waiting += 1;
        self.update(&state);
        loop {
            if let Some(parcel) = state.parcels.pop() {
                state.waiting -= 1;
                state.busy += 1;
                self.update(&state);
                return Some(parcel);
            }
            if state.busy == 0 {
                self.changed.notify_all();
                return None;
            }
            state = (self.changed.wait(state)).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A busy worker leaves in a panic: the others end play and do not wait for it.
    pub(super) fn leave_broken(&self) {
        self.broken.store(true, Ordering::Relaxed);
        let mut state = lock(&self.state);
        // Whoever panics after the end of play is not counted any more.
        state.busy = state.busy.saturating_sub(1);
        drop(state);
        self.changed.notify_all();
    }

    fn update(&self, state: &State) {
        let hungry = state.waiting.saturating_sub(state.parcels.len());
        self.hungry.store(hungry, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::scope;

    fn parcel(arm: usize) -> Parcel {
        let games = Vec::new();
        Parcel { arm, games }
    }

    #[test]
    fn a_worker_that_waits_gets_what_another_hands_over() {
        let exchange = Exchange::new(2);
        assert!(!exchange.is_wanted());
        scope(|scope| {
            let waiting = scope.spawn(|| exchange.wait().map(|parcel| parcel.arm));
            while !exchange.is_wanted() {
                std::thread::yield_now();
            }
            exchange.hand_over(parcel(3));
            assert!(!exchange.is_wanted());
            assert_eq!(waiting.join().unwrap(), Some(3));
        });
    }

    #[test]
    fn nobody_waits_when_all_have_nothing() {
        let exchange = Exchange::new(3);
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
        let exchange = Exchange::new(2);
        scope(|scope| {
            let waiting = scope.spawn(|| exchange.wait());
            exchange.leave_broken();
            assert!(waiting.join().unwrap().is_none());
        });
        assert!(exchange.is_broken());
    }
}
