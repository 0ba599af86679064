//! What every key schedule has in the same form.

use crate::{Depth, InPlace, KeyError};

/// The body of a by-value constructor: keyed in this function's own value, then moved out.
#[inline]
pub(crate) fn by_value<C: InPlace>(key: &[u8]) -> Result<C, KeyError> {
    by_value_with(|cipher: &mut C| cipher.rekey(key))
}

/// [`by_value`] for constructors that key by another function.
#[inline]
pub(crate) fn by_value_with<C: InPlace>(
    rekey: impl FnOnce(&mut C) -> Result<Depth, KeyError>,
) -> Result<C, KeyError> {
    let mut cipher = C::vacant();
    cinder_burn::scope(|| match rekey(&mut cipher) {
        Ok(depth) => (Ok(()), depth),
        Err(error) => (Err(error), Depth::here()),
    })?;
    Ok(cipher)
}

/// Wipes the named fields on drop, says so to `zeroize`, and prints the type's name alone.
macro_rules! secret {
    ($name:ident { $($field:ident),+ }) => {
        impl Drop for $name {
            fn drop(&mut self) {
                $(cinder_burn::wipe(&mut self.$field);)+
            }
        }

        impl zeroize::ZeroizeOnDrop for $name {}

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}
#[allow(unused_imports, reason = "each cipher is behind its feature")]
pub(crate) use secret;
