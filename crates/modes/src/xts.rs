//! XTS, for sectors of disks: IEEE 1619, NIST SP 800-38E.
//!
//! A data unit (a sector) of 16 bytes or more is encrypted to as many bytes, under a tweak that
//! says where it lies. T_0 = E'(tweak), with a second key; T_j = 2 · T_{j-1}; C_j = E(P_j ⊕ T_j) ⊕
//! T_j. A unit that is no whole number of blocks has its last two by ciphertext stealing. The tweak
//! is 16 bytes, a sector's number in little-endian order.
//!
//! **XTS does not authenticate**, and a unit that is written twice shows which of its blocks have
//! changed. Use it for disks alone, where there is no room for a tag; elsewhere GCM. Constant time:
//! yes, if the cipher is. The blocks of a unit are independent, so the cipher's widest kernel runs.
//!
//! ```
//! use cinder_block::{Aes256, Slot};
//! use cinder_modes::xts::Xts;
//!
//! let mut slot = Slot::<Xts<Aes256>>::empty();
//! let key: [u8; 64] = core::array::from_fn(|i| i as u8); // from a random source
//! let xts = slot.init(&key)?;
//!
//! let mut sectors = [0x42; 4 * 512];
//! xts.encrypt_sectors(1000, 512, &mut sectors)?; // 1000 to 1003
//!
//! let third = &mut sectors[2 * 512..3 * 512];
//! xts.decrypt_sectors(1002, 512, third)?;
//! assert_eq!(third, [0x42; 512]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use crate::LengthError;
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth, InPlace, KeyError, Refusal, Vacancy};
use subtle::ConstantTimeEq;

type Block = [u8; 16];

/// XTS over a cipher `C` with blocks of 16 bytes.
///
/// Holds two ciphers, or references. A move leaves a copy behind, and `mem::forget` and a panic
/// that aborts leave it all: see [what burning cannot reach](cinder_burn#what-burning-cannot-reach).
/// There is no `Clone`.
///
/// Keyed in a [`Slot`](cinder_block::Slot) by a key twice as long as the cipher's: the first half
/// encrypts the data, the second the tweaks. A key of two equal halves is refused as
/// [weak](KeyError::Weak), which FIPS 140 demands: such a tweak's mask can be had from a chosen
/// plaintext. [`rekey_allow_equal`](Self::rekey_allow_equal) takes it.
pub struct Xts<C> {
    data: C,
    tweak: C,
}

impl<C> Xts<C> {
    /// The least bytes of a data unit.
    pub const MIN_UNIT: usize = 16;
    /// The most: 2^20 blocks (SP 800-38E, section 4).
    pub const MAX_UNIT: usize = 1 << 24;

    /// XTS over two ciphers that have their keys, or references to them: one for the data and one
    /// for the tweaks. Their keys must differ.
    pub const fn new(data: C, tweak: C) -> Self {
        Xts { data, tweak }
    }

    fn check(len: usize) -> Result<(), LengthError> {
        match len {
            ..Self::MIN_UNIT => Err(LengthError::Short),
            Self::MIN_UNIT..=Self::MAX_UNIT => Ok(()),
            _ => Err(LengthError::Long),
        }
    }

    /// Runs the sectors one after the other, and burns once.
    #[inline(always)]
    fn sectors(
        first: u128,
        len: usize,
        sectors: &mut [u8],
        crypt: impl Fn(Block, &mut [u8]) -> Depth,
    ) -> Result<(), LengthError> {
        Self::check(len)?;
        if !sectors.len().is_multiple_of(len) {
            return Err(LengthError::Partial);
        }
        cinder_burn::scope(|| {
            let mut depth = Depth::here();
            let mut number = first;
            for sector in sectors.chunks_mut(len) {
                depth = depth.max(crypt(number.to_le_bytes(), sector));
                number = number.wrapping_add(1);
            }
            ((), depth)
        });
        Ok(())
    }
}

impl<C: BlockEncrypt<16>> Xts<C> {
    /// Encrypts one data unit in place under a tweak of 16 bytes, as it is.
    ///
    /// # Errors
    ///
    /// [`LengthError::Short`] and [`LengthError::Long`] if the unit has less than
    /// [`MIN_UNIT`](Self::MIN_UNIT) or more than [`MAX_UNIT`](Self::MAX_UNIT) bytes.
    pub fn encrypt_unit(&self, tweak: &[u8; 16], unit: &mut [u8]) -> Result<(), LengthError> {
        Self::check(unit.len())?;
        cinder_burn::scope(|| ((), self.encrypt(*tweak, unit)));
        Ok(())
    }

    /// Encrypts sectors of `len` bytes in place; the first has the number `first`, and the numbers
    /// wrap at 2^128.
    ///
    /// # Errors
    ///
    /// As [`encrypt_unit`](Self::encrypt_unit) for `len`, and [`LengthError::Partial`] if `sectors`
    /// is no whole number of sectors.
    pub fn encrypt_sectors(
        &self,
        first: u128,
        len: usize,
        sectors: &mut [u8],
    ) -> Result<(), LengthError> {
        Self::sectors(first, len, sectors, |tweak, sector| self.encrypt(tweak, sector))
    }

    #[inline(never)]
    fn encrypt(&self, mut mask: Block, unit: &mut [u8]) -> Depth {
        let mut depth = Depth::here().max(self.tweak.encrypt_block(&mut mask));
        let stolen = unit.len() % 16;
        let (blocks, rest) = unit.as_chunks_mut();
        depth = depth.max(self.data.xts_encrypt(&mut mask, blocks));
        if stolen != 0
            && let Some(last) = blocks.last_mut()
        {
            last[..stolen].swap_with_slice(rest);
            depth = depth.max(self.data.xts_encrypt(&mut mask, core::slice::from_mut(last)));
        }
        depth
    }
}

impl<C: BlockEncrypt<16> + BlockDecrypt<16>> Xts<C> {
    /// Decrypts one data unit in place under a tweak of 16 bytes, as it is.
    ///
    /// # Errors
    ///
    /// As [`encrypt_unit`](Self::encrypt_unit).
    pub fn decrypt_unit(&self, tweak: &[u8; 16], unit: &mut [u8]) -> Result<(), LengthError> {
        Self::check(unit.len())?;
        cinder_burn::scope(|| ((), self.decrypt(*tweak, unit)));
        Ok(())
    }

    /// Decrypts sectors in place: the inverse of [`encrypt_sectors`](Self::encrypt_sectors).
    ///
    /// # Errors
    ///
    /// As [`encrypt_sectors`](Self::encrypt_sectors).
    pub fn decrypt_sectors(
        &self,
        first: u128,
        len: usize,
        sectors: &mut [u8],
    ) -> Result<(), LengthError> {
        Self::sectors(first, len, sectors, |tweak, sector| self.decrypt(tweak, sector))
    }

    #[inline(never)]
    fn decrypt(&self, mut mask: Block, unit: &mut [u8]) -> Depth {
        let mut depth = Depth::here().max(self.tweak.encrypt_block(&mut mask));
        let stolen = unit.len() % 16;
        let (blocks, rest) = unit.as_chunks_mut();
        if stolen == 0 {
            return depth.max(self.data.xts_decrypt(&mut mask, blocks));
        }
        if let Some((last, blocks)) = blocks.split_last_mut() {
            depth = depth.max(self.data.xts_decrypt(&mut mask, blocks));
            // The last whole block was encrypted under the mask after the next.
            let mut later = mask;
            double(&mut later);
            let last = core::slice::from_mut(last);
            depth = depth.max(self.data.xts_decrypt(&mut later, last));
            last[0][..stolen].swap_with_slice(rest);
            depth = depth.max(self.data.xts_decrypt(&mut mask, last));
        }
        depth
    }
}

/// Doubles modulo x^128 + x^7 + x^2 + x + 1. The lowest bit of the first byte is the coefficient of
/// 1: the reverse of GCM's order, and not CMAC's either.
#[inline(always)]
fn double(block: &mut Block) {
    let t = u128::from_le_bytes(*block);
    // A product of the secret carry, not a choice by it.
    *block = ((t << 1) ^ u128::from(((t >> 127) as u8).wrapping_mul(0x87))).to_le_bytes();
}

impl<C: InPlace> Xts<C> {
    /// [`rekey`](InPlace::rekey), for old disks whose key has two equal halves. For
    /// [`Slot::init_with`](cinder_block::Slot::init_with).
    ///
    /// # Errors
    ///
    /// [`KeyError`] if the cipher refuses a half.
    pub fn rekey_allow_equal(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        let (data, tweak) = key.split_at(key.len() / 2);
        if data.len() != tweak.len() {
            return Err(KeyError::Length.into());
        }
        Ok(self.data.rekey(data)?.max(self.tweak.rekey(tweak)?))
    }
}

impl<C: InPlace> InPlace for Xts<C> {
    fn vacant(vacancy: Vacancy) -> Self {
        Xts { data: C::vacant(vacancy), tweak: C::vacant(vacancy) }
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        let (data, tweak) = key.split_at(key.len() / 2);
        if !key.is_empty() && cinder_burn::declassify(data.ct_eq(tweak).unwrap_u8()) == 1 {
            return Err(KeyError::Weak.into());
        }
        self.rekey_allow_equal(key)
    }
}

impl<C: zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for Xts<C> {}

impl<C> core::fmt::Debug for Xts<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Xts").finish_non_exhaustive()
    }
}
