//! Measures of eight boards that tables cross with each other.

use super::super::whole::BitSum;
use super::lane_measurements::LaneView;
use crate::lookup::{BoardMeasure, BoardSize, ClippedMeasure};
use crate::simd::Lanes;

/// A measure, clipped as its table has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneMeasure(ClippedMeasure);

/// All measures of eight boards; those that nothing asks for are 0.
pub(super) type Measures<L> = [L; BoardMeasure::COUNT];

impl LaneMeasure {
    pub(super) fn new(name: &str, size: BoardSize) -> LaneMeasure {
        LaneMeasure(ClippedMeasure::new(BoardMeasure::named(name), size))
    }

    pub(super) fn number(&self) -> usize {
        self.0.measure() as usize
    }

    /// How many values are told apart.
    #[inline(always)]
    pub(super) fn values(&self) -> i32 {
        self.0.values() as i32
    }

    #[inline(always)]
    pub(super) fn of<L: Lanes>(&self, measures: &Measures<L>) -> L {
        measures[self.number()].min(L::splat(self.values() - 1))
    }
}

/// What these boards measure.
#[inline(always)]
pub(super) fn measure<L: Lanes>(
    board: &LaneView<'_, L>,
    wanted: &[bool; BoardMeasure::COUNT],
) -> Measures<L> {
    let zero = L::splat(0);
    let mut measures = [zero; BoardMeasure::COUNT];
    let wants = |measure: BoardMeasure| wanted[measure as usize];
    let mut set = |measure: BoardMeasure, value: L| measures[measure as usize] = value;
    let height = board.height;
    set(BoardMeasure::RowsLeft, height.sub(board.highest));
    set(BoardMeasure::HoleRows, board.hole_rows.count());
    // The row of the highest hole counted from the top, one more than its distance.
    let from_top = height.sub(board.hole_top).add(L::splat(1));
    let has_none = board.hole_rows.eq(zero);
    set(BoardMeasure::HighestHole, from_top.and_not(has_none));
    if wants(BoardMeasure::Holes) || wants(BoardMeasure::HoleRuns) {
        let (mut holes, mut runs) = (BitSum::new(), BitSum::new());
        for c in 0..board.width {
            let covered = board.covered[c];
            holes.count(covered);
            runs.count(covered.and_not(covered.shl::<1>()));
        }
        set(BoardMeasure::Holes, holes.total());
        set(BoardMeasure::HoleRuns, runs.total());
    }
    if wants(BoardMeasure::Cells) || wants(BoardMeasure::EmptyCells) {
        let mut cells = BitSum::new();
        for c in 0..board.width {
            cells.count(board.cells[c]);
        }
        let width = L::splat(board.width as i32);
        let cells = cells.total().sub(width);
        set(BoardMeasure::Cells, cells);
        set(
            BoardMeasure::EmptyCells,
            board.highest.mul(width).sub(cells),
        );
    }
    if wants(BoardMeasure::RowTransitions) {
        set(BoardMeasure::RowTransitions, row_transitions(board));
    }
    if wants(BoardMeasure::Bumpiness) {
        let mut sum = zero;
        for c in 0..board.width - 1 {
            let rise = board.rises[c];
            sum = sum.add(rise.max(zero.sub(rise)));
        }
        set(BoardMeasure::Bumpiness, sum);
    }
    if wants(BoardMeasure::Spread) {
        let mut lowest = height;
        for c in 0..board.width {
            lowest = lowest.min(board.heights[c + 1]);
        }
        set(BoardMeasure::Spread, board.highest.sub(lowest));
    }
    if wants(BoardMeasure::Wells) {
        set(BoardMeasure::Wells, wells(board));
    }
    if wants(BoardMeasure::DeepestWell) {
        let mut deepest = zero;
        for c in 0..board.width {
            deepest = deepest.max(board.wells[c]);
        }
        set(BoardMeasure::DeepestWell, deepest);
    }
    measures
}

/// Changes between filled and empty along the rows up to the highest column, both walls filled.
#[inline(always)]
fn row_transitions<L: Lanes>(board: &LaneView<'_, L>) -> L {
    let wall = L::splat(2).shl_by(board.highest).sub(L::splat(1));
    let mut changes = BitSum::new();
    let mut left = wall;
    for c in 0..board.width {
        changes.count(left.xor(board.cells[c]));
        left = board.cells[c];
    }
    changes.count(left.xor(wall));
    changes.total()
}

/// How many wells of depth 1, 2 and more there are, each up to three, in one number.
#[inline(always)]
fn wells<L: Lanes>(board: &LaneView<'_, L>) -> L {
    let mut counts = [L::splat(0); 3];
    for c in 0..board.width {
        let depth = board.wells[c].min(L::splat(3));
        for (k, count) in counts.iter_mut().enumerate() {
            // A mask is -1.
            *count = count.sub(depth.eq(L::splat(k as i32 + 1)));
        }
    }
    let three = L::splat(3);
    let upper = counts[0].min(three).shl::<2>().add(counts[1].min(three));
    upper.shl::<2>().add(counts[2].min(three))
}
