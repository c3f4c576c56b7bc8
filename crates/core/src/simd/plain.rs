//! A safe reference implementation of the vector registers: lanes as an array.
//!
//! It specifies the other implementations, which tests compare with it. It replaces them on other
//! processors, but no kernel is created there. Nothing is inlined, because compiling would then
//! take minutes.

use super::lanes::{LANES, Lanes, Rows, Words, Work};

/// Lanes as an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain(pub(crate) [u32; LANES]);

impl Plain {
    fn each(self, f: impl Fn(u32) -> u32) -> Plain {
        Plain(self.0.map(f))
    }

    fn with(self, other: Plain, f: impl Fn(u32, u32) -> u32) -> Plain {
        Plain(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }

    fn mask(holds: bool) -> u32 {
        if holds { u32::MAX } else { 0 }
    }
}

impl Lanes for Plain {
    #[inline(never)]
    fn splat(value: i32) -> Plain {
        Plain([value as u32; LANES])
    }
    #[inline(never)]
    fn load(words: &Words) -> Plain {
        Plain(words.0.map(|value| value as u32))
    }
    #[inline(never)]
    fn store(self) -> Words {
        Words(self.0.map(|value| value as i32))
    }
    #[inline(never)]
    fn load_from(numbers: &[i32; LANES]) -> Plain {
        Plain(numbers.map(|value| value as u32))
    }
    #[inline(never)]
    fn store_to(self, numbers: &mut [i32; LANES]) {
        *numbers = self.store().0;
    }
    #[inline(never)]
    fn following(self, next: Plain) -> Plain {
        Plain(std::array::from_fn(|lane| {
            *self.0.get(lane + 1).unwrap_or(&next.0[0])
        }))
    }
    #[inline(never)]
    fn preceding(self, previous: Plain) -> Plain {
        let before = |lane: usize| {
            lane.checked_sub(1)
                .map_or(previous.0[7], |lane| self.0[lane])
        };
        Plain(std::array::from_fn(before))
    }
    #[inline(never)]
    fn swap<const BY: usize>(self) -> Plain {
        Plain(std::array::from_fn(|lane| self.0[lane ^ BY]))
    }
    #[inline(never)]
    fn columns(rows: Rows<'_>) -> [Plain; 4] {
        std::array::from_fn(|column| Plain(rows.map(|row| row[column] as u32)))
    }
    #[inline(never)]
    fn add(self, other: Plain) -> Plain {
        self.with(other, u32::wrapping_add)
    }
    #[inline(never)]
    fn sub(self, other: Plain) -> Plain {
        self.with(other, u32::wrapping_sub)
    }
    #[inline(never)]
    fn mul(self, other: Plain) -> Plain {
        self.with(other, u32::wrapping_mul)
    }
    #[inline(never)]
    fn min(self, other: Plain) -> Plain {
        self.with(other, |a, b| (a as i32).min(b as i32) as u32)
    }
    #[inline(never)]
    fn max(self, other: Plain) -> Plain {
        self.with(other, |a, b| (a as i32).max(b as i32) as u32)
    }
    #[inline(never)]
    fn and(self, other: Plain) -> Plain {
        self.with(other, |a, b| a & b)
    }
    #[inline(never)]
    fn and_not(self, other: Plain) -> Plain {
        self.with(other, |a, b| a & !b)
    }
    #[inline(never)]
    fn or(self, other: Plain) -> Plain {
        self.with(other, |a, b| a | b)
    }
    #[inline(never)]
    fn xor(self, other: Plain) -> Plain {
        self.with(other, |a, b| a ^ b)
    }
    #[inline(never)]
    fn gt(self, other: Plain) -> Plain {
        self.with(other, |a, b| Plain::mask(a as i32 > b as i32))
    }
    #[inline(never)]
    fn eq(self, other: Plain) -> Plain {
        self.with(other, |a, b| Plain::mask(a == b))
    }
    #[inline(never)]
    fn pick(self, yes: Plain, no: Plain) -> Plain {
        self.and(yes).or(no.and_not(self))
    }
    #[inline(never)]
    fn bits(self) -> u32 {
        (0..LANES).map(|lane| self.0[lane] >> 31 << lane).sum()
    }
    #[inline(never)]
    fn shl<const BY: i32>(self) -> Plain {
        self.each(|a| a << BY)
    }
    #[inline(never)]
    fn shr<const BY: i32>(self) -> Plain {
        self.each(|a| a >> BY)
    }
    #[inline(never)]
    fn shr_signed<const BY: i32>(self) -> Plain {
        self.each(|a| (a as i32 >> BY) as u32)
    }
    #[inline(never)]
    fn shl_by(self, by: Plain) -> Plain {
        self.with(by, |a, by| a.checked_shl(by).unwrap_or(0))
    }
    #[inline(never)]
    fn shr_by(self, by: Plain) -> Plain {
        self.with(by, |a, by| a.checked_shr(by).unwrap_or(0))
    }
    #[inline(never)]
    fn look_up(self, table: &Words) -> Plain {
        self.each(|a| table.0[(a & 7) as usize] as u32)
    }
    #[inline(never)]
    fn gather(self, table: &[i32]) -> Plain {
        self.each(|a| table[(a as usize).min(table.len() - 1)] as u32)
    }
    #[inline(never)]
    fn to_float(self) -> Plain {
        self.each(|a| (a as i32 as f32).to_bits())
    }

    #[inline(never)]
    fn add_float(self, other: Plain) -> Plain {
        self.with(other, |a, b| {
            (f32::from_bits(a) + f32::from_bits(b)).to_bits()
        })
    }

    #[inline(never)]
    fn mul_float(self, other: Plain) -> Plain {
        self.with(other, |a, b| {
            (f32::from_bits(a) * f32::from_bits(b)).to_bits()
        })
    }

    #[inline(never)]
    fn bit_length(self) -> Plain {
        self.each(|a| 32 - a.leading_zeros())
    }
    #[inline(never)]
    fn byte_counts(self) -> Plain {
        self.each(|a| u32::from_le_bytes(a.to_le_bytes().map(|byte| byte.count_ones() as u8)))
    }
    #[inline(never)]
    fn byte_sum(self) -> Plain {
        self.each(|a| a.to_le_bytes().into_iter().map(u32::from).sum())
    }
    fn enter<W: Work<Plain>>(work: W) -> W::Output {
        work.run()
    }
}
