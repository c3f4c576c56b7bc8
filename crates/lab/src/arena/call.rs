//! A call to the arena: the state that its workers share.

use super::exchange::Exchange;
use super::progress::Counts;
use super::queue::GameQueue;
use super::result::PlayedChunk;
use super::{ArenaError, Arm, GameResult, GameSeries, Hooks, OutOfPieces, Played};
use super::{in_range, into_inner, lock};
use crate::context::CancelToken;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tetrolab_core::kernel::Kernel;
use tetrolab_core::placement::Placement;
use tetrolab_core::players::Player;

/// State shared by the workers of one call.
pub(super) struct ArenaCall<'a> {
    pub(super) series: &'a GameSeries<'a>,
    /// The games that every arm plays.
    games: Range<u64>,
    cancel: &'a CancelToken,
    /// The known games, and the sink for the others.
    pub(super) hooks: Hooks<'a>,
    /// Whether a worker has panicked, or games could not be handed to the sink.
    broken: AtomicBool,
    pub(super) queue: GameQueue,
    pub(super) exchange: Exchange,
    /// The players of the arms, which workers clone as needed.
    players: Vec<Mutex<Box<dyn Player>>>,
    /// For arms with a kernel: plays their games side by side.
    pub(super) kernels: Vec<Option<Kernel>>,
    /// For every arm, the first arm whose kernel shares lanes with its own.
    first_sharing: Vec<usize>,
    pub(super) counts: &'a Counts<'a>,
    done: Mutex<Done>,
}

/// The work done so far.
#[derive(Default)]
struct Done {
    chunks: Vec<PlayedChunk>,
    /// The failure in the earliest failed game.
    failure: Option<OutOfPieces>,
}

impl<'a> ArenaCall<'a> {
    pub(super) fn new(
        players: Vec<Box<dyn Player>>,
        kernels: Vec<Option<Kernel>>,
        (series, games): (&'a GameSeries<'a>, Range<u64>),
        workers: usize,
        cancel: &'a CancelToken,
        counts: &'a Counts<'a>,
    ) -> ArenaCall<'a> {
        let side_by_side = kernels.iter().map(Option::is_some).collect();
        let first_sharing = first_sharing(&kernels);
        ArenaCall {
            series,
            queue: GameQueue::new(side_by_side, games.clone(), workers),
            games,
            cancel,
            hooks: Hooks::default(),
            broken: AtomicBool::new(false),
            exchange: Exchange::default(),
            players: players.into_iter().map(Mutex::new).collect(),
            kernels,
            first_sharing,
            counts,
            done: Mutex::default(),
        }
    }

    /// Adds hooks to the call.
    pub(super) fn with(self, hooks: Hooks<'a>) -> ArenaCall<'a> {
        ArenaCall { hooks, ..self }
    }

    /// Hands games to the sink, if there is one. If that fails, play ends.
    pub(super) fn pass_on(
        &self,
        arm: usize,
        games: &[GameResult],
        placements: &[Vec<Placement>],
        whole: bool,
    ) {
        let Some(sink) = self.hooks.sink.filter(|_| !games.is_empty()) else {
            return;
        };
        if sink.take(arm, games, placements, whole).is_err() {
            self.broken.store(true, Ordering::Relaxed);
        }
    }

    /// Whether play must end.
    pub(super) fn is_stopped(&self) -> bool {
        self.cancel.is_cancelled() || self.broken.load(Ordering::Relaxed)
    }

    /// The arms whose games share lanes with those of an arm that has a kernel, including the arm
    /// itself.
    pub(super) fn sharing_lanes(&self, arm: usize) -> Range<usize> {
        let first = self.first_sharing[arm];
        let rest = self.first_sharing[first..].iter();
        first..first + rest.take_while(|other| **other == first).count()
    }

    /// A copy of the player of an arm.
    pub(super) fn player(&self, arm: usize) -> Box<dyn Player> {
        lock(&self.players[arm]).boxed()
    }

    /// Ends the call because a worker has panicked; otherwise the panic would only surface after
    /// the last game.
    pub(super) fn give_up(&self) {
        self.broken.store(true, Ordering::Relaxed);
        self.exchange.leave();
    }

    /// Stores a worker's games, and how its work ended.
    pub(super) fn keep(&self, chunk: PlayedChunk, ended: Result<(), OutOfPieces>) {
        let mut done = lock(&self.done);
        if let Err(failure) = ended {
            self.queue.end_at(failure.index);
            let place = |failure: &OutOfPieces| (failure.index, failure.arm);
            let earlier = done.failure.filter(|first| place(first) < place(&failure));
            done.failure = earlier.or(Some(failure));
        }
        done.chunks.push(chunk);
    }

    /// The results in the order of the arms. Arms played together share the time in proportion to
    /// their cost.
    pub(super) fn finish(
        self,
        arms: &[Arm<'_>],
        elapsed: Duration,
    ) -> Result<Vec<Played>, ArenaError> {
        let done = into_inner(self.done);
        if let Some(failure) = done.failure {
            return Err(failure.into());
        }
        let busy: Duration = done.chunks.iter().map(|chunk| chunk.took).sum();
        let mut by_arm: Vec<Vec<PlayedChunk>> = arms.iter().map(|_| Vec::new()).collect();
        for chunk in done.chunks {
            by_arm[chunk.arm].push(chunk);
        }
        let played = arms.iter().zip(by_arm).enumerate();
        let played = played.map(|(index, (arm, mut chunks))| {
            let took: Duration = chunks.iter().map(|chunk| chunk.took).sum();
            let share = took.as_secs_f64() / busy.as_secs_f64().max(1e-9);
            let elapsed = elapsed.mul_f64(share.min(1.0));
            let known = in_range(self.hooks.known_of(index), &self.games);
            if !known.is_empty() {
                chunks.push(PlayedChunk::known(index, known));
            }
            Played::new(arm.0, self.series, &self.games, chunks, elapsed)
        });
        Ok(played.collect())
    }

    /// The games that the workers have played so far.
    #[cfg(test)]
    pub(super) fn done(&self) -> Vec<PlayedChunk> {
        std::mem::take(&mut lock(&self.done).chunks)
    }
}

/// For every arm, the first earlier arm whose kernel shares lanes with its own, or the arm itself.
/// Arms of one kind follow each other, like the candidates of a generation.
fn first_sharing(kernels: &[Option<Kernel>]) -> Vec<usize> {
    let mut first = 0;
    let group = |(arm, kernel): (usize, &Option<Kernel>)| {
        let shares = |(one, other): (&Kernel, &Kernel)| one.shares_lanes_with(other);
        if !kernels[first]
            .as_ref()
            .zip(kernel.as_ref())
            .is_some_and(shares)
        {
            first = arm;
        }
        first
    };
    kernels.iter().enumerate().map(group).collect()
}
