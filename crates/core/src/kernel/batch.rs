//! Whole games of one kernel, many side by side; other threads may take some over.

use super::slots::Slots;
use super::state::GameState;
use super::{Fastest, Kernel, KernelResult};
use std::collections::VecDeque;

/// How many games are in play at a time. With 50 every step finds eight with the same piece; with more it finds several
/// groups with the same piece, whose instructions are then in the cache.
const IN_PLAY: usize = 160;

/// How many steps [`Batch::play`] makes, with up to some dozens of pieces in each.
const STEPS: u32 = 128;

/// A game between two pieces. It can go on in any [`Batch`] of the same kernel, and comes out the same.
#[derive(Debug)]
pub struct Suspended {
    number: u64,
    at: SuspendedAt,
}

/// Where a game is suspended.
#[derive(Debug)]
enum SuspendedAt {
    /// Before its beginning; its seed.
    Seed(u64),
    /// Somewhere on its way.
    State(Box<GameState>),
}

/// Games that a kernel plays to their end, or to a number of pieces: some in play, others waiting until one of these ends.
pub struct Batch<'k> {
    slots: Slots<'k, Fastest>,
    /// The state before the first piece, for any seed.
    fresh: GameState,
    waiting: VecDeque<Suspended>,
    /// The number of the game in every slot.
    numbers: Vec<Option<u64>>,
    /// Slots without a game.
    free: Vec<usize>,
    ended: Vec<(u64, KernelResult)>,
    placed: u64,
}

impl<'k> Batch<'k> {
    /// No games yet. Each is to have at most `max_pieces` pieces.
    ///
    /// # Panics
    /// When games of no pieces are asked for.
    #[must_use]
    pub fn new(kernel: &'k Kernel, max_pieces: Option<u64>) -> Batch<'k> {
        assert_ne!(max_pieces, Some(0), "a game has at least one piece");
        let slots = Slots::new(kernel, max_pieces.unwrap_or(u64::MAX));
        Batch {
            fresh: slots.state(&kernel.tables.empty_board(), 0),
            slots,
            waiting: VecDeque::new(),
            numbers: vec![None; IN_PLAY],
            free: (0..IN_PLAY).rev().collect(),
            ended: Vec::new(),
            placed: 0,
        }
    }

    /// Adds the game of a seed, as it would begin on the general path, under a number of the caller's.
    pub fn add(&mut self, number: u64, seed: u64) {
        let at = SuspendedAt::Seed(seed);
        self.resume(Suspended { number, at });
    }

    /// Adds a game that was suspended by another batch of the same kernel.
    pub fn resume(&mut self, game: Suspended) {
        self.waiting.push_back(game);
    }

    /// Plays for some thousandths of a second at most; whether there are games left.
    pub fn play(&mut self) -> bool {
        self.play_steps(STEPS)
    }

    pub(super) fn play_steps(&mut self, steps: u32) -> bool {
        self.fill_slots();
        for _ in 0..steps {
            let advanced = self.slots.step();
            if advanced == 0 {
                break;
            }
            self.placed += advanced as u64;
            if !self.slots.resting().is_empty() {
                self.clear_slots();
                self.fill_slots();
            }
        }
        self.left() > 0
    }

    /// How many games have not ended.
    #[must_use]
    pub fn left(&self) -> usize {
        self.waiting.len() + self.numbers.len() - self.free.len()
    }

    /// How many games wait until one in play ends.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len().saturating_sub(self.free.len())
    }

    /// How many pieces this batch has placed.
    #[must_use]
    pub fn placed(&self) -> u64 {
        self.placed
    }

    /// The games that have ended since this was last asked, with their numbers.
    pub fn take_ended(&mut self) -> Vec<(u64, KernelResult)> {
        std::mem::take(&mut self.ended)
    }

    /// Keeps the results of the games that ended with the last step.
    fn clear_slots(&mut self) {
        for slot in self.slots.resting().iter().map(|&slot| usize::from(slot)) {
            if let Some(number) = self.numbers[slot].take() {
                self.ended.push((number, self.slots.result(slot)));
                self.free.push(slot);
            }
        }
    }

    /// Lets games begin or go on while slots are free.
    fn fill_slots(&mut self) {
        while !self.waiting.is_empty()
            && let Some(slot) = self.free.pop()
            && let Some(game) = self.waiting.pop_front()
        {
            self.numbers[slot] = Some(game.number);
            match game.at {
                SuspendedAt::State(state) => self.slots.resume(slot, *state),
                SuspendedAt::Seed(seed) => {
                    let chances = &self.slots.kernel.tables.chances;
                    let GameState { cells, score, .. } = self.fresh;
                    let state = GameState::new(cells, score, seed, chances);
                    self.slots.start(slot, state);
                }
            }
        }
    }

    /// Suspends up to this many games, those that wait first, so that another batch can play them.
    pub fn suspend(&mut self, count: usize) -> Vec<Suspended> {
        let staying = self.waiting.len().saturating_sub(count);
        let mut suspended: Vec<Suspended> = self.waiting.split_off(staying).into();
        while suspended.len() < count
            && let Some((slot, state)) = self.slots.remove()
        {
            self.free.push(slot);
            if let Some(number) = self.numbers[slot].take() {
                let at = SuspendedAt::State(Box::new(state));
                suspended.push(Suspended { number, at });
            }
        }
        suspended
    }

    /// Ends all games that are left where they stand; those without a piece are not among them.
    #[must_use]
    pub fn cut_off(mut self) -> Vec<(u64, KernelResult)> {
        let left = self.suspend(self.left()).into_iter();
        let result = |game: Suspended| match game.at {
            SuspendedAt::Seed(_) => None,
            SuspendedAt::State(state) => Some((game.number, self.slots.kernel.result(&state))),
        };
        let results = left.filter_map(result);
        results.filter(|game| game.1.pieces > 0).collect()
    }
}
