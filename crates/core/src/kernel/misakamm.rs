//! The features of the Misakamm player (Misakamm 2026), measured on whole boards.
//!
//! Most of them depend on the whole surface, so incremental scores would not be faster: everything
//! is measured for every placement (`rate_all`).

use super::surface::{COLUMNS, MARGIN, PerColumn};
use super::tables::Tables;
use super::weights::{MEASURES, Measure};
use super::whole::BitSum;
use crate::simd::{Lanes, Words};

/// The measures of eight boards.
#[inline(always)]
pub(super) fn measure<L: Lanes>(own: &PerColumn<L>, tables: &Tables, values: &mut [L; MEASURES]) {
    let width = tables.width;
    let wall = L::splat(tables.all_rows());
    let (mut rows, mut changes) = (BitSum::new(), BitSum::new());
    let mut holes = [BitSum::new(), BitSum::new(), BitSum::new(), BitSum::new()];
    // Walls are as high as the board.
    let mut tops = [L::splat(tables.height as i32 + 1); COLUMNS];
    let mut hole_rows = L::splat(0);
    let mut left = wall;
    for c in 0..width {
        let column = own[MARGIN + c];
        rows.count(left.xor(column));
        changes.count(column.xor(column.shr::<1>()));
        let top = column.bit_length();
        let empty = holes_of(column, top);
        holes[c.min(width - 1 - c).min(3)].count(empty);
        tops[MARGIN + c] = top;
        hole_rows = hole_rows.or(empty);
        left = column;
    }
    rows.count(left.xor(wall));
    let [beside, second, third, others] = &holes;
    let (beside, second, third) = (beside.total(), second.total(), third.total());
    values[Measure::RowTransitions as usize] = rows.total();
    values[Measure::ColumnTransitions as usize] = changes.total();
    values[Measure::Holes as usize] = beside.add(second).add(third).add(others.total());
    values[Measure::WallHoles0 as usize] = beside;
    values[Measure::WallHoles1 as usize] = second;
    values[Measure::WallHoles2 as usize] = third;
    values[Measure::HighestHoleHeight as usize] = highest_hole_height(own, &tops, hole_rows, width);
    values[Measure::Adaptability as usize] = adaptability(&tops, width);
    values[Measure::MisakammWells as usize] = wells(&tops, width);
}

/// The empty cells of a column below its top.
#[inline(always)]
fn holes_of<L: Lanes>(column: L, top: L) -> L {
    L::splat(1).shl_by(top).sub(L::splat(1)).and_not(column)
}

/// Height of the highest column among those with a hole in the highest row that has holes.
#[inline(always)]
fn highest_hole_height<L: Lanes>(
    own: &PerColumn<L>,
    tops: &PerColumn<L>,
    hole_rows: L,
    width: usize,
) -> L {
    // Without a hole, the floor is treated as the highest row with a hole; no column has a hole
    // there.
    let length = hole_rows.or(L::splat(1)).bit_length();
    let highest = L::splat(1).shl_by(length.sub(L::splat(1)));
    let mut height = L::splat(0);
    for c in MARGIN..MARGIN + width {
        let has_none = holes_of(own[c], tops[c]).and(highest).eq(L::splat(0));
        height = height.max(tops[c].sub(L::splat(1)).and_not(has_none));
    }
    height
}

/// Pieces that fit rises of -3 or less, -2 to 2, and 3 or more between two columns; a bit each for
/// O, S, Z, T, J, L.
const FIT_RISE: Words = Words([0, 48, 14, 49, 14, 48, 0, 0]);

/// Pieces that fit two rises `a` and `b` of -1, 0 or 1, indexed by `3 (a + 1) + (b + 1)`; the last
/// entry, at 8, equals the first.
const FIT_RISES: Words = Words([0, 36, 8, 18, 56, 18, 8, 36]);

/// For each of six pieces: 0 if it fits nowhere on the surface, 4 if it fits in one position, 6 if
/// it fits in more.
#[inline(always)]
fn adaptability<L: Lanes>(tops: &PerColumn<L>, width: usize) -> L {
    let (mut once, mut twice) = (L::splat(0), L::splat(0));
    let (mut last, mut last_is_small) = (L::splat(0), L::splat(0));
    for c in MARGIN..MARGIN + width - 1 {
        let rise = tops[c + 1].sub(tops[c]);
        let clamped = rise.add(L::splat(3)).max(L::splat(0)).min(L::splat(6));
        let fit = clamped.look_up(&FIT_RISE);
        twice = twice.or(once.and(fit));
        once = once.or(fit);
        let shifted = rise.add(L::splat(1));
        let is_small = shifted.gt(L::splat(-1)).and_not(shifted.gt(L::splat(2)));
        let fit = last.add(shifted).look_up(&FIT_RISES);
        let fit = fit.and(is_small).and(last_is_small);
        twice = twice.or(once.and(fit));
        once = once.or(fit);
        last = shifted.add(shifted).add(shifted);
        last_is_small = is_small;
    }
    let (once, twice) = (once.count(), twice.count());
    once.shl::<2>().add(twice.shl::<1>())
}

/// Five times the penalty for a well of depth 1 or 2.
const SHALLOW: Words = Words([0, 176, 880, 0, 0, 0, 0, 0]);

/// Five times (twice the sum minus the maximum) of the penalties for wells.
#[inline(always)]
fn wells<L: Lanes>(tops: &PerColumn<L>, width: usize) -> L {
    let (mut sum, mut most) = (L::splat(0), L::splat(0));
    for c in 0..width {
        let (left, own, right) = (tops[MARGIN + c - 1], tops[MARGIN + c], tops[MARGIN + c + 1]);
        let depth = left.min(right).sub(own).max(L::splat(0));
        let wall_distance = c.min(width - 1 - c);
        let beside_wall = [132, 88, 88].get(wall_distance).copied().unwrap_or(0);
        let per_row = L::splat(5 * (401 + beside_wall));
        let deep = depth.sub(L::splat(2)).mul(per_row).add(L::splat(5 * 99));
        let price = depth.gt(L::splat(2)).pick(deep, depth.look_up(&SHALLOW));
        sum = sum.add(price);
        most = most.max(price);
    }
    sum.add(sum).sub(most)
}
