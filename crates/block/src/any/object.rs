//! Ciphers as objects: by reference, in a box, and in a slot that takes any of them.

use super::Algorithm;
use super::algorithm::Any;
use crate::{BlockDecrypt, BlockEncrypt, KeyError};
use cinder_burn::Place;
use core::fmt;

/// A block cipher in both directions, as an object.
pub trait BlockCipher<const N: usize>: BlockEncrypt<N> + BlockDecrypt<N> + Send + Sync {}

impl<C: BlockEncrypt<N> + BlockDecrypt<N> + Send + Sync, const N: usize> BlockCipher<N> for C {}

/// A reference to a cipher whose block size is known only at run time. It holds no secret itself.
#[derive(Clone, Copy)]
pub enum DynCipher<'a> {
    /// Blocks of 8 bytes.
    Block8(&'a dyn BlockCipher<8>),
    /// Blocks of 16 bytes.
    Block16(&'a dyn BlockCipher<16>),
}

impl fmt::Debug for DynCipher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DynCipher::Block8(_) => "Block8(..)",
            DynCipher::Block16(_) => "Block16(..)",
        })
    }
}

/// A boxed cipher whose block size is known only at run time: as large as the cipher, not as the
/// largest.
///
/// The cipher is wiped in its box when it drops. A move moves a pointer and leaves nothing behind;
/// `mem::forget` and a panic that aborts leave it all: see
/// [what burning cannot reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
#[cfg(feature = "alloc")]
pub enum BoxedCipher {
    /// Blocks of 8 bytes.
    Block8(alloc::boxed::Box<dyn BlockCipher<8>>),
    /// Blocks of 16 bytes.
    Block16(alloc::boxed::Box<dyn BlockCipher<16>>),
}

#[cfg(feature = "alloc")]
impl BoxedCipher {
    /// The cipher, to give to a mode.
    pub fn as_dyn(&self) -> DynCipher<'_> {
        match self {
            BoxedCipher::Block8(cipher) => DynCipher::Block8(&**cipher),
            BoxedCipher::Block16(cipher) => DynCipher::Block16(&**cipher),
        }
    }
}

#[cfg(feature = "alloc")]
impl zeroize::ZeroizeOnDrop for BoxedCipher {}

#[cfg(feature = "alloc")]
impl fmt::Debug for BoxedCipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_dyn().fmt(f)
    }
}

/// A place for any cipher that is compiled in: keyed in place, wiped when it drops.
///
/// It is as large as the largest of them (4 KiB for Blowfish and Twofish); leave features off,
/// or use `Algorithm::boxed`, where that matters. On moves, of which `drop(slot)` is one, see
/// [a slot](crate::Slot). There is no `Clone`.
pub struct AnySlot {
    pub(super) place: Place<Any>,
}

impl AnySlot {
    /// A slot without a key: all zeros.
    pub const fn empty() -> Self {
        AnySlot { place: Place::empty() }
    }

    /// Expands `key` in place and burns what the expansion left. The former cipher is wiped.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if the key is refused; the slot is empty then.
    pub fn init(&mut self, algorithm: Algorithm, key: &[u8]) -> Result<DynCipher<'_>, KeyError> {
        self.init_by(algorithm, key, false)
    }

    /// The same, and allows weak keys.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if the key is refused; the slot is empty then.
    pub fn init_allow_weak(
        &mut self,
        algorithm: Algorithm,
        key: &[u8],
    ) -> Result<DynCipher<'_>, KeyError> {
        self.init_by(algorithm, key, true)
    }

    fn init_by(
        &mut self,
        algorithm: Algorithm,
        key: &[u8],
        weak: bool,
    ) -> Result<DynCipher<'_>, KeyError> {
        if let Err(error) = self.rekey(algorithm, key, weak) {
            self.clear();
            return Err(error);
        }
        self.cipher().ok_or(KeyError::Length)
    }

    /// Wipes the key, and every byte of the slot. It is empty again.
    pub fn clear(&mut self) {
        self.place.clear();
    }
}

impl zeroize::ZeroizeOnDrop for AnySlot {}

impl fmt::Debug for AnySlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnySlot").field("cipher", &self.cipher()).finish()
    }
}
