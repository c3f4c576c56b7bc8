//! What the placements of a piece score on eight boards.

use super::lanes::{Lanes, Words};
use crate::outcomes::MAX_OUTCOMES;

/// The score of a placement that cannot be chosen, or not yet.
pub(super) const NO_SCORE: i32 = i32::MIN;

/// The scores of all placements on eight boards, and the best of them.
pub(super) struct Ratings<L> {
    /// The scores, placement by placement.
    pub(super) scores: [Words; MAX_OUTCOMES],
    /// Where they land: one more than the row.
    pub(super) landings: [Words; MAX_OUTCOMES],
    /// For each placement a bit for every board on which it is settled: scored, or known to lose. The eight after the
    /// last placement are settled.
    pub(super) settled: [u8; MAX_OUTCOMES + 8],
    /// Number of placements.
    pub(super) count: usize,
    /// The best score.
    pub(super) best: L,
    /// The next best, or the same if there are two of it.
    pub(super) second: L,
    /// The number of the first placement with the best score.
    pub(super) index: L,
}

/// The best so far, while placements are rated.
pub(super) struct Running<L> {
    count: usize,
    number: L,
    best: L,
    second: L,
    index: L,
}

impl<L: Lanes> Running<L> {
    #[inline(always)]
    pub(super) fn new() -> Running<L> {
        Running {
            count: 0,
            number: L::splat(0),
            best: L::splat(NO_SCORE),
            second: L::splat(NO_SCORE),
            index: L::splat(0),
        }
    }
}

impl<L: Lanes> Ratings<L> {
    pub(super) fn new() -> Ratings<L> {
        Ratings {
            scores: [Words([NO_SCORE; 8]); MAX_OUTCOMES],
            landings: [Words([0; 8]); MAX_OUTCOMES],
            settled: [0; MAX_OUTCOMES + 8],
            count: 0,
            best: L::splat(NO_SCORE),
            second: L::splat(NO_SCORE),
            index: L::splat(0),
        }
    }

    /// Takes the next placement's scores, where it is settled, and where it lands.
    #[inline(always)]
    pub(super) fn push(&mut self, running: &mut Running<L>, score: L, settled: L, landing: L) {
        let place = running.count % MAX_OUTCOMES;
        self.scores[place] = score.store();
        self.landings[place] = landing.store();
        self.settled[place] = settled.bits() as u8;
        running.second = running.second.max(running.best.min(score));
        running.index = score.gt(running.best).pick(running.number, running.index);
        running.best = running.best.max(score);
        running.number = running.number.add(L::splat(1));
        running.count += 1;
    }

    /// Keeps the best when all placements are rated.
    #[inline(always)]
    pub(super) fn finish(&mut self, running: &Running<L>) {
        self.count = running.count;
        self.settled[running.count % MAX_OUTCOMES..][..8].fill(u8::MAX);
        self.best = running.best;
        self.second = running.second;
        self.index = running.index;
    }
}
