//! CBC, cipher block chaining. For formats that prescribe it; it authenticates nothing: use GCM.
//!
//! SP 800-38A section 6.2: C_j = E(P_j ⊕ C_{j-1}), C_0 = IV. Blocks of `N` bytes in the cipher's
//! order. With a padding CBC invites padding oracles: see [`Padding`]. Constant time: yes, if the
//! cipher is. Encryption is serial and takes the latency of one block for each; decryption runs the
//! cipher's widest kernel.
//!
//! The IV is one block, random for each message: whoever can predict it can test guesses of a
//! plaintext. It is no secret and usually travels in front of the ciphertext; the mode does not put
//! it there.
//!
//! A message ends with whole blocks, with a padding ([`Encryptor::encrypt_padded`]), or with
//! ciphertext stealing ([`Encryptor::encrypt_stealing`]). The pieces before the end are whole
//! blocks ([`Encryptor::encrypt`]).
//!
//! ```
//! use cinder_block::{Aes128, Slot};
//! use cinder_modes::{Padding, cbc};
//!
//! // SP 800-38A, F.2.1, the first block.
//! let mut slot = Slot::<Aes128>::empty();
//! let aes = &*slot.init(&0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes())?;
//! let iv = 0x000102030405060708090a0b0c0d0e0f_u128.to_be_bytes();
//! let mut block = 0x6bc1bee22e409f96e93d7e117393172a_u128.to_be_bytes();
//! cbc::Encryptor::new(aes, &iv).encrypt(&mut block)?;
//! assert_eq!(block, 0x7649abac8119b246cee98e9b12e9197d_u128.to_be_bytes());
//!
//! // A message of any length needs a padding, and room for it.
//! let mut buffer = *b"hello...........";
//! let mut encryptor = cbc::Encryptor::new(aes, &iv);
//! let ciphertext = encryptor.encrypt_padded(Padding::Pkcs7, &mut buffer, 5)?;
//! let mut decryptor = cbc::Decryptor::new(aes, &iv);
//! assert_eq!(decryptor.decrypt_padded(Padding::Pkcs7, ciphertext)?, b"hello");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use crate::{LengthError, Padding, PaddingError, as_blocks, begin, check_not, copy_then_blocks};
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth};

/// CBC over a cipher with blocks of `N` bytes: an [`Encryptor`] or a [`Decryptor`].
///
/// Holds the cipher, or a reference to one, and a block of ciphertext: see
/// [what stays in memory](crate#what-stays-in-memory). Only a cipher that panics makes a call
/// [panic](crate#when-the-cipher-panics).
pub struct Cbc<C, const N: usize, const ENCRYPT: bool> {
    pub(crate) cipher: C,
    /// C_{j-1}.
    pub(crate) chain: [u8; N],
    pub(crate) lost: bool,
}

/// CBC encryption over the cipher `C` with blocks of `N` bytes. See [`Cbc`].
pub type Encryptor<C, const N: usize> = Cbc<C, N, true>;

/// CBC decryption over the cipher `C` with blocks of `N` bytes. See [`Cbc`].
pub type Decryptor<C, const N: usize> = Cbc<C, N, false>;

impl<C, const N: usize, const ENCRYPT: bool> Cbc<C, N, ENCRYPT> {
    /// CBC over a cipher, or a reference to one, from the IV, or from the [`chain`](Self::chain) of
    /// a message that goes on.
    pub fn new(cipher: C, iv: &[u8; N]) -> Self {
        const { assert!(N == 8 || N == 16) };
        Cbc { cipher, chain: *iv, lost: false }
    }

    /// The last ciphertext block, or the IV before the first. No secret. A new value continues the
    /// message from it, and some old protocols chain the next message to it.
    pub fn chain(&self) -> &[u8; N] {
        check_not(self.lost);
        &self.chain
    }

    /// Begins another message.
    pub fn restart(&mut self, iv: &[u8; N]) {
        self.chain = *iv;
        self.lost = false;
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
        cinder_burn::scope(|| ((), self.apply(blocks)));
    }

    /// Encrypts whole blocks from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`] if the lengths differ, [`LengthError::Partial`] unless they are
    /// whole blocks.
    pub fn encrypt_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), LengthError> {
        copy_then_blocks(input, output, |blocks| self.apply(blocks))
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
        padding.encrypt(buffer, len, |blocks| self.apply(blocks))
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
        padding.encrypt_to(input, output, |blocks| self.apply(blocks))
    }

    #[inline(always)]
    fn apply(&mut self, blocks: &mut [[u8; N]]) -> Depth {
        begin(&mut self.lost);
        let depth = self.cipher.cbc_encrypt(&mut self.chain, blocks);
        self.lost = false;
        depth
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
        cinder_burn::scope(|| ((), self.apply(blocks)));
    }

    /// Decrypts whole blocks from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`] if the lengths differ, [`LengthError::Partial`] unless they are
    /// whole blocks.
    pub fn decrypt_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), LengthError> {
        copy_then_blocks(input, output, |blocks| self.apply(blocks))
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
        padding.decrypt(data, |blocks| self.apply(blocks))
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
        padding.decrypt_to(input, output, |blocks| self.apply(blocks))
    }

    #[inline(always)]
    fn apply(&mut self, blocks: &mut [[u8; N]]) -> Depth {
        begin(&mut self.lost);
        let depth = self.cipher.cbc_decrypt(&mut self.chain, blocks);
        self.lost = false;
        depth
    }
}

crate::state!(Cbc<C, const N: usize, const ENCRYPT: bool> { chain });
