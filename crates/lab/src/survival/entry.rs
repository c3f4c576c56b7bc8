//! Entries into a level, and the climb from one level to the next.

use super::batch::{ENDLESS, Halt, Next, SimulatorPool, TrajectoryBatch};
use super::simulator::{LostPosition, Simulator};
use serde::{Deserialize, Serialize};
use tetrolab_core::kernel::{Standing, Window};
use tetrolab_core::rng::{Rng, game_seed};

/// The entry of a trajectory into a level.
#[derive(Clone, Debug)]
pub(super) struct LevelEntry<P> {
    pub(super) arrival: Arrival<P>,
    /// The excursion that the entry belongs to.
    pub(super) root: u32,
}

/// Either alive, or dead, which is treated as having reached every level.
#[derive(Clone, Debug)]
pub(super) enum Arrival<P> {
    Alive {
        position: P,
        level: u32,
    },
    Dead {
        /// Cells on the board, including those of the last piece.
        cells: u32,
        lost: Box<LostPosition>,
    },
}

impl<P: Clone> LevelEntry<P> {
    /// The entry of a trajectory that has stopped.
    pub(super) fn of<F: Simulator<Position = P>>(
        simulator: &F,
        slot: usize,
        now: &Standing,
        root: u32,
    ) -> LevelEntry<P> {
        let arrival = if now.over {
            Arrival::Dead {
                cells: now.cells,
                lost: Box::new(simulator.lost(slot)),
            }
        } else {
            Arrival::Alive {
                position: simulator.position(slot),
                level: now.level,
            }
        };
        LevelEntry { arrival, root }
    }

    /// The cells on the board, if the game is over.
    pub(super) fn cells_at_death(&self) -> Option<u32> {
        match self.arrival {
            Arrival::Dead { cells, .. } => Some(cells),
            Arrival::Alive { .. } => None,
        }
    }
}

/// The statistics of one level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelResult {
    /// The level at which trajectories started.
    pub level: u32,
    /// The number of these trajectories.
    pub trajectories: u64,
    /// Number of these trajectories that reached the next level, or the end of the game.
    pub successes: u64,
    /// Number of different excursions among the ancestors of these trajectories.
    pub ancestors: u64,
    /// Pieces played.
    pub pieces: u64,
}

impl LevelResult {
    /// The share of trajectories that continued.
    pub fn chance(&self) -> f64 {
        self.successes as f64 / (self.trajectories as f64).max(1.0)
    }
}

/// A step from one level to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Climb {
    /// The base set, in which failures end.
    pub(super) base: u32,
    pub(super) level: u32,
    /// The next level; `None` for the end of the game.
    pub(super) target: Option<u32>,
    pub(super) trajectories: usize,
    pub(super) falls: Falls,
}

/// Levels below which a trajectory must win a draw to continue, from the highest to the lowest.
///
/// A trajectory that has fallen far rarely rises again, but may take a long time. It continues with
/// probability [1 / `STAKE`](STAKE), and then counts `STAKE` times as much, which does not change
/// expectations (Russian roulette: Kahn and Harris 1951). There are only a few draws, so that no
/// trajectory gets too much weight.
pub(super) type Falls = [Option<u32>; 3];

/// The weight of a trajectory that has won a draw.
const STAKE: u64 = 4;

/// The statistics of the level, and the entries into the next.
type Climbed<P> = (LevelResult, Vec<LevelEntry<P>>);

impl Climb {
    /// Starts trajectories from entries into one level, until they reach the next level or return
    /// to the base.
    pub(super) fn run<F: Simulator + Send>(
        &self,
        pool: &SimulatorPool<'_, F>,
        entries: &[LevelEntry<F::Position>],
        seed: u64,
    ) -> Result<Climbed<F::Position>, Halt> {
        let climbing = Climbing {
            climb: self,
            entries,
            starts: starts(entries.len(), self.trajectories, seed),
            seed,
        };
        let climbers = pool.play(self.trajectories, &climbing)?;
        let pieces = climbers.iter().map(|climber| climber.pieces).sum();
        let mut reached = Vec::new();
        for climber in climbers {
            let copies = STAKE.pow(climber.draws as u32) as usize;
            if let Some(entry) = climber.reached {
                reached.extend(std::iter::repeat_n(entry, copies));
            }
        }
        let mut roots: Vec<u32> = reached.iter().map(|entry| entry.root).collect();
        roots.sort_unstable();
        roots.dedup();
        let result = LevelResult {
            level: self.level,
            trajectories: self.trajectories as u64,
            successes: reached.len() as u64,
            ancestors: roots.len() as u64,
            pieces,
        };
        Ok((result, reached))
    }
}

/// The trajectories of a climb.
struct Climbing<'a, P> {
    climb: &'a Climb,
    entries: &'a [LevelEntry<P>],
    starts: Vec<usize>,
    seed: u64,
}

/// The state of a trajectory.
struct Climber<P> {
    /// The trajectory's entry into the next level, if reached.
    reached: Option<LevelEntry<P>>,
    pieces: u64,
    /// Number of draws that the trajectory has won.
    draws: usize,
}

impl<P> Climbing<'_, P> {
    /// The window of a trajectory that has won this many draws.
    fn window(&self, draws: usize) -> Window {
        let fall = self.climb.falls.get(draws).copied().flatten();
        Window {
            low: Some(fall.unwrap_or(self.climb.base)),
            high: self.climb.target,
            pieces: ENDLESS,
        }
    }

    /// Draws for a trajectory that has fallen to this level; returns whether it continues.
    fn wins_draws(&self, index: usize, level: u32, draws: &mut usize) -> bool {
        if level <= self.climb.base {
            return false;
        }
        while let Some(Some(fall)) = self.climb.falls.get(*draws)
            && level <= *fall
        {
            let seed = game_seed(game_seed(self.seed, index as u64), 1 + *draws as u64);
            if Rng::new(seed).unit() * STAKE as f64 >= 1.0 {
                return false;
            }
            *draws += 1;
        }
        true
    }
}

impl<F: Simulator> TrajectoryBatch<F> for Climbing<'_, F::Position> {
    type State = Climber<F::Position>;

    fn start(&self, _field: &F, index: usize) -> (Self::State, Next<F::Position>) {
        let entry = &self.entries[self.starts[index]];
        let target = self.climb.target;
        let climber = |reached| Climber {
            reached,
            pieces: 0,
            draws: 0,
        };
        match &entry.arrival {
            Arrival::Alive { position, level } if target.is_none_or(|target| *level < target) => {
                let seed = game_seed(self.seed, index as u64);
                let next = Next::Start(position.clone(), seed, self.window(0));
                (climber(None), next)
            }
            // The trajectory skipped the target when it started here.
            _ => (climber(Some(entry.clone())), Next::Done),
        }
    }

    fn rest(
        &self,
        simulator: &F,
        slot: usize,
        index: usize,
        climber: &mut Self::State,
    ) -> Next<F::Position> {
        let now = simulator.standing(slot);
        climber.pieces = now.pieces;
        if now.over || self.climb.target.is_some_and(|target| now.level >= target) {
            let root = self.entries[self.starts[index]].root;
            climber.reached = Some(LevelEntry::of(simulator, slot, &now, root));
            return Next::Done;
        }
        if now.pieces >= ENDLESS {
            return Next::Endless;
        }
        if self.wins_draws(index, now.level, &mut climber.draws) {
            Next::Continue(self.window(climber.draws))
        } else {
            Next::Done
        }
    }
}

/// Chooses the entry from which each trajectory starts: all entries equally often, and the
/// remainder at random (systematic resampling), so that every entry has the same expected number of
/// starts.
pub(super) fn starts(entries: usize, trajectories: usize, seed: u64) -> Vec<usize> {
    let offset = Rng::new(seed).unit();
    let step = entries as f64 / trajectories as f64;
    (0..trajectories)
        .map(|index| (((index as f64 + offset) * step) as usize).min(entries - 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_started_from_equally_often() {
        for (entries, trajectories) in [(7, 21), (10, 25), (5, 3), (1, 4)] {
            let mut counts = vec![0; entries];
            for seed in 0..4000 {
                let starts = starts(entries, trajectories, seed);
                assert_eq!(starts.len(), trajectories);
                starts.iter().for_each(|&entry| counts[entry] += 1);
            }
            let expected = 4000.0 * trajectories as f64 / entries as f64;
            for count in counts {
                let off = f64::from(count) / expected - 1.0;
                assert!(off.abs() < 0.06, "{entries} {trajectories}: {off}");
            }
        }
    }
}
