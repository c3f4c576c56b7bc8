//! A single game: the lanes are the columns of its board.
//!
//! When few games are left, there may not be eight with the same piece. Then a register holds one
//! measure of eight neighbouring columns, and a shape is dropped in eight columns together: on a
//! board ten columns wide, about four times per decision instead of 23 times. Placements are rated
//! by the same code as for eight boards (`drop`), on different lanes. A rating also depends on the
//! neighbouring columns, so the measures are stored in memory between walls, and each load starts
//! at the left neighbour of the first lane's column.

use super::drop::{Dropped, ShapeScale, shape_of};
use super::ratings::{Best, NO_SCORE};
use super::set::Set;
use super::shape::{FIRST, piece_has_column};
use super::surface::Part::{self, *};
use super::surface::{
    COLUMNS, Cells, Column, MARGIN, ON_TOP, OVER_GAP, PARTS, Prices, RowMeasures, View,
    one_to_four, walled,
};
use super::tables::Tables;
use crate::outcomes::MAX_OUTCOMES;
use crate::simd::{LANES, Lanes, Words, Work};

/// The number of each lane.
const NUMBERS: Words = Words([0, 1, 2, 3, 4, 5, 6, 7]);

/// The scores of the placements of one piece in one game.
pub(super) struct RatedAlone {
    /// The best score; [`NO_SCORE`] if all placements lose or are unusual.
    pub(super) best: i32,
    /// The next best score, which equals the best if two placements have it.
    pub(super) second: i32,
    /// The index of the first placement with the best score.
    pub(super) index: i32,
    /// A bit for every placement whose resulting board must be measured as a whole.
    pub(super) unsettled: u64,
}

/// Rates all placements of one piece on one board.
pub(super) struct DropAlone<'a, S, const PIECE: usize> {
    pub(super) board: &'a Cells,
    /// The board's own score.
    pub(super) score: i32,
    pub(super) tables: &'a Tables,
    pub(super) profile: &'a mut Profile,
    /// The scores and the landings of all placements.
    pub(super) numbers: [&'a mut [i32; MAX_OUTCOMES]; 2],
    /// Which measures are needed.
    pub(super) _set: S,
}

impl<L: Lanes, S: Set, const PIECE: usize> Work<L> for DropAlone<'_, S, PIECE> {
    type Output = RatedAlone;

    #[inline(always)]
    fn run(self) -> RatedAlone {
        let (profile, tables) = (self.profile, self.tables);
        let rows = profile.measure::<L, S, PIECE>(self.board, tables);
        let mut across = Across {
            profile,
            rows: &rows,
            score: L::splat(self.score),
            tables,
            numbers: self.numbers,
            count: 0,
            best: Best::new(),
            unsettled: 0,
        };
        macro_rules! shapes {
            ($($offset:literal)*) => {$(
                if const { FIRST[PIECE] + $offset < FIRST[PIECE + 1] } {
                    across.drop_shape::<S, PIECE, $offset>();
                }
            )*};
        }
        shapes!(0 1 2 3);
        across.finish()
    }
}

/// A piece dropped in all columns of one board.
struct Across<'a, L> {
    profile: &'a Profile,
    rows: &'a RowMeasures<L>,
    score: L,
    tables: &'a Tables,
    numbers: [&'a mut [i32; MAX_OUTCOMES]; 2],
    /// Number of rated placements.
    count: usize,
    best: Best<L>,
    unsettled: u64,
}

impl<L: Lanes> Across<'_, L> {
    /// Rates the placements of one shape.
    #[inline(always)]
    fn drop_shape<S: Set, const PIECE: usize, const OFFSET: usize>(&mut self) {
        let shape = const { shape_of(PIECE, OFFSET) };
        let own = &self.tables.shapes[FIRST[PIECE] + OFFSET];
        let scale = ShapeScale::new::<S>(self.rows, shape, own, self.score, self.tables);
        let count = self.tables.width - shape.width + 1;
        // One loop handles the first eight columns and the rest, so that its instructions are still
        // in the cache.
        let mut from = 0;
        while from < count
            && let Some(view) = self.profile.columns_from(from)
        {
            let drop = Dropped::new(self.rows, shape, view, scale.well);
            let (score, settled) = drop.rate::<S>(&scale, own, self.tables);
            let beyond = L::load(&NUMBERS).gt(L::splat((count - from - 1) as i32));
            let score = beyond.pick(L::splat(NO_SCORE), score);
            self.take(self.count + from, score, settled.or(beyond), drop.landing);
            from += LANES;
        }
        self.count += count;
    }

    /// Adds the ratings of eight placements, starting at this index. Those beyond the last column
    /// have no score, and are overwritten by those of the next shape.
    #[inline(always)]
    fn take(&mut self, from: usize, score: L, settled: L, landing: L) {
        let [scores, landings] = &mut self.numbers;
        let from = from % MAX_OUTCOMES;
        if let Some(scores) = scores[from..].first_chunk_mut() {
            score.store_to(scores);
        }
        if let Some(landings) = landings[from..].first_chunk_mut() {
            landing.store_to(landings);
        }
        self.unsettled |= u64::from(!settled.bits() as u8) << from;
        let number = L::load(&NUMBERS).add(L::splat(from as i32));
        self.best.take(score, number);
    }

    /// Finds the best placement over all lanes.
    #[inline(always)]
    fn finish(&self) -> RatedAlone {
        let Best {
            score,
            second,
            index,
        } = self.best;
        let best = score.fold(L::max);
        let is_best = score.eq(best);
        // A lane whose best score is the overall best contributes its second best, other lanes
        // their best.
        let others = is_best.pick(second, score).fold(L::max);
        let index = is_best.pick(index, L::splat(i32::MAX)).fold(L::min);
        let best = best.store().0[0];
        let is_alone = is_best.bits().is_power_of_two();
        RatedAlone {
            best,
            second: if is_alone { others.store().0[0] } else { best },
            index: index.store().0[0],
            unsettled: self.unsettled,
        }
    }
}

/// One measure of all columns of a board including walls: column `c` is at index `c + MARGIN`.
type Row = [i32; COLUMNS];

/// The measures of one board's columns.
pub(super) struct Profile {
    columns: Column<Row>,
}

impl Profile {
    /// Scratch space for the measures; the walls are set.
    pub(super) fn new() -> Profile {
        Profile {
            columns: Column::wall(|wall| [wall; COLUMNS]),
        }
    }

    /// Measures a board for the placements of one piece.
    #[inline(always)]
    fn measure<L: Lanes, S: Set, const PIECE: usize>(
        &mut self,
        board: &Cells,
        tables: &Tables,
    ) -> RowMeasures<L> {
        let prices = Prices::new(tables);
        let ([low, high], wall) = (walled::<L>(board, tables), L::splat(-1));
        let mut column = Column::wall(L::splat);
        let (left, right) = (low.preceding(wall), low.following(high));
        let mut holes = column.measure::<S, PIECE>(left, low, right, &prices);
        self.save::<L, S, PIECE, 0>(&column);
        if tables.width > LANES {
            let (left, right) = (high.preceding(low), high.following(wall));
            holes = holes.or(column.measure::<S, PIECE>(left, high, right, &prices));
            self.save::<L, S, PIECE, LANES>(&column);
        }
        let steps = if S::DIVERSITY {
            self.measure_steps(tables.width)
        } else {
            0
        };
        RowMeasures {
            hole_rows: holes.fold(L::or),
            missing: missing(low, high),
            steps: L::splat(steps),
        }
    }

    /// The columns for placements whose shapes start in the eight columns from `from` on: 0 or 8.
    #[inline(always)]
    fn columns_from(&self, from: usize) -> Option<ColumnsFrom<'_>> {
        let numbers = self.columns.all().as_flattened();
        Some(ColumnsFrom(numbers.get(from..)?.first_chunk()?))
    }

    /// Stores the needed measures of eight columns. Beyond the board's width the words are all
    /// ones, like walls, and measures there have no effect.
    #[inline(always)]
    fn save<L: Lanes, S: Set, const PIECE: usize, const FROM: usize>(&mut self, from: &Column<L>) {
        let mut save = |part: Part| {
            if let Some(place) = self.columns[part][MARGIN + FROM..].first_chunk_mut() {
                from[part].store_to(place);
            }
        };
        save(Own);
        save(Top);
        save(HoleRight);
        save(HoleLeft);
        if S::WELLS || S::FAST_WELLS {
            save(OpenRight);
            save(OpenLeft);
        }
        if S::WELLS {
            save(Between);
            save(WellTop);
        }
        if S::FAST_WELLS {
            save(Reach);
            save(Run);
        }
        if S::BURIED {
            save(TopBit);
        }
        for cells in 0..4 {
            if piece_has_column(PIECE, cells + 1) {
                save(ON_TOP[cells]);
                save(OVER_GAP[cells]);
            }
        }
    }

    /// Collects the small steps between neighbouring columns from both sides; returns all of them.
    #[inline(always)]
    fn measure_steps(&mut self, width: usize) -> i32 {
        let tops = self.columns[Top];
        let kind = |c: usize| {
            let rise = tops[c + 1] - tops[c];
            1i32.checked_shl((rise + 2) as u32).unwrap_or(0)
        };
        let mut steps = 0;
        for c in MARGIN..MARGIN + width.min(16) {
            self.columns[StepsLeft][c] = steps;
            steps |= kind(c);
        }
        steps = 0;
        for c in (MARGIN..MARGIN + width.min(16)).rev() {
            steps |= kind(c);
            self.columns[StepsRight][c] = steps;
        }
        steps
    }
}

/// The length of a profile from the ninth column of its first measure on.
const NUMBERS_FROM_NINTH: usize = PARTS * COLUMNS - LANES;

/// The columns for placements whose shapes start in the first eight columns, or in the eight after
/// them.
#[derive(Clone, Copy)]
struct ColumnsFrom<'a>(&'a [i32; NUMBERS_FROM_NINTH]);

impl<L: Lanes> View<L> for ColumnsFrom<'_> {
    #[inline(always)]
    fn get(self, column: usize, part: Part) -> L {
        match self.0[part as usize * COLUMNS + MARGIN - 1 + column..].first_chunk() {
            Some(eight) => L::load_from(eight),
            None => L::splat(0),
        }
    }
}

/// Rows in which exactly 1, 2, 3 or 4 cells are empty: the empty cells of each row are added in
/// binary across lanes, with one mask per digit.
#[inline(always)]
fn missing<L: Lanes>(low: L, high: L) -> [L; 4] {
    let all = L::splat(-1);
    let (a, b) = (all.and_not(low), all.and_not(high));
    let (ones, twos) = (a.xor(b), a.and(b));
    // At most two per lane, then at most four.
    let (other_ones, other_twos) = (ones.swap::<4>(), twos.swap::<4>());
    let (ones, carry) = (ones.xor(other_ones), ones.and(other_ones));
    let (twos, fours) = add_digit(twos, other_twos, carry);
    // Up to eight.
    let (other_ones, other_twos, other_fours) =
        (ones.swap::<2>(), twos.swap::<2>(), fours.swap::<2>());
    let (ones, carry) = (ones.xor(other_ones), ones.and(other_ones));
    let (twos, carry) = add_digit(twos, other_twos, carry);
    let (fours, more) = add_digit(fours, other_fours, carry);
    // Up to sixteen.
    let (other_ones, other_twos, other_fours) =
        (ones.swap::<1>(), twos.swap::<1>(), fours.swap::<1>());
    let (ones, carry) = (ones.xor(other_ones), ones.and(other_ones));
    let (twos, carry) = add_digit(twos, other_twos, carry);
    let (fours, carry) = add_digit(fours, other_fours, carry);
    let more = more.or(more.swap::<1>()).or(carry);
    one_to_four(ones, twos, fours, more)
}

/// The sum of three binary digits, and the carry.
#[inline(always)]
fn add_digit<L: Lanes>(a: L, b: L, c: L) -> (L, L) {
    let either = a.xor(b);
    (either.xor(c), a.and(b).or(either.and(c)))
}
