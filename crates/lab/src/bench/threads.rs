//! The arena on one thread and on several, by turns.

use super::{TimedChunk, is_raised};
use crate::arena::{Arena, ArenaError, GameSeries, Played};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;

/// How long a turn is, if there is time for it: threads do not stop at the same moment, and the time that they wait for each
/// other must not matter.
const TURN: Duration = Duration::from_millis(250);
/// This many games for every thread last longer than a turn, unless they are very short.
const GAMES_PER_THREAD: u64 = 1 << 12;

/// Plays for about this time on each of these numbers of threads, by turns: a machine that is faster or slower for a while
/// is so for all of them. The chunks come in the order of the numbers, one for each turn; a turn that is stopped is left out.
pub(super) fn time_by_turns(
    player: &dyn Player,
    ruleset: &Ruleset,
    threads: &[usize],
    time: Duration,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Vec<Vec<TimedChunk>>, ArenaError> {
    let mut arenas = Vec::new();
    for &threads in threads {
        arenas.push((TimedArena::new(threads, TURN.min(time))?, Vec::new()));
    }
    let end = Instant::now() + time * threads.len() as u32;
    let mut turns = 0;
    loop {
        for (arena, chunks) in &mut arenas {
            chunks.push(arena.turn(player, ruleset, seed, stop)?);
        }
        if is_raised(stop) {
            break;
        }
        turns += 1;
        if Instant::now() >= end {
            break;
        }
    }
    let mut chunks: Vec<Vec<TimedChunk>> = arenas.into_iter().map(|arena| arena.1).collect();
    chunks.iter_mut().for_each(|chunks| chunks.truncate(turns));
    Ok(chunks)
}

/// An arena that stops by itself.
struct TimedArena {
    arena: Arena,
    stop: Arc<AtomicBool>,
    turn: Duration,
}

impl TimedArena {
    fn new(threads: usize, turn: Duration) -> Result<TimedArena, ArenaError> {
        let stop = Arc::new(AtomicBool::new(false));
        let arena = Arena::new(threads)?.stop_flag(Arc::clone(&stop));
        Ok(TimedArena { arena, stop, turn })
    }

    /// Begins games and stops in the middle of them: every thread has work to the end.
    fn turn(
        &self,
        player: &dyn Player,
        ruleset: &Ruleset,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<TimedChunk, ArenaError> {
        self.stop.store(is_raised(stop), Ordering::Relaxed);
        let began = Instant::now();
        let stop_in_time = |_| {
            if began.elapsed() >= self.turn || is_raised(stop) {
                self.stop.store(true, Ordering::Relaxed);
            }
        };
        let series = GameSeries::new(ruleset, seed);
        let games = 0..GAMES_PER_THREAD * self.arena.threads() as u64;
        let arms = [("the player", player)];
        let played = self.arena.play_all(&arms, &series, games, &stop_in_time)?;
        Ok(TimedChunk {
            pieces: played.iter().map(Played::decisions).sum(),
            seconds: played.iter().map(|arm| arm.elapsed.as_secs_f64()).sum(),
        })
    }
}
