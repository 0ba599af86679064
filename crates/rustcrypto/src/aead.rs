//! Authenticated encryption: keys on the heap, with tags and nonces of one length each.
//!
//! In RustCrypto's interface the tag's length is part of the type; a type here is for one length
//! of nonce, too. Constant time: as the scheme inside.

#![allow(dead_code, reason = "for RustCrypto's traits, each behind its feature")]

use crate::{Cipher, Shared};
use cinder_aead::Aead;
use cinder_block::{BlockDecrypt, KeyError, Slot};
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// A scheme with tags of `T` bytes.
pub(crate) trait Scheme<const T: usize> {
    /// Encrypts in place, if the lengths are allowed. Burns.
    fn seal(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &mut [u8; T]) -> bool;

    /// Decrypts in place, if the lengths are allowed and the tag is right. Burns.
    fn open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8; T]) -> bool;
}

/// A scheme: its type with its parameters, what is inside, what it needs, and the length of its tag.
macro_rules! schemes {
    ($(
        $(#[$doc:meta])*
        $name:ident [$($declared:tt)*] [$($generics:tt)*] [$($arguments:tt)*]:
            $inner:ty, [$($needs:tt)*], $tag:expr;
    )*) => {$(
        $(#[$doc])*
        ///
        /// A clone shares the key, which is wiped when the last of them drops.
        pub struct $name<$($declared)*>(Shared<$inner>);

        impl<$($generics)*> $name<$($arguments)*>
        where
            $($needs)*
        {
            pub(crate) fn key(key: &[u8]) -> Result<Self, KeyError> {
                Slot::<$inner>::boxed(key).map(|scheme| Self(Shared::new(scheme)))
            }

            /// Cinder's scheme inside.
            pub fn cinder(&self) -> &$inner {
                &self.0
            }
        }

        impl<$($generics)*> Scheme<{ $tag }> for $name<$($arguments)*>
        where
            $($needs)*
        {
            fn seal(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &mut [u8; $tag]) -> bool {
                self.0.seal_in_place(nonce, aad, data, tag).is_ok()
            }

            fn open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8; $tag]) -> bool {
                self.0.open_in_place(nonce, aad, data, tag).is_ok()
            }
        }

        impl<$($generics)*> Clone for $name<$($arguments)*> {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }

        impl<$($generics)*> ZeroizeOnDrop for $name<$($arguments)*> {}

        impl<$($generics)*> fmt::Debug for $name<$($arguments)*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

schemes! {
    /// GCM over a cipher with blocks of 16 bytes: nonces of 12 bytes, tags of 16.
    Gcm[C: Cipher<16>][C: Cipher<16>][C]: cinder_gcm::Gcm<C::Inner>, [], 16;
    /// CCM with tags of `T` bytes and nonces of `N`. RustCrypto's traits are there for (16, 12),
    /// (16, 13), (8, 12), (8, 13) and (4, 13).
    Ccm[C: Cipher<16>, const T: usize = 16, const N: usize = 13]
        [C: Cipher<16>, const T: usize, const N: usize][C, T, N]:
        cinder_aead::Ccm<C::Inner, T>, [], T;
    /// EAX: nonces of 16 bytes, tags of 16.
    Eax[C: Cipher<16>][C: Cipher<16>][C]: cinder_aead::Eax<C::Inner, 16>, [], 16;
    /// OCB3 with tags of 16 bytes and nonces of `N`. RustCrypto's traits are there for 12 and 15.
    Ocb3[C: Cipher<16>, const N: usize = 12][C: Cipher<16>, const N: usize][C, N]:
        cinder_aead::Ocb3<C::Inner, 16>, [C::Inner: BlockDecrypt<16>], 16;
    /// SIV with nonces of 16 bytes: the tag comes first, and the key is twice the cipher's.
    Siv[C: Cipher<16>][C: Cipher<16>][C]: cinder_aead::Siv<C::Inner>, [], 16;
    /// GCM-SIV with nonces of 12 bytes and tags of 16, over a cipher with keys of 16 or 32 bytes.
    GcmSiv[C: Cipher<16>][C: Cipher<16>][C]: cinder_aead::GcmSiv<C::Inner>, [], 16;
    /// ChaCha20-Poly1305: nonces of 12 bytes, tags of 16.
    ChaCha20Poly1305[][][]: cinder_aead::ChaCha20Poly1305, [], 16;
    /// XChaCha20-Poly1305: nonces of 24 bytes, which may be random, and tags of 16.
    XChaCha20Poly1305[][][]: cinder_aead::XChaCha20Poly1305, [], 16;
}

#[cfg(feature = "aes")]
mod aes {
    use super::{Ccm, Gcm, GcmSiv, Siv};

    /// AES-128-GCM: nonces of 12 bytes, tags of 16.
    pub type Aes128Gcm = Gcm<crate::Aes128Enc>;
    /// AES-256-GCM: nonces of 12 bytes, tags of 16.
    pub type Aes256Gcm = Gcm<crate::Aes256Enc>;
    /// AES-128-CCM: nonces of 12 bytes, tags of 16.
    pub type Aes128Ccm = Ccm<crate::Aes128Enc, 16, 12>;
    /// AES-256-CCM: nonces of 12 bytes, tags of 16.
    pub type Aes256Ccm = Ccm<crate::Aes256Enc, 16, 12>;
    /// AES-128-SIV, whose key has 32 bytes.
    pub type Aes128SivAead = Siv<crate::Aes128Enc>;
    /// AES-256-SIV, whose key has 64 bytes.
    pub type Aes256SivAead = Siv<crate::Aes256Enc>;
    /// AES-128-GCM-SIV: nonces of 12 bytes, tags of 16.
    pub type Aes128GcmSiv = GcmSiv<crate::Aes128Enc>;
    /// AES-256-GCM-SIV: nonces of 12 bytes, tags of 16.
    pub type Aes256GcmSiv = GcmSiv<crate::Aes256Enc>;
}
#[cfg(feature = "aes")]
pub use aes::*;

/// The traits of one generation, each scheme by the macro `scheme` of that module: its parameters, the
/// type, what it needs, the bytes in a nonce and in a tag, and where the tag stands.
#[allow(unused_macros, reason = "for RustCrypto's traits, each behind its feature")]
macro_rules! each_scheme {
    ($scheme:ident) => {
        $scheme!([C: Cipher<16>] Gcm<C>, [], U12, U16, Postfix);
        $scheme!([C: Cipher<16>] Ccm<C, 16, 12>, [], U12, U16, Postfix);
        $scheme!([C: Cipher<16>] Ccm<C, 16, 13>, [], U13, U16, Postfix);
        $scheme!([C: Cipher<16>] Ccm<C, 8, 12>, [], U12, U8, Postfix);
        $scheme!([C: Cipher<16>] Ccm<C, 8, 13>, [], U13, U8, Postfix);
        $scheme!([C: Cipher<16>] Ccm<C, 4, 13>, [], U13, U4, Postfix);
        $scheme!([C: Cipher<16>] Eax<C>, [], U16, U16, Postfix);
        $scheme!([C: Cipher<16>] Ocb3<C, 12>, [C::Inner: BlockDecrypt<16>], U12, U16, Postfix);
        $scheme!([C: Cipher<16>] Ocb3<C, 15>, [C::Inner: BlockDecrypt<16>], U15, U16, Postfix);
        $scheme!([C: Cipher<16>] Siv<C>, [], U16, U16, Prefix);
        $scheme!([C: Cipher<16>] GcmSiv<C>, [], U12, U16, Postfix);
        $scheme!([] ChaCha20Poly1305, [], U12, U16, Postfix);
        $scheme!([] XChaCha20Poly1305, [], U24, U16, Postfix);
    };
}
#[allow(unused_imports, reason = "for RustCrypto's traits, each behind its feature")]
pub(crate) use each_scheme;
