//! Block cipher modes of operation that leave no trace: each call burns the stack and the
//! registers once, at its end.
//!
//! | mode | module | takes | document |
//! |---|---|---|---|
//! | ECB | [`ecb`] | whole blocks, or a [`Padding`] | SP 800-38A, 6.1 |
//! | CBC | [`cbc`] | whole blocks, a [`Padding`], or [`Stealing`] | SP 800-38A, 6.2, and its addendum |
//! | CFB, full block | [`cfb`] | bytes | SP 800-38A, 6.3; RFC 4880, 13.9 |
//! | CFB8 | [`cfb8`] | bytes | SP 800-38A, 6.3 |
//! | OFB | [`ofb`] | bytes | SP 800-38A, 6.4 |
//! | CTR | [`ctr`] | bytes | SP 800-38A, 6.5 and appendix B |
//! | AES key wrap | [`key_wrap`] | keys | RFC 3394, RFC 5649, SP 800-38F |
//!
//! **None but key wrap authenticates.** Whoever can change the ciphertext changes the plaintext,
//! and in CBC with padding may even read it. Use `gcm` unless a format dictates one of these.
//!
//! # Shape
//!
//! A mode is a value that holds the cipher and the state, and takes a message in any pieces:
//! cut where you like, the bytes are the same. It works over any `C` that implements
//! [`cinder_block::BlockEncrypt`] (or [`cinder_block::BlockDecrypt`], where the mode inverts): a cipher, a
//! reference, a box, or `&dyn BlockEncrypt<16>`, so that one copy of the mode serves a cipher that
//! is picked at run time. Give it a reference to a cipher in a [`cinder_block::Slot`]: a cipher that is
//! moved into a mode leaves its key schedule where it was moved from.
//!
//! ```
//! use cinder_block::{Aes256, Slot};
//! use cinder_modes::ctr::Ctr;
//!
//! let mut slot = Slot::<Aes256>::empty();
//! let aes = slot.init(&[0x42; 32])?;
//! let mut ctr = Ctr::new(&*aes, &[0; 16]);
//! let mut message = *b"attack at dawn";
//! ctr.apply_keystream(&mut message[..6])?;
//! ctr.apply_keystream(&mut message[6..])?;
//!
//! ctr.seek(0)?;
//! ctr.apply_keystream(&mut message)?;
//! assert_eq!(&message, b"attack at dawn");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! Every method works in place. Its twin whose name ends in `_to` reads from one buffer, writes to
//! another, and gives the same bytes. Errors are found before the first byte changes.
//!
//! # What stays in memory
//!
//! Nothing of a call: no key, keystream or plaintext on the dead stack or in registers. The
//! value itself holds a chaining block, a counter and perhaps unused keystream, and wipes them
//! when it drops; see also [what burning cannot reach](cinder_burn#what-burning-cannot-reach). A message
//! that is given up by `restart` is wiped as well. Nothing here allocates.
//!
//! # When the cipher panics
//!
//! No cipher of the crate `block` does. After a panic in somebody else's, which a program catches,
//!
//! - the stack and the registers are burnt, as after any call;
//! - a buffer that was written to from another holds zeros, and so does one that was to be
//!   checked: unwrapped, or freed of a padding;
//! - a buffer that was worked on in place otherwise is partly what it was and partly done;
//! - the message is lost. Nobody knows how far it has come, and to go on from the wrong place is
//!   to use keystream twice. Its state is wiped, and each call that would use it panics, but for
//!   [`Ctr`](ctr::Ctr), which says that it is [exhausted](CounterError::Exhausted). Begin
//!   another with `restart` (or go on from a place that is known, with `resume` or `seek`).
//!
//! # Constant time
//!
//! The modes are, as far as the cipher is: no branch and no address depends on a key or on the
//! content of a message. Its length, the padding's length once it is known good, and whether a
//! padding or a wrapped key was good are results and thus public.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![forbid(unsafe_code)]

mod cts;
mod error;
mod padding;

pub mod cbc;
pub mod cfb;
pub mod cfb8;
pub mod ctr;
pub mod ecb;
pub mod key_wrap;
pub mod ofb;

pub use cts::Stealing;
pub use error::{CounterError, LengthError, PaddingError, UnwrapError};
pub use padding::Padding;

use cinder_burn::Depth;

/// The traits that every mode has: `Drop` wipes the fields named, `Debug` shows none. The cipher
/// is wiped by its own `Drop`, if it is owned.
macro_rules! state {
    ($name:ident { $($field:ident),* }) => {
        impl<C, const N: usize> Drop for $name<C, N> {
            fn drop(&mut self) {
                $(cinder_burn::wipe(&mut self.$field);)*
            }
        }

        impl<C, const N: usize> zeroize::ZeroizeOnDrop for $name<C, N> {}

        impl<C, const N: usize> core::fmt::Debug for $name<C, N> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}
use state;

#[inline(always)]
fn xor(into: &mut [u8], from: &[u8]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a ^= b;
    }
}

/// `data` as blocks, if it is whole ones.
#[inline(always)]
fn whole<const N: usize>(data: &mut [u8]) -> Result<&mut [[u8; N]], LengthError> {
    match data.as_chunks_mut() {
        (blocks, []) => Ok(blocks),
        _ => Err(LengthError::Partial),
    }
}

#[inline(always)]
fn equal(input: &[u8], output: &[u8]) -> Result<(), LengthError> {
    if input.len() == output.len() { Ok(()) } else { Err(LengthError::Unequal) }
}

/// Copies `input` to `output` and works on it there, in pieces that stay in the first-level
/// cache. The buffers have equal lengths. If `work` panics, `output` is wiped: it holds a copy of
/// `input` then that nobody asked for.
#[inline(always)]
fn copied(input: &[u8], output: &mut [u8], mut work: impl FnMut(&mut [u8]) -> Depth) -> Depth {
    /// Whole blocks, whatever the cipher.
    const PIECE: usize = 4096;
    cinder_burn::guarded(output, cinder_burn::wipe, |output| {
        let mut depth = Depth::here();
        for (from, to) in input.chunks(PIECE).zip(output.chunks_mut(PIECE)) {
            to.copy_from_slice(from);
            depth = depth.max(work(to));
        }
        depth
    })
}

/// A chaining block that is lost if the cipher panics: nobody knows then how far the chain has
/// come, and to go on from the wrong block is to use keystream, or an IV, for the second time.
struct Chain<const N: usize> {
    block: [u8; N],
    lost: bool,
}

impl<const N: usize> Chain<N> {
    fn new(block: &[u8; N]) -> Self {
        const { assert!(N == 8 || N == 16) };
        Chain { block: *block, lost: false }
    }

    /// Begins with another block, lost or not.
    fn set(&mut self, block: &[u8; N]) {
        self.block = *block;
        self.lost = false;
    }

    /// # Panics
    ///
    /// If it is lost.
    fn block(&self) -> &[u8; N] {
        check_lost(self.lost);
        &self.block
    }

    /// Lets the cipher work on it.
    ///
    /// # Panics
    ///
    /// If it is lost.
    #[inline(always)]
    fn with<R>(&mut self, work: impl FnOnce(&mut [u8; N]) -> R) -> R {
        check_lost(self.lost);
        cinder_burn::guarded(self, Self::lose, |chain| work(&mut chain.block))
    }

    #[cold]
    fn lose(&mut self) {
        cinder_burn::wipe(&mut self.block);
        self.lost = true;
    }
}

impl<const N: usize> Drop for Chain<N> {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.block);
    }
}

#[inline(always)]
fn check_lost(lost: bool) {
    assert!(!lost, "the cipher panicked in this message, which cannot go on");
}
