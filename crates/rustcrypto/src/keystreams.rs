//! Keystreams under the traits of one generation: all but `StreamCipher` itself, whose methods differ.
//!
//! This file is a module of `cipher04` and one of `cipher05`: `super` is the generation.

use super::FIRST;
use super::cipher::consts::{U8, U12, U16, U24, U32};
use super::cipher::{
    AlgorithmName, InvalidLength, Iv, IvSizeUser, Key, KeyInit, KeyIvInit, KeySizeUser,
    OverflowError, SeekNum, StreamCipherError, StreamCipherSeek,
};
use crate::streams::{ChaCha, Rc4, Salsa, Seek};
use crate::{ChaCha20, Cipher, Ctr, Ofb, XChaCha20};
use core::fmt;

macro_rules! seek {
    ([$($generics:tt)*] $name:ty) => {
        impl<$($generics)*> StreamCipherSeek for $name {
            fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
                // Blocks of one byte.
                T::from_block_byte(Seek::position(self), FIRST, 1)
            }

            fn try_seek<T: SeekNum>(&mut self, position: T) -> Result<(), StreamCipherError> {
                let (position, _) = position.into_block_byte::<u128>(1)?;
                if Seek::seek(self, position) { Ok(()) } else { Err(StreamCipherError) }
            }
        }
    };
}

seek!([C: Cipher<N>, const N: usize, const WIDTH: usize] Ctr<C, N, WIDTH>);
seek!([const ROUNDS: usize] Salsa<ROUNDS>);
seek!([const NONCE: usize] ChaCha<NONCE>);

impl<C: Cipher<N> + AlgorithmName, const N: usize, const WIDTH: usize> AlgorithmName
    for Ctr<C, N, WIDTH>
{
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ctr{}BE<", 8 * WIDTH)?;
        C::write_alg_name(f)?;
        f.write_str(">")
    }
}

impl<C: Cipher<N> + AlgorithmName, const N: usize> AlgorithmName for Ofb<C, N> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ofb<")?;
        C::write_alg_name(f)?;
        f.write_str(">")
    }
}

impl KeySizeUser for Rc4 {
    type KeySize = U16;
}

impl KeyInit for Rc4 {
    fn new(key: &Key<Self>) -> Self {
        Rc4::key(key).expect("a key of KeySize")
    }

    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        Rc4::key(key).map_err(|_| InvalidLength)
    }
}

impl AlgorithmName for Rc4 {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rc4")
    }
}

impl<const ROUNDS: usize> KeySizeUser for Salsa<ROUNDS> {
    type KeySize = U32;
}

impl<const ROUNDS: usize> IvSizeUser for Salsa<ROUNDS> {
    type IvSize = U8;
}

impl<const ROUNDS: usize> KeyIvInit for Salsa<ROUNDS> {
    fn new(key: &Key<Self>, iv: &Iv<Self>) -> Self {
        Salsa::key(key, (*iv).into()).expect("a key of KeySize")
    }

    fn new_from_slices(key: &[u8], iv: &[u8]) -> Result<Self, InvalidLength> {
        let nonce = iv.try_into().map_err(|_| InvalidLength)?;
        Salsa::key(key, nonce).map_err(|_| InvalidLength)
    }
}

impl<const ROUNDS: usize> AlgorithmName for Salsa<ROUNDS> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Salsa20/{ROUNDS}")
    }
}

/// `NONCE` as a type, and the name.
macro_rules! chacha {
    ($name:ident, $size:ty) => {
        impl KeySizeUser for $name {
            type KeySize = U32;
        }

        impl IvSizeUser for $name {
            type IvSize = $size;
        }

        impl KeyIvInit for $name {
            fn new(key: &Key<Self>, iv: &Iv<Self>) -> Self {
                $name::key(key, &(*iv).into()).expect("a key of KeySize")
            }

            fn new_from_slices(key: &[u8], iv: &[u8]) -> Result<Self, InvalidLength> {
                let nonce = iv.try_into().map_err(|_| InvalidLength)?;
                $name::key(key, nonce).map_err(|_| InvalidLength)
            }
        }

        impl AlgorithmName for $name {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    };
}

chacha!(ChaCha20, U12);
chacha!(XChaCha20, U24);
