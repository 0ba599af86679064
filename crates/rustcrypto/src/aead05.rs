//! `aead` 0.5: its traits on the schemes of this crate.
//!
//! The text never passes through the stack; the tag, which RustCrypto returns by value, does.

use crate::aead::{Scheme, each_scheme};
use crate::{Ccm, ChaCha20Poly1305, Cipher, Eax, Gcm, GcmSiv, Ocb3, Siv, XChaCha20Poly1305};
use aead05::consts::{U0, U4, U8, U12, U13, U15, U16, U24};
use aead05::generic_array::ArrayLength;
use aead05::{AeadCore, AeadInPlace, Buffer, Error, Key, KeyInit, KeySizeUser, Nonce, Tag};
use cinder_block::BlockDecrypt;
use core::ops::Add;

pub use aead05 as aead;

#[allow(clippy::duplicate_mod, reason = "the other generation has it too")]
#[path = "keyed_schemes.rs"]
mod keyed_schemes;

macro_rules! scheme {
    ([$($generics:tt)*] $name:ty, [$($needs:tt)*], $nonce:ty, $tag:ty, $position:ident) => {
        impl<$($generics)*> AeadCore for $name
        where
            $($needs)*
        {
            type NonceSize = $nonce;
            type TagSize = $tag;
            type CiphertextOverhead = scheme!(overhead $position, $tag);
        }

        impl<$($generics)*> AeadInPlace for $name
        where
            $($needs)*
        {
            fn encrypt_in_place_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                data: &mut [u8],
            ) -> Result<Tag<Self>, Error> {
                let mut tag = Tag::<Self>::default();
                if self.seal(nonce, aad, data, tag.as_mut()) { Ok(tag) } else { Err(Error) }
            }

            fn decrypt_in_place_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                data: &mut [u8],
                tag: &Tag<Self>,
            ) -> Result<(), Error> {
                if self.open(nonce, aad, data, tag.as_ref()) { Ok(()) } else { Err(Error) }
            }

            scheme!(buffers $position);
        }
    };
    (overhead Postfix, $tag:ty) => { U0 };
    (overhead Prefix, $tag:ty) => { $tag };
    (buffers Postfix) => {};
    (buffers Prefix) => {
        fn encrypt_in_place(
            &self,
            nonce: &Nonce<Self>,
            aad: &[u8],
            buffer: &mut dyn Buffer,
        ) -> Result<(), Error> {
            let len = buffer.len();
            let tag = Tag::<Self>::default();
            buffer.extend_from_slice(&tag)?;
            buffer.as_mut().copy_within(..len, tag.len());
            let (front, data) = buffer.as_mut().split_at_mut(tag.len());
            let tag = self.encrypt_in_place_detached(nonce, aad, data)?;
            front.copy_from_slice(&tag);
            Ok(())
        }

        fn decrypt_in_place(
            &self,
            nonce: &Nonce<Self>,
            aad: &[u8],
            buffer: &mut dyn Buffer,
        ) -> Result<(), Error> {
            let mut tag = Tag::<Self>::default();
            let len = buffer.len().checked_sub(tag.len()).ok_or(Error)?;
            let (front, data) = buffer.as_mut().split_at_mut(tag.len());
            tag.copy_from_slice(front);
            self.decrypt_in_place_detached(nonce, aad, data, &tag)?;
            buffer.as_mut().copy_within(tag.len().., 0);
            cinder_burn::wipe(&mut buffer.as_mut()[len..]);
            buffer.truncate(len);
            Ok(())
        }
    };
}

each_scheme!(scheme);

impl<C: Cipher<16> + KeySizeUser> KeySizeUser for Siv<C>
where
    C::KeySize: Add<C::KeySize, Output: ArrayLength<u8> + 'static>,
{
    type KeySize = <C::KeySize as Add<C::KeySize>>::Output;
}

impl<C: Cipher<16> + KeySizeUser> KeyInit for Siv<C>
where
    C::KeySize: Add<C::KeySize, Output: ArrayLength<u8> + 'static>,
{
    fn new(key: &Key<Self>) -> Self {
        Self::key(key).expect("a key of KeySize")
    }
}
