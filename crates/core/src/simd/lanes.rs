//! Eight integers side by side: the registers of the kernel.

/// Number of lanes.
pub(crate) const LANES: usize = 8;

/// The rows of eight boards that [`Lanes::columns`] converts to columns.
pub(crate) type Rows<'a> = [&'a [i32; 4]; LANES];

/// The rows of eight boards that [`Lanes::low_columns`] converts to columns.
pub(crate) type LongRows<'a> = [&'a [u64; 4]; LANES];

/// Eight numbers in memory: of the lanes, or a table with one for every pattern of three bits.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Words(pub(crate) [i32; LANES]);

/// Eight 32-bit numbers that are computed together. Arithmetic wraps; each lane of a mask is all
/// ones or all zeros.
pub(crate) trait Lanes: Copy + std::fmt::Debug {
    /// The same number in every lane.
    fn splat(value: i32) -> Self;
    /// One number for each lane.
    fn load(words: &Words) -> Self;
    /// The numbers of the lanes.
    fn store(self) -> Words;
    /// Loads a number for each lane from an unaligned address.
    fn load_from(numbers: &[i32; LANES]) -> Self;
    /// Writes the numbers of the lanes to an unaligned address.
    fn store_to(self, numbers: &mut [i32; LANES]);
    /// Four numbers of each of eight boards, as four columns with one lane per board.
    fn columns(rows: Rows<'_>) -> [Self; 4];

    /// The low halves of four numbers of each of eight boards, as four columns with one lane for
    /// each board.
    #[inline(always)]
    fn low_columns(rows: LongRows<'_>) -> [Self; 4] {
        let mut low = [[0; 4]; LANES];
        for (low, row) in low.iter_mut().zip(rows) {
            for (low, &long) in low.iter_mut().zip(row) {
                *low = long as i32;
            }
        }
        let [a, b, c, d, e, f, g, h] = &low;
        Self::columns([a, b, c, d, e, f, g, h])
    }

    /// The numbers of the next lane of each; in the last lane, the first number of `next`.
    fn following(self, next: Self) -> Self;
    /// For each lane, the number of the previous lane; for the first lane, the last of `previous`.
    fn preceding(self, previous: Self) -> Self;
    /// Swaps lanes whose indices differ in the bits of `BY`: 1, 2 or 4.
    fn swap<const BY: usize>(self) -> Self;

    /// Sum.
    fn add(self, other: Self) -> Self;
    /// Difference.
    fn sub(self, other: Self) -> Self;
    /// Low half of the product.
    fn mul(self, other: Self) -> Self;
    /// The smaller signed number.
    fn min(self, other: Self) -> Self;
    /// The larger signed number.
    fn max(self, other: Self) -> Self;
    /// The absolute value.
    #[inline(always)]
    fn abs(self) -> Self {
        self.max(Self::splat(0).sub(self))
    }
    /// Bits in both.
    fn and(self, other: Self) -> Self;
    /// Bits that are set in this value but not in the other.
    fn and_not(self, other: Self) -> Self;
    /// Bits in either.
    fn or(self, other: Self) -> Self;
    /// Bits that are set in exactly one of the two.
    fn xor(self, other: Self) -> Self;
    /// A mask of the lanes in which this signed number is larger.
    fn gt(self, other: Self) -> Self;
    /// A mask of the lanes in which both are equal.
    fn eq(self, other: Self) -> Self;
    /// `yes` where this mask is set, `no` elsewhere.
    fn pick(self, yes: Self, no: Self) -> Self;
    /// A bit for each lane of this mask.
    fn bits(self) -> u32;
    /// Shift left by a constant.
    fn shl<const BY: i32>(self) -> Self;
    /// Shifts right by a constant, filling with zeros.
    fn shr<const BY: i32>(self) -> Self;
    /// Shifts right by a constant, filling with the sign.
    fn shr_signed<const BY: i32>(self) -> Self;
    /// Shift left lane by lane; by 32 or more (or less than 0) gives 0.
    fn shl_by(self, by: Self) -> Self;
    /// Shifts right lane by lane, filling with zeros; by 32 or more (or less than 0) gives 0.
    fn shr_by(self, by: Self) -> Self;
    /// The entry of the table whose index is in the three lowest bits.
    fn look_up(self, table: &Words) -> Self;
    /// The numbers of a table at these indices; an index beyond the end means the last entry.
    ///
    /// # Panics
    /// If the table is empty.
    fn gather(self, table: &[i32]) -> Self;
    /// The bits of the 32-bit float nearest to each number.
    fn to_float(self) -> Self;
    /// Sum of two numbers that are the bits of 32-bit floats.
    fn add_float(self, other: Self) -> Self;
    /// Product of two numbers that are the bits of 32-bit floats.
    fn mul_float(self, other: Self) -> Self;

    /// One more than the position of the highest bit, for positive numbers; 32 or more for negative
    /// ones.
    fn bit_length(self) -> Self;
    /// For each of the four bytes, the number of its bits.
    fn byte_counts(self) -> Self;
    /// Sum of the four bytes.
    fn byte_sum(self) -> Self;

    /// Number of bits.
    #[inline(always)]
    fn count(self) -> Self {
        self.byte_counts().byte_sum()
    }

    /// Combines all lanes pairwise; every lane gets the result.
    #[inline(always)]
    fn fold(self, f: impl Fn(Self, Self) -> Self) -> Self {
        let halves = f(self, self.swap::<4>());
        let quarters = f(halves, halves.swap::<2>());
        f(quarters, quarters.swap::<1>())
    }

    /// Runs work with the instructions that these lanes need, in a separate function.
    fn enter<W: Work<Self>>(work: W) -> W::Output;
}

/// Work that uses lanes.
pub(crate) trait Work<L> {
    /// The output.
    type Output;
    /// Does the work; always inlined, so that it is compiled with the instructions of the lanes.
    fn run(self) -> Self::Output;
}
