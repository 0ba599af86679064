//! The block ciphers: a key on the heap behind a type with the name that RustCrypto's has.
//!
//! A key's length and its rules are RustCrypto's: no weak key is refused by `KeyInit`, and a cipher
//! whose keys vary in length takes them from `new_from_slice`. Constant time: as the cipher inside.

use alloc::boxed::Box;
use cinder_block::{BlockEncrypt, Depth, InPlace, KeyError, Refusal, Slot};
use zeroize::ZeroizeOnDrop;

/// What owns a key: a box in which it was expanded and is wiped, shared by clones.
#[cfg(target_has_atomic = "ptr")]
pub type Shared<C> = alloc::sync::Arc<Box<C>>;

/// What owns a key: a box in which it was expanded and is wiped, shared by clones. This target has
/// no atomic counters, so it does not leave its thread.
#[cfg(not(target_has_atomic = "ptr"))]
pub type Shared<C> = alloc::rc::Rc<Box<C>>;

/// A block cipher of this crate, with blocks of `N` bytes: what the modes of this crate take.
pub trait Cipher<const N: usize>: Clone + sealed::Sealed {
    /// Cinder's cipher inside.
    type Inner: BlockEncrypt<N> + InPlace + ZeroizeOnDrop;

    /// The cipher inside, to share with one of Cinder's own modes.
    fn shared(&self) -> &Shared<Self::Inner>;
}

pub(crate) mod sealed {
    pub trait Sealed {}
}

type Rekey<C> = fn(&mut C, &[u8]) -> Result<Depth, Refusal>;

/// A key of a length in bytes that `lengths` allows, expanded in its box.
#[allow(dead_code, reason = "each cipher is behind its feature")]
fn shared<C: InPlace>(
    key: &[u8],
    lengths: core::ops::RangeInclusive<usize>,
    rekey: Rekey<C>,
) -> Result<Shared<C>, KeyError> {
    if !lengths.contains(&key.len()) {
        return Err(KeyError::Length);
    }
    Slot::boxed_with(|cipher| rekey(cipher, key)).map(Shared::new)
}

/// One row a cipher: its feature, its name, the cipher inside, bytes in a block, what
/// [`Cipher`] needs besides, `KeySize`, the lengths of keys in bytes, how it is keyed, and how if
/// weak keys are refused.
macro_rules! ciphers {
    ($(
        $(#[$doc:meta])*
        $feature:literal $name:ident: $inner:ty, $directions:ident $n:literal $block:ident,
        $key:ident, $lengths:expr, $rekey:expr, $strict:expr;
    )*) => {$(
        $(#[$doc])*
        ///
        /// A clone shares the key, which is wiped when the last of them drops.
        #[cfg(feature = $feature)]
        #[derive(Clone)]
        pub struct $name(Shared<$inner>);

        #[cfg(feature = $feature)]
        impl $name {
            #[allow(dead_code, reason = "for RustCrypto's traits, each behind its feature")]
            pub(crate) fn key(key: &[u8]) -> Result<Self, KeyError> {
                let rekey: Rekey<$inner> = $rekey;
                shared(key, $lengths, rekey).map(Self)
            }

            /// A key of any length that the cipher takes, unless it is weak.
            ///
            /// # Errors
            ///
            /// [`KeyError`] if the key is refused.
            pub fn new_strict(key: &[u8]) -> Result<Self, KeyError> {
                let rekey: Rekey<$inner> = $strict;
                shared(key, $lengths, rekey).map(Self)
            }

            /// Cinder's cipher inside, to give to one of Cinder's own modes.
            pub fn cinder(&self) -> &$inner {
                &self.0
            }
        }

        #[cfg(feature = $feature)]
        impl Cipher<$n> for $name {
            type Inner = $inner;

            fn shared(&self) -> &Shared<$inner> {
                &self.0
            }
        }

        #[cfg(feature = $feature)]
        impl sealed::Sealed for $name {}

        #[cfg(feature = $feature)]
        impl ZeroizeOnDrop for $name {}

        #[cfg(feature = $feature)]
        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(concat!(stringify!($name), " { .. }"))
            }
        }

        #[cfg(all(feature = "cipher04", feature = $feature))]
        crate::cipher04::block_cipher!($name, $directions $n $block, $key);

        #[cfg(all(feature = "cipher05", feature = $feature))]
        crate::cipher05::block_cipher!($name, $directions $n $block, $key);
    )*};
}

ciphers! {
    /// AES-128, both directions.
    "aes" Aes128: cinder_block::Aes128, both 16 U16,
        U16, 16..=16, InPlace::rekey, InPlace::rekey;
    /// AES-128, the forward direction alone: all that CTR, CFB, OFB and GCM need.
    "aes" Aes128Enc: cinder_block::Aes128Encrypt, forward 16 U16,
        U16, 16..=16, InPlace::rekey, InPlace::rekey;
    /// AES-192, both directions.
    "aes" Aes192: cinder_block::Aes192, both 16 U16,
        U24, 24..=24, InPlace::rekey, InPlace::rekey;
    /// AES-192, the forward direction alone.
    "aes" Aes192Enc: cinder_block::Aes192Encrypt, forward 16 U16,
        U24, 24..=24, InPlace::rekey, InPlace::rekey;
    /// AES-256, both directions.
    "aes" Aes256: cinder_block::Aes256, both 16 U16,
        U32, 32..=32, InPlace::rekey, InPlace::rekey;
    /// AES-256, the forward direction alone.
    "aes" Aes256Enc: cinder_block::Aes256Encrypt, forward 16 U16,
        U32, 32..=32, InPlace::rekey, InPlace::rekey;
    /// ARIA with 128-bit keys.
    "aria" Aria128: cinder_block::Aria, both 16 U16,
        U16, 16..=16, InPlace::rekey, InPlace::rekey;
    /// ARIA with 192-bit keys.
    "aria" Aria192: cinder_block::Aria, both 16 U16,
        U24, 24..=24, InPlace::rekey, InPlace::rekey;
    /// ARIA with 256-bit keys.
    "aria" Aria256: cinder_block::Aria, both 16 U16,
        U32, 32..=32, InPlace::rekey, InPlace::rekey;
    /// Blowfish. `KeySize` is 56 bytes; `new_from_slice` takes 4 to 56.
    "blowfish" Blowfish: cinder_block::Blowfish, both 8 U8,
        U56, 4..=56, cinder_block::Blowfish::rekey_allow_weak, InPlace::rekey;
    /// Camellia with 128-bit keys.
    "camellia" Camellia128: cinder_block::Camellia, both 16 U16,
        U16, 16..=16, InPlace::rekey, InPlace::rekey;
    /// Camellia with 192-bit keys.
    "camellia" Camellia192: cinder_block::Camellia, both 16 U16,
        U24, 24..=24, InPlace::rekey, InPlace::rekey;
    /// Camellia with 256-bit keys.
    "camellia" Camellia256: cinder_block::Camellia, both 16 U16,
        U32, 32..=32, InPlace::rekey, InPlace::rekey;
    /// CAST5. `KeySize` is 16 bytes; `new_from_slice` takes 5 to 16.
    "cast5" Cast5: cinder_block::Cast5, both 8 U8,
        U16, 5..=16, InPlace::rekey, InPlace::rekey;
    /// DES. Broken: for old data alone.
    "des" Des: cinder_block::Des, both 8 U8,
        U8, 8..=8, cinder_block::Des::rekey_allow_weak, InPlace::rekey;
    /// 3DES with two keys.
    "des" TdesEde2: cinder_block::TripleDes, both 8 U8,
        U16, 16..=16, cinder_block::TripleDes::rekey_allow_weak, InPlace::rekey;
    /// 3DES with three keys.
    "des" TdesEde3: cinder_block::TripleDes, both 8 U8,
        U24, 24..=24, cinder_block::TripleDes::rekey_allow_weak, InPlace::rekey;
    /// IDEA.
    "idea" Idea: cinder_block::Idea, both 8 U8,
        U16, 16..=16, InPlace::rekey, InPlace::rekey;
    /// RC2 with as many effective key bits as the key has. `KeySize` is 32 bytes; `new_from_slice`
    /// takes 1 to 128.
    "rc2" Rc2: cinder_block::Rc2, both 8 U8,
        U32, 1..=128, InPlace::rekey, InPlace::rekey;
    /// SEED.
    "seed" Seed: cinder_block::Seed, both 16 U16,
        U16, 16..=16, InPlace::rekey, InPlace::rekey;
    /// Serpent. `KeySize` is 16 bytes; `new_from_slice` takes 16 to 32.
    "serpent" Serpent: cinder_block::Serpent, both 16 U16,
        U16, 16..=32, cinder_block::Serpent::rekey_padded, cinder_block::Serpent::rekey_padded;
    /// Twofish. `KeySize` is 32 bytes; `new_from_slice` takes 16, 24 and 32.
    "twofish" Twofish: cinder_block::Twofish, both 16 U16,
        U32, 16..=32, InPlace::rekey, InPlace::rekey;
}

/// RustCrypto's name for the inverse direction alone. Here it is both directions.
#[cfg(feature = "aes")]
pub type Aes128Dec = Aes128;
/// RustCrypto's name for the inverse direction alone. Here it is both directions.
#[cfg(feature = "aes")]
pub type Aes192Dec = Aes192;
/// RustCrypto's name for the inverse direction alone. Here it is both directions.
#[cfg(feature = "aes")]
pub type Aes256Dec = Aes256;

#[cfg(feature = "rc2")]
impl Rc2 {
    /// RC2 with `bits` effective key bits, as PKCS#12 and S/MIME have it.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 1 to 128 bytes, and what
    /// [`rekey_effective`](cinder_block::Rc2::rekey_effective) says of `bits`.
    pub fn new_effective(key: &[u8], bits: u16) -> Result<Self, KeyError> {
        Slot::boxed_with(|rc2: &mut cinder_block::Rc2| rc2.rekey_effective(key, bits))
            .map(|rc2| Self(Shared::new(rc2)))
    }
}
