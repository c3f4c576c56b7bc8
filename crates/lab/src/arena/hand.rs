//! The games that one worker plays with kernels: many of one arm side by side, and the arms by turns.
//!
//! Lanes are filled with games of one arm, so an arm is fastest while all its games are with one worker. By turns all arms
//! come to their last games at about the same time: then a worker that has none left gets a whole arm from one that has several.
//! Only where there is one left it is divided.

use super::GameResult;
use super::chunk::{PlayedChunk, Terms};
use super::exchange::Parcel;
use super::progress::Meter;
use super::queue::Chunk;
use std::time::{Duration, Instant};
use tetrolab_core::kernel::{self, Kernel, Series};
use tetrolab_core::rng::game_seed;

/// Most arms that a worker plays by turns: enough that one of them can always be given away, and each takes some 100 KB.
const MOST_ARMS: usize = 8;

/// The games of some arms, and what became of those that ended.
pub(super) struct Hand<'r> {
    terms: &'r Terms<'r>,
    kernels: &'r [Option<Kernel>],
    held: Vec<Held<'r>>,
    /// Whose turn it is.
    turn: usize,
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
            turn: 0,
            played: Vec::new(),
        }
    }

    /// Whether all games have ended.
    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Whether there is room for more games: there are not too many arms, and all games that are here are in play.
    pub(super) fn has_room(&self) -> bool {
        self.held.len() < MOST_ARMS && self.held.iter().all(|held| held.series.waiting() == 0)
    }

    /// Adds games from their beginning.
    pub(super) fn add(&mut self, chunk: Chunk) {
        let seed = self.terms.seed;
        let series = self.series_of(chunk.arm);
        for index in chunk.games {
            series.add(index, game_seed(seed, index));
        }
    }

    /// Adds games that another worker has handed over.
    pub(super) fn take_over(&mut self, parcel: Parcel) {
        let series = self.series_of(parcel.arm);
        (parcel.games.into_iter()).for_each(|game| series.resume(game));
    }

    /// The series of an arm: that which is here already, or else a new one.
    fn series_of(&mut self, arm: usize) -> &mut Series<'r> {
        let found = self.held.iter().position(|held| held.arm == arm);
        let place = found.unwrap_or_else(|| {
            self.held.push(Held::new(arm, self.kernels, self.terms));
            self.held.len() - 1
        });
        &mut self.held[place].series
    }

    /// Gives the next arm its turn.
    pub(super) fn play_a_turn(&mut self, meter: &mut Meter<'_>) {
        if self.turn >= self.held.len() {
            self.turn = 0;
        }
        let Some(held) = self.held.get_mut(self.turn) else {
            return;
        };
        if held.play_a_while(self.terms, meter) {
            self.turn += 1;
        } else {
            let ended = self.held.remove(self.turn);
            self.played.push(ended.finish(self.terms, meter));
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

impl<'r> Held<'r> {
    /// No games yet, of an arm that has a kernel.
    fn new(arm: usize, kernels: &'r [Option<Kernel>], terms: &Terms<'_>) -> Held<'r> {
        let kernel = kernels[arm].as_ref().expect("this arm has a kernel");
        Held {
            arm,
            series: Series::new(kernel, terms.limits.max_pieces),
            placed: 0,
            results: Vec::new(),
            took: Duration::ZERO,
        }
    }

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

#[cfg(test)]
mod tests {
    use super::super::Limits;
    use super::*;
    use crate::arena::tests::rules;
    use crate::library::find_player;
    use std::sync::atomic::AtomicBool;

    /// A worker's hand in which so many arms play bcts; nothing on a processor without a kernel.
    fn with_hand(arms: usize, test: impl FnOnce(Hand<'_>, &mut Meter<'_>)) {
        let rules = rules("simplified-10x20");
        let bcts = find_player("bcts", &rules).unwrap();
        let kernels = vec![bcts.kernel(&rules); arms];
        let stop = AtomicBool::new(false);
        let terms = Terms {
            ruleset: &rules,
            seed: 1,
            limits: Limits::default(),
            stop: &stop,
            broken: AtomicBool::new(false),
        };
        if kernel::is_available() {
            test(Hand::new(&terms, &kernels), &mut Meter::new(None));
        }
    }

    fn chunk(arm: usize, games: std::ops::Range<u64>) -> Chunk {
        Chunk { arm, games }
    }

    /// The arms and how many games of each are still to be played.
    fn left(hand: &Hand<'_>) -> Vec<(usize, usize)> {
        let left = |held: &Held<'_>| (held.arm, held.series.left());
        hand.held.iter().map(left).collect()
    }

    #[test]
    fn every_arm_gets_its_turn() {
        with_hand(3, |mut hand, meter| {
            (0..3).for_each(|arm| hand.add(chunk(arm, 0..2)));
            (0..3).for_each(|_| hand.play_a_turn(meter));
            let played = hand.finish(meter);
            assert_eq!(played.len(), 3);
            for chunk in played {
                assert_eq!(chunk.results.len(), 2);
                assert!(chunk.results.iter().all(|game| game.pieces > 0));
            }
        });
    }

    #[test]
    fn games_of_an_arm_that_is_here_join_it() {
        with_hand(1, |mut hand, _| {
            hand.add(chunk(0, 0..2));
            assert!(hand.has_room());
            hand.add(chunk(0, 2..3));
            assert_eq!(left(&hand), [(0, 3)]);
            hand.add(chunk(0, 3..1000));
            assert!(!hand.has_room(), "most of these have to wait");
        });
    }

    #[test]
    fn there_is_no_room_for_more_than_some_arms() {
        with_hand(MOST_ARMS, |mut hand, _| {
            for arm in 0..MOST_ARMS {
                assert!(hand.has_room());
                hand.add(chunk(arm, 0..1));
            }
            assert!(!hand.has_room());
        });
    }

    #[test]
    fn a_whole_arm_is_given_away_and_the_last_one_is_divided() {
        with_hand(2, |mut hand, meter| {
            hand.add(chunk(0, 0..5));
            hand.add(chunk(1, 0..3));
            hand.play_a_turn(meter);
            let given = hand.give(meter).unwrap();
            assert_eq!((given.arm, given.games.len()), (0, 5));
            assert_eq!(left(&hand), [(1, 3)]);
            let given = hand.give(meter).unwrap();
            assert_eq!((given.arm, given.games.len()), (1, 1));
            hand.give(meter).unwrap();
            assert!(hand.give(meter).is_none(), "one game cannot be divided");
            hand.take_over(given);
            assert_eq!(left(&hand), [(1, 2)]);
        });
    }
}
