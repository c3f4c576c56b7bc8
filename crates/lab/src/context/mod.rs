//! The environment of a study: threads, a library, a way to cancel it, and an observer.
//!
//! Any number of studies can share an [`Arena`]. Each has its own [`Context`]: cancelling one study
//! does not affect the others, and nothing in a context changes a result.
//!
//! ```
//! use tetrolab::arena::Arena;
//! use tetrolab::context::Context;
//!
//! let arena = Arena::new(2)?;
//! let first = Context::new(&arena).observer(|event| println!("{event:?}"));
//! let second = Context::new(&arena);
//! assert!(arena.cancel(first.study()));
//! assert!(first.is_cancelled() && !second.is_cancelled());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cancel;
mod clock;
mod event;

pub use cancel::CancelToken;
pub(crate) use cancel::WeakToken;
pub use clock::{Clock, MachineClock};
pub use event::GenerationSummary;
pub use event::{Event, StudyEvent};

#[cfg(test)]
pub(crate) use clock::MockClock;

use crate::arena::{Arena, lock};
use crate::external::OwnPlayers;
use crate::library::{FileSource, GivenFiles};
use crate::study::work::Cluster;
use crate::time::Instant;
use serde::{Deserialize, Serialize};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The maximum time without an event while a study runs.
const LONGEST_SILENCE: Duration = Duration::from_secs(1);

/// Identifies a study within its arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StudyId(pub u64);

impl std::fmt::Display for StudyId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The environment of a study; clones belong to the same study.
#[derive(Clone)]
pub struct Context {
    study: StudyId,
    arena: Arena,
    cancel: CancelToken,
    /// The files that names may refer to, besides published parts; `None` for the files on this
    /// machine.
    given: Option<Arc<GivenFiles>>,
    /// Players that only the user of this machine may refer to.
    own: Option<Arc<OwnPlayers>>,
    clock: Arc<dyn Clock>,
    /// When the study began, according to its clock.
    began: Duration,
    events: Option<Arc<Events>>,
    /// The cluster that evaluates the candidates of a learning run; `None` for the threads of the
    /// arena.
    cluster: Option<Arc<dyn Cluster>>,
}

/// Receives the events of a study.
struct Events {
    observer: Box<dyn Fn(StudyEvent) + Send + Sync>,
    heard: Mutex<Heard>,
}

/// State of the observer.
struct Heard {
    /// The time of the last event.
    last: Duration,
    /// The event that is reported if there is no other.
    pulse: Event,
}

impl Context {
    /// A study on the threads of an arena, without an observer.
    pub fn new(arena: &Arena) -> Context {
        let cancel = CancelToken::new();
        let clock = MachineClock::default();
        Context {
            study: arena.register(&cancel),
            arena: arena.clone(),
            cancel,
            given: None,
            own: None,
            began: clock.now(),
            clock: Arc::new(clock),
            events: None,
            cluster: None,
        }
    }

    /// The same study, with a cluster that evaluates its candidates. This does not change results.
    #[must_use]
    pub fn on_cluster(self, cluster: Arc<dyn Cluster>) -> Context {
        Context {
            cluster: Some(cluster),
            ..self
        }
    }

    /// The cluster that evaluates candidates, if any.
    pub(crate) fn cluster(&self) -> Option<&dyn Cluster> {
        self.cluster.as_deref()
    }

    /// The same study with an observer, which several threads may call at the same time. While the
    /// study runs, it is called at least once per second.
    #[must_use]
    pub fn observer(self, observer: impl Fn(StudyEvent) + Send + Sync + 'static) -> Context {
        let heard = Heard {
            last: Duration::ZERO,
            pulse: Event::Working,
        };
        let events = Events {
            observer: Box::new(observer),
            heard: Mutex::new(heard),
        };
        Context {
            events: Some(Arc::new(events)),
            ..self
        }
    }

    /// The same study for names from elsewhere. They can only refer to published players, shipped
    /// rulesets, specs of these, and the given texts; no file on this machine is read.
    #[must_use]
    pub fn names_only(self, given: GivenFiles) -> Context {
        Context {
            given: Some(Arc::new(given)),
            ..self
        }
    }

    /// The same study for names typed by the user of this machine: they can also refer to programs
    /// and to these players.
    #[must_use]
    pub fn own_players(self, own: OwnPlayers) -> Context {
        Context {
            own: Some(Arc::new(own)),
            ..self
        }
    }

    /// Where the names in a description are looked up.
    pub fn library(&self) -> FileSource<'_> {
        match (&self.given, &self.own) {
            (Some(given), _) => FileSource::Given(given),
            (None, Some(own)) => FileSource::Own(own),
            (None, None) => FileSource::Disk,
        }
    }

    /// The same study, which this token can cancel too.
    #[must_use]
    pub fn cancelled_by(self, token: &CancelToken) -> Context {
        token.adopt(&self.cancel);
        self
    }

    /// The same study with another clock.
    #[must_use]
    pub fn clock(self, clock: Arc<dyn Clock>) -> Context {
        Context {
            began: clock.now(),
            clock,
            ..self
        }
    }

    /// Waits for this long on the study's clock; returns false if the work ended before.
    pub(crate) fn wait(&self, time: Duration, ended: &Receiver<()>) -> bool {
        self.clock.wait(time, ended)
    }

    /// A part of the study that ends with it, or at a deadline if there is one.
    #[must_use]
    pub fn until(&self, deadline: Option<Instant>) -> Context {
        Context {
            cancel: self.cancel.until(deadline),
            ..self.clone()
        }
    }

    /// A part of the study that reports no events.
    pub(crate) fn silent(&self) -> Context {
        Context {
            events: None,
            ..self.clone()
        }
    }

    /// A part of the study on other threads.
    pub(crate) fn on(&self, arena: Arena) -> Context {
        Context {
            arena,
            ..self.clone()
        }
    }

    /// The study's number within its arena.
    pub fn study(&self) -> StudyId {
        self.study
    }

    /// The threads.
    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    /// The token that cancels the study.
    pub fn token(&self) -> &CancelToken {
        &self.cancel
    }

    /// Whether the study must end.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Reports an event to the observer.
    pub(crate) fn report(&self, event: Event) {
        let Some(events) = &self.events else {
            return;
        };
        let now = self.clock.now();
        lock(&events.heard).last = now;
        (events.observer)(StudyEvent {
            study: self.study,
            elapsed: now.saturating_sub(self.began).as_secs_f64(),
            event,
        });
    }

    /// Sets the event that is repeated while there is no other.
    pub(crate) fn pulse(&self, event: Event) {
        if let Some(events) = &self.events {
            lock(&events.heard).pulse = event;
        }
    }

    /// Records the progress of the current generation, for its next event.
    pub fn progress(&self, now: u64, of: u64) {
        if let Some(events) = &self.events
            && let Event::Training { done, total, .. } = &mut lock(&events.heard).pulse
        {
            (*done, *total) = (now.min(of), of);
        }
    }

    /// Runs a study's work, and reports [`Event::Working`] if there is nothing else to report.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let Some(events) = &self.events else {
            return work();
        };
        std::thread::scope(|scope| {
            // The sender is dropped with the work, even if it panics.
            let (_working, ended) = channel();
            let beats = move || {
                while self.clock.wait(LONGEST_SILENCE / 2, &ended) {
                    let heard = lock(&events.heard);
                    let silence = self.clock.now().saturating_sub(heard.last);
                    let pulse = (silence >= LONGEST_SILENCE / 2).then(|| heard.pulse.clone());
                    drop(heard);
                    pulse.into_iter().for_each(|pulse| self.report(pulse));
                }
            };
            // If the system cannot provide a thread, the work continues without periodic events.
            let _ = std::thread::Builder::new().spawn_scoped(scope, beats);
            work()
        })
    }
}

#[cfg(test)]
impl Context {
    /// A study for tests.
    pub(crate) fn on_threads(threads: usize) -> Context {
        Context::new(&Arena::new(threads).unwrap())
    }

    /// A study for tests, on the general path.
    pub(crate) fn without_kernels(threads: usize) -> Context {
        Context::new(&Arena::new(threads).unwrap().kernels(false))
    }

    /// This study, with all events that it reports.
    pub(crate) fn recorded(self) -> (Context, Arc<Mutex<Vec<StudyEvent>>>) {
        let events = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&events);
        (self.observer(move |event| lock(&seen).push(event)), events)
    }

    /// This study, cancelled.
    pub(crate) fn cancelled(self) -> Context {
        self.cancel.cancel();
        self
    }

    /// The event that is currently repeated.
    pub(crate) fn pulse_now(&self) -> Option<Event> {
        self.events
            .as_ref()
            .map(|events| lock(&events.heard).pulse.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silent_work_reports_every_second_that_it_is_alive() {
        let clock = Arc::new(MockClock::default());
        let heard = Arc::new(Mutex::new(vec![0.0]));
        let seconds = Arc::clone(&heard);
        let context = Context::new(&Arena::new(1).unwrap()).clock(clock.clone());
        let context = context.observer(move |event| lock(&seconds).push(event.elapsed));
        context.run(|| {
            while clock.now() < Duration::from_secs(60) {
                std::thread::yield_now();
            }
        });
        let heard = lock(&heard);
        assert!(heard.len() > 60);
        assert!(heard.windows(2).all(|pair| pair[1] - pair[0] <= 1.0));
    }

    #[test]
    fn a_study_is_cancelled_by_its_number_and_the_others_continue() {
        let arena = Arena::new(1).unwrap();
        let [first, second] = [1, 2].map(|_| Context::new(&arena));
        let part = first.until(Some(Instant::now() + Duration::from_secs(600)));
        assert_eq!(arena.studies(), [first.study(), second.study()]);
        assert!(arena.cancel(first.study()));
        assert!(first.is_cancelled() && part.is_cancelled() && !second.is_cancelled());
        assert!(!part.token().is_expired());
        let gone = second.study();
        drop(second);
        assert!(!arena.cancel(gone));
        assert_eq!(arena.studies(), [first.study()]);
    }
}
