//! An estimate on its way: repetition after repetition, on all threads.

use super::checkpoint::{self, Checkpoint};
use super::estimate::Survival;
use super::field::{Field, Halt, OneByOne, SideBySide};
use super::plan::{self, Plan, Survey};
use super::repetition::{self, Repetition};
use super::{Goal, Splitting, SurvivalError};
use crate::arena::Arena;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tetrolab_core::kernel::Kernel;
use tetrolab_core::players::Player;
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;

/// An interval needs so many repetitions at least ...
const FEWEST_REPETITIONS: u64 = 16;
/// ... and its width is looked at after every so many, not after each: whoever looks often stops too soon.
const REPETITIONS_BETWEEN_LOOKS: u64 = 4;

/// Games that must have ended in the survey for it to tell how long they are.
const ENOUGH_DEATHS: u64 = 5;
/// The precision that the fewest repetitions reach, typically.
const TYPICAL_PRECISION: f64 = 0.055;

/// More than any sensible precision takes: a rate of which so many repetitions say nothing is not to be had.
const MOST_REPETITIONS: u64 = 20_000;

/// How far an estimate has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Repetitions that are done.
    pub repetitions: u64,
    /// The precision that they have; infinite before the second.
    pub precision: f64,
    /// Pieces played.
    pub pieces: u64,
}

/// What a player does on a field, without saying which kind of field.
trait Task {
    type Output;
    fn on<F: Field>(self, field: &mut F) -> Self::Output;
}

/// A player under a ruleset.
struct Setting<'a> {
    ruleset: &'a Ruleset,
    /// To be copied by every thread.
    player: Mutex<Box<dyn Player>>,
    kernel: Option<Kernel>,
    seed: u64,
}

impl Setting<'_> {
    /// Does a task on the kernel's field if there is a kernel, else on the general one.
    fn with_field<T: Task>(&self, player: &dyn Player, task: T) -> T::Output {
        match &self.kernel {
            Some(kernel) => task.on(&mut SideBySide::new(self.ruleset, kernel)),
            None => task.on(&mut OneByOne::new(self.ruleset, player)),
        }
    }

    fn repetition_seed(&self, index: u64) -> u64 {
        game_seed(game_seed(self.seed, REPETITIONS), index)
    }
}

/// The streams of random numbers of an estimate: every use has its own.
const SURVEY: u64 = 0x7375_7276_6579;
const LEVELS: u64 = 0x6C65_7665_6C73;
const REPETITIONS: u64 = 0x7265_7065_6174;

struct Prepare<'a> {
    seed: u64,
    trajectories: usize,
    stop: &'a AtomicBool,
}

impl Task for Prepare<'_> {
    type Output = Result<(Plan, Survey), SurvivalError>;

    fn on<F: Field>(self, field: &mut F) -> Self::Output {
        let survey_seed = game_seed(self.seed, SURVEY);
        let (base, mut survey) = plan::survey(field, self.stop, survey_seed)?;
        let seed = game_seed(self.seed, LEVELS);
        let plan = plan::plan(field, self.stop, base, self.trajectories, seed, &mut survey);
        let plan = plan.map_err(|halt| SurvivalError::after(survey.played, halt))?;
        Ok((plan, survey))
    }
}

/// An estimate whose levels are chosen.
pub struct Prepared<'a> {
    setting: Setting<'a>,
    plan: Plan,
    survey: Survey,
    done: BTreeMap<u64, Repetition>,
    checkpoint: Option<Checkpoint>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(
        splitting: &Splitting,
        arena: &Arena,
        player: &dyn Player,
        ruleset: &'a Ruleset,
        seed: u64,
    ) -> Result<Prepared<'a>, SurvivalError> {
        let setting = Setting {
            ruleset,
            kernel: arena.kernel(player, ruleset),
            player: Mutex::new(player.boxed()),
            seed,
        };
        let task = Prepare {
            seed,
            trajectories: splitting.trajectories,
            stop: arena.stop(),
        };
        let (plan, survey) = setting.with_field(player, task)?;
        let mut prepared = Prepared {
            setting,
            plan,
            survey,
            done: BTreeMap::new(),
            checkpoint: None,
        };
        if let Some(path) = &splitting.checkpoint {
            let mut head = checkpoint::head(&splitting.player, &ruleset.name, seed, &prepared.plan);
            // A player file that was edited has another survey, if not other levels.
            head["surveyed"] = prepared.survey.played.into();
            let (checkpoint, kept) = Checkpoint::open(path, &head)?;
            prepared.checkpoint = Some(checkpoint);
            prepared.done = kept.into_iter().collect();
        }
        Ok(prepared)
    }

    /// The mean number of pieces of a game, if games end so soon that a short look tells.
    #[must_use]
    pub fn mean_pieces_at_a_glance(&self) -> Option<f64> {
        let enough = self.survey.deaths >= ENOUGH_DEATHS;
        enough.then(|| self.survey.pieces as f64 / self.survey.deaths as f64)
    }

    /// The pieces that a precision will take, about.
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

    /// Repeats up to so many times in all on the calling thread: for callers that have other work for the other threads.
    ///
    /// # Errors
    /// When the arena's flag stops it, or there is nothing to say.
    pub fn repeat_alone(
        &mut self,
        arena: &Arena,
        repetitions: u64,
    ) -> Result<Survival, SurvivalError> {
        let player = lock(&self.setting.player).boxed();
        for index in 0..repetitions {
            if self.done.contains_key(&index) {
                continue;
            }
            let task = Repeat {
                plan: &self.plan,
                seed: self.setting.repetition_seed(index),
                stop: arena.stop(),
            };
            let repetition = self.setting.with_field(&*player, task)?;
            self.done.insert(index, repetition);
        }
        let done: Vec<&Repetition> = self.done.values().collect();
        let survival = Survival::of(&self.plan, &done, self.setting.ruleset.width);
        survival.ok_or(SurvivalError::Stopped)
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
        on_progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Survival, SurvivalError> {
        goal.check()?;
        let run = Run {
            setting: &self.setting,
            plan: &self.plan,
            goal,
            stop: arena.stop(),
            next: AtomicU64::new(0),
            shared: Mutex::new(Shared {
                done: std::mem::take(&mut self.done),
                checkpoint: self.checkpoint.take(),
                enough: None,
                looked_at: 0,
                failure: None,
            }),
            on_progress,
        };
        run.look(&mut lock(&run.shared));
        arena.on_all_threads(|| run.work());
        let shared = run.shared.into_inner();
        let shared = shared.unwrap_or_else(PoisonError::into_inner);
        self.done = shared.done;
        self.checkpoint = shared.checkpoint;
        // Repetitions are taken in order, so a failure before the goal is the same on any number of threads.
        if let Some(failure) = shared.failure.filter(|_| shared.enough.is_none()) {
            return Err(failure);
        }
        let first = without_gap(&self.done);
        let count = shared.enough.unwrap_or(first.len());
        let survival = Survival::of(&self.plan, &first[..count], self.setting.ruleset.width);
        survival.filter(|_| count > 1).ok_or(SurvivalError::Stopped)
    }
}

/// The repetitions from the first on without a gap: what counts must not depend on which thread was faster.
fn without_gap(done: &BTreeMap<u64, Repetition>) -> Vec<&Repetition> {
    let numbered = done.iter().zip(0..);
    let first = numbered.take_while(|((index, _), expected)| *index == expected);
    first.map(|((_, repetition), _)| repetition).collect()
}

struct Repeat<'a> {
    plan: &'a Plan,
    seed: u64,
    stop: &'a AtomicBool,
}

impl Task for Repeat<'_> {
    type Output = Result<Repetition, Halt>;

    fn on<F: Field>(self, field: &mut F) -> Self::Output {
        repetition::run(field, self.stop, self.plan, self.seed)
    }
}

/// What the threads share.
struct Run<'a> {
    setting: &'a Setting<'a>,
    plan: &'a Plan,
    goal: Goal,
    stop: &'a AtomicBool,
    next: AtomicU64,
    shared: Mutex<Shared>,
    on_progress: &'a (dyn Fn(Progress) + Sync),
}

struct Shared {
    done: BTreeMap<u64, Repetition>,
    checkpoint: Option<Checkpoint>,
    /// How many repetitions, from the first one on, reach the goal.
    enough: Option<usize>,
    /// How many have been found not to be enough.
    looked_at: usize,
    failure: Option<SurvivalError>,
}

impl Run<'_> {
    /// What one thread does.
    fn work(&self) {
        let player = lock(&self.setting.player).boxed();
        while let Some(index) = self.take() {
            let task = Repeat {
                plan: self.plan,
                seed: self.setting.repetition_seed(index),
                stop: self.stop,
            };
            match self.setting.with_field(&*player, task) {
                Ok(repetition) => self.keep(index, repetition),
                Err(Halt::Stopped) => return,
                Err(halt) => lock(&self.shared).failure = Some(halt.into()),
            }
        }
    }

    /// The number of the next repetition to do, if there is one.
    fn take(&self) -> Option<u64> {
        while !self.stop.load(Ordering::Relaxed) {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let shared = lock(&self.shared);
            if shared.enough.is_some() || shared.failure.is_some() || self.is_beyond_goal(index) {
                return None;
            }
            if !shared.done.contains_key(&index) {
                return Some(index);
            }
        }
        None
    }

    fn is_beyond_goal(&self, index: u64) -> bool {
        matches!(self.goal, Goal::Repetitions(count) if index >= count)
    }

    fn keep(&self, index: u64, repetition: Repetition) {
        let mut shared = lock(&self.shared);
        if let Some(checkpoint) = &mut shared.checkpoint
            && let Err(failure) = checkpoint.add(index, &repetition)
        {
            shared.failure = Some(failure);
        }
        shared.done.insert(index, repetition);
        self.look(&mut shared);
    }

    /// Looks whether the goal is reached, and tells how far it is.
    fn look(&self, shared: &mut Shared) {
        let first = without_gap(&shared.done);
        if shared.enough.is_none() {
            let fresh = shared.looked_at + 1..=first.len();
            shared.enough = fresh.clone().find(|&count| self.is_enough(&first[..count]));
            shared.looked_at = first.len();
        }
        let survival = self.survival(&first);
        (self.on_progress)(Progress {
            repetitions: first.len() as u64,
            precision: survival.map_or(f64::INFINITY, |survival| survival.precision),
            pieces: shared.done.values().map(Repetition::pieces).sum(),
        });
    }

    fn survival(&self, first: &[&Repetition]) -> Option<Survival> {
        Survival::of(self.plan, first, self.setting.ruleset.width)
    }

    /// Whether these first repetitions are enough.
    fn is_enough(&self, first: &[&Repetition]) -> bool {
        let count = first.len() as u64;
        let is_hopeless = || count >= FEWEST_REPETITIONS && first.iter().all(|r| r.rate <= 0.0);
        if count >= MOST_REPETITIONS || is_hopeless() {
            return true;
        }
        match self.goal {
            Goal::Repetitions(wanted) => count >= wanted,
            Goal::Pieces(wanted) => {
                count > 1 && first.iter().map(|r| r.pieces()).sum::<u64>() >= wanted
            }
            Goal::Precision(wanted) => {
                count >= FEWEST_REPETITIONS
                    && (count - FEWEST_REPETITIONS).is_multiple_of(REPETITIONS_BETWEEN_LOOKS)
                    && self.survival(first).is_some_and(|s| s.precision <= wanted)
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
