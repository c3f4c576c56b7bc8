//! Eight boards, one in each lane, and the measures that all placements need.

use super::set::Set;
use super::shape::piece_has_column;
use super::tables::{Place, Tables};
use super::weights::Measure;
use crate::simd::{LANES, Lanes, Words};
use std::hint::select_unpredictable;
use std::ops::{Index, IndexMut};

/// Number of wall columns on the left of a board.
pub(super) const MARGIN: usize = 2;
/// Columns of the widest board with its walls, with enough columns on the right for the view from
/// the last column.
pub(super) const COLUMNS: usize = MARGIN + 16 + VIEW;
/// The number of columns that a placement depends on: the columns of the widest shape, and one on
/// either side.
pub(super) const VIEW: usize = 6;
/// The height of a wall: so far from the height of any column that it forms no small step.
pub(super) const WALL_TOP: i32 = 100;

/// The cells of a board: one word for each column, bit 0 the floor (always set), bit `r + 1` row
/// `r`. Columns beyond the board's width are zero.
pub(super) type Cells = [Words; 2];

/// Fills the cells of a placed shape.
#[inline(always)]
pub(super) fn fill<L: Lanes>(cells: &mut Cells, place: &Place, landing: i32) {
    for (own, shape) in cells.iter_mut().zip(&place.columns) {
        let shape = L::load(shape).shl_by(L::splat(landing));
        *own = L::load(own).or(shape).store();
    }
}

/// The columns of a board, with walls beyond its width.
#[inline(always)]
pub(super) fn walled<L: Lanes>(cells: &Cells, tables: &Tables) -> [L; 2] {
    let half = |k: usize| L::load(&cells[k]).or(L::load(&tables.beyond[k]));
    [half(0), half(1)]
}

/// The full rows of a board between walls.
#[inline(always)]
pub(super) fn full_rows<L: Lanes>(own: &[L; 2]) -> u32 {
    own[0].and(own[1]).fold(L::and).store().0[0] as u32 & !1
}

/// Removes rows.
#[inline(always)]
pub(super) fn remove_rows<L: Lanes>(cells: &mut Cells, rows: u32) {
    let mut columns = [L::load(&cells[0]), L::load(&cells[1])];
    let mut rest = rows;
    loop {
        // From the top down, so that the rows still to be removed keep their positions. If there is
        // no row to remove, nothing changes: one idle round costs less than an unpredictable
        // branch.
        let lower = u32::MAX.checked_shr(rest.leading_zeros() + 1).unwrap_or(0);
        let lower = select_unpredictable(rest == 0, u32::MAX, lower);
        let below = L::splat(lower as i32);
        for column in &mut columns {
            *column = column.and(below).or(column.shr::<1>().and_not(below));
        }
        rest &= lower;
        if rest == 0 {
            break;
        }
    }
    *cells = [columns[0].store(), columns[1].store()];
}

/// For eight boards, a number per column, walls included.
pub(super) type PerColumn<L> = [L; COLUMNS];

/// Copies eight boards of this width between the walls: column `c` to `c + MARGIN`. The wall on the
/// right of the board is restored.
#[inline(always)]
pub(super) fn copy_columns<L: Lanes>(
    boards: &[&Cells; LANES],
    width: usize,
    columns: &mut PerColumn<L>,
) {
    for chunk in 0..width.div_ceil(4).min(4) {
        let row = |lane: usize| {
            let (halves, _) = boards[lane][chunk / 2].0.as_chunks::<4>();
            &halves[chunk % 2]
        };
        let rows = [
            row(0),
            row(1),
            row(2),
            row(3),
            row(4),
            row(5),
            row(6),
            row(7),
        ];
        let four = L::columns(rows);
        columns[MARGIN + 4 * chunk..][..4].copy_from_slice(&four);
    }
    for wall in &mut columns[MARGIN + width..][..3] {
        *wall = L::splat(-1);
    }
}

/// A measure of a column.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// The cells.
    Own,
    /// One more than the height: the position of the lowest empty bit above the column.
    Top,
    /// The bit at position `Top`.
    TopBit,
    /// Empty cells with a filled cell on their left: these become wells if the cell on their right
    /// is filled.
    OpenRight,
    /// Empty cells with a filled cell on their right.
    OpenLeft,
    /// Holes among `OpenRight`.
    HoleRight,
    /// Holes among `OpenLeft`.
    HoleLeft,
    /// Rows in which both neighbours are filled.
    Between,
    /// The weight of wells times `Top`.
    WellTop,
    /// For fast well sums: the rows up to the top, and the rows above it in which both neighbours
    /// are filled.
    Reach,
    /// For fast well sums: `n (n + 1)` for the `n` rows from the top up to the highest row of
    /// `Reach`.
    Run,
    /// For diversity: the small steps between the columns left of this one.
    StepsLeft,
    /// For diversity: the small steps between this column and those to its right, with one bit per
    /// kind.
    StepsRight,
    OnTop1,
    OnTop2,
    OnTop3,
    OnTop4,
    OverGap1,
    OverGap2,
    OverGap3,
    OverGap4,
}

use Part::*;

/// The scores of 1, 2, 3 or 4 cells that lock on a column.
pub(super) const ON_TOP: [Part; 4] = [OnTop1, OnTop2, OnTop3, OnTop4];
/// The scores of 1, 2, 3 or 4 cells that lock above a gap, except for the part that depends on the
/// landing row.
pub(super) const OVER_GAP: [Part; 4] = [OverGap1, OverGap2, OverGap3, OverGap4];

/// Number of parts.
pub(super) const PARTS: usize = OverGap4 as usize + 1;

/// The measures of one column of eight boards, or of all columns of one board.
#[derive(Clone, Copy)]
pub(super) struct Column<T>([T; PARTS]);

impl<T> Index<Part> for Column<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, part: Part) -> &T {
        &self.0[part as usize]
    }
}

impl<T> IndexMut<Part> for Column<T> {
    #[inline(always)]
    fn index_mut(&mut self, part: Part) -> &mut T {
        &mut self.0[part as usize]
    }
}

impl<T: Copy> Column<T> {
    /// All parts, in order.
    #[inline(always)]
    pub(super) fn all(&self) -> &[T; PARTS] {
        &self.0
    }

    /// A wall; `word` converts a number.
    pub(super) fn wall(word: impl Fn(i32) -> T) -> Column<T> {
        let mut wall = Column([word(0); PARTS]);
        wall[Own] = word(-1);
        wall[Top] = word(WALL_TOP);
        // No run starts in a wall, whatever its neighbours are.
        wall[Reach] = word(1);
        wall[Run] = word((1 - WALL_TOP) * (2 - WALL_TOP));
        wall
    }
}

/// The columns that a placement depends on, starting with the one left of the shape.
pub(super) trait View<L>: Copy {
    /// The measures of one of these columns.
    fn get(self, column: usize, part: Part) -> L;
}

impl<L: Lanes> View<L> for &[Column<L>; VIEW] {
    #[inline(always)]
    fn get(self, column: usize, part: Part) -> L {
        self[column][part]
    }
}

/// The measures of the rows of boards.
pub(super) struct RowMeasures<L> {
    /// Rows with a hole.
    pub(super) hole_rows: L,
    /// Rows in which exactly 1, 2, 3 or 4 cells are empty.
    pub(super) missing: [L; 4],
    /// For diversity: the small steps between all columns.
    pub(super) steps: L,
}

impl<L: Lanes> RowMeasures<L> {
    pub(super) fn new() -> RowMeasures<L> {
        RowMeasures {
            hole_rows: L::splat(0),
            missing: [L::splat(0); 4],
            steps: L::splat(0),
        }
    }
}

/// The measures of eight boards.
pub(super) struct SurfaceMeasures<L> {
    cells: PerColumn<L>,
    /// The columns between walls: column `c` at `c + MARGIN`.
    pub(super) columns: [Column<L>; COLUMNS],
    pub(super) rows: RowMeasures<L>,
}

impl<L: Lanes> SurfaceMeasures<L> {
    /// Scratch space for the measures of eight boards; the walls are set.
    pub(super) fn new() -> SurfaceMeasures<L> {
        SurfaceMeasures {
            cells: [L::splat(-1); COLUMNS],
            columns: [Column::wall(L::splat); COLUMNS],
            rows: RowMeasures::new(),
        }
    }

    /// Measures eight boards for the placements of one piece.
    #[inline(always)]
    pub(super) fn measure<S: Set, const PIECE: usize>(
        &mut self,
        boards: &[&Cells; LANES],
        tables: &Tables,
    ) {
        copy_columns(boards, tables.width, &mut self.cells);
        self.rows.missing = missing(&self.cells, tables.width);
        let prices = Prices::new(tables);
        let mut hole_rows = L::splat(0);
        let cells = self.cells.windows(3).skip(MARGIN - 1);
        let columns = self.columns[MARGIN..][..tables.width].iter_mut();
        for (column, cells) in columns.zip(cells) {
            let holes = column.measure::<S, PIECE>(cells[0], cells[1], cells[2], &prices);
            hole_rows = hole_rows.or(holes);
        }
        self.rows.hole_rows = hole_rows;
        if S::DIVERSITY {
            self.measure_steps(tables.width);
        }
    }

    /// Collects the small steps between neighbouring columns from both sides.
    #[inline(always)]
    fn measure_steps(&mut self, width: usize) {
        let columns = &mut self.columns[MARGIN - 1..MARGIN + width + 1];
        let mut steps = L::splat(0);
        for c in 1..=width {
            columns[c][StepsLeft] = steps;
            steps = steps.or(step(columns[c][Top], columns[c + 1][Top]));
        }
        steps = L::splat(0);
        for c in (1..=width).rev() {
            steps = steps.or(step(columns[c][Top], columns[c + 1][Top]));
            columns[c][StepsRight] = steps;
        }
        self.rows.steps = steps;
    }
}

/// A bit for the kind of step from one height to the next: the lowest for two down, the fifth for
/// two up. Other steps, and those to a wall, have other bits or none.
#[inline(always)]
pub(super) fn step<L: Lanes>(from: L, to: L) -> L {
    L::splat(1).shl_by(to.sub(from).add(L::splat(2)))
}

/// The bits of the steps that count.
pub(super) const SMALL_STEPS: i32 = 31;

/// The scores of cells under a piece.
pub(super) struct Prices<L> {
    hole: L,
    well: L,
    depth: L,
    /// The two column transitions of a gap.
    bridge: L,
}

impl<L: Lanes> Prices<L> {
    #[inline(always)]
    pub(super) fn new(tables: &Tables) -> Prices<L> {
        let weight = |measure| L::splat(tables.weights.of(measure));
        Prices {
            hole: weight(Measure::Holes),
            well: weight(Measure::Wells),
            depth: weight(Measure::HoleDepth),
            bridge: weight(Measure::ColumnTransitions).shl::<1>(),
        }
    }
}

impl<L: Lanes> Column<L> {
    /// Measures a column between its neighbours; returns its holes.
    #[inline(always)]
    pub(super) fn measure<S: Set, const PIECE: usize>(
        &mut self,
        left: L,
        own: L,
        right: L,
        prices: &Prices<L>,
    ) -> L {
        let top = own.bit_length();
        let top_bit = L::splat(1).shl_by(top);
        let up_to_top = top_bit.sub(L::splat(1));
        self[Own] = own;
        self[Top] = top;
        self[TopBit] = top_bit;
        let (open_right, open_left) = (left.and_not(own), right.and_not(own));
        self[OpenRight] = open_right;
        self[OpenLeft] = open_left;
        self[HoleRight] = open_right.and(up_to_top);
        self[HoleLeft] = open_left.and(up_to_top);
        self[Between] = left.and(right);
        if S::WELLS {
            self[WellTop] = prices.well.mul(top);
        }
        if S::FAST_WELLS {
            self[Reach] = self[Between].and_not(own).or(up_to_top);
            let rows = self[Reach].bit_length().sub(top);
            self[Run] = rows.mul(rows.add(L::splat(1)));
        }
        let holes = up_to_top.and_not(own);
        let no_holes = holes.eq(L::splat(0));
        // The number of cells in a gap is the landing row minus the top.
        let less_gap = prices.hole.mul(top);
        let mut depth = L::splat(0);
        for cells in 1..=4 {
            if S::BURIED {
                depth = depth.add(prices.depth);
            }
            if piece_has_column(PIECE, cells) {
                self[OVER_GAP[cells - 1]] = depth.add(prices.bridge).sub(less_gap);
                self[ON_TOP[cells - 1]] = depth.and_not(no_holes).sub(less_gap);
            }
        }
        holes
    }
}

/// Rows in which exactly 1, 2, 3 or 4 cells are empty: the empty cells of each row are counted in
/// binary, two columns at a time, with one mask per binary digit.
#[inline(always)]
fn missing<L: Lanes>(own: &PerColumn<L>, width: usize) -> [L; 4] {
    let all = L::splat(-1);
    let (mut ones, mut twos, mut fours, mut more) =
        (L::splat(0), L::splat(0), L::splat(0), L::splat(0));
    // On a board of odd width, the last pair includes a wall, which has no empty cells.
    let (pairs, _) = own[MARGIN..].as_chunks::<2>();
    for [a, b] in &pairs[..width.div_ceil(2)] {
        let (a, b) = (all.and_not(*a), all.and_not(*b));
        let either = a.xor(b);
        let carry = a.and(b).or(either.and(ones));
        ones = ones.xor(either);
        let carry_fours = twos.and(carry);
        twos = twos.xor(carry);
        more = more.or(fours.and(carry_fours));
        fours = fours.xor(carry_fours);
    }
    one_to_four(ones, twos, fours, more)
}

/// Where a binary number is 1, 2, 3 or 4; `more` contains its digits above the third.
#[inline(always)]
pub(super) fn one_to_four<L: Lanes>(ones: L, twos: L, fours: L, more: L) -> [L; 4] {
    let beyond_three = fours.or(more);
    let one_or_three = ones.and_not(beyond_three);
    [
        one_or_three.and_not(twos),
        twos.and_not(ones).and_not(beyond_three),
        one_or_three.and(twos),
        fours.and_not(ones.or(twos)).and_not(more),
    ]
}
