//! One call of the arena: what its workers share, and what each of them does.

use super::chunk::{PlayedChunk, Terms, play_chunk};
use super::exchange::Exchange;
use super::hand::Hand;
use super::progress::{Counts, Meter};
use super::queue::{Chunk, ChunkSize, Queue};
use super::{ArenaError, Arm, GameResult, OutOfPieces, Played, lock};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tetrolab_core::kernel::Kernel;
use tetrolab_core::players::Player;

/// What the workers of one call share.
pub(super) struct Run<'a> {
    terms: Terms<'a>,
    queue: Queue,
    exchange: Exchange,
    /// The players as they were given, to be copied by every worker that needs one.
    players: Vec<Mutex<Box<dyn Player>>>,
    /// For the arms that have one: plays their games side by side.
    kernels: Vec<Option<Kernel>>,
    counts: Option<&'a Counts<'a>>,
    done: Mutex<Done>,
}

/// What the workers have done.
#[derive(Default)]
struct Done {
    chunks: Vec<PlayedChunk>,
    /// The failure of the earliest game that failed.
    failure: Option<OutOfPieces>,
}

/// How one worker plays the games of arms that have no kernel.
struct General {
    /// Its own copies of the players.
    players: Vec<Option<Box<dyn Player>>>,
    size: ChunkSize,
}

impl General {
    fn new(arms: usize) -> General {
        let mut players = Vec::new();
        players.resize_with(arms, || None);
        let size = ChunkSize::new();
        General { players, size }
    }

    fn play(&mut self, run: &Run<'_>, Chunk { arm, games }: Chunk, meter: &mut Meter<'_>) {
        let (began, mut results) = (Instant::now(), Vec::new());
        let copy = || lock(&run.players[arm]).boxed();
        let player = self.players[arm].get_or_insert_with(copy).as_mut();
        let played = play_chunk(player, &run.terms, games, meter, &mut results);
        let took = began.elapsed();
        self.size.adapt(took);
        run.keep(PlayedChunk { arm, results, took }, played);
    }
}

/// A worker that has begun. When its player panics the run ends; otherwise the panic would wait for the last of the games.
struct Seat<'a>(&'a Run<'a>);

impl<'a> Seat<'a> {
    fn take(run: &'a Run<'a>) -> Seat<'a> {
        run.exchange.enter();
        Seat(run)
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.terms.broken.store(true, Ordering::Relaxed);
            self.0.exchange.leave();
        }
    }
}

impl<'a> Run<'a> {
    pub(super) fn new(
        terms: Terms<'a>,
        arms: &[Arm<'_>],
        kernels: Vec<Option<Kernel>>,
        games: u64,
        workers: usize,
        counts: Option<&'a Counts<'a>>,
    ) -> Run<'a> {
        let side_by_side = kernels.iter().map(Option::is_some).collect();
        Run {
            terms,
            queue: Queue::new(side_by_side, games, workers),
            exchange: Exchange::default(),
            players: arms.iter().map(|arm| Mutex::new(arm.1.boxed())).collect(),
            kernels,
            counts,
            done: Mutex::default(),
        }
    }

    /// What one thread does: takes games and plays them until there are none, then helps others with theirs.
    pub(super) fn work(&self) {
        let _seat = Seat::take(self);
        let mut meter = Meter::new(self.counts);
        let mut general = General::new(self.players.len());
        let mut hand = Hand::new(&self.terms, &self.kernels);
        loop {
            self.play_until_empty(&mut general, &mut hand, &mut meter);
            // What is counted must be told before a wait that may be long.
            meter.report();
            match self.exchange.wait() {
                Some(parcel) => hand.take_over(parcel),
                None => break,
            }
        }
        for chunk in hand.finish(&mut meter) {
            self.keep(chunk, Ok(()));
        }
    }

    /// Plays what is in the hand and what nobody has begun, until there is nothing left or play is stopped.
    fn play_until_empty(&self, general: &mut General, hand: &mut Hand<'_>, meter: &mut Meter<'_>) {
        while !self.terms.stopped() {
            if hand.has_room() {
                // A game on the general path may take minutes, in which games in the hand would stand still.
                let taken = if hand.is_empty() {
                    self.queue.take(general.size.get())
                } else {
                    self.queue.take_side_by_side()
                };
                match taken {
                    Some(chunk) if self.kernels[chunk.arm].is_some() => hand.add(chunk),
                    Some(chunk) => general.play(self, chunk, meter),
                    None if hand.is_empty() => break,
                    None => {}
                }
            }
            hand.play_a_turn(meter);
            if self.exchange.is_wanted() {
                self.exchange.hand_over(|| hand.give(meter));
            }
        }
    }

    fn keep(&self, chunk: PlayedChunk, played: Result<(), OutOfPieces>) {
        let mut done = lock(&self.done);
        if let Err(failure) = played {
            self.queue.end_at(failure.index);
            let earlier = done.failure.filter(|first| first.index < failure.index);
            done.failure = earlier.or(Some(failure));
        }
        done.chunks.push(chunk);
    }

    /// The results in the order of the arms, after so much time.
    pub(super) fn finish(
        self,
        arms: &[Arm<'_>],
        games: u64,
        elapsed: Duration,
    ) -> Result<Vec<Played>, ArenaError> {
        let done = self
            .done
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = done.failure {
            return Err(failure.into());
        }
        let busy: Duration = done.chunks.iter().map(|chunk| chunk.took).sum();
        let mut arms: Vec<_> = arms
            .iter()
            .map(|arm| (arm.0, Vec::new(), Duration::ZERO))
            .collect();
        for chunk in done.chunks {
            let (_, records, took) = &mut arms[chunk.arm];
            // Most often there is one chunk; then it need not be copied.
            match records.is_empty() {
                true => *records = chunk.results,
                false => records.extend(chunk.results),
            }
            *took += chunk.took;
        }
        let cap = self.terms.limits.max_pieces.unwrap_or(u64::MAX);
        let cut_short = |game: &GameResult| !game.finished && game.pieces < cap;
        let played = arms.into_iter().map(|(name, mut records, took)| {
            records.sort_unstable_by_key(|game: &GameResult| game.index);
            let share = took.as_secs_f64() / busy.as_secs_f64().max(1e-9);
            Played {
                name: name.to_owned(),
                interrupted: (records.len() as u64) < games || records.iter().any(cut_short),
                records,
                elapsed: elapsed.mul_f64(share.min(1.0)),
            }
        });
        Ok(played.collect())
    }
}
