//! Stream ciphers: what [`StreamCipher`] of either generation needs of them, and ARCFOUR, Salsa20
//! and ChaCha20.
//!
//! [`StreamCipher`]: https://docs.rs/cipher/latest/cipher/trait.StreamCipher.html

#![allow(dead_code, reason = "for RustCrypto's traits, each behind its feature")]

use crate::{Cipher, Ctr, Ofb};
use alloc::boxed::Box;
use cinder_block::{KeyError, Slot};
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// A keystream and where it stands.
pub(crate) trait Keystream {
    /// Whether so many bytes are left.
    fn has(&self, len: usize) -> bool;

    /// XORs the next bytes into `data`, if they are left. Burns.
    fn apply(&mut self, data: &mut [u8]) -> bool;
}

/// A keystream that goes to any byte of it.
pub(crate) trait Seek: Keystream {
    fn position(&self) -> u128;

    /// Whether there is such a byte.
    fn seek(&mut self, position: u128) -> bool;
}

impl<C: Cipher<N>, const N: usize, const WIDTH: usize> Keystream for Ctr<C, N, WIDTH> {
    fn has(&self, len: usize) -> bool {
        len as u128 <= self.0.remaining()
    }

    fn apply(&mut self, data: &mut [u8]) -> bool {
        self.0.apply_keystream(data).is_ok()
    }
}

impl<C: Cipher<N>, const N: usize, const WIDTH: usize> Seek for Ctr<C, N, WIDTH> {
    fn position(&self) -> u128 {
        self.0.position()
    }

    fn seek(&mut self, position: u128) -> bool {
        self.0.seek(position).is_ok()
    }
}

impl<C: Cipher<N>, const N: usize> Keystream for Ofb<C, N> {
    fn has(&self, _: usize) -> bool {
        true
    }

    fn apply(&mut self, data: &mut [u8]) -> bool {
        self.0.apply_keystream(data);
        true
    }
}

/// ARCFOUR, known as RC4. Broken: for old data alone. `KeySize` is 16 bytes; `new_from_slice` takes 1
/// to 256.
pub struct Rc4(Box<cinder_stream::Arc4>);

impl Rc4 {
    pub(crate) fn key(key: &[u8]) -> Result<Self, KeyError> {
        Slot::boxed(key).map(Rc4)
    }
}

impl Keystream for Rc4 {
    fn has(&self, _: usize) -> bool {
        true
    }

    fn apply(&mut self, data: &mut [u8]) -> bool {
        self.0.apply(data);
        true
    }
}

/// Salsa20 with 20, 12 or 8 rounds. `KeySize` is 32 bytes, `IvSize` is 8; `new_from_slices` takes
/// keys of 16 bytes too.
///
/// A piece that begins inside of a block of 64 bytes computes that block again.
pub struct Salsa<const ROUNDS: usize> {
    key: Box<cinder_stream::Salsa20<ROUNDS>>,
    nonce: [u8; 8],
    /// In bytes, as a native integer's bytes: so there is no padding in this, which each move would
    /// fill from dead stack.
    position: [u8; 16],
}

/// Salsa20 with 20 rounds.
pub type Salsa20 = Salsa<20>;
/// Salsa20/12.
pub type Salsa12 = Salsa<12>;
/// Salsa20/8.
pub type Salsa8 = Salsa<8>;

impl<const ROUNDS: usize> Salsa<ROUNDS> {
    /// In bytes: 2^64 blocks.
    const END: u128 = 64 << 64;

    pub(crate) fn key(key: &[u8], nonce: [u8; 8]) -> Result<Self, KeyError> {
        Ok(Salsa { key: Slot::boxed(key)?, nonce, position: [0; 16] })
    }
}

impl<const ROUNDS: usize> Keystream for Salsa<ROUNDS> {
    fn has(&self, len: usize) -> bool {
        len as u128 <= Self::END - self.position()
    }

    fn apply(&mut self, data: &mut [u8]) -> bool {
        let mut keystream = self.key.keystream(&self.nonce);
        let done = keystream.seek(self.position()).and_then(|()| keystream.apply(data)).is_ok();
        if done {
            self.position = keystream.position().to_ne_bytes();
        }
        done
    }
}

impl<const ROUNDS: usize> Seek for Salsa<ROUNDS> {
    fn position(&self) -> u128 {
        u128::from_ne_bytes(self.position)
    }

    fn seek(&mut self, position: u128) -> bool {
        let is_there = position <= Self::END;
        if is_there {
            self.position = position.to_ne_bytes();
        }
        is_there
    }
}

/// ChaCha20 with nonces of `NONCE` bytes: 12, as in RFC 8439, or 24, as in XChaCha20. `KeySize` is 32
/// bytes. The block counter begins at 0.
///
/// A piece that begins inside of a block of 64 bytes computes that block again.
pub struct ChaCha<const NONCE: usize> {
    /// With 24 bytes: the message's own key.
    key: Box<cinder_stream::ChaCha20>,
    /// 12 bytes, and zeros: so there is no padding, as in [`Salsa`].
    nonce: [u8; 16],
    /// In bytes.
    position: [u8; 8],
}

/// ChaCha20 with nonces of 12 bytes (RFC 8439).
pub type ChaCha20 = ChaCha<12>;
/// XChaCha20, with nonces of 24 bytes.
pub type XChaCha20 = ChaCha<24>;

impl<const NONCE: usize> ChaCha<NONCE> {
    /// In bytes: 2^32 blocks.
    const END: u64 = 64 << 32;

    /// The last 12 bytes of the nonce are ChaCha20's; in front of them, XChaCha20 has 16 for the key, of
    /// which the last 4 stand where ChaCha20 has zeros.
    pub(crate) fn key(key: &[u8], nonce: &[u8; NONCE]) -> Result<Self, KeyError> {
        let (mut cipher, mut last) = (Slot::boxed(key)?, [0; 16]);
        match nonce.split_first_chunk::<16>() {
            None => last[..12].copy_from_slice(nonce),
            Some((first, rest)) => {
                let long: Box<cinder_stream::ChaCha20> = Slot::boxed(key)?;
                cinder_burn::scope(|| ((), long.derive(first, &mut cipher)));
                last[4..12].copy_from_slice(rest);
            }
        }
        Ok(ChaCha { key: cipher, nonce: last, position: [0; 8] })
    }

    fn at(&self) -> u64 {
        u64::from_ne_bytes(self.position)
    }
}

impl<const NONCE: usize> Keystream for ChaCha<NONCE> {
    fn has(&self, len: usize) -> bool {
        len as u64 <= Self::END - self.at()
    }

    fn apply(&mut self, data: &mut [u8]) -> bool {
        let nonce = self.nonce.first_chunk().expect("12 of 16 bytes");
        let mut keystream = self.key.keystream(nonce);
        let done = keystream.seek(self.at()).and_then(|()| keystream.apply(data)).is_ok();
        if done {
            self.position = keystream.position().to_ne_bytes();
        }
        done
    }
}

impl<const NONCE: usize> Seek for ChaCha<NONCE> {
    fn position(&self) -> u128 {
        self.at().into()
    }

    fn seek(&mut self, position: u128) -> bool {
        let is_there = position <= Self::END.into();
        if is_there {
            self.position = (position as u64).to_ne_bytes();
        }
        is_there
    }
}

impl ZeroizeOnDrop for Rc4 {}
impl<const ROUNDS: usize> ZeroizeOnDrop for Salsa<ROUNDS> {}
impl<const NONCE: usize> ZeroizeOnDrop for ChaCha<NONCE> {}

impl fmt::Debug for Rc4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rc4 { .. }")
    }
}

impl<const ROUNDS: usize> fmt::Debug for Salsa<ROUNDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Salsa<{ROUNDS}> {{ .. }}")
    }
}

impl<const NONCE: usize> fmt::Debug for ChaCha<NONCE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChaCha<{NONCE}> {{ .. }}")
    }
}
