//! Trajectories that record boards between levels.

use super::super::batch::{ENDLESS, Halt, Next, SimulatorPool, TrajectoryBatch};
use super::super::entry::{Arrival, LevelEntry, starts};
use super::super::equilibrium;
use super::super::importance::DangerTerms;
use super::super::levels::{Levels, every_piece};
use super::super::simulator::Simulator;
use super::{Explored, ExploredEnd, ExploredLevel};
use tetrolab_core::rng::{Rng, game_seed};

/// For each trajectory of an explored level, this many start at a level in a repetition.
const TRAJECTORIES_PER_EXPLORER: usize = 2;
/// Number of boards recorded per trajectory.
const BOARDS: usize = 3;
/// The number of levels that a trajectory may fall. A trajectory that falls deeper rarely rises
/// again, but would continue for a long time; the learned function need not be exact.
const FALLS: usize = 2;

/// The recorded boards, and the number of pieces played.
pub(in super::super) type Exploration = (Vec<ExploredLevel>, u64);

/// Runs trajectories through the levels once, and records the boards on their paths.
pub(in super::super) fn explore<F: Simulator + Send>(
    pool: &SimulatorPool<'_, F>,
    levels: &Levels,
    seed: u64,
) -> Result<Exploration, Halt> {
    let (counts, mut entries) = equilibrium::run(pool, levels.base(), game_seed(seed, 0))?;
    let mut pieces = counts.played;
    let mut explored = Vec::new();
    let count = levels.trajectories / TRAJECTORIES_PER_EXPLORER;
    for index in 0..levels.levels.len() {
        if entries.is_empty() {
            break;
        }
        let seed = game_seed(seed, 1 + index as u64);
        let floor = index.checked_sub(FALLS).map(|floor| levels.levels[floor]);
        let explorers = Explorers {
            entries: &entries,
            starts: starts(entries.len(), count, seed),
            floor: floor.unwrap_or(levels.base),
            target: levels.levels.get(index + 1).copied(),
            seed,
        };
        let mut level = Vec::new();
        let mut next = Vec::new();
        for one in pool.play(count, &explorers)? {
            pieces += one.pieces;
            next.extend(one.reached);
            level.push(one.seen);
        }
        explored.push(level);
        entries = next;
    }
    Ok((explored, pieces))
}

/// The trajectories from one level.
struct Explorers<'a, P> {
    entries: &'a [LevelEntry<P>],
    starts: Vec<usize>,
    floor: u32,
    target: Option<u32>,
    seed: u64,
}

/// One trajectory.
struct Explorer<P> {
    seen: Explored,
    /// Selects the recorded boards: all have the same probability.
    choice: Rng,
    /// The trajectory's entry into the next level, if reached.
    reached: Option<LevelEntry<P>>,
    pieces: u64,
}

impl<P> Explorer<P> {
    fn new(seed: u64, reached: Option<LevelEntry<P>>) -> Explorer<P> {
        Explorer {
            seen: Explored {
                boards: Vec::new(),
                end: ExploredEnd::Back,
            },
            choice: Rng::new(seed),
            reached,
            pieces: 0,
        }
    }

    /// Decides whether the `count`-th board of the trajectory is recorded (reservoir sampling).
    fn look_at(&mut self, board: DangerTerms, count: u64) {
        let boards = &mut self.seen.boards;
        if boards.len() < BOARDS {
            boards.push(board);
            return;
        }
        let place = (self.choice.unit() * count as f64) as usize;
        if let Some(kept) = boards.get_mut(place) {
            *kept = board;
        }
    }
}

impl<F: Simulator> TrajectoryBatch<F> for Explorers<'_, F::Position> {
    type State = Explorer<F::Position>;

    fn start(&self, _field: &F, index: usize) -> (Self::State, Next<F::Position>) {
        let entry = &self.entries[self.starts[index]];
        let seed = game_seed(self.seed, index as u64);
        let choice = game_seed(seed, 0);
        match &entry.arrival {
            Arrival::Alive { position, level }
                if self.target.is_none_or(|target| *level < target) =>
            {
                let next = Next::Start(position.clone(), seed, every_piece());
                (Explorer::new(choice, None), next)
            }
            // The trajectory skipped the target when it started here, so nothing is recorded.
            _ => (Explorer::new(choice, Some(entry.clone())), Next::Done),
        }
    }

    fn rest(
        &self,
        simulator: &F,
        slot: usize,
        index: usize,
        explorer: &mut Self::State,
    ) -> Next<F::Position> {
        let now = simulator.standing(slot);
        explorer.pieces = now.pieces;
        let is_up = self.target.is_some_and(|target| now.level >= target);
        if now.over || is_up {
            explorer.seen.end = if now.over {
                ExploredEnd::Dead
            } else {
                ExploredEnd::Up
            };
            let root = self.entries[self.starts[index]].root;
            explorer.reached = Some(LevelEntry::of(simulator, slot, &now, root));
            return Next::Done;
        }
        if now.level <= self.floor {
            return Next::Done;
        }
        if now.pieces >= ENDLESS {
            return Next::Endless;
        }
        explorer.look_at(simulator.danger_terms(slot), now.pieces);
        Next::Continue(every_piece())
    }
}
