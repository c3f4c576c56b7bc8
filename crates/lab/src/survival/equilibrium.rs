//! The equilibrium run: consecutive games that show how often stacks leave the base set.

use super::batch::{Halt, Next, SimulatorPool, TrajectoryBatch};
use super::entry::LevelEntry;
use super::simulator::Simulator;
use serde::{Deserialize, Serialize};
use tetrolab_core::kernel::{Standing, Window};
use tetrolab_core::rng::game_seed;

/// The default number of independent chains of games.
pub(super) const CHAINS: usize = 160;
/// The burn-in of each chain, in pieces: a stack forgets its start within a few dozen pieces.
const BURN_IN: u64 = 500;
/// The minimum number of counted pieces.
const COUNTED: u64 = 1000;

/// Number of counted pieces on a board of this width, such that each half consists of whole cycles.
///
/// A piece adds four cells and a line removes `width`, so during a game, the number of cells on the
/// board modulo the width runs through a cycle of `width / gcd(4, width)` pieces. Chains that start
/// together are in phase, and stacks rise more often in some phases than in others.
fn counted(width: usize) -> u64 {
    let common = [4, 2].into_iter().find(|part| width.is_multiple_of(*part));
    let cycle = width / common.unwrap_or(1);
    COUNTED.next_multiple_of(2 * cycle as u64)
}

/// The base set, and the first level above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Base {
    /// Stacks up to this level are in the base set.
    pub(super) level: u32,
    /// An excursion begins when a stack from the base set reaches this level.
    pub(super) first: u32,
}

/// The counts of the equilibrium run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Equilibrium {
    /// Number of counted pieces.
    pub(super) pieces: u64,
    /// How often a stack left the base set in the first half of each chain.
    pub(super) early_entries: u64,
    /// How often a stack left the base set in the second half of each chain.
    pub(super) late_entries: u64,
    /// Number of games that ended.
    pub(super) deaths: u64,
    /// Lines cleared.
    pub(super) lines: u64,
    /// Line points.
    pub(super) line_points: u64,
    /// Number of all pieces played.
    pub(super) played: u64,
}

impl Equilibrium {
    /// Number of excursions per piece.
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

/// The counts of an equilibrium run, and the positions in which stacks left the base set.
type Ran<P> = (Equilibrium, Vec<LevelEntry<P>>);

/// Plays game after game; returns the counts, and the positions in which stacks left the base set.
pub(super) fn run<F: Simulator + Send>(
    pool: &SimulatorPool<'_, F>,
    base: Base,
    seed: u64,
) -> Result<Ran<F::Position>, Halt> {
    let chains = pool.play(pool.chains, &Chains { base, seed })?;
    let mut total = Equilibrium::default();
    let mut entries = Vec::new();
    for chain in chains {
        total.add(&chain.counts);
        entries.extend(chain.entries);
    }
    for (index, entry) in entries.iter_mut().enumerate() {
        entry.root = index as u32;
    }
    Ok((total, entries))
}

/// The chains of an equilibrium run.
struct Chains {
    base: Base,
    seed: u64,
}

impl<F: Simulator> TrajectoryBatch<F> for Chains {
    type State = Chain<F::Position>;

    fn start(&self, simulator: &F, index: usize) -> (Self::State, Next<F::Position>) {
        let seed = game_seed(self.seed, index as u64);
        let mut chain = Chain::new(self.base, counted(simulator.width()), seed);
        let next = chain.begin(simulator);
        (chain, next)
    }

    fn rest(
        &self,
        simulator: &F,
        slot: usize,
        _index: usize,
        chain: &mut Self::State,
    ) -> Next<F::Position> {
        chain.rest(simulator, slot)
    }
}

/// One chain of games.
struct Chain<P> {
    base: Base,
    /// Number of counted pieces.
    counted: u64,
    seed: u64,
    /// Number of games that were begun.
    games: u64,
    /// Number of pieces in the games before the current one.
    before: u64,
    /// The state of the current game when it last stopped.
    seen: Standing,
    /// Whether the stack has been in the base set since its last excursion.
    in_base: bool,
    counts: Equilibrium,
    entries: Vec<LevelEntry<P>>,
}

impl<P: Clone> Chain<P> {
    fn new(base: Base, counted: u64, seed: u64) -> Chain<P> {
        Chain {
            base,
            counted,
            seed,
            games: 0,
            before: 0,
            seen: Standing::default(),
            in_base: true,
            counts: Equilibrium::default(),
            entries: Vec::new(),
        }
    }

    /// Starts the next game on an empty board.
    fn begin<F: Simulator<Position = P>>(&mut self, simulator: &F) -> Next<P> {
        let start = simulator.beginning();
        let seed = game_seed(self.seed, 2 * self.games + 1);
        self.games += 1;
        self.seen = Standing::default();
        self.in_base = true;
        Next::Start(start, seed, self.window())
    }

    fn is_counting(&self) -> bool {
        self.before + self.seen.pieces >= BURN_IN
    }

    /// The window of the current game. Excursions are tracked even before counting starts, because
    /// a stack between the base set and the first level may belong to an excursion, depending on
    /// its past.
    fn window(&self) -> Window {
        let end = if self.is_counting() {
            BURN_IN + self.counted
        } else {
            BURN_IN
        };
        Window {
            low: (!self.in_base).then_some(self.base.level),
            high: self.in_base.then_some(self.base.first),
            pieces: end - self.before,
        }
    }

    fn rest<F: Simulator<Position = P>>(&mut self, simulator: &F, slot: usize) -> Next<P> {
        let now = simulator.standing(slot);
        self.counts.played += now.pieces - self.seen.pieces;
        let begins = self.in_base && (now.over || now.level >= self.base.first);
        if self.is_counting() {
            self.count(&now);
            if begins {
                self.count_entry(&now);
                self.entries.push(LevelEntry::of(simulator, slot, &now, 0));
            }
        }
        if begins {
            self.in_base = false;
        } else if now.level <= self.base.level {
            self.in_base = true;
        }
        self.seen = now;
        let is_done = self.before + now.pieces >= BURN_IN + self.counted;
        if now.over {
            self.before += now.pieces;
        }
        match (is_done, now.over) {
            (true, _) => Next::Done,
            (false, true) => self.begin(simulator),
            (false, false) => Next::Continue(self.window()),
        }
    }

    /// Counts the events since the game last stopped.
    fn count(&mut self, now: &Standing) {
        self.counts.pieces += now.pieces - self.seen.pieces;
        self.counts.lines += now.lines - self.seen.lines;
        self.counts.line_points += now.line_points - self.seen.line_points;
        self.counts.deaths += u64::from(now.over);
    }

    /// Counts the start of an excursion.
    fn count_entry(&mut self, now: &Standing) {
        let is_early = 2 * (self.before + now.pieces - BURN_IN) <= self.counted;
        self.counts.early_entries += u64::from(is_early);
        self.counts.late_entries += u64::from(!is_early);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survival::importance::{DANGER_TERMS, DangerTerms};
    use crate::survival::simulator::LostPosition;
    use tetrolab_core::board::Board;
    use tetrolab_core::ruleset::Ruleset;

    /// A simulator on which games never end, and the level of a stack depends only on the number of
    /// pieces.
    struct Scripted {
        level: fn(u64) -> u32,
        pieces: u64,
        window: Window,
        waits: bool,
    }

    impl Simulator for Scripted {
        type Position = ();

        fn capacity(&self) -> usize {
            1
        }

        fn width(&self) -> usize {
            10
        }

        fn beginning(&self) {}

        fn put(&mut self, slot: usize, _start: &(), _seed: u64, window: Window) {
            self.pieces = 0;
            self.resume(slot, window);
        }

        fn resume(&mut self, _slot: usize, window: Window) {
            (self.window, self.waits) = (window, true);
        }

        fn play(&mut self, rested: &mut Vec<usize>) {
            rested.clear();
            while self.waits {
                self.pieces += 1;
                let level = (self.level)(self.pieces);
                self.waits = self.window.holds(level, self.pieces);
                rested.extend((!self.waits).then_some(0));
            }
        }

        fn standing(&self, _slot: usize) -> Standing {
            Standing {
                level: (self.level)(self.pieces),
                pieces: self.pieces,
                ..Standing::default()
            }
        }

        fn position(&self, _slot: usize) {}

        fn lost(&self, _slot: usize) -> LostPosition {
            unreachable!("these games have no end")
        }

        fn danger_terms(&self, _slot: usize) -> DangerTerms {
            [0; DANGER_TERMS]
        }
        fn board(_position: &Self::Position, ruleset: &Ruleset) -> Board {
            ruleset.empty_board()
        }
    }

    /// Excursions of one chain, with the base set up to 10 and the first level at 20.
    fn entries(level: fn(u64) -> u32) -> u64 {
        let simulator = Scripted {
            level,
            pieces: 0,
            window: Window::OPEN,
            waits: false,
        };
        let context = crate::context::Context::new(&crate::arena::Arena::new(1).unwrap());
        let base = Base {
            level: 10,
            first: 20,
        };
        let (counts, entries) = run(
            &SimulatorPool::new([simulator].into_iter(), &context, CHAINS),
            base,
            1,
        )
        .unwrap();
        assert_eq!(counts.pieces, CHAINS as u64 * COUNTED);
        assert_eq!(
            counts.early_entries + counts.late_entries,
            entries.len() as u64
        );
        entries.len() as u64 / CHAINS as u64
    }

    #[test]
    fn a_stack_between_base_and_first_level_when_the_count_begins_can_still_leave_the_base() {
        let rises_later = |piece| match piece {
            495..=502 => 15,
            503..=510 => 25,
            _ => 5,
        };
        assert_eq!(entries(rises_later), 1);
    }

    #[test]
    fn an_excursion_that_began_before_the_count_is_not_counted() {
        let rose_before = |piece| match piece {
            490..=494 | 503..=510 => 25,
            495..=502 => 15,
            _ => 5,
        };
        assert_eq!(entries(rose_before), 0);
        let twice = |piece| if piece % 500 == 499 { 25 } else { 5 };
        assert_eq!(entries(twice), 2);
    }

    #[test]
    fn whole_cycles_of_the_cells_on_a_board_are_counted() {
        for width in 4..=16_u64 {
            let half = counted(width as usize) / 2;
            assert_eq!(4 * half % width, 0, "{width}");
            assert!((500..520).contains(&half), "{width}");
        }
        assert_eq!(counted(10), 1000);
    }
}
