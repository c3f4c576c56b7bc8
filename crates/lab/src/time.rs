//! The clock of the machine.
//!
//! WebAssembly without an operating system has no clock, and `std::time::Instant::now` panics
//! there. A page has a clock, so its program calls `set_clock` once; until then, no time passes.

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

#[cfg(target_family = "wasm")]
pub use page::{Instant, set_clock};

#[cfg(target_family = "wasm")]
mod page {
    use std::ops::Add;
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the function that returns the time since a fixed moment; only the first call has an
    /// effect.
    pub fn set_clock(now: fn() -> Duration) {
        let _ = CLOCK.set(now);
    }

    /// A moment, like the standard library's `Instant`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        #[must_use]
        pub fn now() -> Instant {
            Instant(CLOCK.get().map_or(Duration::ZERO, |now| now()))
        }

        /// The time that has passed since this moment.
        #[must_use]
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// The time from an earlier moment to this one.
        #[must_use]
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// The moment after this much time, if it can be represented.
        #[must_use]
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0 + time)
        }
    }
}
