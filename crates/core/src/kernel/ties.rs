//! Placements that rounding may have confused, compared again with exact weights.

use super::decide::{Candidate, Desk, MOST, SEATS};
use super::lanes::{LANES, Lanes};
use super::ratings::NO_SCORE;
use super::shape::SHAPES;
use super::surface::Cells;
use super::tables::{Place, Tables};
use super::weights::{Measure, Set};
use super::whole::Measured;

impl<L: Lanes> Desk<L> {
    /// Where rounding may have confused placements, or ties do not go to the first, finds the best by exact scores.
    #[inline(always)]
    pub(super) fn settle_ties<'b, S: Set>(
        &mut self,
        tables: &Tables,
        board: &impl Fn(usize) -> &'b Cells,
    ) {
        self.listed = 0;
        let tolerance = tables.weights.tolerance;
        for seat in 0..self.taken.min(SEATS) {
            let (group, lane) = (seat / LANES, seat % LANES);
            let best = self.seats.best[group].0[lane];
            if self.seats.second[group].0[lane] >= best.saturating_sub(tolerance)
                && best != NO_SCORE
            {
                self.list_close(tables, seat, best - tolerance);
            }
        }
        if S::RECORD && tolerance == 0 {
            self.settle_by_rank(tables);
            return;
        }
        let listed = self.listed;
        let mut winner = (SEATS, i64::MIN, u8::MAX);
        for from in (0..listed).step_by(LANES) {
            let measured = self.measure::<S, true>(tables, board, from);
            for k in 0..(listed - from).min(LANES) {
                let Candidate { seat, index } = self.candidates[from + k];
                let (seat, index) = (usize::from(seat), usize::from(index));
                let (group, lane) = (seat / LANES, seat % LANES);
                let piece = self.seats.piece[seat];
                let spot = self.spot(tables, self.candidates[from + k]);
                let score = exact_score(tables, &measured, k, spot);
                let rank = tables.ranks[usize::from(piece)][index];
                if winner.0 != seat {
                    winner = (seat, i64::MIN, u8::MAX);
                }
                if winner.1 < score || (winner.1 == score && winner.2 > rank) {
                    winner = (seat, score, rank);
                    self.seats.index[group].0[lane] = index as i32;
                    self.seats.best[group].0[lane] = self.ratings[group].score(index, lane);
                    self.seats.board_score[seat] = measured.scores.0[k];
                    self.seats.removed[seat] = measured.removed.0[k] as u32;
                }
            }
        }
    }

    /// Takes the first in the order that decides ties among the listed placements of every game, which all score alike.
    #[inline(always)]
    fn settle_by_rank(&mut self, tables: &Tables) {
        for candidate in &self.candidates[..self.listed] {
            let (seat, index) = (usize::from(candidate.seat), usize::from(candidate.index));
            let ranks = &tables.ranks[usize::from(self.seats.piece[seat])];
            let best = &mut self.seats.index[seat / LANES].0[seat % LANES];
            if ranks[index] < ranks[*best as usize] {
                *best = index as i32;
            }
        }
    }

    /// Lists the placements of one game that score at least so much.
    #[inline(always)]
    pub(super) fn list_close(&mut self, tables: &Tables, seat: usize, at_least: i32) {
        let ratings = &self.ratings[seat / LANES];
        let count = tables.ranks[usize::from(self.seats.piece[seat])].len();
        for index in 0..count {
            if ratings.score(index, seat % LANES) >= at_least {
                self.candidates[self.listed % MOST] = Candidate {
                    seat: seat as u8,
                    index: index as u8,
                };
                self.listed += 1;
            }
        }
    }
}

/// What a placement scores with exact weights.
#[inline(always)]
pub(super) fn exact_score(
    tables: &Tables,
    measured: &Measured,
    k: usize,
    spot: (&Place, i32),
) -> i64 {
    let removed = measured.removed.0[k] as u32;
    let weighted = measured.values.iter().zip(&tables.weights.exact);
    let board: i64 = weighted
        .map(|(values, weight)| i64::from(values.0[k]) * weight)
        .sum();
    board + exact_landing(tables, spot, removed)
}

/// What a landing scores with exact weights.
#[inline(always)]
pub(super) fn exact_landing(tables: &Tables, spot: (&Place, i32), removed: u32) -> i64 {
    let (place, landing) = spot;
    let shape = &SHAPES[place.shape];
    let is_removed = |row: usize| (removed >> (landing as usize + row) & 1) as usize;
    let cells = |row: usize| is_removed(row) * shape.cells_in_row[row];
    let erased = (0..4).map(cells).sum::<usize>() as i64;
    let weights = &tables.weights.exact;
    let distance = i64::from(shape.distance(tables.height, landing));
    weights[Measure::Distance as usize] * distance
        + weights[Measure::Lines as usize] * i64::from(removed.count_ones())
        + weights[Measure::Landing as usize] * (2 * i64::from(landing) + shape.height as i64 - 3)
        + weights[Measure::Eroded as usize] * i64::from(removed.count_ones()) * erased
}
