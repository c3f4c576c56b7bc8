//! Placements with wider effects: the boards after them are measured as a whole.

use super::decide::{Decider, GROUPS, ListedPlacement, MOST};
use super::ratings::NO_SCORE;
use super::set::{SetKind, with_set};
use super::surface::{Cells, fill};
use super::tables::Tables;
use super::whole::{Measured, Whole};
use super::whole_alone::WholeAlone;
use crate::simd::{LANES, Lanes, Words};

/// Up to this number, measuring whole boards one by one is faster than measuring eight together.
const MOST_ALONE: usize = 5;

impl<L: Lanes> Decider<L> {
    /// Rates the placements whose boards must be measured as a whole: eight at a time, and the last
    /// few one by one.
    #[inline(always)]
    pub(super) fn settle_unusual<'b>(
        &mut self,
        tables: &Tables,
        board: &impl Fn(usize) -> &'b Cells,
    ) {
        let mut from = 0;
        while from + MOST_ALONE < self.listed {
            let measured = self.measure(tables, board, from, false);
            for k in 0..(self.listed - from).min(LANES) {
                let (score, removed) = (measured.scores.0[k], measured.removed.0[k] as u32);
                self.take_score(tables, self.candidates[(from + k) % MOST], score, removed);
            }
            from += LANES;
        }
        for k in from..self.listed {
            let candidate = self.candidates[k % MOST];
            let (board, spot) = (
                board(usize::from(candidate.member)),
                self.spot(tables, candidate),
            );
            let (score, removed) = with_set!(tables.kind, set => L::enter(WholeAlone {
                board,
                spot,
                tables,
                _set: set,
            }), else break);
            self.take_score(tables, candidate, score, removed);
        }
    }

    /// Measures the boards after up to eight of the listed placements: only scores, or also the
    /// measures.
    #[inline(always)]
    pub(super) fn measure<'b>(
        &mut self,
        tables: &Tables,
        board: &impl Fn(usize) -> &'b Cells,
        from: usize,
        with_values: bool,
    ) -> Measured {
        for k in 0..(self.listed - from).min(LANES) {
            let candidate = self.candidates[(from + k) % MOST];
            let (place, landing) = self.spot(tables, candidate);
            self.after[k] = *board(usize::from(candidate.member));
            fill::<L>(&mut self.after[k], place, landing);
        }
        let (boards, own) = (&self.after, &mut self.columns);
        let values = with_values.then_some(&mut self.values);
        macro_rules! measure {
            ($set:expr) => {
                L::enter(Whole {
                    boards,
                    own,
                    tables,
                    values,
                    _set: $set,
                })
            };
        }
        with_set!(tables.kind, set => measure!(set),
            else unreachable!("only measures have such placements"))
    }

    /// Compares a placement, given the resulting board and the completed rows, with the best one so
    /// far in its game.
    #[inline(always)]
    fn take_score(
        &mut self,
        tables: &Tables,
        candidate: ListedPlacement,
        board_score: i32,
        removed: u32,
    ) {
        let (place, landing) = self.spot(tables, candidate);
        let (member, index) = (usize::from(candidate.member), usize::from(candidate.index));
        let (group, lane) = (member / LANES % GROUPS, member % LANES);
        let score = board_score
            + place.landing.0
            + place.landing.1 * landing
            + tables.eroded_score(place, landing, removed);
        self.ratings[group].set_score(index, lane, score);
        self.take_best((group, lane), score, index as i32, board_score, removed);
    }

    /// Keeps a placement if it is the best so far in its game. About half of the candidates are,
    /// unpredictably, so a branch would be slow. Instead, all lanes of the group are computed,
    /// although only one can change.
    #[inline(always)]
    fn take_best(
        &mut self,
        (group, lane): (usize, usize),
        score: i32,
        index: i32,
        board_score: i32,
        removed: u32,
    ) {
        let choices = &mut self.choices;
        let here = L::load(&LANE_MASKS[lane % LANES]);
        let score = here.pick(L::splat(score), L::splat(NO_SCORE));
        let (best, first) = (
            L::load(&choices.best[group]),
            L::load(&choices.index[group]),
        );
        let is_earlier = score.eq(best).and(first.gt(L::splat(index)));
        let wins = score.gt(best).or(is_earlier).and(here);
        let keep =
            |old: &mut Words, new: i32| *old = wins.pick(L::splat(new), L::load(old)).store();
        let second = L::load(&choices.second[group]);
        choices.second[group] = second.max(best.min(score)).store();
        choices.best[group] = best.max(score).store();
        keep(&mut choices.index[group], index);
        keep(&mut choices.board_score[group], board_score);
        keep(&mut choices.removed[group], removed as i32);
    }
}

/// A mask for each lane.
const LANE_MASKS: [Words; LANES] = {
    let mut masks = [Words([0; LANES]); LANES];
    let mut lane = 0;
    while lane < LANES {
        masks[lane].0[lane] = -1;
        lane += 1;
    }
    masks
};
