//! ChaCha20-Poly1305: RFC 8439, section 2.8; and with nonces of 24 bytes XChaCha20-Poly1305:
//! draft-irtf-cfrg-xchacha-03.
//!
//! The keystream's block 0 is the key of Poly1305, and the message is encrypted from block 1 on. The
//! tag is Poly1305 of the additional data and the ciphertext, each padded with zeros to whole blocks,
//! and their lengths. Opening checks the tag first and decrypts only what verifies.
//!
//! Constant time: yes where the CPU multiplies in constant time, for messages of one length.

use crate::common::{PIECE, xor};
use crate::{Aead, Error};
use cinder_block::{Depth, InPlace, KeyError, Refusal, Vacancy, by_value};
use cinder_mac::parts::Poly1305State;
use cinder_stream::ChaCha20;
use core::fmt;
use subtle::ConstantTimeEq;

type Tag = [u8; 16];

/// ChaCha20-Poly1305, with keys of 32 bytes, nonces of 12 and tags of 16.
///
/// ```
/// use cinder_aead::{Aead, ChaCha20Poly1305};
/// use cinder_block::Slot;
///
/// let mut slot = Slot::<ChaCha20Poly1305>::empty();
/// let aead = slot.init(&[0x42; 32])?;
/// let (mut data, mut tag) = (*b"attack at dawn", [0; 16]);
/// aead.seal_in_place(&[1; 12], b"header", &mut data, &mut tag)?;
/// # aead.open_in_place(&[1; 12], b"header", &mut data, &tag)?;
/// # assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct ChaCha20Poly1305 {
    cipher: ChaCha20,
}

/// XChaCha20-Poly1305, with keys of 32 bytes, nonces of 24, which may be random, and tags of 16.
///
/// ```
/// use cinder_aead::{Aead, XChaCha20Poly1305};
/// use cinder_block::Slot;
///
/// let mut slot = Slot::<XChaCha20Poly1305>::empty();
/// let aead = slot.init(&[0x42; 32])?;
/// let (mut data, mut tag) = (*b"attack at dawn", [0; 16]);
/// aead.seal_in_place(&[1; 24], b"header", &mut data, &mut tag)?;
/// # aead.open_in_place(&[1; 24], b"header", &mut data, &tag)?;
/// # assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct XChaCha20Poly1305 {
    cipher: ChaCha20,
    /// For the keys of messages, of which none is used before it is derived.
    vacancy: Vacancy,
}

/// The longest message, in bytes: all blocks of the keystream but the first.
const MOST: u64 = 64 * ((1 << 32) - 1);

fn check(expected: usize, nonce: usize, data: usize) -> Result<(), Error> {
    if nonce != expected {
        Err(Error::NonceLength)
    } else if data as u64 > MOST {
        Err(Error::TooLong)
    } else {
        Ok(())
    }
}

/// Keystream of the first blocks, in one pass: Poly1305's key, and what the message begins with.
type First = [[u8; 64]; 4];

/// Bytes of a message that [`First`] covers.
const COVERED: usize = 64 * 3;

/// The keystream that a message of a length begins with; and Poly1305 under its first block, with the
/// additional data in it.
#[inline(never)]
fn begin(
    cipher: &ChaCha20,
    nonce: &[u8; 12],
    aad: &[u8],
    len: usize,
    first: &mut First,
    poly1305: &mut Poly1305State,
) -> Depth {
    let used = &mut first.as_flattened_mut()[..64 + len.min(COVERED)];
    let mut depth = Depth::here().max(cipher.xor(nonce, 0, used));
    let mut key = [0; 32];
    key.copy_from_slice(&first[0][..32]);
    depth = depth.max(poly1305.begin(&key));
    depth.max(poly1305.absorb(aad)).max(poly1305.pad())
}

/// The tag, once all is hashed.
#[inline(never)]
fn finish(poly1305: &mut Poly1305State, aad: usize, data: usize, tag: &mut Tag) -> Depth {
    let lengths = (u128::from(data as u64) << 64 | u128::from(aad as u64)).to_le_bytes();
    let depth = Depth::here().max(poly1305.pad()).max(poly1305.absorb(&lengths));
    depth.max(poly1305.digest(tag))
}

#[inline(never)]
fn encrypt(
    cipher: &ChaCha20,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut [u8],
    tag: &mut Tag,
) -> Depth {
    let (mut poly1305, mut first) = (Poly1305State::new(), [[0; 64]; 4]);
    let (aad_len, len) = (aad.len(), data.len());
    let mut depth = Depth::here().max(begin(cipher, nonce, aad, len, &mut first, &mut poly1305));
    let (covered, rest) = data.split_at_mut(len.min(COVERED));
    xor(covered, first[1..].as_flattened());
    depth = depth.max(poly1305.absorb(covered));
    let mut block = 4;
    for piece in rest.chunks_mut(PIECE) {
        depth = depth.max(cipher.xor(nonce, block, piece)).max(poly1305.absorb(piece));
        block = block.wrapping_add(PIECE as u32 / 64);
    }
    depth.max(finish(&mut poly1305, aad_len, len, tag))
}

#[inline(never)]
fn decrypt(
    cipher: &ChaCha20,
    nonce: &[u8; 12],
    aad: &[u8],
    data: &mut [u8],
    tag: &Tag,
    verified: &mut bool,
) -> Depth {
    let (mut poly1305, mut first) = (Poly1305State::new(), [[0; 64]; 4]);
    let (len, mut expected) = (data.len(), [0; 16]);
    let mut depth = Depth::here().max(begin(cipher, nonce, aad, len, &mut first, &mut poly1305));
    depth = depth.max(poly1305.absorb(data));
    depth = depth.max(finish(&mut poly1305, aad.len(), len, &mut expected));
    *verified = cinder_burn::declassify(expected.ct_eq(tag).unwrap_u8()) == 1;
    if *verified {
        let (covered, rest) = data.split_at_mut(len.min(COVERED));
        xor(covered, first[1..].as_flattened());
        if !rest.is_empty() {
            depth = depth.max(cipher.xor(nonce, 4, rest));
        }
    }
    depth
}

/// A nonce of a length that was checked. No other gets here.
#[inline(always)]
fn array<const N: usize>(nonce: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(nonce);
    array
}

impl Aead<16> for ChaCha20Poly1305 {
    fn check(&self, nonce: usize, _: usize, data: usize) -> Result<(), Error> {
        check(12, nonce, data)
    }

    fn encrypt(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &mut Tag) -> Depth {
        encrypt(&self.cipher, &array(nonce), aad, data, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &Tag,
        verified: &mut bool,
    ) -> Depth {
        decrypt(&self.cipher, &array(nonce), aad, data, tag, verified)
    }
}

impl XChaCha20Poly1305 {
    /// The message's own key, and its nonce under that.
    #[inline(always)]
    fn derive(&self, nonce: &[u8], subkey: &mut ChaCha20) -> ([u8; 12], Depth) {
        let mut last = [0; 12];
        last[4..].copy_from_slice(&nonce[16..]);
        (last, self.cipher.derive(&array(&nonce[..16]), subkey))
    }
}

impl Aead<16> for XChaCha20Poly1305 {
    fn check(&self, nonce: usize, _: usize, data: usize) -> Result<(), Error> {
        check(24, nonce, data)
    }

    #[inline(never)]
    fn encrypt(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &mut Tag) -> Depth {
        let mut subkey = ChaCha20::vacant(self.vacancy);
        let (nonce, depth) = self.derive(nonce, &mut subkey);
        depth.max(Depth::here()).max(encrypt(&subkey, &nonce, aad, data, tag))
    }

    #[inline(never)]
    fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &Tag,
        verified: &mut bool,
    ) -> Depth {
        let mut subkey = ChaCha20::vacant(self.vacancy);
        let (nonce, depth) = self.derive(nonce, &mut subkey);
        depth.max(Depth::here()).max(decrypt(&subkey, &nonce, aad, data, tag, verified))
    }
}

/// What both have: keys of 32 bytes, set up where they stay; and they print their names alone.
macro_rules! key {
    ($name:ident, |$vacancy:ident| $vacant:expr) => {
        impl $name {
            /// A key by value. The move out of this function may leave a copy of the key on the
            /// stack; [`Slot`](cinder_block::Slot) leaves none.
            ///
            /// # Errors
            ///
            /// [`KeyError::Length`] unless the key has 32 bytes.
            pub fn new(key: &[u8]) -> Result<Self, KeyError> {
                by_value(|aead: &mut Self| aead.rekey(key))
            }

            /// Keys in place, to run on the given kernel.
            ///
            /// # Errors
            ///
            /// [`KeyError::Length`] unless the key has 32 bytes. The former key stays.
            pub fn rekey_with_kernel(
                &mut self,
                key: &[u8],
                kernel: cinder_stream::Kernel,
            ) -> Result<Depth, Refusal> {
                self.cipher.rekey_with_kernel(key, kernel)
            }
        }

        impl InPlace for $name {
            fn vacant($vacancy: Vacancy) -> Self {
                $vacant
            }

            fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
                self.cipher.rekey(key)
            }
        }

        impl zeroize::ZeroizeOnDrop for $name {}

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}

key!(ChaCha20Poly1305, |vacancy| ChaCha20Poly1305 { cipher: ChaCha20::vacant(vacancy) });
key!(XChaCha20Poly1305, |vacancy| XChaCha20Poly1305 { cipher: ChaCha20::vacant(vacancy), vacancy });
