//! Stream ciphers that leave no trace: [`Arc4`], [`Salsa20`], [`ChaCha20`] and [`XChaCha20`].
//!
//! All XOR a keystream into data, so encryption and decryption are the same call, in any
//! split: a cut between two calls may fall anywhere. None authenticates: ChaCha20 with Poly1305
//! is in the crate `cinder-aead`.
//!
//! Keys are set up in place through [`cinder_block::Slot`], wiped when they drop, and every call burns
//! the stack and the registers once, at its end (see the crate `burn`).
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
#[expect(unsafe_code, reason = "a kernel: its token proves the CPU's features")]
mod aarch64_neon;
mod arc4;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
))]
#[expect(unsafe_code, reason = "a kernel: its token proves the CPU's features")]
mod arm_neon;
mod chacha20;
mod error;
mod kernel;
#[cfg(any(
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
    all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    )
))]
mod neon;
mod salsa20;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[expect(unsafe_code, reason = "kernels: their tokens prove the CPU's features")]
mod x86;

pub use arc4::Arc4;
pub use chacha20::{ChaCha20, ChaCha20Keystream, XChaCha20};
pub use cinder_block::{KeyError, Slot};
pub use error::StreamError;
pub use kernel::Kernel;
pub use salsa20::{Salsa20, Salsa20Keystream};
