//! One thread: takes games, plays them with kernels or on the general path, and shares them with
//! other workers.
//!
//! With a kernel, a worker plays many games side by side, with one batch for each group of arms
//! whose kernels share lanes, taking turns between batches. Most groups are a single arm, whose
//! batch is fastest while one worker has all its games. Because of the turns, all batches reach
//! their last games at about the same time; a worker that has none left then gets a whole batch
//! from a worker with several. Only a worker's last batch is divided.

use super::GameResult;
use super::call::ArenaCall;
use super::exchange::Transfer;
use super::general::play_chunk;
use super::progress::Meter;
use super::queue::{Chunk, ChunkSize};
use super::result::PlayedChunk;
use crate::time::Instant;
use std::ops::Range;
use std::time::Duration;
use tetrolab_core::kernel::{Batch, BatchGame, Kernel, KernelResult};
use tetrolab_core::players::Player;
use tetrolab_core::rng::game_seed;

/// The maximum number of batches that a worker plays in turn: enough that it can always give one
/// away; each takes about 100 KB.
const MOST_BATCHES: usize = 8;

/// A thread in a call of the arena.
pub(super) struct Worker<'a> {
    call: &'a ArenaCall<'a>,
    meter: Meter<'a>,
    /// The games that the worker plays with kernels.
    batches: Vec<BatchInPlay<'a>>,
    /// The index of the next of these batches.
    turn: usize,
    /// The worker's own clones of the players without a kernel, created as needed.
    players: Vec<Option<Box<dyn Player>>>,
    /// Number of games without a kernel that the worker takes at a time.
    size: ChunkSize,
}

/// Games in play of arms that share lanes, and those that have ended.
struct BatchInPlay<'a> {
    /// The arms.
    arms: Range<usize>,
    batch: Batch<'a>,
    /// Number of pieces that have been counted.
    counted: u64,
    /// The games of every arm that have ended.
    ended: Vec<Vec<GameResult>>,
    took: Duration,
}

impl<'a> Worker<'a> {
    /// A worker that has no games yet.
    pub(super) fn new(call: &'a ArenaCall<'a>) -> Worker<'a> {
        call.exchange.enter();
        let mut players = Vec::new();
        players.resize_with(call.kernels.len(), || None);
        Worker {
            call,
            meter: Meter::new(call.counts),
            batches: Vec::new(),
            turn: 0,
            players,
            size: ChunkSize::new(),
        }
    }

    /// Plays games until all are taken, then helps other workers with theirs.
    pub(super) fn work(mut self) {
        loop {
            self.play_until_empty();
            // Report the counts before a possibly long wait.
            self.meter.report();
            match self.call.exchange.wait() {
                Some(transfer) => self.take_over(transfer),
                None => break,
            }
        }
        self.cut_off();
    }

    /// Plays the worker's own games and unstarted ones, until none are left or play is stopped.
    fn play_until_empty(&mut self) {
        let call = self.call;
        while !call.is_stopped() && self.take_games() {
            self.play_a_turn();
            if call.exchange.is_wanted() {
                call.exchange.hand_over(|| self.give());
            }
        }
    }

    /// Takes games while there is capacity; those without a kernel are played immediately. Returns
    /// whether there was anything to play.
    fn take_games(&mut self) -> bool {
        while self.has_room()
            && let Some(chunk) = self.take_chunk()
        {
            if self.call.kernels[chunk.arm].is_none() {
                self.play_generally(chunk);
                return true;
            }
            self.begin(chunk);
        }
        !self.batches.is_empty()
    }

    /// Whether the worker can take more games: it has few enough batches, and none of their games
    /// is waiting for a slot.
    fn has_room(&self) -> bool {
        let waits = |in_play: &BatchInPlay<'_>| in_play.batch.waiting() > 0;
        self.batches.len() < MOST_BATCHES && !self.batches.iter().any(waits)
    }

    /// Takes games that no worker has started.
    fn take_chunk(&self) -> Option<Chunk> {
        // A game on the general path may take minutes, during which the games of kernels would not
        // advance.
        if self.batches.is_empty() {
            self.call.queue.take(self.size.get())
        } else {
            self.call.queue.take_side_by_side()
        }
    }

    /// Starts games of an arm with a kernel.
    fn begin(&mut self, chunk: Chunk) {
        let (call, arm) = (self.call, chunk.arm);
        let mut unknown = chunk
            .games
            .filter(|&index| !call.hooks.is_known(arm, index));
        let Some(first) = unknown.next() else {
            return;
        };
        let BatchInPlay { arms, batch, .. } = self.batch_of(arm);
        let kernel = arm - arms.start;
        for number in std::iter::once(first).chain(unknown) {
            let seed = game_seed(call.series.seed, number);
            batch.add(BatchGame { kernel, number }, seed);
        }
    }

    /// Continues games handed over by another worker.
    fn take_over(&mut self, transfer: Transfer) {
        let batch = &mut self.batch_of(transfer.arm).batch;
        (transfer.games.into_iter()).for_each(|game| batch.resume(game));
    }

    /// The batch of an arm with a kernel: the one in play, or a new one.
    fn batch_of(&mut self, arm: usize) -> &mut BatchInPlay<'a> {
        let found = (self.batches.iter()).position(|here| here.arms.contains(&arm));
        let place = found.unwrap_or_else(|| {
            self.batches.push(BatchInPlay::new(arm, self.call));
            self.batches.len() - 1
        });
        &mut self.batches[place]
    }

    /// Plays a few thousand pieces of the next batch.
    fn play_a_turn(&mut self) {
        if self.turn >= self.batches.len() {
            self.turn = 0;
        }
        let Some(in_play) = self.batches.get_mut(self.turn) else {
            return;
        };
        let began = Instant::now();
        let continues = in_play.batch.play();
        in_play.keep_ended(&mut self.meter, self.call);
        in_play.took += began.elapsed();
        if continues {
            self.turn += 1;
        } else {
            self.batches.remove(self.turn).finish(self.call);
        }
    }

    /// Plays games of an arm without a kernel.
    fn play_generally(&mut self, chunk: Chunk) {
        let (call, began) = (self.call, Instant::now());
        let copy = || call.player(chunk.arm);
        let player = self.players[chunk.arm].get_or_insert_with(copy).as_mut();
        let mut played = PlayedChunk::new(chunk.arm);
        let ended = play_chunk(player, call, chunk.games, &mut self.meter, &mut played);
        played.took = began.elapsed();
        self.size.adapt(played.took);
        call.keep(played, ended);
    }

    /// Games for a worker that has none: a whole batch if there are several, otherwise half of the
    /// games.
    fn give(&mut self) -> Option<Transfer> {
        let left = |place: &usize| self.batches[*place].batch.left();
        let most = (0..self.batches.len()).max_by_key(left)?;
        let left = left(&most);
        let arm = self.batches[most].arms.start;
        if self.batches.len() == 1 {
            let games = self.batches[most].batch.suspend(left / 2);
            return (!games.is_empty()).then_some(Transfer { arm, games });
        }
        let mut given = self.batches.remove(most);
        let games = given.batch.suspend(left);
        given.finish(self.call);
        Some(Transfer { arm, games })
    }

    /// Truncates the remaining games, and keeps them.
    fn cut_off(&mut self) {
        for in_play in self.batches.drain(..) {
            let cut_off = in_play.cut_off(self.call);
            self.meter.batch(cut_off, 0);
        }
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.call.give_up();
        }
    }
}

impl<'a> BatchInPlay<'a> {
    /// A batch for an arm with a kernel and those that share its lanes, initially without games.
    fn new(arm: usize, call: &'a ArenaCall<'a>) -> BatchInPlay<'a> {
        let arms = call.sharing_lanes(arm);
        let kernels: Vec<&Kernel> = call.kernels[arms.clone()].iter().flatten().collect();
        BatchInPlay {
            batch: Batch::new(&kernels, call.series.limits.max_pieces),
            counted: 0,
            ended: vec![Vec::new(); arms.len()],
            took: Duration::ZERO,
            arms,
        }
    }

    /// Stores and counts the games that have ended since the last call.
    fn keep_ended(&mut self, meter: &mut Meter<'_>, call: &ArenaCall<'_>) {
        let (mut ended, placed) = (self.batch.take_ended(), self.batch.placed());
        meter.batch(ended.len() as u64, placed - self.counted);
        self.counted = placed;
        ended.sort_by_key(|game| game.0.kernel);
        for of_arm in ended.chunk_by(|one, other| one.0.kernel == other.0.kernel) {
            let kernel = of_arm[0].0.kernel;
            let games = &mut self.ended[kernel];
            let first = games.len();
            games.extend(of_arm.iter().map(result));
            call.pass_on(self.arms.start + kernel, &games[first..], &[], true);
        }
    }

    /// Truncates the remaining games, and stores them with the others; returns their number.
    fn cut_off(self, call: &ArenaCall<'_>) -> u64 {
        let BatchInPlay {
            arms,
            batch,
            mut ended,
            took,
            ..
        } = self;
        let cut_off = batch.cut_off();
        for game in &cut_off {
            ended[game.0.kernel].push(result(game));
        }
        keep(&arms, ended, took, call);
        cut_off.len() as u64
    }

    /// Stores the games that have ended.
    fn finish(self, call: &ArenaCall<'_>) {
        keep(&self.arms, self.ended, self.took, call);
    }
}

/// Stores the games of arms that were played in one batch. They share the time according to their
/// pieces.
fn keep(arms: &Range<usize>, ended: Vec<Vec<GameResult>>, took: Duration, call: &ArenaCall<'_>) {
    let cost = |games: &Vec<GameResult>| 1 + games.iter().map(|game| game.pieces).sum::<u64>();
    let all: u64 = ended.iter().map(cost).sum();
    for (arm, games) in arms.clone().zip(ended) {
        let took = took.mul_f64(cost(&games) as f64 / all as f64);
        let played = PlayedChunk {
            games,
            took,
            ..PlayedChunk::new(arm)
        };
        call.keep(played, Ok(()));
    }
}

fn result((game, result): &(BatchGame, KernelResult)) -> GameResult {
    GameResult {
        index: game.number,
        lines: result.lines,
        pieces: result.pieces,
        line_points: result.line_points,
        points: 0,
        finished: result.finished,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::tests::with_call;
    use crate::arena::{Arm, GameSeries};
    use crate::library::{find_player, find_ruleset};
    use tetrolab_core::simd::is_available;

    /// A worker of a call in which this many arms play bcts; `None` on a processor without a
    /// kernel.
    fn with_worker(arms: usize, test: impl FnOnce(Worker<'_>, &ArenaCall<'_>)) {
        with_worker_of("bcts", arms, test);
    }

    fn with_worker_of(player: &str, arms: usize, test: impl FnOnce(Worker<'_>, &ArenaCall<'_>)) {
        let rules = find_ruleset("simplified-10x20").unwrap();
        let player = find_player(player, &rules).unwrap();
        let arms: Vec<Arm<'_>> = vec![("an arm", player.as_ref()); arms];
        if is_available() {
            with_call(&arms, &GameSeries::new(&rules, 1), |call| {
                test(Worker::new(call), call);
            });
        }
    }

    fn chunk(arm: usize, games: Range<u64>) -> Chunk {
        Chunk { arm, games }
    }

    /// For each batch, the first arm and the number of its games still to be played.
    fn left(worker: &Worker<'_>) -> Vec<(usize, usize)> {
        let left = |in_play: &BatchInPlay<'_>| (in_play.arms.start, in_play.batch.left());
        worker.batches.iter().map(left).collect()
    }

    #[test]
    fn every_arm_gets_its_turn() {
        with_worker(3, |mut worker, call| {
            (0..3).for_each(|arm| worker.begin(chunk(arm, 0..2)));
            (0..3).for_each(|_| worker.play_a_turn());
            worker.cut_off();
            let played = call.done();
            assert_eq!(played.len(), 3);
            for chunk in played {
                assert_eq!(chunk.games.len(), 2);
                assert!(chunk.games.iter().all(|game| game.pieces > 0));
            }
        });
    }

    #[test]
    fn games_of_an_arm_in_play_join_it() {
        with_worker(1, |mut worker, _| {
            worker.begin(chunk(0, 0..2));
            assert!(worker.has_room());
            worker.begin(chunk(0, 2..3));
            assert_eq!(left(&worker), [(0, 3)]);
            worker.begin(chunk(0, 3..1000));
            assert!(!worker.has_room(), "most of these have to wait");
        });
    }

    #[test]
    fn arms_that_share_lanes_are_in_one_batch() {
        with_worker_of("thesis-6", 30, |mut worker, call| {
            assert_eq!(call.sharing_lanes(7), 0..30);
            for arm in [3, 1, 29] {
                worker.begin(chunk(arm, 0..5));
            }
            assert_eq!(left(&worker), [(0, 15)]);
            worker.play_a_turn();
            let all = left(&worker)[0].1;
            let given = worker.give().unwrap();
            assert_eq!((given.arm, given.games.len()), (0, all / 2));
            assert_eq!(left(&worker), [(0, all - all / 2)]);
            worker.take_over(given);
            worker.cut_off();
            let played = call.done();
            let count = |arm| {
                let own = played.iter().filter(|chunk| chunk.arm == arm);
                own.map(|chunk| chunk.games.len()).sum::<usize>()
            };
            assert_eq!([0, 1, 3, 29].map(count), [0, 5, 5, 5]);
        });
    }

    #[test]
    fn a_worker_takes_a_limited_number_of_arms() {
        with_worker(MOST_BATCHES, |mut worker, _| {
            for arm in 0..MOST_BATCHES {
                assert!(worker.has_room());
                worker.begin(chunk(arm, 0..1));
            }
            assert!(!worker.has_room());
        });
    }

    #[test]
    fn a_whole_arm_is_given_away_and_the_last_one_is_divided() {
        with_worker(2, |mut worker, _| {
            worker.begin(chunk(0, 0..5));
            worker.begin(chunk(1, 0..3));
            worker.play_a_turn();
            let given = worker.give().unwrap();
            assert_eq!((given.arm, given.games.len()), (0, 5));
            assert_eq!(left(&worker), [(1, 3)]);
            let given = worker.give().unwrap();
            assert_eq!((given.arm, given.games.len()), (1, 1));
            worker.give().unwrap();
            assert!(worker.give().is_none(), "one game cannot be divided");
            worker.take_over(given);
            assert_eq!(left(&worker), [(1, 2)]);
        });
    }
}
