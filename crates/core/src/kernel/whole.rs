//! The measures of eight whole boards.

use super::set::{Set, SetKind, with_set};
use super::surface::{COLUMNS, Cells, MARGIN, PerColumn, SMALL_STEPS, copy_columns, step};
use super::tables::Tables;
use super::weights::{MEASURES, Measure};
use super::whole_alone::BoardSums;
use crate::simd::{LANES, Lanes, Words, Work};

/// The measures of eight boards.
pub(super) type Values = [Words; MEASURES];

/// Eight measured boards, after removing full rows.
pub(super) struct Measured {
    /// The scores of the boards, with rounded weights.
    pub(super) scores: Words,
    /// The rows that were removed.
    pub(super) removed: Words,
}

/// Measures eight whole boards.
pub(super) struct Whole<'a, L, S> {
    pub(super) boards: &'a [Cells; LANES],
    /// Scratch space for the columns of the boards; the walls on the left are set.
    pub(super) own: &'a mut PerColumn<L>,
    pub(super) tables: &'a Tables,
    /// Scratch space for the measures of the boards, if they are needed; the measures of the
    /// landing are zero.
    pub(super) values: Option<&'a mut Values>,
    /// Which measures are needed.
    pub(super) _set: S,
}

impl<L: Lanes, S: Set> Work<L> for Whole<'_, L, S> {
    type Output = Measured;

    #[inline(always)]
    fn run(self) -> Measured {
        let width = self.tables.width;
        let own = self.own;
        copy_columns(&self.boards.each_ref(), width, own);
        let removed = full_rows(own, width);
        remove_rows(own, width, removed);
        let mut values = [L::splat(0); MEASURES];
        measure::<L, S>(own, self.tables, &mut values);
        let scores = weighted(&values, self.tables);
        if let Some(stored) = self.values {
            for (stored, value) in stored.iter_mut().zip(values) {
                *stored = value.store();
            }
        }
        Measured {
            scores: scores.store(),
            removed: removed.store(),
        }
    }
}

/// The scores of eight boards from their measures, if placements are scored incrementally;
/// otherwise undefined.
pub(super) fn board_scores<L: Lanes>(tables: &Tables, boards: &[Cells; LANES]) -> Words {
    let own = &mut [L::splat(-1); COLUMNS];
    with_set!(tables.kind, set => L::enter(Whole {
        boards,
        own,
        tables,
        values: None,
        _set: set,
    }).scores, else Words([0; LANES]))
}

/// The scores of measured boards, with rounded weights.
#[inline(always)]
pub(super) fn weighted<L: Lanes>(values: &[L; MEASURES], tables: &Tables) -> L {
    let mut scores = L::splat(0);
    for measure in Measure::RowTransitions as usize..MEASURES {
        let weight = tables.weights.rounded[measure];
        scores = scores.add(values[measure].mul(L::splat(weight)));
    }
    scores
}

/// The full rows of eight boards.
#[inline(always)]
pub(super) fn full_rows<L: Lanes>(own: &PerColumn<L>, width: usize) -> L {
    let columns = own[MARGIN..MARGIN + width].iter();
    let all = columns.fold(L::splat(-1), |all, &column| all.and(column));
    all.and_not(L::splat(1))
}

/// Removes rows from eight boards of this width between walls.
#[inline(always)]
pub(super) fn remove_rows<L: Lanes>(own: &mut PerColumn<L>, width: usize, full: L) {
    take_rows_out(&mut own[MARGIN..MARGIN + width], full, |cells| cells);
}

/// Removes rows from eight boards; `cells` locates the cells of a column.
#[inline(always)]
pub(super) fn take_rows_out<L: Lanes, T>(
    columns: &mut [T],
    full: L,
    cells: impl Fn(&mut T) -> &mut L,
) {
    let mut rest = full;
    while rest.eq(L::splat(0)).bits() != 0xFF {
        // The lowest row first; those above it move down with the stack. Lanes without a row are
        // unchanged.
        let lowest = rest.and(L::splat(0).sub(rest));
        let below = lowest.sub(L::splat(1));
        for column in columns.iter_mut().map(&cells) {
            let fallen = column.shr::<1>().and_not(below);
            *column = column.and(below).or(fallen);
        }
        rest = rest.xor(lowest).shr::<1>();
    }
}

/// A sum of bits, counted in bytes and added up at the end.
pub(super) struct BitSum<L>(L);

impl<L: Lanes> BitSum<L> {
    #[inline(always)]
    pub(super) fn new() -> BitSum<L> {
        BitSum(L::splat(0))
    }

    /// Counts the bits. A byte can hold 31 of these counts.
    #[inline(always)]
    pub(super) fn count(&mut self, bits: L) {
        self.0 = self.0.add(bits.byte_counts());
    }

    #[inline(always)]
    pub(super) fn total(&self) -> L {
        self.0.byte_sum()
    }
}

#[inline(always)]
fn measure<L: Lanes, S: Set>(own: &PerColumn<L>, tables: &Tables, values: &mut [L; MEASURES]) {
    let columns = MARGIN..MARGIN + tables.width;
    let mut sums = BoardSums::new();
    for c in columns.clone() {
        sums.count::<S>(own[c], own[c - 1], tables);
    }
    sums.count_right_wall(own[columns.end - 1], tables);
    let mut wells = L::splat(0);
    if S::WELLS {
        for c in columns.clone().step_by(2) {
            // On a board of odd width, the last pair includes a wall.
            wells = wells.add(well_sum([own[c - 1], own[c], own[c + 1], own[c + 2]]));
        }
    }
    if S::FAST_WELLS {
        let mut runs = L::splat(0);
        for c in columns.clone() {
            runs = runs.add(run_sum(own[c - 1], own[c], own[c + 1]));
        }
        values[Measure::FastWells as usize] = runs.shr_signed::<1>();
    }
    if S::DIVERSITY {
        let (mut steps, mut left) = (L::splat(0), own[columns.start].bit_length());
        for column in &own[columns][1..] {
            let top = column.bit_length();
            steps = steps.or(step(left, top));
            left = top;
        }
        values[Measure::Diversity as usize] = steps.and(L::splat(SMALL_STEPS)).count();
    }
    values[Measure::RowTransitions as usize] = sums.rows.total();
    values[Measure::ColumnTransitions as usize] = sums.changes.total();
    values[Measure::Holes as usize] = sums.holes.total();
    values[Measure::Wells as usize] = wells;
    values[Measure::HoleDepth as usize] = sums.depth.total();
    values[Measure::HoleRows as usize] = sums.hole_rows.count();
}

/// For the two middle columns of four, the sum over all cells between filled neighbours of 1 + the
/// number of empty cells directly below.
#[inline(always)]
fn well_sum<L: Lanes>([left, a, b, right]: [L; 4]) -> L {
    let (empty_a, empty_b) = (L::splat(-1).and_not(a), L::splat(-1).and_not(b));
    let mut cells_a = left.and(b).and(empty_a);
    let mut cells_b = a.and(right).and(empty_b);
    let mut sum = BitSum::new();
    // Each round moves all cells down by one and drops those that hit a filled cell. Neighbouring
    // columns never have such cells in the same row, because each needs the other column filled
    // there, and all cells move in the same way, so both columns are counted together.
    loop {
        let cells = cells_a.or(cells_b);
        if cells.eq(L::splat(0)).bits() == 0xFF {
            return sum.total();
        }
        sum.count(cells);
        cells_a = cells_a.shr::<1>().and(empty_a);
        cells_b = cells_b.shr::<1>().and(empty_b);
    }
}

/// For each run of empty cells, `n (n + 1)`, where `n` is its length from its highest cell between
/// filled neighbours down.
#[inline(always)]
pub(super) fn run_sum<L: Lanes>(left: L, own: L, right: L) -> L {
    let one = L::splat(1);
    let mut cells = left.and(right).and_not(own);
    let mut sum = L::splat(0);
    while cells.eq(L::splat(0)).bits() != 0xFF {
        // Where no cell is left, the floor makes this an empty run.
        let above = cells.or(one).bit_length();
        let below = own.and(one.shl_by(above).sub(one));
        let bottom = below.bit_length();
        let rows = above.sub(bottom);
        sum = sum.add(rows.mul(rows.add(one)));
        cells = cells.and(one.shl_by(bottom).sub(one));
    }
    sum
}

/// Columns are copied four at a time, so there must be space for the last four next to the widest
/// board.
const _: () = assert!(COLUMNS >= MARGIN + 16);
