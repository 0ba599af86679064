//! ChaCha20: D. J. Bernstein, "ChaCha, a variant of Salsa20" (2008), in the form of RFC 8439; and
//! XChaCha20 (draft-irtf-cfrg-xchacha-03).
//!
//! Keys of 32 bytes; nonces of 12 bytes, or 24; words of 32 bits, little endian. The keystream comes in
//! blocks of 64 bytes, numbered by a counter of 32 bits, so any position can be sought. RFC 8439's
//! "initial counter" of n is the position 64 · n.
//!
//! Constant time: yes: additions, XORs and rotations by fixed distances.
//!
//! # Kernels
//!
//! One is chosen at run time when a key is set, the best that the CPU has;
//! [`kernel`](ChaCha20::kernel) says which.
//!
//! | [`Kernel`] | where | blocks at a time |
//! |---|---|---|
//! | `Avx512` | x86-64 with AVX-512 | 16, 8 and 4 |
//! | `Avx2` | x86-64 with AVX2 | 8 and 2 |
//! | `Ssse3`, `Sse2` | x86-64 | 4 and 1 |
//! | `Neon` | 64-bit ARM, 32-bit ARM with NEON | 4 |
//! | `Portable` | everywhere | 4 with SSE2, else 1; and 1 |

pub(crate) mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod x86;

use crate::{Kernel, StreamError};
use cinder_block::{Depth, InPlace, KeyError, Refusal, Vacancy, by_value};
use core::fmt;

/// Bytes in a block of the keystream.
const BLOCK: usize = 64;

/// A ChaCha20 key; [`keystream`](Self::keystream) starts a message.
///
/// Holds the key, wiped when it drops. A move leaves a copy behind, and `mem::forget` and a panic
/// that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
///
/// ```
/// use cinder_stream::{ChaCha20, Slot};
///
/// let mut slot = Slot::<ChaCha20>::empty();
/// let chacha20 = slot.init(&[0x42; 32])?;
/// let mut data = *b"attack at dawn";
/// let mut keystream = chacha20.keystream(&[1; 12]);
/// keystream.seek(64)?; // the counter begins at 1
/// keystream.apply(&mut data)?;
/// # assert_ne!(&data, b"attack at dawn");
/// # keystream.seek(64)?;
/// # keystream.apply(&mut data)?;
/// # assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ChaCha20 {
    /// The initial state with a counter and a nonce of zero (RFC 8439, section 2.3).
    state: [u32; 16],
    kernel: Kernel,
}

impl ChaCha20 {
    /// A key by value. The move out of this function may leave a copy of the key on the stack;
    /// [`Slot`](cinder_block::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 32 bytes.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    /// The keystream of a message, from its first byte. Never use a nonce twice with one key.
    pub fn keystream(&self, nonce: &[u8; 12]) -> ChaCha20Keystream<'_> {
        ChaCha20Keystream { key: self, nonce: *nonce, position: 0, block: [0; BLOCK] }
    }

    /// The kernel that this key runs on.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Replaces the key, to run on the given kernel.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 32 bytes. The former key stays.
    #[inline(never)]
    pub fn rekey_with_kernel(&mut self, key: &[u8], kernel: Kernel) -> Result<Depth, Refusal> {
        let Ok(key) = <&[u8; 32]>::try_from(key) else { return Err(KeyError::Length.into()) };
        words(&mut self.state[..4], b"expand 32-byte k");
        words(&mut self.state[4..12], key);
        self.kernel = kernel;
        Ok(Depth::here())
    }

    /// XORs the keystream of a nonce, from the block of a number on, into `data`: for a scheme that
    /// burns once, itself. Not burnt: returns how deep it went. Block numbers count modulo 2^32.
    #[inline(never)]
    pub fn xor(&self, nonce: &[u8; 12], block: u32, data: &mut [u8]) -> Depth {
        let mut state = self.state;
        state[12] = block;
        words(&mut state[13..], nonce);
        let depth = match self.kernel {
            Kernel::Portable => portable::xor(&mut state, data),
            #[cfg(any(
                all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
                all(
                    target_arch = "arm",
                    target_endian = "little",
                    any(target_os = "linux", target_os = "android")
                )
            ))]
            Kernel::Neon(token) => crate::neon::chacha20(token, &mut state, data),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Sse2(token) => x86::xor_sse2(token, &mut state, data),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Ssse3(token) => x86::xor_ssse3(token, &mut state, data),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Avx2(token) => x86::xor_256(token, &mut state, data),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Avx512(token) => x86::xor_512(token, &mut state, data),
        };
        depth.max(Depth::here())
    }

    /// HChaCha20 (draft-irtf-cfrg-xchacha-03, section 2.2): makes `subkey` the key that this key and
    /// 16 bytes of a nonce give. Not burnt: returns how deep it went.
    #[inline(never)]
    pub fn derive(&self, nonce: &[u8; 16], subkey: &mut ChaCha20) -> Depth {
        let mut state = self.state;
        words(&mut state[12..], nonce);
        let depth = portable::permute(&mut state);
        subkey.kernel = self.kernel;
        subkey.state[..4].copy_from_slice(&self.state[..4]);
        subkey.state[4..8].copy_from_slice(&state[..4]);
        subkey.state[8..12].copy_from_slice(&state[12..]);
        depth.max(Depth::here())
    }
}

impl InPlace for ChaCha20 {
    fn vacant(_: Vacancy) -> Self {
        ChaCha20 { state: [0; 16], kernel: Kernel::Portable }
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.rekey_with_kernel(key, Kernel::best())
    }
}

/// Little-endian words of bytes.
#[inline(always)]
fn words(to: &mut [u32], from: &[u8]) {
    for (word, bytes) in to.iter_mut().zip(from.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
}

impl Drop for ChaCha20 {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.state);
    }
}

impl zeroize::ZeroizeOnDrop for ChaCha20 {}

impl fmt::Debug for ChaCha20 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChaCha20").field("kernel", &self.kernel).finish_non_exhaustive()
    }
}

/// The keystream of one message and the position in it.
///
/// Has the key by reference; holds the nonce, the position and a block of keystream, wiped when it
/// drops. A move leaves a copy behind, and `mem::forget` and a panic that aborts leave it all: see
/// [what burning cannot reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
pub struct ChaCha20Keystream<'a> {
    key: &'a ChaCha20,
    nonce: [u8; 12],
    /// In bytes, at most [`END`].
    position: u64,
    /// The block that `position` is inside of; of no meaning where it is at a block's start.
    block: [u8; BLOCK],
}

/// The keystream's length in bytes: 2^32 blocks.
const END: u64 = (BLOCK as u64) << 32;

impl ChaCha20Keystream<'_> {
    /// XORs the next bytes of the keystream into `data`.
    ///
    /// # Errors
    ///
    /// [`StreamError::EndOfKeystream`] if fewer than `data.len()` of the keystream's 2^38 bytes
    /// are left. Nothing was changed.
    pub fn apply(&mut self, data: &mut [u8]) -> Result<(), StreamError> {
        self.check(data.len())?;
        cinder_burn::scope(|| ((), self.advance(data)));
        Ok(())
    }

    /// XORs the next bytes of the keystream with `input` into `output`.
    ///
    /// # Errors
    ///
    /// [`StreamError::BufferLengths`] if the two differ in length, and as
    /// [`apply`](Self::apply).
    pub fn apply_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), StreamError> {
        if input.len() != output.len() {
            return Err(StreamError::BufferLengths);
        }
        self.check(input.len())?;
        output.copy_from_slice(input);
        self.apply(output)
    }

    /// The position, in bytes from the keystream's start.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Goes to a position, in bytes from the keystream's start. Block n begins at 64 · n.
    ///
    /// # Errors
    ///
    /// [`StreamError::EndOfKeystream`] if `position` is more than 2^38. Nothing was changed.
    pub fn seek(&mut self, position: u64) -> Result<(), StreamError> {
        if position > END {
            return Err(StreamError::EndOfKeystream);
        }
        self.position = position;
        if self.offset() != 0 {
            cinder_burn::scope(|| ((), self.fill()));
        }
        Ok(())
    }

    fn check(&self, len: usize) -> Result<(), StreamError> {
        if len as u64 > END - self.position { Err(StreamError::EndOfKeystream) } else { Ok(()) }
    }

    fn offset(&self) -> usize {
        (self.position % BLOCK as u64) as usize
    }

    /// The number of the block that the position is in.
    fn number(&self) -> u32 {
        (self.position / BLOCK as u64) as u32
    }

    /// Computes the block that the position is inside of.
    fn fill(&mut self) -> Depth {
        self.block = [0; BLOCK];
        self.key.xor(&self.nonce, self.number(), &mut self.block)
    }

    #[inline(never)]
    fn advance(&mut self, data: &mut [u8]) -> Depth {
        let mut depth = Depth::here();
        let offset = self.offset();
        let begun = if offset == 0 { 0 } else { data.len().min(BLOCK - offset) };
        let (head, data) = data.split_at_mut(begun);
        xor_bytes(head, &self.block[offset..]);
        self.position += begun as u64;
        let (blocks, tail) = data.split_at_mut(data.len() / BLOCK * BLOCK);
        if !blocks.is_empty() {
            depth = depth.max(self.key.xor(&self.nonce, self.number(), blocks));
            self.position += blocks.len() as u64;
        }
        if !tail.is_empty() {
            depth = depth.max(self.fill());
            xor_bytes(tail, &self.block);
            self.position += tail.len() as u64;
        }
        depth
    }
}

#[inline(always)]
pub(crate) fn xor_bytes(into: &mut [u8], from: &[u8]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a ^= b;
    }
}

impl Drop for ChaCha20Keystream<'_> {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.block);
        cinder_burn::wipe(&mut self.nonce);
        cinder_burn::wipe(&mut self.position);
    }
}

impl zeroize::ZeroizeOnDrop for ChaCha20Keystream<'_> {}

impl fmt::Debug for ChaCha20Keystream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChaCha20Keystream")
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}

/// An XChaCha20 key: nonces of 24 bytes, which may be random. The first 16 bytes of a nonce give a
/// ChaCha20 key of the message's own.
///
/// Holds both keys, wiped when it drops: see [`ChaCha20`].
///
/// ```
/// use cinder_stream::{Slot, XChaCha20};
///
/// let mut slot = Slot::<XChaCha20>::empty();
/// let xchacha20 = slot.init(&[0x42; 32])?;
/// let mut data = *b"attack at dawn";
/// xchacha20.keystream(&[1; 24]).apply(&mut data)?;
/// # assert_ne!(&data, b"attack at dawn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct XChaCha20 {
    key: ChaCha20,
    /// The key of the last message.
    subkey: ChaCha20,
}

impl XChaCha20 {
    /// A key by value. The move out of this function may leave a copy of the key on the stack;
    /// [`Slot`](cinder_block::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 32 bytes.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    /// The keystream of a message, from its first byte. Never use a nonce twice with one key.
    pub fn keystream(&mut self, nonce: &[u8; 24]) -> ChaCha20Keystream<'_> {
        let (first, last) = split(nonce);
        cinder_burn::scope(|| ((), self.key.derive(first, &mut self.subkey)));
        self.subkey.keystream(&last)
    }
}

/// A nonce of XChaCha20: what derives the subkey, and ChaCha20's nonce under it.
#[inline(always)]
fn split(nonce: &[u8; 24]) -> (&[u8; 16], [u8; 12]) {
    let mut last = [0; 12];
    last[4..].copy_from_slice(&nonce[16..]);
    (nonce.first_chunk().expect("24 bytes"), last)
}

impl InPlace for XChaCha20 {
    fn vacant(vacancy: Vacancy) -> Self {
        XChaCha20 { key: ChaCha20::vacant(vacancy), subkey: ChaCha20::vacant(vacancy) }
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        let depth = self.key.rekey(key)?;
        cinder_burn::wipe(&mut self.subkey.state);
        Ok(depth)
    }
}

impl zeroize::ZeroizeOnDrop for XChaCha20 {}

impl fmt::Debug for XChaCha20 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("XChaCha20").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
