//! The arena on one thread and on several, by turns.

use super::Chunk;
use crate::arena::{Arena, ArenaError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;

/// How long a turn is at least: threads do not stop at the same moment, and what they wait for each other must not count.
const TURN: Duration = Duration::from_millis(250);
/// More games than can end within a turn, for every thread.
const GAMES_PER_THREAD: u64 = 1 << 12;

/// Plays for about so long on each of these numbers of threads, in turns of one chunk: a machine that is faster or slower
/// for a while is so for all of them. The chunks come in the order of the numbers.
pub(super) fn time_by_turns(
    player: &dyn Player,
    ruleset: &Ruleset,
    threads: &[usize],
    time: Duration,
    seed: u64,
) -> Result<Vec<Vec<Chunk>>, ArenaError> {
    let mut timed = vec![Vec::new(); threads.len()];
    let mut began = Instant::now();
    let end = began + time * threads.len() as u32;
    while began < end {
        for (chunks, &threads) in timed.iter_mut().zip(threads) {
            chunks.push(time_arena(player, ruleset, threads, time, seed)?);
        }
        began = Instant::now();
    }
    Ok(timed)
}

/// Begins games and stops in the middle of them: every thread has work to the end.
fn time_arena(
    player: &dyn Player,
    ruleset: &Ruleset,
    threads: usize,
    time: Duration,
    seed: u64,
) -> Result<Chunk, ArenaError> {
    let (stop, began) = (Arc::new(AtomicBool::new(false)), Instant::now());
    let raise = Arc::clone(&stop);
    let arena = Arena::new(threads)?.stop_flag(stop).on_progress(move |_| {
        if began.elapsed() >= TURN.min(time) {
            raise.store(true, Ordering::Relaxed);
        }
    });
    let played = arena.play(player, ruleset, GAMES_PER_THREAD * threads as u64, seed)?;
    Ok(Chunk {
        pieces: played.records.iter().map(|game| game.pieces).sum(),
        seconds: played.elapsed.as_secs_f64(),
    })
}
