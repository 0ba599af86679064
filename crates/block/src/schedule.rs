//! What every key schedule has in the same form.

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
