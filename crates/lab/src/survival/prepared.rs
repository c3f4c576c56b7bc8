//! An estimate with chosen levels; the repetitions remain.

use super::checkpoint::{Checkpoint, Head};
use super::estimate::Survival;
use super::importance::{Danger, ImportanceFunction};
use super::levels::{Levels, PilotCounts};
use super::repeating::Repeating;
use super::repetition::Repetition;
use super::subject::Subject;
use super::{Goal, Splitting, SurvivalError};
use crate::context::Context;
use std::collections::BTreeMap;

/// Repetitions by number.
pub(super) type Repetitions = BTreeMap<u64, Repetition>;

/// An estimate whose levels are chosen.
pub struct Prepared {
    /// The player's name, for events.
    player: String,
    pub(super) subject: Subject,
    pub(super) levels: Levels,
    pilot: PilotCounts,
    done: Repetitions,
    checkpoint: Option<Checkpoint>,
}

impl Prepared {
    pub(super) fn new(
        context: &Context,
        splitting: &Splitting,
        (subject, levels, pilot): (Subject, Levels, PilotCounts),
    ) -> Result<Prepared, SurvivalError> {
        let mut prepared = Prepared {
            player: splitting.player.clone(),
            subject,
            levels,
            pilot,
            done: Repetitions::new(),
            checkpoint: None,
        };
        prepared.open_checkpoint(context, splitting)?;
        Ok(prepared)
    }

    /// Opens the file of repetitions, if one is given, and reads its content.
    fn open_checkpoint(
        &mut self,
        context: &Context,
        splitting: &Splitting,
    ) -> Result<(), SurvivalError> {
        let Some(path) = &splitting.checkpoint else {
            return Ok(());
        };
        let (checkpoint, kept) = Checkpoint::open(path, &self.head(context, splitting)?)?;
        self.checkpoint = Some(checkpoint);
        self.done = kept;
        Ok(())
    }

    /// The head of a file of repetitions.
    pub(super) fn head(
        &self,
        context: &Context,
        splitting: &Splitting,
    ) -> Result<Head, SurvivalError> {
        let (ruleset, seed) = (&self.subject.ruleset, self.subject.seed);
        let of = (&self.levels, &self.pilot);
        Head::new(splitting, ruleset, seed, of, context.library())
    }

    /// The learned danger, if it is the importance function.
    pub(crate) fn danger(&self) -> Option<&Danger> {
        match &self.subject.function {
            ImportanceFunction::Stack | ImportanceFunction::Tables(_) => None,
            ImportanceFunction::Danger(danger) => Some(danger),
        }
    }

    /// The rates of the completed repetitions, starting with the first, without gaps.
    pub(crate) fn rates(&self) -> Vec<f64> {
        let first = without_gap(&self.done);
        first.iter().map(|repetition| repetition.rate).collect()
    }

    /// Seconds that earlier processes have spent on the repetitions of the checkpoint.
    pub(crate) fn seconds_before(&self) -> f64 {
        self.checkpoint.as_ref().map_or(0.0, |kept| kept.seconds)
    }

    /// Number of pieces played to choose the levels.
    pub(crate) fn pieces_prepared(&self) -> u64 {
        self.pilot.played
    }

    /// Continues to this total number of repetitions on the calling thread, for callers that use
    /// the other threads.
    ///
    /// # Errors
    /// If the study is cancelled, or there is no result.
    pub(crate) fn repeat_alone(
        &mut self,
        context: &Context,
        repetitions: u64,
    ) -> Result<Survival, SurvivalError> {
        for index in 0..repetitions {
            if self.done.contains_key(&index) {
                continue;
            }
            let repetition = self.subject.repeat(context, &self.levels, index)?;
            self.done.insert(index, repetition);
        }
        let done: Vec<&Repetition> = self.done.values().collect();
        self.survival(&done).ok_or(SurvivalError::Stopped)
    }

    /// Repeats on all threads until the goal is reached or the study is stopped, and returns the
    /// estimate. Earlier repetitions are included. Every repetition is reported as an event.
    ///
    /// # Errors
    /// If the goal is invalid, it was stopped too early, or the checkpoint cannot be written.
    pub fn run(&mut self, context: &Context, goal: Goal) -> Result<Survival, SurvivalError> {
        goal.check()?;
        let of = (self.player.as_str(), &self.subject, &self.levels);
        let repeating = Repeating::new(of, goal, context);
        repeating.resume_from(std::mem::take(&mut self.done), self.checkpoint.take());
        context.arena().on_all_threads(|| repeating.work());
        let repeated = repeating.finish();
        self.done = repeated.done;
        self.checkpoint = repeated.checkpoint;
        // Repetitions are processed in order, so a failure before the goal is the same on any
        // number of threads.
        if let Some(failure) = repeated.failure.filter(|_| repeated.enough.is_none()) {
            return Err(failure);
        }
        let first = without_gap(&self.done);
        let first = &first[..repeated.enough.unwrap_or(first.len())];
        let survival = self.survival(first).filter(|_| first.len() > 1);
        let mut survival = survival.ok_or(SurvivalError::Stopped)?;
        survival.unmet = goal.unmet(first);
        Ok(survival)
    }

    fn survival(&self, repetitions: &[&Repetition]) -> Option<Survival> {
        Survival::of(&self.levels, repetitions, self.subject.ruleset.width)
    }
}

/// The repetitions up to the first missing one: the result must not depend on which thread was
/// faster.
pub(super) fn without_gap(done: &Repetitions) -> Vec<&Repetition> {
    let numbered = done.iter().zip(0..);
    let first = numbered.take_while(|((index, _), expected)| *index == expected);
    first.map(|((_, repetition), _)| repetition).collect()
}
