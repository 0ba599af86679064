//! The kernels of this crate, which of them the CPU has, and the dispatch to each.

use crate::{Depth, GhashKey, portable32, portable64, table4};
use core::fmt;

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use crate::aarch64_pmull;
#[cfg(any(target_arch = "x86", target_feature = "sse2"))]
use crate::x86;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
))]
use crate::{arm_neon, arm_pmull};

/// Blocks whose bytes are reversed at a time.
const WIDE: usize = 64;
/// The same for short texts, in a small frame.
const NARROW: usize = 4;

/// A way to compute GHASH. One that needs instructions carries the proof that they are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// VPCLMULQDQ on 512-bit registers, 16 blocks for each reduction; on 256-bit ones for the rest.
    #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
    Vpclmulqdq512(cinder_cpu::x86::Vpclmul512),
    /// VPCLMULQDQ on 256-bit registers, 16 blocks for each reduction.
    #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
    Vpclmulqdq256(cinder_cpu::x86::Vpclmul),
    /// PCLMULQDQ on 128-bit registers, 8 blocks for each reduction.
    #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
    Pclmulqdq(cinder_cpu::x86::Clmul),
    /// PMULL, 8 blocks for each reduction.
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    Pmull(cinder_cpu::aarch64::Aes),
    /// VMULL.P64 of ARMv8 in 32-bit mode, 8 blocks for each reduction.
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    ))]
    Vmull64(cinder_cpu::arm::Pmull),
    /// NEON's VMULL.P8, 8 blocks for each reduction.
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    ))]
    Vmull8(cinder_cpu::arm::Neon),
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
            cinder_cpu::x86::Vpclmul512::detect().map(Kernel::Vpclmulqdq512),
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            cinder_cpu::x86::Vpclmul::detect().map(Kernel::Vpclmulqdq256),
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            cinder_cpu::x86::Clmul::detect().map(Kernel::Pclmulqdq),
            #[cfg(all(
                target_arch = "aarch64",
                target_endian = "little",
                target_feature = "neon"
            ))]
            cinder_cpu::aarch64::Aes::detect().map(Kernel::Pmull),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            cinder_cpu::arm::Pmull::detect().map(Kernel::Vmull64),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            cinder_cpu::arm::Neon::detect().map(Kernel::Vmull8),
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
            Kernel::Vpclmulqdq512(_) => "VPCLMULQDQ-512",
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Vpclmulqdq256(_) => "VPCLMULQDQ-256",
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Pclmulqdq(_) => "PCLMULQDQ",
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Kernel::Pmull(_) => "PMULL",
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::Vmull64(_) => "VMULL.P64",
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::Vmull8(_) => "VMULL.P8",
            Kernel::Portable64 => "portable-64",
            Kernel::Portable32 => "portable-32",
            Kernel::Table4Vartime => "4-bit table",
        }
    }

    pub(crate) fn expand(self, h: &[u8; 16], key: &mut GhashKey) -> Depth {
        match self {
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Vpclmulqdq512(token) => x86::expand_256(token.into(), h, key, false),
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Vpclmulqdq256(token) => x86::expand_256(token, h, key, true),
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Pclmulqdq(token) => x86::expand_128(token, h, key),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Kernel::Pmull(token) => aarch64_pmull::expand(token, h, key),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::Vmull64(token) => arm_pmull::expand(token, h, key),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::Vmull8(token) => arm_neon::expand(token, h, key),
            Kernel::Portable64 | Kernel::Portable32 => portable64::expand(h, &mut key.powers),
            Kernel::Table4Vartime => table4::expand(h, &mut key.powers),
        }
    }

    #[inline(always)]
    pub(crate) fn update(self, key: &GhashKey, y: &mut [u8; 16], blocks: &[[u8; 16]]) -> Depth {
        match self {
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Vpclmulqdq512(_) | Kernel::Vpclmulqdq256(_) | Kernel::Pclmulqdq(_) => {
                self.update_padded::<false>(key, y, blocks.as_flattened())
            }
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Kernel::Pmull(token) => aarch64_pmull::update(token, key, y, blocks),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::Vmull64(token) => arm_pmull::update(token, key, y, blocks),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::Vmull8(token) => arm_neon::update(token, key, y, blocks),
            Kernel::Portable64 => portable64::update(&key.powers[0], y, blocks),
            Kernel::Portable32 => portable32::update(&key.powers[0], y, blocks),
            Kernel::Table4Vartime => table4::update(&key.powers, y, blocks),
        }
    }

    /// Zeros fill the last block. `POLYVAL` has the bytes of each block in reverse, those of `y` too.
    #[inline(always)]
    pub(crate) fn update_padded<const POLYVAL: bool>(
        self,
        key: &GhashKey,
        y: &mut [u8; 16],
        data: &[u8],
    ) -> Depth {
        match self {
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Vpclmulqdq512(token) => x86::update_512::<POLYVAL>(token, key, y, data),
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Vpclmulqdq256(token) => x86::update_256::<POLYVAL>(token, key, y, data),
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Pclmulqdq(token) => x86::update_128::<POLYVAL>(token, key, y, data),
            _ if POLYVAL && data.len() <= 16 * NARROW => {
                self.update_reversed::<NARROW>(key, y, data)
            }
            _ if POLYVAL => self.update_reversed::<WIDE>(key, y, data),
            _ => self.update_blocks_and_tail(key, y, data),
        }
    }

    /// Reverses `W` blocks at a time in a scratch of its own.
    #[inline(never)]
    fn update_reversed<const W: usize>(
        self,
        key: &GhashKey,
        y: &mut [u8; 16],
        data: &[u8],
    ) -> Depth {
        let mut depth = Depth::here();
        let mut reversed = [[0; 16]; W];
        y.reverse();
        for data in data.chunks(16 * W) {
            let (blocks, rest) = data.as_chunks::<16>();
            for (to, from) in reversed.iter_mut().zip(blocks) {
                *to = u128::from_le_bytes(*from).to_be_bytes();
            }
            if !rest.is_empty() {
                let mut last = [0; 16];
                last[..rest.len()].copy_from_slice(rest);
                reversed[blocks.len()] = u128::from_le_bytes(last).to_be_bytes();
            }
            depth = depth.max(self.update(key, y, &reversed[..data.len().div_ceil(16)]));
        }
        y.reverse();
        depth
    }

    #[inline(never)]
    fn update_blocks_and_tail(self, key: &GhashKey, y: &mut [u8; 16], data: &[u8]) -> Depth {
        let (blocks, tail) = data.as_chunks::<16>();
        let mut depth = Depth::here();
        if !blocks.is_empty() {
            depth = depth.max(self.update(key, y, blocks));
        }
        if !tail.is_empty() {
            let mut block = [0; 16];
            block[..tail.len()].copy_from_slice(tail);
            depth = depth.max(self.update(key, y, &[block]));
        }
        depth
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
