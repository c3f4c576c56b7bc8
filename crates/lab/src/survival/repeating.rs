//! Makes repetitions on all threads until the goal is reached.

use super::batch::Halt;
use super::checkpoint::Checkpoint;
use super::estimate::precision;
use super::levels::Levels;
use super::prepared::{Repetitions, without_gap};
use super::repetition::Repetition;
use super::subject::Subject;
use super::{Goal, SurvivalError, Unmet};
use crate::arena::{into_inner, lock};
use crate::context::{Context, Event};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The minimum number of repetitions for an interval.
pub(super) const FEWEST_REPETITIONS: u64 = 16;
/// Number of repetitions between two checks of the interval; checking after every repetition would
/// stop too early.
const REPETITIONS_BETWEEN_LOOKS: u64 = 4;

/// The maximum number of repetitions of an estimate: more than any sensible precision needs, and
/// few enough to keep in memory.
pub(crate) const MOST_REPETITIONS: u64 = 20_000;

/// State shared by the threads.
pub(super) struct Repeating<'a> {
    player: &'a str,
    subject: &'a Subject,
    levels: &'a Levels,
    goal: Goal,
    context: &'a Context,
    next: AtomicU64,
    progress: Mutex<Repeated>,
}

/// The completed repetitions.
pub(super) struct Repeated {
    pub(super) done: Repetitions,
    pub(super) checkpoint: Option<Checkpoint>,
    /// The number of repetitions, counted from the first one, after which the goal is reached or
    /// known to be unreachable.
    pub(super) enough: Option<usize>,
    /// A number of repetitions that is known to be insufficient.
    looked_at: usize,
    pub(super) failure: Option<SurvivalError>,
}

impl Repeated {
    fn pieces(&self) -> u64 {
        self.done.values().map(Repetition::pieces).sum()
    }
}

impl<'a> Repeating<'a> {
    pub(super) fn new(
        (player, subject, levels): (&'a str, &'a Subject, &'a Levels),
        goal: Goal,
        context: &'a Context,
    ) -> Repeating<'a> {
        Repeating {
            player,
            subject,
            levels,
            goal,
            context,
            next: AtomicU64::new(0),
            progress: Mutex::new(Repeated {
                done: Repetitions::new(),
                checkpoint: None,
                enough: None,
                looked_at: 0,
                failure: None,
            }),
        }
    }

    /// Continues from earlier repetitions.
    pub(super) fn resume_from(&self, done: Repetitions, checkpoint: Option<Checkpoint>) {
        let mut repeated = lock(&self.progress);
        repeated.done = done;
        repeated.checkpoint = checkpoint;
        self.look(&mut repeated);
    }

    pub(super) fn finish(self) -> Repeated {
        into_inner(self.progress)
    }

    /// The work of one thread.
    pub(super) fn work(&self) {
        while let Some(index) = self.take() {
            match self.subject.repeat(self.context, self.levels, index) {
                Ok(repetition) => self.keep(index, repetition),
                Err(Halt::Stopped) => return,
                Err(halt) => lock(&self.progress).failure = Some(halt.into()),
            }
        }
    }

    /// The number of the next repetition to do, if there is one.
    fn take(&self) -> Option<u64> {
        while !self.context.is_cancelled() {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let repeated = lock(&self.progress);
            let is_over = repeated.enough.is_some() || repeated.failure.is_some();
            if is_over || self.is_beyond_goal(index) {
                return None;
            }
            if !repeated.done.contains_key(&index) {
                return Some(index);
            }
        }
        None
    }

    fn is_beyond_goal(&self, index: u64) -> bool {
        matches!(self.goal, Goal::Repetitions(count) if index >= count)
    }

    fn keep(&self, index: u64, repetition: Repetition) {
        let mut repeated = lock(&self.progress);
        if let Some(checkpoint) = &mut repeated.checkpoint
            && let Err(failure) = checkpoint.add(index, &repetition)
        {
            repeated.failure = Some(failure);
        }
        repeated.done.insert(index, repetition);
        self.look(&mut repeated);
    }

    /// Checks whether the goal is reached, and reports the progress.
    fn look(&self, repeated: &mut Repeated) {
        let first = without_gap(&repeated.done);
        if repeated.enough.is_none() {
            let fresh = repeated.looked_at + 1..=first.len();
            repeated.enough = fresh
                .clone()
                .find(|&count| self.goal.is_over(&first[..count]));
            repeated.looked_at = first.len();
        }
        let precision = precision(&first);
        let (repetitions, pieces) = (first.len() as u64, repeated.pieces());
        self.context.report(Event::Repetition {
            player: self.player.to_owned(),
            repetitions,
            precision: Some(precision).filter(|precision| precision.is_finite()),
            pieces,
            part: self.goal.part_done(repetitions, precision, pieces),
        });
    }
}

impl Goal {
    /// Whether these first repetitions suffice, or more repetitions would not help.
    fn is_over(self, first: &[&Repetition]) -> bool {
        let count = first.len() as u64;
        count >= MOST_REPETITIONS || is_hopeless(first) || self.is_reached(first)
    }

    fn is_reached(self, first: &[&Repetition]) -> bool {
        let count = first.len() as u64;
        match self {
            Goal::Repetitions(wanted) => count >= wanted,
            Goal::Pieces(wanted) => {
                count > 1 && first.iter().map(|r| r.pieces()).sum::<u64>() >= wanted
            }
            Goal::Precision(wanted) => {
                count >= FEWEST_REPETITIONS
                    && (count - FEWEST_REPETITIONS).is_multiple_of(REPETITIONS_BETWEEN_LOOKS)
                    && precision(first) <= wanted
            }
        }
    }

    /// Progress towards the goal. The error shrinks with the square root of the work.
    fn part_done(self, repetitions: u64, precision: f64, pieces: u64) -> f64 {
        let part = match self {
            Goal::Precision(wanted) => (wanted / precision).powi(2),
            Goal::Pieces(wanted) => pieces as f64 / wanted as f64,
            Goal::Repetitions(wanted) => repetitions as f64 / wanted as f64,
        };
        part.clamp(0.0, 1.0)
    }

    /// Why all repetitions together do not reach the goal; `None` if they do.
    pub(super) fn unmet(self, first: &[&Repetition]) -> Option<Unmet> {
        let repetitions = first.len() as u64;
        if self.is_reached(first) {
            None
        } else if is_hopeless(first) {
            Some(Unmet::NoDeaths { repetitions })
        } else if repetitions >= MOST_REPETITIONS {
            Some(Unmet::MostRepetitions { repetitions })
        } else {
            Some(Unmet::Stopped { repetitions })
        }
    }
}

/// Whether there are enough repetitions for an interval, but no game ended in any of them.
fn is_hopeless(first: &[&Repetition]) -> bool {
    first.len() as u64 >= FEWEST_REPETITIONS && first.iter().all(|r| r.rate <= 0.0)
}
