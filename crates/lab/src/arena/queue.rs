//! Distributes games to workers: in order, a few at a time.

use super::lock;
use std::ops::Range;
use std::sync::Mutex;
use std::time::Duration;

/// Some games of one arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// The arm that plays the games.
    pub arm: usize,
    /// The numbers of the games.
    pub games: Range<u64>,
}

/// The games that no worker has started.
///
/// The arm with the fewest started games comes next, so that after an interruption the arms have
/// played about the same games and can be compared.
#[derive(Debug)]
pub(super) struct GameQueue {
    next: Mutex<NextGames>,
    workers: u64,
    /// For every arm, whether a worker plays many of its games side by side.
    side_by_side: Vec<bool>,
}

/// The state of the queue.
#[derive(Debug)]
struct NextGames {
    /// For every arm, the number of its next game.
    of_arms: Vec<u64>,
    /// One past the last game.
    end: u64,
}

impl GameQueue {
    /// With fewer games, a batch would soon run out of games; workers share the last ones later.
    const FEWEST_SIDE_BY_SIDE: u64 = 512;
    /// This many games fill a batch hundreds of times; more would only cost memory, and time before
    /// the first piece.
    const MOST_SIDE_BY_SIDE: u64 = 1 << 16;

    /// These games for each arm; `side_by_side` says for every arm whether a worker plays many of
    /// its games together.
    pub(super) fn new(side_by_side: Vec<bool>, games: Range<u64>, workers: usize) -> GameQueue {
        let next = NextGames {
            of_arms: vec![games.start; side_by_side.len()],
            end: games.end,
        };
        GameQueue {
            next: Mutex::new(next),
            workers: workers as u64,
            side_by_side,
        }
    }

    /// Takes up to `most` games, but fewer towards the end, so that no worker has many left while
    /// others are idle. With a kernel, a worker takes many more, or all if there are only a few,
    /// because it can hand some over later.
    pub(super) fn take(&self, most: u64) -> Option<Chunk> {
        self.take_from(|_| true, most)
    }

    /// Takes only games of arms with a kernel.
    pub(super) fn take_side_by_side(&self) -> Option<Chunk> {
        self.take_from(|arm| self.side_by_side[arm], 0)
    }

    fn take_from(&self, is_wanted: impl Fn(usize) -> bool, most: u64) -> Option<Chunk> {
        let mut state = lock(&self.next);
        let end = state.end;
        let left = state.of_arms.iter().map(|next| end.saturating_sub(*next));
        let all_left = left.fold(0, u64::saturating_add);
        let wanted = (state.of_arms.iter_mut().enumerate()).filter(|arm| is_wanted(arm.0));
        let (arm, next) = wanted.min_by_key(|arm| *arm.1)?;
        let left = end.checked_sub(*next).filter(|&left| left > 0)?;
        let start = *next;
        *next += if self.side_by_side[arm] {
            let share = all_left / (2 * self.workers);
            let share = share.clamp(Self::FEWEST_SIDE_BY_SIDE, Self::MOST_SIDE_BY_SIDE);
            share.min(left)
        } else {
            most.min(left / (2 * self.workers)).max(1)
        };
        Some(Chunk {
            arm,
            games: start..*next,
        })
    }

    /// Stops handing out games from this number on: that game has failed, and only an earlier game
    /// could still be the first to fail.
    pub(super) fn end_at(&self, game: u64) {
        let mut state = lock(&self.next);
        state.end = state.end.min(game);
    }
}

/// Number of games that a worker takes at a time: one while games are long, many if they take
/// microseconds.
#[derive(Debug)]
pub(super) struct ChunkSize(u64);

impl ChunkSize {
    const MOST: u64 = 4096;
    const AIM: Duration = Duration::from_millis(4);

    pub(super) fn new() -> ChunkSize {
        ChunkSize(1)
    }

    pub(super) fn get(&self) -> u64 {
        self.0
    }

    /// Adapts the chunk size to the duration of the last chunk.
    pub(super) fn adapt(&mut self, took: Duration) {
        self.0 = match took {
            _ if took < Self::AIM / 2 => (self.0 * 2).min(Self::MOST),
            _ if took > Self::AIM * 2 => (self.0 / 2).max(1),
            _ => self.0,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_of_every_arm_is_assigned_once_and_arms_progress_evenly() {
        let queue = GameQueue::new(vec![false; 3], 0..100, 2);
        let mut begun = [0; 3];
        while let Some(chunk) = queue.take(7) {
            assert_eq!(chunk.games.start, begun[chunk.arm]);
            begun[chunk.arm] = chunk.games.end;
            let (least, most) = (begun.iter().min().unwrap(), begun.iter().max().unwrap());
            assert!(most - least <= 7);
        }
        assert_eq!(begun, [100; 3]);
    }

    #[test]
    fn chunks_shrink_towards_the_end() {
        let queue = GameQueue::new(vec![false], 0..100, 2);
        let sizes: Vec<u64> = std::iter::from_fn(|| queue.take(1000))
            .map(|chunk| chunk.games.end - chunk.games.start)
            .collect();
        assert_eq!(sizes[..3], [25, 18, 14]);
        assert_eq!(sizes[sizes.len() - 4..], [1; 4]);
    }

    #[test]
    fn games_side_by_side_are_shared_out_in_large_chunks() {
        let sizes = |arms, games| {
            let queue = GameQueue::new(vec![true; arms], 0..games, 2);
            let chunks = std::iter::from_fn(|| queue.take(1));
            chunks
                .map(|chunk| chunk.games.end - chunk.games.start)
                .collect::<Vec<_>>()
        };
        assert_eq!(sizes(1, 100), [100]);
        assert_eq!(sizes(3, 100), [100, 100, 100]);
        assert_eq!(sizes(1, 10_000)[..3], [2500, 1875, 1406]);
        let endless = GameQueue::new(vec![true; 2], 0..u64::MAX, 1);
        assert_eq!(endless.take(1).map(|chunk| chunk.games), Some(0..1 << 16));
    }

    #[test]
    fn games_side_by_side_can_be_taken_before_others() {
        let queue = GameQueue::new(vec![false, true, true], 0..3, 1);
        let taken = std::iter::from_fn(|| queue.take_side_by_side());
        assert_eq!(taken.map(|chunk| chunk.arm).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(queue.take(9).map(|chunk| chunk.arm), Some(0));
    }

    #[test]
    fn nothing_is_assigned_beyond_the_end() {
        let queue = GameQueue::new(vec![false], 0..100, 1);
        queue.end_at(1);
        assert_eq!(
            queue.take(50),
            Some(Chunk {
                arm: 0,
                games: 0..1
            })
        );
        assert_eq!(queue.take(50), None);
        assert_eq!(GameQueue::new(Vec::new(), 0..5, 1).take(1), None);
    }

    #[test]
    fn the_size_follows_the_time_that_games_take() {
        let mut size = ChunkSize::new();
        for _ in 0..20 {
            size.adapt(Duration::from_micros(10));
        }
        assert_eq!(size.get(), ChunkSize::MOST);
        for _ in 0..20 {
            size.adapt(Duration::from_secs(10));
        }
        assert_eq!(size.get(), 1);
    }
}
