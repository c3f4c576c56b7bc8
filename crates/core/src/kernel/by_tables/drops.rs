//! Placements of a piece on eight boards: those that pass the filter, and the boards after them.

use super::super::ratings::{Best, NO_SCORE, Ratings, Running};
use super::super::shape::{ConstShape, FIRST, SHAPES};
use super::super::surface::Cells;
use super::super::whole::take_rows_out;
use super::{Columns, SumWeights, TablePlan, columns_of};
use crate::evaluators::SAFE_ROWS;
use crate::lookup::{MOST_COLUMNS, Measurements};
use crate::outcomes::MAX_OUTCOMES;
use crate::simd::{LANES, Lanes, Vector, Word, WordNumber, Words};

/// All placements of all boards, padded so that eight can be read starting at any of them.
type ListedDrops = [ListedDrop; MAX_OUTCOMES * LANES + LANES];

/// Eight boards on which pieces are dropped.
pub(super) struct EightBoards<L> {
    columns: Columns<L>,
    heights: Columns<L>,
    /// The number of rows of each board.
    rows: Vector<L>,
    width: usize,
}

/// A placement whose resulting board is looked up.
#[derive(Clone, Copy, Default)]
struct ListedDrop {
    lane: i32,
    index: i32,
    /// The row in which the box of the shape lands.
    row: i32,
}

impl<L: Lanes> EightBoards<L> {
    #[inline(always)]
    pub(super) fn new(boards: &[&Cells; LANES], width: usize, rows: &Words) -> EightBoards<L> {
        let columns: Columns<L> = columns_of(boards, width);
        let mut heights = columns;
        for c in 0..width {
            heights[c] = columns[c].height();
        }
        EightBoards {
            columns,
            heights,
            rows: Vector(L::load(rows)),
            width,
        }
    }

    /// Rates the placements of a piece that pass the filter. Those of all eight boards are listed,
    /// and looked up eight at a time.
    #[inline(always)]
    pub(super) fn rate(
        &self,
        piece: usize,
        plan: &TablePlan,
        weights: &[i32],
        ratings: &mut Ratings<L>,
    ) {
        let mut listed = [ListedDrop::default(); MAX_OUTCOMES * LANES + LANES];
        let count = self.list(piece, plan.most_covered, ratings, &mut listed);
        let mut best = [(NO_SCORE, NO_SCORE, 0); LANES];
        let mut measurements = Measurements::new();
        let mut from = 0;
        while from < count {
            let Some(eight) = listed[from..].first_chunk::<LANES>() else {
                break;
            };
            let (columns, rows) = self.after(eight, &plan.places[piece]);
            let scores = L::enter(SumWeights {
                set: &plan.set,
                columns: &columns,
                rows: rows.0,
                weights,
                measurements: &mut measurements,
            });
            for (dropped, score) in eight.iter().zip(scores.0).take(count - from) {
                let (lane, index) = (dropped.lane as usize % LANES, dropped.index as usize);
                ratings.set_score(index, lane, score);
                let (highest, second, first) = &mut best[lane];
                if score > *highest {
                    (*second, *highest, *first) = (*highest, score, dropped.index);
                } else {
                    *second = score.max(*second);
                }
            }
            from += LANES;
        }
        ratings.best = Best {
            score: L::load(&Words(std::array::from_fn(|lane| best[lane].0))),
            second: L::load(&Words(std::array::from_fn(|lane| best[lane].1))),
            index: L::load(&Words(std::array::from_fn(|lane| best[lane].2))),
        };
    }

    /// Lists the placements to look up: those that do not lose, and cover few empty cells or
    /// complete a row. Returns their number.
    #[inline(always)]
    fn list(
        &self,
        piece: usize,
        most_covered: i32,
        ratings: &mut Ratings<L>,
        listed: &mut ListedDrops,
    ) -> usize {
        let (none, never) = (Vector(L::splat(0)), Vector(L::splat(i32::MAX)));
        let common = self.common_cells();
        let mut running = Running::new();
        let mut covered = [none; MAX_OUTCOMES];
        let mut fewest = never;
        let mut count = 0;
        for shape in &SHAPES[FIRST[piece]..FIRST[piece + 1]] {
            let last_row = self.rows - Vector::splat(shape.height as i32);
            for c in 0..=self.width - shape.width {
                let row = self.land(shape, c);
                let mut cells = none;
                let mut full = common[0][c] & common[1][c + shape.width];
                for j in 0..shape.width {
                    let bottom = row + Vector::splat(shape.low[j] as i32);
                    cells = cells + (bottom - self.heights[c + j]);
                    let dropped = Vector::bits(u64::from(shape.columns[j])).up_by(row);
                    full = full & (self.columns[c + j] | dropped);
                }
                let loses = row.above(last_row);
                fewest = fewest.least(loses.pick(never, cells));
                // Completing a row makes up for covering cells.
                let cells = WordNumber::only_if(cells, full.is_empty());
                covered[count % MAX_OUTCOMES] = loses.pick(never, cells);
                let landing = row + Vector::splat(1);
                ratings.push(&mut running, L::splat(NO_SCORE), L::splat(-1), landing.0);
                count += 1;
            }
        }
        ratings.finish(&running);
        let most = self.limit(fewest, most_covered);
        take_few(&covered[..count], most, ratings, listed)
    }

    /// The cells shared by all columns before each one, and by all columns from it on.
    #[inline(always)]
    fn common_cells(&self) -> [[Vector<L>; MOST_COLUMNS + 1]; 2] {
        let mut before = [Vector(L::splat(-1)); MOST_COLUMNS + 1];
        let mut after = before;
        for c in 0..self.width {
            before[c + 1] = before[c] & self.columns[c];
        }
        for c in (0..self.width).rev() {
            after[c] = after[c + 1] & self.columns[c];
        }
        [before, after]
    }

    /// The maximum number of cells a placement may cover, given the minimum.
    #[inline(always)]
    fn limit(&self, fewest: Vector<L>, most_covered: i32) -> Vector<L> {
        let mut highest = Vector(L::splat(0));
        for c in 0..self.width {
            highest = highest.most(self.heights[c]);
        }
        let is_limited = (self.rows - highest).above(Vector::splat(SAFE_ROWS as i32 - 1));
        // If every placement loses, there is no minimum.
        let limit = fewest.least(Vector::splat(i32::MAX - 1 - most_covered));
        let limit = limit + Vector::splat(most_covered);
        is_limited.pick(limit, Vector::splat(i32::MAX - 1))
    }

    /// The row in which the box of a shape lands.
    #[inline(always)]
    fn land(&self, shape: &ConstShape, c: usize) -> Vector<L> {
        let mut row = self.heights[c] - Vector::splat(shape.low[0] as i32);
        for j in 1..shape.width {
            row = row.most(self.heights[c + j] - Vector::splat(shape.low[j] as i32));
        }
        row
    }

    /// The boards after eight placements of a piece, with full rows removed, and their numbers of
    /// rows.
    #[inline(always)]
    fn after(&self, eight: &[ListedDrop; LANES], places: &[i32]) -> (Columns<L>, Vector<L>) {
        let (mut lanes, mut indices) = (Words([0; LANES]), Words([0; LANES]));
        let mut rows = Words([0; LANES]);
        for k in 0..LANES {
            lanes.0[k] = eight[k].lane;
            indices.0[k] = MOST_COLUMNS as i32 * eight[k].index;
            rows.0[k] = eight[k].row;
        }
        let (lanes, mut indices) = (L::load(&lanes), L::load(&indices));
        let rows = L::load(&rows);
        let mut columns = [Vector(L::splat(0)); MOST_COLUMNS];
        let mut full = Vector(L::splat(-1));
        for c in 0..self.width {
            let cells = indices.gather(places).shl_by(rows);
            columns[c] = Vector(lanes.look_up(&self.columns[c].0.store()).or(cells));
            full = full & columns[c];
            indices = indices.add(L::splat(1));
        }
        take_rows_out(&mut columns[..self.width], full.0, |column| &mut column.0);
        (columns, Vector(lanes.look_up(&self.rows.0.store())))
    }
}

/// Lists the placements that cover at most this many cells, board by board, because the boards
/// after placements in the same game have many entries in common.
#[inline(always)]
fn take_few<L: Lanes>(
    covered: &[Vector<L>],
    most: Vector<L>,
    ratings: &Ratings<L>,
    listed: &mut ListedDrops,
) -> usize {
    let mut of_boards = [0u64; LANES];
    for (index, covered) in covered.iter().enumerate() {
        let mut looked_up = 0xFF & !covered.above(most).0.bits();
        while looked_up != 0 {
            of_boards[looked_up.trailing_zeros() as usize] |= 1 << index;
            looked_up &= looked_up - 1;
        }
    }
    let mut next = 0;
    for (lane, mut looked_up) in of_boards.into_iter().enumerate() {
        while looked_up != 0 {
            let index = looked_up.trailing_zeros() as usize;
            listed[next] = ListedDrop {
                lane: lane as i32,
                index: index as i32,
                row: ratings.landing(index, lane) - 1,
            };
            next += 1;
            looked_up &= looked_up - 1;
        }
    }
    next
}
