//! The contributions of the columns of a board before a placement, from which a fold finds its
//! value after any placement.

use super::local::{
    At, BoardCounts, Columns, Fold, MOST_COLUMNS, PIECE_CELLS, Window, for_each_column,
};
use crate::moves::WINDOW_MARGIN;
use crate::simd::{Word, WordNumber};

/// One contribution for each column of a board, and a bit of space.
pub(super) type Parts<T, W> = [<T as Fold>::Part<W>; MOST_COLUMNS + 2];

/// The contributions of the columns of a board before a placement.
pub(super) struct Running<'a, T: Fold, W: Word> {
    /// For each column, the contributions of the columns to its left.
    before: &'a Parts<T, W>,
    /// For each column, the contributions from it on, unless they follow from the others.
    from: &'a Parts<T, W>,
    /// The contributions of all columns.
    all: T::Part<W>,
    /// Size of the board, and the number of filled cells after a placement.
    width: usize,
    height: usize,
    filled: W::Num,
}

impl<'a, T: Fold, W: Word> Running<'a, T, W> {
    /// Scratch space for contributions: filled with a number that is not constant, because the
    /// compiler would call a function to write zeros.
    #[inline(always)]
    pub(super) fn space(board: &Columns<W>) -> Parts<T, W> {
        [board.part::<T>(T::FIRST); MOST_COLUMNS + 2]
    }

    /// Computes the contributions of a board's columns in two separate spaces, of which the second
    /// is dropped by the compiler if it is not needed.
    #[inline(always)]
    pub(super) fn new(
        board: &Columns<W>,
        before: &'a mut Parts<T, W>,
        from: &'a mut Parts<T, W>,
    ) -> Running<'a, T, W> {
        let end = board.width.min(MOST_COLUMNS) + T::BEYOND;
        let nothing = T::nothing::<W>();
        let is_known = T::rest::<W>(nothing, nothing).is_some();
        let mut all = nothing;
        before[0] = nothing;
        for c in T::FIRST..end {
            before[c] = all;
            let part = board.part::<T>(c);
            if !is_known {
                from[c] = part;
            }
            all = T::join::<W>(all, part);
        }
        before[end] = all;
        if !is_known {
            let mut rest = nothing;
            from[end] = nothing;
            for c in (T::FIRST..end).rev() {
                rest = T::join::<W>(from[c], rest);
                from[c] = rest;
            }
        }
        Running {
            before,
            from,
            all,
            width: board.width,
            height: board.height,
            filled: board.filled + W::Num::splat(PIECE_CELLS as i32),
        }
    }

    /// The contributions from a column on.
    #[inline(always)]
    fn from(&self, column: usize) -> T::Part<W> {
        match T::rest::<W>(self.all, self.before[column]) {
            Some(rest) => rest,
            None => self.from[column],
        }
    }

    /// The contribution of a column around a piece in column `x`, by its index in the window.
    #[inline(always)]
    fn part_in(&self, window: &Window<W>, x: usize, place: usize) -> T::Part<W> {
        let at = At {
            column: x + place - WINDOW_MARGIN,
            width: self.width,
            height: self.height,
        };
        T::part(window[place - 1], window[place], window[place + 1], at)
    }

    /// The value of the board after a placement in column `x`; `at_wall` says whether the piece
    /// touches the right wall, `full` which rows are full.
    ///
    /// Neither this function nor its callees use closures: they would not be compiled with the
    /// instructions of the lanes.
    #[inline(always)]
    pub(super) fn after(
        &self,
        (x, piece_width): (usize, usize),
        (at_wall, full): (bool, W),
        window: &Window<W>,
    ) -> W::Num {
        let [reach_left, reach_right] = T::REACH;
        let from_left = reach_left.min(x);
        let mut all = self.before[x - from_left];
        if reach_left > 0 && from_left > 0 {
            all = T::join::<W>(all, self.part_in(window, x, WINDOW_MARGIN - 1));
        }
        for_each_column!(J < piece_width, {
            if x + J >= T::FIRST {
                all = T::join::<W>(all, self.part_in(window, x, WINDOW_MARGIN + J));
            }
        });
        let end = x + piece_width;
        let reaches_right = reach_right > 0 && (T::BEYOND > 0 || !at_wall);
        if reaches_right {
            let part = self.part_in(window, x, WINDOW_MARGIN + piece_width);
            all = T::join::<W>(all, part);
        }
        let rest = self.from(end + usize::from(reaches_right));
        let counts = BoardCounts {
            width: self.width,
            height: self.height,
            filled: self.filled,
            full,
        };
        T::value::<W>(T::join::<W>(all, rest), &counts)
    }
}
