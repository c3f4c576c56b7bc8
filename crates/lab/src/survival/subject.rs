//! The player whose survival is estimated, under its ruleset.

use super::batch::Team;
use super::field::{Field, OneByOne, SideBySide};
use super::importance::ImportanceFunction;
use crate::arena::{Arena, lock};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use tetrolab_core::kernel::Kernel;
use tetrolab_core::players::Player;
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;

/// The streams of random numbers of an estimate: every use has its own.
const SURVEY: u64 = 0x7375_7276_6579;
const LEVELS: u64 = 0x6C65_7665_6C73;
const REPETITIONS: u64 = 0x7265_7065_6174;
const DANGER: u64 = 0x6461_6E67_6572;

/// Work on fields, written once for all kinds of field.
pub(super) trait FieldTask {
    type Output;
    fn on<F: Field + Send>(self, team: &Team<'_, F>) -> Self::Output;
}

/// Which threads do a task.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Crew {
    /// All threads of the arena.
    Everyone,
    /// The calling thread.
    Caller,
}

/// A player under a ruleset.
pub(super) struct Subject<'a> {
    pub(super) ruleset: &'a Ruleset,
    /// To be copied by every thread.
    player: Mutex<Box<dyn Player>>,
    kernel: Option<Kernel>,
    /// What is a level.
    pub(super) function: ImportanceFunction,
    seed: u64,
    /// Chains of an equilibrium run.
    chains: usize,
}

impl<'a> Subject<'a> {
    pub(super) fn new(
        arena: &Arena,
        player: &dyn Player,
        ruleset: &'a Ruleset,
        seed: u64,
        chains: usize,
    ) -> Subject<'a> {
        Subject {
            ruleset,
            kernel: arena.kernel(player, ruleset),
            player: Mutex::new(arena.copy_of(player)),
            function: ImportanceFunction::Stack,
            seed,
            chains,
        }
    }

    /// Does a task on the calling thread: on the kernel's field if there is a kernel, else on the general one.
    pub(super) fn alone<T: FieldTask>(&self, stop: &AtomicBool, task: T) -> T::Output {
        match &self.kernel {
            Some(kernel) => {
                let field = SideBySide::new(self.ruleset, kernel, self.function.clone());
                task.on(&Team::alone(field, stop, self.chains))
            }
            None => task.on(&Team::alone(self.one_by_one(), stop, self.chains)),
        }
    }

    /// Does a task on all threads of an arena, with the same result.
    fn together<T: FieldTask>(&self, arena: &Arena, task: T) -> T::Output {
        match &self.kernel {
            Some(kernel) => {
                let make = || SideBySide::new(self.ruleset, kernel, self.function.clone());
                task.on(&Team::of(arena, make, self.chains))
            }
            None => task.on(&Team::of(arena, || self.one_by_one(), self.chains)),
        }
    }

    /// Does a task on these threads.
    pub(super) fn by<T: FieldTask>(&self, crew: Crew, arena: &Arena, task: T) -> T::Output {
        match crew {
            Crew::Everyone => self.together(arena, task),
            Crew::Caller => self.alone(arena.stop(), task),
        }
    }

    fn one_by_one(&self) -> OneByOne<'_> {
        OneByOne::new(self.ruleset, &**lock(&self.player), self.function.clone())
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    pub(super) fn survey_seed(&self) -> u64 {
        game_seed(self.seed, SURVEY)
    }

    /// The seed of a round of learning the danger.
    pub(super) fn danger_seed(&self, round: u64) -> u64 {
        game_seed(game_seed(self.seed, DANGER), round)
    }

    pub(super) fn levels_seed(&self) -> u64 {
        game_seed(self.seed, LEVELS)
    }

    pub(super) fn repetition_seed(&self, index: u64) -> u64 {
        game_seed(game_seed(self.seed, REPETITIONS), index)
    }
}
