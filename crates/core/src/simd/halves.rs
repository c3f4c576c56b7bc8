//! Eight lanes as two registers of four, for instruction sets with 128-bit registers.
//!
//! An instruction set implements [`Half`], which has one method for each operation on four numbers;
//! [`Halves`] builds [`Lanes`] from two of them. Nothing here is `unsafe`.

use super::lanes::{LANES, Lanes, Rows, Words, Work};

/// Four 32-bit numbers in one register. Each method does what the method of [`Lanes`] with the same
/// name does.
pub(crate) trait Half: Copy + std::fmt::Debug {
    fn splat(value: i32) -> Self;
    fn load(numbers: &[i32; 4]) -> Self;
    fn store(self) -> [i32; 4];

    /// The last three numbers of this register, then the first of `next`.
    fn following(self, next: Self) -> Self;
    /// The last number of `previous`, then the first three of this register.
    fn preceding(self, previous: Self) -> Self;
    /// Swaps lanes 0 and 1, and lanes 2 and 3.
    fn swap_neighbours(self) -> Self;
    /// Swaps lanes 0 and 2, and lanes 1 and 3.
    fn swap_pairs(self) -> Self;
    /// Turns rows into columns.
    fn transpose(rows: [Self; 4]) -> [Self; 4];

    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn and_not(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn gt(self, other: Self) -> Self;
    fn eq(self, other: Self) -> Self;
    fn pick(self, yes: Self, no: Self) -> Self;
    /// One bit for each of the four lanes of this mask.
    fn bits(self) -> u32;
    fn shl<const BY: i32>(self) -> Self;
    fn shr<const BY: i32>(self) -> Self;
    fn shr_signed<const BY: i32>(self) -> Self;
    fn shl_by(self, by: Self) -> Self;
    fn shr_by(self, by: Self) -> Self;
    fn look_up(self, table: [Self; 2]) -> Self;
    fn to_float(self) -> Self;
    fn add_float(self, other: Self) -> Self;
    fn mul_float(self, other: Self) -> Self;
    fn bit_length(self) -> Self;
    fn byte_counts(self) -> Self;
    fn byte_sum(self) -> Self;
}

/// Eight lanes: the first four and the last four.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Halves<H>(H, H);

impl<H: Half> Halves<H> {
    #[inline(always)]
    fn each(self, f: impl Fn(H) -> H) -> Halves<H> {
        Halves(f(self.0), f(self.1))
    }

    #[inline(always)]
    fn with(self, other: Halves<H>, f: impl Fn(H, H) -> H) -> Halves<H> {
        Halves(f(self.0, other.0), f(self.1, other.1))
    }
}

/// The two halves of eight numbers.
#[inline(always)]
fn fours(numbers: &[i32; LANES]) -> [&[i32; 4]; 2] {
    let fours = numbers.as_chunks().0;
    [&fours[0], &fours[1]]
}

/// Methods that treat both halves the same way.
macro_rules! by_halves {
    (one: $($one:ident)*; two: $($two:ident)*) => {
        $(
            #[inline(always)]
            fn $one(self) -> Halves<H> {
                self.each(H::$one)
            }
        )*
        $(
            #[inline(always)]
            fn $two(self, other: Halves<H>) -> Halves<H> {
                self.with(other, H::$two)
            }
        )*
    };
}

impl<H: Half> Lanes for Halves<H> {
    by_halves! {
        one: to_float bit_length byte_counts byte_sum;
        two: add sub mul min max and and_not or xor gt eq shl_by shr_by add_float mul_float
    }

    #[inline(always)]
    fn splat(value: i32) -> Halves<H> {
        Halves(H::splat(value), H::splat(value))
    }
    #[inline(always)]
    fn load(words: &Words) -> Halves<H> {
        Halves::load_from(&words.0)
    }
    #[inline(always)]
    fn store(self) -> Words {
        let mut words = Words([0; LANES]);
        self.store_to(&mut words.0);
        words
    }
    #[inline(always)]
    fn load_from(numbers: &[i32; LANES]) -> Halves<H> {
        let [first, last] = fours(numbers);
        Halves(H::load(first), H::load(last))
    }
    #[inline(always)]
    fn store_to(self, numbers: &mut [i32; LANES]) {
        let fours = numbers.as_chunks_mut().0;
        fours[0] = self.0.store();
        fours[1] = self.1.store();
    }
    #[inline(always)]
    fn columns(rows: Rows<'_>) -> [Halves<H>; 4] {
        let row = |board: usize| H::load(rows[board]);
        let first = H::transpose([row(0), row(1), row(2), row(3)]);
        let last = H::transpose([row(4), row(5), row(6), row(7)]);
        std::array::from_fn(|column| Halves(first[column], last[column]))
    }
    #[inline(always)]
    fn following(self, next: Halves<H>) -> Halves<H> {
        Halves(self.0.following(self.1), self.1.following(next.0))
    }
    #[inline(always)]
    fn preceding(self, previous: Halves<H>) -> Halves<H> {
        Halves(self.0.preceding(previous.1), self.1.preceding(self.0))
    }
    #[inline(always)]
    fn swap<const BY: usize>(self) -> Halves<H> {
        match BY {
            1 => self.each(H::swap_neighbours),
            2 => self.each(H::swap_pairs),
            _ => Halves(self.1, self.0),
        }
    }
    #[inline(always)]
    fn pick(self, yes: Halves<H>, no: Halves<H>) -> Halves<H> {
        Halves(self.0.pick(yes.0, no.0), self.1.pick(yes.1, no.1))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.bits() | self.1.bits() << 4
    }
    #[inline(always)]
    fn shl<const BY: i32>(self) -> Halves<H> {
        self.each(H::shl::<BY>)
    }
    #[inline(always)]
    fn shr<const BY: i32>(self) -> Halves<H> {
        self.each(H::shr::<BY>)
    }
    #[inline(always)]
    fn shr_signed<const BY: i32>(self) -> Halves<H> {
        self.each(H::shr_signed::<BY>)
    }
    #[inline(always)]
    fn look_up(self, table: &Words) -> Halves<H> {
        let table = fours(&table.0).map(H::load);
        self.each(|places| places.look_up(table))
    }
    /// These instruction sets lack such an instruction, so every number is loaded separately.
    #[inline(always)]
    fn gather(self, table: &[i32]) -> Halves<H> {
        assert!(!table.is_empty());
        let entry = |place: i32| table[(place as u32 as usize).min(table.len() - 1)];
        Halves::load_from(&self.store().0.map(entry))
    }
    #[inline(always)]
    fn enter<W: Work<Halves<H>>>(work: W) -> W::Output {
        #[inline(never)]
        fn entered<L, W: Work<L>>(work: W) -> W::Output {
            work.run()
        }
        entered(work)
    }
}
