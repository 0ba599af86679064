//! Galois/Counter Mode, authenticated encryption with associated data: NIST SP 800-38D.
//!
//! Over any block cipher with blocks of 16 bytes: by value, by reference, and as
//! `dyn BlockEncrypt<16>`. One with blocks of 8 bytes does not compile. A message has an IV of any
//! length from 1 byte (12 is recommended, and fastest), additional data that is authenticated but
//! not encrypted, up to 2^36 - 32 bytes of plaintext, and a tag of 16, 15, 14, 13, 12, 8 or 4
//! bytes, apart from the ciphertext. The counter is the last four bytes of the counter block,
//! big endian, and wraps within them.
//!
//! Constant time: yes if the cipher is, for data and keys of one length: GHASH runs on a
//! constant-time kernel unless another is asked for, and tags are compared by `subtle`.
//!
//! Kernels: [`Kernel`]. Any cipher works in two passes, counter mode and GHASH, in steps that stay
//! in the first-level cache. AES on x86-64 with AES and carry-less multiplication instructions
//! takes one pass, in which the two are interleaved. What there is of the CPU is found out at run
//! time, each key takes the best, and [`Gcm::kernel`] tells which.
//!
//! ```
//! use cinder_block::{Aes256, Slot};
//! use cinder_gcm::{Error, Gcm};
//!
//! let mut slot = Slot::<Gcm<Aes256>>::empty();
//! let gcm = slot.init(&[0x42; 32])?; // expanded in place; wiped when the slot drops
//!
//! let (iv, aad) = ([7; 12], b"header"); // never the same IV twice under one key
//! let mut data = *b"attack at dawn";
//! let mut tag = [0; 16];
//! gcm.seal_in_place(&iv, aad, &mut data, &mut tag)?;
//!
//! gcm.open_in_place(&iv, aad, &mut data, &tag)?;
//! assert_eq!(&data, b"attack at dawn");
//!
//! tag[3] ^= 1;
//! assert_eq!(gcm.open_in_place(&iv, aad, &mut data, &tag), Err(Error::Unverified));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # The IV
//!
//! Two messages under one key with one IV give away the XOR of their plaintexts and, worse, the
//! hash subkey, with which anyone can forge. The IV travels with the message, usually in front of
//! the ciphertext; it is not secret, and this crate neither stores nor writes it.
//! [`Nonces`] makes IVs that do not repeat: the deterministic construction of section 8.2.1. With
//! random IVs of 12 bytes, section 8.3 allows 2^32 messages a key.
//!
//! # Short tags
//!
//! A tag has 16 bytes, and its length is part of the type: who cuts a tag short shortens no check.
//! `Gcm<C, 12>` has tags of 12 bytes. Tags of 4 and 8 bytes are for the special uses of SP 800-38D,
//! appendix C, which limits how much may be sent under a key.
//!
//! # What is left in memory
//!
//! Nothing on the stack and in registers after each call of this crate; the key until it is
//! dropped, and the state of a stream until its message ends. See the crate `burn`, also on
//! [what burning cannot reach](cinder_burn#what-burning-cannot-reach).
//!
//! A cipher of somebody else's that panics leaves no more: the panic burns on its way, wipes the
//! buffer that was to be opened, or sealed into, and gives a stream's message up. What was to be
//! sealed in place stays, sealed or not: throw it away, and never use its IV again.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

#[cfg(test)]
extern crate std;

mod cipher;
mod error;
mod kernel;
mod key;
mod message;
mod nonce;
mod stream;
mod two_pass;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod x86_stitched;

pub use cinder_block::Depth;
pub use cipher::Gcm;
pub use error::Error;
pub use kernel::Kernel;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub use kernel::Stitched;
pub use nonce::{FixedFieldLength, Nonces, NoncesExhausted};
pub use stream::{Opener, Sealer};

/// The longest plaintext, in bytes: 2^39 - 256 bits (SP 800-38D, section 5.2.1.1).
pub const MAX_DATA: u64 = (1 << 36) - 32;
/// The longest additional data, in bytes: less than 2^64 bits.
pub const MAX_AAD: u64 = (1 << 61) - 1;
/// The longest IV, in bytes: less than 2^64 bits.
pub const MAX_IV: u64 = (1 << 61) - 1;
