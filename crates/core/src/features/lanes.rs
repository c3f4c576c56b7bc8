//! Features of eight boards at a time: all placements of one piece, with one lane per board.

use super::local::{
    BoardTerm, Column, Columns, CommonCells, Fold, MOST_COLUMNS, PIECE_CELLS, Window,
    for_each_column,
};
use super::running::Running;
use crate::moves::WINDOW_MARGIN;
use crate::outcomes::MAX_OUTCOMES;
use crate::piece::{Piece, Shape};
use crate::simd::{Fastest, LANES, Lanes, Vector, Word, WordNumber, Words, Work};
use std::fmt;
use std::marker::PhantomData;

/// One number for every placement of a piece on eight boards. It is stored in memory, so that code
/// outside the lanes can read it too.
pub(crate) type LaneRow = [Words; MAX_OUTCOMES];

/// Every placement of one piece on eight boards, in the reference simulator's order.
pub(crate) struct LaneDrops<L: Lanes> {
    /// The boards before the placement.
    pub(crate) board: Columns<Vector<L>>,
    /// Number of placements.
    pub(crate) count: usize,
    /// The row in which the box of the shape lands.
    pub(crate) rows: LaneRow,
    /// The full rows with the piece in place.
    pub(crate) full: LaneRow,
    /// For each placement, a bit per lane: whether the piece reaches above the safe rows.
    pub(crate) high: [u8; MAX_OUTCOMES],
    /// Whether some of these bits are set.
    pub(crate) some_high: bool,
    /// For each placement, a bit per lane: whether it completes rows.
    pub(crate) clearing: [u8; MAX_OUTCOMES],
    /// The shapes of the piece.
    pub(crate) shapes: &'static [Shape],
    /// The columns of the piece with the piece filled in and no row removed.
    changed: [[Column<Vector<L>>; 4]; MAX_OUTCOMES],
}

/// The height of the tallest shape.
const TALLEST: i32 = 4;

/// Calls a function for the placements of every shape, with the width of the shape as a constant,
/// and the number of the first of them.
macro_rules! for_each_shape {
    ($drops:expr, |$shape:ident, $first:ident, $width:ident| $call:block) => {
        let (shapes, board_width) = ($drops.shapes, $drops.board.width);
        let mut $first = 0;
        for $shape in shapes {
            for_each_shape!($shape.width, $width, $call, 1 2 3 4);
            $first += board_width + 1 - $shape.width;
        }
    };
    ($of:expr, $width:ident, $call:block, $($value:literal)*) => {
        match $of {
            $( $value => { const $width: usize = $value; $call } )*
            _ => unreachable!("a piece is at most four columns wide"),
        }
    };
}

impl<L: Lanes> LaneDrops<L> {
    /// Scratch space for the placements on boards of this size.
    pub(crate) fn new(width: usize, height: usize) -> LaneDrops<L> {
        let nothing = [Words([0; LANES]); MAX_OUTCOMES];
        LaneDrops {
            board: Columns::new(width, height),
            count: 0,
            rows: nothing,
            full: nothing,
            high: [0; MAX_OUTCOMES],
            some_high: false,
            clearing: [0; MAX_OUTCOMES],
            shapes: &[],
            changed: [[Column::wall(); 4]; MAX_OUTCOMES],
        }
    }

    /// Drops a piece in every shape and column. The columns of the boards must be set. Rows from
    /// `safe` on are not safe.
    #[inline(always)]
    pub(crate) fn lay_out(&mut self, piece: Piece, safe: i32) {
        let width = self.board.width;
        let (mut left_of, mut from) = (self.board.space(), self.board.space());
        self.board.find_common(&mut left_of, &mut from);
        let mut highest = Vector::splat(0);
        for c in 0..width {
            highest = highest.most(self.board.own(c).top);
        }
        self.shapes = piece.shapes();
        for_each_shape!(self, |shape, first, WIDTH| {
            self.drop_shape::<WIDTH>(shape, first, (&left_of, &from));
        });
        self.count = self
            .shapes
            .iter()
            .map(|shape| width + 1 - shape.width)
            .sum();
        self.find_high(highest, safe);
    }

    /// Finds the placements that reach above the safe rows, or whose board already does.
    #[inline(always)]
    fn find_high(&mut self, highest: Vector<L>, safe: i32) {
        let near = highest.above(Vector::splat(safe - TALLEST));
        if self.some_high {
            self.high = [0; MAX_OUTCOMES];
            self.some_high = false;
        }
        if near.all_zero() {
            return;
        }
        let already = highest.above(Vector::splat(safe)).0.bits() as u8;
        let mut place = 0;
        for shape in self.shapes {
            let lowest = Vector::splat(safe - shape.height as i32);
            for _ in 0..=self.board.width - shape.width {
                let row = Vector(L::load(&self.rows[place]));
                self.high[place] = row.above(lowest).0.bits() as u8 | already;
                self.some_high |= self.high[place] != 0;
                place += 1;
            }
        }
    }

    /// Drops a shape in every column; `left_of` and `from` are the cells shared by the columns on
    /// either side.
    #[inline(always)]
    fn drop_shape<const WIDTH: usize>(
        &mut self,
        shape: &Shape,
        first: usize,
        (left_of, from): (&CommonCells<Vector<L>>, &CommonCells<Vector<L>>),
    ) {
        let mut bottoms = [Vector::splat(0); 4];
        let (mut tops, mut cells) = (bottoms, bottoms);
        for_each_column!(J < WIDTH, {
            bottoms[J] = Vector::splat(i32::from(shape.bottoms[J]));
            tops[J] = Vector::splat(i32::from(shape.tops[J]));
            cells[J] = Vector::bits(u64::from(shape.columns[J]));
        });
        let positions = self.positions::<WIDTH>();
        // Slices of this length need no checks in the loop.
        let places = first..first + positions;
        let (rows, fulls) = (
            &mut self.rows[places.clone()],
            &mut self.full[places.clone()],
        );
        let clearing = &mut self.clearing[places.clone()];
        let changed = &mut self.changed[places];
        for x in 0..positions {
            let mut row = Vector::splat(0);
            for_each_column!(J < WIDTH, {
                row = row.most(self.board.own(x + J).top - bottoms[J]);
            });
            let mut full = left_of[x] & from[x + WIDTH];
            for_each_column!(J < WIDTH, {
                let column = Column {
                    cells: self.board.own(x + J).cells | cells[J].up_by(row),
                    top: row + tops[J],
                };
                full = full & column.cells;
                changed[x][J] = column;
            });
            rows[x] = row.0.store();
            fulls[x] = full.0.store();
            clearing[x] = !full.0.eq(L::splat(0)).bits() as u8;
        }
    }

    /// Number of columns in which a shape of this width can drop, in a form that lets the compiler
    /// see that they are on the board.
    #[inline(always)]
    fn positions<const WIDTH: usize>(&self) -> usize {
        (self.board.width.min(MOST_COLUMNS) + 1).saturating_sub(WIDTH)
    }

    /// Writes the values of a feature for every placement.
    #[inline(always)]
    fn fold_each<T: Fold>(&self, row: &mut LaneRow) {
        let (mut before, mut from) = (
            Running::<T, _>::space(&self.board),
            Running::<T, _>::space(&self.board),
        );
        let running = Running::new(&self.board, &mut before, &mut from);
        for_each_shape!(self, |shape, first, WIDTH| {
            self.fold_shape::<T, WIDTH>(first, &running, row);
        });
    }

    /// Writes the values for the placements of one shape.
    #[inline(always)]
    fn fold_shape<T: Fold, const WIDTH: usize>(
        &self,
        first: usize,
        running: &Running<'_, T, Vector<L>>,
        row: &mut LaneRow,
    ) {
        let positions = self.positions::<WIDTH>();
        // Slices of this length need no checks in the loop.
        let places = first..first + positions;
        let (fulls, row) = (&self.full[places.clone()], &mut row[places.clone()]);
        let changed = &self.changed[places];
        // The placement at the right wall is apart only where that makes a difference.
        let wall_matters = T::REACH[1] > 0 && T::BEYOND == 0;
        let inner = positions.saturating_sub(usize::from(wall_matters));
        for x in 0..inner {
            let window = self.window::<WIDTH>(x, &changed[x]);
            let around = (false, Vector(L::load(&fulls[x])));
            row[x] = running.after((x, WIDTH), around, &window).0.store();
        }
        if wall_matters && inner < positions {
            let window = self.window::<WIDTH>(inner, &changed[inner]);
            let around = (true, Vector(L::load(&fulls[inner])));
            row[inner] = running.after((inner, WIDTH), around, &window).0.store();
        }
    }

    /// The columns around a placement. They are not filled by a loop, which would force them into
    /// memory.
    #[inline(always)]
    fn window<const WIDTH: usize>(
        &self,
        x: usize,
        changed: &[Column<Vector<L>>; 4],
    ) -> Window<Vector<L>> {
        let before = &self.board.padded[x % MOST_COLUMNS..].as_chunks::<8>().0[0];
        let [a, b, _, d, e, f, g, h] = *before;
        let [i, j, k, l] = *changed;
        match WIDTH {
            1 => [a, b, i, d, e, f, g, h],
            2 => [a, b, i, j, e, f, g, h],
            3 => [a, b, i, j, k, f, g, h],
            _ => [a, b, i, j, k, l, g, h],
        }
    }

    /// Puts a placement into a copy of the boards, or with `undo` removes it. The columns are not
    /// copied as slices, because a call would cost more than copying so few of them.
    #[inline(always)]
    fn put(
        &self,
        board: &mut Columns<Vector<L>>,
        (place, x): (usize, usize),
        width: usize,
        undo: bool,
    ) {
        for j in 0..width {
            let k = x + WINDOW_MARGIN + j;
            board.padded[k] = if undo {
                self.board.padded[k]
            } else {
                self.changed[place][j]
            };
        }
    }
}

/// Visits the board after each placement.
macro_rules! for_each_board {
    ($drops:expr, |$place:ident, $board:ident| $visit:block) => {
        let mut $board = $drops.board;
        $board.filled = $board.filled + Vector::splat(PIECE_CELLS as i32);
        let mut $place = 0;
        for shape in $drops.shapes {
            for x in 0..=$board.width - shape.width {
                $drops.put(&mut $board, ($place, x), shape.width, false);
                $visit
                $drops.put(&mut $board, ($place, x), shape.width, true);
                $place += 1;
            }
        }
    };
}

/// How a feature is computed for eight boards, with one row for each of its values.
#[derive(Clone, Copy)]
pub(crate) struct LaneForm {
    /// The values of all placements, with full rows left in place.
    pub(crate) each: fn(&LaneDrops<Fastest>, &mut [LaneRow]),
    /// The values of eight boards.
    pub(crate) whole: fn(&Columns<Vector<Fastest>>, &mut [Words]),
}

impl fmt::Debug for LaneForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LaneForm")
    }
}

/// Measures all placements, or whole boards, in a function that is compiled for the lanes.
macro_rules! lane_form {
    ($name:ident, $term:ident, $each:ident, $whole:ident, $doc:literal,
     |$drops:ident, $rows:ident| $body:block, |$board:ident, $numbers:ident| $whole_body:block) => {
        #[doc = $doc]
        pub(super) const fn $name<T: $term>() -> LaneForm {
            LaneForm {
                each: |drops, rows| Fastest::enter($each::<T>(drops, rows, PhantomData)),
                whole: |board, numbers| Fastest::enter($whole::<T>(board, numbers, PhantomData)),
            }
        }

        struct $each<'a, T>(&'a LaneDrops<Fastest>, &'a mut [LaneRow], PhantomData<T>);

        impl<T: $term> Work<Fastest> for $each<'_, T> {
            type Output = ();

            #[inline(always)]
            fn run(self) {
                let ($drops, $rows) = (self.0, self.1);
                $body
            }
        }

        struct $whole<'a, T>(
            &'a Columns<Vector<Fastest>>,
            &'a mut [Words],
            PhantomData<T>,
        );

        impl<T: $term> Work<Fastest> for $whole<'_, T> {
            type Output = ();

            #[inline(always)]
            fn run(self) {
                let ($board, $numbers) = (self.0, self.1);
                $whole_body
            }
        }
    };
}

lane_form!(
    fold_lanes,
    Fold,
    FoldEach,
    FoldWhole,
    "The sum of the contributions of all columns.",
    |drops, rows| { drops.fold_each::<T>(&mut rows[0]) },
    |board, numbers| { numbers[0] = board.fold::<T>().0.store() }
);

lane_form!(
    part_lanes,
    Fold,
    PartsEach,
    PartsWhole,
    "The contribution of each column, as separate numbers.",
    |drops, rows| {
        for_each_board!(drops, |place, board| {
            for (index, row) in rows.iter_mut().enumerate() {
                let part = board.part::<T>(T::FIRST + index);
                row[place] = board.value_of::<T>(part).0.store();
            }
        });
    },
    |board, numbers| {
        for (index, number) in numbers.iter_mut().enumerate() {
            let part = board.part::<T>(T::FIRST + index);
            *number = board.value_of::<T>(part).0.store();
        }
    }
);

lane_form!(
    board_lanes,
    BoardTerm,
    BoardEach,
    BoardWhole,
    "Any function of the columns.",
    |drops, rows| {
        for_each_board!(drops, |place, board| {
            rows[0][place] = T::value(&board).0.store();
        });
    },
    |board, numbers| { numbers[0] = T::value(board).0.store() }
);
