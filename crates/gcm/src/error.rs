//! Why a call is refused, and that a tag is wrong.

use core::fmt;

/// Why a call was refused.
///
/// All but [`Unverified`](Error::Unverified) are about arguments, found before the first byte
/// changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The IV has no bytes.
    EmptyIv,
    /// IV, additional data or message are longer than SP 800-38D allows.
    TooLong,
    /// The buffers for plaintext and ciphertext have different lengths.
    BufferLengths,
    /// A stream was used before `start` or after its end.
    NotStarted,
    /// The tag does not belong to this ciphertext, additional data, IV and key.
    Unverified,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::EmptyIv => "the IV is empty",
            Error::TooLong => "longer than SP 800-38D allows",
            Error::BufferLengths => "the two buffers have different lengths",
            Error::NotStarted => "no message has been started",
            Error::Unverified => "the message does not verify",
        })
    }
}

impl core::error::Error for Error {}

/// The length of a slice of bytes. 64 bits hold it on every target.
pub(crate) fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// Lengths in bytes of IV, additional data and message.
pub(crate) fn check_lengths(iv: u64, aad: u64, data: u64) -> Result<(), Error> {
    if iv == 0 {
        return Err(Error::EmptyIv);
    }
    if iv > crate::MAX_IV || aad > crate::MAX_AAD || data > crate::MAX_DATA {
        return Err(Error::TooLong);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MAX_AAD, MAX_DATA, MAX_IV};

    #[test]
    fn limits_of_the_standard() {
        assert_eq!(u128::from(MAX_DATA) * 8, (1 << 39) - 256);
        assert_eq!(u128::from(MAX_AAD) * 8, (1 << 64) - 8);
        assert_eq!(check_lengths(MAX_IV, MAX_AAD, MAX_DATA), Ok(()));
        assert_eq!(check_lengths(1, 0, 0), Ok(()));
        assert_eq!(check_lengths(0, 0, 0), Err(Error::EmptyIv));
        assert_eq!(check_lengths(MAX_IV + 1, 0, 0), Err(Error::TooLong));
        assert_eq!(check_lengths(12, MAX_AAD + 1, 0), Err(Error::TooLong));
        assert_eq!(check_lengths(12, 0, MAX_DATA + 1), Err(Error::TooLong));
    }
}
