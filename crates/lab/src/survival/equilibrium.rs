//! The equilibrium run: games one after the other, and how often their stacks leave the base.

use super::batch::{Batch, Halt, Next, Team};
use super::entry::Entry;
use super::field::Field;
use serde::{Deserialize, Serialize};
use tetrolab_core::kernel::Standing;
use tetrolab_core::level::Window;
use tetrolab_core::rng::game_seed;

/// Independent chains of games.
pub(super) const CHAINS: usize = 160;
/// The pieces that each plays before anything is counted: a stack forgets its beginning within some dozens of pieces.
const BURN_IN: u64 = 500;
/// The pieces that count.
const COUNTED: u64 = 1000;

/// The base, and the first level above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Base {
    /// Stacks up to this level are in the base.
    pub(super) level: u32,
    /// An excursion begins where a stack that was in the base reaches this level.
    pub(super) first: u32,
}

/// What the equilibrium run counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Equilibrium {
    /// Pieces that count.
    pub(super) pieces: u64,
    /// Times that a stack left the base, in the first half of every chain ...
    pub(super) early_entries: u64,
    /// ... and in the second.
    pub(super) late_entries: u64,
    /// Games that ended.
    pub(super) deaths: u64,
    /// Lines cleared.
    pub(super) lines: u64,
    /// Line points.
    pub(super) line_points: u64,
    /// All pieces played.
    pub(super) played: u64,
}

impl Equilibrium {
    /// How many excursions begin per piece.
    pub(super) fn entry_rate(&self) -> f64 {
        (self.early_entries + self.late_entries) as f64 / self.pieces as f64
    }

    fn add(&mut self, other: &Equilibrium) {
        self.pieces += other.pieces;
        self.early_entries += other.early_entries;
        self.late_entries += other.late_entries;
        self.deaths += other.deaths;
        self.lines += other.lines;
        self.line_points += other.line_points;
        self.played += other.played;
    }
}

/// What an equilibrium run counted, and where stacks left the base.
type Ran<P> = (Equilibrium, Vec<Entry<P>>);

/// Plays on from game to game; what happened, and where stacks stood when they left the base.
pub(super) fn run<F: Field + Send>(
    team: &Team<'_, F>,
    base: Base,
    seed: u64,
) -> Result<Ran<F::Position>, Halt> {
    let chains = team.play(CHAINS, &Chains { base, seed })?;
    let mut total = Equilibrium::default();
    let mut entries = Vec::new();
    for chain in chains {
        total.add(&chain.counts);
        entries.extend(chain.entries);
    }
    for (index, entry) in entries.iter_mut().enumerate() {
        entry.set_root(index as u32);
    }
    Ok((total, entries))
}

/// The chains of an equilibrium run.
struct Chains {
    base: Base,
    seed: u64,
}

impl<F: Field> Batch<F> for Chains {
    type State = Chain<F::Position>;

    fn start(&self, field: &F, index: usize) -> (Self::State, Next<F::Position>) {
        let mut chain = Chain::new(self.base, game_seed(self.seed, index as u64));
        let next = chain.begin(field);
        (chain, next)
    }

    fn rest(
        &self,
        field: &F,
        slot: usize,
        _index: usize,
        chain: &mut Self::State,
    ) -> Next<F::Position> {
        chain.rest(field, slot)
    }
}

/// One chain of games.
struct Chain<P> {
    base: Base,
    seed: u64,
    /// Games that were begun.
    games: u64,
    /// Pieces of the games before the current one.
    before: u64,
    /// How the current game stood when it last rested.
    seen: Standing,
    /// Whether the stack has been in the base since its last excursion.
    in_base: bool,
    counts: Equilibrium,
    entries: Vec<Entry<P>>,
}

impl<P: Clone> Chain<P> {
    fn new(base: Base, seed: u64) -> Chain<P> {
        Chain {
            base,
            seed,
            games: 0,
            before: 0,
            seen: Standing::default(),
            in_base: true,
            counts: Equilibrium::default(),
            entries: Vec::new(),
        }
    }

    /// Begins the next game on the empty board.
    fn begin<F: Field<Position = P>>(&mut self, field: &F) -> Next<P> {
        let start = field.beginning();
        let seed = game_seed(self.seed, 2 * self.games + 1);
        self.games += 1;
        self.seen = Standing::default();
        self.in_base = true;
        Next::Start(start, seed, self.window())
    }

    fn is_counting(&self) -> bool {
        self.before + self.seen.pieces >= BURN_IN
    }

    /// Until when the current game is played.
    fn window(&self) -> Window {
        if !self.is_counting() {
            return Window {
                pieces: BURN_IN - self.before,
                ..Window::OPEN
            };
        }
        Window {
            low: (!self.in_base).then_some(self.base.level),
            high: self.in_base.then_some(self.base.first),
            pieces: BURN_IN + COUNTED - self.before,
        }
    }

    fn rest<F: Field<Position = P>>(&mut self, field: &F, slot: usize) -> Next<P> {
        let now = field.standing(slot);
        self.counts.played += now.pieces - self.seen.pieces;
        if self.is_counting() {
            self.count(field, slot, &now);
        } else {
            self.in_base = now.level <= self.base.level;
        }
        self.seen = now;
        let is_done = self.before + now.pieces >= BURN_IN + COUNTED;
        if now.over {
            self.before += now.pieces;
        }
        match (is_done, now.over) {
            (true, _) => Next::Done,
            (false, true) => self.begin(field),
            (false, false) => Next::GoOn(self.window()),
        }
    }

    fn count<F: Field<Position = P>>(&mut self, field: &F, slot: usize, now: &Standing) {
        self.counts.pieces += now.pieces - self.seen.pieces;
        self.counts.lines += now.lines - self.seen.lines;
        self.counts.line_points += now.line_points - self.seen.line_points;
        self.counts.deaths += u64::from(now.over);
        if self.in_base && (now.over || now.level >= self.base.first) {
            let is_early = 2 * (self.before + now.pieces - BURN_IN) <= COUNTED;
            self.counts.early_entries += u64::from(is_early);
            self.counts.late_entries += u64::from(!is_early);
            self.entries.push(Entry::of(field, slot, now, 0));
            self.in_base = false;
        } else if now.level <= self.base.level {
            self.in_base = true;
        }
    }
}
