//! The games that one worker plays with kernels: many of one arm side by side, and the arms by turns.
//!
//! Lanes are filled with games of one arm, so an arm is fastest while all its games are with one worker. By turns all arms
//! come to their last games at about the same time: then a worker that has none left gets a whole arm from another, and only the
//! last arm of all is divided.

use super::GameResult;
use super::chunk::Terms;
use super::exchange::Parcel;
use super::progress::Meter;
use super::queue::Chunk;
use super::run::PlayedChunk;
use std::time::{Duration, Instant};
use tetrolab_core::kernel::{self, Kernel, Series};
use tetrolab_core::rng::game_seed;

/// Most arms that a worker plays by turns: with more, their boards and tables would no longer fit in its cache.
const MOST_ARMS: usize = 8;

/// The games of some arms, and what became of those that ended.
pub(super) struct Hand<'r> {
    terms: &'r Terms<'r>,
    kernels: &'r [Option<Kernel>],
    held: Vec<Held<'r>>,
    played: Vec<PlayedChunk>,
}

/// Games of one arm.
struct Held<'r> {
    arm: usize,
    series: Series<'r>,
    /// The pieces that have been reported.
    placed: u64,
    results: Vec<GameResult>,
    took: Duration,
}

impl<'r> Hand<'r> {
    /// No games yet; there is a kernel for every arm whose games are to be played here.
    pub(super) fn new(terms: &'r Terms<'r>, kernels: &'r [Option<Kernel>]) -> Hand<'r> {
        Hand {
            terms,
            kernels,
            held: Vec::new(),
            played: Vec::new(),
        }
    }

    /// Whether all games have ended.
    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Whether there is room for more games: all that are here are in play.
    pub(super) fn has_room(&self) -> bool {
        self.held.len() < MOST_ARMS && self.held.iter().all(|held| held.series.waiting() == 0)
    }

    /// Adds games from their beginning, of an arm that has a kernel.
    pub(super) fn add(&mut self, chunk: Chunk) {
        let seed = self.terms.seed;
        if let Some(series) = self.series_of(chunk.arm) {
            for index in chunk.games {
                series.add(index, game_seed(seed, index));
            }
        }
    }

    /// Adds games that another worker has handed over.
    pub(super) fn take_over(&mut self, parcel: Parcel) {
        if let Some(series) = self.series_of(parcel.arm) {
            parcel
                .games
                .into_iter()
                .for_each(|game| series.resume(game));
        }
    }

    /// The series of an arm, if it has a kernel: that which is here already, or else a new one.
    fn series_of(&mut self, arm: usize) -> Option<&mut Series<'r>> {
        let place = match self.held.iter().position(|held| held.arm == arm) {
            Some(place) => place,
            None => {
                let kernel = self.kernels[arm].as_ref()?;
                self.held.push(Held {
                    arm,
                    series: Series::new(kernel, self.terms.limits.max_pieces),
                    placed: 0,
                    results: Vec::new(),
                    took: Duration::ZERO,
                });
                self.held.len() - 1
            }
        };
        Some(&mut self.held[place].series)
    }

    /// Gives every arm a turn.
    pub(super) fn play_a_while(&mut self, meter: &mut Meter<'_>) {
        let mut place = 0;
        while place < self.held.len() && !self.terms.stopped() {
            if self.held[place].play_a_while(self.terms, meter) {
                place += 1;
            } else {
                let ended = self.held.remove(place);
                self.played.push(ended.finish(self.terms, meter));
            }
        }
    }

    /// Games for a worker that has none: all of one arm if there are several, or else half of them.
    pub(super) fn give(&mut self, meter: &mut Meter<'_>) -> Option<Parcel> {
        let most = (0..self.held.len()).max_by_key(|&place| self.held[place].series.left())?;
        let left = self.held[most].series.left();
        if self.held.len() == 1 {
            let held = &mut self.held[most];
            let games = held.series.give(left / 2);
            let arm = held.arm;
            return (!games.is_empty()).then_some(Parcel { arm, games });
        }
        let mut held = self.held.remove(most);
        let (arm, games) = (held.arm, held.series.give(left));
        self.played.push(held.finish(self.terms, meter));
        Some(Parcel { arm, games })
    }

    /// What was played. Games that go on are cut off.
    pub(super) fn finish(mut self, meter: &mut Meter<'_>) -> Vec<PlayedChunk> {
        let cut_off = self
            .held
            .into_iter()
            .map(|held| held.finish(self.terms, meter));
        self.played.extend(cut_off);
        self.played
    }
}

impl Held<'_> {
    /// Plays some thousand pieces; whether there are games left.
    fn play_a_while(&mut self, terms: &Terms<'_>, meter: &mut Meter<'_>) -> bool {
        let began = Instant::now();
        let goes_on = self.series.play_a_while();
        self.keep_ended(terms, meter);
        self.took += began.elapsed();
        goes_on
    }

    fn keep_ended(&mut self, terms: &Terms<'_>, meter: &mut Meter<'_>) {
        let ended = self.series.take_ended();
        let placed = self.series.placed();
        meter.batch(ended.len() as u64, placed - self.placed);
        self.placed = placed;
        let results = ended.iter().map(|game| result(terms, game));
        self.results.extend(results);
    }

    /// What became of these games, those that go on cut off.
    fn finish(mut self, terms: &Terms<'_>, meter: &mut Meter<'_>) -> PlayedChunk {
        self.keep_ended(terms, meter);
        let cut_off = self.series.cut_off();
        meter.batch(cut_off.len() as u64, 0);
        let results = cut_off.iter().map(|game| result(terms, game));
        self.results.extend(results);
        PlayedChunk {
            arm: self.arm,
            results: self.results,
            took: self.took,
        }
    }
}

fn result(terms: &Terms<'_>, (index, game): &(u64, kernel::GameResult)) -> GameResult {
    GameResult {
        index: *index,
        seed: game_seed(terms.seed, *index),
        lines: game.lines,
        pieces: game.pieces,
        line_points: game.line_points,
        finished: game.finished,
        placements: None,
    }
}
