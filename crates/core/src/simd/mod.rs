//! Vector instructions: what the kernel and networks compute with in the widest registers of the
//! processor. `unsafe` code is in `avx2` alone.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod lanes;
#[cfg(test)]
mod tests;
mod wide;
mod word;

#[cfg(test)]
pub(crate) use lanes::Plain;
pub(crate) use lanes::{LANES, Lanes, Words, Work};
pub use wide::{wide_forward, wide_gradient, wide_step};
pub use word::{Vector, Word, WordNumber};

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2 as Fastest;
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use lanes::Plain as Fastest;

/// Whether this processor has the instructions that kernels need.
#[must_use]
pub fn is_available() -> bool {
    #[cfg(target_arch = "x86_64")]
    return avx2::Avx2::is_available();
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}
