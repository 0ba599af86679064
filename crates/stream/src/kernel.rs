//! What runs Salsa20 and ChaCha20.

use core::fmt;

/// What runs Salsa20 and ChaCha20: a variant for each kernel of this target, with the proof that the CPU has
/// its instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// General registers and the vectors that every CPU of the target has.
    Portable,
    /// NEON.
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    Neon(cinder_cpu::aarch64::Neon),
    /// NEON.
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    ))]
    Neon(cinder_cpu::arm::Neon),
    /// SSE2.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Sse2(cinder_cpu::x86::Sse2),
    /// SSSE3, whose byte shuffles rotate words. Salsa20 has no use for them.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Ssse3(cinder_cpu::x86::Ssse3),
    /// AVX2.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx2(cinder_cpu::x86::Avx2),
    /// AVX-512.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx512(cinder_cpu::x86::Avx512),
}

impl Kernel {
    /// The kernels that this CPU can run, best first. The last one is [`Kernel::Portable`].
    pub fn available() -> impl Iterator<Item = Kernel> {
        [
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            cinder_cpu::x86::Avx512::detect().map(Kernel::Avx512),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            cinder_cpu::x86::Avx2::detect().map(Kernel::Avx2),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            cinder_cpu::x86::Ssse3::detect().map(Kernel::Ssse3),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            cinder_cpu::x86::Sse2::detect().map(Kernel::Sse2),
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little"
            ))]
            cinder_cpu::aarch64::Neon::detect().map(Kernel::Neon),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            cinder_cpu::arm::Neon::detect().map(Kernel::Neon),
            Some(Kernel::Portable),
        ]
        .into_iter()
        .flatten()
    }

    /// The first of [`available`](Self::available): what a key uses unless told otherwise.
    #[inline]
    pub fn best() -> Kernel {
        Self::available().next().unwrap_or(Kernel::Portable)
    }

    /// A short name for reports: "portable", "AVX2", …
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Portable => "portable",
            #[cfg(any(
                all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
                all(
                    target_arch = "arm",
                    target_endian = "little",
                    any(target_os = "linux", target_os = "android")
                )
            ))]
            Kernel::Neon(_) => "NEON",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Sse2(_) => "SSE2",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Ssse3(_) => "SSSE3",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Avx2(_) => "AVX2",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Avx512(_) => "AVX-512",
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
