//! The kernels of this crate, which of them the CPU has, and the dispatch to each.

use crate::{Depth, Elements, portable32, portable64, table4};
use core::fmt;

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use crate::aarch64_pmull;
#[cfg(any(target_arch = "x86", target_feature = "sse2"))]
use crate::{x86_clmul, x86_vpclmul, x86_vpclmul512};

/// A way to compute GHASH. One that needs instructions carries the proof that they are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// VPCLMULQDQ on 512-bit registers, 16 blocks for each reduction; on 256-bit ones for the rest.
    #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
    Vpclmul512(cinder_cpu::x86::Vpclmul512, cinder_cpu::x86::Vpclmul),
    /// VPCLMULQDQ on 256-bit registers, 16 blocks for each reduction.
    #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
    Vpclmul(cinder_cpu::x86::Vpclmul),
    /// PCLMULQDQ on 128-bit registers, 8 blocks for each reduction.
    #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
    Clmul(cinder_cpu::x86::Clmul),
    /// PMULL, 8 blocks for each reduction.
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    Pmull(cinder_cpu::aarch64::Aes),
    /// Integer multiplication with holes, 64 by 64 bits. Constant time where multiplication is.
    Portable64,
    /// Integer multiplication with holes, 32 by 32 bits. Constant time where multiplication is.
    Portable32,
    /// A table of 16 multiples of H, looked up by four bits of the data at a time. **Not constant
    /// time**: which entries are read depends on secrets. Never chosen by itself; here as the
    /// baseline to measure others by, and for CPUs whose multiplication is slow.
    Table4Vartime,
}

impl Kernel {
    /// Every kernel that this CPU has, best first. The one that is not constant time is last.
    pub fn available() -> impl Iterator<Item = Kernel> {
        let hardware: [Option<Kernel>; _] = [
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            cinder_cpu::x86::Vpclmul512::detect()
                .zip(cinder_cpu::x86::Vpclmul::detect())
                .map(|(wide, tail)| Kernel::Vpclmul512(wide, tail)),
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            cinder_cpu::x86::Vpclmul::detect().map(Kernel::Vpclmul),
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            cinder_cpu::x86::Clmul::detect().map(Kernel::Clmul),
            #[cfg(all(
                target_arch = "aarch64",
                target_endian = "little",
                target_feature = "neon"
            ))]
            cinder_cpu::aarch64::Aes::detect().map(Kernel::Pmull),
        ];
        let portable = if cfg!(target_pointer_width = "64") {
            [Kernel::Portable64, Kernel::Portable32]
        } else {
            [Kernel::Portable32, Kernel::Portable64]
        };
        hardware.into_iter().flatten().chain(portable).chain([Kernel::Table4Vartime])
    }

    /// The best constant-time kernel that this CPU has.
    pub fn best() -> Kernel {
        Self::available().next().unwrap_or(Kernel::Portable64)
    }

    /// A short name for reports.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Vpclmul512(..) => "x86-vpclmul512",
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Vpclmul(_) => "x86-vpclmul",
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Clmul(_) => "x86-clmul",
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Kernel::Pmull(_) => "aarch64-pmull",
            Kernel::Portable64 => "portable64",
            Kernel::Portable32 => "portable32",
            Kernel::Table4Vartime => "table4-vartime",
        }
    }

    pub(crate) fn expand(
        self,
        h: &[u8; 16],
        elements: &mut Elements,
        middles: &mut [u64; 16],
    ) -> Depth {
        match self {
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Vpclmul512(_, token) | Kernel::Vpclmul(token) => {
                x86_vpclmul::expand(token, h, elements, middles)
            }
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Clmul(token) => x86_clmul::expand(token, h, elements, middles),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Kernel::Pmull(token) => aarch64_pmull::expand(token, h, elements, middles),
            Kernel::Portable64 | Kernel::Portable32 => {
                let _ = middles;
                portable64::expand(h, elements)
            }
            Kernel::Table4Vartime => table4::expand(h, elements),
        }
    }

    #[inline(always)]
    pub(crate) fn update(
        self,
        elements: &Elements,
        middles: &[u64; 16],
        y: &mut [u8; 16],
        blocks: &[[u8; 16]],
    ) -> Depth {
        match self {
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Vpclmul512(wide, tail) => {
                x86_vpclmul512::update((wide, tail), elements, middles, y, blocks)
            }
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Vpclmul(token) => x86_vpclmul::update(token, elements, middles, y, blocks),
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Clmul(token) => x86_clmul::update(token, elements, middles, y, blocks),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Kernel::Pmull(token) => aarch64_pmull::update(token, elements, middles, y, blocks),
            Kernel::Portable64 => {
                let _ = middles;
                portable64::update(&elements[0], y, blocks)
            }
            Kernel::Portable32 => portable32::update(&elements[0], y, blocks),
            Kernel::Table4Vartime => table4::update(elements, y, blocks),
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
