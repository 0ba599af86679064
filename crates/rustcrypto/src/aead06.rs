//! `aead` 0.6: its traits on the schemes of this crate.
//!
//! The text never passes through the stack; the tag, which RustCrypto returns by value, does.

use crate::aead::{Scheme, each_scheme};
use crate::{Ccm, Cipher, Eax, Gcm, Ocb3, Siv};
use aead06::array::ArraySize;
use aead06::consts::{U4, U8, U12, U13, U15, U16};
use aead06::inout::InOutBuf;
use aead06::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use cinder_block::BlockDecrypt;
use core::ops::Add;

pub use aead06 as aead;

macro_rules! scheme {
    ($name:ty, $needs:path, $nonce:ty, $tag:ty, $position:ident) => {
        impl<C: Cipher<16>> AeadCore for $name
        where
            C::Inner: $needs,
        {
            type NonceSize = $nonce;
            type TagSize = $tag;
            const TAG_POSITION: TagPosition = TagPosition::$position;
        }

        impl<C: Cipher<16>> AeadInOut for $name
        where
            C::Inner: $needs,
        {
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                data: InOutBuf<'_, '_, u8>,
            ) -> Result<Tag<Self>, Error> {
                let mut tag = Tag::<Self>::default();
                if self.seal(nonce, aad, data.into_out_with_copied_in(), &mut tag.0) {
                    Ok(tag)
                } else {
                    Err(Error)
                }
            }

            fn decrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                data: InOutBuf<'_, '_, u8>,
                tag: &Tag<Self>,
            ) -> Result<(), Error> {
                let data = data.into_out_with_copied_in();
                if self.open(nonce, aad, data, &tag.0) { Ok(()) } else { Err(Error) }
            }
        }
    };
}

each_scheme!(scheme);

/// Keys are the cipher's.
macro_rules! keyed {
    ($name:ident $(, $parameter:ident)*: $needs:path) => {
        impl<C: Cipher<16> + KeySizeUser $(, const $parameter: usize)*> KeySizeUser
            for $name<C $(, $parameter)*>
        {
            type KeySize = C::KeySize;
        }

        impl<C: Cipher<16> + KeySizeUser $(, const $parameter: usize)*> KeyInit
            for $name<C $(, $parameter)*>
        where
            C::Inner: $needs,
        {
            fn new(key: &Key<Self>) -> Self {
                Self::key(key).expect("a key of KeySize")
            }
        }
    };
}

keyed!(Gcm: Sized);
keyed!(Ccm, T, N: Sized);
keyed!(Eax: Sized);
keyed!(Ocb3, N: BlockDecrypt<16>);

impl<C: Cipher<16> + KeySizeUser> KeySizeUser for Siv<C>
where
    C::KeySize: Add<C::KeySize, Output: ArraySize>,
{
    type KeySize = <C::KeySize as Add<C::KeySize>>::Output;
}

impl<C: Cipher<16> + KeySizeUser> KeyInit for Siv<C>
where
    C::KeySize: Add<C::KeySize, Output: ArraySize>,
{
    fn new(key: &Key<Self>) -> Self {
        Self::key(key).expect("a key of KeySize")
    }
}
