//! Scores of all placements of a piece on eight boards, from the whole boards after them: for players whose measures depend on
//! the whole surface.
//!
//! The shape's cells are put into the columns of the eight games, full rows are removed if there are any, and everything is
//! measured again.

use super::lanes::{LANES, Lanes, Work};
use super::lookup::LanePlan;
use super::misakamm;
use super::ratings::{NO_SCORE, Ratings, Running};
use super::set::Set;
use super::shape::{ConstShape, FIRST, SHAPES};
use super::state;
use super::surface::{COLUMNS, Cells, MARGIN, PerColumn, copy_columns};
use super::tables::Tables;
use super::weights::{MEASURES, Measure};
use super::whole::{full_rows, remove_rows, weighted};
use crate::board::Board;
use std::marker::PhantomData;

/// What boards score as a whole.
pub(super) trait WholeScore<L>: Copy {
    /// The score of eight boards with a shape on them, full rows not yet removed, without that of the landing; what it is where
    /// a board loses does not matter.
    fn score(self, own: &PerColumn<L>, loses: L) -> L;

    /// The score of a landing of this shape: for row -1, and for each row more.
    fn landing(self, shape: usize) -> (i32, i32);
}

/// The score of boards by the measures of the Misakamm player.
#[derive(Clone, Copy)]
struct ByMeasures<'a>(&'a Tables);

impl<L: Lanes> WholeScore<L> for ByMeasures<'_> {
    #[inline(always)]
    fn score(self, own: &PerColumn<L>, _: L) -> L {
        let tables = self.0;
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

    #[inline(always)]
    fn landing(self, shape: usize) -> (i32, i32) {
        self.0.shapes[shape].landing
    }
}

/// The score of boards by look-up tables.
#[derive(Clone, Copy)]
pub(super) struct ByLookup<'a, L> {
    pub(super) plan: &'a LanePlan,
    /// One for every entry, and a 0.
    pub(super) weights: &'a [i32],
    /// Rows of the boards.
    pub(super) heights: L,
}

impl<L: Lanes> WholeScore<L> for ByLookup<'_, L> {
    #[inline(always)]
    fn score(self, own: &PerColumn<L>, loses: L) -> L {
        let width = self.plan.width();
        let full = full_rows(own, width);
        let mut after = *own;
        remove_rows(&mut after, width, full);
        // A board that loses is seen as an empty one: its columns may be too high for the tables.
        for column in &mut after[MARGIN..MARGIN + width] {
            *column = loses.pick(L::splat(1), *column);
        }
        self.plan.sum(&after, self.heights, self.weights)
    }

    #[inline(always)]
    fn landing(self, _: usize) -> (i32, i32) {
        (0, 0)
    }
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
                let by_lookup = ByLookup {
                    plan: &lookup.plan,
                    weights: &lookup.weights,
                    heights,
                };
                boards.rate(self.piece, by_lookup, self.ratings);
            }
            _ => boards.rate(self.piece, ByMeasures(tables), self.ratings),
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
    pub(super) fn rate(
        mut self,
        piece: usize,
        score: impl WholeScore<L>,
        ratings: &mut Ratings<L>,
    ) {
        let own = &mut self.own;
        let mut running = Running::new();
        for number in FIRST[piece]..FIRST[piece + 1] {
            let shape = &SHAPES[number];
            let highest = self.heights.sub(L::splat(shape.height as i32 - 1));
            let (constant, slope) = score.landing(number);
            for c in MARGIN..=MARGIN + self.width - shape.width {
                let landing = land(&self.tops, shape, c);
                let before = [own[c], own[c + 1], own[c + 2], own[c + 3]];
                for j in 0..shape.width {
                    let cells = L::splat(shape.columns[j] as i32).shl_by(landing);
                    own[c + j] = own[c + j].or(cells);
                }
                let loses = landing.gt(highest);
                let own_score = L::enter(Score { own, loses, score });
                own[c..c + 4].copy_from_slice(&before);
                let landed = landing.mul(L::splat(slope)).add(L::splat(constant));
                let score = loses.pick(L::splat(NO_SCORE), own_score.add(landed));
                ratings.push(&mut running, score, L::splat(-1), landing);
            }
        }
        ratings.finish(&running);
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

/// Scores boards in a function of its own: it is long, and has many places that call it.
struct Score<'a, L, B> {
    own: &'a PerColumn<L>,
    loses: L,
    score: B,
}

impl<L: Lanes, B: WholeScore<L>> Work<L> for Score<'_, L, B> {
    type Output = L;

    #[inline(always)]
    fn run(self) -> L {
        self.score.score(self.own, self.loses)
    }
}

/// What one board without full rows scores by the look-up tables of a kernel.
pub(super) fn lookup_score<L: Lanes>(tables: &Tables, board: &Board) -> i32 {
    let Some(lookup) = &tables.lookup else {
        return 0;
    };
    let mut own = [L::splat(-1); COLUMNS];
    copy_columns(&[&state::cells(board); LANES], tables.width, &mut own);
    let score = ByLookup {
        plan: &lookup.plan,
        weights: &lookup.weights,
        heights: L::splat(tables.height as i32),
    };
    let loses = L::splat(0);
    let own = &own;
    L::enter(Score { own, loses, score }).store().0[0]
}
