//! Four lanes in a 128-bit register of WebAssembly (SIMD128). A module either has these
//! instructions or not, so they are chosen when it is compiled (`-C target-feature=+simd128`).
//!
//! Two operations have no direct equivalent: shifts by different amounts per lane are products with
//! powers of two, and looking up one of eight numbers takes two instructions, because one
//! instruction can only look up bytes in a single register.
#![allow(unsafe_code)]

use super::halves::Half;
use std::arch::wasm32::*;

/// Four lanes in one register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128(v128);

impl Simd128 {
    /// Two to the power of each number; 0 for those that are not between 0 and 31.
    #[inline(always)]
    fn power_of_two(self) -> Simd128 {
        // The number as the exponent of a float.
        let float = u32x4_shl(i32x4_add(self.0, i32x4_splat(127)), 23);
        let power = u32x4_trunc_sat_f32x4(float);
        Simd128(v128_and(power, u32x4_lt(self.0, u32x4_splat(32))))
    }
}

impl Half for Simd128 {
    #[inline(always)]
    fn splat(value: i32) -> Simd128 {
        Simd128(i32x4_splat(value))
    }
    #[inline(always)]
    fn load(numbers: &[i32; 4]) -> Simd128 {
        // SAFETY: there are as many numbers as are read; no alignment is needed.
        Simd128(unsafe { v128_load(numbers.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self) -> [i32; 4] {
        let mut numbers = [0i32; 4];
        // SAFETY: there is space for as many numbers as are written; no alignment is needed.
        unsafe { v128_store(numbers.as_mut_ptr().cast(), self.0) };
        numbers
    }
    #[inline(always)]
    fn following(self, next: Simd128) -> Simd128 {
        Simd128(i32x4_shuffle::<1, 2, 3, 4>(self.0, next.0))
    }
    #[inline(always)]
    fn preceding(self, previous: Simd128) -> Simd128 {
        Simd128(i32x4_shuffle::<3, 4, 5, 6>(previous.0, self.0))
    }
    #[inline(always)]
    fn swap_neighbours(self) -> Simd128 {
        Simd128(i32x4_shuffle::<1, 0, 3, 2>(self.0, self.0))
    }
    #[inline(always)]
    fn swap_pairs(self) -> Simd128 {
        Simd128(i32x4_shuffle::<2, 3, 0, 1>(self.0, self.0))
    }
    #[inline(always)]
    fn transpose([a, b, c, d]: [Simd128; 4]) -> [Simd128; 4] {
        let low = |a: Simd128, b: Simd128| i32x4_shuffle::<0, 4, 1, 5>(a.0, b.0);
        let high = |a: Simd128, b: Simd128| i32x4_shuffle::<2, 6, 3, 7>(a.0, b.0);
        [
            Simd128(i64x2_shuffle::<0, 2>(low(a, b), low(c, d))),
            Simd128(i64x2_shuffle::<1, 3>(low(a, b), low(c, d))),
            Simd128(i64x2_shuffle::<0, 2>(high(a, b), high(c, d))),
            Simd128(i64x2_shuffle::<1, 3>(high(a, b), high(c, d))),
        ]
    }
    #[inline(always)]
    fn add(self, other: Simd128) -> Simd128 {
        Simd128(i32x4_add(self.0, other.0))
    }
    #[inline(always)]
    fn sub(self, other: Simd128) -> Simd128 {
        Simd128(i32x4_sub(self.0, other.0))
    }
    #[inline(always)]
    fn mul(self, other: Simd128) -> Simd128 {
        Simd128(i32x4_mul(self.0, other.0))
    }
    #[inline(always)]
    fn min(self, other: Simd128) -> Simd128 {
        Simd128(i32x4_min(self.0, other.0))
    }
    #[inline(always)]
    fn max(self, other: Simd128) -> Simd128 {
        Simd128(i32x4_max(self.0, other.0))
    }
    #[inline(always)]
    fn and(self, other: Simd128) -> Simd128 {
        Simd128(v128_and(self.0, other.0))
    }
    #[inline(always)]
    fn and_not(self, other: Simd128) -> Simd128 {
        Simd128(v128_andnot(self.0, other.0))
    }
    #[inline(always)]
    fn or(self, other: Simd128) -> Simd128 {
        Simd128(v128_or(self.0, other.0))
    }
    #[inline(always)]
    fn xor(self, other: Simd128) -> Simd128 {
        Simd128(v128_xor(self.0, other.0))
    }
    #[inline(always)]
    fn gt(self, other: Simd128) -> Simd128 {
        Simd128(i32x4_gt(self.0, other.0))
    }
    #[inline(always)]
    fn eq(self, other: Simd128) -> Simd128 {
        Simd128(i32x4_eq(self.0, other.0))
    }
    #[inline(always)]
    fn pick(self, yes: Simd128, no: Simd128) -> Simd128 {
        Simd128(v128_bitselect(yes.0, no.0, self.0))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(i32x4_bitmask(self.0))
    }
    #[inline(always)]
    fn shl<const BY: i32>(self) -> Simd128 {
        Simd128(u32x4_shl(self.0, BY as u32))
    }
    #[inline(always)]
    fn shr<const BY: i32>(self) -> Simd128 {
        Simd128(u32x4_shr(self.0, BY as u32))
    }
    #[inline(always)]
    fn shr_signed<const BY: i32>(self) -> Simd128 {
        Simd128(i32x4_shr(self.0, BY as u32))
    }
    #[inline(always)]
    fn shl_by(self, by: Simd128) -> Simd128 {
        self.mul(by.power_of_two())
    }
    #[inline(always)]
    fn shr_by(self, by: Simd128) -> Simd128 {
        // The product with 2^(31 - by) has 64 bits; without its lowest 31 bits it is the shifted
        // number.
        let power = Simd128::splat(31).sub(by).power_of_two();
        let low = u64x2_shr(u64x2_extmul_low_u32x4(self.0, power.0), 31);
        let high = u64x2_shr(u64x2_extmul_high_u32x4(self.0, power.0), 31);
        Simd128(i32x4_shuffle::<0, 2, 4, 6>(low, high))
    }
    #[inline(always)]
    fn look_up(self, [first, last]: [Simd128; 2]) -> Simd128 {
        // The positions of the four bytes of each entry. Beyond the end of a register, the result
        // is 0.
        let places = self.and(Simd128::splat(7)).mul(Simd128::splat(0x0404_0404));
        let places = places.add(Simd128::splat(0x0302_0100)).0;
        let from_first = u8x16_swizzle(first.0, places);
        let from_last = u8x16_swizzle(last.0, u8x16_sub(places, u8x16_splat(16)));
        Simd128(v128_or(from_first, from_last))
    }
    #[inline(always)]
    fn to_float(self) -> Simd128 {
        Simd128(f32x4_convert_i32x4(self.0))
    }
    #[inline(always)]
    fn add_float(self, other: Simd128) -> Simd128 {
        Simd128(f32x4_add(self.0, other.0))
    }
    #[inline(always)]
    fn mul_float(self, other: Simd128) -> Simd128 {
        Simd128(f32x4_mul(self.0, other.0))
    }
    #[inline(always)]
    fn bit_length(self) -> Simd128 {
        // As in `avx2`: the exponent of the number as a float, which rounding must not change.
        let leading = self.and_not(self.shr::<1>());
        let exponent = leading.to_float().shr::<23>();
        exponent.sub(Simd128::splat(126))
    }
    #[inline(always)]
    fn byte_counts(self) -> Simd128 {
        Simd128(u8x16_popcnt(self.0))
    }
    #[inline(always)]
    fn byte_sum(self) -> Simd128 {
        Simd128(u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(
            self.0,
        )))
    }
}
