//! Exact comparison of placements whose order may have been changed by rounding.

use super::decide::{Decider, GROUPS, ListedPlacement, MEMBERS, MOST};
use super::ratings::NO_SCORE;
use super::shape::SHAPES;
use super::surface::Cells;
use super::tables::{Place, Tables};
use super::weights::Measure;
use super::whole::{Measured, Values};
use crate::simd::{LANES, Lanes};

/// The best placement so far of one game, by its exact score and then by the tie-breaking order.
struct Winner {
    member: usize,
    score: i64,
    rank: u8,
}

impl Winner {
    fn nobody(member: usize) -> Winner {
        Winner {
            member,
            score: i64::MIN,
            rank: u8::MAX,
        }
    }
}

impl<L: Lanes> Decider<L> {
    /// Finds the best placement by exact scores, where rounding may have changed the order, or
    /// where ties are not won by the first placement.
    #[inline(always)]
    pub(super) fn settle_ties<'b>(&mut self, tables: &Tables, board: &impl Fn(usize) -> &'b Cells) {
        self.list_all_close(tables);
        if tables.lookup.is_some() {
            self.settle_by_rank(tables);
            return;
        }
        let listed = self.listed;
        let mut winner = Winner::nobody(MEMBERS);
        for from in (0..listed).step_by(LANES) {
            let measured = self.measure(tables, board, from, true);
            for k in 0..(listed - from).min(LANES) {
                let candidate = self.candidates[from + k];
                self.take_exact(tables, candidate, &measured, k, &mut winner);
            }
        }
    }

    /// Lists the placements of all games that may be as good as the best.
    #[inline(always)]
    fn list_all_close(&mut self, tables: &Tables) {
        self.listed = 0;
        let tolerance = tables.weights.tolerance;
        for group in 0..self.taken.div_ceil(LANES).min(GROUPS) {
            let mut close = self.close_games(group, tolerance);
            while close != 0 {
                let lane = close.trailing_zeros() as usize;
                let best = self.choices.best[group].0[lane];
                self.list_close(tables, group * LANES + lane, best - tolerance);
                close &= close - 1;
            }
        }
    }

    /// Compares a placement, measured in lane `k`, with the best one in its game so far.
    #[inline(always)]
    fn take_exact(
        &mut self,
        tables: &Tables,
        candidate: ListedPlacement,
        measured: &Measured,
        k: usize,
        winner: &mut Winner,
    ) {
        let (member, index) = (usize::from(candidate.member), usize::from(candidate.index));
        let (group, lane) = (member / LANES, member % LANES);
        let spot = self.spot(tables, candidate);
        let removed = measured.removed.0[k];
        let score = exact_score(tables, &self.values, k, removed as u32, spot);
        let rank = tables.ranks[usize::from(self.choices.piece[member])][index];
        if winner.member != member {
            *winner = Winner::nobody(member);
        }
        if winner.score < score || (winner.score == score && winner.rank > rank) {
            *winner = Winner {
                member,
                score,
                rank,
            };
            self.choices.index[group].0[lane] = index as i32;
            self.choices.best[group].0[lane] = self.ratings[group].score(index, lane);
            self.choices.board_score[group].0[lane] = measured.scores.0[k];
            self.choices.removed[group].0[lane] = removed;
        }
    }

    /// A bit for every game in a group whose second best placement may be as good as the best.
    #[inline(always)]
    fn close_games(&self, group: usize, tolerance: i32) -> u32 {
        let best = L::load(&self.choices.best[group]);
        let second = L::load(&self.choices.second[group]);
        // No score is so low that this wraps, except `NO_SCORE`, which is masked below.
        let is_close = second.gt(best.sub(L::splat(tolerance + 1)));
        let taken = (self.taken - group * LANES).min(LANES);
        is_close.and(best.gt(L::splat(NO_SCORE))).bits() & (u32::from(u8::MAX) >> (LANES - taken))
    }

    /// Chooses the first in the tie-breaking order among the listed placements of every game, which
    /// all have the same score.
    #[inline(always)]
    fn settle_by_rank(&mut self, tables: &Tables) {
        for candidate in &self.candidates[..self.listed] {
            let (member, index) = (usize::from(candidate.member), usize::from(candidate.index));
            let ranks = &tables.ranks[usize::from(self.choices.piece[member])];
            let best = &mut self.choices.index[member / LANES].0[member % LANES];
            if ranks[index] < ranks[*best as usize] {
                *best = index as i32;
            }
        }
    }

    /// Lists the placements of one game that score at least `at_least`.
    #[inline(always)]
    pub(super) fn list_close(&mut self, tables: &Tables, member: usize, at_least: i32) {
        let count = tables.ranks[usize::from(self.choices.piece[member])].len();
        for index in 0..count {
            if self.ratings[member / LANES].score(index, member % LANES) >= at_least {
                self.list(member, index as u8);
            }
        }
    }

    /// Lists one placement.
    #[inline(always)]
    pub(super) fn list(&mut self, member: usize, index: u8) {
        let member = member as u8;
        self.candidates[self.listed % MOST] = ListedPlacement { member, index };
        self.listed += 1;
    }
}

/// The score of the placement in lane `k` with exact weights.
#[inline(always)]
pub(super) fn exact_score(
    tables: &Tables,
    values: &Values,
    k: usize,
    removed: u32,
    spot: (&Place, i32),
) -> i64 {
    let weighted = tables.weights.used.iter();
    let board: i64 = weighted
        .map(|&(measure, weight)| i64::from(values[measure].0[k]) * weight)
        .sum();
    board + exact_landing(tables, spot, removed)
}

/// The score of a landing with exact weights.
#[inline(always)]
pub(super) fn exact_landing(tables: &Tables, spot: (&Place, i32), removed: u32) -> i64 {
    let (place, landing) = spot;
    let shape = &SHAPES[place.shape];
    let is_removed = |row: usize| (removed >> (landing as usize + row) & 1) as usize;
    let cells = |row: usize| is_removed(row) * shape.cells_in_row[row];
    let erased = (0..4).map(cells).sum::<usize>() as i64;
    let weights = &tables.weights.exact;
    weights[Measure::Landing as usize] * (2 * i64::from(landing) + shape.height as i64 - 3)
        + weights[Measure::Eroded as usize] * i64::from(removed.count_ones()) * erased
}
