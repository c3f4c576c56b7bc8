//! What one thread does: takes games, plays them with kernels or on the general path, and shares them with other workers.
//!
//! With a kernel a worker plays many games of one arm side by side, and the arms by turns. Lanes are filled with games of one
//! arm, so an arm is fastest while all its games are with one worker. By turns all arms come to their last games at about the
//! same time: then a worker that has none left gets a whole arm from one that has several. Only a worker's last arm is divided.

use super::GameResult;
use super::call::ArenaCall;
use super::exchange::Transfer;
use super::general::play_chunk;
use super::progress::Meter;
use super::queue::{Chunk, ChunkSize};
use super::result::PlayedChunk;
use std::time::Instant;
use tetrolab_core::kernel::{Batch, KernelResult};
use tetrolab_core::players::Player;
use tetrolab_core::rng::game_seed;

/// Most arms that a worker plays by turns: enough that one of them can always be given away, and each takes some 100 KB.
const MOST_ARMS: usize = 8;

/// One thread in one call of the arena.
pub(super) struct Worker<'a> {
    call: &'a ArenaCall<'a>,
    meter: Meter<'a>,
    /// The arms that it plays with kernels ...
    arms: Vec<ArmInPlay<'a>>,
    /// ... and which of them is next.
    turn: usize,
    /// Its own copies of the players that have no kernel, made when they are needed.
    players: Vec<Option<Box<dyn Player>>>,
    /// How many games without a kernel it takes at once.
    size: ChunkSize,
}

/// Games of one arm in play, and those that have ended.
struct ArmInPlay<'a> {
    batch: Batch<'a>,
    /// How many of the pieces have been counted.
    counted: u64,
    played: PlayedChunk,
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
            arms: Vec::new(),
            turn: 0,
            players,
            size: ChunkSize::new(),
        }
    }

    /// Takes games and plays them until there are none, then helps others with theirs.
    pub(super) fn work(mut self) {
        loop {
            self.play_until_empty();
            // What is counted must be reported before a wait that may be long.
            self.meter.report();
            match self.call.exchange.wait() {
                Some(transfer) => self.take_over(transfer),
                None => break,
            }
        }
        self.cut_off();
    }

    /// Plays what it has and what nobody has begun, until there is nothing left or play is stopped.
    fn play_until_empty(&mut self) {
        let call = self.call;
        while !call.is_stopped() {
            if self.has_room() {
                match self.take_chunk() {
                    Some(chunk) if call.kernels[chunk.arm].is_some() => self.begin(chunk),
                    Some(chunk) => self.play_generally(chunk),
                    None if self.arms.is_empty() => break,
                    None => {}
                }
            }
            self.play_a_turn();
            if call.exchange.is_wanted() {
                call.exchange.hand_over(|| self.give());
            }
        }
    }

    /// Whether there is room for more games: there are not too many arms, and no game of theirs waits for a slot.
    fn has_room(&self) -> bool {
        let waits = |arm: &ArmInPlay<'_>| arm.batch.waiting() > 0;
        self.arms.len() < MOST_ARMS && !self.arms.iter().any(waits)
    }

    /// Takes games that nobody has begun.
    fn take_chunk(&self) -> Option<Chunk> {
        // A game on the general path may take minutes, in which the games of kernels would stand still.
        if self.arms.is_empty() {
            self.call.queue.take(self.size.get())
        } else {
            self.call.queue.take_side_by_side()
        }
    }

    /// Begins games of an arm that has a kernel.
    fn begin(&mut self, chunk: Chunk) {
        let (call, arm) = (self.call, chunk.arm);
        let mut unknown = chunk
            .games
            .filter(|&index| !call.hooks.is_known(arm, index));
        let Some(first) = unknown.next() else {
            return;
        };
        let batch = self.batch_of(arm);
        for index in std::iter::once(first).chain(unknown) {
            batch.add(index, game_seed(call.series.seed, index));
        }
    }

    /// Goes on with games that another worker has handed over.
    fn take_over(&mut self, transfer: Transfer) {
        let batch = self.batch_of(transfer.arm);
        (transfer.games.into_iter()).for_each(|game| batch.resume(game));
    }

    /// The batch of an arm that has a kernel: the one in play, or else a new one.
    fn batch_of(&mut self, arm: usize) -> &mut Batch<'a> {
        let found = self.arms.iter().position(|here| here.played.arm == arm);
        let place = found.unwrap_or_else(|| {
            self.arms.push(ArmInPlay::new(arm, self.call));
            self.arms.len() - 1
        });
        &mut self.arms[place].batch
    }

    /// Plays some thousand pieces of the next arm.
    fn play_a_turn(&mut self) {
        if self.turn >= self.arms.len() {
            self.turn = 0;
        }
        let Some(arm) = self.arms.get_mut(self.turn) else {
            return;
        };
        let began = Instant::now();
        let goes_on = arm.batch.play();
        arm.keep_ended(&mut self.meter, self.call);
        arm.played.took += began.elapsed();
        if goes_on {
            self.turn += 1;
        } else {
            let arm = self.arms.remove(self.turn);
            self.call.keep(arm.played, Ok(()));
        }
    }

    /// Plays games of an arm that has no kernel.
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

    /// Games for a worker that has none: all of one arm if there are several, otherwise half of them.
    fn give(&mut self) -> Option<Transfer> {
        let left = |place: &usize| self.arms[*place].batch.left();
        let most = (0..self.arms.len()).max_by_key(left)?;
        let left = left(&most);
        if self.arms.len() == 1 {
            let arm = &mut self.arms[most];
            let games = arm.batch.suspend(left / 2);
            let arm = arm.played.arm;
            return (!games.is_empty()).then_some(Transfer { arm, games });
        }
        let mut given = self.arms.remove(most);
        let (arm, games) = (given.played.arm, given.batch.suspend(left));
        self.call.keep(given.played, Ok(()));
        Some(Transfer { arm, games })
    }

    /// Cuts off the games that go on, and keeps them.
    fn cut_off(&mut self) {
        for mut arm in self.arms.drain(..) {
            let cut_off = arm.batch.cut_off();
            self.meter.batch(cut_off.len() as u64, 0);
            arm.played.games.extend(cut_off.iter().map(result));
            self.call.keep(arm.played, Ok(()));
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

impl<'a> ArmInPlay<'a> {
    /// An arm that has a kernel, without games yet.
    fn new(arm: usize, call: &'a ArenaCall<'a>) -> ArmInPlay<'a> {
        let kernel = call.kernels[arm].as_ref().expect("this arm has a kernel");
        ArmInPlay {
            batch: Batch::new(kernel, call.series.limits.max_pieces),
            counted: 0,
            played: PlayedChunk::new(arm),
        }
    }

    /// Keeps and counts what has happened since the last time.
    fn keep_ended(&mut self, meter: &mut Meter<'_>, call: &ArenaCall<'_>) {
        let (ended, placed) = (self.batch.take_ended(), self.batch.placed());
        meter.batch(ended.len() as u64, placed - self.counted);
        self.counted = placed;
        let first = self.played.games.len();
        self.played.games.extend(ended.iter().map(result));
        call.pass_on(self.played.arm, &self.played.games[first..], &[], true);
    }
}

fn result((index, game): &(u64, KernelResult)) -> GameResult {
    GameResult {
        index: *index,
        lines: game.lines,
        pieces: game.pieces,
        line_points: game.line_points,
        points: 0,
        finished: game.finished,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::tests::with_call;
    use crate::arena::{Arm, GameSeries};
    use crate::library::{find_player, find_ruleset};
    use std::ops::Range;
    use tetrolab_core::simd::is_available;

    /// A worker of a call in which this many arms play bcts; nothing on a processor without a kernel.
    fn with_worker(arms: usize, test: impl FnOnce(Worker<'_>, &ArenaCall<'_>)) {
        let rules = find_ruleset("simplified-10x20").unwrap();
        let bcts = find_player("bcts", &rules).unwrap();
        let arms: Vec<Arm<'_>> = vec![("bcts", bcts.as_ref()); arms];
        if is_available() {
            with_call(&arms, &GameSeries::new(&rules, 1), |call| {
                test(Worker::new(call), call);
            });
        }
    }

    fn chunk(arm: usize, games: Range<u64>) -> Chunk {
        Chunk { arm, games }
    }

    /// The arms and how many games of each are still to be played.
    fn left(worker: &Worker<'_>) -> Vec<(usize, usize)> {
        let left = |arm: &ArmInPlay<'_>| (arm.played.arm, arm.batch.left());
        worker.arms.iter().map(left).collect()
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
    fn there_is_no_room_for_more_than_some_arms() {
        with_worker(MOST_ARMS, |mut worker, _| {
            for arm in 0..MOST_ARMS {
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
