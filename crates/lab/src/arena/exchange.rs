//! Where workers without games get some from workers with many.
//!
//! A series of games that are played side by side ends with a few long ones. When the queue is empty, a worker waits
//! here; the others see that, now and then, and one of them hands over an arm or half of its games in the middle of
//! play (`hand`). A game depends on its seed alone, so it does not matter who plays it.

use super::lock;
use std::sync::atomic::{AtomicUsize, Ordering};
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
#[derive(Default)]
pub(super) struct Exchange {
    state: Mutex<State>,
    changed: Condvar,
    /// How many workers wait for whom there is no parcel yet; a copy that can be read at any time.
    hungry: AtomicUsize,
}

#[derive(Default)]
struct State {
    /// Workers that play. One that has not begun is not among them: what others have done by then it need not do, and it
    /// may have to wait for their thread.
    busy: usize,
    waiting: usize,
    parcels: Vec<Parcel>,
}

impl Exchange {
    /// A worker begins to play.
    pub(super) fn enter(&self) {
        lock(&self.state).busy += 1;
    }

    /// Whether a worker waits in vain.
    pub(super) fn is_wanted(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    /// Hands games over to a worker that waits, unless another one was faster.
    pub(super) fn hand_over(&self, give: impl FnOnce() -> Option<Parcel>) {
        let mut state = lock(&self.state);
        if state.waiting > state.parcels.len()
            && let Some(parcel) = give()
        {
            state.parcels.push(parcel);
            self.update(&state);
            self.changed.notify_all();
        }
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

    /// A busy worker leaves in a panic: the others do not wait for it.
    pub(super) fn leave(&self) {
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

    fn exchange(workers: usize) -> Exchange {
        let exchange = Exchange::default();
        (0..workers).for_each(|_| exchange.enter());
        exchange
    }

    fn parcel(arm: usize) -> Parcel {
        let games = Vec::new();
        Parcel { arm, games }
    }

    #[test]
    fn a_worker_that_waits_gets_what_another_hands_over() {
        let exchange = exchange(2);
        assert!(!exchange.is_wanted());
        scope(|scope| {
            let waiting = scope.spawn(|| exchange.wait().map(|parcel| parcel.arm));
            while !exchange.is_wanted() {
                std::thread::yield_now();
            }
            exchange.hand_over(|| Some(parcel(3)));
            assert!(!exchange.is_wanted());
            assert_eq!(waiting.join().unwrap(), Some(3));
        });
    }

    #[test]
    fn nothing_is_handed_over_that_nobody_waits_for() {
        let exchange = exchange(1);
        exchange.hand_over(|| panic!("nobody waits"));
        assert!(exchange.wait().is_none());
    }

    #[test]
    fn nobody_waits_when_all_have_nothing() {
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
