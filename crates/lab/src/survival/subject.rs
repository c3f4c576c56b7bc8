//! The player whose survival is estimated, under its ruleset.

use super::batch::Team;
use super::field::{Field, OneByOne, SideBySide};
use super::importance::ImportanceFunction;
use crate::arena::lock;
use crate::context::Context;
use std::sync::{Arc, Mutex};
use tetrolab_core::kernel::Kernel;
use tetrolab_core::players::Player;
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;

/// The streams of random numbers of an estimate: every use has its own.
const PILOT: u64 = 0x7375_7276_6579;
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
pub(super) struct Subject {
    pub(super) ruleset: Arc<Ruleset>,
    /// To be copied by every thread.
    player: Mutex<Box<dyn Player>>,
    kernel: Option<Kernel>,
    /// What is a level.
    pub(super) function: ImportanceFunction,
    seed: u64,
    /// Chains of an equilibrium run.
    chains: usize,
}

impl Subject {
    pub(super) fn new(
        context: &Context,
        player: &dyn Player,
        ruleset: &Ruleset,
        seed: u64,
        chains: usize,
    ) -> Subject {
        Subject {
            ruleset: Arc::new(ruleset.clone()),
            kernel: (context.arena().kernel(player, ruleset)).filter(Kernel::plays_trajectories),
            player: Mutex::new(context.copy_of(player)),
            function: ImportanceFunction::Stack,
            seed,
            chains,
        }
    }

    /// Does a task on the calling thread: on the kernel's field if there is a kernel, else on the general one.
    pub(super) fn alone<T: FieldTask>(&self, context: &Context, task: T) -> T::Output {
        match &self.kernel {
            Some(kernel) => {
                let field = SideBySide::new(&self.ruleset, kernel, self.function.clone());
                task.on(&Team::alone(field, context, self.chains))
            }
            None => task.on(&Team::alone(self.one_by_one(), context, self.chains)),
        }
    }

    /// Does a task on all threads, with the same result.
    fn together<T: FieldTask>(&self, context: &Context, task: T) -> T::Output {
        match &self.kernel {
            Some(kernel) => {
                let make = || SideBySide::new(&self.ruleset, kernel, self.function.clone());
                task.on(&Team::of(context, make, self.chains))
            }
            None => task.on(&Team::of(context, || self.one_by_one(), self.chains)),
        }
    }

    /// Does a task on these threads.
    pub(super) fn by<T: FieldTask>(&self, crew: Crew, context: &Context, task: T) -> T::Output {
        match crew {
            Crew::Everyone => self.together(context, task),
            Crew::Caller => self.alone(context, task),
        }
    }

    fn one_by_one(&self) -> OneByOne<'_> {
        OneByOne::new(&self.ruleset, &**lock(&self.player), self.function.clone())
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    pub(super) fn pilot_seed(&self) -> u64 {
        game_seed(self.seed, PILOT)
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
