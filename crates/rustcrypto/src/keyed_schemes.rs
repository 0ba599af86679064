//! The keys of schemes under the traits of one generation; but for SIV's, whose size needs more.
//!
//! This file is a module of `aead05` and one of `aead06`: `super` is the generation.

use super::aead::consts::U32;
use super::aead::{Key, KeyInit, KeySizeUser};
use crate::{Ccm, ChaCha20Poly1305, Cipher, Eax, Gcm, GcmSiv, Ocb3, XChaCha20Poly1305};
use cinder_block::BlockDecrypt;

macro_rules! keyed {
    ([$($generics:tt)*] $name:ty, [$($needs:tt)*], $size:ty) => {
        impl<$($generics)*> KeySizeUser for $name {
            type KeySize = $size;
        }

        impl<$($generics)*> KeyInit for $name
        where
            $($needs)*
        {
            fn new(key: &Key<Self>) -> Self {
                Self::key(key).expect("a key of KeySize")
            }
        }
    };
}

keyed!([C: Cipher<16> + KeySizeUser] Gcm<C>, [], C::KeySize);
keyed!([C: Cipher<16> + KeySizeUser, const T: usize, const N: usize] Ccm<C, T, N>, [], C::KeySize);
keyed!([C: Cipher<16> + KeySizeUser] Eax<C>, [], C::KeySize);
keyed!([C: Cipher<16> + KeySizeUser, const N: usize] Ocb3<C, N>, [C::Inner: BlockDecrypt<16>], C::KeySize);
keyed!([C: Cipher<16> + KeySizeUser] GcmSiv<C>, [], C::KeySize);
keyed!([] ChaCha20Poly1305, [], U32);
keyed!([] XChaCha20Poly1305, [], U32);
