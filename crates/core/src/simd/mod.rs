//! Vector instructions for the kernel and for networks, in the widest registers of the processor.
//! Only this folder contains `unsafe` code: one file for each instruction set, and `wide`.
//!
//! `Fastest` is chosen when the program is compiled: AVX2 on x86-64, NEON on 64-bit ARM, SIMD128 in
//! WebAssembly compiled with it. Of these, only AVX2 may be missing at run time, so
//! [`is_available`] queries the processor.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(any(
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod halves;
mod lanes;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
#[cfg(any(
    test,
    not(any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little"),
        all(target_arch = "wasm32", target_feature = "simd128")
    ))
))]
mod plain;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(test)]
mod tests;
mod wide;
mod word;

pub(crate) use lanes::{LANES, Lanes, Words, Work};
#[cfg(test)]
pub(crate) use plain::Plain;
pub use wide::{wide_forward, wide_gradient, wide_step};
pub use word::{Vector, Word, WordNumber};

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2 as Fastest;
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub(crate) use plain::Plain as Fastest;
/// The lanes that kernels compute with.
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub(crate) type Fastest = halves::Halves<neon::Neon>;
/// The lanes that kernels compute with.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) type Fastest = halves::Halves<simd128::Simd128>;

/// Whether this processor has the instructions that kernels need.
#[must_use]
pub fn is_available() -> bool {
    #[cfg(target_arch = "x86_64")]
    return avx2::Avx2::is_available();
    #[cfg(not(target_arch = "x86_64"))]
    return cfg!(any(
        all(target_arch = "aarch64", target_endian = "little"),
        all(target_arch = "wasm32", target_feature = "simd128")
    ));
}
