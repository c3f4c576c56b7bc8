//! The arena: plays seeded games on all cores.
//!
//! Game number i of a series has the seed [`game_seed`](tetrolab_core::rng::game_seed)`(seed, i)`, a player that draws
//! random numbers has a stream of its own derived from it, and every game is played from its beginning by a player that is told to
//! start: results do not depend on the number of threads, nor on which thread played what.
//!
//! # Interruption
//!
//! When the stop flag is raised, play ends soon: within one decision of every thread, or some thousands in the kernel.
//! Short games finish first, so the games that ended by then are worse than the player is. Therefore the games in
//! progress are kept too, as cut-off games with what they had: [`Estimate`] then takes the censored estimator, which an
//! interruption does not bias. Games that had not begun are left out. An interrupted result depends on the moment; it is
//! the only one that cannot be repeated.

mod chunk;
mod exchange;
mod hand;
mod pool;
mod progress;
mod queue;
mod result;
mod run;

pub use progress::Progress;
pub use result::{GameResult, Played, common_lines};

use chunk::Terms;
use pool::Pool;
use progress::{Counts, Observer};
use run::Run;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tetrolab_core::kernel::Kernel;
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;

#[cfg(doc)]
use crate::stats::Estimate;

/// Why games cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// No games were asked for.
    #[error("there are no games to play; ask for at least one")]
    NoGames,
    /// Games of no pieces were asked for.
    #[error("a game of at most 0 pieces cannot be played; allow at least one piece")]
    NoPieces,
    /// A list of pieces ended before the game did.
    #[error(transparent)]
    OutOfPieces(#[from] OutOfPieces),
    /// A player must see more pieces than the ruleset shows.
    #[error(
        "{player} must see {needed} next piece(s), but the ruleset {ruleset} shows {shown}; preview={needed} in the \
         parentheses of a ruleset shows more"
    )]
    Preview {
        /// The player's name.
        player: String,
        /// How many pieces it must see after the current one.
        needed: usize,
        /// The ruleset's name.
        ruleset: String,
        /// How many it shows.
        shown: usize,
    },
    /// The operating system gives no threads.
    #[cfg(feature = "threads")]
    #[error("cannot start the threads to play on: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// A list of pieces ended before the game did, so its score means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "game {index} ran out of pieces after {pieces}: let the list of pieces repeat, make it longer, or play at most \
     {pieces} pieces"
)]
pub struct OutOfPieces {
    /// The number of the game, from 0.
    pub index: u64,
    /// How many pieces it had.
    pub pieces: u64,
}

/// How far games are played, and what is kept of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Cut a game off after so many pieces.
    pub max_pieces: Option<u64>,
    /// Keep the first so many placements of every game.
    pub record_placements: Option<usize>,
    /// Make every decision on the general path, even where the kernel could; it never changes a result.
    pub no_kernel: bool,
}

/// A player under its name, to be compared with others.
pub type Arm<'a> = (&'a str, &'a dyn Player);

/// Plays games on its own threads.
pub struct Arena {
    pool: Pool,
    limits: Limits,
    stop: Arc<AtomicBool>,
    observer: Option<Box<Observer>>,
}

impl Arena {
    /// An arena with this number of threads; 0 means one for every core. Without the feature `threads` the games are played
    /// on the calling thread, whatever the number.
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub fn new(threads: usize) -> Result<Arena, ArenaError> {
        Ok(Arena {
            pool: Pool::new(threads)?,
            limits: Limits::default(),
            stop: Arc::default(),
            observer: None,
        })
    }

    /// Plays with these limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Arena {
        self.limits = limits;
        self
    }

    /// Stops when this flag is raised.
    #[must_use]
    pub fn stop_flag(mut self, stop: Arc<AtomicBool>) -> Arena {
        self.stop = stop;
        self
    }

    /// Tells how far play has come, from the threads that play, a few dozen times per second.
    #[must_use]
    pub fn on_progress(mut self, observer: impl Fn(Progress) + Send + Sync + 'static) -> Arena {
        self.observer = Some(Box::new(observer));
        self
    }

    /// How many threads play.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Plays a series of games with one player.
    ///
    /// # Errors
    /// When there is nothing to play, the player does not fit the ruleset, or pieces run out.
    pub fn play(
        &self,
        player: &dyn Player,
        ruleset: &Ruleset,
        games: u64,
        seed: u64,
    ) -> Result<Played, ArenaError> {
        let mut played = self.play_all(&[("the player", player)], ruleset, games, seed)?;
        Ok(played.remove(0))
    }

    /// Plays the same series of games with several players, side by side; the results are in the order of the arms.
    ///
    /// # Errors
    /// When there is nothing to play, a player does not fit the ruleset, or pieces run out: then the error is that of
    /// the first such game, whatever the number of threads.
    pub fn play_all(
        &self,
        arms: &[Arm<'_>],
        ruleset: &Ruleset,
        games: u64,
        seed: u64,
    ) -> Result<Vec<Played>, ArenaError> {
        self.check(arms, ruleset, games)?;
        let began = Instant::now();
        let games_total = games.saturating_mul(arms.len() as u64);
        let counts = self
            .observer
            .as_deref()
            .map(|observer| Counts::new(games_total, observer));
        let terms = Terms {
            ruleset,
            seed,
            limits: self.limits,
            stop: &self.stop,
            broken: AtomicBool::new(false),
        };
        let kernels = self.kernels(arms, ruleset);
        let run = Run::new(terms, arms, kernels, games, self.threads(), counts.as_ref());
        self.on_all_threads(|| run.work());
        if let Some(counts) = &counts {
            counts.finish();
        }
        run.finish(arms, games, began.elapsed())
    }

    /// The kernels of the arms that have one. A kernel keeps no placements.
    fn kernels(&self, arms: &[Arm<'_>], ruleset: &Ruleset) -> Vec<Option<Kernel>> {
        if self.limits.record_placements.is_some() {
            return vec![None; arms.len()];
        }
        let kernel = |arm: &Arm<'_>| self.kernel(arm.1, ruleset);
        arms.iter().map(kernel).collect()
    }

    fn check(&self, arms: &[Arm<'_>], ruleset: &Ruleset, games: u64) -> Result<(), ArenaError> {
        if games == 0 {
            return Err(ArenaError::NoGames);
        }
        if self.limits.max_pieces == Some(0) {
            return Err(ArenaError::NoPieces);
        }
        arms.iter().try_for_each(|arm| check_player(*arm, ruleset))
    }

    /// The flag that stops play.
    pub(crate) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// The kernel of a player under a ruleset, if it has one and may use it.
    pub(crate) fn kernel(&self, player: &dyn Player, ruleset: &Ruleset) -> Option<Kernel> {
        if self.limits.no_kernel {
            return None;
        }
        player.kernel(ruleset)
    }

    /// Does the same work on every thread, until all have done it.
    pub(crate) fn on_all_threads(&self, work: impl Fn() + Sync) {
        self.pool.on_all_threads(work);
    }
}

/// Whether the ruleset shows a player what it must see.
///
/// # Errors
/// When it does not.
pub(crate) fn check_player((name, player): Arm<'_>, ruleset: &Ruleset) -> Result<(), ArenaError> {
    if player.needs_preview() <= ruleset.preview {
        return Ok(());
    }
    Err(ArenaError::Preview {
        player: name.to_owned(),
        needed: player.needs_preview(),
        ruleset: ruleset.name.clone(),
        shown: ruleset.preview,
    })
}

/// Locks, whatever became of other workers: a panic of one of them is passed on when all have ended.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
