//! ECB, each block by itself. Not for messages, in which it shows the blocks that are equal: use GCM.
//!
//! Electronic codebook, SP 800-38A section 6.1: C_j = E(P_j). Blocks of `N` bytes in the cipher's
//! order; there is no IV. ECB neither hides repeated blocks nor authenticates. Use it for single
//! random blocks, and to build other modes. Constant time: yes, if the cipher is. All blocks are
//! independent, so both directions run the cipher's widest kernel.
//!
//! ```
//! use cinder_block::{Aes128, Slot};
//! use cinder_modes::{Padding, ecb};
//!
//! // SP 800-38A, F.1.1, the first block.
//! let mut slot = Slot::<Aes128>::empty();
//! let aes = &*slot.init(&0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes())?;
//! let mut block = 0x6bc1bee22e409f96e93d7e117393172a_u128.to_be_bytes();
//! ecb::Encryptor::new(aes).encrypt(&mut block)?;
//! assert_eq!(block, 0x3ad77bb40d7a3660a89ecaf32466ef97_u128.to_be_bytes());
//!
//! // A message of any length needs a padding, and room for it.
//! let mut buffer = *b"hello...........";
//! let ciphertext = ecb::Encryptor::new(aes).encrypt_padded(Padding::Pkcs7, &mut buffer, 5)?;
//! assert_eq!(ecb::Decryptor::new(aes).decrypt_padded(Padding::Pkcs7, ciphertext)?, b"hello");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use crate::{LengthError, Padding, PaddingError, as_blocks, copy_then_blocks};
use cinder_block::{BlockDecrypt, BlockEncrypt};

/// ECB over a cipher with blocks of `N` bytes: an [`Encryptor`] or a [`Decryptor`].
///
/// Holds nothing but the cipher, or a reference to one: see
/// [what stays in memory](crate#what-stays-in-memory). Only a cipher that panics makes a call
/// [panic](crate#when-the-cipher-panics).
pub struct Ecb<C, const N: usize, const ENCRYPT: bool> {
    cipher: C,
}

/// ECB encryption over the cipher `C` with blocks of `N` bytes. See [`Ecb`].
pub type Encryptor<C, const N: usize> = Ecb<C, N, true>;

/// ECB decryption over the cipher `C` with blocks of `N` bytes. See [`Ecb`].
pub type Decryptor<C, const N: usize> = Ecb<C, N, false>;

impl<C, const N: usize, const ENCRYPT: bool> Ecb<C, N, ENCRYPT> {
    /// ECB over a cipher, or a reference to one.
    pub fn new(cipher: C) -> Self {
        const { assert!(N == 8 || N == 16) };
        Ecb { cipher }
    }
}

/// Encryption.
impl<C: BlockEncrypt<N>, const N: usize> Encryptor<C, N> {
    /// Encrypts whole blocks in place.
    ///
    /// # Errors
    ///
    /// [`LengthError::Partial`] unless `data` is whole blocks.
    pub fn encrypt(&mut self, data: &mut [u8]) -> Result<(), LengthError> {
        self.encrypt_blocks(as_blocks(data)?);
        Ok(())
    }

    /// Encrypts blocks in place.
    pub fn encrypt_blocks(&mut self, blocks: &mut [[u8; N]]) {
        cinder_burn::scope(|| ((), self.cipher.encrypt_blocks(blocks)));
    }

    /// Encrypts whole blocks from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`] if the lengths differ, [`LengthError::Partial`] unless they are
    /// whole blocks.
    pub fn encrypt_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), LengthError> {
        copy_then_blocks(input, output, |blocks| self.cipher.encrypt_blocks(blocks))
    }

    /// Ends a message: pads `buffer[..len]`, encrypts it in place, and returns the ciphertext, which
    /// is the front of `buffer` and up to `N` bytes longer.
    ///
    /// # Errors
    ///
    /// [`LengthError::Buffer`] if `buffer` is too small for the padded message,
    /// [`LengthError::Long`] if the padded length overflows a `usize`, [`LengthError::Partial`] for
    /// [`Padding::None`] unless `len` is whole blocks.
    pub fn encrypt_padded<'a>(
        &mut self,
        padding: Padding,
        buffer: &'a mut [u8],
        len: usize,
    ) -> Result<&'a mut [u8], LengthError> {
        padding.encrypt(buffer, len, |blocks| self.cipher.encrypt_blocks(blocks))
    }

    /// Ends a message as [`encrypt_padded`](Self::encrypt_padded) does, from `input` to the front of
    /// `output`.
    ///
    /// # Errors
    ///
    /// Those of [`encrypt_padded`](Self::encrypt_padded).
    pub fn encrypt_padded_to<'a>(
        &mut self,
        padding: Padding,
        input: &[u8],
        output: &'a mut [u8],
    ) -> Result<&'a mut [u8], LengthError> {
        padding.encrypt_to(input, output, |blocks| self.cipher.encrypt_blocks(blocks))
    }
}

/// Decryption.
impl<C: BlockDecrypt<N>, const N: usize> Decryptor<C, N> {
    /// Decrypts whole blocks in place.
    ///
    /// # Errors
    ///
    /// [`LengthError::Partial`] unless `data` is whole blocks.
    pub fn decrypt(&mut self, data: &mut [u8]) -> Result<(), LengthError> {
        self.decrypt_blocks(as_blocks(data)?);
        Ok(())
    }

    /// Decrypts blocks in place.
    pub fn decrypt_blocks(&mut self, blocks: &mut [[u8; N]]) {
        cinder_burn::scope(|| ((), self.cipher.decrypt_blocks(blocks)));
    }

    /// Decrypts whole blocks from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`] if the lengths differ, [`LengthError::Partial`] unless they are
    /// whole blocks.
    pub fn decrypt_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), LengthError> {
        copy_then_blocks(input, output, |blocks| self.cipher.decrypt_blocks(blocks))
    }

    /// Ends a message: decrypts `data` in place, checks the padding, and returns the plaintext
    /// without it, which is the front of `data`.
    ///
    /// [`Padding`] says what a caller may tell others about a failure.
    ///
    /// # Errors
    ///
    /// [`PaddingError::Length`] if the padding makes no message of this length (nothing was
    /// changed), [`PaddingError::Padding`] if the padding is wrong (`data` was wiped).
    pub fn decrypt_padded<'a>(
        &mut self,
        padding: Padding,
        data: &'a mut [u8],
    ) -> Result<&'a mut [u8], PaddingError> {
        padding.decrypt(data, |blocks| self.cipher.decrypt_blocks(blocks))
    }

    /// Ends a message as [`decrypt_padded`](Self::decrypt_padded) does, from `input` to the front of
    /// `output`.
    ///
    /// # Errors
    ///
    /// Those of [`decrypt_padded`](Self::decrypt_padded), and [`LengthError::Buffer`] if `output` is
    /// shorter than `input`. A wrong padding wipes `output`, as far as `input` is long.
    pub fn decrypt_padded_to<'a>(
        &mut self,
        padding: Padding,
        input: &[u8],
        output: &'a mut [u8],
    ) -> Result<&'a mut [u8], PaddingError> {
        padding.decrypt_to(input, output, |blocks| self.cipher.decrypt_blocks(blocks))
    }
}

crate::state!(Ecb<C, const N: usize, const ENCRYPT: bool> {});
