//! The best afterstates of eight boards for every possible piece, for learners of lookup tables.
//!
//! Unlike in a kernel, the weights are an argument of every call, because they change constantly,
//! and each board may have a different height.

use super::by_tables::TablePlan;
use super::ratings::{NO_SCORE, Ratings};
use super::state;
use super::surface::{Cells, remove_rows};
use super::{Fastest, MOST_ROWS, is_available};
use crate::board::Board;
use crate::evaluators::covers_few;
use crate::lookup::{BoardMeasurements, MOST_COLUMNS, TableSet};
use crate::outcomes::{DecisionContext, Outcomes};
use crate::piece::PIECES;
use crate::simd::{LANES, Lanes, Words, Work};

/// A board in the form that kernels use.
#[derive(Clone, Copy, Debug)]
pub struct KernelBoard {
    cells: Cells,
    height: i32,
}

impl KernelBoard {
    /// A board that a kernel can play on.
    ///
    /// # Panics
    /// If the board is too high, has a cell above its top row, or a full row.
    #[must_use]
    pub fn new(board: &Board) -> KernelBoard {
        assert!(board.height() <= MOST_ROWS, "the board is too high");
        assert!(board.max_height() <= board.height(), "the board is lost");
        assert_eq!(board.full_rows(), 0, "the board has a full row");
        KernelBoard {
            cells: state::cells(board),
            height: board.height() as i32,
        }
    }

    /// The board of this width.
    #[must_use]
    pub fn board(&self, width: usize) -> Board {
        let mut board = Board::new(width, self.height()).expect("it was made of a board");
        state::write_cells(&self.cells, &mut board);
        board
    }

    /// Rows of the board.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height as usize
    }

    /// The same cells on a board of a different height, if they fit.
    #[must_use]
    pub fn on_height(mut self, height: usize) -> Option<KernelBoard> {
        let above = |column: &i32| (*column as u32) >> (height + 1) != 0;
        let cells = self.cells.iter().flat_map(|half| &half.0);
        self.height = height as i32;
        (height <= MOST_ROWS && !cells.into_iter().any(above)).then_some(self)
    }

    /// The columns of a board of this width; bit 0 is the bottom row.
    #[must_use]
    pub fn columns(&self, width: usize) -> Vec<u32> {
        let columns = state::columns(&self.cells);
        columns[..width]
            .iter()
            .map(|column| *column as u32)
            .collect()
    }
}

/// The best result of a piece.
#[derive(Clone, Copy, Debug)]
pub struct BestAfter {
    /// The board after the best placement.
    pub stack: KernelBoard,
    /// The score of that board: the sum of the rounded weights of its entries.
    pub score: i32,
}

/// The best boards after each of seven pieces on each of eight boards; `None` where every placement
/// loses.
pub type BestAfters = [[Option<BestAfter>; LANES]; 7];

/// Searches with a set of tables.
pub struct Afterstates {
    plan: TablePlan,
    /// Scratch space for searches with lanes; `None` if the processor does not support them, in
    /// which case no lane may be created.
    lanes: Option<Box<Ratings<Fastest>>>,
    one_by_one: SearchOneByOne,
}

/// Scratch space for searches without lanes.
#[derive(Default)]
struct SearchOneByOne {
    outcomes: Outcomes,
    measurements: BoardMeasurements,
    entries: Vec<u32>,
}

impl std::fmt::Debug for Afterstates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Afterstates").finish_non_exhaustive()
    }
}

impl Clone for Afterstates {
    fn clone(&self) -> Afterstates {
        Afterstates {
            plan: self.plan.clone(),
            lanes: self.lanes.as_ref().map(|_| Box::new(Ratings::new())),
            one_by_one: SearchOneByOne::default(),
        }
    }
}

impl Afterstates {
    /// Number of boards evaluated together.
    pub const TOGETHER: usize = LANES;

    /// Searches with these tables among placements that cover few cells
    /// ([`TableSum::most_covered`](crate::evaluators::TableSum::most_covered)). Without the
    /// instructions of the kernel the result is the same, computed one board after the other.
    #[must_use]
    pub fn new(set: &TableSet, most_covered: Option<u32>) -> Afterstates {
        Afterstates {
            plan: TablePlan::new(set, most_covered),
            lanes: is_available().then(|| Box::new(Ratings::new())),
            one_by_one: SearchOneByOne::default(),
        }
    }

    /// The same without the instructions of the kernel.
    #[cfg(test)]
    pub(super) fn one_by_one(mut self) -> Afterstates {
        self.lanes = None;
        self
    }

    /// Finds the best boards after some pieces. `weights` has one weight per entry, followed by a
    /// 0; the highest score is best.
    pub fn search(
        &mut self,
        stacks: &[KernelBoard; LANES],
        pieces: &[bool; 7],
        weights: &[i32],
        found: &mut BestAfters,
    ) {
        for piece in 0..7 {
            if !pieces[piece] {
                found[piece] = [None; LANES];
            } else if let Some(ratings) = &mut self.lanes {
                Fastest::enter(SearchPiece {
                    plan: &self.plan,
                    ratings: &mut **ratings,
                    stacks,
                    piece,
                    weights,
                    found: &mut found[piece],
                });
            } else {
                for (stack, found) in stacks.iter().zip(&mut found[piece]) {
                    *found = self.one_by_one.search(&self.plan, stack, piece, weights);
                }
            }
        }
    }

    /// The scores of some boards.
    pub fn scores(&mut self, stacks: &[KernelBoard; LANES], weights: &[i32]) -> [i32; LANES] {
        if self.lanes.is_some() {
            let (cells, rows) = (cells_of(stacks), rows_of(stacks));
            return self.plan.scores::<Fastest>(&cells, &rows, weights).0;
        }
        let mut scores = [0; LANES];
        for (stack, score) in stacks.iter().zip(&mut scores) {
            let board = stack.board(self.plan.width());
            *score = self.one_by_one.score(&self.plan.set, &board, weights);
        }
        scores
    }

    /// The entries of some boards.
    pub fn entries(&mut self, stacks: &[KernelBoard; LANES], lists: &mut [Vec<u32>; LANES]) {
        lists.iter_mut().for_each(Vec::clear);
        if self.lanes.is_some() {
            let (cells, rows) = (cells_of(stacks), rows_of(stacks));
            return self.plan.list::<Fastest>(&cells, &rows, lists);
        }
        for (stack, list) in stacks.iter().zip(lists) {
            let SearchOneByOne { measurements, .. } = &mut self.one_by_one;
            let board = stack.board(self.plan.width());
            self.plan.set.look_up(&board, measurements, list);
        }
    }
}

impl SearchOneByOne {
    fn score(&mut self, set: &TableSet, board: &Board, weights: &[i32]) -> i32 {
        set.look_up(board, &mut self.measurements, &mut self.entries);
        let shown = self.entries.iter().map(|entry| weights[*entry as usize]);
        shown.sum()
    }

    fn search(
        &mut self,
        plan: &TablePlan,
        stack: &KernelBoard,
        piece: usize,
        weights: &[i32],
    ) -> Option<BestAfter> {
        let board = stack.board(plan.width());
        let mut outcomes = std::mem::take(&mut self.outcomes);
        outcomes.generate(&DecisionContext::simple(&board, PIECES[piece]));
        let mut best: Option<BestAfter> = None;
        let looked_up = covers_few(&outcomes, plan.most_covered as u32);
        for index in 0..outcomes.len() {
            if outcomes.landing(index).game_over || !looked_up(index) {
                continue;
            }
            let after = outcomes.board_after(index);
            let score = self.score(&plan.set, &after, weights);
            if best.is_none_or(|best| score > best.score) {
                let stack = KernelBoard::new(&after);
                best = Some(BestAfter { stack, score });
            }
        }
        self.outcomes = outcomes;
        best
    }
}

fn rows_of(stacks: &[KernelBoard; LANES]) -> Words {
    Words(std::array::from_fn(|lane| stacks[lane].height))
}

fn cells_of(stacks: &[KernelBoard; LANES]) -> [&Cells; LANES] {
    std::array::from_fn(|lane| &stacks[lane].cells)
}

/// Finds the best boards after one piece.
struct SearchPiece<'a, L> {
    plan: &'a TablePlan,
    ratings: &'a mut Ratings<L>,
    stacks: &'a [KernelBoard; LANES],
    piece: usize,
    weights: &'a [i32],
    found: &'a mut [Option<BestAfter>; LANES],
}

impl<L: Lanes> Work<L> for SearchPiece<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (cells, rows) = (cells_of(self.stacks), rows_of(self.stacks));
        let (plan, weights, ratings) = (self.plan, self.weights, self.ratings);
        let width = plan.width();
        plan.rate(&cells, &rows, self.piece, weights, ratings);
        let (scores, indices) = (ratings.best.score.store(), ratings.best.index.store());
        for lane in 0..LANES {
            let score = scores.0[lane];
            self.found[lane] = (score != NO_SCORE).then(|| {
                let index = indices.0[lane] as usize;
                let mut stack = self.stacks[lane];
                let placed = &plan.places[self.piece][index * MOST_COLUMNS..][..width];
                place::<L>(&mut stack.cells, placed, ratings.landing(index, lane));
                BestAfter { stack, score }
            });
        }
    }
}

/// Fills the cells of a placement, one number for each column, and removes the full rows.
#[inline(always)]
fn place<L: Lanes>(cells: &mut Cells, placed: &[i32], landing: i32) {
    let mut full = u32::MAX;
    for (column, placed) in placed.iter().enumerate() {
        let own = &mut cells[column / LANES].0[column % LANES];
        *own |= placed << landing;
        full &= *own as u32;
    }
    remove_rows::<L>(cells, full & !1);
}
