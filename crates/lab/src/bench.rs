//! Benchmarks: how many decisions a second named workloads make, and one number for what they decide.

use crate::library::{LibraryError, PUBLISHED, find_player, find_ruleset, published};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tetrolab_core::evaluators::Linear;
use tetrolab_core::features::{FeatureSet, feature_set};
use tetrolab_core::game::{Game, Status};
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

/// How fast a workload was.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The workload's name.
    pub name: &'static str,
    /// Decisions per second: of the fastest chunk, because on a shared machine other work only ever slows it
    /// down. With several players, the median of theirs.
    pub decisions_per_second: f64,
    /// Decisions per second over all chunks.
    pub mean: f64,
    /// How many chunks were timed.
    pub chunks: usize,
}

impl Workload {
    /// Times the workload on one thread for about so long.
    ///
    /// # Errors
    /// Never, unless a shipped name is wrong.
    pub fn run(&self, time: Duration, seed: u64) -> Result<Timing, LibraryError> {
        let ruleset = find_ruleset(self.ruleset)?;
        let mut players = self.players(ruleset.width, seed)?;
        let share = time.div_f64(players.len() as f64);
        let mut best = Vec::new();
        let (mut decisions, mut seconds, mut chunks) = (0, 0.0, 0);
        for player in &mut players {
            let timed = time_player(player.as_mut(), &ruleset, share, seed);
            best.push(
                timed
                    .iter()
                    .map(|chunk| chunk.0 as f64 / chunk.1)
                    .fold(0.0, f64::max),
            );
            decisions += timed.iter().map(|chunk| chunk.0).sum::<u64>();
            seconds += timed.iter().map(|chunk| chunk.1).sum::<f64>();
            chunks += timed.len();
        }
        best.sort_unstable_by(f64::total_cmp);
        Ok(Timing {
            name: self.name,
            decisions_per_second: best[best.len() / 2],
            mean: decisions as f64 / seconds,
            chunks,
        })
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
    let features = FeatureSet::new(feature_set("bcts")?.resolve(), width);
    let weights = (0..features.len())
        .map(|_| 2.0 * rng.unit() - 1.0)
        .collect();
    let linear = Linear::new(features, weights).expect("finite weights, one for each feature");
    Ok(Box::new(Greedy::new(
        Arc::new(linear),
        GreedyOptions::default(),
    )))
}

/// How many pieces are placed between two looks at the clock.
const CHUNK: u64 = 2_000;
/// For how long a chunk is timed at least.
const CHUNK_TIME: Duration = Duration::from_millis(50);

/// Plays for about so long, game after game; pieces and seconds of every chunk.
fn time_player(
    player: &mut dyn Player,
    ruleset: &Ruleset,
    time: Duration,
    seed: u64,
) -> Vec<(u64, f64)> {
    let mut games = 0;
    let mut game = Game::new(ruleset, game_seed(seed, games));
    let mut chunks = Vec::new();
    let began = Instant::now();
    let mut chunk = (0, Instant::now());
    while began.elapsed() < time || chunks.is_empty() {
        for _ in 0..CHUNK {
            if game.status() != Status::Playing {
                games += 1;
                game = Game::new(ruleset, game_seed(seed, games));
            }
            game.apply(player.choose(&game.view()));
        }
        chunk.0 += CHUNK;
        let elapsed = chunk.1.elapsed();
        if elapsed >= CHUNK_TIME.min(time) {
            chunks.push((chunk.0, elapsed.as_secs_f64()));
            chunk = (0, Instant::now());
        }
    }
    chunks
}

/// The rulesets under which the signature is taken.
const SIGNATURE_RULESETS: [&str; 5] = [
    "simplified-10x20",
    "simplified-10x10",
    "two-piece-7x12",
    "near-perfect",
    "thesis",
];
/// How many placements of each player under each ruleset go into the signature.
const SIGNATURE_PIECES: u64 = 400;

/// One number for what all published players decide: it changes when any of the decisions does. Sixteen hexadecimal
/// digits, the same on every machine.
///
/// # Errors
/// Never, unless a shipped name is wrong.
pub fn signature() -> Result<String, LibraryError> {
    let mut hash = Fnv::new();
    for name in SIGNATURE_RULESETS {
        let ruleset = find_ruleset(name)?;
        for (name, _) in PUBLISHED {
            let per_column = published(name).is_some_and(|file| file.has_vectors());
            if per_column && ruleset.width != 10 {
                continue; // weights per column are for boards 10 wide
            }
            let mut player = find_player(name, ruleset.width)?;
            if player.needs_preview() <= ruleset.preview {
                sign_games(player.as_mut(), &ruleset, &mut hash);
            }
        }
    }
    Ok(format!("{:016x}", hash.0))
}

fn sign_games(player: &mut dyn Player, ruleset: &Ruleset, hash: &mut Fnv) {
    let mut games = 0;
    let mut game = Game::new(ruleset, game_seed(0, games));
    for _ in 0..SIGNATURE_PIECES {
        if game.status() != Status::Playing {
            games += 1;
            game = Game::new(ruleset, game_seed(0, games));
        }
        let placement = player.choose(&game.view());
        hash.add(&[
            placement.piece as u8,
            placement.rotation as u8,
            placement.x,
            placement.y,
        ]);
        game.apply(placement);
    }
}

/// The Fowler, Noll and Vo hash (FNV-1a, 64 bits).
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_changes_only_when_a_decision_is_meant_to_change() {
        // A change of behaviour changes this on purpose, and says so in the changelog.
        assert_eq!(signature().unwrap(), "c446aab4906441eb");
    }

    #[test]
    fn every_workload_runs() {
        for workload in WORKLOADS {
            let timing = workload.run(Duration::from_millis(1), 1).unwrap();
            assert!(timing.decisions_per_second > 0.0, "{}", workload.name);
        }
    }

    #[test]
    fn fnv_agrees_with_its_published_test_vector() {
        let mut hash = Fnv::new();
        hash.add(b"a");
        assert_eq!(hash.0, 0xaf63_dc4c_8601_ec8c);
    }
}
