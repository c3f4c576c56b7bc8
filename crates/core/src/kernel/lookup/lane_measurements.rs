//! Eight boards with all that several tables ask of them, measured once.

use super::super::MOST_ROWS;
use super::super::surface::{MARGIN, PerColumn};
use super::rows::RowDigits;
use crate::simd::{LANES, Lanes};
use std::ops::Deref;

/// The most columns of a board.
pub(super) const COLUMNS: usize = 16;

/// Eight boards as tables see them. Row `r` is bit `r + 1` of a column, bit 0 the floor; column `c` is bit `c` of a row.
pub(in crate::kernel) struct LaneMeasurements<L> {
    /// Rows of each board.
    pub(super) height: L,
    /// See [`super::LanePlan::nothing`].
    pub(super) nothing: L,
    pub(super) cells: [L; COLUMNS],
    /// The height of column `c` at `c + 1`; the walls are as high as the board.
    pub(super) heights: [L; COLUMNS + 2],
    /// How much higher the next column is.
    pub(super) rises: [L; COLUMNS],
    /// Empty cells below the top of their column.
    pub(super) covered: [L; COLUMNS],
    /// How far a column lies below the lower of its neighbours.
    pub(super) wells: [L; COLUMNS],
    pub(super) highest: L,
    pub(super) hole_rows: L,
    /// One more than the row of the highest hole; 0 without one.
    pub(super) hole_top: L,
    /// Height of the highest column of all boards.
    pub(super) most_rows: usize,
    /// The filled cells of each row up to there.
    pub(super) filled_rows: [L; MOST_ROWS],
    /// Each of these rows as a pattern: see [`RowDigits`].
    pub(super) patterns: [[i32; LANES]; MOST_ROWS],
    /// How many cells each of these rows lacks ...
    pub(super) missing: [L; MOST_ROWS],
    /// ... and all rows below it together.
    pub(super) missing_below: [[i32; LANES]; MOST_ROWS + 1],
    /// How many places fit each piece: none, one or more, to the base 3.
    pub(super) fits: L,
    /// One more than the row of the highest hole of each column ...
    pub(super) cover_tops: [L; COLUMNS],
    /// ... and what lies above it: its depth and what its rows lack, in one number.
    pub(super) covers: [L; COLUMNS],
}

impl<L: Lanes> LaneMeasurements<L> {
    /// Room for looks at boards.
    #[inline(always)]
    pub(in crate::kernel) fn new(nothing: i32) -> LaneMeasurements<L> {
        let zero = L::splat(0);
        LaneMeasurements {
            height: zero,
            nothing: L::splat(nothing),
            cells: [zero; COLUMNS],
            heights: [zero; COLUMNS + 2],
            rises: [zero; COLUMNS],
            covered: [zero; COLUMNS],
            wells: [zero; COLUMNS],
            highest: zero,
            hole_rows: zero,
            hole_top: zero,
            most_rows: 0,
            filled_rows: [zero; MOST_ROWS],
            patterns: [[0; LANES]; MOST_ROWS],
            missing: [zero; MOST_ROWS],
            missing_below: [[0; LANES]; MOST_ROWS + 1],
            fits: zero,
            cover_tops: [zero; COLUMNS],
            covers: [zero; COLUMNS],
        }
    }

    /// Looks at eight boards of a width and these heights.
    #[inline(always)]
    pub(super) fn look(&mut self, width: usize, own: &PerColumn<L>, height: L) {
        let (zero, one) = (L::splat(0), L::splat(1));
        let measurements = self;
        measurements.height = height;
        measurements.heights[0] = height;
        measurements.heights[width + 1] = height;
        (measurements.highest, measurements.hole_rows) = (zero, zero);
        for c in 0..width {
            let column = own[MARGIN + c];
            let top = column.bit_length();
            let covered = one.shl_by(top).sub(one).and_not(column);
            measurements.cells[c] = column;
            measurements.heights[c + 1] = top.sub(one);
            measurements.covered[c] = covered;
            measurements.highest = measurements.highest.max(top);
            measurements.hole_rows = measurements.hole_rows.or(covered);
        }
        measurements.highest = measurements.highest.sub(one);
        measurements.hole_top = measurements.hole_rows.or(one).bit_length().sub(one);
        for c in 0..width {
            // Not `map`: it would not be compiled with the instructions of the lanes.
            let (left, own) = (measurements.heights[c], measurements.heights[c + 1]);
            let right = measurements.heights[c + 2];
            measurements.rises[c] = right.sub(own);
            measurements.wells[c] = left.min(right).sub(own).max(zero);
        }
        let most_rows = measurements.highest.fold(L::max).store().0[0];
        measurements.most_rows = (most_rows as usize).min(MOST_ROWS);
    }

    /// Rows from columns.
    #[inline(always)]
    pub(super) fn turn(&mut self, width: usize, digits: &RowDigits) {
        let one = L::splat(1);
        let mut below = L::splat(0);
        for row in 0..self.most_rows {
            let by = L::splat(row as i32 + 1);
            let (mut filled, mut covered) = (L::splat(0), L::splat(0));
            for c in (0..width).rev() {
                filled = filled.add(filled).or(self.cells[c].shr_by(by).and(one));
                covered = covered.add(covered).or(self.covered[c].shr_by(by).and(one));
            }
            self.filled_rows[row] = filled;
            let covered = covered.gather(&digits.of_cells);
            let pattern = filled.gather(&digits.of_cells).add(covered.add(covered));
            let (pattern, mirrored) = (pattern.and(L::splat(0xFFFF)), pattern.shr::<16>());
            pattern.min(mirrored).store_to(&mut self.patterns[row]);
            let missing = L::splat(width as i32).sub(filled.count());
            self.missing[row] = missing;
            below.store_to(&mut self.missing_below[row]);
            below = below.add(missing);
        }
        below.store_to(&mut self.missing_below[self.most_rows]);
    }

    /// Where a row, counted from 0, is one of those up to the highest column of its own board.
    #[inline(always)]
    pub(super) fn has_row(&self, row: usize) -> L {
        self.highest.gt(L::splat(row as i32))
    }
}

/// Eight boards that were looked at. Their width stands beside them, so that loops over columns can be unrolled where the compiler
/// knows it.
pub(super) struct LaneView<'s, L> {
    pub(super) width: usize,
    pub(super) measurements: &'s LaneMeasurements<L>,
}

impl<L> Deref for LaneView<'_, L> {
    type Target = LaneMeasurements<L>;

    #[inline(always)]
    fn deref(&self) -> &LaneMeasurements<L> {
        self.measurements
    }
}

/// In every lane the number that stands in a row of its own.
#[inline(always)]
pub(super) fn in_row<L: Lanes>(numbers: &[[i32; LANES]], row: L) -> L {
    let lanes = crate::simd::Words([0, 1, 2, 3, 4, 5, 6, 7]);
    row.shl::<3>()
        .add(L::load(&lanes))
        .gather(numbers.as_flattened())
}
