//! An estimate whose levels are chosen: what remains is to repeat.

use super::batch::Team;
use super::checkpoint::{Checkpoint, Head};
use super::estimate::Survival;
use super::field::Field;
use super::levels::{self, Levels, Survey};
use super::repeating::{FEWEST_REPETITIONS, Repeat, Repeating, SplittingProgress};
use super::repetition::Repetition;
use super::subject::{FieldTask, Subject};
use super::{Goal, Splitting, SurvivalError};
use crate::arena::Arena;
use std::collections::BTreeMap;
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;

/// How many games must have ended in the survey for it to say how long they are.
const ENOUGH_DEATHS: u64 = 5;
/// The precision that the fewest repetitions reach, typically.
const TYPICAL_PRECISION: f64 = 0.055;

/// Repetitions by number.
pub(super) type Repetitions = BTreeMap<u64, Repetition>;

/// The survey, and the choice of the levels.
struct ChooseLevels {
    survey_seed: u64,
    levels_seed: u64,
    trajectories: usize,
}

impl FieldTask for ChooseLevels {
    type Output = Result<(Levels, Survey), SurvivalError>;

    fn on<F: Field + Send>(self, team: &Team<'_, F>) -> Self::Output {
        let (base, mut survey) = levels::survey(team, self.survey_seed)?;
        let levels = levels::choose(team, base, self.trajectories, self.levels_seed, &mut survey);
        let levels = levels.map_err(|halt| SurvivalError::after(survey.played, halt))?;
        Ok((levels, survey))
    }
}

/// Which threads survey the player and choose the levels.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Crew {
    /// All threads of the arena.
    Everyone,
    /// The calling thread.
    Caller,
}

/// An estimate whose levels are chosen.
pub struct Prepared<'a> {
    pub(super) subject: Subject<'a>,
    pub(super) levels: Levels,
    survey: Survey,
    done: Repetitions,
    checkpoint: Option<Checkpoint>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(
        splitting: &Splitting,
        crew: Crew,
        arena: &Arena,
        player: &dyn Player,
        ruleset: &'a Ruleset,
        seed: u64,
    ) -> Result<Prepared<'a>, SurvivalError> {
        let subject = Subject::new(arena, player, ruleset, seed);
        let task = ChooseLevels {
            survey_seed: subject.survey_seed(),
            levels_seed: subject.levels_seed(),
            trajectories: splitting.trajectories,
        };
        let (levels, survey) = match crew {
            Crew::Everyone => subject.together(arena, task),
            Crew::Caller => subject.alone(arena.stop(), task),
        }?;
        let mut prepared = Prepared {
            subject,
            levels,
            survey,
            done: Repetitions::new(),
            checkpoint: None,
        };
        prepared.open_checkpoint(splitting)?;
        Ok(prepared)
    }

    /// Opens the file of repetitions, if there is to be one, and takes what it has.
    fn open_checkpoint(&mut self, splitting: &Splitting) -> Result<(), SurvivalError> {
        let Some(path) = &splitting.checkpoint else {
            return Ok(());
        };
        let (checkpoint, kept) = Checkpoint::open(path, &self.head(splitting)?)?;
        self.checkpoint = Some(checkpoint);
        self.done = kept;
        Ok(())
    }

    /// The head of a file of repetitions.
    pub(super) fn head(&self, splitting: &Splitting) -> Result<Head, SurvivalError> {
        let (ruleset, seed) = (self.subject.ruleset, self.subject.seed());
        Head::new(splitting, ruleset, seed, &self.levels, &self.survey)
    }

    /// The mean number of pieces of a game, if games are short enough for the survey to tell.
    #[must_use]
    pub fn mean_pieces_at_a_glance(&self) -> Option<f64> {
        let enough = self.survey.deaths >= ENOUGH_DEATHS;
        enough.then(|| self.survey.pieces as f64 / self.survey.deaths as f64)
    }

    /// About how many pieces a precision will take.
    #[must_use]
    pub fn expected_pieces(&self, precision: f64) -> f64 {
        let repetitions = (TYPICAL_PRECISION / precision).powi(2).max(1.0);
        repetitions * (FEWEST_REPETITIONS * self.survey.repetition) as f64
    }

    /// The rates of the repetitions that are done, from the first on without a gap.
    #[must_use]
    pub fn rates(&self) -> Vec<f64> {
        let first = without_gap(&self.done);
        first.iter().map(|repetition| repetition.rate).collect()
    }

    /// Games that ended in the survey.
    #[must_use]
    pub fn deaths_at_a_glance(&self) -> u64 {
        self.survey.deaths
    }

    /// Pieces that were played to choose the levels.
    #[must_use]
    pub fn pieces_prepared(&self) -> u64 {
        self.survey.played
    }

    /// Repeats until there are this many repetitions in all, on the calling thread: for callers that have other work for
    /// the other threads.
    ///
    /// # Errors
    /// When the arena's flag stops it, or there is nothing to say.
    pub fn repeat_alone(
        &mut self,
        arena: &Arena,
        repetitions: u64,
    ) -> Result<Survival, SurvivalError> {
        for index in 0..repetitions {
            if self.done.contains_key(&index) {
                continue;
            }
            let task = Repeat {
                levels: &self.levels,
                seed: self.subject.repetition_seed(index),
            };
            let repetition = self.subject.alone(arena.stop(), task)?;
            self.done.insert(index, repetition);
        }
        let done: Vec<&Repetition> = self.done.values().collect();
        self.survival(&done).ok_or(SurvivalError::Stopped)
    }

    /// Repeats until the goal is reached, on all threads, and says what that gives; or what has been done, if it is stopped
    /// before. Repetitions that were done before count. `on_progress` is called after every repetition.
    ///
    /// # Errors
    /// When the goal makes no sense, it was stopped too soon, or the checkpoint cannot be written.
    pub fn run(
        &mut self,
        arena: &Arena,
        goal: Goal,
        on_progress: &(dyn Fn(SplittingProgress) + Sync),
    ) -> Result<Survival, SurvivalError> {
        goal.check()?;
        let repeating =
            Repeating::new(&self.subject, &self.levels, goal, arena.stop(), on_progress);
        repeating.go_on_from(std::mem::take(&mut self.done), self.checkpoint.take());
        arena.on_all_threads(|| repeating.work());
        let repeated = repeating.finish();
        self.done = repeated.done;
        self.checkpoint = repeated.checkpoint;
        // Repetitions are taken in order, so a failure before the goal is the same on any number of threads.
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

/// The repetitions from the first on without a gap: what counts must not depend on which thread was faster.
pub(super) fn without_gap(done: &Repetitions) -> Vec<&Repetition> {
    let numbered = done.iter().zip(0..);
    let first = numbered.take_while(|((index, _), expected)| *index == expected);
    first.map(|((_, repetition), _)| repetition).collect()
}
