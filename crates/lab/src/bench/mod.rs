//! Benchmarks: how many decisions a second named workloads make, and one number for what they decide.

mod one_thread;
mod signature;
mod threads;
mod verify;

pub use signature::signature;
pub use verify::{Verified, verify};

use crate::arena::{Arena, ArenaError};
use crate::library::{LibraryError, find_player, find_ruleset};
use one_thread::{time_kernel, time_player};
use std::sync::Arc;
use std::time::Duration;
use tetrolab_core::choice::GreedyOptions;
use tetrolab_core::evaluators::Linear;
use tetrolab_core::features::{FeatureSet, feature_set};
use tetrolab_core::kernel::Kernel;
use tetrolab_core::players::{Greedy, Player};
use tetrolab_core::rng::Rng;
use tetrolab_core::ruleset::Ruleset;
use threads::time_by_turns;

/// Why a workload cannot be timed.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A shipped name is wrong.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A player has no kernel that should have one.
    #[error("{0}: the kernel does not play this, although it should")]
    NoKernel(String),
    /// The games cannot be played, for want of threads.
    #[error(transparent)]
    Arena(#[from] ArenaError),
}

/// Something that is timed: players that decide under a ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Its name.
    pub name: &'static str,
    /// The ruleset.
    pub ruleset: &'static str,
    /// Who decides.
    pub contenders: Contenders,
    /// What is set beside what.
    pub beside: Beside,
}

/// Who decides in a workload.
#[derive(Clone, Copy, Debug)]
pub enum Contenders {
    /// One player, by name or spec.
    Player(&'static str),
    /// So many greedy players with random weights on the features of `bcts`: what a learner begins with.
    RandomWeights(usize),
}

/// What a workload sets beside what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// The general path and the kernel, on one thread.
    Paths,
    /// The arena on one thread and on several.
    Threads,
}

/// Every workload. To add one, add its row here.
pub const WORKLOADS: &[Workload] = &[
    Workload {
        name: "greedy-bcts-10x20",
        ruleset: "simplified-10x20",
        contenders: Contenders::Player("bcts"),
        beside: Beside::Paths,
    },
    Workload {
        name: "greedy-dellacherie-10x20",
        ruleset: "simplified-10x20",
        contenders: Contenders::Player("dellacherie"),
        beside: Beside::Paths,
    },
    Workload {
        name: "greedy-dt-10x20",
        ruleset: "simplified-10x20",
        contenders: Contenders::Player("dt-20"),
        beside: Beside::Paths,
    },
    Workload {
        name: "greedy-misakamm-10x20",
        ruleset: "simplified-10x20",
        contenders: Contenders::Player("misakamm-v2"),
        beside: Beside::Paths,
    },
    Workload {
        name: "greedy-random-weights-10x20",
        ruleset: "simplified-10x20",
        contenders: Contenders::RandomWeights(20),
        beside: Beside::Paths,
    },
    Workload {
        name: "two-piece-bcts-10x20",
        ruleset: "two-piece-10x20",
        contenders: Contenders::Player("two-piece(bcts)"),
        beside: Beside::Paths,
    },
    Workload {
        name: "arena-bcts-10x20",
        ruleset: "simplified-10x20",
        contenders: Contenders::Player("bcts"),
        beside: Beside::Threads,
    },
];

/// How decisions are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// By the player itself, placement by placement.
    General,
    /// By the kernel, many games at once.
    Kernel,
}

impl Path {
    /// `general` or `kernel`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Path::General => "general",
            Path::Kernel => "kernel",
        }
    }
}

/// How fast a workload was.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The workload's name.
    pub name: &'static str,
    /// How decisions were made.
    pub path: Path,
    /// On how many threads.
    pub threads: usize,
    /// Decisions per second: of the fastest chunk, because on a shared machine other work only ever slows it
    /// down. With several players, the median of theirs.
    pub decisions_per_second: f64,
    /// Decisions per second over all chunks.
    pub mean: f64,
    /// How many chunks were timed.
    pub chunks: usize,
    /// On several threads: how many times the decisions of one thread beside it, the median over all turns.
    pub times_one_thread: Option<f64>,
}

impl Workload {
    /// Times the workload for about so long on everything that it sets beside each other: on the general path and then on
    /// the kernel if there is one, or on one thread and then on so many, 0 for one on every core.
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub fn run(
        &self,
        time: Duration,
        seed: u64,
        threads: usize,
    ) -> Result<Vec<Timing>, BenchError> {
        match self.beside {
            Beside::Paths => Ok(self.run_paths(time, seed)?),
            Beside::Threads => self.run_threads(time, seed, threads),
        }
    }

    fn run_paths(&self, time: Duration, seed: u64) -> Result<Vec<Timing>, LibraryError> {
        let ruleset = find_ruleset(self.ruleset)?;
        let mut players = self.players(&ruleset, seed)?;
        let share = time.div_f64(players.len() as f64);
        let general = players.iter_mut();
        let general = general.map(|player| time_player(player.as_mut(), &ruleset, share, seed));
        let mut timings = vec![self.timing(Path::General, 1, &general.collect::<Vec<_>>())];
        let kernels: Option<Vec<Kernel>> = players
            .iter()
            .map(|player| player.kernel(&ruleset))
            .collect();
        if let Some(kernels) = kernels {
            let chunks = kernels
                .iter()
                .map(|kernel| time_kernel(kernel, share, seed));
            timings.push(self.timing(Path::Kernel, 1, &chunks.collect::<Vec<_>>()));
        }
        Ok(timings)
    }

    fn run_threads(
        &self,
        time: Duration,
        seed: u64,
        threads: usize,
    ) -> Result<Vec<Timing>, BenchError> {
        let ruleset = find_ruleset(self.ruleset)?;
        let players = self.players(&ruleset, seed)?;
        let share = time.div_f64(players.len() as f64);
        let all = Arena::new(threads)?.threads();
        let sides: &[usize] = if all > 1 { &[1, all] } else { &[1] };
        let mut timed = vec![Vec::new(); sides.len()];
        for player in &players {
            let chunks = time_by_turns(player.as_ref(), &ruleset, sides, share, seed)?;
            timed
                .iter_mut()
                .zip(chunks)
                .for_each(|(side, chunks)| side.push(chunks));
        }
        let mut kernels = players.iter().map(|player| player.kernel(&ruleset));
        let path = if kernels.all(|kernel| kernel.is_some()) {
            Path::Kernel
        } else {
            Path::General
        };
        let mut timings: Vec<Timing> = (sides.iter().zip(&timed))
            .map(|(&threads, chunks)| self.timing(path, threads, chunks))
            .collect();
        if let [one, several] = &timed[..] {
            let turns = one.iter().flatten().zip(several.iter().flatten());
            let ratios = turns.map(|(one, several)| several.rate() / one.rate());
            timings[1].times_one_thread = Some(median(ratios.collect()));
        }
        Ok(timings)
    }

    fn timing(&self, path: Path, threads: usize, players: &[Vec<Chunk>]) -> Timing {
        let best = |chunks: &Vec<Chunk>| chunks.iter().map(Chunk::rate).fold(0.0, f64::max);
        let all = || players.iter().flatten();
        let pieces: u64 = all().map(|chunk| chunk.pieces).sum();
        let seconds: f64 = all().map(|chunk| chunk.seconds).sum();
        Timing {
            name: self.name,
            path,
            threads,
            decisions_per_second: median(players.iter().map(best).collect()),
            mean: pieces as f64 / seconds,
            chunks: all().count(),
            times_one_thread: None,
        }
    }

    fn players(&self, ruleset: &Ruleset, seed: u64) -> Result<Vec<Box<dyn Player>>, LibraryError> {
        match self.contenders {
            Contenders::Player(name) => Ok(vec![find_player(name, ruleset)?]),
            Contenders::RandomWeights(count) => {
                let mut rng = Rng::new(seed);
                (0..count)
                    .map(|_| random_greedy(&mut rng, ruleset.width))
                    .collect()
            }
        }
    }
}

/// The middle one, or the one above the middle.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A greedy player whose weights are drawn from -1 to 1.
fn random_greedy(rng: &mut Rng, width: usize) -> Result<Box<dyn Player>, LibraryError> {
    greedy_on("bcts", width, &mut || 2.0 * rng.unit() - 1.0)
}

/// A greedy player on a named feature set with drawn weights.
fn greedy_on(
    set: &str,
    width: usize,
    weight: &mut dyn FnMut() -> f64,
) -> Result<Box<dyn Player>, LibraryError> {
    let features = FeatureSet::new(feature_set(set)?.resolve(), width);
    let weights = (0..features.len()).map(|_| weight()).collect();
    let linear = Linear::new(features, weights).expect("finite weights, one for each feature");
    Ok(Box::new(Greedy::new(
        Arc::new(linear),
        GreedyOptions::default(),
    )))
}

/// For how long a chunk is timed at least.
const CHUNK_TIME: Duration = Duration::from_millis(50);

/// Some pieces and how long they took.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    pieces: u64,
    seconds: f64,
}

impl Chunk {
    fn rate(&self) -> f64 {
        self.pieces as f64 / self.seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrolab_core::kernel::is_available;

    #[test]
    fn every_workload_runs_however_short_the_time_is() {
        for workload in WORKLOADS {
            let timings = workload.run(Duration::ZERO, 1, 2).unwrap();
            let sides: Vec<_> = timings
                .iter()
                .map(|timing| (timing.path, timing.threads))
                .collect();
            let expected = match (workload.beside, is_available()) {
                (Beside::Paths, true) => vec![(Path::General, 1), (Path::Kernel, 1)],
                (Beside::Paths, false) => vec![(Path::General, 1)],
                (Beside::Threads, true) => vec![(Path::Kernel, 1), (Path::Kernel, 2)],
                (Beside::Threads, false) => vec![(Path::General, 1), (Path::General, 2)],
            };
            assert_eq!(sides, expected, "{}", workload.name);
            for timing in &timings {
                let gain = timing.times_one_thread.map(|times| times > 0.0);
                assert_eq!(gain, (timing.threads > 1).then_some(true));
            }
            assert!(
                timings
                    .iter()
                    .all(|timing| timing.decisions_per_second > 0.0)
            );
        }
    }
}
