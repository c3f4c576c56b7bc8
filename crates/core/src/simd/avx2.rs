//! Lanes in the 256-bit registers of AVX2.
//!
//! Every method is inlined into the function that [`Lanes::enter`] compiles for AVX2, and is sound
//! if the processor supports it. [`Avx2::is_available`] must have returned true before a value of
//! this type is created: the kernel checks this once, when it is created, and otherwise uses no
//! lanes.
#![allow(unsafe_code)]

use super::lanes::{LANES, Lanes, LongRows, Rows, Words, Work};
use std::arch::asm;
use std::arch::x86_64::*;

/// Eight lanes in one register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(__m256i);

impl Avx2 {
    /// Whether this processor has the instructions.
    pub(crate) fn is_available() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }
}

/// Calls an intrinsic.
macro_rules! lanes {
    ($intrinsic:expr) => {
        // SAFETY: the processor has AVX2, see the top of this file.
        Avx2(unsafe { $intrinsic })
    };
}

// The compiler does not know that a shift by 32 or more should give 0, as with these instructions,
// or that the bits of a mask should stay unchanged, and replaces the first three instructions by
// many. It splits the other two into halves, because that was faster on the oldest processors with
// these registers.

#[target_feature(enable = "avx2")]
#[inline]
fn shift_left(value: __m256i, by: __m256i) -> __m256i {
    let shifted;
    // SAFETY: computes a register from two others.
    unsafe {
        asm!("vpsllvd {}, {}, {}", lateout(ymm_reg) shifted, in(ymm_reg) value, in(ymm_reg) by,
            options(pure, nomem, nostack, preserves_flags));
    }
    shifted
}

#[target_feature(enable = "avx2")]
#[inline]
fn shift_right(value: __m256i, by: __m256i) -> __m256i {
    let shifted;
    // SAFETY: computes a register from two others.
    unsafe {
        asm!("vpsrlvd {}, {}, {}", lateout(ymm_reg) shifted, in(ymm_reg) value, in(ymm_reg) by,
            options(pure, nomem, nostack, preserves_flags));
    }
    shifted
}

#[target_feature(enable = "avx2")]
#[inline]
fn mask_bits(mask: __m256i) -> u32 {
    let bits;
    // SAFETY: computes a register from another.
    unsafe {
        asm!("vmovmskps {:e}, {}", lateout(reg) bits, in(ymm_reg) mask,
            options(pure, nomem, nostack, preserves_flags));
    }
    bits
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_unaligned(numbers: &[i32; LANES]) -> __m256i {
    let loaded;
    // SAFETY: reads what the reference points to.
    unsafe {
        asm!("vmovdqu {}, [{}]", lateout(ymm_reg) loaded, in(reg) numbers.as_ptr(),
            options(pure, readonly, nostack, preserves_flags));
    }
    loaded
}

#[target_feature(enable = "avx2")]
#[inline]
fn store_unaligned(value: __m256i, numbers: &mut [i32; LANES]) {
    // SAFETY: writes what the reference points to.
    unsafe {
        asm!("vmovdqu [{}], {}", in(reg) numbers.as_mut_ptr(), in(ymm_reg) value,
            options(nostack, preserves_flags));
    }
}

/// Four columns of eight boards from rows of four numbers: those of boards 0 and 4, of 1 and 5, and
/// so on.
#[target_feature(enable = "avx2")]
#[inline]
fn transposed([a, b, c, d]: [__m256i; 4]) -> [Avx2; 4] {
    let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
    let (ab_high, cd_high) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
    [
        Avx2(_mm256_unpacklo_epi64(ab, cd)),
        Avx2(_mm256_unpackhi_epi64(ab, cd)),
        Avx2(_mm256_unpacklo_epi64(ab_high, cd_high)),
        Avx2(_mm256_unpackhi_epi64(ab_high, cd_high)),
    ]
}

impl Lanes for Avx2 {
    #[inline(always)]
    fn splat(value: i32) -> Avx2 {
        lanes!(_mm256_set1_epi32(value))
    }
    #[inline(always)]
    fn load(words: &Words) -> Avx2 {
        // SAFETY: as above, and the words are aligned and as large as the data read.
        Avx2(unsafe { _mm256_load_si256(words.0.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self) -> Words {
        let mut words = Words([0; LANES]);
        // SAFETY: as above, and the words are aligned and as large as the data written.
        unsafe { _mm256_store_si256(words.0.as_mut_ptr().cast(), self.0) };
        words
    }
    #[inline(always)]
    fn load_from(numbers: &[i32; LANES]) -> Avx2 {
        lanes!(load_unaligned(numbers))
    }
    #[inline(always)]
    fn store_to(self, numbers: &mut [i32; LANES]) {
        // SAFETY: as above.
        unsafe { store_unaligned(self.0, numbers) };
    }
    #[inline(always)]
    fn following(self, next: Avx2) -> Avx2 {
        // SAFETY: as above.
        let middle = unsafe { _mm256_permute2x128_si256::<0x21>(self.0, next.0) };
        lanes!(_mm256_alignr_epi8::<4>(middle, self.0))
    }
    #[inline(always)]
    fn preceding(self, previous: Avx2) -> Avx2 {
        // SAFETY: as above.
        let middle = unsafe { _mm256_permute2x128_si256::<0x21>(previous.0, self.0) };
        lanes!(_mm256_alignr_epi8::<12>(self.0, middle))
    }
    #[inline(always)]
    fn swap<const BY: usize>(self) -> Avx2 {
        match BY {
            1 => lanes!(_mm256_shuffle_epi32::<0b10_11_00_01>(self.0)),
            2 => lanes!(_mm256_shuffle_epi32::<0b01_00_11_10>(self.0)),
            _ => lanes!(_mm256_permute2x128_si256::<1>(self.0, self.0)),
        }
    }
    #[inline(always)]
    fn columns(rows: Rows<'_>) -> [Avx2; 4] {
        // SAFETY: as above, and each row is as large as the data read from it.
        let pair = |k: usize| unsafe {
            _mm256_loadu2_m128i(rows[k + 4].as_ptr().cast(), rows[k].as_ptr().cast())
        };
        // SAFETY: as above.
        unsafe { transposed([pair(0), pair(1), pair(2), pair(3)]) }
    }
    #[inline(always)]
    fn low_columns(rows: LongRows<'_>) -> [Avx2; 4] {
        // SAFETY: as above, and each row is as large as the data read from it.
        let pair = |k: usize| unsafe {
            let one = _mm256_loadu_ps(rows[k].as_ptr().cast());
            let other = _mm256_loadu_ps(rows[k + 4].as_ptr().cast());
            // The low halves of two numbers from the first register, of two from the second, and of
            // the rest.
            let low = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(one, other));
            _mm256_permute4x64_epi64::<0b11_01_10_00>(low)
        };
        // SAFETY: as above.
        unsafe { transposed([pair(0), pair(1), pair(2), pair(3)]) }
    }
    #[inline(always)]
    fn add(self, other: Avx2) -> Avx2 {
        lanes!(_mm256_add_epi32(self.0, other.0))
    }
    #[inline(always)]
    fn sub(self, other: Avx2) -> Avx2 {
        lanes!(_mm256_sub_epi32(self.0, other.0))
    }
    #[inline(always)]
    fn mul(self, other: Avx2) -> Avx2 {
        lanes!(_mm256_mullo_epi32(self.0, other.0))
    }
    #[inline(always)]
    fn min(self, other: Avx2) -> Avx2 {
        lanes!(_mm256_min_epi32(self.0, other.0))
    }
    #[inline(always)]
    fn max(self, other: Avx2) -> Avx2 {
        lanes!(_mm256_max_epi32(self.0, other.0))
    }
    #[inline(always)]
    fn abs(self) -> Avx2 {
        lanes!(_mm256_abs_epi32(self.0))
    }
    #[inline(always)]
    fn and(self, other: Avx2) -> Avx2 {
        lanes!(_mm256_and_si256(self.0, other.0))
    }
    #[inline(always)]
    fn and_not(self, other: Avx2) -> Avx2 {
        lanes!(_mm256_andnot_si256(other.0, self.0))
    }
    #[inline(always)]
    fn or(self, other: Avx2) -> Avx2 {
        lanes!(_mm256_or_si256(self.0, other.0))
    }
    #[inline(always)]
    fn xor(self, other: Avx2) -> Avx2 {
        lanes!(_mm256_xor_si256(self.0, other.0))
    }
    #[inline(always)]
    fn gt(self, other: Avx2) -> Avx2 {
        lanes!(_mm256_cmpgt_epi32(self.0, other.0))
    }
    #[inline(always)]
    fn eq(self, other: Avx2) -> Avx2 {
        lanes!(_mm256_cmpeq_epi32(self.0, other.0))
    }
    #[inline(always)]
    fn pick(self, yes: Avx2, no: Avx2) -> Avx2 {
        lanes!(_mm256_blendv_epi8(no.0, yes.0, self.0))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        // SAFETY: as above.
        unsafe { mask_bits(self.0) }
    }
    #[inline(always)]
    fn shl<const BY: i32>(self) -> Avx2 {
        lanes!(_mm256_slli_epi32::<BY>(self.0))
    }
    #[inline(always)]
    fn shr<const BY: i32>(self) -> Avx2 {
        lanes!(_mm256_srli_epi32::<BY>(self.0))
    }
    #[inline(always)]
    fn shr_signed<const BY: i32>(self) -> Avx2 {
        lanes!(_mm256_srai_epi32::<BY>(self.0))
    }
    #[inline(always)]
    fn shl_by(self, by: Avx2) -> Avx2 {
        lanes!(shift_left(self.0, by.0))
    }
    #[inline(always)]
    fn shr_by(self, by: Avx2) -> Avx2 {
        lanes!(shift_right(self.0, by.0))
    }
    #[inline(always)]
    fn look_up(self, table: &Words) -> Avx2 {
        // SAFETY: as above, and the table is aligned and as large as the data read.
        unsafe {
            let table = _mm256_load_si256(table.0.as_ptr().cast());
            Avx2(_mm256_permutevar8x32_epi32(table, self.0))
        }
    }
    #[inline(always)]
    fn gather(self, table: &[i32]) -> Avx2 {
        assert!(!table.is_empty());
        let last = Avx2::splat((table.len() - 1).min(i32::MAX as usize) as i32);
        // SAFETY: as above, and no index is beyond the table: as unsigned numbers, none exceeds the
        // last index.
        unsafe {
            let places = _mm256_min_epu32(self.0, last.0);
            Avx2(_mm256_i32gather_epi32::<4>(table.as_ptr(), places))
        }
    }
    #[inline(always)]
    fn to_float(self) -> Avx2 {
        lanes!(_mm256_castps_si256(_mm256_cvtepi32_ps(self.0)))
    }

    #[inline(always)]
    fn add_float(self, other: Avx2) -> Avx2 {
        // SAFETY: as above.
        let (a, b) = unsafe { (_mm256_castsi256_ps(self.0), _mm256_castsi256_ps(other.0)) };
        lanes!(_mm256_castps_si256(_mm256_add_ps(a, b)))
    }

    #[inline(always)]
    fn mul_float(self, other: Avx2) -> Avx2 {
        // SAFETY: as above.
        let (a, b) = unsafe { (_mm256_castsi256_ps(self.0), _mm256_castsi256_ps(other.0)) };
        lanes!(_mm256_castps_si256(_mm256_mul_ps(a, b)))
    }

    #[inline(always)]
    fn bit_length(self) -> Avx2 {
        // The exponent of the number as a float. The bit below the highest is cleared first, so
        // that rounding cannot carry into the exponent.
        let leading = self.and_not(self.shr::<1>());
        // SAFETY: as above.
        let float = Avx2(unsafe { _mm256_castps_si256(_mm256_cvtepi32_ps(leading.0)) });
        float.shr::<23>().sub(Avx2::splat(126))
    }
    #[inline(always)]
    fn byte_counts(self) -> Avx2 {
        let nibble = Avx2::splat(0x0F0F_0F0F);
        let (low, high) = (self.and(nibble), self.shr::<4>().and(nibble));
        // SAFETY: as above.
        unsafe {
            let counts = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            ));
            let (low, high) = (
                _mm256_shuffle_epi8(counts, low.0),
                _mm256_shuffle_epi8(counts, high.0),
            );
            Avx2(_mm256_add_epi8(low, high))
        }
    }
    #[inline(always)]
    fn byte_sum(self) -> Avx2 {
        // SAFETY: as above.
        unsafe {
            let pairs = _mm256_maddubs_epi16(self.0, _mm256_set1_epi8(1));
            Avx2(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
        }
    }
    #[inline(always)]
    fn enter<W: Work<Avx2>>(work: W) -> W::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        #[inline(never)]
        fn entered<W: Work<Avx2>>(work: W) -> W::Output {
            work.run()
        }
        // SAFETY: the processor has these features, see the top of this file.
        unsafe { entered(work) }
    }
}
