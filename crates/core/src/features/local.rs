//! Features of the afterstate: combined from contributions of columns ([`Fold`]; sums over columns
//! or over pairs of neighbours, the largest term, rows marked in any column), or any function of
//! its columns ([`BoardTerm`]).
//!
//! Each feature is written once, generic over [`Word`]: for one board on the general path, and for
//! eight boards at a time (`lanes`). In both cases, a fold recomputes only the few columns that a
//! piece changes.

use super::lanes::{LaneForm, board_lanes, fold_lanes};
use super::running::Running;
use crate::board::Board;
use crate::moves::WINDOW_MARGIN;
use crate::outcomes::Outcomes;
use crate::simd::{Word, WordNumber};

/// Repeats a block for each column of a piece, with its index as a constant, because the compiler
/// would not unroll a loop.
macro_rules! for_each_column {
    ($number:ident < $width:expr, $block:block) => {
        for_each_column!($number < $width, $block, 0 1 2 3)
    };
    ($number:ident < $width:expr, $block:block, $($value:literal)*) => {
        $( if $value < $width { const $number: usize = $value; $block } )*
    };
}
pub(super) use for_each_column;

/// Maximum number of columns of a board.
pub(crate) const MOST_COLUMNS: usize = 16;

/// Every piece has this many cells.
pub(super) const PIECE_CELLS: usize = 4;

/// One column of a board.
#[derive(Clone, Copy, Debug)]
pub struct Column<W: Word> {
    /// The filled cells.
    pub cells: W,
    /// The height of the column. A wall is higher than any stack.
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

    /// The walls left and right of the board: filled in every row.
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

/// A feature that combines contributions of columns: the combination is associative, so that for a
/// placement only the columns around the piece are recomputed.
pub trait Fold {
    /// The contribution of some neighbouring columns.
    type Part<W: Word>: Copy;

    /// The number of columns on each side of a changed column whose contribution may change too: 0
    /// or 1.
    const REACH: [usize; 2];
    /// The first column that contributes: 1 for pairs of columns, each counted with its right
    /// column.
    const FIRST: usize = 0;
    /// The number of columns beyond the last one that contribute: 1 if the gap before the right
    /// wall counts.
    const BEYOND: usize = 0;

    /// The contribution of no columns.
    fn nothing<W: Word>() -> Self::Part<W>;

    /// The contribution of the column `own` between its neighbours.
    fn part<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, at: At) -> Self::Part<W>;

    /// Combines contributions of columns with those of the columns on their right.
    fn join<W: Word>(left: Self::Part<W>, right: Self::Part<W>) -> Self::Part<W>;

    /// The contribution of the columns on the right, from that of all columns and that of the
    /// columns on the left; `None` if these do not determine it. A sum saves time this way.
    #[inline(always)]
    fn rest<W: Word>(_all: Self::Part<W>, _left: Self::Part<W>) -> Option<Self::Part<W>> {
        None
    }

    /// The value from the contribution of all columns.
    fn value<W: Word>(all: Self::Part<W>, board: &BoardCounts<W>) -> W::Num;
}

/// A feature whose value is the sum of one term per column.
pub trait ColumnTerm {
    /// Whether the term depends on the neighbours; if not, `left` and `right` must not be used.
    const NEIGHBOURS: bool;
    /// Whether terms are tallies ([`Word::tally`]): filled cells, which are cheaper to count
    /// together.
    const TALLIES: bool = false;

    /// The contribution of the column `own` between its neighbours `left` and `right`.
    fn term<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, at: At) -> W::Num;
}

/// The position of a column.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// Number of the column, from the left, starting at 0.
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
    pub fn wall_distance(self) -> usize {
        self.column.min(self.width - 1 - self.column)
    }
}

/// A feature whose value is the sum of one term per pair of neighbouring columns.
pub trait GapTerm {
    /// Whether the gaps between the outermost columns and the walls count.
    const WALLS: bool;
    /// Whether terms are tallies ([`Word::tally`]).
    const TALLIES: bool = false;

    /// The contribution of the gap between two columns.
    fn term<W: Word>(left: Column<W>, right: Column<W>) -> W::Num;

    /// A constant added to the sum over the gaps of a board of this height.
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

/// The facts about a board that are known without examining its columns.
#[derive(Clone, Copy, Debug)]
pub struct BoardCounts<W: Word> {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Number of filled cells.
    pub filled: W::Num,
    /// The rows that are filled from wall to wall.
    pub full: W,
}

/// The columns of a board between walls.
#[derive(Clone, Copy, Debug)]
pub struct Columns<W: Word> {
    /// Column `c` at `c + WINDOW_MARGIN`, walls on both sides.
    pub(crate) padded: [Column<W>; MOST_COLUMNS + 8],
    /// Number of filled cells.
    pub(crate) filled: W::Num,
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
}

/// The columns around a piece, from two left of it on, with the piece in place.
pub(super) type Window<W> = [Column<W>; 8];

/// Cells that columns on one side of each have in common.
pub(super) type CommonCells<W> = [W; MOST_COLUMNS + 2];

impl<W: Word> Columns<W> {
    /// A board whose contributions have not been computed.
    #[inline(always)]
    pub(crate) fn new(width: usize, height: usize) -> Columns<W> {
        Columns {
            padded: [Column::wall(); MOST_COLUMNS + 8],
            filled: W::Num::splat(0),
            width,
            height,
        }
    }

    /// Measures the columns that were filled, and counts their cells.
    #[inline(always)]
    pub(crate) fn measure(&mut self) {
        let mut cells = W::Num::splat(0);
        let width = self.width.min(MOST_COLUMNS);
        for own in &mut self.padded[WINDOW_MARGIN..WINDOW_MARGIN + width] {
            *own = Column::new(own.cells);
            cells = cells + own.cells.tally();
        }
        self.filled = W::total(cells);
    }

    /// The counts of the board.
    #[inline(always)]
    fn counts(&self) -> BoardCounts<W> {
        let mut full = W::bits(u64::MAX);
        for c in 0..self.width {
            full = full & self.own(c).cells;
        }
        BoardCounts {
            width: self.width,
            height: self.height,
            filled: self.filled,
            full,
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

    /// The position of a column.
    #[must_use]
    #[inline(always)]
    pub(crate) fn at(&self, column: usize) -> At {
        At {
            column,
            width: self.width,
            height: self.height,
        }
    }

    /// Scratch space for cells in common, filled as in `Running::space`.
    #[inline(always)]
    pub(super) fn space(&self) -> CommonCells<W> {
        [self.own(0).cells; MOST_COLUMNS + 2]
    }

    /// Finds the cells that all columns left of each one have in common, and all from each one on.
    #[inline(always)]
    pub(super) fn find_common(&self, left_of: &mut CommonCells<W>, from: &mut CommonCells<W>) {
        let width = self.width.min(MOST_COLUMNS);
        let mut all = W::bits(u64::MAX);
        for c in 0..width {
            left_of[c] = all;
            all = all & self.own(c).cells;
        }
        all = W::bits(u64::MAX);
        from[width] = all;
        for c in (0..width).rev() {
            all = all & self.own(c).cells;
            from[c] = all;
        }
    }

    /// The contribution of one column.
    #[inline(always)]
    pub(super) fn part<T: Fold>(&self, c: usize) -> T::Part<W> {
        T::part(self.left_of(c), self.own(c), self.right_of(c), self.at(c))
    }

    /// The value for the contribution of some columns.
    #[inline(always)]
    pub(super) fn value_of<T: Fold>(&self, part: T::Part<W>) -> W::Num {
        T::value::<W>(part, &self.counts())
    }

    /// The value of the board.
    #[inline(always)]
    pub(super) fn fold<T: Fold>(&self) -> W::Num {
        let mut all = T::nothing::<W>();
        for c in T::FIRST..self.width + T::BEYOND {
            all = T::join::<W>(all, self.part::<T>(c));
        }
        self.value_of::<T>(all)
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
            columns.filled += Word::count(cells);
        }
        columns
    }
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
    /// The values of all placements, in units; correct where no row is removed. The windows must
    /// have been computed.
    pub(super) each: fn(&Outcomes, &mut [f64]),
    /// The values of all placements on eight boards.
    pub(crate) lanes: LaneForm,
    /// The value of a unit.
    pub(crate) unit: MeasureUnit,
    /// Whether full rows stay on the measured board, regardless of the player's setting.
    pub(crate) keeps_full_rows: bool,
}

/// A feature that combines contributions of columns.
pub(super) const fn folded<T: Fold>() -> Local {
    Local::new(whole_fold::<T>, each_fold::<T>, fold_lanes::<T>())
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

/// Calls `f` for every placement with the width of its shape, its column, the columns around it,
/// and its value.
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

fn whole_fold<T: Fold>(board: &Board) -> i32 {
    Columns::of(board).fold::<T>()
}

fn each_fold<T: Fold>(outcomes: &Outcomes, values: &mut [f64]) {
    let board = before(outcomes);
    let (mut parts, mut rest) = (
        Running::<T, u64>::space(&board),
        Running::<T, u64>::space(&board),
    );
    let running = Running::<T, u64>::new(&board, &mut parts, &mut rest);
    let (mut left_of, mut from) = (board.space(), board.space());
    board.find_common(&mut left_of, &mut from);
    for_each_placement(outcomes, values, |piece_width, x, window, value| {
        let own = &window[WINDOW_MARGIN..WINDOW_MARGIN + piece_width];
        let beside = left_of[x] & from[x + piece_width];
        let full = own.iter().fold(beside, |full, cells| full & cells);
        let window = window.map(Column::new);
        let at_wall = x + piece_width == board.width;
        let (place, around) = ((x, piece_width), (at_wall, full));
        *value = f64::from(running.after(place, around, &window));
    });
}

fn whole_board<T: BoardTerm>(board: &Board) -> i32 {
    T::value(&Columns::of(board))
}

fn each_board<T: BoardTerm>(outcomes: &Outcomes, values: &mut [f64]) {
    let before = before(outcomes);
    let mut board = before;
    board.filled += PIECE_CELLS as i32;
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
