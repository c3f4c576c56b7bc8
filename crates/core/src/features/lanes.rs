//! Features of eight boards at a time: all placements of one piece, one lane for each board.

use super::local::{BoardTerm, Column, ColumnTerm, Columns, GapTerm, RowUnion, gaps};
use crate::moves::WINDOW_MARGIN;
use crate::outcomes::MAX_OUTCOMES;
use crate::piece::{Piece, Shape};
use crate::simd::{Fastest, LANES, Lanes, Vector, Word, WordNumber, Words, Work};
use std::fmt;
use std::marker::PhantomData;

/// One number for every placement of a piece on eight boards. In memory, so that code outside the lanes can
/// read it too.
pub(crate) type LaneRow = [Words; MAX_OUTCOMES];

/// Where a shape drops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// The shape.
    pub(crate) shape: &'static Shape,
    /// Its leftmost column.
    pub(crate) x: usize,
}

/// Every placement of one piece on eight boards, in the reference simulator's order.
pub(crate) struct LaneDrops<L: Lanes> {
    /// The boards before the placement.
    pub(crate) board: Columns<Vector<L>>,
    /// Which placements there are: as many as `count` says.
    pub(crate) spots: [Spot; MAX_OUTCOMES],
    pub(crate) count: usize,
    /// The row in which the box of the shape lands.
    pub(crate) rows: LaneRow,
    /// The full rows with the piece in place.
    pub(crate) full: LaneRow,
    /// The columns from two left of the piece on, the piece filled in and no row removed.
    windows: [[Column<Vector<L>>; 8]; MAX_OUTCOMES],
}

impl<L: Lanes> LaneDrops<L> {
    /// Scratch space for the placements on boards of this size.
    pub(crate) fn new(width: usize, height: usize) -> LaneDrops<L> {
        let nothing = [Words([0; LANES]); MAX_OUTCOMES];
        let shape = &Piece::O.shapes()[0];
        LaneDrops {
            board: Columns::new(width, height),
            spots: [Spot { shape, x: 0 }; MAX_OUTCOMES],
            count: 0,
            rows: nothing,
            full: nothing,
            windows: [[Column::wall(); 8]; MAX_OUTCOMES],
        }
    }

    /// Drops a piece in every shape and column. The columns of the boards must be set.
    #[inline(always)]
    pub(crate) fn lay_out(&mut self, piece: Piece) {
        let width = self.board.width;
        // The cells that all columns left of one have in common, and all from one on.
        let ones = Vector::bits(u64::MAX);
        let (mut left_of, mut from) = ([ones; 21], [ones; 21]);
        for c in 0..width {
            left_of[c + 1] = left_of[c] & self.board.own(c).cells;
        }
        for c in (0..width).rev() {
            from[c] = from[c + 1] & self.board.own(c).cells;
        }
        self.count = 0;
        for shape in piece.shapes() {
            for x in 0..=width - shape.width {
                let others = left_of[x] & from[x + shape.width];
                self.drop_shape(Spot { shape, x }, others);
            }
        }
    }

    /// Drops a shape; `others` are the rows that are full in all other columns.
    #[inline(always)]
    fn drop_shape(&mut self, spot: Spot, others: Vector<L>) {
        let Spot { shape, x } = spot;
        let place = self.count % MAX_OUTCOMES;
        let window = &mut self.windows[place];
        // Not copied as a slice: a call for so little would cost more than the copy.
        for (k, column) in window.iter_mut().enumerate() {
            *column = self.board.padded[x + k];
        }
        let own = &mut window[WINDOW_MARGIN..WINDOW_MARGIN + shape.width];
        let mut row = Vector::splat(0);
        for (column, &bottom) in own.iter().zip(&shape.bottoms) {
            row = row.most(column.top - Vector::splat(i32::from(bottom)));
        }
        let mut full = others;
        for (j, column) in own.iter_mut().enumerate() {
            let cells = Vector::bits(u64::from(shape.columns[j])).up_by(row);
            column.cells = column.cells | cells;
            column.top = row + Vector::splat(i32::from(shape.tops[j]));
            full = full & column.cells;
        }
        self.spots[place] = spot;
        self.rows[place] = row.0.store();
        self.full[place] = full.0.store();
        self.count += 1;
    }

    /// The columns of the shape of a placement after it came to rest.
    #[inline(always)]
    pub(crate) fn changed(&self, place: usize) -> &[Column<Vector<L>>] {
        &self.windows[place][WINDOW_MARGIN..WINDOW_MARGIN + self.spots[place].shape.width]
    }
}

/// How a feature of eight boards is computed: one row for each of its numbers.
#[derive(Clone, Copy)]
pub(crate) struct LaneForm {
    /// The numbers of all placements, full rows left in place.
    pub(crate) each: fn(&LaneDrops<Fastest>, &mut [LaneRow]),
    /// The numbers of eight boards.
    pub(crate) whole: fn(&Columns<Vector<Fastest>>, &mut [Words]),
}

impl fmt::Debug for LaneForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LaneForm")
    }
}

/// The form of a feature, compiled for the lanes.
macro_rules! form {
    ($each:ident, $whole:ident, $term:ident) => {
        LaneForm {
            each: |drops, rows| Fastest::enter($each::<Fastest, $term>(drops, rows, PhantomData)),
            whole: |board, numbers| {
                Fastest::enter($whole::<Fastest, $term>(board, numbers, PhantomData));
            },
        }
    };
}

/// Measures all placements.
macro_rules! work {
    ($name:ident, $term:ident, |$drops:ident, $rows:ident| $body:block) => {
        struct $name<'a, L: Lanes, T>(&'a LaneDrops<L>, &'a mut [LaneRow], PhantomData<T>);

        impl<L: Lanes, T: $term> Work<L> for $name<'_, L, T> {
            type Output = ();

            #[inline(always)]
            fn run(self) {
                let ($drops, $rows) = (self.0, self.1);
                $body
            }
        }
    };
}

/// Measures whole boards.
macro_rules! whole_work {
    ($name:ident, $term:ident, |$board:ident, $numbers:ident| $body:block) => {
        struct $name<'a, L: Lanes, T>(&'a Columns<Vector<L>>, &'a mut [Words], PhantomData<T>);

        impl<L: Lanes, T: $term> Work<L> for $name<'_, L, T> {
            type Output = ();

            #[inline(always)]
            fn run(self) {
                let ($board, $numbers) = (self.0, self.1);
                $body
            }
        }
    };
}

/// A sum over columns.
pub(super) const fn column_lanes<T: ColumnTerm>() -> LaneForm {
    form!(EachSum, WholeSum, T)
}

work!(EachSum, ColumnTerm, |drops, rows| {
    let board = &drops.board;
    let mut before = [Vector::splat(0); 24];
    for c in 0..board.width {
        before[c + 1] = before[c] + board.term::<T>(c);
    }
    let mut place = 0;
    while place < drops.count {
        let width = drops.spots[place].shape.width;
        let count = board.width + 1 - width;
        match width {
            1 => sums_after::<L, T, 1>(drops, place, count, &before, &mut rows[0]),
            2 => sums_after::<L, T, 2>(drops, place, count, &before, &mut rows[0]),
            3 => sums_after::<L, T, 3>(drops, place, count, &before, &mut rows[0]),
            _ => sums_after::<L, T, 4>(drops, place, count, &before, &mut rows[0]),
        }
        place += count;
    }
});

/// The sums after the placements of a shape, from the sums over the columns left of each before.
#[inline(always)]
fn sums_after<L: Lanes, T: ColumnTerm, const WIDTH: usize>(
    drops: &LaneDrops<L>,
    first: usize,
    count: usize,
    before: &[Vector<L>; 24],
    row: &mut LaneRow,
) {
    let (board, reach) = (&drops.board, usize::from(T::NEIGHBOURS));
    let all = before[board.width];
    for x in 0..count {
        let window = &drops.windows[(first + x) % MAX_OUTCOMES];
        let (from_left, to_right) = (usize::from(x > 0), usize::from(x + 1 < count));
        let kept = before[(x - reach * from_left) & 15] - before[x + WIDTH + reach * to_right];
        let mut sum = all + kept;
        if T::NEIGHBOURS && x > 0 {
            sum = sum + T::term(window[0], window[1], window[2], board.at(x - 1));
        }
        for j in 0..WIDTH {
            let at = board.at(x + j);
            sum = sum + T::term(window[1 + j], window[2 + j], window[3 + j], at);
        }
        if T::NEIGHBOURS && x + 1 < count {
            let [left, own, right] = [window[1 + WIDTH], window[2 + WIDTH], window[3 + WIDTH]];
            sum = sum + T::term(left, own, right, board.at(x + WIDTH));
        }
        row[(first + x) % MAX_OUTCOMES] = sum.0.store();
    }
}

whole_work!(WholeSum, ColumnTerm, |board, numbers| {
    numbers[0] = board.sum::<T>().0.store();
});

/// The terms of all columns, one number each.
pub(super) const fn column_vector_lanes<T: ColumnTerm>() -> LaneForm {
    form!(EachColumn, WholeColumn, T)
}

work!(EachColumn, ColumnTerm, |drops, rows| {
    let board = &drops.board;
    let reach = usize::from(T::NEIGHBOURS);
    for c in 0..board.width {
        let before = board.term::<T>(c);
        for place in 0..drops.count {
            let (Spot { shape, x }, window) = (drops.spots[place], &drops.windows[place]);
            let changed = c + reach >= x && c < x + shape.width + reach;
            let number = if changed {
                let k = (c + WINDOW_MARGIN - x) & 7;
                let [left, own, right] = [window[(k - 1) & 7], window[k], window[(k + 1) & 7]];
                T::term(left, own, right, board.at(c))
            } else {
                before
            };
            rows[c][place] = number.0.store();
        }
    }
});

whole_work!(WholeColumn, ColumnTerm, |board, numbers| {
    for (c, number) in numbers.iter_mut().enumerate() {
        *number = board.term::<T>(c).0.store();
    }
});

/// A sum over gaps.
pub(super) const fn gap_lanes<T: GapTerm>() -> LaneForm {
    form!(EachGapSum, WholeGapSum, T)
}

work!(EachGapSum, GapTerm, |drops, rows| {
    let board = &drops.board;
    let (first, end) = gaps::<T>(board.width);
    let mut before = [Vector::splat(0); 24];
    for gap in 0..=board.width {
        before[gap + 1] = before[gap];
        if first <= gap && gap < end {
            before[gap + 1] = before[gap] + T::term(board.left_of(gap), board.own(gap));
        }
    }
    let all = before[board.width + 1] + Vector::splat(T::offset::<Vector<L>>(board.height));
    let mut place = 0;
    while place < drops.count {
        let width = drops.spots[place].shape.width;
        let count = board.width + 1 - width;
        match width {
            1 => gap_sums_after::<L, T, 1>(drops, place, count, (&before, all), &mut rows[0]),
            2 => gap_sums_after::<L, T, 2>(drops, place, count, (&before, all), &mut rows[0]),
            3 => gap_sums_after::<L, T, 3>(drops, place, count, (&before, all), &mut rows[0]),
            _ => gap_sums_after::<L, T, 4>(drops, place, count, (&before, all), &mut rows[0]),
        }
        place += count;
    }
});

/// The same over gaps.
#[inline(always)]
fn gap_sums_after<L: Lanes, T: GapTerm, const WIDTH: usize>(
    drops: &LaneDrops<L>,
    first: usize,
    count: usize,
    (before, all): (&[Vector<L>; 24], Vector<L>),
    row: &mut LaneRow,
) {
    for x in 0..count {
        let window = &drops.windows[(first + x) % MAX_OUTCOMES];
        let mut sum = all - before[x + WIDTH + 1] + before[x & 15];
        for j in 0..=WIDTH {
            let counts = T::WALLS || !(j == 0 && x == 0 || j == WIDTH && x + 1 == count);
            if counts {
                sum = sum + T::term(window[1 + j], window[2 + j]);
            }
        }
        row[(first + x) % MAX_OUTCOMES] = sum.0.store();
    }
}

whole_work!(WholeGapSum, GapTerm, |board, numbers| {
    numbers[0] = board.sum_gaps::<T>().0.store();
});

/// The terms of all gaps between columns, one number each.
pub(super) const fn gap_vector_lanes<T: GapTerm>() -> LaneForm {
    form!(EachGap, WholeGap, T)
}

work!(EachGap, GapTerm, |drops, rows| {
    let board = &drops.board;
    let (first, end) = gaps::<T>(board.width);
    for gap in first..end {
        let before = T::term(board.left_of(gap), board.own(gap));
        for place in 0..drops.count {
            let (Spot { shape, x }, window) = (drops.spots[place], &drops.windows[place]);
            let changed = x <= gap && gap <= x + shape.width;
            let number = if changed {
                let k = (gap + WINDOW_MARGIN - x) & 7;
                T::term(window[(k - 1) & 7], window[k])
            } else {
                before
            };
            rows[gap - first][place] = number.0.store();
        }
    }
});

whole_work!(WholeGap, GapTerm, |board, numbers| {
    let (first, _) = gaps::<T>(board.width);
    for (number, slot) in numbers.iter_mut().enumerate() {
        let gap = first + number;
        *slot = T::term(board.left_of(gap), board.own(gap)).0.store();
    }
});

/// The rows that are marked in any column.
pub(super) const fn union_lanes<T: RowUnion>() -> LaneForm {
    form!(EachUnion, WholeUnion, T)
}

work!(EachUnion, RowUnion, |drops, rows| {
    let board = &drops.board;
    let (mut left_of, mut from) = ([Vector::bits(0); 17], [Vector::bits(0); 17]);
    for c in 0..board.width {
        from[c] = T::rows(board.own(c));
        left_of[c + 1] = left_of[c] | from[c];
    }
    for c in (0..board.width).rev() {
        from[c] = from[c] | from[c + 1];
    }
    for place in 0..drops.count {
        let Spot { shape, x } = drops.spots[place];
        let mut marked = left_of[x] | from[x + shape.width];
        for &column in drops.changed(place) {
            marked = marked | T::rows(column);
        }
        rows[0][place] = T::value(marked, board.height).0.store();
    }
});

whole_work!(WholeUnion, RowUnion, |board, numbers| {
    numbers[0] = board.value_of_rows::<T>().0.store();
});

/// Any function of the columns.
pub(super) const fn board_lanes<T: BoardTerm>() -> LaneForm {
    form!(EachBoard, WholeBoard, T)
}

work!(EachBoard, BoardTerm, |drops, rows| {
    let mut board = drops.board;
    for place in 0..drops.count {
        let Spot { shape, x } = drops.spots[place];
        let from = x + WINDOW_MARGIN;
        for k in 0..shape.width {
            board.padded[from + k] = drops.windows[place][WINDOW_MARGIN + k];
        }
        rows[0][place] = T::value(&board).0.store();
        for k in 0..shape.width {
            board.padded[from + k] = drops.board.padded[from + k];
        }
    }
});

whole_work!(WholeBoard, BoardTerm, |board, numbers| {
    numbers[0] = T::value(board).0.store();
});
