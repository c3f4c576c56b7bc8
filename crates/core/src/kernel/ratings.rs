//! The scores of a piece's placements on eight boards.

use crate::outcomes::MAX_OUTCOMES;
use crate::simd::{LANES, Lanes};

/// The score of a placement that cannot be chosen, or has not been scored yet.
pub(super) const NO_SCORE: i32 = i32::MIN;

/// A number for every placement on each of eight boards.
#[repr(align(32))]
struct PlacementNumbers([i32; MAX_OUTCOMES * LANES]);

/// The scores of all placements on eight boards, and the best placements.
pub(super) struct Ratings<L> {
    scores: PlacementNumbers,
    landings: PlacementNumbers,
    /// A bit for each placement and board that is settled: scored, or known to lose. The order is
    /// that of the scores; the eight bytes after the last placement are all ones.
    settled: [u8; MAX_OUTCOMES + 8],
    /// Whether the numbers of a board are contiguous; if not, the numbers of a placement are.
    by_board: bool,
    /// Number of placements, if all are of the same piece.
    pub(super) count: usize,
    /// The best placement on each of the boards, if they were rated together.
    pub(super) best: Best<L>,
}

/// The best placement in every lane.
#[derive(Clone, Copy)]
pub(super) struct Best<L> {
    /// The score of the placement.
    pub(super) score: L,
    /// The next best score, which equals the best if two placements have it.
    pub(super) second: L,
    /// The index of the first placement with the best score.
    pub(super) index: L,
}

impl<L: Lanes> Best<L> {
    #[inline(always)]
    pub(super) fn new() -> Best<L> {
        Best {
            score: L::splat(NO_SCORE),
            second: L::splat(NO_SCORE),
            index: L::splat(0),
        }
    }

    /// Takes into account placements with higher indices than all earlier ones.
    #[inline(always)]
    pub(super) fn take(&mut self, score: L, number: L) {
        self.second = self.second.max(self.score.min(score));
        self.index = score.gt(self.score).pick(number, self.index);
        self.score = self.score.max(score);
    }
}

/// The best placement so far, while placements are rated.
pub(super) struct Running<L> {
    count: usize,
    number: L,
    best: Best<L>,
}

impl<L: Lanes> Running<L> {
    #[inline(always)]
    pub(super) fn new() -> Running<L> {
        Running {
            count: 0,
            number: L::splat(0),
            best: Best::new(),
        }
    }
}

impl<L: Lanes> Ratings<L> {
    pub(super) fn new() -> Ratings<L> {
        Ratings {
            scores: PlacementNumbers([NO_SCORE; MAX_OUTCOMES * LANES]),
            landings: PlacementNumbers([0; MAX_OUTCOMES * LANES]),
            settled: [0; MAX_OUTCOMES + 8],
            by_board: false,
            count: 0,
            best: Best::new(),
        }
    }

    #[inline(always)]
    fn slot(&self, index: usize, lane: usize) -> usize {
        let slot = if self.by_board {
            lane * MAX_OUTCOMES + index
        } else {
            index * LANES + lane
        };
        slot % (MAX_OUTCOMES * LANES)
    }

    /// The score of a placement on one of the boards.
    #[inline(always)]
    pub(super) fn score(&self, index: usize, lane: usize) -> i32 {
        self.scores.0[self.slot(index, lane)]
    }

    /// Overwrites the score of a placement.
    #[inline(always)]
    pub(super) fn set_score(&mut self, index: usize, lane: usize, score: i32) {
        self.scores.0[self.slot(index, lane)] = score;
    }

    /// The landing of a placement on one of the boards: one more than the row.
    #[inline(always)]
    pub(super) fn landing(&self, index: usize, lane: usize) -> i32 {
        self.landings.0[self.slot(index, lane)]
    }

    /// Whether a placement is scored, or known to lose, without measuring the whole board.
    #[inline(always)]
    pub(super) fn is_settled(&self, index: usize, lane: usize) -> bool {
        let slot = self.slot(index, lane);
        self.settled[slot / 8] >> (slot % 8) & 1 == 1
    }

    /// The bits of the placements that are not settled, eight at a time, if the numbers of a
    /// placement are contiguous.
    #[inline(always)]
    pub(super) fn unsettled(&self) -> impl Iterator<Item = u64> + '_ {
        let (chunks, _) = self.settled.as_chunks::<8>();
        let chunks = chunks[..self.count.div_ceil(8)].iter();
        chunks.map(|settled| !u64::from_le_bytes(*settled))
    }

    /// Adds the scores of the next placement, where it is settled, and its landing.
    #[inline(always)]
    pub(super) fn push(&mut self, running: &mut Running<L>, score: L, settled: L, landing: L) {
        let place = running.count % MAX_OUTCOMES;
        if let Some(scores) = self.scores.0[place * LANES..].first_chunk_mut() {
            *scores = score.store().0;
        }
        if let Some(landings) = self.landings.0[place * LANES..].first_chunk_mut() {
            *landings = landing.store().0;
        }
        self.settled[place] = settled.bits() as u8;
        running.best.take(score, running.number);
        running.number = running.number.add(L::splat(1));
        running.count += 1;
    }

    /// Stores the best placements when all have been rated.
    #[inline(always)]
    pub(super) fn finish(&mut self, running: &Running<L>) {
        self.by_board = false;
        self.count = running.count;
        self.settled[running.count % MAX_OUTCOMES..][..8].fill(u8::MAX);
        self.best = running.best;
    }

    /// Space for the scores and landings of one board, whose numbers are contiguous from now on.
    #[inline(always)]
    pub(super) fn of_board(&mut self, lane: usize) -> [&mut [i32; MAX_OUTCOMES]; 2] {
        self.by_board = true;
        let lane = lane % LANES;
        [&mut self.scores.0, &mut self.landings.0]
            .map(|numbers| &mut numbers.as_chunks_mut().0[lane])
    }

    /// Marks the placements on one board, whose numbers are contiguous, that are not settled.
    #[inline(always)]
    pub(super) fn set_unsettled(&mut self, lane: usize, unsettled: u64) {
        let (chunks, _) = self.settled.as_chunks_mut();
        chunks[lane % LANES] = (!unsettled).to_le_bytes();
    }
}
