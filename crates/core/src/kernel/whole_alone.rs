//! The score of one whole board, with its columns as the lanes: this is faster than `whole` for a
//! few boards.

use super::set::Set;
use super::surface::{Cells, SMALL_STEPS, WALL_TOP, fill, full_rows, remove_rows, step, walled};
use super::tables::{Place, Tables};
use super::weights::Measure;
use super::whole::{BitSum, run_sum};
use crate::simd::{LANES, Lanes, Work};

/// Scores the board after one placement with full rows removed; returns the score with rounded
/// weights, and these rows.
pub(super) struct WholeAlone<'a, S> {
    pub(super) board: &'a Cells,
    pub(super) spot: (&'a Place, i32),
    pub(super) tables: &'a Tables,
    /// Which measures are needed.
    pub(super) _set: S,
}

impl<L: Lanes, S: Set> Work<L> for WholeAlone<'_, S> {
    type Output = (i32, u32);

    #[inline(always)]
    fn run(self) -> (i32, u32) {
        let (mut cells, tables) = (*self.board, self.tables);
        fill::<L>(&mut cells, self.spot.0, self.spot.1);
        let full = full_rows::<L>(&walled(&cells, tables));
        remove_rows::<L>(&mut cells, full);
        (score::<L, S>(walled(&cells, tables), tables), full)
    }
}

/// The score of a board.
#[inline(always)]
fn score<L: Lanes, S: Set>(own: [L; 2], tables: &Tables) -> i32 {
    let wall = L::splat(-1);
    let left = [own[0].preceding(wall), own[1].preceding(own[0])];
    let right = [own[0].following(own[1]), own[1].following(wall)];
    let weight = |measure| tables.weights.of(measure);
    let mut sums = BoardSums::new();
    sums.count::<S>(own[0], left[0], tables);
    sums.count::<S>(own[1], left[1], tables);
    let mut score = sums.weighted::<S>(tables);
    if S::WELLS {
        let wells = well_sum(left, own, right);
        score = score.add(wells.mul(L::splat(weight(Measure::Wells))));
    }
    if S::FAST_WELLS {
        let runs = run_sum(left[0], own[0], right[0]).add(run_sum(left[1], own[1], right[1]));
        score = score.add(
            runs.shr_signed::<1>()
                .mul(L::splat(weight(Measure::FastWells))),
        );
    }
    let mut score = score.fold(L::add).store().0[0];
    if S::BURIED {
        let rows = sums.hole_rows.fold(L::or).store().0[0];
        score += rows.count_ones() as i32 * weight(Measure::HoleRows);
    }
    if S::DIVERSITY {
        let tops = [own[0].bit_length(), own[1].bit_length()];
        let next = [
            tops[0].following(tops[1]),
            tops[1].following(L::splat(WALL_TOP)),
        ];
        // Steps between walls do not count.
        let steps = |k: usize| step(tops[k], next[k]).and_not(L::load(&tables.beyond[k]));
        let kinds = steps(0).or(steps(1)).fold(L::or).store().0[0] & SMALL_STEPS;
        score += kinds.count_ones() as i32 * weight(Measure::Diversity);
    }
    if tables.width == 2 * LANES {
        // There is no lane to the right of the last column.
        let last = !own[1].store().0[LANES - 1] & tables.all_rows();
        score += last.count_ones() as i32 * weight(Measure::RowTransitions);
    }
    score
}

/// Counts per column, of one board or of eight.
pub(super) struct BoardSums<L> {
    pub(super) rows: BitSum<L>,
    pub(super) changes: BitSum<L>,
    pub(super) holes: BitSum<L>,
    pub(super) depth: BitSum<L>,
    pub(super) hole_rows: L,
}

impl<L: Lanes> BoardSums<L> {
    #[inline(always)]
    pub(super) fn new() -> BoardSums<L> {
        BoardSums {
            rows: BitSum::new(),
            changes: BitSum::new(),
            holes: BitSum::new(),
            depth: BitSum::new(),
            hole_rows: L::splat(0),
        }
    }

    /// Counts the changes between the last column and the wall on its right.
    #[inline(always)]
    pub(super) fn count_right_wall(&mut self, last: L, tables: &Tables) {
        self.rows.count(L::splat(tables.all_rows()).and_not(last));
    }

    /// Counts in one column, or in eight. Walls have no holes and no depth, and only rows of the
    /// board count.
    #[inline(always)]
    pub(super) fn count<S: Set>(&mut self, own: L, left: L, tables: &Tables) {
        let board = L::splat(tables.all_rows());
        self.rows.count(left.xor(own).and(board));
        self.changes.count(own.xor(own.shr::<1>()).and(board));
        let up_to_top = L::splat(1).shl_by(own.bit_length()).sub(L::splat(1));
        let holes = up_to_top.and_not(own);
        self.holes.count(holes);
        if S::BURIED {
            self.hole_rows = self.hole_rows.or(holes);
            self.depth.count(own.and(own.add(L::splat(1))));
        }
    }

    #[inline(always)]
    fn weighted<S: Set>(&self, tables: &Tables) -> L {
        let weigh = |sum: &BitSum<L>, measure| {
            let weight = L::splat(tables.weights.of(measure));
            sum.total().mul(weight)
        };
        let score = weigh(&self.rows, Measure::RowTransitions);
        let score = score.add(weigh(&self.changes, Measure::ColumnTransitions));
        let score = score.add(weigh(&self.holes, Measure::Holes));
        if S::BURIED {
            return score.add(weigh(&self.depth, Measure::HoleDepth));
        }
        score
    }
}

/// The sum over all cells between filled neighbours of 1 + the number of empty cells directly
/// below.
#[inline(always)]
fn well_sum<L: Lanes>(left: [L; 2], own: [L; 2], right: [L; 2]) -> L {
    let mut low = left[0].and(right[0]).and_not(own[0]);
    let mut high = left[1].and(right[1]).and_not(own[1]);
    let (mut low_sum, mut high_sum) = (BitSum::new(), BitSum::new());
    // Each round moves all cells down by one and drops those that hit a filled cell.
    while low.or(high).eq(L::splat(0)).bits() != 0xFF {
        low_sum.count(low);
        high_sum.count(high);
        low = low.shr::<1>().and_not(own[0]);
        high = high.shr::<1>().and_not(own[1]);
    }
    low_sum.total().add(high_sum.total())
}
