//! Block cipher modes of operation that leave no trace: each call burns the stack and the registers
//! once, at its end.
//!
//! **Only key wrap authenticates.** With any other mode, whoever changes the ciphertext changes the
//! plaintext, and with CBC and a padding may even read it. Use GCM
//! ([`cinder-gcm`](https://docs.rs/cinder-gcm)) unless a format prescribes one of these:
//!
//! | mode | module | takes | document |
//! |---|---|---|---|
//! | ECB | [`ecb`] | whole blocks, or a [`Padding`] | SP 800-38A, 6.1 |
//! | CBC | [`cbc`] | whole blocks, a [`Padding`], or [`Stealing`] | SP 800-38A, 6.2, and its addendum |
//! | CFB, full block | [`cfb`] | bytes | SP 800-38A, 6.3; RFC 4880, 13.9 |
//! | CFB8 | [`cfb8`] | bytes | SP 800-38A, 6.3 |
//! | OFB | [`ofb`] | bytes | SP 800-38A, 6.4 |
//! | CTR | [`ctr`] | bytes | SP 800-38A, 6.5 and appendix B |
//! | XTS | [`xts`] | data units of 16 bytes and more | IEEE 1619, SP 800-38E |
//! | AES and TDEA key wrap | [`key_wrap`] | keys | RFC 3394, RFC 5649, SP 800-38F |
//!
//! # How to use a mode
//!
//! A mode is a value that holds a cipher, or a reference to one, and the state of one message. Give
//! it the message in pieces of any size: the result does not depend on the cuts.
//!
//! ```
//! use cinder_block::{Aes256, Slot};
//! use cinder_modes::ctr::Ctr;
//!
//! let mut slot = Slot::<Aes256>::empty();
//! let aes = &*slot.init(&[0x42; 32])?;
//! let mut ctr = Ctr::new(aes, &[0; 16]);
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
//! The cipher `C` is any type that implements [`BlockEncrypt`](cinder_block::BlockEncrypt), and
//! [`BlockDecrypt`](cinder_block::BlockDecrypt) where a mode runs the cipher backwards. That can be
//! a cipher, a reference, a box, or `&dyn BlockEncrypt<16>`, with which one copy of the mode serves
//! every cipher that a program picks at run time. `N` is the cipher's block size in bytes, 8 or 16.
//!
//! Every method works in place. Its twin, with a name that ends in `_to`, reads one buffer, writes
//! another, and gives the same bytes. Both check lengths first: after an error no byte has changed.
//!
//! # What stays in memory
//!
//! A call leaves nothing behind: no key, keystream or plaintext on the dead stack or in registers.
//! Nothing here allocates.
//!
//! A mode's value holds the state of its message: a block of chain or counter, in some modes a block
//! of keystream too. It wipes them when it drops, and when [`restart`](ctr::Ctr::restart) begins
//! another message. It wipes no cipher: a cipher that was moved into a mode wipes itself.
//!
//! Keep a value where it is. A move copies it and wipes only the copy, and `drop(value)` is a move
//! too. So let a value go out of scope, and give it a reference to a cipher in a
//! [`Slot`](cinder_block::Slot): a cipher that is moved into a mode leaves its key schedule behind.
//! For the same reason no mode is `Clone`. [What burning cannot
//! reach](cinder_burn#what-burning-cannot-reach) lists the rest.
//!
//! # When the cipher panics
//!
//! The ciphers of `cinder-block` do not panic. If a program catches a panic of another cipher,
//!
//! - the stack and the registers are burnt, as after any call;
//! - the message is lost. Nobody knows how far it has come, and going on from the wrong place would
//!   use keystream or an IV twice. Every further call on it panics, until `restart` begins another
//!   message, or `seek` or `resume` goes on from a place that is known;
//! - an output buffer holds zeros. So does a buffer whose content the call was to check: a padded
//!   message that was decrypted in place, or a key that was unwrapped;
//! - any other buffer that was worked on in place is partly done.
//!
//! # Constant time
//!
//! The modes are constant-time if the cipher is: no branch and no address depends on a key or on a
//! message's content. Results are public: a message's length, whether its padding or a wrapped key
//! was good, and how long a good padding was.
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
pub mod xts;

pub use cts::Stealing;
pub use error::{CounterError, LengthError, PaddingError, UnwrapError};
pub use padding::Padding;

use cinder_burn::Depth;

/// What every mode implements: `Drop` wipes the fields named, `Debug` shows none.
macro_rules! state {
    ($name:ident<C $(, const $parameter:ident: $type:ty)*> { $($field:ident),* }) => {
        impl<C $(, const $parameter: $type)*> Drop for $name<C $(, $parameter)*> {
            fn drop(&mut self) {
                $(cinder_burn::wipe(&mut self.$field);)*
            }
        }

        impl<C $(, const $parameter: $type)*> zeroize::ZeroizeOnDrop for $name<C $(, $parameter)*> {}

        impl<C $(, const $parameter: $type)*> core::fmt::Debug for $name<C $(, $parameter)*> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}
use state;

/// Begins work of the cipher on a message's state; `*lost = false` ends it. If the cipher panics in
/// between, the message stays lost: see [the crate's documentation](crate#when-the-cipher-panics).
#[inline(always)]
fn begin(lost: &mut bool) {
    check_not(*lost);
    *lost = true;
}

#[inline(always)]
fn check_not(lost: bool) {
    assert!(!lost, "the cipher panicked in this message, which cannot go on");
}

#[inline(always)]
fn xor(into: &mut [u8], from: &[u8]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a ^= b;
    }
}

#[inline(always)]
fn as_blocks<const N: usize>(data: &mut [u8]) -> Result<&mut [[u8; N]], LengthError> {
    match data.as_chunks_mut() {
        (blocks, []) => Ok(blocks),
        _ => Err(LengthError::Partial),
    }
}

#[inline(always)]
fn check_same_len(input: &[u8], output: &[u8]) -> Result<(), LengthError> {
    if input.len() == output.len() { Ok(()) } else { Err(LengthError::Unequal) }
}

#[inline(always)]
fn prefix(buffer: &mut [u8], len: usize) -> Result<&mut [u8], LengthError> {
    buffer.get_mut(..len).ok_or(LengthError::Buffer)
}

/// Copies `input` to `output` and works on it there, in pieces that stay in the first-level cache.
#[inline(always)]
fn copy_then(
    input: &[u8],
    output: &mut [u8],
    mut work: impl FnMut(&mut [u8]) -> Depth,
) -> Result<(), LengthError> {
    /// Whole blocks, whatever the cipher.
    const PIECE: usize = 4096;
    check_same_len(input, output)?;
    cinder_burn::scope(|| {
        let depth = cinder_burn::on_unwind(output, cinder_burn::wipe, |output| {
            let mut depth = Depth::here();
            for (from, to) in input.chunks(PIECE).zip(output.chunks_mut(PIECE)) {
                to.copy_from_slice(from);
                depth = depth.max(work(to));
            }
            depth
        });
        ((), depth)
    });
    Ok(())
}

/// The same for whole blocks.
#[inline(always)]
fn copy_then_blocks<const N: usize>(
    input: &[u8],
    output: &mut [u8],
    mut work: impl FnMut(&mut [[u8; N]]) -> Depth,
) -> Result<(), LengthError> {
    check_same_len(input, output)?;
    as_blocks::<N>(output)?;
    copy_then(input, output, |data| work(data.as_chunks_mut().0))
}

/// The same in one piece, for what ends a message: `input` goes to the front of `output`, which is
/// as long or longer.
#[inline(always)]
fn copy_then_end<R>(
    input: &[u8],
    output: &mut [u8],
    work: impl FnOnce(&mut [u8]) -> (R, Depth),
) -> R {
    cinder_burn::scope(|| {
        cinder_burn::on_unwind(output, cinder_burn::wipe, |output| {
            if let Some(front) = output.get_mut(..input.len()) {
                front.copy_from_slice(input);
            }
            work(output)
        })
    })
}
