//! Scores of all placements of a piece on eight boards, from the whole boards after them: for players whose measures depend on
//! the whole surface.
//!
//! The shape's cells are put into the columns of the eight games, full rows are removed if there are any, and everything is
//! measured again.

use super::lanes::{LANES, Lanes, Work};
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

/// Rates all placements of a piece by measuring the boards after them.
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
        let mut own = [L::splat(-1); COLUMNS];
        copy_columns(self.boards, tables.width, &mut own);
        // Not `map`: it would not be compiled with the instructions of the lanes.
        let mut tops = own;
        for top in &mut tops {
            *top = top.bit_length();
        }
        let mut running = Running::new();
        for number in FIRST[self.piece]..FIRST[self.piece + 1] {
            let shape = &SHAPES[number];
            let highest = L::splat((tables.height - shape.height + 1) as i32);
            let (constant, slope) = tables.shapes[number].landing;
            for c in MARGIN..=MARGIN + tables.width - shape.width {
                let landing = land(&tops, shape, c);
                let before = [own[c], own[c + 1], own[c + 2], own[c + 3]];
                for j in 0..shape.width {
                    let cells = L::splat(shape.columns[j] as i32).shl_by(landing);
                    own[c + j] = own[c + j].or(cells);
                }
                let loses = landing.gt(highest);
                let score = L::enter(Score::<L, S> {
                    own: &own,
                    loses,
                    tables,
                    set: PhantomData,
                });
                own[c..c + 4].copy_from_slice(&before);
                let landed = landing.mul(L::splat(slope)).add(L::splat(constant));
                let score = loses.pick(L::splat(NO_SCORE), score.add(landed));
                self.ratings
                    .push(&mut running, score, L::splat(-1), landing);
            }
        }
        self.ratings.finish(&running);
    }
}

/// One more than the row in which the box of a shape lands.
#[inline(always)]
pub(super) fn land<L: Lanes>(tops: &PerColumn<L>, shape: &ConstShape, c: usize) -> L {
    let mut landing = tops[c].sub(L::splat(shape.low[0] as i32));
    for j in 1..shape.width {
        landing = landing.max(tops[c + j].sub(L::splat(shape.low[j] as i32)));
    }
    landing
}

/// Scores boards without the landing, full rows removed; the lines that these are included.
struct Score<'a, L, S> {
    own: &'a PerColumn<L>,
    /// Boards whose score does not matter: they reach above the top.
    loses: L,
    tables: &'a Tables,
    set: PhantomData<S>,
}

impl<L: Lanes, S: Set> Work<L> for Score<'_, L, S> {
    type Output = L;

    #[inline(always)]
    fn run(self) -> L {
        let (own, tables) = (self.own, self.tables);
        let full = full_rows(own, tables.width);
        if S::LOOKUP {
            let mut after = *own;
            remove_rows(&mut after, tables.width, full);
            // A board that loses is seen as an empty one: its columns may be too high for the tables.
            for column in &mut after[MARGIN..MARGIN + tables.width] {
                *column = self.loses.pick(L::splat(1), *column);
            }
            return look_up(&after, tables);
        }
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

/// What eight boards without full rows score by look-up tables.
#[inline(always)]
fn look_up<L: Lanes>(own: &PerColumn<L>, tables: &Tables) -> L {
    match &tables.lookup {
        Some(lookup) => lookup.plan.sum(own, tables.height, &lookup.weights),
        None => L::splat(0),
    }
}

/// What one board scores by look-up tables.
pub(super) fn lookup_score<L: Lanes>(tables: &Tables, board: &Board) -> i32 {
    struct LookUp<'a>(&'a Cells, &'a Tables);
    impl<L: Lanes> Work<L> for LookUp<'_> {
        type Output = L;

        #[inline(always)]
        fn run(self) -> L {
            let mut own = [L::splat(-1); COLUMNS];
            copy_columns(&[self.0; LANES], self.1.width, &mut own);
            look_up(&own, self.1)
        }
    }
    L::enter(LookUp(&state::cells(board), tables)).store().0[0]
}
