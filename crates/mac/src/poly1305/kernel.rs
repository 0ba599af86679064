//! The kernels of Poly1305, which of them the CPU has, and the dispatch to each.

use super::portable64::{Key, Sum};
use cinder_block::Depth;
use core::fmt;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::{x86_avx2, x86_ifma};

/// What runs Poly1305: a variant for each kernel of this target, with the proof that the CPU has its
/// instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// Three limbs and 64-bit multiplication, two blocks at a time.
    Portable64,
    /// AVX2: 8 blocks at a time.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx2(cinder_cpu::x86::Avx2),
    /// AVX-512 IFMA: 16 blocks at a time.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Ifma(cinder_cpu::x86::Ifma),
}

impl Kernel {
    /// The kernels that this CPU can run, best first. The last one is [`Kernel::Portable64`].
    pub fn available() -> impl Iterator<Item = Kernel> {
        [
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            cinder_cpu::x86::Ifma::detect().map(Kernel::Ifma),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            cinder_cpu::x86::Avx2::detect().map(Kernel::Avx2),
            Some(Kernel::Portable64),
        ]
        .into_iter()
        .flatten()
    }

    /// The first of [`available`](Self::available): what a key uses unless told otherwise.
    #[inline]
    pub fn best() -> Kernel {
        Self::available().next().unwrap_or(Kernel::Portable64)
    }

    /// A short name for reports.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Portable64 => "portable-64",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Avx2(_) => "AVX2",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Ifma(_) => "AVX-512 IFMA",
        }
    }

    /// h = (h + c)·r for each block, with a one behind it.
    #[inline(always)]
    pub(super) fn add(
        self,
        key: &Key,
        powers: &mut Powers,
        h: &mut Sum,
        blocks: &[[u8; 16]],
    ) -> Depth {
        let set = match self {
            Kernel::Portable64 => 1,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Avx2(_) => x86_avx2::SET,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Ifma(_) => x86_ifma::SET,
        };
        // The powers take about as long as one set the portable way.
        let worth = if powers.filled { set } else { 2 * set };
        let in_sets = if blocks.len() < worth { 0 } else { blocks.len() / set * set };
        let (sets, rest) = blocks.split_at(in_sets);
        let mut depth = Depth::NONE;
        if !sets.is_empty() {
            depth = match self {
                Kernel::Portable64 => h.add(key, sets),
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Kernel::Avx2(token) => x86_avx2::add(token, key, powers, h, sets),
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Kernel::Ifma(token) => x86_ifma::add(token, key, powers, h, sets),
            };
        }
        if rest.is_empty() { depth } else { depth.max(h.add(key, rest)) }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Powers of r in the limbs and the order of a kernel, once a message is long enough for them.
pub(super) struct Powers {
    pub(super) limbs: [u64; 48],
    pub(super) filled: bool,
}

impl Powers {
    pub(super) const NONE: Self = Powers { limbs: [0; 48], filled: false };

    pub(super) fn wipe(&mut self) {
        if self.filled {
            cinder_burn::wipe(&mut self.limbs);
            self.filled = false;
        }
    }
}
