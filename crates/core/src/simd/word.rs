//! The operands of features: one column of a board, or the same column of eight boards.
//!
//! A feature is written once, generic over [`Word`]. With `u64` it measures one board; with
//! [`Vector`] it measures eight boards at a time in vector registers.

use super::lanes::{LANES, Lanes, Words};
use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Sub};

/// Integers: one, or one for each of eight boards. A mask is -1 where a condition holds, and 0
/// elsewhere.
pub trait WordNumber:
    Copy + Debug + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + BitAnd<Output = Self>
{
    /// The numbers in memory, one per board.
    type Stored: Copy + Debug + AsRef<[i32]>;

    /// The same number everywhere.
    fn splat(value: i32) -> Self;
    /// The smaller number.
    fn least(self, other: Self) -> Self;
    /// The larger number.
    fn most(self, other: Self) -> Self;
    /// A mask: whether this number is larger.
    fn above(self, other: Self) -> Self;
    /// A mask: whether both numbers are equal.
    fn equal(self, other: Self) -> Self;
    /// This number where the mask is set, 0 elsewhere.
    fn only_if(self, mask: Self) -> Self;
    /// `yes` where this mask is set, `no` elsewhere.
    fn pick(self, yes: Self, no: Self) -> Self;
    /// Divides by a power of two, rounding down.
    fn shr<const BITS: i32>(self) -> Self;
    /// Whether the number is 0 on every board.
    fn all_zero(self) -> bool;
    /// The largest number over all boards.
    fn largest(self) -> i32;
    /// The numbers in memory.
    fn store(self) -> Self::Stored;
    /// Writes the numbers to memory, without a copy.
    fn store_to(self, stored: &mut Self::Stored);
    /// Reads numbers from memory.
    fn load(stored: &Self::Stored) -> Self;
    /// For each board, the number in the row that `row` selects.
    fn in_row(rows: &[Self::Stored], row: Self) -> Self;
    /// The numbers of a table at these indices; an index beyond the end means the last entry.
    ///
    /// # Panics
    /// If the table is empty.
    fn gather(self, table: &[i32]) -> Self;

    /// The absolute value.
    #[inline(always)]
    fn magnitude(self) -> Self {
        self.most(Self::splat(0) - self)
    }
}

/// A column of cells; bit `r` is row `r`. One column of one board, or of each of eight boards.
///
/// A lane of a [`Vector`] has 32 bits, so code must depend on the number of bits only through
/// [`Word::BITS`]. A wall is a column of ones; it is higher than any stack.
pub trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// The numbers that columns are measured with.
    type Num: WordNumber;
    /// Number of bits in a column.
    const BITS: i32;

    /// The same bits in all lanes, as many as fit.
    fn bits(bits: u64) -> Self;
    /// Moves all cells up by a constant.
    fn up<const ROWS: i32>(self) -> Self;
    /// Moves all cells down by a constant.
    fn down<const ROWS: i32>(self) -> Self;
    /// Moves all cells up; the result is empty for a shift of at least [`Word::BITS`], or of less
    /// than 0.
    fn up_by(self, rows: Self::Num) -> Self;
    /// Moves all cells down, with the same limits.
    fn down_by(self, rows: Self::Num) -> Self;
    /// The bits as a number, plus 1: this carries through the cells that are connected to the
    /// floor.
    fn plus_one(self) -> Self;
    /// Number of filled cells.
    fn count(self) -> Self::Num;
    /// One more than the row of the highest filled cell; 0 for an empty column.
    fn height(self) -> Self::Num;
    /// The mask of the columns without a filled cell.
    fn is_empty(self) -> Self::Num;
    /// Whether no column has a filled cell.
    fn all_empty(self) -> bool;
    /// These cells where the mask is set; no cells elsewhere.
    fn only_if(self, mask: Self::Num) -> Self;
    /// The lowest cells as the bits of a number; at most 31.
    fn number(self) -> Self::Num;
    /// The number of filled cells, in a form for sums: see [`Word::total`].
    fn tally(self) -> Self::Num;
    /// The number of filled cells, computed from the sum of at most 31 tallies, which is cheaper
    /// than 31 counts.
    fn total(tallies: Self::Num) -> Self::Num;

    /// Moves the cells of this column down until they hit one of `obstacles`; returns the total
    /// number of rows that they pass.
    #[inline(always)]
    fn fall(self, obstacles: Self) -> Self::Num {
        let (mut cells, mut sum) = (self, Self::Num::splat(0));
        while !cells.all_empty() {
            sum = sum + cells.count();
            cells = cells.down::<1>() & !obstacles;
        }
        sum
    }

    /// A column that is filled up to this height.
    #[inline(always)]
    fn filled(height: Self::Num) -> Self {
        !(Self::bits(u64::MAX).up_by(height))
    }

    /// The lowest filled cell of each column.
    #[inline(always)]
    fn lowest(self) -> Self {
        self & (!self).plus_one()
    }
}

impl WordNumber for i32 {
    type Stored = [i32; 1];

    #[inline(always)]
    fn splat(value: i32) -> i32 {
        value
    }

    #[inline(always)]
    fn least(self, other: i32) -> i32 {
        self.min(other)
    }

    #[inline(always)]
    fn most(self, other: i32) -> i32 {
        self.max(other)
    }

    #[inline(always)]
    fn above(self, other: i32) -> i32 {
        -i32::from(self > other)
    }

    #[inline(always)]
    fn equal(self, other: i32) -> i32 {
        -i32::from(self == other)
    }

    #[inline(always)]
    fn only_if(self, mask: i32) -> i32 {
        self & mask
    }

    #[inline(always)]
    fn pick(self, yes: i32, no: i32) -> i32 {
        if self != 0 { yes } else { no }
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> i32 {
        self >> BITS
    }

    #[inline(always)]
    fn all_zero(self) -> bool {
        self == 0
    }

    #[inline(always)]
    fn largest(self) -> i32 {
        self
    }

    #[inline(always)]
    fn store(self) -> [i32; 1] {
        [self]
    }

    #[inline(always)]
    fn store_to(self, stored: &mut [i32; 1]) {
        *stored = [self];
    }

    #[inline(always)]
    fn load(stored: &[i32; 1]) -> i32 {
        stored[0]
    }

    #[inline(always)]
    fn in_row(rows: &[[i32; 1]], row: i32) -> i32 {
        rows[row as usize][0]
    }

    #[inline(always)]
    fn gather(self, table: &[i32]) -> i32 {
        table[(self as u32 as usize).min(table.len() - 1)]
    }
}

impl Word for u64 {
    type Num = i32;
    const BITS: i32 = 64;

    #[inline(always)]
    fn bits(bits: u64) -> u64 {
        bits
    }

    #[inline(always)]
    fn up<const ROWS: i32>(self) -> u64 {
        self << ROWS
    }

    #[inline(always)]
    fn down<const ROWS: i32>(self) -> u64 {
        self >> ROWS
    }

    #[inline(always)]
    fn up_by(self, rows: i32) -> u64 {
        self.checked_shl(rows as u32).unwrap_or(0)
    }

    #[inline(always)]
    fn down_by(self, rows: i32) -> u64 {
        self.checked_shr(rows as u32).unwrap_or(0)
    }

    #[inline(always)]
    fn plus_one(self) -> u64 {
        self.wrapping_add(1)
    }

    #[inline(always)]
    fn count(self) -> i32 {
        self.count_ones() as i32
    }

    #[inline(always)]
    fn height(self) -> i32 {
        64 - self.leading_zeros() as i32
    }

    #[inline(always)]
    fn is_empty(self) -> i32 {
        -i32::from(self == 0)
    }

    #[inline(always)]
    fn all_empty(self) -> bool {
        self == 0
    }

    #[inline(always)]
    fn only_if(self, mask: i32) -> u64 {
        self & mask as i64 as u64
    }

    /// Nearly always, the cells are above the highest obstacle and close to it; then a table has
    /// the sum.
    #[inline(always)]
    fn fall(self, obstacles: u64) -> i32 {
        let top = Word::height(obstacles) as u32 & 63;
        let above = self >> top;
        if above << top == self && above < 256 {
            return i32::from(SUMS_FROM_ONE[above as usize]);
        }
        let (mut cells, mut sum) = (self, 0);
        while cells != 0 {
            let row = cells.trailing_zeros();
            let below = obstacles & ((1 << row) - 1);
            sum += row as i32 + 1 - Word::height(below);
            cells &= cells - 1;
        }
        sum
    }

    #[inline(always)]
    fn number(self) -> i32 {
        self as i32
    }

    #[inline(always)]
    fn tally(self) -> i32 {
        self.count()
    }

    #[inline(always)]
    fn total(tallies: i32) -> i32 {
        tallies
    }
}

/// For every subset of rows 1 to 8, the sum of their numbers.
const SUMS_FROM_ONE: [u8; 256] = {
    let mut sums = [0; 256];
    let mut rows: usize = 1;
    while rows < 256 {
        let lowest = rows & rows.wrapping_neg();
        sums[rows] = sums[rows - lowest] + lowest.trailing_zeros() as u8 + 1;
        rows += 1;
    }
    sums
};

/// A number or a column for each of eight boards.
#[derive(Clone, Copy, Debug)]
pub struct Vector<L>(pub(crate) L);

/// Operators as methods of the lanes.
macro_rules! operators {
    ($($operator:ident $method:ident $of_lanes:ident),*) => {$(
        impl<L: Lanes> $operator for Vector<L> {
            type Output = Vector<L>;

            #[inline(always)]
            fn $method(self, other: Vector<L>) -> Vector<L> {
                Vector(Lanes::$of_lanes(self.0, other.0))
            }
        }
    )*};
}

operators!(Add add add, Sub sub sub, Mul mul mul);
operators!(BitAnd bitand and, BitOr bitor or, BitXor bitxor xor);

/// Methods that correspond to methods of the lanes with other names: for one vector, for two, and
/// with a constant.
macro_rules! of_lanes {
    (
        one: $($one:ident $one_of_lanes:ident),*;
        two: $($two:ident $two_of_lanes:ident),*;
        by: $($by:ident $by_of_lanes:ident),*
    ) => {
        $(
            #[inline(always)]
            fn $one(self) -> Vector<L> {
                Vector(self.0.$one_of_lanes())
            }
        )*
        $(
            #[inline(always)]
            fn $two(self, other: Vector<L>) -> Vector<L> {
                Vector(self.0.$two_of_lanes(other.0))
            }
        )*
        $(
            #[inline(always)]
            fn $by<const BY: i32>(self) -> Vector<L> {
                Vector(self.0.$by_of_lanes::<BY>())
            }
        )*
    };
}

impl<L: Lanes> Not for Vector<L> {
    type Output = Vector<L>;

    #[inline(always)]
    fn not(self) -> Vector<L> {
        Vector(L::splat(-1).and_not(self.0))
    }
}

impl<L: Lanes> WordNumber for Vector<L> {
    type Stored = [i32; LANES];

    of_lanes! {
        one: magnitude abs;
        two: least min, most max, above gt, equal eq, only_if and;
        by: shr shr_signed
    }

    #[inline(always)]
    fn splat(value: i32) -> Vector<L> {
        Vector(L::splat(value))
    }

    #[inline(always)]
    fn pick(self, yes: Vector<L>, no: Vector<L>) -> Vector<L> {
        Vector(self.0.pick(yes.0, no.0))
    }

    #[inline(always)]
    fn all_zero(self) -> bool {
        self.0.eq(L::splat(0)).bits() == 0xFF
    }

    #[inline(always)]
    fn largest(self) -> i32 {
        self.0.fold(L::max).store().0[0]
    }

    #[inline(always)]
    fn store(self) -> [i32; LANES] {
        self.0.store().0
    }

    #[inline(always)]
    fn store_to(self, stored: &mut [i32; LANES]) {
        self.0.store_to(stored);
    }

    #[inline(always)]
    fn load(stored: &[i32; LANES]) -> Vector<L> {
        Vector(L::load_from(stored))
    }

    #[inline(always)]
    fn in_row(rows: &[[i32; LANES]], row: Vector<L>) -> Vector<L> {
        let lanes = L::load(&Words([0, 1, 2, 3, 4, 5, 6, 7]));
        let places = row.0.shl::<3>().add(lanes);
        Vector(places.gather(rows.as_flattened()))
    }

    #[inline(always)]
    fn gather(self, table: &[i32]) -> Vector<L> {
        Vector(self.0.gather(table))
    }
}

impl<L: Lanes> Word for Vector<L> {
    type Num = Vector<L>;
    const BITS: i32 = 32;

    of_lanes! {
        one: count count, tally byte_counts;
        two: up_by shl_by, down_by shr_by, only_if and;
        by: up shl, down shr
    }

    #[inline(always)]
    fn bits(bits: u64) -> Vector<L> {
        Vector(L::splat(bits as i32))
    }

    #[inline(always)]
    fn plus_one(self) -> Vector<L> {
        Vector(self.0.add(L::splat(1)))
    }

    #[inline(always)]
    fn height(self) -> Vector<L> {
        // The lanes do not define the length of 0.
        Vector(self.0.bit_length().max(L::splat(0)))
    }

    #[inline(always)]
    fn is_empty(self) -> Vector<L> {
        Vector(self.0.eq(L::splat(0)))
    }

    #[inline(always)]
    fn all_empty(self) -> bool {
        self.0.eq(L::splat(0)).bits() == 0xFF
    }

    #[inline(always)]
    fn number(self) -> Vector<L> {
        self
    }

    #[inline(always)]
    fn total(tallies: Vector<L>) -> Vector<L> {
        Vector(tallies.0.byte_sum())
    }
}
