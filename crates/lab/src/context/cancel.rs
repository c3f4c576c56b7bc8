//! Tokens that cancel studies, and parts of them.

use crate::arena::lock;
use crate::time::Instant;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, Weak};
use tetrolab_core::stop::StopFlag;

/// Cancels work, and all tokens derived from it. A clone is the same token.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<Cancelling>);

#[derive(Debug, Default)]
struct Cancelling {
    flag: Arc<AtomicBool>,
    derived: Mutex<Vec<Weak<Cancelling>>>,
    /// Whether the token was cancelled by its own deadline.
    is_expired: AtomicBool,
    /// Ends the thread that waits for the deadline when the token is dropped.
    _watch: Option<Sender<()>>,
}

/// A weak handle that can only cancel; it does not keep a study alive.
#[derive(Clone, Debug)]
pub(crate) struct WeakToken(Weak<Cancelling>);

impl WeakToken {
    /// The token, unless its study has ended.
    pub(crate) fn get(&self) -> Option<CancelToken> {
        self.0.upgrade().map(CancelToken)
    }
}

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Cancels the work, which stops soon: within one decision on every thread, or a few thousand
    /// in a kernel.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether the work must end.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.flag.load(Ordering::Relaxed)
    }

    /// Whether the token was cancelled by its own deadline.
    pub(crate) fn is_expired(&self) -> bool {
        self.0.is_expired.load(Ordering::Relaxed)
    }

    /// Cancels another token whenever this one is cancelled.
    pub(crate) fn adopt(&self, other: &CancelToken) {
        let is_cancelled = {
            let mut derived = lock(&self.0.derived);
            derived.retain(|one| one.strong_count() > 0);
            derived.push(Arc::downgrade(&other.0));
            self.is_cancelled()
        };
        if is_cancelled {
            other.cancel();
        }
    }

    /// A token that is cancelled together with this one, and at a deadline if there is one.
    #[must_use]
    pub fn until(&self, deadline: Option<Instant>) -> CancelToken {
        let token = CancelToken(Arc::new_cyclic(|token| Cancelling {
            _watch: deadline.map(|deadline| cancel_at(deadline, token.clone())),
            ..Cancelling::default()
        }));
        self.adopt(&token);
        token
    }

    /// The flag that decisions and training steps poll.
    pub(crate) fn flag(&self) -> StopFlag {
        StopFlag::new(Arc::clone(&self.0.flag))
    }

    pub(crate) fn weak(&self) -> WeakToken {
        WeakToken(Arc::downgrade(&self.0))
    }
}

impl Cancelling {
    /// Has no effect the second time, so tokens may cancel each other.
    fn cancel(&self) {
        let derived = {
            let mut derived = lock(&self.derived);
            if self.flag.swap(true, Ordering::Relaxed) {
                return;
            }
            std::mem::take(&mut *derived)
        };
        let derived = derived.iter().filter_map(Weak::upgrade);
        derived.for_each(|one| one.cancel());
    }
}

/// Cancels a token at a deadline, from a thread that ends when the sender is dropped.
fn cancel_at(deadline: Instant, token: Weak<Cancelling>) -> Sender<()> {
    let (sender, ended) = channel();
    let wait = move || {
        let left = deadline.saturating_duration_since(Instant::now());
        while ended.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
            // A deadline in the past may fire before the token is complete.
            if let Some(token) = token.upgrade() {
                let is_first = !token.flag.load(Ordering::Relaxed);
                token.is_expired.store(is_first, Ordering::Relaxed);
                return token.cancel();
            }
            std::thread::yield_now();
        }
    };
    // If the system cannot provide a thread, the work continues beyond its deadline.
    let _ = std::thread::Builder::new().spawn(wait);
    sender
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_deadline_cancels_a_token_and_leaves_the_one_behind_alone() {
        let token = CancelToken::new();
        let timed = token.until(Some(Instant::now()));
        while !timed.is_cancelled() {
            std::thread::yield_now();
        }
        assert!(timed.is_expired() && !token.is_cancelled());
        assert!(
            timed.until(None).is_cancelled(),
            "derived after the deadline"
        );
        let endless = token.until(None);
        assert!(!endless.is_cancelled() && !endless.is_expired());
    }

    #[test]
    fn a_deadline_applies_to_tokens_derived_before_it() {
        let timed = CancelToken::new().until(Some(Instant::now() + Duration::from_millis(20)));
        let part = timed.until(None);
        while !part.is_cancelled() {
            std::thread::yield_now();
        }
        assert!(timed.is_expired());
    }

    #[test]
    fn tokens_that_cancel_each_other_are_cancelled_once() {
        let (study, other) = (CancelToken::new(), CancelToken::new());
        let part = study.until(None);
        part.adopt(&study);
        study.adopt(&study);
        part.cancel();
        assert!(study.is_cancelled() && !part.is_expired());
        study.adopt(&other);
        assert!(other.is_cancelled());
    }

    #[test]
    fn cancelling_applies_to_tokens_derived_before_and_after() {
        let token = CancelToken::new();
        let timed = token.until(Some(Instant::now() + Duration::from_secs(600)));
        let part = timed.until(None);
        assert!(!part.is_cancelled());
        token.cancel();
        assert!(timed.is_cancelled() && part.is_cancelled());
        assert!(!timed.is_expired() && token.until(None).is_cancelled());
    }
}
