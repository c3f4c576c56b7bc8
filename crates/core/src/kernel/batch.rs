//! Many whole games side by side, of one kernel or of several that share lanes; other threads may
//! take over some of them.

use super::by_features::{Games, Running};
use super::slots::Slots;
use super::state::GameState;
use super::{Fastest, Kernel, KernelResult};
use crate::game::Game;
use crate::ruleset::Ruleset;
use std::collections::VecDeque;

/// Number of games in play at a time. With 50, every step finds eight with the same piece; with
/// more, there are several groups with the same piece, which then reuse the cached instructions.
const IN_PLAY: usize = 160;

/// Number of steps made by [`Batch::play`], each of which places up to a few dozen pieces.
const STEPS: u32 = 128;

/// A game of a batch, identified by numbers that the caller chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BatchGame {
    /// The kernel of the batch that plays it.
    pub kernel: usize,
    /// The number of the game.
    pub number: u64,
}

/// A game between two pieces. It can continue in any [`Batch`] of the same kernels, with the same
/// result.
#[derive(Debug)]
pub struct Suspended {
    game: BatchGame,
    at: SuspendedAt,
}

/// The point at which a game is suspended.
#[derive(Debug)]
enum SuspendedAt {
    /// Before the game starts; its seed.
    Seed(u64),
    /// In progress.
    State(Box<GameState>),
    /// In progress, with a kernel for any features.
    Game(Box<Running>),
}

/// The engine that plays the games.
enum Engine<'k> {
    /// Kernels specialised for a set of features, and the state before the first piece.
    Slots(Box<Slots<'k, Fastest>>, GameState),
    /// Kernels for any features.
    Games(Box<Games>, &'k Ruleset),
}

impl Engine<'_> {
    fn step(&mut self) -> usize {
        match self {
            Engine::Slots(slots, _) => slots.step(),
            Engine::Games(games, _) => games.step(),
        }
    }

    /// The slots of the games that ended or paused in the last step.
    fn resting(&self) -> Vec<usize> {
        let resting = match self {
            Engine::Slots(slots, _) => slots.resting(),
            Engine::Games(games, _) => games.resting(),
        };
        resting.iter().map(|&slot| usize::from(slot)).collect()
    }

    /// Whether games ended or paused with the last step.
    fn has_resting(&self) -> bool {
        match self {
            Engine::Slots(slots, _) => !slots.resting().is_empty(),
            Engine::Games(games, _) => !games.resting().is_empty(),
        }
    }

    /// Removes a game that ended or paused; returns its result.
    fn take(&mut self, slot: usize) -> Option<KernelResult> {
        match self {
            Engine::Slots(slots, _) => Some(slots.result(slot)),
            Engine::Games(games, _) => games.take(slot).map(|running| running.result()),
        }
    }

    /// Starts or resumes a game of a kernel in a free slot.
    fn put(&mut self, slot: usize, kernel: usize, at: SuspendedAt) {
        match (self, at) {
            (Engine::Slots(slots, _), SuspendedAt::State(state)) => slots.resume(slot, *state),
            (Engine::Slots(slots, fresh), SuspendedAt::Seed(seed)) => {
                let chances = &slots.kernel.tables.chances;
                let state = GameState::new(fresh.cells, fresh.score, seed, chances);
                slots.start(slot, state);
            }
            (Engine::Games(games, _), SuspendedAt::Game(running)) => games.resume(slot, *running),
            (Engine::Games(games, ruleset), SuspendedAt::Seed(seed)) => {
                games.resume(slot, Running::new(Game::new(ruleset, seed), kernel));
            }
            (Engine::Slots(..), SuspendedAt::Game(_))
            | (Engine::Games(..), SuspendedAt::State(_)) => {
                unreachable!("a game is resumed by a batch of the same kernel")
            }
        }
    }

    /// Removes one of the waiting games.
    fn remove(&mut self) -> Option<(usize, SuspendedAt)> {
        match self {
            Engine::Slots(slots, _) => {
                let (slot, state) = slots.remove()?;
                Some((slot, SuspendedAt::State(Box::new(state))))
            }
            Engine::Games(games, _) => {
                let (slot, running) = games.remove()?;
                Some((slot, SuspendedAt::Game(Box::new(running))))
            }
        }
    }
}

/// Games that kernels play to their end, or up to a number of pieces: some are in play, others wait
/// for a slot.
pub struct Batch<'k> {
    /// The first kernel.
    kernel: &'k Kernel,
    engine: Engine<'k>,
    waiting: VecDeque<Suspended>,
    /// The game in every slot.
    in_play: Vec<Option<BatchGame>>,
    /// Slots without a game.
    free: Vec<usize>,
    ended: Vec<(BatchGame, KernelResult)>,
    placed: u64,
}

impl<'k> Batch<'k> {
    /// An empty batch of one kernel, or of several that [share lanes](Kernel::shares_lanes_with).
    /// Games are limited to `max_pieces` pieces.
    ///
    /// # Panics
    /// Without a kernel, or if `max_pieces` is 0.
    #[must_use]
    pub fn new(kernels: &[&'k Kernel], max_pieces: Option<u64>) -> Batch<'k> {
        assert_ne!(max_pieces, Some(0), "a game has at least one piece");
        let pause_at = max_pieces.unwrap_or(u64::MAX);
        let kernel = kernels[0];
        debug_assert!(
            kernels[1..]
                .iter()
                .all(|other| kernel.shares_lanes_with(other))
        );
        let engine = if let Some(features) = &kernel.features {
            let all = kernels.iter().filter_map(|kernel| kernel.features.as_ref());
            let players = all.map(|features| features.player.clone()).collect();
            let games = Games::new(features.plan.clone(), players, IN_PLAY, pause_at);
            Engine::Games(Box::new(games), &features.ruleset)
        } else {
            let slots = Slots::new(kernel, pause_at);
            let fresh = slots.state(&kernel.tables.empty_board(), 0);
            Engine::Slots(Box::new(slots), fresh)
        };
        Batch {
            kernel,
            engine,
            waiting: VecDeque::new(),
            in_play: vec![None; IN_PLAY],
            free: (0..IN_PLAY).rev().collect(),
            ended: Vec::new(),
            placed: 0,
        }
    }

    /// Adds the game of a seed, as it would start on the general path.
    pub fn add(&mut self, game: BatchGame, seed: u64) {
        let at = SuspendedAt::Seed(seed);
        self.resume(Suspended { game, at });
    }

    /// Adds a game that was suspended by another batch of the same kernels.
    pub fn resume(&mut self, game: Suspended) {
        self.waiting.push_back(game);
    }

    /// Plays for at most some milliseconds; returns whether any games are left.
    pub fn play(&mut self) -> bool {
        self.play_steps(STEPS)
    }

    pub(super) fn play_steps(&mut self, steps: u32) -> bool {
        self.fill_slots();
        for _ in 0..steps {
            let advanced = self.engine.step();
            if advanced == 0 {
                break;
            }
            self.placed += advanced as u64;
            if self.engine.has_resting() {
                self.clear_slots();
                self.fill_slots();
            }
        }
        self.left() > 0
    }

    /// Number of games that have not ended.
    #[must_use]
    pub fn left(&self) -> usize {
        self.waiting.len() + self.in_play.len() - self.free.len()
    }

    /// Number of games that are waiting for a slot.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len().saturating_sub(self.free.len())
    }

    /// Number of pieces that this batch has placed.
    #[must_use]
    pub fn placed(&self) -> u64 {
        self.placed
    }

    /// The games that have ended since the last call.
    pub fn take_ended(&mut self) -> Vec<(BatchGame, KernelResult)> {
        std::mem::take(&mut self.ended)
    }

    /// Stores the results of the games that ended in the last step.
    fn clear_slots(&mut self) {
        for slot in self.engine.resting() {
            if let Some(game) = self.in_play[slot].take()
                && let Some(result) = self.engine.take(slot)
            {
                self.free.push(slot);
                // A game that was over before its first piece was not played.
                if result.pieces > 0 {
                    self.ended.push((game, result));
                }
            }
        }
    }

    /// Starts or continues games while slots are free.
    fn fill_slots(&mut self) {
        while !self.waiting.is_empty()
            && let Some(slot) = self.free.pop()
            && let Some(Suspended { game, at }) = self.waiting.pop_front()
        {
            self.in_play[slot] = Some(game);
            self.engine.put(slot, game.kernel, at);
        }
    }

    /// Suspends up to this many games, waiting ones first, so that another batch can play them.
    pub fn suspend(&mut self, count: usize) -> Vec<Suspended> {
        let staying = self.waiting.len().saturating_sub(count);
        let mut suspended: Vec<Suspended> = self.waiting.split_off(staying).into();
        while suspended.len() < count
            && let Some((slot, at)) = self.engine.remove()
        {
            self.free.push(slot);
            if let Some(game) = self.in_play[slot].take() {
                suspended.push(Suspended { game, at });
            }
        }
        suspended
    }

    /// Truncates all remaining games; those without a piece are omitted.
    #[must_use]
    pub fn cut_off(mut self) -> Vec<(BatchGame, KernelResult)> {
        let left = self.suspend(self.left()).into_iter();
        let result = |Suspended { game, at }: Suspended| match at {
            SuspendedAt::Seed(_) => None,
            SuspendedAt::State(state) => Some((game, self.kernel.result(&state))),
            SuspendedAt::Game(running) => Some((game, running.result())),
        };
        let results = left.filter_map(result);
        results.filter(|game| game.1.pieces > 0).collect()
    }
}
