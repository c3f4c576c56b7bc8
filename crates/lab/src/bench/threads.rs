//! The arena on one thread and on several, alternately.

use super::TimedChunk;
use crate::arena::{Arena, ArenaError, GameSeries, Played};
use crate::context::Context;
use crate::time::Instant;
use std::time::Duration;
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;

/// The duration of a turn, if there is time: threads do not stop simultaneously, and the time they
/// wait for each other must be negligible.
const TURN: Duration = Duration::from_millis(250);
/// The minimum duration of a turn, in which every thread places some pieces.
const SHORTEST: Duration = Duration::from_millis(5);
/// This many games per thread last longer than a turn, unless they are very short.
const GAMES_PER_THREAD: u64 = 1 << 12;

/// Plays alternately for about this time with each number of threads, so that slow phases of the
/// machine affect all of them. The chunks are in the order of the numbers, one for each turn; a
/// turn that is stopped is omitted.
pub(super) fn time_by_turns(
    context: &Context,
    player: &dyn Player,
    ruleset: &Ruleset,
    threads: &[usize],
    time: Duration,
    seed: u64,
) -> Result<Vec<Vec<TimedChunk>>, ArenaError> {
    let mut sides = Vec::new();
    for &threads in threads {
        // Observers are not called while games are timed.
        sides.push((context.on(Arena::new(threads)?).silent(), Vec::new()));
    }
    let end = Instant::now() + time * threads.len() as u32;
    let length = TURN.min(time).max(SHORTEST);
    let mut turns = 0;
    loop {
        for (side, chunks) in &mut sides {
            chunks.push(turn(side, player, &GameSeries::new(ruleset, seed), length)?);
        }
        if context.is_cancelled() {
            break;
        }
        turns += 1;
        if Instant::now() >= end {
            break;
        }
    }
    let mut chunks: Vec<Vec<TimedChunk>> = sides.into_iter().map(|side| side.1).collect();
    chunks.iter_mut().for_each(|chunks| chunks.truncate(turns));
    Ok(chunks)
}

/// Starts games and stops in the middle of them, so that every thread has work until the end.
fn turn(
    side: &Context,
    player: &dyn Player,
    series: &GameSeries<'_>,
    length: Duration,
) -> Result<TimedChunk, ArenaError> {
    let games = 0..GAMES_PER_THREAD * side.arena().threads() as u64;
    let side = side.until(Some(Instant::now() + length));
    let played = side.play_all(&[("the player", player)], series, games)?;
    Ok(TimedChunk {
        pieces: played.iter().map(Played::decisions).sum(),
        seconds: played.iter().map(|arm| arm.elapsed.as_secs_f64()).sum(),
    })
}
