//! What a placement changes in fast well sums and in diversity: the features in which DT differs from BCTS.

use super::drop::Dropped;
use super::lanes::Lanes;
use super::shape::Ledge;
use super::surface::{Column, SMALL_STEPS, step};
use super::tables::{ShapeTables, Tables};

impl<L: Lanes> Dropped<'_, L> {
    /// What the placement adds to the fast well sum, but for wells on top of the shape.
    #[inline(always)]
    pub(super) fn runs(&self) -> L {
        let (shape, last) = (self.shape, self.shape.width - 1);
        let rows = |rows: u32| self.rows(rows);
        let (left, right) = (&self.view[0], &self.view[last + 2]);
        let beside = left.open_right.and(rows(shape.columns[0]));
        let mut sum = run_change(left, left.reach.or(beside));
        let beside = right.open_left.and(rows(shape.columns[last]));
        sum = sum.add(run_change(right, right.reach.or(beside)));
        if shape.width == 1 {
            // The upright I leaves of a well what lies above it.
            let own = &self.view[1];
            let above = own
                .reach
                .or(self.rows(15).or(self.landing_bit.sub(L::splat(1))));
            let run = above.bit_length().sub(self.landing.add(L::splat(4)));
            sum = sum.add(run.mul(run.add(L::splat(1)))).sub(own.run);
        }
        if let Some(ledge) = shape.ledges[0] {
            sum = sum.add(self.runs_below(ledge));
        }
        if let Some(ledge) = shape.ledges[1] {
            sum = sum.add(self.runs_below(ledge));
        }
        // All terms are twice the sums 1 + 2 + ... + n.
        sum.halve()
    }

    /// Twice what the cells below a ledge add to the fast well sum.
    #[inline(always)]
    fn runs_below(&self, ledge: Ledge) -> L {
        let (low, high) = (&self.view[ledge.low + 1], &self.view[ledge.high + 1]);
        let open = if ledge.low > ledge.high {
            high.open_right
        } else {
            high.open_left
        };
        let mut sum = run_change(high, high.reach.or(open.and(self.rows(ledge.rows))));
        if !ledge.shares_low {
            let below = self.rows(1 << ledge.from).sub(L::splat(1));
            sum = sum.add(run_change(low, low.reach.and(below)));
        }
        sum
    }

    /// The small steps between all columns after the placement.
    #[inline(always)]
    pub(super) fn steps(&self, own: &ShapeTables) -> L {
        let (shape, last) = (self.shape, self.shape.width - 1);
        let (left, right) = (&self.view[0], &self.view[last + 2]);
        let top = |j: usize| self.landing.add(L::splat(shape.high[j] as i32));
        let beside = step(left.top, top(0)).or(step(top(last), right.top));
        let others = left.steps_left.or(right.steps_right);
        beside.or(others).or(L::splat(own.steps))
    }
}

/// Twice what a column adds to the fast well sum when its highest well cell, or else its top, changes.
#[inline(always)]
fn run_change<L: Lanes>(column: &Column<L>, reach: L) -> L {
    let rows = reach.bit_length().sub(column.top);
    rows.mul(rows.add(L::splat(1))).sub(column.run)
}

/// What small steps score.
#[inline(always)]
pub(super) fn steps_score<L: Lanes>(steps: L, tables: &Tables) -> L {
    let steps = steps.and(L::splat(SMALL_STEPS));
    let low = steps.look_up(&tables.steps[0]);
    low.add(steps.shr::<3>().look_up(&tables.steps[1]))
}
