//! GHASH, the universal hash of GCM: NIST SP 800-38D, section 6.4.
//!
//! Y_0 = 0, Y_i = (Y_{i-1} ⊕ X_i) · H over blocks X_i of 16 bytes, in GF(2^128) modulo
//! g(x) = x^128 + x^7 + x^2 + x + 1. The first bit of a block (the highest bit of its first byte)
//! is the coefficient of x^0.
//!
//! Constant time: yes with every kernel but the one that says otherwise in its name,
//! [`Kernel::Table4Vartime`]. The portable kernels rest on integer multiplication, which takes
//! the same time for all operands on every current 64-bit CPU and on most 32-bit ones, but not
//! on the ARM Cortex-M3 and some PowerPC cores.
//!
//! The kernels differ in how they multiply polynomials over GF(2): by a carry-less
//! multiplication instruction, several blocks for each reduction; by integer multiplication with
//! holes; or by a table. Which of them the CPU has is found out at run time; see [`Kernel`].
//!
//! GHASH alone authenticates nothing: its output gives the key away unless it is encrypted. Most
//! programs want the crate `gcm`.
//!
//! ```
//! use cinder_ghash::{Ghash, GhashKey};
//!
//! # let (hash_subkey, ciphertext) = ([0x42; 16], [7; 35]);
//! let mut tag = [0; 16];
//! GhashKey::with(&hash_subkey, |key| {
//!     let mut hash = Ghash::new(key);
//!     let depth = hash.update_padded(&ciphertext);
//!     let depth = depth.max(hash.update_lengths(0, 8 * 35));
//!     hash.tag(&mut tag);
//!     cinder_burn::burn(depth);
//! });
//! ```
//!
//! # The arithmetic that the kernels share
//!
//! A block is loaded as one big-endian integer, so bit i of the integer is the coefficient of
//! x^(127-i). Write y for 1/x. Read as a polynomial in y, the integer of an element A is
//!
//! ```text
//! A~ = y^127 · A        modulo g~(y) = y^128 + y^127 + y^126 + y^121 + 1,
//! ```
//!
//! because x^128 + x^7 + x^2 + x + 1 = 0 divided by x^128 is g~(y) = 0. Products are reduced as
//! Montgomery's are, by dividing by y^128. For (A·H)~ = y^127·A·H = A~ · H' · y^-128 the key must be
//!
//! ```text
//! H' = y^128 · H = H~ · y:
//! ```
//!
//! one shift to the left, once, when the key is set up; no shift for each product. Powers of H
//! are kept in the same form: y^128·H^(i+j) = (y^128·H^i)(y^128·H^j) · y^-128.
//!
//! The product of two 128-bit integers has 64-bit words w0 (lowest) to w3. g~ is 1 modulo y^121, so
//! adding w0·g~ clears w0, and then adding the new w1·y^64·g~ clears w1; what is left in w2 and
//! w3 is the product divided by y^128:
//!
//! ```text
//! w0·(g~ + 1) = w0 · y^64 · (y^57 + y^62 + y^63 + y^64)
//! w1 += low  half of w0·(y^57 + y^62 + y^63)    = w0<<57 + w0<<62 + w0<<63
//! w2 += high half of w0·(y^57 + y^62 + y^63)    = w0>>7  + w0>>2  + w0>>1,   and w0 itself
//! ```
//!
//! and the same with w1, into w2 and w3. The constant y^57 + y^62 + y^63 is 0xc2 << 56. Addition
//! is XOR.
//!
//! Several blocks need only one reduction, because it is linear:
//!
//! ```text
//! Y' = (Y + X_1)·H^n + X_2·H^(n-1) + … + X_n·H
//! ```
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod aarch64_pmull;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod arm_neon;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod arm_pmull;
mod kernel;
mod portable32;
mod portable64;
mod table4;
#[cfg(any(target_arch = "x86", target_feature = "sse2"))]
#[doc(hidden)]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
pub mod x86;

pub use cinder_burn::Depth;
pub use kernel::Kernel;

use core::fmt;

/// The hash subkey H, expanded for a kernel: up to 16 of its powers.
///
/// Wiped when it drops, and what another key or kernel leaves of it. Set it up where it is going to
/// stay, by [`with`](Self::with): a move leaves a copy behind, and
/// `mem::forget` and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
#[repr(C, align(64))]
pub struct GhashKey {
    /// Powers of H, or what else the kernel multiplies by, as 128-bit integers, low word first.
    powers: [[u64; 2]; 16],
    /// The sum of the two words of each power, for Karatsuba's middle product, in the order that
    /// suits the kernel.
    karatsuba_sums: [u64; 16],
    kernel: Kernel,
}

impl GhashKey {
    /// A key by value. What a move leaves behind is the caller's.
    pub fn new(h: &[u8; 16]) -> Self {
        let mut key = Self::vacant();
        cinder_burn::scope(|| ((), key.rekey(h)));
        key
    }

    /// Runs `run` with a key that is expanded where it stays, and wiped when `run` is done.
    pub fn with<R>(h: &[u8; 16], run: impl FnOnce(&Self) -> R) -> R {
        let mut key = Self::vacant();
        cinder_burn::scope(|| ((), key.rekey(h)));
        run(&key)
    }

    /// No key yet: H = 0, by which every message hashes to 0. For what keeps it to itself until it is
    /// keyed, as `cinder-gcm` does. Moving it leaves only zeros behind.
    #[doc(hidden)]
    pub const fn vacant() -> Self {
        GhashKey { powers: [[0; 2]; 16], karatsuba_sums: [0; 16], kernel: Kernel::Portable64 }
    }

    /// Expands H in place for the best kernel of this CPU. The caller burns the returned depth.
    pub fn rekey(&mut self, h: &[u8; 16]) -> Depth {
        self.rekey_with_kernel(h, Kernel::best())
    }

    /// Expands H in place for the given kernel. The caller burns the returned depth.
    #[inline(never)]
    pub fn rekey_with_kernel(&mut self, h: &[u8; 16], kernel: Kernel) -> Depth {
        if self.kernel != kernel {
            // The new kernel may keep fewer powers than the former, and leave the rest alone.
            cinder_burn::wipe(&mut self.powers);
            cinder_burn::wipe(&mut self.karatsuba_sums);
            self.kernel = kernel;
        }
        kernel.expand(h, self)
    }

    /// The kernel that this key is expanded for.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The bare operation: for each block X in turn, Y = (Y ⊕ X) · H.
    #[inline(never)]
    pub fn update_blocks(&self, y: &mut [u8; 16], blocks: &[[u8; 16]]) -> Depth {
        self.kernel.update(self, y, blocks)
    }

    /// The same for bytes, padded with zeros to whole blocks; nothing for no bytes.
    #[inline(never)]
    pub fn update_padded(&self, y: &mut [u8; 16], data: &[u8]) -> Depth {
        self.kernel.update_padded::<false>(self, y, data)
    }

    /// The same with the bytes of each block in reverse, those of `y` too: POLYVAL (RFC 8452,
    /// appendix A), if H went through `mulX_GHASH`, with its bytes reversed.
    #[inline(never)]
    pub fn update_reversed(&self, y: &mut [u8; 16], data: &[u8]) -> Depth {
        self.kernel.update_padded::<true>(self, y, data)
    }
}

impl Drop for GhashKey {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.powers);
        cinder_burn::wipe(&mut self.karatsuba_sums);
    }
}

impl zeroize::ZeroizeOnDrop for GhashKey {}

impl fmt::Debug for GhashKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GhashKey").field("kernel", &self.kernel).finish_non_exhaustive()
    }
}

/// A message being hashed: Y, and the key by reference.
///
/// Y is as secret as the key: together with the message it gives H away. It is wiped when the value
/// drops. A move leaves a copy of it behind, and `mem::forget` and a panic that aborts leave it
/// all: see [what burning cannot reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
pub struct Ghash<'k> {
    key: &'k GhashKey,
    y: [u8; 16],
}

impl<'k> Ghash<'k> {
    /// A message of which nothing has been hashed: Y = 0.
    pub fn new(key: &'k GhashKey) -> Self {
        Ghash { key, y: [0; 16] }
    }

    /// Back to Y = 0, for another message under the same key.
    pub fn reset(&mut self) {
        cinder_burn::wipe(&mut self.y);
    }

    /// The key.
    pub fn key(&self) -> &'k GhashKey {
        self.key
    }

    /// Hashes whole blocks. The caller burns the returned depth.
    #[inline]
    pub fn update_blocks(&mut self, blocks: &[[u8; 16]]) -> Depth {
        self.key.update_blocks(&mut self.y, blocks)
    }

    /// Hashes bytes, padded with zeros to whole blocks; nothing for no bytes. The caller burns
    /// the returned depth.
    pub fn update_padded(&mut self, data: &[u8]) -> Depth {
        self.key.update_padded(&mut self.y, data)
    }

    /// Hashes GCM's last block: the lengths in bits of the additional data and of the
    /// ciphertext, big endian, 8 bytes each. The caller burns the returned depth.
    pub fn update_lengths(&mut self, aad_bits: u64, ciphertext_bits: u64) -> Depth {
        self.update_blocks(&[lengths(aad_bits, ciphertext_bits)])
    }

    /// Writes the hash of what went in so far. It passes through registers: burn afterwards.
    pub fn tag(&self, tag: &mut [u8; 16]) {
        *tag = self.y;
    }
}

impl Drop for Ghash<'_> {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.y);
    }
}

impl zeroize::ZeroizeOnDrop for Ghash<'_> {}

impl fmt::Debug for Ghash<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ghash").field("key", &self.key).finish_non_exhaustive()
    }
}

/// GCM's last block: two lengths in bits, big endian, 8 bytes each.
pub fn lengths(aad_bits: u64, ciphertext_bits: u64) -> [u8; 16] {
    (u128::from(aad_bits) << 64 | u128::from(ciphertext_bits)).to_be_bytes()
}

/// The integer of a block, low word first.
#[inline(always)]
fn load(block: &[u8; 16]) -> [u64; 2] {
    let integer = u128::from_be_bytes(*block);
    [integer as u64, (integer >> 64) as u64]
}

#[inline(always)]
fn store(words: [u64; 2], block: &mut [u8; 16]) {
    *block = (u128::from(words[1]) << 64 | u128::from(words[0])).to_be_bytes();
}

/// H' = H~ · y modulo g~, the form of H that the kernels multiply by.
#[inline(always)]
fn times_y([low, high]: [u64; 2]) -> [u64; 2] {
    // y^128 = y^127 + y^126 + y^121 + 1.
    let carry = high >> 63;
    [low << 1 | carry, (high << 1 | low >> 63) ^ carry << 63 ^ carry << 62 ^ carry << 57]
}
