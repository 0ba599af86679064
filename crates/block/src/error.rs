//! Why a key is refused.

use core::fmt;

/// Why a key was refused. It is not in use.
///
/// It fills a register: the upper bits of one that came out of a key schedule's frame would carry
/// along what that left in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(usize)]
pub enum KeyError {
    /// The cipher has no keys of this length.
    Length,
    /// A weak key of this cipher. An explicit constructor allows it.
    Weak,
    /// RC2: the number of effective key bits is not in 1 to 1024.
    EffectiveBits,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            KeyError::Length => "the cipher has no keys of this length",
            KeyError::Weak => "weak key",
            KeyError::EffectiveBits => "effective key bits not in 1 to 1024",
        })
    }
}

impl core::error::Error for KeyError {}
