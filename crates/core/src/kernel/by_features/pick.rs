//! The choice among the scored placements, with exact scores where rounding may have changed the
//! order.

use super::lane_work::Scored8;
use super::plan::Source;
use super::rater::{Decisions, Rater};
use crate::kernel::ratings::NO_SCORE;
use crate::outcomes::{MAX_OUTCOMES, members};
use crate::placement::Landing;
use crate::simd::LANES;

impl Rater {
    /// Chooses the best placement in every game.
    pub(super) fn pick(
        &mut self,
        decisions: &Decisions<'_>,
        scored: &Scored8,
    ) -> [Option<usize>; LANES] {
        let ranks = &self.plan.ranks[decisions.piece as usize];
        let known = decisions.lanes() & !self.unsure;
        let mut best = [None; LANES];
        for lane in members(u64::from(known)) {
            if scored.best.0[lane] != NO_SCORE {
                best[lane] = Some(scored.index.0[lane] as usize);
            }
        }
        if known & scored.is_close == 0 {
            return best;
        }
        // Where others are close, scores that are not rounded decide.
        let close = in_eight_places(known & scored.is_close);
        let mut winners = [(f64::NEG_INFINITY, u8::MAX); LANES];
        for eight in 0..self.drops.count.div_ceil(8) {
            for bit in members(eight_places(&self.close, eight) & close) {
                let (place, lane) = (8 * eight + bit / LANES, bit % LANES);
                if place >= self.drops.count || scored.best.0[lane] == NO_SCORE {
                    continue;
                }
                let candidate = (self.score(decisions, place, lane), ranks[place]);
                let winner = winners[lane];
                let wins =
                    candidate.0 > winner.0 || (candidate.0 == winner.0 && candidate.1 < winner.1);
                if wins {
                    (winners[lane], best[lane]) = (candidate, Some(place));
                }
            }
        }
        best
    }

    /// The score of a placement, as the evaluator computes it on the general path.
    pub(crate) fn score(&self, decisions: &Decisions<'_>, place: usize, lane: usize) -> f64 {
        let (numbers, weights) = (&self.plan.numbers, decisions.weights[lane]);
        if let Some(slopes) = &weights.proportional
            && self.plan.is_plain
        {
            return self.plain_score(slopes, place, lane);
        }
        let landing = self.plan.has_landing();
        let landing = landing.then(|| self.landing(decisions.piece, place, lane));
        let (landing, at) = (landing.as_ref(), (place, lane));
        let mut score = 0.0;
        if let Some(slopes) = &weights.proportional {
            for (source, slope) in numbers.iter().zip(slopes) {
                score += slope * self.value(source, landing, at);
            }
        } else {
            for (number, source) in numbers.iter().enumerate() {
                score += weights.term(number, self.value(source, landing, at));
            }
        }
        if score.is_nan() {
            f64::NEG_INFINITY
        } else {
            score
        }
    }

    /// The score if the values are the numbers of the rows, and the terms are proportional to them.
    #[inline]
    fn plain_score(&self, slopes: &[f64], place: usize, lane: usize) -> f64 {
        let mut score = 0.0;
        for (row, slope) in self.numbers.iter().zip(slopes) {
            score += slope * f64::from(row[place % MAX_OUTCOMES].0[lane % LANES]);
        }
        if score.is_nan() {
            f64::NEG_INFINITY
        } else {
            score
        }
    }

    /// One of the values of a placement.
    #[inline(always)]
    fn value(
        &self,
        source: &Source,
        landing: Option<&Landing>,
        (place, lane): (usize, usize),
    ) -> f64 {
        match *source {
            Source::Lanes(row, unit) => {
                let units = self.numbers[row][place % MAX_OUTCOMES].0[lane % LANES];
                unit.value(f64::from(units), self.plan.width, self.plan.height)
            }
            Source::Landing(value) => landing.map_or(0.0, value),
            Source::Apart(row) => self.apart[row][lane][place],
        }
    }
}

/// The bits of eight placements, one byte for each.
pub(super) fn eight_places(bits: &[u8; MAX_OUTCOMES], eight: usize) -> u64 {
    u64::from_le_bytes(bits.as_chunks().0[eight])
}

/// The same lanes in each of eight placements.
pub(super) fn in_eight_places(lanes: u8) -> u64 {
    u64::from_le_bytes([lanes; 8])
}
