//! The arena on one thread and on several, by turns.

use super::Chunk;
use crate::arena::{Arena, ArenaError, lock};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;

/// How long a turn is, if there is time for it: threads do not stop at the same moment, and what they wait for each other
/// must not count.
const TURN: Duration = Duration::from_millis(250);
/// So many games for every thread last longer than a turn, unless they are very short.
const GAMES_PER_THREAD: u64 = 1 << 12;

/// Plays for about so long on each of these numbers of threads, by turns: a machine that is faster or slower for a while
/// is so for all of them. The chunks come in the order of the numbers, one for each turn.
pub(super) fn time_by_turns(
    player: &dyn Player,
    ruleset: &Ruleset,
    threads: &[usize],
    time: Duration,
    seed: u64,
) -> Result<Vec<Vec<Chunk>>, ArenaError> {
    let mut arenas = Vec::new();
    for &threads in threads {
        arenas.push((TimedArena::new(threads, TURN.min(time))?, Vec::new()));
    }
    let end = Instant::now() + time * threads.len() as u32;
    loop {
        for (arena, chunks) in &mut arenas {
            chunks.push(arena.turn(player, ruleset, seed)?);
        }
        if Instant::now() >= end {
            return Ok(arenas.into_iter().map(|arena| arena.1).collect());
        }
    }
}

/// An arena that stops by itself.
struct TimedArena {
    arena: Arena,
    stop: Arc<AtomicBool>,
    /// When the turn began.
    began: Arc<Mutex<Instant>>,
}

impl TimedArena {
    fn new(threads: usize, turn: Duration) -> Result<TimedArena, ArenaError> {
        let stop = Arc::new(AtomicBool::new(false));
        let began = Arc::new(Mutex::new(Instant::now()));
        let (raised, since) = (Arc::clone(&stop), Arc::clone(&began));
        let watch = move |_| {
            if lock(&since).elapsed() >= turn {
                raised.store(true, Ordering::Relaxed);
            }
        };
        let arena = Arena::new(threads)?
            .stop_flag(Arc::clone(&stop))
            .on_progress(watch);
        Ok(TimedArena { arena, stop, began })
    }

    /// Begins games and stops in the middle of them: every thread has work to the end.
    fn turn(&self, player: &dyn Player, ruleset: &Ruleset, seed: u64) -> Result<Chunk, ArenaError> {
        self.stop.store(false, Ordering::Relaxed);
        *lock(&self.began) = Instant::now();
        let games = GAMES_PER_THREAD * self.arena.threads() as u64;
        let played = self.arena.play(player, ruleset, games, seed)?;
        Ok(Chunk {
            pieces: played.decisions(),
            seconds: played.elapsed.as_secs_f64(),
        })
    }
}
