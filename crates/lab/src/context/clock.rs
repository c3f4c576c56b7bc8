//! The clock of a study: the machine's, or one for tests.

use crate::time::Instant;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// Measures the time of a study.
pub trait Clock: Send + Sync {
    /// The time since a fixed moment.
    fn now(&self) -> Duration;

    /// Waits for this long; returns false if the work ended earlier.
    fn wait(&self, time: Duration, ended: &Receiver<()>) -> bool;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug)]
pub struct MachineClock(Instant);

impl Default for MachineClock {
    /// A clock that starts now.
    fn default() -> MachineClock {
        MachineClock(Instant::now())
    }
}

impl Clock for MachineClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn wait(&self, time: Duration, ended: &Receiver<()>) -> bool {
        ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout)
    }
}

/// A clock whose time passes only while someone waits for it, until the work ends.
#[cfg(test)]
#[derive(Debug, Default)]
pub(crate) struct MockClock(std::sync::Mutex<Duration>);

#[cfg(test)]
impl Clock for MockClock {
    fn now(&self) -> Duration {
        *crate::arena::lock(&self.0)
    }

    fn wait(&self, time: Duration, ended: &Receiver<()>) -> bool {
        let step = Duration::from_millis(1);
        let continues = ended.recv_timeout(step) == Err(RecvTimeoutError::Timeout);
        *crate::arena::lock(&self.0) += time;
        continues
    }
}
