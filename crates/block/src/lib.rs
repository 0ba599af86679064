//! Block ciphers that leave no trace: the traits, the key slot, and each cipher behind its
//! feature.
//!
//! A cipher is a keyed permutation of blocks of `N` bytes (8 or 16). Its methods work in place
//! on slices of blocks, `&mut [[u8; N]]`, and return a [`Depth`]: how deep they used the stack.
//! They do not burn; the mode that calls them does, once, at the end of its own call (see the
//! crate `burn`). Most programs want the crates `modes` or `gcm` on top of this one.
//!
//! # What stays in memory
//!
//! The key schedule, in the cipher's value, until that drops, has another key, or is cleared in its
//! [`Slot`]; each wipes what was there. A slot whose new key is refused, or whose `rekey` panics, is
//! wiped and empty. Expand keys in a slot or a box: by-value constructors are there for
//! convenience, and a value that is moved leaves a copy behind. No cipher is `Clone`. More on this in
//! [what burning cannot reach](cinder_burn#what-burning-cannot-reach).
//!
//! With no features this crate is the traits alone.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(any(
    feature = "aes",
    feature = "aria",
    feature = "blowfish",
    feature = "camellia",
    feature = "cast5",
    feature = "des",
    feature = "idea",
    feature = "rc2",
    feature = "seed",
    feature = "serpent",
    feature = "twofish"
))]
pub mod any;
mod chain;
mod error;
#[cfg(all(
    any(feature = "aria", feature = "camellia", feature = "seed"),
    target_arch = "x86_64",
    target_feature = "sse2"
))]
#[allow(dead_code, reason = "each cipher is behind its feature")]
mod inversion;
#[cfg(any(feature = "idea", feature = "rc2"))]
mod lanes;
#[cfg(all(
    test,
    any(
        feature = "aria",
        feature = "blowfish",
        feature = "camellia",
        feature = "cast5",
        feature = "des",
        feature = "seed",
        feature = "serpent",
        feature = "twofish"
    )
))]
#[allow(dead_code, reason = "not every cipher needs every law")]
mod laws;
#[allow(dead_code, unused_imports, unused_macros, reason = "each cipher is behind its feature")]
mod permutation;
#[allow(dead_code, unused_macros, reason = "used by each cipher, and each is a feature")]
mod schedule;
#[cfg(any(
    feature = "blowfish",
    feature = "camellia",
    feature = "cast5",
    feature = "seed",
    feature = "twofish"
))]
mod sets;
#[cfg(any(feature = "aria", feature = "camellia", feature = "seed"))]
mod slices;
mod slot;
mod traits;
#[cfg(all(
    any(feature = "aria", feature = "camellia", feature = "seed"),
    target_arch = "x86_64",
    target_feature = "sse2"
))]
#[allow(dead_code, reason = "each cipher is behind its feature")]
#[expect(unsafe_code, reason = "for kernels: their tokens prove the CPU's features")]
mod x86_slices;

#[cfg(feature = "aes")]
pub mod aes;
#[cfg(feature = "aria")]
pub mod aria;
#[cfg(feature = "blowfish")]
pub mod blowfish;
#[cfg(feature = "camellia")]
pub mod camellia;
#[cfg(feature = "cast5")]
pub mod cast5;
#[cfg(feature = "des")]
pub mod des;
#[cfg(feature = "idea")]
pub mod idea;
#[cfg(feature = "rc2")]
pub mod rc2;
#[cfg(feature = "seed")]
pub mod seed;
#[cfg(feature = "serpent")]
pub mod serpent;
#[cfg(feature = "twofish")]
pub mod twofish;

pub use cinder_burn::Depth;
pub use error::KeyError;
pub use slot::{InPlace, Refusal, Slot, Vacancy, by_value};
pub use traits::{BlockDecrypt, BlockEncrypt};

#[cfg(feature = "aes")]
pub use aes::{Aes128, Aes128Encrypt, Aes192, Aes192Encrypt, Aes256, Aes256Encrypt};
#[cfg(feature = "aria")]
pub use aria::Aria;
#[cfg(feature = "blowfish")]
pub use blowfish::Blowfish;
#[cfg(feature = "camellia")]
pub use camellia::Camellia;
#[cfg(feature = "cast5")]
pub use cast5::Cast5;
#[cfg(feature = "des")]
pub use des::{Des, TripleDes};
#[cfg(feature = "idea")]
pub use idea::Idea;
#[cfg(feature = "rc2")]
pub use rc2::Rc2;
#[cfg(feature = "seed")]
pub use seed::Seed;
#[cfg(feature = "serpent")]
pub use serpent::Serpent;
#[cfg(feature = "twofish")]
pub use twofish::Twofish;
