//! Padding to whole blocks, and its removal in constant time.

use crate::{LengthError, PaddingError};
use cinder_burn::Depth;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, ConstantTimeGreater};

/// How a message that need not be whole blocks is filled up to whole blocks of `N` bytes.
///
/// [`Pkcs7`](Self::Pkcs7), [`Iso7816`](Self::Iso7816) and [`AnsiX923`](Self::AnsiX923) always add
/// something, 1 to `N` bytes, so that what was added can be told from the message.
///
/// # Padding oracles
///
/// Unpadding is constant time in the content: which byte of a padding is wrong shows neither in
/// the error nor in the time. But whether it was wrong does show, by the error itself. In CBC
/// without authentication an attacker who can have chosen ciphertexts tried, and sees that one
/// bit, reads the message (S. Vaudenay, EUROCRYPT 2002). So check a MAC over the ciphertext first,
/// and never decrypt what has failed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// p bytes of value p, 1 to N of them (RFC 5652 section 6.3; called PKCS#5 for N = 8).
    Pkcs7,
    /// 80, then zeros (ISO/IEC 7816-4; ISO/IEC 9797-1 method 2).
    Iso7816,
    /// Zeros, then one byte that counts the bytes added, itself included (ANSI X9.23). Decryption
    /// insists on the zeros; some old programs put random bytes there.
    AnsiX923,
    /// Zeros, and none if the message is whole blocks already (ISO/IEC 9797-1 method 1).
    ///
    /// Ambiguous: decryption takes off up to N - 1 zeros at the end, the message's own too. For
    /// text that never ends in a zero byte, or where the length is known otherwise.
    Zero,
    /// Nothing is added; the message must be whole blocks.
    None,
}

impl Padding {
    /// The length of a message of `len` bytes once it is padded to blocks of `block` bytes.
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

    /// Whether padding makes messages of `len` bytes.
    pub(crate) fn check_len(self, len: usize, block: usize) -> Result<(), LengthError> {
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
    pub(crate) fn pad(self, data: &mut [u8], len: usize) {
        let Some(added) = data.get_mut(len..) else { return };
        let count = added.len() as u8; // At most N, and N <= 16.
        added.fill(if self == Padding::Pkcs7 { count } else { 0 });
        match self {
            Padding::Iso7816 => added.first_mut().into_iter().for_each(|byte| *byte = 0x80),
            Padding::AnsiX923 => added.last_mut().into_iter().for_each(|byte| *byte = count),
            _ => {}
        }
    }

    /// Ends a decryption that was `depth` deep: the length of the plaintext at the front of
    /// `data`, or [`REFUSED`] after wiping all of it.
    #[inline(always)]
    pub(crate) fn finish<const N: usize>(self, data: &mut [u8], depth: Depth) -> (usize, Depth) {
        let (good, padding, unpad_depth) = match data.last_chunk::<N>() {
            Some(last) => unpad(self, last),
            None => (true, 0, Depth::NONE), // Empty, which `check_len` allowed.
        };
        let len = if good {
            data.len().saturating_sub(padding)
        } else {
            cinder_burn::wipe(data);
            REFUSED
        };
        (len, depth.max(unpad_depth))
    }
}

/// The length of what was refused. Not an `Option`: its `None` may carry whatever length was
/// computed from the refused data out of the burnt frames and into a register.
pub(crate) const REFUSED: usize = usize::MAX;

/// Whether the last block is padded well, and by how many bytes. In constant time: every byte is
/// looked at, and no branch is taken on one.
#[inline(never)]
fn unpad<const N: usize>(padding: Padding, last: &[u8; N]) -> (bool, usize, Depth) {
    const { assert!(N > 0 && N <= 16) };
    let n = N as u8;
    let final_byte = last[N - 1];
    let mut good = Choice::from(1);
    let mut count = 0;
    match padding {
        Padding::None => {}
        Padding::Zero => {
            // `running` while only zeros were seen, from the end; the first byte stays.
            let mut running = Choice::from(1);
            for byte in last[1..].iter().rev() {
                running &= byte.ct_eq(&0);
                count += running.unwrap_u8();
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
    (good.into(), count.into(), Depth::here())
}

/// The first `len` bytes of a buffer that is to hold them.
#[inline(always)]
pub(crate) fn front(buffer: &mut [u8], len: usize) -> Result<&mut [u8], LengthError> {
    buffer.get_mut(..len).ok_or(LengthError::Buffer)
}

/// Copies `input` to the front of `output`, which is as long or longer.
#[inline(always)]
pub(crate) fn copy(input: &[u8], output: &mut [u8]) {
    if let Some(output) = output.get_mut(..input.len()) {
        output.copy_from_slice(input);
    }
}

/// The plaintext in `data`, if [`Padding::finish`] found one.
#[inline(always)]
pub(crate) fn found(data: &mut [u8], len: usize) -> Result<&mut [u8], PaddingError> {
    data.get_mut(..len).ok_or(PaddingError::Padding)
}
