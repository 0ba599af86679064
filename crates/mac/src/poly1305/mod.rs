//! Poly1305: D. J. Bernstein, "The Poly1305-AES message-authentication code" (2005), in the form of
//! RFC 8439, section 2.5.
//!
//! The key is r and s, 16 bytes each, little endian, with 22 bits of r cleared. The message's blocks
//! of 16 bytes, each with a one behind it, are numbers c_1, …, c_q, and the tag is
//!
//! ```text
//! ((c_1·r^q + c_2·r^(q-1) + … + c_q·r) mod 2^130 - 5) + s   modulo 2^128
//! ```
//!
//! **A key is for one message.** Two messages under one key give it away. ChaCha20-Poly1305 makes a
//! key for each message.
//!
//! Constant time: yes where the CPU multiplies in constant time; the vector kernels everywhere.
//!
//! # Kernels
//!
//! One is chosen at run time when a key is set, the best that the CPU has.
//!
//! | [`Kernel`] | where | blocks at a time |
//! |---|---|---|
//! | `Ifma` | x86-64 with AVX-512 IFMA | 16 |
//! | `Avx2` | x86-64 with AVX2 | 8 |
//! | `Portable64` | everywhere | 2 |
//!
//! What is left of a message, and a short one, goes the portable way.

mod kernel;
mod portable64;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[expect(unsafe_code, reason = "a kernel: its token proves the CPU's features")]
mod x86_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[expect(unsafe_code, reason = "a kernel: its token proves the CPU's features")]
mod x86_ifma;

pub use kernel::Kernel;

use crate::Unverified;
use cinder_block::{Depth, InPlace, KeyError, Refusal, Vacancy};
use core::fmt;
use subtle::ConstantTimeEq;

type Block = [u8; 16];

/// Poly1305, for one message.
///
/// ```
/// use cinder_block::Slot;
/// use cinder_mac::Poly1305;
///
/// let mut slot = Slot::<Poly1305>::empty();
/// let poly1305 = slot.init(&[0x42; 32])?; // of which nobody else has a message
/// let mut tag = [0; 16];
/// poly1305.update(b"a mes");
/// poly1305.update(b"sage");
/// poly1305.finish(&mut tag)?;
///
/// let poly1305 = slot.init(&[0x42; 32])?;
/// poly1305.update(b"a message");
/// assert_eq!(poly1305.verify(&tag), Ok(()));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// Holds the key and the state of the message, wiped at the message's end and when it drops. A move
/// leaves a copy behind: see [what burning cannot reach](cinder_burn#what-burning-cannot-reach). There
/// is no `Clone`.
pub struct Poly1305 {
    state: Poly1305State,
    /// No message was ended under this key.
    fresh: bool,
}

impl Poly1305 {
    /// The next bytes of the message. Once it has ended, nothing happens.
    pub fn update(&mut self, data: &[u8]) {
        if self.fresh {
            cinder_burn::scope(|| ((), self.state.absorb(data)));
        }
    }

    /// Ends the message and writes its tag. The key is wiped.
    ///
    /// # Errors
    ///
    /// [`KeyUsed`] if a message has been ended under this key. `tag` stays as it is.
    pub fn finish(&mut self, tag: &mut Block) -> Result<(), KeyUsed> {
        if !self.fresh {
            return Err(KeyUsed);
        }
        self.fresh = false;
        cinder_burn::scope(|| ((), self.state.digest(tag)));
        Ok(())
    }

    /// Ends the message and compares its tag, in constant time. The key is wiped.
    ///
    /// # Errors
    ///
    /// [`Unverified`] if the tag is not this message's, or a message has been ended under this key.
    pub fn verify(&mut self, tag: &Block) -> Result<(), Unverified> {
        if !self.fresh {
            return Err(Unverified);
        }
        self.fresh = false;
        let mut good = false;
        cinder_burn::scope(|| {
            let mut computed = [0; 16];
            let depth = self.state.digest(&mut computed);
            good = cinder_burn::declassify(computed.ct_eq(tag).unwrap_u8()) == 1;
            ((), depth.max(Depth::here()))
        });
        if good { Ok(()) } else { Err(Unverified) }
    }
}

impl Poly1305 {
    /// The kernel that this key runs on.
    pub fn kernel(&self) -> Kernel {
        self.state.kernel
    }

    /// Replaces the key, which has 32 bytes, and begins a message, to run on the given kernel.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 32 bytes. The former key stays.
    pub fn rekey_with_kernel(&mut self, key: &[u8], kernel: Kernel) -> Result<Depth, Refusal> {
        let Ok(key) = key.try_into() else { return Err(KeyError::Length.into()) };
        self.fresh = true;
        Ok(self.state.begin_with_kernel(key, kernel))
    }
}

impl InPlace for Poly1305 {
    fn vacant(_: Vacancy) -> Self {
        Poly1305 { state: Poly1305State::new(), fresh: false }
    }

    /// Replaces the key, which has 32 bytes, and begins a message.
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.rekey_with_kernel(key, Kernel::best())
    }
}

/// A message under way, for a scheme that is built on Poly1305 and burns once, itself.
pub struct Poly1305State {
    key: portable64::Key,
    powers: kernel::Powers,
    kernel: Kernel,
    h: portable64::Sum,
    s: [u64; 2],
    /// The bytes of a block that has been begun, and how many there are: 0 to 15.
    block: Block,
    used: usize,
    /// There is something to wipe. Wiping twice takes as long as a short message.
    dirty: bool,
}

impl Poly1305State {
    /// Without a key.
    pub const fn new() -> Self {
        Poly1305State {
            key: portable64::Key::ZERO,
            powers: kernel::Powers::NONE,
            kernel: Kernel::Portable64,
            h: portable64::Sum::ZERO,
            s: [0; 2],
            block: [0; 16],
            used: 0,
            dirty: false,
        }
    }

    /// Takes a key, and begins a message on the best kernel. Not burnt: returns how deep it went.
    pub fn begin(&mut self, key: &[u8; 32]) -> Depth {
        self.begin_with_kernel(key, Kernel::best())
    }

    #[inline(never)]
    fn begin_with_kernel(&mut self, key: &[u8; 32], kernel: Kernel) -> Depth {
        let word = |i: usize| u64::from_le_bytes(key.as_chunks().0[i]);
        self.wipe();
        self.dirty = true;
        self.kernel = kernel;
        self.key.expand([word(0), word(1)]);
        self.s = [word(2), word(3)];
        Depth::here()
    }

    /// The next bytes of the message. Not burnt: returns how deep it went.
    #[inline(never)]
    pub fn absorb(&mut self, data: &[u8]) -> Depth {
        let mut depth = Depth::here();
        self.dirty = true;
        let begun = if self.used == 0 { 0 } else { data.len().min(16 - self.used) };
        let (front, data) = data.split_at(begun);
        self.hold_back(front);
        if self.used == 16 {
            depth = depth.max(self.h.add(&self.key, &[self.block]));
            self.used = 0;
        }
        let (blocks, rest) = data.as_chunks();
        if !blocks.is_empty() {
            let (key, powers) = (&self.key, &mut self.powers);
            depth = depth.max(self.kernel.add(key, powers, &mut self.h, blocks));
        }
        self.hold_back(rest);
        depth
    }

    /// Zeros up to a whole block, as in ChaCha20-Poly1305. Not burnt: returns how deep it went.
    pub fn pad(&mut self) -> Depth {
        if self.used == 0 { Depth::NONE } else { self.absorb(&[0; 16][self.used..]) }
    }

    /// Ends the message and writes its tag; the key is gone. Not burnt: returns how deep it went.
    #[inline(never)]
    pub fn digest(&mut self, tag: &mut Block) -> Depth {
        let mut depth = Depth::here();
        if self.used > 0 {
            // A one behind the last byte, and none behind the block.
            self.block[self.used..].fill(0);
            self.block[self.used] = 1;
            depth = depth.max(self.h.add_last(&self.key, &self.block));
        }
        self.h.tag(self.s, tag);
        self.wipe();
        depth
    }

    fn hold_back(&mut self, data: &[u8]) {
        self.block[self.used..][..data.len()].copy_from_slice(data);
        self.used += data.len();
    }

    fn wipe(&mut self) {
        if !self.dirty {
            return;
        }
        self.dirty = false;
        self.key.wipe();
        self.powers.wipe();
        self.h.wipe();
        cinder_burn::wipe(&mut self.s);
        cinder_burn::wipe(&mut self.block);
        self.used = 0;
    }
}

impl Default for Poly1305State {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Poly1305State {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl zeroize::ZeroizeOnDrop for Poly1305State {}
impl zeroize::ZeroizeOnDrop for Poly1305 {}

impl fmt::Debug for Poly1305State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Poly1305State").finish_non_exhaustive()
    }
}

impl fmt::Debug for Poly1305 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Poly1305").finish_non_exhaustive()
    }
}

/// The key has had its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyUsed;

impl fmt::Display for KeyUsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the key has had its message")
    }
}

impl core::error::Error for KeyUsed {}
