//! Ways to combine the contributions of columns.

use super::local::{At, BoardCounts, Column, ColumnTerm, Fold, GapTerm, RowUnion};
use crate::simd::{Word, WordNumber};
use std::marker::PhantomData;

/// The unit of a sum of terms.
#[inline(always)]
fn counted<W: Word>(sum: W::Num, tallies: bool) -> W::Num {
    if tallies { W::total(sum) } else { sum }
}

/// The sum of the terms of all columns.
pub(super) struct Sum<T>(PhantomData<T>);

impl<T: ColumnTerm> Fold for Sum<T> {
    type Part<W: Word> = W::Num;
    const REACH: [usize; 2] = [T::NEIGHBOURS as usize; 2];

    #[inline(always)]
    fn nothing<W: Word>() -> W::Num {
        W::Num::splat(0)
    }

    #[inline(always)]
    fn part<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, at: At) -> W::Num {
        T::term(left, own, right, at)
    }

    #[inline(always)]
    fn join<W: Word>(left: W::Num, right: W::Num) -> W::Num {
        left + right
    }

    #[inline(always)]
    fn rest<W: Word>(all: W::Num, left: W::Num) -> Option<W::Num> {
        Some(all - left)
    }

    #[inline(always)]
    fn value<W: Word>(all: W::Num, _: &BoardCounts<W>) -> W::Num {
        counted::<W>(all, T::TALLIES)
    }
}

/// The largest of the terms of all columns; 0 if all are negative.
pub(super) struct Largest<T>(PhantomData<T>);

impl<T: ColumnTerm> Fold for Largest<T> {
    type Part<W: Word> = W::Num;
    const REACH: [usize; 2] = [T::NEIGHBOURS as usize; 2];

    #[inline(always)]
    fn nothing<W: Word>() -> W::Num {
        W::Num::splat(0)
    }

    #[inline(always)]
    fn part<W: Word>(left: Column<W>, own: Column<W>, right: Column<W>, at: At) -> W::Num {
        counted::<W>(T::term(left, own, right, at), T::TALLIES)
    }

    #[inline(always)]
    fn join<W: Word>(left: W::Num, right: W::Num) -> W::Num {
        left.most(right)
    }

    #[inline(always)]
    fn value<W: Word>(all: W::Num, _: &BoardCounts<W>) -> W::Num {
        all
    }
}

/// The sum of the terms of all gaps.
pub(super) struct GapSum<T>(PhantomData<T>);

impl<T: GapTerm> Fold for GapSum<T> {
    type Part<W: Word> = W::Num;
    const REACH: [usize; 2] = [0, 1];
    const FIRST: usize = !T::WALLS as usize;
    const BEYOND: usize = T::WALLS as usize;

    #[inline(always)]
    fn nothing<W: Word>() -> W::Num {
        W::Num::splat(0)
    }

    #[inline(always)]
    fn part<W: Word>(left: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W::Num {
        T::term(left, own)
    }

    #[inline(always)]
    fn join<W: Word>(left: W::Num, right: W::Num) -> W::Num {
        left + right
    }

    #[inline(always)]
    fn rest<W: Word>(all: W::Num, left: W::Num) -> Option<W::Num> {
        Some(all - left)
    }

    #[inline(always)]
    fn value<W: Word>(all: W::Num, board: &BoardCounts<W>) -> W::Num {
        counted::<W>(all, T::TALLIES) + W::Num::splat(T::offset::<W>(board.height))
    }
}

/// The rows that are marked in any column.
pub(super) struct Union<T>(PhantomData<T>);

impl<T: RowUnion> Fold for Union<T> {
    type Part<W: Word> = W;
    const REACH: [usize; 2] = [0, 0];

    #[inline(always)]
    fn nothing<W: Word>() -> W {
        W::bits(0)
    }

    #[inline(always)]
    fn part<W: Word>(_: Column<W>, own: Column<W>, _: Column<W>, _: At) -> W {
        T::rows(own)
    }

    #[inline(always)]
    fn join<W: Word>(left: W, right: W) -> W {
        left | right
    }

    #[inline(always)]
    fn value<W: Word>(all: W, board: &BoardCounts<W>) -> W::Num {
        T::value(all, board.height)
    }
}
