//! Scores of boards by lookup tables, eight boards at a time: of all placements of a piece, or of
//! given boards.
//!
//! The entries are those that [`crate::lookup`] finds. This module lays out boards for it: a
//! kernel's columns have a floor in bit 0, which the columns of tables lack. Scores are integers
//! ([`TableSum`]), so their sum does not depend on the order of entries.

mod drops;

use super::ratings::Ratings;
use super::shape::{SHAPES, spots};
use super::state;
use super::surface::{COLUMNS, Cells, MARGIN, copy_columns};
use super::tables::Tables;
use crate::board::Board;
use crate::evaluators::TableSum;
use crate::lookup::{EntryRows, MOST_COLUMNS, Measurements, TableSet, WeightSum};
use crate::simd::{LANES, Lanes, Vector, Words, Work};
use drops::EightBoards;
use std::sync::Arc;

/// Lookup tables, the limit on covered cells, and the placements of all pieces.
#[derive(Clone, Debug)]
pub(super) struct TablePlan {
    pub(super) set: TableSet,
    /// See [`TableSum::most_covered`]. Without a limit, this is larger than the number of cells of
    /// any board.
    pub(super) most_covered: i32,
    /// The cells of every placement of each piece, in 16 columns; bit 0 is the row in which its box
    /// lands.
    pub(super) places: [Vec<i32>; 7],
}

/// Lookup tables and their weights.
#[derive(Clone, Debug)]
pub(super) struct LookupWeights {
    plan: TablePlan,
    /// One weight per entry, followed by a 0.
    pub(super) weights: Arc<[i32]>,
}

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
        let RateAll { boards, tables, .. } = self;
        if let Some(lookup) = &tables.lookup {
            let rows = Words([tables.height as i32; LANES]);
            let (plan, weights) = (&lookup.plan, &lookup.weights);
            plan.rate(boards, &rows, self.piece, weights, self.ratings);
        }
    }
}

/// For eight boards, a number per column, or the column's cells without the floor.
type Columns<L> = [Vector<L>; MOST_COLUMNS];

/// Copies eight boards of this width, without their floors.
#[inline(always)]
fn columns_of<L: Lanes>(boards: &[&Cells; LANES], width: usize) -> Columns<L> {
    let mut own = [L::splat(-1); COLUMNS];
    copy_columns(boards, width, &mut own);
    let mut columns = [Vector(L::splat(0)); MOST_COLUMNS];
    for c in 0..width {
        columns[c] = Vector(own[MARGIN + c].shr::<1>());
    }
    columns
}

impl LookupWeights {
    /// The tables of an evaluator, if they are made for boards of this width.
    pub(super) fn new(sum: &TableSum, width: usize) -> Option<LookupWeights> {
        (sum.set().size().width == width).then(|| LookupWeights {
            plan: TablePlan::new(sum.set(), sum.most_covered()),
            weights: sum.rounded().clone(),
        })
    }
}

/// The score of one board without full rows by the lookup tables of a kernel.
pub(super) fn lookup_score<L: Lanes>(tables: &Tables, board: &Board) -> i32 {
    let Some(lookup) = &tables.lookup else {
        return 0;
    };
    let rows = Words([tables.height as i32; LANES]);
    let cells = state::cells(board);
    let scores = lookup
        .plan
        .scores::<L>(&[&cells; LANES], &rows, &lookup.weights);
    scores.0[0]
}

impl TablePlan {
    pub(super) fn new(set: &TableSet, most_covered: Option<u32>) -> TablePlan {
        const NO_LIMIT: u32 = 1 << 20;
        let most_covered = most_covered.map_or(NO_LIMIT, |most| most.min(NO_LIMIT));
        TablePlan {
            set: set.clone(),
            most_covered: most_covered as i32,
            places: places(set.size().width),
        }
    }

    /// The required number of columns.
    pub(super) fn width(&self) -> usize {
        self.set.size().width
    }

    /// Rates the placements of a piece that pass the filter, on eight boards with these numbers of
    /// rows. `weights` has one weight per entry, followed by a 0.
    #[inline(always)]
    pub(super) fn rate<L: Lanes>(
        &self,
        boards: &[&Cells; LANES],
        rows: &Words,
        piece: usize,
        weights: &[i32],
        ratings: &mut Ratings<L>,
    ) {
        EightBoards::new(boards, self.width(), rows).rate(piece, self, weights, ratings);
    }

    /// The scores of eight boards with these numbers of rows.
    pub(super) fn scores<L: Lanes>(
        &self,
        boards: &[&Cells; LANES],
        rows: &Words,
        weights: &[i32],
    ) -> Words {
        L::enter(Scores {
            plan: self,
            boards,
            rows,
            weights,
        })
    }

    /// Lists the entries of eight boards with these numbers of rows.
    pub(super) fn list<L: Lanes>(
        &self,
        boards: &[&Cells; LANES],
        rows: &Words,
        lists: &mut [Vec<u32>; LANES],
    ) {
        L::enter(ListEntries {
            plan: self,
            boards,
            rows,
            lists,
        });
    }
}

/// The cells of every placement of each piece: see [`TablePlan`].
fn places(width: usize) -> [Vec<i32>; 7] {
    std::array::from_fn(|piece| {
        let mut cells = Vec::new();
        for (shape, x) in spots(piece, width) {
            let (shape, mut columns) = (&SHAPES[shape], [0; MOST_COLUMNS]);
            for j in 0..shape.width {
                columns[x + j] = shape.columns[j] as i32;
            }
            cells.extend(columns);
        }
        cells
    })
}

/// Scores given boards.
struct Scores<'a> {
    plan: &'a TablePlan,
    boards: &'a [&'a Cells; LANES],
    rows: &'a Words,
    weights: &'a [i32],
}

impl<L: Lanes> Work<L> for Scores<'_> {
    type Output = Words;

    #[inline(always)]
    fn run(self) -> Words {
        L::enter(SumWeights {
            set: &self.plan.set,
            columns: &columns_of(self.boards, self.plan.width()),
            rows: L::load(self.rows),
            weights: self.weights,
            measurements: &mut Measurements::new(),
        })
    }
}

/// Adds up the weights of the entries of eight boards.
struct SumWeights<'a, L: Lanes> {
    set: &'a TableSet,
    columns: &'a Columns<L>,
    rows: L,
    weights: &'a [i32],
    measurements: &'a mut Measurements<Vector<L>>,
}

impl<L: Lanes> Work<L> for SumWeights<'_, L> {
    type Output = Words;

    #[inline(always)]
    fn run(self) -> Words {
        let mut sum = WeightSum {
            weights: self.weights,
            sum: Vector(L::splat(0)),
        };
        let (columns, rows) = (self.columns, Vector(self.rows));
        let SumWeights { set, .. } = self;
        set.find_entries(columns, rows, self.measurements, &mut sum);
        sum.sum.0.store()
    }
}

/// Lists the entries of boards.
struct ListEntries<'a> {
    plan: &'a TablePlan,
    boards: &'a [&'a Cells; LANES],
    rows: &'a Words,
    lists: &'a mut [Vec<u32>; LANES],
}

impl<L: Lanes> Work<L> for ListEntries<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let set = &self.plan.set;
        let mut found = EntryRows(Vec::with_capacity(self.lists[0].capacity()));
        let columns = columns_of(self.boards, self.plan.width());
        let rows = Vector(L::load(self.rows));
        set.find_entries(&columns, rows, &mut Measurements::new(), &mut found);
        found.list(set.entries(), self.lists);
    }
}
