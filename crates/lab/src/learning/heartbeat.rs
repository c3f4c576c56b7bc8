//! A sign of life at least once per second, whatever a method does.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The time from one sign of life to the next.
const BETWEEN: Duration = Duration::from_millis(500);

/// What measures the time between two signs of life.
pub(super) trait Clock: Sync {
    /// Waits for this long; false if the work ended before.
    fn wait(&self, time: Duration, ended: &Receiver<()>) -> bool;
}

/// The clock of the machine.
pub(super) struct MachineClock;

impl Clock for MachineClock {
    fn wait(&self, time: Duration, ended: &Receiver<()>) -> bool {
        ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout)
    }
}

/// Does some work, and beside it calls `beat` at regular intervals from another thread.
pub(super) fn with_heartbeat<T>(
    clock: &dyn Clock,
    beat: &(dyn Fn() + Sync),
    work: impl FnOnce() -> T,
) -> T {
    std::thread::scope(|scope| {
        // The sender is dropped with the work, even if it panics.
        let (_working, ended) = channel();
        let beats = move || {
            while clock.wait(BETWEEN, &ended) {
                beat();
            }
        };
        // Where the system has no thread left, the work goes on without signs of life.
        let _ = std::thread::Builder::new().spawn_scoped(scope, beats);
        work()
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A clock on which time passes as fast as it is asked for, until the work ends.
    #[derive(Default)]
    pub(crate) struct MockClock(AtomicU64);

    impl MockClock {
        /// The time that has passed, in milliseconds.
        pub(crate) fn now(&self) -> u64 {
            self.0.load(Ordering::Relaxed)
        }
    }

    impl Clock for MockClock {
        fn wait(&self, time: Duration, ended: &Receiver<()>) -> bool {
            let passed =
                ended.recv_timeout(Duration::from_millis(1)) == Err(RecvTimeoutError::Timeout);
            self.0.fetch_add(time.as_millis() as u64, Ordering::Relaxed);
            passed
        }
    }

    #[test]
    fn work_that_says_nothing_for_a_minute_gives_a_sign_of_life_every_second() {
        let (clock, beats) = (MockClock::default(), Mutex::new(vec![0]));
        let beat = || beats.lock().unwrap().push(clock.now());
        with_heartbeat(&clock, &beat, || {
            while clock.now() < 60_000 {
                std::thread::yield_now();
            }
        });
        let beats = beats.into_inner().unwrap();
        assert!(beats.len() > 60);
        assert!(beats.windows(2).all(|pair| pair[1] - pair[0] <= 1000));
    }
}
