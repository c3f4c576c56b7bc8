//! Features of the board after a placement, as sums over its columns, over pairs of neighbouring
//! columns, over its rows, or as any function of its columns.
//!
//! Each is written once, over [`Word`]: for one board on the general path, where only the few columns
//! that a piece changes are looked at again, and for eight boards at a time (`lanes`), where the same
//! is done in vector registers.

use super::lanes::{LaneForm, board_lanes, column_lanes, gap_lanes, union_lanes};
use crate::board::Board;
use crate::moves::WINDOW_MARGIN;
use crate::outcomes::Outcomes;
use crate::simd::{Word, WordNumber};

/// The most columns of a board.
const MOST_COLUMNS: usize = 16;

/// One column of a board.
#[derive(Clone, Copy, Debug)]
pub struct Column<W: Word> {
    /// The filled cells.
    pub cells: W,
    /// Its height. A wall is higher than any stack.
    pub top: W::Num,
}

impl<W: Word> Column<W> {
    /// Measures a column.
    #[inline(always)]
    pub fn new(cells: W) -> Column<W> {
        Column {
            cells,
            top: cells.height(),
        }
    }

    /// What is left and right of the board: filled in every row.
    #[inline(always)]
    pub fn wall() -> Column<W> {
        Column {
            cells: W::bits(u64::MAX),
            top: W::Num::splat(64),
        }
    }

    /// The empty cells below the highest filled one.
    #[inline(always)]
    pub fn holes(self) -> W {
        !self.cells & W::filled(self.top)
    }
}

/// A feature whose value is the sum of one term per column.
pub trait ColumnTerm {
    /// Whether the term looks at the neighbours; if not, `left` and `right` must not be used.
    const NEIGHBOURS: bool;

    /// What the column `own` adds between its neighbours `left` and `right`.
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, at: At) -> W::Num;
}

/// Where a column is.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// Number of the column, from the left, the first being 0.
    pub column: usize,
    /// Width of the board.
    pub width: usize,
    /// Height of the board.
    pub height: usize,
}

impl At {
    /// Distance from the nearer wall: 0 for the outermost columns.
    #[must_use]
    #[inline(always)]
    pub fn from_wall(self) -> usize {
        self.column.min(self.width - 1 - self.column)
    }
}

/// A feature whose value is the sum of one term per pair of neighbouring columns.
pub trait GapTerm {
    /// Whether the gaps between the outermost columns and the walls count.
    const WALLS: bool;

    /// What the gap between two columns adds.
    fn term<W: Word>(left: Column<W>, right: Column<W>) -> W::Num;

    /// What is added once to the sum over the gaps of a board of this height.
    #[inline(always)]
    fn offset<W: Word>(_height: usize) -> i32 {
        0
    }
}

/// A feature of the rows that are marked in any column.
pub trait RowUnion {
    /// The rows that a column marks.
    fn rows<W: Word>(own: Column<W>) -> W;

    /// The value of all marked rows together, on a board of this height.
    fn value<W: Word>(rows: W, height: usize) -> W::Num;
}

/// A feature that is any function of the columns of the board.
pub trait BoardTerm {
    /// The value of a board.
    fn value<W: Word>(board: &Columns<W>) -> W::Num;
}

/// The columns of a board between walls.
#[derive(Clone, Copy, Debug)]
pub struct Columns<W: Word> {
    /// Column `c` at `c + WINDOW_MARGIN`, walls on both sides.
    pub(crate) padded: [Column<W>; MOST_COLUMNS + 8],
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
}

impl<W: Word> Columns<W> {
    /// A board whose columns are not known yet.
    #[inline(always)]
    pub(crate) fn new(width: usize, height: usize) -> Columns<W> {
        Columns {
            padded: [Column::wall(); MOST_COLUMNS + 8],
            width,
            height,
        }
    }

    /// A column.
    #[must_use]
    #[inline(always)]
    pub fn own(&self, column: usize) -> Column<W> {
        self.padded[column + WINDOW_MARGIN]
    }

    /// The column, or the wall, on the left of a column.
    #[must_use]
    #[inline(always)]
    pub fn left_of(&self, column: usize) -> Column<W> {
        self.padded[column + WINDOW_MARGIN - 1]
    }

    /// The column, or the wall, on the right of a column.
    #[must_use]
    #[inline(always)]
    pub fn right_of(&self, column: usize) -> Column<W> {
        self.padded[column + WINDOW_MARGIN + 1]
    }

    /// Where a column is.
    #[must_use]
    #[inline(always)]
    pub(crate) fn at(&self, column: usize) -> At {
        At {
            column,
            width: self.width,
            height: self.height,
        }
    }

    /// The term of one column.
    #[inline(always)]
    pub(crate) fn term<T: ColumnTerm>(&self, c: usize) -> W::Num {
        T::term(self.left_of(c), self.own(c), self.right_of(c), self.at(c))
    }

    /// The sum of the terms of all columns.
    #[inline(always)]
    pub(crate) fn sum<T: ColumnTerm>(&self) -> W::Num {
        let mut sum = W::Num::splat(0);
        for c in 0..self.width {
            sum = sum + self.term::<T>(c);
        }
        sum
    }

    /// The largest of the terms of all columns; 0 if all are negative.
    #[inline(always)]
    pub(crate) fn largest<T: ColumnTerm>(&self) -> W::Num {
        let mut largest = W::Num::splat(0);
        for c in 0..self.width {
            largest = largest.most(self.term::<T>(c));
        }
        largest
    }

    /// The sum of the terms of all gaps.
    #[inline(always)]
    pub(crate) fn sum_gaps<T: GapTerm>(&self) -> W::Num {
        let mut sum = W::Num::splat(T::offset::<W>(self.height));
        let (first, end) = gaps::<T>(self.width);
        for gap in first..end {
            sum = sum + T::term(self.left_of(gap), self.own(gap));
        }
        sum
    }

    /// The value of the rows that are marked in any column.
    #[inline(always)]
    pub(crate) fn value_of_rows<T: RowUnion>(&self) -> W::Num {
        let mut rows = W::bits(0);
        for c in 0..self.width {
            rows = rows | T::rows(self.own(c));
        }
        T::value(rows, self.height)
    }
}

impl Columns<u64> {
    /// The columns of a board.
    #[must_use]
    #[inline]
    pub fn of(board: &Board) -> Columns<u64> {
        let mut columns = Columns::new(board.width(), board.height());
        for (own, &cells) in columns.padded[WINDOW_MARGIN..]
            .iter_mut()
            .zip(board.columns())
        {
            *own = Column::new(cells);
        }
        columns
    }
}

/// The gaps that count: gap `g` is left of column `g`, and gaps 0 and `width` touch the walls.
#[inline(always)]
pub(super) const fn gaps<T: GapTerm>(width: usize) -> (usize, usize) {
    if T::WALLS { (0, width + 1) } else { (1, width) }
}

/// The value of one counted unit of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureUnit {
    /// 1.
    One,
    /// One half.
    Half,
    /// A mean over the columns.
    PerColumn,
    /// A share of all cells in percent.
    Percent,
}

impl MeasureUnit {
    /// The value of a count on a board of this size.
    #[must_use]
    #[inline]
    pub fn value(self, number: f64, width: usize, height: usize) -> f64 {
        match self {
            MeasureUnit::One => number,
            MeasureUnit::Half => number / 2.0,
            MeasureUnit::PerColumn => number / width as f64,
            MeasureUnit::Percent => 100.0 * number / (width * height) as f64,
        }
    }
}

/// How a feature of the board is computed: for one board, for all placements of a decision, and for
/// those of eight boards.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// The value of a whole board, in units.
    pub(super) whole: fn(&Board) -> i32,
    /// The values of all placements, in units, right where no row is removed; the windows must be shown.
    pub(super) each: fn(&Outcomes, &mut [f64]),
    /// The same for eight boards.
    pub(crate) lanes: LaneForm,
    /// What one is worth.
    pub(crate) unit: MeasureUnit,
    /// Whether full rows stay on the board that is measured, whatever the player looks at otherwise.
    pub(crate) keeps_full_rows: bool,
}

/// A feature as a sum over columns.
pub(super) const fn columns<T: ColumnTerm>() -> Local {
    Local::new(whole_columns::<T>, each_columns::<T>, column_lanes::<T>())
}

/// A feature as a sum over gaps between columns.
pub(super) const fn sum_of_gaps<T: GapTerm>() -> Local {
    Local::new(whole_gaps::<T>, each_gaps::<T>, gap_lanes::<T>())
}

/// A feature of the rows marked in any column.
pub(super) const fn union<T: RowUnion>() -> Local {
    Local::new(whole_union::<T>, each_union::<T>, union_lanes::<T>())
}

/// A feature of all columns together.
pub(super) const fn board<T: BoardTerm>() -> Local {
    Local::new(whole_board::<T>, each_board::<T>, board_lanes::<T>())
}

impl Local {
    const fn new(
        whole: fn(&Board) -> i32,
        each: fn(&Outcomes, &mut [f64]),
        lanes: LaneForm,
    ) -> Local {
        Local {
            whole,
            each,
            lanes,
            unit: MeasureUnit::One,
            keeps_full_rows: false,
        }
    }

    /// The value of a board.
    pub(super) fn value(&self, board: &Board) -> f64 {
        let number = f64::from((self.whole)(board));
        self.unit.value(number, board.width(), board.height())
    }
}

/// Calls `f` for every placement: with the width of its shape, its column, the columns around it and
/// its value.
#[inline(always)]
fn for_each_placement(
    outcomes: &Outcomes,
    values: &mut [f64],
    mut f: impl FnMut(usize, usize, &[u64; 8], &mut f64),
) {
    for group in outcomes.drops().groups() {
        let own = outcomes.of_group(group).iter();
        let values = &mut values[group.start..group.start + group.count];
        for (x, (outcome, value)) in own.zip(values).enumerate() {
            f(group.shape.width, x, &outcome.columns, value);
        }
    }
}

/// The columns before the placement.
fn before(outcomes: &Outcomes) -> Columns<u64> {
    Columns::of(&outcomes.drops().before.board)
}

fn whole_columns<T: ColumnTerm>(board: &Board) -> i32 {
    Columns::of(board).sum::<T>()
}

fn each_columns<T: ColumnTerm>(outcomes: &Outcomes, values: &mut [f64]) {
    let board = before(outcomes);
    // sums[c] = sum of the terms of the columns left of c on the board before the placement.
    let mut sums = [0; 17];
    for c in 0..board.width {
        sums[c + 1] = sums[c] + board.term::<T>(c);
    }
    // Only the columns of the piece, and their neighbours if the term looks at those, have changed.
    let (width, reach) = (board.width, usize::from(T::NEIGHBOURS));
    for_each_placement(outcomes, values, |piece_width, x, window, value| {
        let first = x.saturating_sub(reach);
        let end = (x + piece_width + reach).min(width);
        let mut sum = sums[width] - sums[end] + sums[first];
        for c in first..end {
            let k = c + WINDOW_MARGIN - x;
            let [left, own, right] = [window[k - 1], window[k], window[k + 1]].map(Column::new);
            sum += T::term(left, own, right, board.at(c));
        }
        *value = f64::from(sum);
    });
}

fn whole_gaps<T: GapTerm>(board: &Board) -> i32 {
    Columns::of(board).sum_gaps::<T>()
}

fn each_gaps<T: GapTerm>(outcomes: &Outcomes, values: &mut [f64]) {
    let board = before(outcomes);
    let (first, end) = gaps::<T>(board.width);
    let mut sums = [0; 18];
    for gap in 0..=board.width {
        let counts = first <= gap && gap < end;
        let term = if counts {
            T::term(board.left_of(gap), board.own(gap))
        } else {
            0
        };
        sums[gap + 1] = sums[gap] + term;
    }
    let all = T::offset::<u64>(board.height) + sums[board.width + 1];
    for_each_placement(outcomes, values, |piece_width, x, window, value| {
        let mut sum = all - sums[x + piece_width + 1] + sums[x];
        for gap in x.max(first)..(x + piece_width + 1).min(end) {
            let k = gap + WINDOW_MARGIN - x;
            sum += T::term(Column::new(window[k - 1]), Column::new(window[k]));
        }
        *value = f64::from(sum);
    });
}

fn whole_union<T: RowUnion>(board: &Board) -> i32 {
    Columns::of(board).value_of_rows::<T>()
}

fn each_union<T: RowUnion>(outcomes: &Outcomes, values: &mut [f64]) {
    let board = before(outcomes);
    let (mut left_of, mut from) = ([0; 17], [0; 17]);
    for c in 0..board.width {
        let rows = T::rows(board.own(c));
        left_of[c + 1] = left_of[c] | rows;
        from[c] = rows;
    }
    for c in (0..board.width).rev() {
        from[c] |= from[c + 1];
    }
    for_each_placement(outcomes, values, |piece_width, x, window, value| {
        let mut rows = left_of[x] | from[x + piece_width];
        for &column in &window[WINDOW_MARGIN..WINDOW_MARGIN + piece_width] {
            rows |= T::rows(Column::new(column));
        }
        *value = f64::from(T::value(rows, board.height));
    });
}

fn whole_board<T: BoardTerm>(board: &Board) -> i32 {
    T::value(&Columns::of(board))
}

fn each_board<T: BoardTerm>(outcomes: &Outcomes, values: &mut [f64]) {
    let before = before(outcomes);
    let mut board = before;
    for_each_placement(outcomes, values, |piece_width, x, window, value| {
        let changed = x + WINDOW_MARGIN..x + WINDOW_MARGIN + piece_width;
        for (own, &cells) in
            (board.padded[changed.clone()].iter_mut()).zip(&window[WINDOW_MARGIN..])
        {
            *own = Column::new(cells);
        }
        *value = f64::from(T::value(&board));
        board.padded[changed.clone()].copy_from_slice(&before.padded[changed]);
    });
}
