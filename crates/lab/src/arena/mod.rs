//! The arena: plays seeded games on all cores.
//!
//! Game number i of a series has the seed [`game_seed`](tetrolab_core::rng::game_seed)`(seed, i)`,
//! a player that draws random numbers has its own stream derived from it, and every game starts
//! with a player reset to its initial state: results depend neither on the number of threads, nor
//! on which thread played which game, nor on how a series is divided into ranges. A range can be
//! continued by the next one ([`Played::append`]), in the same process or in another one.
//!
//! # Interruption
//!
//! When the study is cancelled, play stops soon: within one decision on every thread, or a few
//! thousand in a kernel. Slow decisions are aborted and do not count. Short games finish first, so
//! the games that have ended by then underestimate the player. Therefore games in progress are kept
//! too, as truncated games: [`Estimate`] then uses the estimator for censored data, which an
//! interruption does not bias. Games that had not started are left out. An interrupted result
//! depends on the moment of interruption; all other results are repeatable.

mod call;
mod exchange;
mod general;
mod hooks;
mod pool;
mod progress;
mod queue;
mod result;
mod worker;

pub use hooks::{GameSink, Hooks, SinkFailed};
pub(crate) use result::common_lines;
pub use result::{GameResult, Played};

use crate::context::{CancelToken, Context, StudyId, WeakToken};
use crate::time::Instant;
use call::ArenaCall;
use pool::Pool;
use progress::Counts;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tetrolab_core::kernel::Kernel;
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;
use worker::Worker;

#[cfg(doc)]
use crate::stats::Estimate;

/// The maximum number of games per call, over all arms.
///
/// The result of every game is kept: 48 bytes each, 2.4 GB at this limit. While games are played
/// and results are merged, up to three times as much memory can be used. Recorded placements need
/// another 4 bytes each; with a [`GameSink`], only those of the games in progress and of the last
/// finished game of each thread are kept.
pub const MOST_GAMES: u64 = 50_000_000;

/// Why games cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// No games were requested.
    #[error("expected at least one game, got 0")]
    NoGames,
    /// More games were requested than fit into memory.
    #[error("expected at most {MOST_GAMES} games in total, got {0}")]
    TooManyGames(u64),
    /// A cap of 0 pieces.
    #[error("the cap on pieces must be at least 1, got 0")]
    NoPieces,
    /// A list of pieces ended before the game did.
    #[error(transparent)]
    OutOfPieces(#[from] OutOfPieces),
    /// A player needs to see more pieces than the ruleset shows.
    #[error(
        "{player} needs preview={needed}, but the ruleset {ruleset} has preview={shown}; use a ruleset such as \
         simplified-10x10(preview={needed})"
    )]
    Preview {
        /// The player's name.
        player: String,
        /// Number of pieces that it needs to see after the current one.
        needed: usize,
        /// The ruleset's name.
        ruleset: String,
        /// The number of pieces that the ruleset shows.
        shown: usize,
    },
    /// The operating system provides no threads.
    #[cfg(feature = "threads")]
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// A list of pieces ended before the game did, so its score is meaningless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "game {index} ran out of pieces after {pieces}: let the list of pieces repeat, make it longer, or play at most \
     {pieces} pieces"
)]
pub struct OutOfPieces {
    /// The index of the arm that played the game.
    pub arm: usize,
    /// The number of the game, starting at 0.
    pub index: u64,
    /// Number of pieces in the game.
    pub pieces: u64,
}

/// The cap on games, and whether placements are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Truncate games after this many pieces.
    pub max_pieces: Option<u64>,
    /// Keep up to this many placements of every game, starting with the first.
    pub record_placements: Option<usize>,
}

/// An endless series of games, any range of which can be played. Together with the player, it
/// determines results completely.
#[derive(Clone, Copy, Debug)]
pub struct GameSeries<'a> {
    /// The game.
    pub ruleset: &'a Ruleset,
    /// The seed from which the seeds of the games are derived.
    pub seed: u64,
    /// The cap on games, and whether placements are kept.
    pub limits: Limits,
}

impl<'a> GameSeries<'a> {
    /// Whole games, without their placements.
    pub fn new(ruleset: &'a Ruleset, seed: u64) -> GameSeries<'a> {
        GameSeries {
            ruleset,
            seed,
            limits: Limits::default(),
        }
    }

    /// The same games with these limits.
    #[must_use]
    pub fn limits(self, limits: Limits) -> GameSeries<'a> {
        GameSeries { limits, ..self }
    }
}

/// A player under its name, to be compared with others.
pub type Arm<'a> = (&'a str, &'a dyn Player);

/// Threads that any number of studies can share. They never affect a result.
#[derive(Clone)]
pub struct Arena {
    shared: Arc<Shared>,
    uses_kernels: bool,
}

/// State shared by the clones of an arena.
struct Shared {
    pool: Pool,
    studies: Mutex<Studies>,
}

/// The studies of an arena, by number.
#[derive(Default)]
struct Studies {
    begun: u64,
    tokens: BTreeMap<StudyId, WeakToken>,
}

impl Arena {
    /// An arena with this many threads; 0 means one for every core. Without the feature `threads`,
    /// games are played on the calling thread, regardless of the number.
    ///
    /// # Errors
    /// If the operating system provides no threads.
    pub fn new(threads: usize) -> Result<Arena, ArenaError> {
        Ok(Arena {
            shared: Arc::new(Shared {
                pool: Pool::new(threads)?,
                studies: Mutex::default(),
            }),
            uses_kernels: true,
        })
    }

    /// Sets whether players that have a kernel use it (default: yes). Otherwise every decision is
    /// made on the general path.
    #[must_use]
    pub fn kernels(mut self, uses_kernels: bool) -> Arena {
        self.uses_kernels = uses_kernels;
        self
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.shared.pool.threads()
    }

    /// The studies that have not ended.
    pub fn studies(&self) -> Vec<StudyId> {
        let studies = lock(&self.shared.studies);
        let alive = studies.tokens.iter().filter(|row| row.1.get().is_some());
        alive.map(|row| *row.0).collect()
    }

    /// Cancels one study without affecting the others; false if the study does not exist.
    pub fn cancel(&self, study: StudyId) -> bool {
        let studies = lock(&self.shared.studies);
        let token = studies.tokens.get(&study).and_then(WeakToken::get);
        token.iter().for_each(CancelToken::cancel);
        token.is_some()
    }

    /// Assigns a number to a study.
    pub(crate) fn register(&self, token: &CancelToken) -> StudyId {
        let mut studies = lock(&self.shared.studies);
        studies.tokens.retain(|_, token| token.get().is_some());
        studies.begun += 1;
        let study = StudyId(studies.begun);
        studies.tokens.insert(study, token.weak());
        study
    }

    /// The kernel of a player under a ruleset, if there is one and it may be used.
    pub(crate) fn kernel(&self, player: &dyn Player, ruleset: &Ruleset) -> Option<Kernel> {
        self.uses_kernels.then(|| player.kernel(ruleset)).flatten()
    }

    /// The kernels of the arms that have one. A kernel does not record placements, and plays on for
    /// a while after an interruption, when a randomizer that looks at the board deals any piece.
    fn kernels_of(&self, arms: &[Arm<'_>], series: &GameSeries<'_>) -> Vec<Option<Kernel>> {
        let can_abort_draws = series.ruleset.randomizer().knowledge().looks_at_board();
        if series.limits.record_placements.is_some() || can_abort_draws {
            return vec![None; arms.len()];
        }
        let kernel = |arm: &Arm<'_>| self.kernel(arm.1, series.ruleset);
        arms.iter().map(kernel).collect()
    }

    /// Runs one task and, in parallel, another task for each item of a list, on whatever
    /// threads are free.
    pub(crate) fn beside<T: Send, A: Send>(
        &self,
        work: impl FnOnce() -> T + Send,
        others: &mut [A],
        each: impl Fn(&mut A) + Sync,
    ) -> T {
        self.shared.pool.beside(work, others, each)
    }

    /// Does the same work on every thread, and waits until all are done.
    pub(crate) fn on_all_threads(&self, work: impl Fn() + Sync) {
        self.shared.pool.on_all_threads(work);
    }
}

impl Context {
    /// Plays the games with these numbers to the end, with one player.
    ///
    /// # Errors
    /// If there is nothing to play, the player does not fit the ruleset, or pieces run out.
    pub fn play(
        &self,
        player: &dyn Player,
        ruleset: &Ruleset,
        games: Range<u64>,
        seed: u64,
    ) -> Result<Played, ArenaError> {
        let series = GameSeries::new(ruleset, seed);
        let mut played = self.play_all(&[("the player", player)], &series, games)?;
        Ok(played.remove(0))
    }

    /// Plays the same range of a series with several players, side by side; the results are in the
    /// order of the arms. The observer is notified of the progress.
    ///
    /// # Errors
    /// If there is nothing to play, a player does not fit the ruleset, or pieces run out; in that
    /// case, the error is that of the first such game, regardless of the number of threads.
    pub fn play_all(
        &self,
        arms: &[Arm<'_>],
        series: &GameSeries<'_>,
        games: Range<u64>,
    ) -> Result<Vec<Played>, ArenaError> {
        self.play_rest(arms, series, games, Hooks::default())
    }

    /// Like [`play_all`](Context::play_all), but skips known games, and reports games as they end.
    /// The observer is notified of games played, not of known ones.
    ///
    /// # Errors
    /// Those of [`play_all`](Context::play_all). A failing sink stops play like an interruption.
    pub(crate) fn play_rest(
        &self,
        arms: &[Arm<'_>],
        series: &GameSeries<'_>,
        games: Range<u64>,
        hooks: Hooks<'_>,
    ) -> Result<Vec<Played>, ArenaError> {
        check(arms, series, &games)?;
        let ruleset = &self.copy_of_ruleset(series.ruleset);
        let series = &GameSeries { ruleset, ..*series };
        let began = Instant::now();
        let known = |arm| in_range(hooks.known_of(arm), &games).len() as u64;
        let known: u64 = (0..arms.len()).map(known).sum();
        let counts = Counts::new(total(arms, &games) - known, self, hooks.sink);
        let kernels = self.arena().kernels_of(arms, series);
        let (workers, games) = (self.arena().threads(), (series, games));
        let players = arms.iter().map(|arm| self.copy_of(arm.1)).collect();
        let call = ArenaCall::new(players, kernels, games, workers, self.token(), &counts);
        let call = call.with(hooks);
        self.arena().on_all_threads(|| Worker::new(&call).work());
        counts.finish();
        call.finish(arms, began.elapsed())
    }

    /// A clone of a player that aborts slow decisions when the study is cancelled, and uses the
    /// kernel inside its searches only if it is allowed.
    pub(crate) fn copy_of(&self, player: &dyn Player) -> Box<dyn Player> {
        let mut copy = player.boxed();
        copy.allow_kernel(self.arena().uses_kernels);
        copy.heed(&self.token().flag());
        copy
    }

    /// A clone of a ruleset whose randomizer aborts a slow choice when the study is cancelled.
    pub(crate) fn copy_of_ruleset(&self, ruleset: &Ruleset) -> Ruleset {
        ruleset.heeding(&self.token().flag())
    }
}

/// The games with numbers in a range, from games ordered by number.
fn in_range<'g>(games: &'g [GameResult], range: &Range<u64>) -> &'g [GameResult] {
    let place = |number: u64| games.partition_point(|game| game.index < number);
    &games[place(range.start)..place(range.end)]
}

/// The total number of games of all arms.
fn total(arms: &[Arm<'_>], games: &Range<u64>) -> u64 {
    (games.end - games.start).saturating_mul(arms.len() as u64)
}

fn check(arms: &[Arm<'_>], series: &GameSeries<'_>, games: &Range<u64>) -> Result<(), ArenaError> {
    if games.is_empty() {
        return Err(ArenaError::NoGames);
    }
    if total(arms, games) > MOST_GAMES {
        return Err(ArenaError::TooManyGames(total(arms, games)));
    }
    if series.limits.max_pieces == Some(0) {
        return Err(ArenaError::NoPieces);
    }
    arms.iter()
        .try_for_each(|arm| check_player(*arm, series.ruleset))
}

/// Checks that the ruleset shows as many pieces as a player needs.
///
/// # Errors
/// If it does not.
pub fn check_player((name, player): Arm<'_>, ruleset: &Ruleset) -> Result<(), ArenaError> {
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

/// Locks even if another worker has panicked: the panic is propagated when all workers have ended.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The content of a mutex, even if a worker has panicked.
pub(crate) fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
