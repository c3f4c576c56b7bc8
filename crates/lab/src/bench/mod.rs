//! Benchmarks: how many decisions a second named workloads make, and one number for what they decide.

mod signature;
mod verify;

pub use signature::signature;
pub use verify::{Verified, verify};

use crate::library::{LibraryError, find_player, find_ruleset};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tetrolab_core::evaluators::Linear;
use tetrolab_core::features::{FeatureSet, feature_set};
use tetrolab_core::game::{Game, Status};
use tetrolab_core::kernel::Kernel;
use tetrolab_core::players::{Greedy, GreedyOptions, Player};
use tetrolab_core::rng::{Rng, game_seed};
use tetrolab_core::ruleset::Ruleset;

/// Something that is timed: players that decide under a ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Its name.
    pub name: &'static str,
    /// The ruleset.
    pub ruleset: &'static str,
    /// Who decides.
    pub contenders: Contenders,
}

/// Who decides in a workload.
#[derive(Clone, Copy, Debug)]
pub enum Contenders {
    /// One player, by name or spec.
    Player(&'static str),
    /// So many greedy players with random weights on the features of `bcts`: what a learner begins with.
    RandomWeights(usize),
}

/// Every workload. To add one, add its row here.
pub const WORKLOADS: &[Workload] = &[
    Workload {
        name: "greedy-bcts-10x20",
        ruleset: "simplified-10x20",
        contenders: Contenders::Player("bcts"),
    },
    Workload {
        name: "greedy-dellacherie-10x20",
        ruleset: "simplified-10x20",
        contenders: Contenders::Player("dellacherie"),
    },
    Workload {
        name: "greedy-dt-10x20",
        ruleset: "simplified-10x20",
        contenders: Contenders::Player("dt-20"),
    },
    Workload {
        name: "greedy-misakamm-10x20",
        ruleset: "simplified-10x20",
        contenders: Contenders::Player("misakamm-v2"),
    },
    Workload {
        name: "greedy-random-weights-10x20",
        ruleset: "simplified-10x20",
        contenders: Contenders::RandomWeights(20),
    },
    Workload {
        name: "two-piece-bcts-10x20",
        ruleset: "two-piece-10x20",
        contenders: Contenders::Player("two-piece(bcts)"),
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
    /// Decisions per second: of the fastest chunk, because on a shared machine other work only ever slows it
    /// down. With several players, the median of theirs.
    pub decisions_per_second: f64,
    /// Decisions per second over all chunks.
    pub mean: f64,
    /// How many chunks were timed.
    pub chunks: usize,
}

impl Workload {
    /// Times the workload on one thread for about so long on each path that it has; the general path comes first.
    ///
    /// # Errors
    /// Never, unless a shipped name is wrong.
    pub fn run(&self, time: Duration, seed: u64) -> Result<Vec<Timing>, LibraryError> {
        let ruleset = find_ruleset(self.ruleset)?;
        let mut players = self.players(ruleset.width, seed)?;
        let share = time.div_f64(players.len() as f64);
        let general = players.iter_mut();
        let general = general.map(|player| time_player(player.as_mut(), &ruleset, share, seed));
        let mut timings = vec![self.timing(Path::General, &general.collect::<Vec<_>>())];
        let kernels: Option<Vec<Kernel>> = players
            .iter()
            .map(|player| player.kernel(&ruleset))
            .collect();
        if let Some(kernels) = kernels {
            let chunks = kernels
                .iter()
                .map(|kernel| time_kernel(kernel, share, seed));
            timings.push(self.timing(Path::Kernel, &chunks.collect::<Vec<_>>()));
        }
        Ok(timings)
    }

    fn timing(&self, path: Path, players: &[Vec<Chunk>]) -> Timing {
        let rate = |chunk: &Chunk| chunk.pieces as f64 / chunk.seconds;
        let best = |chunks: &Vec<Chunk>| chunks.iter().map(rate).fold(0.0, f64::max);
        let mut best: Vec<f64> = players.iter().map(best).collect();
        best.sort_unstable_by(f64::total_cmp);
        let all = || players.iter().flatten();
        let pieces: u64 = all().map(|chunk| chunk.pieces).sum();
        let seconds: f64 = all().map(|chunk| chunk.seconds).sum();
        Timing {
            name: self.name,
            path,
            decisions_per_second: best[best.len() / 2],
            mean: pieces as f64 / seconds,
            chunks: all().count(),
        }
    }

    fn players(&self, width: usize, seed: u64) -> Result<Vec<Box<dyn Player>>, LibraryError> {
        match self.contenders {
            Contenders::Player(name) => Ok(vec![find_player(name, width)?]),
            Contenders::RandomWeights(count) => {
                let mut rng = Rng::new(seed);
                (0..count).map(|_| random_greedy(&mut rng, width)).collect()
            }
        }
    }
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

/// How many pieces are placed between two looks at the clock.
const PIECES_BETWEEN_LOOKS: u64 = 2_000;
/// For how long a chunk is timed at least.
const CHUNK_TIME: Duration = Duration::from_millis(50);
/// How many games the kernel is given at once.
const KERNEL_GAMES: u64 = 1 << 16;

/// Some pieces and how long they took.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    pieces: u64,
    seconds: f64,
}

/// Cuts play into chunks of about the same time.
struct Stopwatch {
    time: Duration,
    began: Instant,
    chunk_began: Instant,
    chunk_pieces: u64,
    chunks: Vec<Chunk>,
}

impl Stopwatch {
    fn new(time: Duration) -> Stopwatch {
        let now = Instant::now();
        Stopwatch {
            time,
            began: now,
            chunk_began: now,
            chunk_pieces: 0,
            chunks: Vec::new(),
        }
    }

    /// So many more pieces were placed; whether the time is up.
    fn look(&mut self, pieces: u64) -> bool {
        self.chunk_pieces += pieces;
        let elapsed = self.chunk_began.elapsed();
        if elapsed >= CHUNK_TIME.min(self.time) {
            let (pieces, seconds) = (self.chunk_pieces, elapsed.as_secs_f64());
            self.chunks.push(Chunk { pieces, seconds });
            (self.chunk_began, self.chunk_pieces) = (Instant::now(), 0);
        }
        self.began.elapsed() >= self.time && !self.chunks.is_empty()
    }
}

/// Plays for about so long, game after game.
fn time_player(
    player: &mut dyn Player,
    ruleset: &Ruleset,
    time: Duration,
    seed: u64,
) -> Vec<Chunk> {
    let mut games = 0;
    let mut game = Game::new(ruleset, game_seed(seed, games));
    let mut watch = Stopwatch::new(time);
    loop {
        for _ in 0..PIECES_BETWEEN_LOOKS {
            if game.status() != Status::Playing {
                games += 1;
                game = Game::new(ruleset, game_seed(seed, games));
            }
            game.apply(player.choose(&game.view()));
        }
        if watch.look(PIECES_BETWEEN_LOOKS) {
            return watch.chunks;
        }
    }
}

/// Plays for about so long, many games at once.
fn time_kernel(kernel: &Kernel, time: Duration, seed: u64) -> Vec<Chunk> {
    let mut watch = Stopwatch::new(time);
    let mut games = 0;
    let mut is_over = false;
    while !is_over {
        let seeds: Vec<u64> = (games..games + KERNEL_GAMES)
            .map(|index| game_seed(seed, index))
            .collect();
        games += KERNEL_GAMES;
        let mut seen = 0;
        let _ = kernel.play(&seeds, None, &mut |_, pieces| {
            is_over = watch.look(pieces - seen);
            seen = pieces;
            is_over
        });
    }
    watch.chunks
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrolab_core::kernel::is_available;

    #[test]
    fn every_workload_runs() {
        for workload in WORKLOADS {
            let timings = workload.run(Duration::from_millis(1), 1).unwrap();
            assert_eq!(timings[0].path, Path::General);
            assert_eq!(timings.len() == 2, is_available(), "{}", workload.name);
            assert!(
                timings
                    .iter()
                    .all(|timing| timing.decisions_per_second > 0.0)
            );
        }
    }
}
