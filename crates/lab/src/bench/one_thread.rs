//! One thread that makes decisions continuously, on either path.

use super::workload::drawn_network;
use super::{CHUNK_TIME, TimedChunk};
use crate::context::CancelToken;
use crate::time::Instant;
use std::time::Duration;
use tetrolab_core::game::Status;
use tetrolab_core::kernel::Kernel;
use tetrolab_core::moves::{PathFinder, PathStart};
use tetrolab_core::network::{Signals, Training, UpdateRule};
use tetrolab_core::players::Player;
use tetrolab_core::rng::{Rng, game_seed};
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::simd::wide_step;

/// Pieces placed between two readings of the clock.
const PIECES_BETWEEN_LOOKS: u64 = 100;
/// Number of games given to the kernel.
const KERNEL_GAMES: u64 = 1 << 16;

/// Divides play into chunks of about equal duration.
pub(super) struct Stopwatch<'a> {
    time: Duration,
    cancel: &'a CancelToken,
    began: Instant,
    chunk_began: Instant,
    chunk_pieces: u64,
    chunks: Vec<TimedChunk>,
}

impl Stopwatch<'_> {
    /// Starts measuring, for about this time or until it is cancelled.
    pub(super) fn new(time: Duration, cancel: &CancelToken) -> Stopwatch<'_> {
        let now = Instant::now();
        Stopwatch {
            time,
            cancel,
            began: now,
            chunk_began: now,
            chunk_pieces: 0,
            chunks: Vec::new(),
        }
    }

    /// Starts measuring now instead.
    fn restart(&mut self) {
        (self.began, self.chunk_began) = (Instant::now(), Instant::now());
    }

    /// Counts this many more pieces; returns whether to stop.
    fn look(&mut self, pieces: u64) -> bool {
        self.chunk_pieces += pieces;
        let elapsed = self.chunk_began.elapsed();
        if elapsed >= CHUNK_TIME.min(self.time) {
            let (pieces, seconds) = (self.chunk_pieces, elapsed.as_secs_f64());
            self.chunks.push(TimedChunk { pieces, seconds });
            (self.chunk_began, self.chunk_pieces) = (Instant::now(), 0);
        }
        self.cancel.is_cancelled() || (self.began.elapsed() >= self.time && !self.chunks.is_empty())
    }

    /// The chunks; `None` if the measurement was cancelled.
    fn finish(self) -> Option<Vec<TimedChunk>> {
        (!self.cancel.is_cancelled()).then_some(self.chunks)
    }
}

/// Plays game after game; `None` if it was stopped.
pub(super) fn time_player(
    player: &mut dyn Player,
    ruleset: &Ruleset,
    mut watch: Stopwatch<'_>,
    seed: u64,
) -> Option<Vec<TimedChunk>> {
    let mut games = 0;
    let mut game = player.begin(ruleset, game_seed(seed, games));
    loop {
        for _ in 0..PIECES_BETWEEN_LOOKS {
            if game.status() != Status::Playing {
                games += 1;
                game = player.begin(ruleset, game_seed(seed, games));
            }
            if watch.cancel.is_cancelled() {
                return None;
            }
            game.apply(player.decide(&game.view()));
        }
        if watch.look(PIECES_BETWEEN_LOOKS) {
            return watch.finish();
        }
    }
}

/// Number of positions that are searched in turn.
const POSITIONS: usize = 2000;

/// Finds all placements of a piece in positions from the player's games; `None` if it was stopped.
pub(super) fn time_searches(
    mut player: Box<dyn Player>,
    ruleset: &Ruleset,
    mut watch: Stopwatch<'_>,
    seed: u64,
) -> Option<Vec<TimedChunk>> {
    let mut positions = Vec::new();
    let mut game = player.begin(ruleset, game_seed(seed, 0));
    while positions.len() < POSITIONS
        && game.status() == Status::Playing
        && !watch.cancel.is_cancelled()
    {
        let stepped = game.stepped()?;
        let move_rules = stepped.move_rules().clone();
        positions.push((
            *stepped.board(),
            move_rules,
            PathStart::entering(stepped.falling()?),
        ));
        game.apply(player.decide(&game.view()));
    }
    let (mut finder, mut places) = (PathFinder::default(), Vec::new());
    watch.restart();
    loop {
        for (board, move_rules, start) in &positions {
            finder.search_placements(board, move_rules, *start);
            finder.placements(board, move_rules, &mut places);
        }
        if watch.look(positions.len() as u64) {
            return watch.finish();
        }
    }
}

/// Number of samples in a batch.
const SAMPLES: usize = 128;
/// Steps between two readings of the clock.
const STEPS_BETWEEN_LOOKS: u64 = 20;

/// Trains the thesis' network on random samples; `None` if it was stopped.
pub(super) fn time_training(mut watch: Stopwatch<'_>, seed: u64) -> Option<Vec<TimedChunk>> {
    let mut network = drawn_network(seed);
    let mut training = Training::new(&network, UpdateRule::adam(1e-3));
    let mut rng = Rng::new(seed);
    let mut drawn = || rng.unit() as f32;
    let mut inputs = Signals::new(network.inputs(), SAMPLES);
    (0..network.inputs()).for_each(|unit| inputs.row_mut(unit).fill_with(&mut drawn));
    let targets: Vec<f32> = (0..SAMPLES).map(|_| drawn()).collect();
    watch.restart();
    loop {
        for _ in 0..STEPS_BETWEEN_LOOKS {
            wide_step(&mut training, &mut network, &inputs, &targets);
        }
        if watch.look(STEPS_BETWEEN_LOOKS) {
            return watch.finish();
        }
    }
}

/// Plays many games at a time; `None` if it was stopped.
pub(super) fn time_kernel(
    kernel: &Kernel,
    mut watch: Stopwatch<'_>,
    seed: u64,
) -> Option<Vec<TimedChunk>> {
    let mut games = 0;
    let mut is_over = watch.cancel.is_cancelled();
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
    watch.finish()
}
