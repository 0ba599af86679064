//! AES (FIPS 197). Placeholder kernel: correct, slow, constant time.

mod portable;

use crate::{AesHardware, BlockDecrypt, BlockEncrypt, Depth, InPlace, KeyError};
use core::fmt;

macro_rules! aes {
    ($name:ident, $encrypt:ident, $key:literal, $rounds:literal) => {
        /// AES for encryption alone.
        pub struct $encrypt {
            keys: [[u8; 16]; $rounds + 1],
        }

        impl $encrypt {
            /// By value: what a move leaves behind is the caller's.
            ///
            /// # Errors
            ///
            /// [`KeyError::Length`] unless the key has the cipher's length.
            pub fn new(key: &[u8]) -> Result<Self, KeyError> {
                let mut cipher = Self::vacant();
                burn::scope(|| match cipher.rekey(key) {
                    Ok(depth) => (Ok(()), depth),
                    Err(error) => (Err(error), Depth::NONE),
                })?;
                Ok(cipher)
            }
        }

        impl InPlace for $encrypt {
            fn vacant() -> Self {
                Self { keys: [[0; 16]; $rounds + 1] }
            }
            fn rekey(&mut self, key: &[u8]) -> Result<Depth, KeyError> {
                let key: &[u8; $key] = key.try_into().map_err(|_| KeyError::Length)?;
                Ok(portable::expand(key, &mut self.keys))
            }
        }

        impl BlockEncrypt<16> for $encrypt {
            fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
                portable::encrypt_blocks(&self.keys, blocks)
            }
            fn aes_hardware(&self) -> Option<AesHardware<'_>> {
                #[cfg(target_arch = "x86_64")]
                return cpu::x86::AesNi::detect()
                    .map(|token| AesHardware { round_keys: &self.keys, token });
                #[cfg(not(target_arch = "x86_64"))]
                None
            }
        }

        impl Drop for $encrypt {
            fn drop(&mut self) {
                burn::wipe(&mut self.keys);
            }
        }

        impl zeroize::ZeroizeOnDrop for $encrypt {}

        impl fmt::Debug for $encrypt {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($encrypt)).finish_non_exhaustive()
            }
        }

        /// AES in both directions.
        pub struct $name {
            forward: $encrypt,
        }

        impl $name {
            /// By value: what a move leaves behind is the caller's.
            ///
            /// # Errors
            ///
            /// [`KeyError::Length`] unless the key has the cipher's length.
            pub fn new(key: &[u8]) -> Result<Self, KeyError> {
                Ok(Self { forward: $encrypt::new(key)? })
            }
        }

        impl InPlace for $name {
            fn vacant() -> Self {
                Self { forward: $encrypt::vacant() }
            }
            fn rekey(&mut self, key: &[u8]) -> Result<Depth, KeyError> {
                self.forward.rekey(key)
            }
        }

        impl BlockEncrypt<16> for $name {
            fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
                self.forward.encrypt_blocks(blocks)
            }
            fn aes_hardware(&self) -> Option<AesHardware<'_>> {
                self.forward.aes_hardware()
            }
        }

        impl BlockDecrypt<16> for $name {
            fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
                portable::decrypt_blocks(&self.forward.keys, blocks)
            }
        }

        impl zeroize::ZeroizeOnDrop for $name {}

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}

aes!(Aes128, Aes128Encrypt, 16, 10);
aes!(Aes192, Aes192Encrypt, 24, 12);
aes!(Aes256, Aes256Encrypt, 32, 14);
