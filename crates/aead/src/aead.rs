//! The shape that all schemes share.

use cinder_block::Depth;
use core::fmt;

/// Authenticated encryption with associated data, with tags of `T` bytes.
///
/// A scheme has three methods of its own; the four that a program calls are provided.
pub trait Aead<const T: usize> {
    /// Whether nonce, additional data and message have lengths that the scheme allows, in bytes.
    ///
    /// # Errors
    ///
    /// [`Error::NonceLength`], [`Error::TooLong`].
    fn check(&self, nonce: usize, aad: usize, data: usize) -> Result<(), Error>;

    /// Encrypts in place and writes the tag. The lengths are checked. Not burnt: returns how deep
    /// it went.
    fn encrypt(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &mut [u8; T]) -> Depth;

    /// Decrypts in place and says whether the tag is right; if it is not, `data` is the ciphertext
    /// again. The lengths are checked. Not burnt: returns how deep it went.
    fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8; T],
        verified: &mut bool,
    ) -> Depth;

    /// Encrypts `data` in place and writes the tag.
    ///
    /// # Errors
    ///
    /// [`Error::NonceLength`], [`Error::TooLong`]. Nothing was changed.
    fn seal_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &mut [u8; T],
    ) -> Result<(), Error> {
        self.check(nonce.len(), aad.len(), data.len())?;
        cinder_burn::scope(|| ((), self.encrypt(nonce, aad, data, tag)));
        Ok(())
    }

    /// Encrypts from one buffer to another of the same length and writes the tag.
    ///
    /// # Errors
    ///
    /// [`Error::NonceLength`], [`Error::TooLong`], [`Error::BufferLengths`]. Nothing was changed.
    fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        plaintext: &[u8],
        ciphertext: &mut [u8],
        tag: &mut [u8; T],
    ) -> Result<(), Error> {
        self.check(nonce.len(), aad.len(), plaintext.len())?;
        if plaintext.len() != ciphertext.len() {
            return Err(Error::BufferLengths);
        }
        cinder_burn::scope(|| {
            let depth = cinder_burn::on_unwind(ciphertext, cinder_burn::wipe, |ciphertext| {
                ciphertext.copy_from_slice(plaintext);
                self.encrypt(nonce, aad, ciphertext, tag)
            });
            ((), depth)
        });
        Ok(())
    }

    /// Checks the tag and decrypts `data` in place. While the call is under way `data` may hold
    /// plaintext that is not yet verified.
    ///
    /// # Errors
    ///
    /// [`Error::Unverified`] if the tag is not that of these arguments: then `data` is still the
    /// ciphertext. [`Error::NonceLength`], [`Error::TooLong`]: nothing was changed.
    fn open_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8; T],
    ) -> Result<(), Error> {
        self.check(nonce.len(), aad.len(), data.len())?;
        let mut verified = false;
        cinder_burn::scope(|| {
            let depth = cinder_burn::on_unwind(data, cinder_burn::wipe, |data| {
                self.decrypt(nonce, aad, data, tag, &mut verified)
            });
            ((), depth)
        });
        if verified { Ok(()) } else { Err(Error::Unverified) }
    }

    /// Checks the tag and decrypts from one buffer to another of the same length. While the call
    /// is under way `plaintext` may hold plaintext that is not yet verified.
    ///
    /// # Errors
    ///
    /// [`Error::Unverified`] if the tag is not that of these arguments: then `plaintext` holds
    /// zeros. [`Error::NonceLength`], [`Error::TooLong`], [`Error::BufferLengths`]: nothing was
    /// changed.
    fn open(
        &self,
        nonce: &[u8],
        aad: &[u8],
        ciphertext: &[u8],
        plaintext: &mut [u8],
        tag: &[u8; T],
    ) -> Result<(), Error> {
        if plaintext.len() != ciphertext.len() {
            return Err(Error::BufferLengths);
        }
        self.check(nonce.len(), aad.len(), ciphertext.len())?;
        plaintext.copy_from_slice(ciphertext);
        let result = self.open_in_place(nonce, aad, plaintext, tag);
        if result.is_err() {
            plaintext.fill(0);
        }
        result
    }
}

/// Why a call was refused.
///
/// All but [`Unverified`](Error::Unverified) are about arguments, found before the first byte
/// changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The scheme takes no nonce of this length.
    NonceLength,
    /// The message, or the additional data, is longer than the scheme allows (with this nonce).
    TooLong,
    /// The buffers for plaintext and ciphertext have different lengths.
    BufferLengths,
    /// The tag does not belong to this ciphertext, additional data, nonce and key.
    Unverified,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::NonceLength => "the nonce has a length that the scheme does not take",
            Error::TooLong => "longer than the scheme allows",
            Error::BufferLengths => "the two buffers have different lengths",
            Error::Unverified => "the message does not verify",
        })
    }
}

impl core::error::Error for Error {}
