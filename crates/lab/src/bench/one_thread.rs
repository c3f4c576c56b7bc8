//! One thread that decides without a pause, on either path.

use super::{CHUNK_TIME, Chunk};
use std::time::{Duration, Instant};
use tetrolab_core::game::Status;
use tetrolab_core::kernel::Kernel;
use tetrolab_core::players::Player;
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;

/// How many pieces are placed between two looks at the clock.
const PIECES_BETWEEN_LOOKS: u64 = 2_000;
/// How many games the kernel is given at once.
const KERNEL_GAMES: u64 = 1 << 16;

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
pub(super) fn time_player(
    player: &mut dyn Player,
    ruleset: &Ruleset,
    time: Duration,
    seed: u64,
) -> Vec<Chunk> {
    let mut games = 0;
    let mut game = player.begin(ruleset, game_seed(seed, games));
    let mut watch = Stopwatch::new(time);
    loop {
        for _ in 0..PIECES_BETWEEN_LOOKS {
            if game.status() != Status::Playing {
                games += 1;
                game = player.begin(ruleset, game_seed(seed, games));
            }
            game.apply(player.choose(&game.view()));
        }
        if watch.look(PIECES_BETWEEN_LOOKS) {
            return watch.chunks;
        }
    }
}

/// Plays for about so long, many games at once.
pub(super) fn time_kernel(kernel: &Kernel, time: Duration, seed: u64) -> Vec<Chunk> {
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
