//! Electronic codebook, SP 800-38A section 6.1: each block by itself.
//!
//! Blocks of `N` bytes in the cipher's order; no IV. Equal blocks stay equal, so that ECB shows
//! the pattern of a message, and it does not authenticate: use it for single random blocks, and
//! as the building block of other modes. Constant time: yes, if the cipher is. All blocks are
//! independent, so both directions run the cipher's widest kernel.
//!
//! ```
//! use cinder_block::Aes128;
//! use cinder_modes::{Padding, ecb};
//!
//! // SP 800-38A, F.1.1, the first block.
//! let aes = Aes128::new(&0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes())?;
//! let mut block = 0x6bc1bee22e409f96e93d7e117393172a_u128.to_be_bytes();
//! ecb::Encryptor::new(&aes).encrypt(&mut block)?;
//! assert_eq!(block, 0x3ad77bb40d7a3660a89ecaf32466ef97_u128.to_be_bytes());
//!
//! // A message that is not whole blocks needs a padding and room for it.
//! let mut buffer = *b"hello...........";
//! let ciphertext = ecb::Encryptor::new(&aes).encrypt_padded(Padding::Pkcs7, &mut buffer, 5)?;
//! assert_eq!(ecb::Decryptor::new(&aes).decrypt_padded(Padding::Pkcs7, ciphertext)?, b"hello");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use crate::padding::{self, Padding};
use crate::{LengthError, PaddingError, copied, equal, whole};
use cinder_block::{BlockDecrypt, BlockEncrypt};

/// ECB encryption over the cipher `C` with blocks of `N` bytes.
///
/// Holds the cipher, which wipes itself when it drops, or a reference, and then no secret at all.
/// There is no `Clone`.
pub struct Encryptor<C, const N: usize> {
    cipher: C,
}

impl<C: BlockEncrypt<N>, const N: usize> Encryptor<C, N> {
    /// ECB over a cipher, or a reference to one.
    pub fn new(cipher: C) -> Self {
        const { assert!(N == 8 || N == 16) };
        Encryptor { cipher }
    }

    /// Encrypts whole blocks in place.
    ///
    /// # Errors
    ///
    /// [`LengthError::Partial`] unless `data` is whole blocks.
    pub fn encrypt(&mut self, data: &mut [u8]) -> Result<(), LengthError> {
        self.encrypt_blocks(whole(data)?);
        Ok(())
    }

    /// Encrypts blocks in place.
    pub fn encrypt_blocks(&mut self, blocks: &mut [[u8; N]]) {
        if !blocks.is_empty() {
            cinder_burn::scope(|| ((), self.cipher.encrypt_blocks(blocks)));
        }
    }

    /// Encrypts whole blocks from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`] if the lengths differ, [`LengthError::Partial`] unless they are
    /// whole blocks.
    pub fn encrypt_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), LengthError> {
        equal(input, output)?;
        whole::<N>(output)?;
        if !input.is_empty() {
            cinder_burn::scope(|| {
                (
                    (),
                    copied(input, output, |data| {
                        self.cipher.encrypt_blocks(data.as_chunks_mut().0)
                    }),
                )
            });
        }
        Ok(())
    }

    /// Ends a message: pads `buffer[..len]`, encrypts it in place, and returns the ciphertext,
    /// which is the front of `buffer` and up to `N` bytes longer.
    ///
    /// # Errors
    ///
    /// [`LengthError::Buffer`] if `buffer` is too small for the padded message (or
    /// [`LengthError::Long`], if not even a `usize` could say how long that is),
    /// [`LengthError::Partial`] for [`Padding::None`] unless `len` is whole blocks.
    pub fn encrypt_padded<'a>(
        &mut self,
        padding: Padding,
        buffer: &'a mut [u8],
        len: usize,
    ) -> Result<&'a mut [u8], LengthError> {
        let data = padding::front(buffer, padding.padded_len(len, N)?)?;
        cinder_burn::scope(|| {
            padding.pad(data, len);
            ((), self.cipher.encrypt_blocks(data.as_chunks_mut().0))
        });
        Ok(data)
    }

    /// Ends a message as [`encrypt_padded`](Self::encrypt_padded) does, from `input` to the front
    /// of `output`.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn encrypt_padded_to<'a>(
        &mut self,
        padding: Padding,
        input: &[u8],
        output: &'a mut [u8],
    ) -> Result<&'a mut [u8], LengthError> {
        let data = padding::front(output, padding.padded_len(input.len(), N)?)?;
        cinder_burn::scope(|| {
            let depth = cinder_burn::guarded(data, cinder_burn::wipe, |data| {
                padding::copy(input, data);
                padding.pad(data, input.len());
                self.cipher.encrypt_blocks(data.as_chunks_mut().0)
            });
            ((), depth)
        });
        Ok(data)
    }
}

/// ECB decryption over the cipher `C` with blocks of `N` bytes.
///
/// Holds the cipher, which wipes itself when it drops, or a reference, and then no secret at all.
/// There is no `Clone`.
pub struct Decryptor<C, const N: usize> {
    cipher: C,
}

impl<C: BlockDecrypt<N>, const N: usize> Decryptor<C, N> {
    /// ECB over a cipher, or a reference to one.
    pub fn new(cipher: C) -> Self {
        const { assert!(N == 8 || N == 16) };
        Decryptor { cipher }
    }

    /// Decrypts whole blocks in place.
    ///
    /// # Errors
    ///
    /// [`LengthError::Partial`] unless `data` is whole blocks.
    pub fn decrypt(&mut self, data: &mut [u8]) -> Result<(), LengthError> {
        self.decrypt_blocks(whole(data)?);
        Ok(())
    }

    /// Decrypts blocks in place.
    pub fn decrypt_blocks(&mut self, blocks: &mut [[u8; N]]) {
        if !blocks.is_empty() {
            cinder_burn::scope(|| ((), self.cipher.decrypt_blocks(blocks)));
        }
    }

    /// Decrypts whole blocks from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`] if the lengths differ, [`LengthError::Partial`] unless they are
    /// whole blocks.
    pub fn decrypt_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), LengthError> {
        equal(input, output)?;
        whole::<N>(output)?;
        if !input.is_empty() {
            cinder_burn::scope(|| {
                (
                    (),
                    copied(input, output, |data| {
                        self.cipher.decrypt_blocks(data.as_chunks_mut().0)
                    }),
                )
            });
        }
        Ok(())
    }

    /// Ends a message: decrypts `data` in place, checks the padding, and returns the plaintext
    /// without it, which is the front of `data`.
    ///
    /// See [`Padding`] on what a caller may tell others about a failure.
    ///
    /// # Errors
    ///
    /// [`PaddingError::Length`] if `data` is not a length that the padding makes (nothing was
    /// changed), [`PaddingError::Padding`] if the padding is wrong (`data` was wiped).
    pub fn decrypt_padded<'a>(
        &mut self,
        padding: Padding,
        data: &'a mut [u8],
    ) -> Result<&'a mut [u8], PaddingError> {
        padding.check_len(data.len(), N)?;
        let len = cinder_burn::scope(|| {
            cinder_burn::guarded(data, cinder_burn::wipe, |data| {
                let depth = self.cipher.decrypt_blocks(data.as_chunks_mut().0);
                padding.finish::<N>(data, depth)
            })
        });
        padding::found(data, len)
    }

    /// Ends a message as [`decrypt_padded`](Self::decrypt_padded) does, from `input` to the front
    /// of `output`, which has room for all of `input`.
    ///
    /// # Errors
    ///
    /// As there, and [`LengthError::Buffer`] if `output` is shorter than `input`.
    pub fn decrypt_padded_to<'a>(
        &mut self,
        padding: Padding,
        input: &[u8],
        output: &'a mut [u8],
    ) -> Result<&'a mut [u8], PaddingError> {
        padding.check_len(input.len(), N)?;
        let data = padding::front(output, input.len())?;
        let len = cinder_burn::scope(|| {
            cinder_burn::guarded(data, cinder_burn::wipe, |data| {
                padding::copy(input, data);
                let depth = self.cipher.decrypt_blocks(data.as_chunks_mut().0);
                padding.finish::<N>(data, depth)
            })
        });
        padding::found(data, len)
    }
}

crate::state!(Encryptor {});
crate::state!(Decryptor {});
