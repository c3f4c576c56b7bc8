//! Progress of play.

use super::GameSink;
use crate::context::{Context, Event};
use crate::time::Instant;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The total counts of all workers.
pub(super) struct Counts<'a> {
    games_done: AtomicU64,
    games_total: u64,
    pieces: AtomicU64,
    context: &'a Context,
    sink: Option<&'a dyn GameSink>,
}

impl<'a> Counts<'a> {
    pub(super) fn new(
        games_total: u64,
        context: &'a Context,
        sink: Option<&'a dyn GameSink>,
    ) -> Counts<'a> {
        Counts {
            games_done: AtomicU64::new(0),
            games_total,
            pieces: AtomicU64::new(0),
            context,
            sink,
        }
    }

    fn add(&self, games: u64, pieces: u64) {
        let done = self.games_done.fetch_add(games, Ordering::Relaxed) + games;
        let pieces = self.pieces.fetch_add(pieces, Ordering::Relaxed) + pieces;
        self.context.report(Event::Games {
            done,
            total: self.games_total,
            pieces,
        });
        if let Some(sink) = self.sink {
            sink.tick();
        }
    }

    /// Reports the final counts: reports of several workers may have arrived out of order.
    pub(super) fn finish(&self) {
        self.add(0, 0);
    }
}

/// One worker's counters. Reports about every [`Meter::AIM`], however long a piece takes.
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

    /// Counts a piece.
    #[inline]
    pub(super) fn piece(&mut self) {
        self.pieces += 1;
        if self.pieces >= self.stride {
            self.pause();
        }
    }

    /// Counts games and pieces that were played side by side.
    pub(super) fn batch(&mut self, games: u64, pieces: u64) {
        self.games += games;
        self.pieces += pieces;
        if self.reported.elapsed() >= Self::AIM {
            self.report();
        }
    }

    /// Counts a finished game.
    #[inline]
    pub(super) fn game(&mut self) {
        self.games += 1;
    }

    /// Reports if a report is due, and adjusts the number of pieces between reports.
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

    /// Reports the counts since the last report.
    pub(super) fn report(&mut self) {
        self.counts.add(self.games, self.pieces);
        (self.games, self.pieces) = (0, 0);
        self.reported = Instant::now();
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        // The panic may be the observer's; a second one would abort the process.
        if !std::thread::panicking() {
            self.report();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Arena, lock};
    use std::sync::{Arc, Mutex};

    #[test]
    fn everything_is_counted_and_little_is_reported() {
        let reports = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&reports);
        let context = Context::new(&Arena::new(1).unwrap());
        let context = context.observer(move |event| lock(&seen).push(event.event));
        let counts = Counts::new(10, &context, None);
        let mut meter = Meter::new(&counts);
        for _ in 0..10 {
            (0..10_000).for_each(|_| meter.piece());
            meter.game();
        }
        drop(meter);
        counts.finish();
        let reports = lock(&reports);
        assert!(reports.len() < 100, "{} reports", reports.len());
        let (done, total, pieces) = (10, 10, 100_000);
        let last = Event::Games {
            done,
            total,
            pieces,
        };
        assert_eq!(reports.last(), Some(&last));
    }
}
