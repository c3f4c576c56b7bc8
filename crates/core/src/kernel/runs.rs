//! The changes that a placement makes to fast well sums and diversity, the features in which DT
//! differs from BCTS.

use super::drop::{Dropped, open_side};
use super::shape::Ledge;
use super::surface::Part::*;
use super::surface::{SMALL_STEPS, View, step};
use super::tables::{ShapeTables, Tables};
use crate::simd::Lanes;

impl<L: Lanes, V: View<L>> Dropped<'_, L, V> {
    /// The change in the fast well sum, without wells on top of the shape.
    #[inline(always)]
    pub(super) fn runs(&self) -> L {
        let (shape, last) = (self.shape, self.shape.width - 1);
        let rows = |rows: u32| self.bits_of(rows);
        let (left, right) = (0, last + 2);
        let beside = self.view.get(left, OpenRight).and(rows(shape.columns[0]));
        let mut sum = self.run_change(left, self.view.get(left, Reach).or(beside));
        let beside = self
            .view
            .get(right, OpenLeft)
            .and(rows(shape.columns[last]));
        sum = sum.add(self.run_change(right, self.view.get(right, Reach).or(beside)));
        if shape.width == 1 {
            // The vertical I leaves the part of a well above it.
            let filled = self.bits_of(15).or(self.landing_bit.sub(L::splat(1)));
            let above = self.view.get(1, Reach).or(filled);
            let run = above.bit_length().sub(self.landing.add(L::splat(4)));
            sum = sum
                .add(run.mul(run.add(L::splat(1))))
                .sub(self.view.get(1, Run));
        }
        if let Some(ledge) = shape.ledges[0] {
            sum = sum.add(self.runs_below(ledge));
        }
        if let Some(ledge) = shape.ledges[1] {
            sum = sum.add(self.runs_below(ledge));
        }
        // All terms are twice the sums 1 + 2 + ... + n.
        sum.shr_signed::<1>()
    }

    /// Twice the contribution of the cells below a ledge to the fast well sum.
    #[inline(always)]
    fn runs_below(&self, ledge: Ledge) -> L {
        let (low, high) = (ledge.low + 1, ledge.high + 1);
        let open = self.view.get(high, open_side(ledge));
        let wells = open.and(self.bits_of(ledge.rows));
        let mut sum = self.run_change(high, self.view.get(high, Reach).or(wells));
        if !ledge.shares_low {
            let below = self.bits_of(1 << ledge.from).sub(L::splat(1));
            sum = sum.add(self.run_change(low, self.view.get(low, Reach).and(below)));
        }
        sum
    }

    /// Twice the change in the fast well sum if a column's highest well cell (or its top, without a
    /// well) changes.
    #[inline(always)]
    fn run_change(&self, column: usize, reach: L) -> L {
        let rows = reach.bit_length().sub(self.view.get(column, Top));
        let run = self.view.get(column, Run);
        rows.mul(rows.add(L::splat(1))).sub(run)
    }

    /// The small steps between all columns after the placement.
    #[inline(always)]
    pub(super) fn steps(&self, own: &ShapeTables) -> L {
        let (shape, last) = (self.shape, self.shape.width - 1);
        let (left, right) = (0, last + 2);
        let top = |j: usize| self.landing.add(L::splat(shape.high[j] as i32));
        let on_left = step(self.view.get(left, Top), top(0));
        let beside = on_left.or(step(top(last), self.view.get(right, Top)));
        let others = self.view.get(left, StepsLeft);
        let others = others.or(self.view.get(right, StepsRight));
        beside.or(others).or(L::splat(own.steps))
    }
}

/// The score of small steps.
#[inline(always)]
pub(super) fn steps_score<L: Lanes>(steps: L, tables: &Tables) -> L {
    let steps = steps.and(L::splat(SMALL_STEPS));
    let low = steps.look_up(&tables.steps[0]);
    low.add(steps.shr::<3>().look_up(&tables.steps[1]))
}
