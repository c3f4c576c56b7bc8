//! The player whose survival is estimated, under its ruleset.

use super::batch::{Halt, SimulatorPool};
use super::importance::ImportanceFunction;
use super::levels::Levels;
use super::repetition::{Repetition, run};
use super::simulator::{BatchSimulator, SequentialSimulator, Simulator};
use crate::arena::lock;
use crate::context::Context;
use std::sync::{Arc, Mutex};
use tetrolab_core::kernel::Kernel;
use tetrolab_core::players::Player;
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;

/// The random number streams of an estimate, one for each purpose.
const PILOT: u64 = 0x7375_7276_6579;
const LEVELS: u64 = 0x6C65_7665_6C73;
const REPETITIONS: u64 = 0x7265_7065_6174;
const DANGER: u64 = 0x6461_6E67_6572;

/// Work that uses a simulator, generic over the kinds of simulators.
pub(super) trait SimulatorTask {
    type Output;
    fn on<F: Simulator + Send>(self, pool: &SimulatorPool<'_, F>) -> Self::Output;
}

/// One repetition.
struct Repeat<'a> {
    levels: &'a Levels,
    seed: u64,
}

impl SimulatorTask for Repeat<'_> {
    type Output = Result<Repetition, Halt>;

    fn on<F: Simulator + Send>(self, pool: &SimulatorPool<'_, F>) -> Self::Output {
        run(pool, self.levels, self.seed)
    }
}

/// The threads that do a task.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskThreads {
    /// All threads of the arena.
    All,
    /// The calling thread.
    Caller,
}

/// A player under a ruleset.
pub(super) struct Subject {
    pub(super) ruleset: Arc<Ruleset>,
    /// Each thread clones the player.
    player: Mutex<Box<dyn Player>>,
    kernel: Option<Kernel>,
    /// The importance function.
    pub(super) function: ImportanceFunction,
    pub(super) seed: u64,
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
            ruleset: Arc::new(context.copy_of_ruleset(ruleset)),
            kernel: (context.arena().kernel(player, ruleset)).filter(Kernel::plays_trajectories),
            player: Mutex::new(context.copy_of(player)),
            function: ImportanceFunction::Stack,
            seed,
            chains,
        }
    }

    /// Does a task on these threads, using the kernel's simulator if there is a kernel and the
    /// general one otherwise; the result is the same.
    pub(super) fn by<T: SimulatorTask>(
        &self,
        threads: TaskThreads,
        context: &Context,
        task: T,
    ) -> T::Output {
        let threads = match threads {
            TaskThreads::All => context.arena().threads(),
            TaskThreads::Caller => 1,
        };
        let (ruleset, function) = (&*self.ruleset, || self.function.clone());
        if let Some(kernel) = &self.kernel {
            let simulators = (0..threads).map(|_| BatchSimulator::new(ruleset, kernel, function()));
            return task.on(&SimulatorPool::new(simulators, context, self.chains));
        }
        let simulator = |_| SequentialSimulator::new(ruleset, &**lock(&self.player), function());
        let simulators = (0..threads).map(simulator);
        task.on(&SimulatorPool::new(simulators, context, self.chains))
    }

    /// Does one repetition on the calling thread.
    pub(super) fn repeat(
        &self,
        context: &Context,
        levels: &Levels,
        index: u64,
    ) -> Result<Repetition, Halt> {
        let seed = self.repetition_seed(index);
        self.by(TaskThreads::Caller, context, Repeat { levels, seed })
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
