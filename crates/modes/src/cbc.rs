//! Cipher block chaining, SP 800-38A section 6.2: C_j = E(P_j ⊕ C_{j-1}), C_0 = IV.
//!
//! Blocks of `N` bytes in the cipher's order. The IV is one block, must not be predictable
//! (random for each message), is no secret, and usually travels in front of the ciphertext: the
//! mode does not put it there. CBC does not authenticate, and with a padding it invites padding
//! oracles (see [`Padding`]): use it where a format asks for it. Constant time: yes, if the cipher
//! is. Encryption is serial, one block's latency each; decryption runs the widest kernel.
//!
//! A message ends with whole blocks, with a padding ([`Encryptor::encrypt_padded`]), or with
//! ciphertext stealing ([`Encryptor::encrypt_stealing`]). The pieces before the end are whole
//! blocks ([`Encryptor::encrypt`]).
//!
//! ```
//! use cinder_block::Aes128;
//! use cinder_modes::{Padding, cbc};
//!
//! // SP 800-38A, F.2.1, the first block.
//! let aes = Aes128::new(&0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes())?;
//! let iv = 0x000102030405060708090a0b0c0d0e0f_u128.to_be_bytes();
//! let mut block = 0x6bc1bee22e409f96e93d7e117393172a_u128.to_be_bytes();
//! cbc::Encryptor::new(&aes, &iv).encrypt(&mut block)?;
//! assert_eq!(block, 0x7649abac8119b246cee98e9b12e9197d_u128.to_be_bytes());
//!
//! // A message that is not whole blocks needs a padding and room for it.
//! let mut buffer = *b"hello...........";
//! let mut encryptor = cbc::Encryptor::new(&aes, &iv);
//! let ciphertext = encryptor.encrypt_padded(Padding::Pkcs7, &mut buffer, 5)?;
//! let mut decryptor = cbc::Decryptor::new(&aes, &iv);
//! assert_eq!(decryptor.decrypt_padded(Padding::Pkcs7, ciphertext)?, b"hello");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use crate::padding::{self, Padding};
use crate::{Chain, LengthError, PaddingError, copied, equal, whole};
use cinder_block::{BlockDecrypt, BlockEncrypt};

/// CBC encryption over the cipher `C` with blocks of `N` bytes.
///
/// Holds the cipher, or a reference, and a chaining block, wiped when it drops. A move leaves a
/// copy behind, and `mem::forget` and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
pub struct Encryptor<C, const N: usize> {
    pub(crate) cipher: C,
    pub(crate) chain: Chain<N>,
}

impl<C: BlockEncrypt<N>, const N: usize> Encryptor<C, N> {
    /// CBC over a cipher, or a reference to one, from the IV (or from the
    /// [`chain`](Self::chain) of a message that goes on).
    pub fn new(cipher: C, iv: &[u8; N]) -> Self {
        Encryptor { cipher, chain: Chain::new(iv) }
    }

    /// The last ciphertext block, or the IV before the first: with it a new value continues the
    /// message, and some old protocols chain the next message from it. No secret.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn chain(&self) -> &[u8; N] {
        self.chain.block()
    }

    /// Begins another message, also after [the cipher has panicked](crate#when-the-cipher-panics).
    pub fn restart(&mut self, iv: &[u8; N]) {
        self.chain.set(iv);
    }

    /// Encrypts whole blocks in place.
    ///
    /// # Errors
    ///
    /// [`LengthError::Partial`] unless `data` is whole blocks.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn encrypt(&mut self, data: &mut [u8]) -> Result<(), LengthError> {
        self.encrypt_blocks(whole(data)?);
        Ok(())
    }

    /// Encrypts blocks in place.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn encrypt_blocks(&mut self, blocks: &mut [[u8; N]]) {
        if !blocks.is_empty() {
            cinder_burn::scope(|| {
                ((), self.chain.with(|chain| self.cipher.cbc_encrypt(chain, blocks)))
            });
        }
    }

    /// Encrypts whole blocks from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`] if the lengths differ, [`LengthError::Partial`] unless they are
    /// whole blocks.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn encrypt_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), LengthError> {
        equal(input, output)?;
        whole::<N>(output)?;
        if !input.is_empty() {
            cinder_burn::scope(|| {
                (
                    (),
                    copied(input, output, |data| {
                        let blocks = data.as_chunks_mut().0;
                        self.chain.with(|chain| self.cipher.cbc_encrypt(chain, blocks))
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
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn encrypt_padded<'a>(
        &mut self,
        padding: Padding,
        buffer: &'a mut [u8],
        len: usize,
    ) -> Result<&'a mut [u8], LengthError> {
        let data = padding::front(buffer, padding.padded_len(len, N)?)?;
        cinder_burn::scope(|| {
            padding.pad(data, len);
            let blocks = data.as_chunks_mut().0;
            ((), self.chain.with(|chain| self.cipher.cbc_encrypt(chain, blocks)))
        });
        Ok(data)
    }

    /// Ends a message as [`encrypt_padded`](Self::encrypt_padded) does, from `input` to the front
    /// of `output`.
    ///
    /// # Errors
    ///
    /// As there.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
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
                let blocks = data.as_chunks_mut().0;
                self.chain.with(|chain| self.cipher.cbc_encrypt(chain, blocks))
            });
            ((), depth)
        });
        Ok(data)
    }
}

/// CBC decryption over the cipher `C` with blocks of `N` bytes.
///
/// Holds the cipher, or a reference, and a chaining block, wiped when it drops. A move leaves a
/// copy behind, and `mem::forget` and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
pub struct Decryptor<C, const N: usize> {
    pub(crate) cipher: C,
    pub(crate) chain: Chain<N>,
}

impl<C: BlockDecrypt<N>, const N: usize> Decryptor<C, N> {
    /// CBC over a cipher, or a reference to one, from the IV (or from the
    /// [`chain`](Self::chain) of a message that goes on).
    pub fn new(cipher: C, iv: &[u8; N]) -> Self {
        Decryptor { cipher, chain: Chain::new(iv) }
    }

    /// The last ciphertext block, or the IV before the first: with it a new value continues the
    /// message, and some old protocols chain the next message from it. No secret.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn chain(&self) -> &[u8; N] {
        self.chain.block()
    }

    /// Begins another message, also after [the cipher has panicked](crate#when-the-cipher-panics).
    pub fn restart(&mut self, iv: &[u8; N]) {
        self.chain.set(iv);
    }

    /// Decrypts whole blocks in place.
    ///
    /// # Errors
    ///
    /// [`LengthError::Partial`] unless `data` is whole blocks.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn decrypt(&mut self, data: &mut [u8]) -> Result<(), LengthError> {
        self.decrypt_blocks(whole(data)?);
        Ok(())
    }

    /// Decrypts blocks in place.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn decrypt_blocks(&mut self, blocks: &mut [[u8; N]]) {
        if !blocks.is_empty() {
            cinder_burn::scope(|| {
                ((), self.chain.with(|chain| self.cipher.cbc_decrypt(chain, blocks)))
            });
        }
    }

    /// Decrypts whole blocks from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`] if the lengths differ, [`LengthError::Partial`] unless they are
    /// whole blocks.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn decrypt_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), LengthError> {
        equal(input, output)?;
        whole::<N>(output)?;
        if !input.is_empty() {
            cinder_burn::scope(|| {
                (
                    (),
                    copied(input, output, |data| {
                        let blocks = data.as_chunks_mut().0;
                        self.chain.with(|chain| self.cipher.cbc_decrypt(chain, blocks))
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
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn decrypt_padded<'a>(
        &mut self,
        padding: Padding,
        data: &'a mut [u8],
    ) -> Result<&'a mut [u8], PaddingError> {
        padding.check_len(data.len(), N)?;
        let len = cinder_burn::scope(|| {
            cinder_burn::guarded(data, cinder_burn::wipe, |data| {
                let blocks = data.as_chunks_mut().0;
                let depth = self.chain.with(|chain| self.cipher.cbc_decrypt(chain, blocks));
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
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
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
                let blocks = data.as_chunks_mut().0;
                let depth = self.chain.with(|chain| self.cipher.cbc_decrypt(chain, blocks));
                padding.finish::<N>(data, depth)
            })
        });
        padding::found(data, len)
    }
}

crate::state!(Encryptor {});
crate::state!(Decryptor {});
