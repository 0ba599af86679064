//! Block modes over a cipher of this crate: CBC and CFB in whole blocks, CTR and OFB in bytes.
//!
//! The names and the conventions are those of RustCrypto's `cbc`, `cfb-mode`, `ctr` and `ofb`.
//! Constant time: yes, if the cipher is.

use crate::boxed::Boxed;
use crate::{Cipher, Shared};
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth};
use core::fmt;
use core::marker::PhantomData;
use zeroize::ZeroizeOnDrop;

/// A mode in whole blocks: the cipher, shared, and a block of chain, which is ciphertext. See [`cbc`]
/// and [`cfb`].
pub struct BlockMode<M, C: Cipher<N>, const N: usize> {
    cipher: Shared<C::Inner>,
    chain: [u8; N],
    mode: PhantomData<M>,
}

impl<M, C: Cipher<N>, const N: usize> BlockMode<M, C, N> {
    /// The mode over a cipher that has its key, from an IV.
    pub fn over(cipher: &C, iv: &[u8; N]) -> Self {
        BlockMode { cipher: cipher.shared().clone(), chain: *iv, mode: PhantomData }
    }

    /// C_0, the IV, and then the last ciphertext block.
    pub fn chain(&self) -> &[u8; N] {
        &self.chain
    }

    /// Begins another message, or goes on from a ciphertext block.
    pub fn restart(&mut self, iv: &[u8; N]) {
        self.chain = *iv;
    }

    /// Any count of blocks. The caller burns.
    #[allow(dead_code, reason = "for RustCrypto's traits, each behind its feature")]
    pub(crate) fn step(&mut self, blocks: &mut [[u8; N]]) -> Depth
    where
        M: Step<C::Inner, N>,
    {
        M::step(&self.cipher, &mut self.chain, blocks)
    }
}

/// A mode in one direction over a cipher.
pub trait Step<C, const N: usize>: crate::sealed::Sealed {
    /// Any count of blocks. The caller burns.
    fn step(cipher: &C, chain: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth;
}

/// A mode that encrypts.
pub trait Encrypts: crate::sealed::Sealed {}

/// A mode that decrypts.
pub trait Decrypts: crate::sealed::Sealed {}

/// One row a mode in one direction: its type, what of a cipher it needs, by which method, and its name.
macro_rules! steps {
    ($($name:ident, $direction:ident, $needs:ident, $method:ident, $text:literal;)*) => {$(
        #[doc = concat!("`", $text, "`.")]
        #[derive(Debug)]
        pub enum $name {}

        impl crate::sealed::Sealed for $name {}
        impl $direction for $name {}

        impl<C: $needs<N>, const N: usize> Step<C, N> for $name {
            fn step(cipher: &C, chain: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
                cipher.$method(chain, blocks)
            }
        }

        #[cfg(feature = "cipher04")]
        crate::cipher04::block_mode!($name, $direction, $text);
        #[cfg(feature = "cipher05")]
        crate::cipher05::block_mode!($name, $direction, $text);
    )*};
}

steps! {
    CbcEncrypt, Encrypts, BlockEncrypt, cbc_encrypt, "cbc::Encryptor";
    CbcDecrypt, Decrypts, BlockDecrypt, cbc_decrypt, "cbc::Decryptor";
    CfbEncrypt, Encrypts, BlockEncrypt, cfb_encrypt, "cfb::Encryptor";
    CfbDecrypt, Decrypts, BlockEncrypt, cfb_decrypt, "cfb::Decryptor";
}

impl<M, C: Cipher<N>, const N: usize> Drop for BlockMode<M, C, N> {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.chain);
    }
}

impl<M, C: Cipher<N>, const N: usize> ZeroizeOnDrop for BlockMode<M, C, N> {}

impl<M, C: Cipher<N>, const N: usize> fmt::Debug for BlockMode<M, C, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockMode").finish_non_exhaustive()
    }
}

/// CBC in whole blocks, or with a padding of RustCrypto's. It authenticates nothing.
pub mod cbc {
    /// CBC encryption over `C`, whose blocks have `N` bytes.
    pub type Encryptor<C, const N: usize = 16> = super::BlockMode<super::CbcEncrypt, C, N>;
    /// CBC decryption over `C`, whose blocks have `N` bytes.
    pub type Decryptor<C, const N: usize = 16> = super::BlockMode<super::CbcDecrypt, C, N>;
}

/// CFB with full-block feedback. It authenticates nothing.
pub mod cfb {
    /// CFB encryption over `C`, whose blocks have `N` bytes.
    pub type Encryptor<C, const N: usize = 16> = super::BlockMode<super::CfbEncrypt, C, N>;
    /// CFB decryption over `C`, whose blocks have `N` bytes.
    pub type Decryptor<C, const N: usize = 16> = super::BlockMode<super::CfbDecrypt, C, N>;
}

impl<C: Cipher<N>, const N: usize> BlockMode<CfbEncrypt, C, N> {
    /// Encrypts a whole message of any length, or its last piece.
    pub fn encrypt(self, data: &mut [u8]) {
        cinder_modes::cfb::Encryptor::new(&*self.cipher, &self.chain).encrypt(data);
    }
}

impl<C: Cipher<N>, const N: usize> BlockMode<CfbDecrypt, C, N> {
    /// Decrypts a whole message of any length, or its last piece.
    pub fn decrypt(self, data: &mut [u8]) {
        cinder_modes::cfb::Decryptor::new(&*self.cipher, &self.chain).decrypt(data);
    }
}

/// CTR over `C`, whose blocks have `N` bytes, of which the last `WIDTH` count, big endian. See
/// [`Ctr128BE`] and its like. It authenticates nothing.
///
/// On the heap: moves leave no keystream behind.
pub struct Ctr<C: Cipher<N>, const N: usize, const WIDTH: usize>(
    pub(crate) Boxed<cinder_modes::ctr::Ctr<Shared<C::Inner>, N>>,
);

/// CTR that counts in the last 4 bytes, as `ctr::Ctr32BE`.
pub type Ctr32BE<C, const N: usize = 16> = Ctr<C, N, 4>;
/// CTR that counts in the last 8 bytes, as `ctr::Ctr64BE`.
pub type Ctr64BE<C, const N: usize = 16> = Ctr<C, N, 8>;
/// CTR that counts in all of its 16 bytes, as `ctr::Ctr128BE`.
pub type Ctr128BE<C> = Ctr<C, 16, 16>;

impl<C: Cipher<N>, const N: usize, const WIDTH: usize> Ctr<C, N, WIDTH> {
    /// CTR over a cipher that has its key, from the first counter block.
    pub fn over(cipher: &C, iv: &[u8; N]) -> Self {
        const { assert!(0 < WIDTH && WIDTH <= N) };
        Ctr(Boxed::new(|| {
            let ctr = cinder_modes::ctr::Ctr::with_width(cipher.shared().clone(), iv, WIDTH);
            ctr.expect("a width of 1 to N")
        }))
    }
}

/// OFB over `C`, whose blocks have `N` bytes. It authenticates nothing.
///
/// On the heap: moves leave no keystream behind.
pub struct Ofb<C: Cipher<N>, const N: usize = 16>(
    pub(crate) Boxed<cinder_modes::ofb::Ofb<Shared<C::Inner>, N>>,
);

impl<C: Cipher<N>, const N: usize> Ofb<C, N> {
    /// OFB over a cipher that has its key, from an IV.
    pub fn over(cipher: &C, iv: &[u8; N]) -> Self {
        Ofb(Boxed::new(|| cinder_modes::ofb::Ofb::new(cipher.shared().clone(), iv)))
    }
}

macro_rules! marks {
    ($name:ident<C $(, $parameter:ident)*>) => {
        impl<C: Cipher<N>, $(const $parameter: usize),*> ZeroizeOnDrop for $name<C $(, $parameter)*> {}

        impl<C: Cipher<N>, $(const $parameter: usize),*> fmt::Debug for $name<C $(, $parameter)*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}

marks!(Ctr<C, N, WIDTH>);
marks!(Ofb<C, N>);
