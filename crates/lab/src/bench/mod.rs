//! Benchmarks: decisions per second of named workloads, and a signature of all decisions.

mod one_thread;
mod signature;
mod threads;
mod verify;
mod workload;

pub use signature::signature;
pub use verify::{Verified, verify};
pub use workload::{Beside, Contenders, WORKLOADS, Workload};

use crate::arena::{Arena, ArenaError};
use crate::context::Context;
use crate::library::{LibraryError, find_ruleset};
use one_thread::{Stopwatch, time_kernel, time_player, time_searches, time_training};
use std::time::Duration;
use tetrolab_core::kernel::Kernel;
use threads::time_by_turns;

/// Why a workload cannot be timed.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A shipped name is invalid.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A player that should have a kernel has none.
    #[error("{0}: expected a kernel for this player, found none")]
    NoKernel(String),
    /// The games cannot be played, because there are no threads.
    #[error(transparent)]
    Arena(#[from] ArenaError),
}

/// How decisions are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionPath {
    /// By the player itself, placement by placement.
    General,
    /// By the kernel, many games at a time.
    Kernel,
}

impl DecisionPath {
    /// `general` or `kernel`.
    pub fn name(self) -> &'static str {
        match self {
            DecisionPath::General => "general",
            DecisionPath::Kernel => "kernel",
        }
    }
}

/// The speed of a workload.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The workload's name.
    pub name: &'static str,
    /// How decisions were made.
    pub path: DecisionPath,
    /// Number of threads.
    pub threads: usize,
    /// Decisions per second in the fastest chunk, because other work on a shared machine only ever
    /// slows a chunk down. With several players, the median over the players.
    pub decisions_per_second: f64,
    /// Decisions per second over all chunks.
    pub mean: f64,
    /// Number of timed chunks.
    pub chunks: usize,
    /// On several threads: the speed-up over one thread, as the median over all turns.
    pub times_one_thread: Option<f64>,
}

impl Workload {
    /// Times the variants of the workload, each for about this time: the general path and then the
    /// kernel if there is one, or one thread and then this many (0 for one per core). If the study
    /// is cancelled, incomplete timings are missing.
    ///
    /// # Errors
    /// If the operating system provides no threads.
    pub fn run(
        &self,
        context: &Context,
        time: Duration,
        seed: u64,
        threads: usize,
    ) -> Result<Vec<Timing>, BenchError> {
        context.run(|| match self.beside {
            Beside::Paths | Beside::Nothing => Ok(self.run_paths(context, time, seed)?),
            Beside::Searches => {
                let ruleset = find_ruleset(self.ruleset)?;
                let player = self.players(&ruleset, seed)?.remove(0);
                let watch = Stopwatch::new(time, context.token());
                Ok(self.general_timing(time_searches(player, &ruleset, watch, seed)))
            }
            Beside::TrainingSteps => {
                let watch = Stopwatch::new(time, context.token());
                Ok(self.general_timing(time_training(watch, seed)))
            }
            Beside::Threads => self.run_threads(context, time, seed, threads),
        })
    }

    fn run_paths(
        &self,
        context: &Context,
        time: Duration,
        seed: u64,
    ) -> Result<Vec<Timing>, LibraryError> {
        let ruleset = find_ruleset(self.ruleset)?;
        let mut players = self.players(&ruleset, seed)?;
        let share = time.div_f64(players.len() as f64);
        let watch = || Stopwatch::new(share, context.token());
        let mut timings = Vec::new();
        let general = players.iter_mut();
        let general = general.map(|player| {
            player.allow_kernel(false);
            time_player(player.as_mut(), &ruleset, watch(), seed)
        });
        if let Some(chunks) = general.collect::<Option<Vec<_>>>() {
            timings.push(self.timing(DecisionPath::General, 1, &chunks));
        }
        let kernels = players.iter().map(|player| player.kernel(&ruleset));
        if let Some(kernels) = kernels.collect::<Option<Vec<Kernel>>>() {
            let chunks = kernels.iter();
            let chunks = chunks.map(|kernel| time_kernel(kernel, watch(), seed));
            if let Some(chunks) = chunks.collect::<Option<Vec<_>>>() {
                timings.push(self.timing(DecisionPath::Kernel, 1, &chunks));
            }
        }
        Ok(timings)
    }

    /// The timing of one thread on the general path; `None` if it was stopped.
    fn general_timing(&self, chunks: Option<Vec<TimedChunk>>) -> Vec<Timing> {
        let timing = chunks.map(|chunks| self.timing(DecisionPath::General, 1, &[chunks]));
        timing.into_iter().collect()
    }

    fn run_threads(
        &self,
        context: &Context,
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
            let chunks = time_by_turns(context, player.as_ref(), &ruleset, sides, share, seed)?;
            timed
                .iter_mut()
                .zip(chunks)
                .for_each(|(side, chunks)| side.push(chunks));
        }
        if timed.iter().flatten().any(Vec::is_empty) {
            return Ok(Vec::new());
        }
        let mut kernels = players.iter().map(|player| player.kernel(&ruleset));
        let path = if kernels.all(|kernel| kernel.is_some()) {
            DecisionPath::Kernel
        } else {
            DecisionPath::General
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

    fn timing(&self, path: DecisionPath, threads: usize, players: &[Vec<TimedChunk>]) -> Timing {
        let best =
            |chunks: &Vec<TimedChunk>| chunks.iter().map(TimedChunk::rate).fold(0.0, f64::max);
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
}

/// The median; for an even number of values, the upper of the middle two.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The minimum duration of a chunk, if the workload is long enough.
const CHUNK_TIME: Duration = Duration::from_millis(50);

/// A number of pieces and the time they took.
#[derive(Clone, Copy, Debug)]
struct TimedChunk {
    pieces: u64,
    seconds: f64,
}

impl TimedChunk {
    fn rate(&self) -> f64 {
        self.pieces as f64 / self.seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrolab_core::simd::is_available;

    #[test]
    fn every_workload_runs_however_short_the_time_is() {
        for workload in WORKLOADS {
            let context = Context::new(&Arena::new(1).unwrap());
            let timings = workload.run(&context, Duration::ZERO, 1, 2).unwrap();
            let sides: Vec<_> = timings
                .iter()
                .map(|timing| (timing.path, timing.threads))
                .collect();
            let expected = match (workload.beside, is_available()) {
                (Beside::Paths, true) => {
                    vec![(DecisionPath::General, 1), (DecisionPath::Kernel, 1)]
                }
                (Beside::Paths, false)
                | (Beside::Nothing | Beside::Searches | Beside::TrainingSteps, _) => {
                    vec![(DecisionPath::General, 1)]
                }
                (Beside::Threads, true) => {
                    vec![(DecisionPath::Kernel, 1), (DecisionPath::Kernel, 2)]
                }
                (Beside::Threads, false) => {
                    vec![(DecisionPath::General, 1), (DecisionPath::General, 2)]
                }
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

    #[test]
    fn a_workload_that_is_stopped_ends_at_once_with_nothing() {
        let hour = Duration::from_secs(3600);
        let context = Context::new(&Arena::new(1).unwrap());
        context.token().cancel();
        for workload in WORKLOADS {
            let timings = workload.run(&context, hour, 1, 2);
            assert!(timings.unwrap().is_empty(), "{}", workload.name);
        }
    }
}
