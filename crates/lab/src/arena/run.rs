//! One call of the arena: what its workers share, and what each of them does.

use super::chunk::{PlayedChunk, Terms, play_chunk};
use super::exchange::Exchange;
use super::hand::Hand;
use super::progress::{Counts, Meter};
use super::queue::{Chunk, ChunkSize, Queue};
use super::{ArenaError, Arm, OutOfPieces, Played, lock};
use std::ops::Range;
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
    counts: &'a Counts<'a>,
    games: Range<u64>,
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

    fn play(&mut self, run: &Run<'_>, chunk: Chunk, meter: &mut Meter<'_>) {
        let began = Instant::now();
        let copy = || lock(&run.players[chunk.arm]).boxed();
        let player = self.players[chunk.arm].get_or_insert_with(copy).as_mut();
        let mut played = PlayedChunk {
            arm: chunk.arm,
            ..PlayedChunk::default()
        };
        let ended = play_chunk(player, &run.terms, chunk.games, meter, &mut played);
        played.took = began.elapsed();
        self.size.adapt(played.took);
        run.keep(played, ended);
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
        games: Range<u64>,
        workers: usize,
        counts: &'a Counts<'a>,
    ) -> Run<'a> {
        let side_by_side = kernels.iter().map(Option::is_some).collect();
        Run {
            terms,
            queue: Queue::new(side_by_side, games.clone(), workers),
            exchange: Exchange::default(),
            players: arms.iter().map(|arm| Mutex::new(arm.1.boxed())).collect(),
            kernels,
            counts,
            games,
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

    fn keep(&self, chunk: PlayedChunk, ended: Result<(), OutOfPieces>) {
        let mut done = lock(&self.done);
        if let Err(failure) = ended {
            self.queue.end_at(failure.index);
            let earlier = done.failure.filter(|first| first.index < failure.index);
            done.failure = earlier.or(Some(failure));
        }
        done.chunks.push(chunk);
    }

    /// The results in the order of the arms, after this much time.
    pub(super) fn finish(
        self,
        arms: &[Arm<'_>],
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
        let mut by_arm: Vec<Vec<PlayedChunk>> = arms.iter().map(|_| Vec::new()).collect();
        for chunk in done.chunks {
            by_arm[chunk.arm].push(chunk);
        }
        let played = arms.iter().zip(by_arm).map(|(arm, chunks)| {
            let took: Duration = chunks.iter().map(|chunk| chunk.took).sum();
            let share = took.as_secs_f64() / busy.as_secs_f64().max(1e-9);
            let elapsed = elapsed.mul_f64(share.min(1.0));
            Played::new(arm.0, self.terms.series, &self.games, chunks, elapsed)
        });
        Ok(played.collect())
    }
}
