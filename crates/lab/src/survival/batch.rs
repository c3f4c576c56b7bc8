//! Batches of trajectories: many with a common purpose, played by one thread or by all.

use super::field::Field;
use crate::arena::{into_inner, lock};
use crate::context::{CancelToken, Context};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tetrolab_core::kernel::Window;

/// What happens next in a slot.
pub(super) enum Next<P> {
    /// Its trajectory continues.
    GoOn(Window),
    /// It begins another one: from this position, with this seed.
    Start(P, u64, Window),
    /// It is done.
    Done,
    /// It has no end.
    Endless,
}

/// Many trajectories with a common purpose. What becomes of one depends on its number alone, so the
/// result of a batch does not depend on the number of threads.
pub(super) trait TrajectoryBatch<F: Field>: Sync {
    /// What is known of one trajectory.
    type State: Send;

    /// How number `index` begins.
    fn start(&self, field: &F, index: usize) -> (Self::State, Next<F::Position>);

    /// What happens to number `index` after it locked in a slot.
    fn rest(
        &self,
        field: &F,
        slot: usize,
        index: usize,
        state: &mut Self::State,
    ) -> Next<F::Position>;
}

/// Why a batch was not completed; what had been played of it is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// It was stopped from outside.
    Stopped,
    /// A trajectory neither died nor came back to the base for longer than any that has an end.
    Endless,
    /// No trajectory rose above the last level.
    Stuck,
}

/// Longer than any trajectory from a level back to the base or to the end of a game: few take more
/// than some thousand pieces.
pub(super) const ENDLESS: u64 = 1 << 24;

/// Fields to play on, one for each thread.
pub(super) struct Team<'a, F> {
    fields: Vec<Mutex<F>>,
    context: &'a Context,
    /// Chains of an equilibrium run.
    pub(super) chains: usize,
}

impl<'a, F: Field + Send> Team<'a, F> {
    /// Plays on these fields: one for the calling thread alone, or one for each thread.
    pub(super) fn new(
        fields: impl Iterator<Item = F>,
        context: &'a Context,
        chains: usize,
    ) -> Team<'a, F> {
        Team {
            fields: fields.map(Mutex::new).collect(),
            context,
            chains,
        }
    }

    /// Plays `count` trajectories of a batch to their ends; what became of each, in order.
    pub(super) fn play<B: TrajectoryBatch<F>>(
        &self,
        count: usize,
        batch: &B,
    ) -> Result<Vec<B::State>, Halt> {
        let play = Play {
            batch,
            count,
            room: count.div_ceil(self.fields.len()),
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
            let field = &self.fields[turn.fetch_add(1, Ordering::Relaxed)];
            play.work(&mut *lock(field));
        };
        match &self.fields[..] {
            [_] => work(),
            _ => self.context.arena().on_all_threads(work),
        }
        play.result()
    }
}

/// A batch while it is played.
struct Play<'a, S, B> {
    batch: &'a B,
    count: usize,
    /// Trajectories that one thread plays side by side, at most.
    room: usize,
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
    /// What one thread does.
    fn work<F: Field>(&self, field: &mut F)
    where
        B: TrajectoryBatch<F, State = S>,
    {
        let mut done = Vec::new();
        let halt = self.play_share(field, &mut done).err();
        let mut gathered = lock(&self.gathered);
        gathered.states.append(&mut done);
        if let Some(halt) = halt {
            self.is_halted.store(true, Ordering::Relaxed);
            // An endless trajectory is a finding; the other threads only stop because of it.
            if gathered.halt.is_none() || halt == Halt::Endless {
                gathered.halt = Some(halt);
            }
        }
    }

    fn play_share<F: Field>(&self, field: &mut F, done: &mut Vec<(usize, S)>) -> Result<(), Halt>
    where
        B: TrajectoryBatch<F, State = S>,
    {
        let room = self.room.min(field.room());
        let mut playing: Vec<Playing<S>> = (0..room)
            .map(|slot| self.begin_next(field, slot, done))
            .collect();
        let mut rested = Vec::new();
        while !self.cancel.is_cancelled() && !self.is_halted.load(Ordering::Relaxed) {
            field.play(&mut rested);
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
                match self.batch.rest(field, slot, *index, state) {
                    Next::GoOn(window) => field.go_on(slot, window),
                    Next::Start(start, seed, window) => field.put(slot, &start, seed, window),
                    Next::Endless => return Err(Halt::Endless),
                    Next::Done => {
                        done.extend(playing[slot].take());
                        playing[slot] = self.begin_next(field, slot, done);
                    }
                }
            }
        }
        Err(Halt::Stopped)
    }

    /// Begins the next trajectory that has something to play; those that have not are done.
    fn begin_next<F: Field>(
        &self,
        field: &mut F,
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
            let (state, next) = self.batch.start(field, index);
            if let Next::Start(start, seed, window) = next {
                field.put(slot, &start, seed, window);
                return Some((index, state));
            }
            done.push((index, state));
        }
    }

    /// What became of every trajectory, in order.
    fn result(self) -> Result<Vec<S>, Halt> {
        let Gathered { mut states, halt } = into_inner(self.gathered);
        if let Some(halt) = halt {
            return Err(halt);
        }
        states.sort_unstable_by_key(|(index, _)| *index);
        Ok(states.into_iter().map(|(_, state)| state).collect())
    }
}
