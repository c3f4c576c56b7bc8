//! Four lanes in a 128-bit register of NEON, which every 64-bit ARM processor has.
#![allow(unsafe_code)]

use super::halves::Half;
use std::arch::aarch64::*;

/// Four lanes in one register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(int32x4_t);

/// Calls intrinsics on signed numbers.
macro_rules! signed {
    ($intrinsic:expr) => {
        // SAFETY: all processors of this architecture have NEON, and only registers are used.
        Neon(unsafe { $intrinsic })
    };
}

/// Calls intrinsics with an unsigned result.
macro_rules! unsigned {
    ($intrinsic:expr) => {
        signed!(vreinterpretq_s32_u32($intrinsic))
    };
}

impl Neon {
    /// The same bits as unsigned numbers.
    #[inline(always)]
    fn words(self) -> uint32x4_t {
        // SAFETY: as above.
        unsafe { vreinterpretq_u32_s32(self.0) }
    }

    /// The same bits as bytes.
    #[inline(always)]
    fn bytes(self) -> uint8x16_t {
        // SAFETY: as above.
        unsafe { vreinterpretq_u8_s32(self.0) }
    }

    /// The same bits as floats.
    #[inline(always)]
    fn floats(self) -> float32x4_t {
        // SAFETY: as above.
        unsafe { vreinterpretq_f32_s32(self.0) }
    }

    /// The same bits as two 64-bit numbers.
    #[inline(always)]
    fn longs(self) -> int64x2_t {
        // SAFETY: as above.
        unsafe { vreinterpretq_s64_s32(self.0) }
    }

    /// The shift count, or 32 for any count that shifts everything out, because the instructions
    /// use only the lowest byte.
    #[inline(always)]
    fn limited(self) -> Neon {
        unsigned!(vminq_u32(self.words(), vdupq_n_u32(32)))
    }
}

impl Half for Neon {
    #[inline(always)]
    fn splat(value: i32) -> Neon {
        signed!(vdupq_n_s32(value))
    }
    #[inline(always)]
    fn load(numbers: &[i32; 4]) -> Neon {
        // SAFETY: as above, and there are as many numbers as are read.
        Neon(unsafe { vld1q_s32(numbers.as_ptr()) })
    }
    #[inline(always)]
    fn store(self) -> [i32; 4] {
        let mut numbers = [0; 4];
        // SAFETY: as above, and there is space for as many numbers as are written.
        unsafe { vst1q_s32(numbers.as_mut_ptr(), self.0) };
        numbers
    }
    #[inline(always)]
    fn following(self, next: Neon) -> Neon {
        signed!(vextq_s32::<1>(self.0, next.0))
    }
    #[inline(always)]
    fn preceding(self, previous: Neon) -> Neon {
        signed!(vextq_s32::<3>(previous.0, self.0))
    }
    #[inline(always)]
    fn swap_neighbours(self) -> Neon {
        signed!(vrev64q_s32(self.0))
    }
    #[inline(always)]
    fn swap_pairs(self) -> Neon {
        signed!(vextq_s32::<2>(self.0, self.0))
    }
    #[inline(always)]
    fn transpose([a, b, c, d]: [Neon; 4]) -> [Neon; 4] {
        // For every two rows, the numbers at even positions, then those at odd ones.
        let (ab, cd) = (signed!(vtrn1q_s32(a.0, b.0)), signed!(vtrn1q_s32(c.0, d.0)));
        let (ab_odd, cd_odd) = (signed!(vtrn2q_s32(a.0, b.0)), signed!(vtrn2q_s32(c.0, d.0)));
        [
            signed!(vreinterpretq_s32_s64(vtrn1q_s64(ab.longs(), cd.longs()))),
            signed!(vreinterpretq_s32_s64(vtrn1q_s64(
                ab_odd.longs(),
                cd_odd.longs()
            ))),
            signed!(vreinterpretq_s32_s64(vtrn2q_s64(ab.longs(), cd.longs()))),
            signed!(vreinterpretq_s32_s64(vtrn2q_s64(
                ab_odd.longs(),
                cd_odd.longs()
            ))),
        ]
    }
    #[inline(always)]
    fn add(self, other: Neon) -> Neon {
        signed!(vaddq_s32(self.0, other.0))
    }
    #[inline(always)]
    fn sub(self, other: Neon) -> Neon {
        signed!(vsubq_s32(self.0, other.0))
    }
    #[inline(always)]
    fn mul(self, other: Neon) -> Neon {
        signed!(vmulq_s32(self.0, other.0))
    }
    #[inline(always)]
    fn min(self, other: Neon) -> Neon {
        signed!(vminq_s32(self.0, other.0))
    }
    #[inline(always)]
    fn max(self, other: Neon) -> Neon {
        signed!(vmaxq_s32(self.0, other.0))
    }
    #[inline(always)]
    fn and(self, other: Neon) -> Neon {
        signed!(vandq_s32(self.0, other.0))
    }
    #[inline(always)]
    fn and_not(self, other: Neon) -> Neon {
        signed!(vbicq_s32(self.0, other.0))
    }
    #[inline(always)]
    fn or(self, other: Neon) -> Neon {
        signed!(vorrq_s32(self.0, other.0))
    }
    #[inline(always)]
    fn xor(self, other: Neon) -> Neon {
        signed!(veorq_s32(self.0, other.0))
    }
    #[inline(always)]
    fn gt(self, other: Neon) -> Neon {
        unsigned!(vcgtq_s32(self.0, other.0))
    }
    #[inline(always)]
    fn eq(self, other: Neon) -> Neon {
        unsigned!(vceqq_s32(self.0, other.0))
    }
    #[inline(always)]
    fn pick(self, yes: Neon, no: Neon) -> Neon {
        signed!(vbslq_s32(self.words(), yes.0, no.0))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        let own = Neon::load(&[1, 2, 4, 8]);
        // SAFETY: as above.
        unsafe { vaddvq_u32(self.and(own).words()) }
    }
    #[inline(always)]
    fn shl<const BY: i32>(self) -> Neon {
        signed!(vshlq_s32(self.0, vdupq_n_s32(BY)))
    }
    #[inline(always)]
    fn shr<const BY: i32>(self) -> Neon {
        unsigned!(vshlq_u32(self.words(), vdupq_n_s32(-BY)))
    }
    #[inline(always)]
    fn shr_signed<const BY: i32>(self) -> Neon {
        signed!(vshlq_s32(self.0, vdupq_n_s32(-BY)))
    }
    #[inline(always)]
    fn shl_by(self, by: Neon) -> Neon {
        unsigned!(vshlq_u32(self.words(), by.limited().0))
    }
    #[inline(always)]
    fn shr_by(self, by: Neon) -> Neon {
        unsigned!(vshlq_u32(self.words(), vnegq_s32(by.limited().0)))
    }
    #[inline(always)]
    fn look_up(self, [first, last]: [Neon; 2]) -> Neon {
        // The positions of the four bytes of each entry.
        let places = self.and(Neon::splat(7)).mul(Neon::splat(0x0404_0404));
        let places = places.add(Neon::splat(0x0302_0100)).bytes();
        let table = uint8x16x2_t(first.bytes(), last.bytes());
        signed!(vreinterpretq_s32_u8(vqtbl2q_u8(table, places)))
    }
    #[inline(always)]
    fn to_float(self) -> Neon {
        signed!(vreinterpretq_s32_f32(vcvtq_f32_s32(self.0)))
    }
    #[inline(always)]
    fn add_float(self, other: Neon) -> Neon {
        signed!(vreinterpretq_s32_f32(vaddq_f32(
            self.floats(),
            other.floats()
        )))
    }
    #[inline(always)]
    fn mul_float(self, other: Neon) -> Neon {
        signed!(vreinterpretq_s32_f32(vmulq_f32(
            self.floats(),
            other.floats()
        )))
    }
    #[inline(always)]
    fn bit_length(self) -> Neon {
        Neon::splat(32).sub(signed!(vclzq_s32(self.0)))
    }
    #[inline(always)]
    fn byte_counts(self) -> Neon {
        signed!(vreinterpretq_s32_u8(vcntq_u8(self.bytes())))
    }
    #[inline(always)]
    fn byte_sum(self) -> Neon {
        unsigned!(vpaddlq_u16(vpaddlq_u8(self.bytes())))
    }
}
