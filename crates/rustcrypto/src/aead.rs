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

/// A scheme over a cipher of this crate: its type, what is inside, what it needs of the cipher, and
/// the length of its tag.
macro_rules! schemes {
    ($(
        $(#[$doc:meta])*
        $name:ident<$cipher:ident $(, $parameter:ident $(= $default:literal)?)*>: $inner:ty,
        $needs:path, $tag:expr;
    )*) => {$(
        $(#[$doc])*
        ///
        /// A clone shares the key, which is wiped when the last of them drops.
        pub struct $name<$cipher: Cipher<16> $(, const $parameter: usize $(= $default)?)*>(
            Shared<$inner>,
        );

        impl<$cipher: Cipher<16> $(, const $parameter: usize)*> $name<$cipher $(, $parameter)*>
        where
            $cipher::Inner: $needs,
        {
            pub(crate) fn key(key: &[u8]) -> Result<Self, KeyError> {
                Slot::<$inner>::boxed(key).map(|scheme| Self(Shared::new(scheme)))
            }

            /// Cinder's scheme inside.
            pub fn cinder(&self) -> &$inner {
                &self.0
            }
        }

        impl<$cipher: Cipher<16> $(, const $parameter: usize)*> Scheme<{ $tag }>
            for $name<$cipher $(, $parameter)*>
        where
            $cipher::Inner: $needs,
        {
            fn seal(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &mut [u8; $tag]) -> bool {
                self.0.seal_in_place(nonce, aad, data, tag).is_ok()
            }

            fn open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8; $tag]) -> bool {
                self.0.open_in_place(nonce, aad, data, tag).is_ok()
            }
        }

        impl<$cipher: Cipher<16> $(, const $parameter: usize)*> Clone
            for $name<$cipher $(, $parameter)*>
        {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }

        impl<$cipher: Cipher<16> $(, const $parameter: usize)*> ZeroizeOnDrop
            for $name<$cipher $(, $parameter)*>
        {
        }

        impl<$cipher: Cipher<16> $(, const $parameter: usize)*> fmt::Debug
            for $name<$cipher $(, $parameter)*>
        {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

schemes! {
    /// GCM over a cipher with blocks of 16 bytes: nonces of 12 bytes, tags of 16.
    Gcm<C>: cinder_gcm::Gcm<C::Inner>, Sized, 16;
    /// CCM with tags of `T` bytes and nonces of `N`. RustCrypto's traits are there for (16, 12),
    /// (16, 13), (8, 12), (8, 13) and (4, 13).
    Ccm<C, T = 16, N = 13>: cinder_aead::Ccm<C::Inner, T>, Sized, T;
    /// EAX: nonces of 16 bytes, tags of 16.
    Eax<C>: cinder_aead::Eax<C::Inner, 16>, Sized, 16;
    /// OCB3 with tags of 16 bytes and nonces of `N`. RustCrypto's traits are there for 12 and 15.
    Ocb3<C, N = 12>: cinder_aead::Ocb3<C::Inner, 16>, BlockDecrypt<16>, 16;
    /// SIV with nonces of 16 bytes: the tag comes first, and the key is twice the cipher's.
    Siv<C>: cinder_aead::Siv<C::Inner>, Sized, 16;
}

#[cfg(feature = "aes")]
mod aes {
    use super::{Ccm, Gcm, Siv};

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
}
#[cfg(feature = "aes")]
pub use aes::*;

/// The traits of one generation, each scheme by the macro `scheme` of that module: the type, what it
/// needs of its cipher, the bytes in a nonce and in a tag, and where the tag stands.
#[allow(unused_macros, reason = "for RustCrypto's traits, each behind its feature")]
macro_rules! each_scheme {
    ($scheme:ident) => {
        $scheme!(Gcm<C>, Sized, U12, U16, Postfix);
        $scheme!(Ccm<C, 16, 12>, Sized, U12, U16, Postfix);
        $scheme!(Ccm<C, 16, 13>, Sized, U13, U16, Postfix);
        $scheme!(Ccm<C, 8, 12>, Sized, U12, U8, Postfix);
        $scheme!(Ccm<C, 8, 13>, Sized, U13, U8, Postfix);
        $scheme!(Ccm<C, 4, 13>, Sized, U13, U4, Postfix);
        $scheme!(Eax<C>, Sized, U16, U16, Postfix);
        $scheme!(Ocb3<C, 12>, BlockDecrypt<16>, U12, U16, Postfix);
        $scheme!(Ocb3<C, 15>, BlockDecrypt<16>, U15, U16, Postfix);
        $scheme!(Siv<C>, Sized, U16, U16, Prefix);
    };
}
#[allow(unused_imports, reason = "for RustCrypto's traits, each behind its feature")]
pub(crate) use each_scheme;
