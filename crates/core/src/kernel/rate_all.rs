//! Scores of all placements of a piece on eight boards, from the whole boards after them: for
//! players whose measures depend on the whole surface.
//!
//! The shape's cells are put into the columns of the eight games, full rows are removed if there
//! are any, and everything is measured again.

pub(super) use super::by_tables::lookup_score;
use super::misakamm;
use super::ratings::{NO_SCORE, Ratings, Running};
use super::shape::{ConstShape, FIRST, SHAPES};
use super::surface::{COLUMNS, Cells, MARGIN, PerColumn, copy_columns};
use super::tables::Tables;
use super::weights::{MEASURES, Measure};
use super::whole::{full_rows, remove_rows, weighted};
use crate::simd::{LANES, Lanes, Work};

/// Rates all placements of a piece for the player of a kernel.
pub(super) struct RateAll<'a, L> {
    pub(super) boards: &'a [&'a Cells; LANES],
    pub(super) piece: usize,
    pub(super) tables: &'a Tables,
    pub(super) ratings: &'a mut Ratings<L>,
}

impl<L: Lanes> Work<L> for RateAll<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let tables = self.tables;
        if let Some(lookup) = &tables.lookup {
            lookup.rate(self.boards, tables.height, self.piece, self.ratings);
            return;
        }
        let heights = L::splat(tables.height as i32);
        let boards = EightBoards::new(self.boards, tables.width, heights);
        boards.rate(self.piece, tables, self.ratings);
    }
}

/// Eight boards on which pieces are dropped.
struct EightBoards<L> {
    own: PerColumn<L>,
    tops: PerColumn<L>,
    width: usize,
    heights: L,
}

impl<L: Lanes> EightBoards<L> {
    #[inline(always)]
    fn new(boards: &[&Cells; LANES], width: usize, heights: L) -> EightBoards<L> {
        let mut own = [L::splat(-1); COLUMNS];
        copy_columns(boards, width, &mut own);
        // Not `map`, which would not be compiled with the instructions of the lanes.
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

/// The landing of a shape: one more than the row of its box.
#[inline(always)]
fn land<L: Lanes>(tops: &PerColumn<L>, shape: &ConstShape, c: usize) -> L {
    let mut landing = tops[c].sub(L::splat(shape.low[0] as i32));
    for j in 1..shape.width {
        landing = landing.max(tops[c + j].sub(L::splat(shape.low[j] as i32)));
    }
    landing
}

/// Scores boards by the measures of the Misakamm player, without the landing, after removing full
/// rows; the lines that these clear are included.
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
