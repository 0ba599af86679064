//! `aead` 0.6: its traits on the schemes of this crate.
//!
//! The text never passes through the stack; the tag, which RustCrypto returns by value, does.

use crate::aead::{Scheme, each_scheme};
use crate::{Ccm, ChaCha20Poly1305, Cipher, Eax, Gcm, GcmSiv, Ocb3, Siv, XChaCha20Poly1305};
use aead06::array::ArraySize;
use aead06::consts::{U4, U8, U12, U13, U15, U16, U24};
use aead06::inout::InOutBuf;
use aead06::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use cinder_block::BlockDecrypt;
use core::ops::Add;

pub use aead06 as aead;

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
            const TAG_POSITION: TagPosition = TagPosition::$position;
        }

        impl<$($generics)*> AeadInOut for $name
        where
            $($needs)*
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
