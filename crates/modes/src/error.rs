//! Why a call is refused.

use core::fmt;

/// A length that the mode cannot take. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LengthError {
    /// The data is not whole blocks (key wrap: not whole semiblocks of 8 bytes).
    Partial,
    /// The input and the output differ in length.
    Unequal,
    /// The buffer is too small for the result.
    Buffer,
    /// The data is shorter than the mode's minimum.
    Short,
    /// The data is longer than the mode's maximum.
    Long,
}

impl fmt::Display for LengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LengthError::Partial => "not whole blocks",
            LengthError::Unequal => "input and output differ in length",
            LengthError::Buffer => "buffer too small for the result",
            LengthError::Short => "shorter than the mode's minimum",
            LengthError::Long => "longer than the mode's maximum",
        })
    }
}

impl core::error::Error for LengthError {}

/// What a counter cannot do. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CounterError {
    /// The width of a counter is 1 to N bytes.
    Width,
    /// The counter would come back to a block that it has already given, or may, because the
    /// cipher panicked.
    Exhausted,
    /// The buffers.
    Length(LengthError),
}

impl fmt::Display for CounterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CounterError::Width => f.write_str("counter width not in 1 to the block size"),
            CounterError::Exhausted => f.write_str("counter exhausted"),
            CounterError::Length(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for CounterError {}

impl From<LengthError> for CounterError {
    fn from(error: LengthError) -> Self {
        CounterError::Length(error)
    }
}

/// Why a padded message was not decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PaddingError {
    /// The length, which is no secret. Nothing was changed.
    Length(LengthError),
    /// The padding. What was wrong with it is not told, and the data was wiped.
    Padding,
}

impl fmt::Display for PaddingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PaddingError::Length(error) => error.fmt(f),
            PaddingError::Padding => f.write_str("bad padding"),
        }
    }
}

impl core::error::Error for PaddingError {}

impl From<LengthError> for PaddingError {
    fn from(error: LengthError) -> Self {
        PaddingError::Length(error)
    }
}

/// A wrapped key was refused: a length that no wrapped key has, a buffer too small for it, or an
/// integrity check that failed. Which is not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnwrapError;

impl fmt::Display for UnwrapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("wrapped key refused")
    }
}

impl core::error::Error for UnwrapError {}
