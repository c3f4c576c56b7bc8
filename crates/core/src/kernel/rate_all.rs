//! Scores of all placements of a piece on eight boards, from the whole boards after them: for players whose measures depend on
//! the whole surface.
//!
//! The shape's cells are put into the columns of the eight games, full rows are removed if there are any, and everything is
//! measured again.

use super::lookup::{LaneMeasurements, LanePlan};
use super::misakamm;
use super::ratings::{Best, NO_SCORE, Ratings, Running};
use super::set::Set;
use super::shape::{ConstShape, FIRST, SHAPES};
use super::state;
use super::surface::{COLUMNS, Cells, MARGIN, PerColumn, copy_columns};
use super::tables::Tables;
use super::weights::{MEASURES, Measure};
use super::whole::{full_rows, remove_rows, weighted};
use crate::board::Board;
use crate::evaluators::ROOM;
use crate::outcomes::MAX_OUTCOMES;
use crate::simd::{LANES, Lanes, Words, Work};
use std::marker::PhantomData;

/// The score of boards by look-up tables.
#[derive(Clone, Copy)]
pub(super) struct ByLookup<'a> {
    pub(super) plan: &'a LanePlan,
    /// One for every entry, and a 0.
    pub(super) weights: &'a [i32],
    /// See [`TableSum::most_covered`](crate::evaluators::TableSum::most_covered).
    pub(super) most_covered: i32,
}

/// The limit on covered cells as lanes have it: without one, more than any board has.
pub(super) fn covered_limit(most_covered: Option<u32>) -> i32 {
    const NO_LIMIT: u32 = 1 << 20;
    most_covered.map_or(NO_LIMIT, |most| most.min(NO_LIMIT)) as i32
}

/// Rates all placements of a piece for the player of a kernel.
pub(super) struct RateAll<'a, L, S> {
    pub(super) boards: &'a [&'a Cells; LANES],
    pub(super) piece: usize,
    pub(super) tables: &'a Tables,
    pub(super) ratings: &'a mut Ratings<L>,
    pub(super) set: PhantomData<S>,
}

impl<L: Lanes, S: Set> Work<L> for RateAll<'_, L, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let tables = self.tables;
        let heights = L::splat(tables.height as i32);
        let boards = EightBoards::new(self.boards, tables.width, heights);
        match (&tables.lookup, S::LOOKUP) {
            (Some(lookup), true) => {
                boards.rate_few(self.piece, lookup.by_lookup(), self.ratings);
            }
            _ => boards.rate(self.piece, tables, self.ratings),
        }
    }
}

/// Eight boards on which pieces are dropped.
pub(super) struct EightBoards<L> {
    own: PerColumn<L>,
    tops: PerColumn<L>,
    width: usize,
    heights: L,
}

impl<L: Lanes> EightBoards<L> {
    #[inline(always)]
    pub(super) fn new(boards: &[&Cells; LANES], width: usize, heights: L) -> EightBoards<L> {
        let mut own = [L::splat(-1); COLUMNS];
        copy_columns(boards, width, &mut own);
        // Not `map`: it would not be compiled with the instructions of the lanes.
        let mut tops = own;
        for top in &mut tops {
            *top = top.bit_length();
        }
        EightBoards {
            own,
            tops,
            width,
            heights,
        }
    }

    /// Rates all placements of a piece by measuring the boards after them.
    #[inline(always)]
    fn rate(mut self, piece: usize, tables: &Tables, ratings: &mut Ratings<L>) {
        let own = &mut self.own;
        let mut running = Running::new();
        for number in FIRST[piece]..FIRST[piece + 1] {
            let shape = &SHAPES[number];
            let highest = self.heights.sub(L::splat(shape.height as i32 - 1));
            let (constant, slope) = tables.shapes[number].landing;
            for c in MARGIN..=MARGIN + self.width - shape.width {
                let landing = land(&self.tops, shape, c);
                let before = [own[c], own[c + 1], own[c + 2], own[c + 3]];
                for j in 0..shape.width {
                    let cells = L::splat(shape.columns[j] as i32).shl_by(landing);
                    own[c + j] = own[c + j].or(cells);
                }
                let loses = landing.gt(highest);
                let score = L::enter(Score { own, tables });
                own[c..c + 4].copy_from_slice(&before);
                let landed = landing.mul(L::splat(slope)).add(L::splat(constant));
                let score = loses.pick(L::splat(NO_SCORE), score.add(landed));
                ratings.push(&mut running, score, L::splat(-1), landing);
            }
        }
        ratings.finish(&running);
    }
}

impl<L: Lanes> EightBoards<L> {
    /// Rates the placements of a piece that look-up tables are asked about. Those of all eight boards are listed, and looked up
    /// eight at a time.
    #[inline(always)]
    pub(super) fn rate_few(&self, piece: usize, by: ByLookup<'_>, ratings: &mut Ratings<L>) {
        let mut listed = [ListedDrop::default(); MAX_OUTCOMES * LANES + LANES];
        let count = self.list(piece, by.most_covered, ratings, &mut listed);
        let mut best = [(NO_SCORE, NO_SCORE, 0); LANES];
        let mut measurements = by.plan.measurements();
        let mut from = 0;
        while from < count {
            let Some(eight) = listed[from..].first_chunk::<LANES>() else {
                break;
            };
            let scores = L::enter(LookUpDropped {
                boards: self,
                cells: by.plan.places(piece),
                eight,
                by,
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

    /// Lists the placements that are looked up: those that do not lose, and cover few empty cells or complete a row. How many.
    #[inline(always)]
    fn list(
        &self,
        piece: usize,
        most_covered: i32,
        ratings: &mut Ratings<L>,
        listed: &mut [ListedDrop; MAX_OUTCOMES * LANES + LANES],
    ) -> usize {
        let (tops, own) = (&self.tops, &self.own);
        // The cells that all columns before one have in common, and all from one on.
        let mut before = [L::splat(-1); COLUMNS];
        let mut after = [L::splat(-1); COLUMNS];
        for c in MARGIN..MARGIN + self.width {
            before[c + 1] = before[c].and(own[c]);
        }
        for c in (MARGIN..MARGIN + self.width).rev() {
            after[c] = after[c + 1].and(own[c]);
        }
        let mut running = Running::new();
        let mut covered = [L::splat(0); MAX_OUTCOMES];
        let mut fewest = L::splat(i32::MAX);
        let mut count = 0;
        for shape in &SHAPES[FIRST[piece]..FIRST[piece + 1]] {
            let highest = self.heights.sub(L::splat(shape.height as i32 - 1));
            for c in MARGIN..=MARGIN + self.width - shape.width {
                let landing = land(tops, shape, c);
                let mut cells = L::splat(0);
                let mut full = before[c].and(after[c + shape.width]);
                for j in 0..shape.width {
                    let bottom = landing.add(L::splat(shape.low[j] as i32));
                    cells = cells.add(bottom.sub(tops[c + j]));
                    let dropped = L::splat(shape.columns[j] as i32).shl_by(landing);
                    full = full.and(own[c + j].or(dropped));
                }
                let loses = landing.gt(highest);
                fewest = fewest.min(loses.pick(L::splat(i32::MAX), cells));
                // A row that is completed makes up for all; the floor is no such row.
                let completes_none = full.and_not(L::splat(1)).eq(L::splat(0));
                let cells = cells.and(completes_none);
                covered[count % MAX_OUTCOMES] = loses.pick(L::splat(i32::MAX), cells);
                ratings.push(&mut running, L::splat(NO_SCORE), L::splat(-1), landing);
                count += 1;
            }
        }
        ratings.finish(&running);
        let mut highest = L::splat(1);
        for top in &tops[MARGIN..MARGIN + self.width] {
            highest = highest.max(*top);
        }
        // A top is one more than a height.
        let rows_left = self.heights.sub(highest).add(L::splat(1));
        let is_limited = rows_left.gt(L::splat(ROOM as i32 - 1));
        // Where all placements lose, there is no fewest.
        let limit = fewest.min(L::splat(i32::MAX - 1 - most_covered));
        let limit = limit.add(L::splat(most_covered));
        let most = is_limited.pick(limit, L::splat(i32::MAX - 1));
        // Board after board: the boards after the placements of one game show many entries in common.
        let mut of_boards = [0u64; LANES];
        for (index, covered) in covered[..count].iter().enumerate() {
            let mut looked_up = 0xFF & !covered.gt(most).bits();
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
                    landing: ratings.landing(index, lane),
                };
                next += 1;
                looked_up &= looked_up - 1;
            }
        }
        next
    }
}

/// A placement that is looked up.
#[derive(Clone, Copy, Default)]
struct ListedDrop {
    lane: i32,
    index: i32,
    landing: i32,
}

/// Looks the boards after eight placements up.
struct LookUpDropped<'a, L> {
    boards: &'a EightBoards<L>,
    cells: &'a [i32],
    eight: &'a [ListedDrop; LANES],
    by: ByLookup<'a>,
    measurements: &'a mut LaneMeasurements<L>,
}

impl<L: Lanes> Work<L> for LookUpDropped<'_, L> {
    type Output = Words;

    #[inline(always)]
    fn run(self) -> Words {
        let (mut lanes, mut places) = (Words([0; LANES]), Words([0; LANES]));
        let mut landings = Words([0; LANES]);
        for k in 0..LANES {
            lanes.0[k] = self.eight[k].lane;
            places.0[k] = 16 * self.eight[k].index;
            landings.0[k] = self.eight[k].landing;
        }
        let (lanes, mut places) = (L::load(&lanes), L::load(&places));
        let landings = L::load(&landings);
        let width = self.boards.width;
        let mut own = [L::splat(-1); COLUMNS];
        for c in MARGIN..MARGIN + width {
            let cells = places.gather(self.cells).shl_by(landings);
            own[c] = lanes.look_up(&self.boards.own[c].store()).or(cells);
            places = places.add(L::splat(1));
        }
        let full = full_rows(&own, width);
        if full.eq(L::splat(0)).bits() != 0xFF {
            remove_rows(&mut own, width, full);
        }
        let heights = lanes.look_up(&self.boards.heights.store());
        let ByLookup { plan, weights, .. } = self.by;
        plan.sum(&own, heights, weights, self.measurements).store()
    }
}

/// One more than the row in which the box of a shape lands.
#[inline(always)]
fn land<L: Lanes>(tops: &PerColumn<L>, shape: &ConstShape, c: usize) -> L {
    let mut landing = tops[c].sub(L::splat(shape.low[0] as i32));
    for j in 1..shape.width {
        landing = landing.max(tops[c + j].sub(L::splat(shape.low[j] as i32)));
    }
    landing
}

/// Scores boards by the measures of the Misakamm player, without the landing, full rows removed; the lines that these are included.
struct Score<'a, L> {
    own: &'a PerColumn<L>,
    tables: &'a Tables,
}

impl<L: Lanes> Work<L> for Score<'_, L> {
    type Output = L;

    #[inline(always)]
    fn run(self) -> L {
        let (own, tables) = (self.own, self.tables);
        let full = full_rows(own, tables.width);
        let mut values = [L::splat(0); MEASURES];
        if full.eq(L::splat(0)).bits() == 0xFF {
            misakamm::measure(own, tables, &mut values);
            return weighted(&values, tables);
        }
        let mut after = *own;
        remove_rows(&mut after, tables.width, full);
        misakamm::measure(&after, tables, &mut values);
        let line = L::splat(tables.weights.of(Measure::Lines));
        weighted(&values, tables).add(full.count().mul(line))
    }
}

/// What one board without full rows scores by the look-up tables of a kernel.
pub(super) fn lookup_score<L: Lanes>(tables: &Tables, board: &Board) -> i32 {
    let Some(lookup) = &tables.lookup else {
        return 0;
    };
    let scores = L::enter(SumUp {
        boards: &[&state::cells(board); LANES],
        heights: L::splat(tables.height as i32),
        plan: &lookup.plan,
        weights: &lookup.weights,
    });
    scores.0[0]
}

/// Adds up what eight boards show.
pub(super) struct SumUp<'a, L> {
    pub(super) boards: &'a [&'a Cells; LANES],
    pub(super) heights: L,
    pub(super) plan: &'a LanePlan,
    pub(super) weights: &'a [i32],
}

impl<L: Lanes> Work<L> for SumUp<'_, L> {
    type Output = Words;

    #[inline(always)]
    fn run(self) -> Words {
        let mut own = [L::splat(-1); COLUMNS];
        copy_columns(self.boards, self.plan.width(), &mut own);
        let mut measurements = self.plan.measurements();
        let sums = self
            .plan
            .sum(&own, self.heights, self.weights, &mut measurements);
        sums.store()
    }
}
