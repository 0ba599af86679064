//! What a call of this crate may refuse.

use core::fmt;

/// Why a call was refused. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamError {
    /// The input and the output differ in length.
    BufferLengths,
    /// The keystream ends before the data does, or the position is past its end.
    EndOfKeystream,
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StreamError::BufferLengths => "input and output differ in length",
            StreamError::EndOfKeystream => "past the end of the keystream",
        })
    }
}

impl core::error::Error for StreamError {}
