//! The time that a test may take.

use crate::interrupt::is_interrupted;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the clock is read.
const TICK: Duration = Duration::from_millis(20);

/// A flag that is raised when the time is over, or at Ctrl-C.
pub(super) struct Alarm {
    flag: Arc<AtomicBool>,
    until: Arc<Mutex<Instant>>,
    end: Instant,
    /// The thread that reads the clock ends when this is dropped.
    _ends: Sender<()>,
}

impl Alarm {
    /// An alarm after this time.
    pub(super) fn after(time: Duration) -> Alarm {
        let end = Instant::now() + time;
        let (flag, until) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(end)));
        let (sender, ended) = channel();
        let (raised, clock) = (Arc::clone(&flag), Arc::clone(&until));
        std::thread::spawn(move || {
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let until = lock(&clock);
                if is_interrupted() || Instant::now() >= *until {
                    raised.store(true, Ordering::Relaxed);
                }
            }
        });
        Alarm {
            flag,
            until,
            end,
            _ends: sender,
        }
    }

    /// The flag.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// Gives the next part of the test this share of the time that is left.
    pub(super) fn allow(&self, share: f64) {
        let left = self.end.saturating_duration_since(Instant::now());
        let mut until = lock(&self.until);
        *until = Instant::now() + left.mul_f64(share.clamp(0.0, 1.0));
        self.flag.store(is_interrupted(), Ordering::Relaxed);
    }
}

fn lock(until: &Mutex<Instant>) -> MutexGuard<'_, Instant> {
    until.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_is_raised_when_the_time_is_over_and_lowered_for_the_next_part() {
        let alarm = Alarm::after(Duration::from_secs(600));
        alarm.allow(0.0);
        let flag = alarm.flag();
        let began = Instant::now();
        while !flag.load(Ordering::Relaxed) {
            assert!(began.elapsed() < Duration::from_secs(60));
            std::thread::yield_now();
        }
        alarm.allow(0.5);
        assert!(!flag.load(Ordering::Relaxed));
    }
}
