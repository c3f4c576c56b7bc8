//! How far play has come, told while it goes on.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How far play has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Games that have ended or were cut off, of all arms.
    pub games_done: u64,
    /// Games to play, of all arms.
    pub games_total: u64,
    /// Pieces placed so far, of all arms.
    pub pieces: u64,
}

/// Who is told how far play has come; called from the threads that play, from each a few dozen times per second at most.
pub type Observer<'a> = dyn Fn(Progress) + Sync + 'a;

/// The counts of all workers together.
pub(super) struct Counts<'a> {
    games_done: AtomicU64,
    games_total: u64,
    pieces: AtomicU64,
    observer: &'a Observer<'a>,
}

impl<'a> Counts<'a> {
    pub(super) fn new(games_total: u64, observer: &'a Observer<'a>) -> Counts<'a> {
        Counts {
            games_done: AtomicU64::new(0),
            games_total,
            pieces: AtomicU64::new(0),
            observer,
        }
    }

    fn add(&self, games: u64, pieces: u64) {
        let games_done = self.games_done.fetch_add(games, Ordering::Relaxed) + games;
        let pieces = self.pieces.fetch_add(pieces, Ordering::Relaxed) + pieces;
        (self.observer)(Progress {
            games_done,
            games_total: self.games_total,
            pieces,
        });
    }

    /// Tells the final counts: the reports of several workers may have overtaken each other.
    pub(super) fn finish(&self) {
        self.add(0, 0);
    }
}

/// One worker's share of the counting: counts by itself, and reports about every [`Meter::AIM`] however long a piece
/// takes.
pub(super) struct Meter<'a> {
    counts: &'a Counts<'a>,
    games: u64,
    pieces: u64,
    /// Report after this many pieces.
    stride: u64,
    reported: Instant,
}

impl<'a> Meter<'a> {
    const AIM: Duration = Duration::from_millis(40);
    const LONGEST_STRIDE: u64 = 1 << 20;

    /// A meter that reports to the counts.
    pub(super) fn new(counts: &'a Counts<'a>) -> Meter<'a> {
        Meter {
            counts,
            games: 0,
            pieces: 0,
            stride: 1,
            reported: Instant::now(),
        }
    }

    /// A piece was placed.
    #[inline]
    pub(super) fn piece(&mut self) {
        self.pieces += 1;
        if self.pieces >= self.stride {
            self.pause();
        }
    }

    /// Pieces were placed and games done side by side.
    pub(super) fn batch(&mut self, games: u64, pieces: u64) {
        self.games += games;
        self.pieces += pieces;
        if self.reported.elapsed() >= Self::AIM {
            self.report();
        }
    }

    /// A game is done.
    #[inline]
    pub(super) fn game(&mut self) {
        self.games += 1;
    }

    /// Reports if it is time to, and learns how many pieces that takes.
    #[cold]
    fn pause(&mut self) {
        let elapsed = self.reported.elapsed();
        if elapsed < Self::AIM / 2 {
            self.stride = (self.stride * 2).min(Self::LONGEST_STRIDE);
        } else if elapsed > Self::AIM * 2 {
            self.stride = (self.stride / 2).max(1);
        }
        if elapsed >= Self::AIM / 2 || self.pieces >= Self::LONGEST_STRIDE {
            self.report();
        }
    }

    /// Tells what was counted since the last report.
    pub(super) fn report(&mut self) {
        self.counts.add(self.games, self.pieces);
        (self.games, self.pieces) = (0, 0);
        self.reported = Instant::now();
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        // The panic may be the observer's; a second one would end the process.
        if !std::thread::panicking() {
            self.report();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn everything_is_counted_and_little_is_reported() {
        let reports = Mutex::new(Vec::new());
        let observer = |progress| reports.lock().unwrap().push(progress);
        let counts = Counts::new(10, &observer);
        let mut meter = Meter::new(&counts);
        for _ in 0..10 {
            (0..10_000).for_each(|_| meter.piece());
            meter.game();
        }
        drop(meter);
        counts.finish();
        let reports = reports.lock().unwrap();
        assert!(reports.len() < 100, "{} reports", reports.len());
        let last = reports.last().unwrap();
        assert_eq!((last.games_done, last.pieces), (10, 100_000));
    }
}
