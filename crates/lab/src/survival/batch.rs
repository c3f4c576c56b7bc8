//! Batches of trajectories: many with a common purpose, played by one thread or by all.

use super::simulator::Simulator;
use crate::arena::{into_inner, lock};
use crate::context::{CancelToken, Context};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tetrolab_core::kernel::Window;

/// The next action in a slot.
pub(super) enum Next<P> {
    /// The trajectory in the slot continues.
    Continue(Window),
    /// The slot starts another trajectory: from this position, with this seed.
    Start(P, u64, Window),
    /// The trajectory is done.
    Done,
    /// The trajectory never ends.
    Endless,
}

/// Many trajectories with a common purpose. The result of each depends only on its number, so the
/// result of a batch does not depend on the number of threads.
pub(super) trait TrajectoryBatch<F: Simulator>: Sync {
    /// The state of one trajectory.
    type State: Send;

    /// The start of trajectory number `index`.
    fn start(&self, simulator: &F, index: usize) -> (Self::State, Next<F::Position>);

    /// The next action for trajectory number `index` after it has stopped in a slot.
    fn rest(
        &self,
        simulator: &F,
        slot: usize,
        index: usize,
        state: &mut Self::State,
    ) -> Next<F::Position>;
}

/// Why a batch was not completed; its games are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// The batch was stopped from outside.
    Stopped,
    /// A trajectory neither died nor returned to the base within the longest plausible time.
    Endless,
    /// No trajectory rose above the last level.
    Stuck,
}

/// Longer than any trajectory from a level back to the base, or to the end of a game: few need more
/// than a few thousand pieces.
pub(super) const ENDLESS: u64 = 1 << 24;

/// Simulators, one per thread.
pub(super) struct SimulatorPool<'a, F> {
    simulators: Vec<Mutex<F>>,
    context: &'a Context,
    /// Chains of an equilibrium run.
    pub(super) chains: usize,
}

impl<'a, F: Simulator + Send> SimulatorPool<'a, F> {
    /// Simulators to play on: one for the calling thread, or one per thread.
    pub(super) fn new(
        simulators: impl Iterator<Item = F>,
        context: &'a Context,
        chains: usize,
    ) -> SimulatorPool<'a, F> {
        SimulatorPool {
            simulators: simulators.map(Mutex::new).collect(),
            context,
            chains,
        }
    }

    /// Plays `count` trajectories of a batch to their ends, and returns their final states in
    /// order.
    pub(super) fn play<B: TrajectoryBatch<F>>(
        &self,
        count: usize,
        batch: &B,
    ) -> Result<Vec<B::State>, Halt> {
        let play = Play {
            batch,
            count,
            capacity: count.div_ceil(self.simulators.len()),
            upcoming: AtomicUsize::new(0),
            cancel: self.context.token(),
            is_halted: AtomicBool::new(false),
            gathered: Mutex::new(Gathered {
                states: Vec::new(),
                halt: None,
            }),
        };
        let turn = AtomicUsize::new(0);
        let work = || {
            let simulator = &self.simulators[turn.fetch_add(1, Ordering::Relaxed)];
            play.work(&mut *lock(simulator));
        };
        match &self.simulators[..] {
            [_] => work(),
            _ => self.context.arena().on_all_threads(work),
        }
        play.result()
    }
}

/// A batch in progress.
struct Play<'a, S, B> {
    batch: &'a B,
    count: usize,
    /// The maximum number of trajectories that one thread plays side by side.
    capacity: usize,
    upcoming: AtomicUsize,
    cancel: &'a CancelToken,
    is_halted: AtomicBool,
    gathered: Mutex<Gathered<S>>,
}

/// Trajectories that ended, by number.
struct Gathered<S> {
    states: Vec<(usize, S)>,
    halt: Option<Halt>,
}

/// A trajectory in a slot: its number and its state.
type Playing<S> = Option<(usize, S)>;

impl<S: Send, B> Play<'_, S, B> {
    /// The work of one thread.
    fn work<F: Simulator>(&self, simulator: &mut F)
    where
        B: TrajectoryBatch<F, State = S>,
    {
        let mut done = Vec::new();
        let halt = self.play_share(simulator, &mut done).err();
        let mut gathered = lock(&self.gathered);
        gathered.states.append(&mut done);
        if let Some(halt) = halt {
            self.is_halted.store(true, Ordering::Relaxed);
            // An endless trajectory is a result; the other threads only stop because of it.
            if gathered.halt.is_none() || halt == Halt::Endless {
                gathered.halt = Some(halt);
            }
        }
    }

    fn play_share<F: Simulator>(
        &self,
        simulator: &mut F,
        done: &mut Vec<(usize, S)>,
    ) -> Result<(), Halt>
    where
        B: TrajectoryBatch<F, State = S>,
    {
        let capacity = self.capacity.min(simulator.capacity());
        let mut playing: Vec<Playing<S>> = (0..capacity)
            .map(|slot| self.begin_next(simulator, slot, done))
            .collect();
        let mut rested = Vec::new();
        while !self.cancel.is_cancelled() && !self.is_halted.load(Ordering::Relaxed) {
            simulator.play(&mut rested);
            if rested.is_empty() {
                return Ok(());
            }
            // A slow decision may have been cut short.
            if self.cancel.is_cancelled() {
                break;
            }
            for &slot in &rested {
                let Some((index, state)) = &mut playing[slot] else {
                    continue;
                };
                match self.batch.rest(simulator, slot, *index, state) {
                    Next::Continue(window) => simulator.resume(slot, window),
                    Next::Start(start, seed, window) => simulator.put(slot, &start, seed, window),
                    Next::Endless => return Err(Halt::Endless),
                    Next::Done => {
                        done.extend(playing[slot].take());
                        playing[slot] = self.begin_next(simulator, slot, done);
                    }
                }
            }
        }
        Err(Halt::Stopped)
    }

    /// Starts the next trajectory that needs to be played; trajectories that need not are
    /// completed.
    fn begin_next<F: Simulator>(
        &self,
        simulator: &mut F,
        slot: usize,
        done: &mut Vec<(usize, S)>,
    ) -> Playing<S>
    where
        B: TrajectoryBatch<F, State = S>,
    {
        loop {
            let index = self.upcoming.fetch_add(1, Ordering::Relaxed);
            if index >= self.count {
                return None;
            }
            let (state, next) = self.batch.start(simulator, index);
            if let Next::Start(start, seed, window) = next {
                simulator.put(slot, &start, seed, window);
                return Some((index, state));
            }
            done.push((index, state));
        }
    }

    /// The final state of every trajectory, in order.
    fn result(self) -> Result<Vec<S>, Halt> {
        let Gathered { mut states, halt } = into_inner(self.gathered);
        if let Some(halt) = halt {
            return Err(halt);
        }
        states.sort_unstable_by_key(|(index, _)| *index);
        Ok(states.into_iter().map(|(_, state)| state).collect())
    }
}
