//! Padding to whole blocks, and its removal in constant time.

use crate::{LengthError, PaddingError, copy_then_end, prefix};
use cinder_burn::{Depth, declassify};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, ConstantTimeGreater};

/// How ECB and CBC fill a message up to whole blocks of `N` bytes.
///
/// [`Pkcs7`](Self::Pkcs7), [`Iso7816`](Self::Iso7816) and [`AnsiX923`](Self::AnsiX923) always add 1
/// to `N` bytes, so that decryption can tell them from the message.
///
/// # Padding oracles
///
/// Unpadding takes constant time: neither the error nor the time shows which byte of a padding is
/// wrong. But the error itself shows that the padding is wrong. In CBC without authentication, an
/// attacker who can submit ciphertexts and see that one bit reads the message (S. Vaudenay,
/// EUROCRYPT 2002). So check a MAC over the ciphertext first, and never decrypt a ciphertext that
/// fails it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Padding {
    /// p bytes of value p, 1 to N of them (RFC 5652 section 6.3; for N = 8 also called PKCS#5).
    Pkcs7,
    /// The byte 80 (hexadecimal), then zeros (ISO/IEC 7816-4; ISO/IEC 9797-1 method 2).
    Iso7816,
    /// Zeros, then one byte that counts the bytes added, itself included (ANSI X9.23). Decryption
    /// insists on the zeros, where some old programs put random bytes.
    AnsiX923,
    /// Zeros, and none if the message is whole blocks already (ISO/IEC 9797-1 method 1).
    ///
    /// Ambiguous: decryption removes up to N - 1 zeros from the end, the message's own too. Use it for
    /// text that never ends in a zero byte, or where the length is known otherwise.
    Zero,
    /// Nothing is added. The message must be whole blocks.
    None,
}

impl Padding {
    /// The length of a message of `len` bytes after padding to blocks of `block` bytes.
    ///
    /// # Errors
    ///
    /// [`LengthError::Partial`] for [`Padding::None`] if `len` is not whole blocks (and if `block`
    /// is zero), [`LengthError::Long`] if the sum overflows.
    ///
    /// ```
    /// use cinder_modes::Padding;
    /// assert_eq!(Padding::Pkcs7.padded_len(16, 16), Ok(32));
    /// assert_eq!(Padding::Zero.padded_len(17, 16), Ok(32));
    /// ```
    pub const fn padded_len(self, len: usize, block: usize) -> Result<usize, LengthError> {
        let Some(over) = len.checked_rem(block) else { return Err(LengthError::Partial) };
        let added = match self {
            Padding::Pkcs7 | Padding::Iso7816 | Padding::AnsiX923 => block - over,
            Padding::Zero | Padding::None if over == 0 => 0,
            Padding::Zero => block - over,
            Padding::None => return Err(LengthError::Partial),
        };
        match len.checked_add(added) {
            Some(sum) => Ok(sum),
            None => Err(LengthError::Long),
        }
    }

    /// Pads `buffer[..len]` and encrypts it in place.
    #[inline(always)]
    pub(crate) fn encrypt<const N: usize>(
        self,
        buffer: &mut [u8],
        len: usize,
        encrypt: impl FnOnce(&mut [[u8; N]]) -> Depth,
    ) -> Result<&mut [u8], LengthError> {
        let data = prefix(buffer, self.padded_len(len, N)?)?;
        cinder_burn::scope(|| {
            self.pad(data, len);
            ((), encrypt(data.as_chunks_mut().0))
        });
        Ok(data)
    }

    /// Pads and encrypts `input` at the front of `output`.
    #[inline(always)]
    pub(crate) fn encrypt_to<'a, const N: usize>(
        self,
        input: &[u8],
        output: &'a mut [u8],
        encrypt: impl FnOnce(&mut [[u8; N]]) -> Depth,
    ) -> Result<&'a mut [u8], LengthError> {
        let data = prefix(output, self.padded_len(input.len(), N)?)?;
        copy_then_end(input, data, |data| {
            self.pad(data, input.len());
            ((), encrypt(data.as_chunks_mut().0))
        });
        Ok(data)
    }

    /// Decrypts `data` in place and checks its padding.
    #[inline(always)]
    pub(crate) fn decrypt<const N: usize>(
        self,
        data: &mut [u8],
        decrypt: impl FnOnce(&mut [[u8; N]]) -> Depth,
    ) -> Result<&mut [u8], PaddingError> {
        self.check_len(data.len(), N)?;
        self.finish(&[], data, decrypt)
    }

    /// Decrypts `input` at the front of `output` and checks its padding.
    #[inline(always)]
    pub(crate) fn decrypt_to<'a, const N: usize>(
        self,
        input: &[u8],
        output: &'a mut [u8],
        decrypt: impl FnOnce(&mut [[u8; N]]) -> Depth,
    ) -> Result<&'a mut [u8], PaddingError> {
        self.check_len(input.len(), N)?;
        self.finish(input, prefix(output, input.len())?, decrypt)
    }

    /// Whether padding makes messages of `len` bytes.
    fn check_len(self, len: usize, block: usize) -> Result<(), LengthError> {
        if !len.is_multiple_of(block) {
            return Err(LengthError::Partial);
        }
        match self {
            Padding::Zero | Padding::None => Ok(()),
            _ if len == 0 => Err(LengthError::Short),
            _ => Ok(()),
        }
    }

    /// Fills `data[len..]`, at most a block.
    #[inline(always)]
    fn pad(self, data: &mut [u8], len: usize) {
        let Some(added) = data.get_mut(len..) else { return };
        let count = added.len() as u8; // At most N, and N <= 16.
        added.fill(if self == Padding::Pkcs7 { count } else { 0 });
        match self {
            Padding::Iso7816 => added.first_mut().into_iter().for_each(|byte| *byte = 0x80),
            Padding::AnsiX923 => added.last_mut().into_iter().for_each(|byte| *byte = count),
            _ => {}
        }
    }

    /// Copies `input`, if `data` does not hold it yet, decrypts, and returns the plaintext without
    /// its padding. A wrong padding wipes all of it.
    #[inline(always)]
    fn finish<'a, const N: usize>(
        self,
        input: &[u8],
        data: &'a mut [u8],
        decrypt: impl FnOnce(&mut [[u8; N]]) -> Depth,
    ) -> Result<&'a mut [u8], PaddingError> {
        let len = copy_then_end(input, data, |data| {
            let depth = decrypt(data.as_chunks_mut().0);
            let (good, padding, unpad_depth) = match data.last_chunk::<N>() {
                Some(last) => unpad(self, last),
                None => (Choice::from(1), 0, Depth::NONE), // Empty, which `check_len` allowed.
            };
            let len = if declassify(good.unwrap_u8()) == 1 {
                data.len().saturating_sub(declassify(padding).into())
            } else {
                cinder_burn::wipe(data);
                REFUSED
            };
            (len, depth.max(unpad_depth))
        });
        data.get_mut(..len).ok_or(PaddingError::Padding)
    }
}

/// The length of what was refused: no buffer is so long. Not an `Option`, whose `None` may carry a
/// length computed from the refused data out of the burnt frames.
pub(crate) const REFUSED: usize = usize::MAX;

/// Whether the last block is padded well, and by how many bytes. In constant time: every byte is
/// looked at, and no branch is taken on one.
#[inline(never)]
fn unpad<const N: usize>(padding: Padding, last: &[u8; N]) -> (Choice, u8, Depth) {
    const { assert!(N > 0 && N <= 16) };
    let n = N as u8;
    let final_byte = last[N - 1];
    let mut good = Choice::from(1);
    let mut count = 0u8;
    match padding {
        Padding::None => {}
        Padding::Zero => {
            // `running` while only zeros were seen, from the end; the first byte stays.
            let mut running = Choice::from(1);
            for byte in last[1..].iter().rev() {
                running &= byte.ct_eq(&0);
                count = count.wrapping_add(running.unwrap_u8());
            }
        }
        Padding::Pkcs7 | Padding::AnsiX923 => {
            count = final_byte;
            good &= !count.ct_eq(&0) & !count.ct_gt(&n);
            let filler = if padding == Padding::Pkcs7 { count } else { 0 };
            for (i, byte) in (1..n).rev().zip(last) {
                // `i` bytes follow this one, so that it is padding if i < count. The last byte
                // is the count itself.
                good &= !count.ct_gt(&i) | byte.ct_eq(&filler);
            }
        }
        Padding::Iso7816 => {
            let mut running = Choice::from(1);
            for (i, byte) in (1..=n).zip(last.iter().rev()) {
                let mark = running & byte.ct_eq(&0x80);
                count.conditional_assign(&i, mark);
                running &= byte.ct_eq(&0);
            }
            good = !count.ct_eq(&0);
        }
    }
    (good, count, Depth::here())
}
