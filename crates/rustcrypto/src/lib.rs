//! Cinder's ciphers and modes under RustCrypto's traits, of both generations, and RustCrypto's ciphers
//! under Cinder's modes.
//!
//! For a program, or a library that a program depends on, that is written against `cipher`, `aead` or
//! `universal-hash`: name another type, and what the ciphers would leave in memory they leave no more.
//! A program that is free to choose calls Cinder's own crates, which leave nothing and cost less.
//!
//! | feature | traits of | on |
//! |---|---|---|
//! | `cipher05` | `cipher` 0.5 | block ciphers, [`cbc`], [`cfb`], [`Ctr`], [`Ofb`], [`Rc4`], [`Salsa`], [`ChaCha`] |
//! | `cipher04` | `cipher` 0.4 | the same |
//! | `aead06` | `aead` 0.6 | [`Gcm`], [`Ccm`], [`Eax`], [`Ocb3`], [`Siv`], [`GcmSiv`], [`ChaCha20Poly1305`], [`XChaCha20Poly1305`] |
//! | `aead05` | `aead` 0.5 | the same |
//! | `universal-hash06` | `universal-hash` 0.6 | [`GHash`] |
//! | `universal-hash05` | `universal-hash` 0.5 | [`GHash`] |
//!
//! They go together, and none is on by default, nor is any cipher: `aes` and its like, or `all`. The
//! modules of these names re-export the crate of traits. The types have the names that RustCrypto's
//! have, and both generations are traits of the same types.
//!
//! # From RustCrypto
//!
//! A cipher's type is a parameter of RustCrypto's modes. So put ours there:
//!
//! ```
//! # #[cfg(all(feature = "aes", feature = "cipher05"))] {
//! use cinder_rustcrypto::cipher05::cipher::{KeyIvInit, StreamCipher};
//!
//! // Before: type Ctr = ctr::Ctr128BE<aes::Aes256>;
//! type Ctr = ctr010::Ctr128BE<cinder_rustcrypto::Aes256>;
//!
//! let mut data = *b"attack at dawn";
//! Ctr::new(&[0x42; 32].into(), &[7; 16].into()).apply_keystream(&mut data);
//! # assert_ne!(&data, b"attack at dawn");
//! # }
//! ```
//!
//! Better, put our mode in the place of theirs. It burns once a call, and it keeps the keystream on the
//! heap, where theirs keeps it in a value that moves and in frames of its own:
//!
//! ```
//! # #[cfg(all(feature = "aes", feature = "cipher05"))] {
//! use cinder_rustcrypto::cipher05::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
//!
//! type Ctr = cinder_rustcrypto::Ctr128BE<cinder_rustcrypto::Aes256>;
//!
//! let mut data = *b"attack at dawn";
//! let mut ctr = Ctr::new(&[0x42; 32].into(), &[7; 16].into());
//! ctr.apply_keystream(&mut data);
//! ctr.seek(0u32);
//! ctr.apply_keystream(&mut data);
//! assert_eq!(&data, b"attack at dawn");
//! # }
//! ```
//!
//! `Aes256Gcm` is one type for `aes_gcm::Aes256Gcm`, with the same nonces and tags:
//!
//! ```
//! # #[cfg(all(feature = "aes", feature = "aead06"))] {
//! use cinder_rustcrypto::Aes256Gcm;
//! use cinder_rustcrypto::aead06::aead::{AeadInOut, KeyInit};
//!
//! let gcm = Aes256Gcm::new(&[0x42; 32].into());
//! let mut data = *b"attack at dawn";
//! let nonce = [7; 12].into(); // never the same twice under one key
//! let tag = gcm.encrypt_inout_detached(&nonce, b"header", (&mut data[..]).into())?;
//! gcm.decrypt_inout_detached(&nonce, b"header", (&mut data[..]).into(), &tag)?;
//! assert_eq!(&data, b"attack at dawn");
//! # }
//! # #[cfg(feature = "aead06")]
//! # Ok::<(), aead06::Error>(())
//! ```
//!
//! In the older generation only the names of traits differ:
//!
//! ```
//! # #[cfg(all(feature = "des", feature = "cipher04"))] {
//! use cinder_rustcrypto::cipher04::cipher::{BlockEncryptMut, KeyIvInit};
//! use cinder_rustcrypto::{TdesEde3, cbc};
//!
//! // Blocks of 8 bytes: say so behind the cipher.
//! type Encryptor = cbc::Encryptor<TdesEde3, 8>;
//!
//! let mut block = [0; 8].into();
//! Encryptor::new(&[0x42; 24].into(), &[7; 8].into()).encrypt_block_mut(&mut block);
//! # assert_ne!(block[..], [0; 8]);
//! # }
//! ```
//!
//! | RustCrypto | here |
//! |---|---|
//! | `aes::Aes128`, `aes::Aes128Enc`, …, `des::TdesEde3`, `blowfish::Blowfish`, … | the same names |
//! | `ctr::Ctr32BE<C>`, `ctr::Ctr64BE<C>`, `ctr::Ctr128BE<C>` | [`Ctr32BE<C>`](Ctr32BE) and so on; a block of 8 bytes is a second parameter. Little-endian counters: `ctr` over our cipher |
//! | `cbc::Encryptor<C>`, `cfb_mode::Decryptor<C>`, … | [`cbc::Encryptor<C>`](cbc::Encryptor), [`cfb::Decryptor<C>`](cfb::Decryptor) |
//! | `cfb_mode::BufEncryptor<C>` | [`cinder_modes::cfb`], in pieces of any size |
//! | `ofb::Ofb<C>` | [`Ofb<C>`](Ofb) |
//! | `aes_gcm::Aes256Gcm`, `ccm::Ccm<C, U16, U13>`, `eax::Eax<C>`, `ocb3::Ocb3<C>`, `aes_siv::Aes128SivAead` | [`Aes256Gcm`], [`Ccm<C, 16, 13>`](Ccm), [`Eax`], [`Ocb3`], [`Aes128SivAead`] |
//! | `cmac::Cmac<C>`, `xts_mode::Xts128<C>` | they over our cipher, or [`cinder_mac`](https://docs.rs/cinder-mac) and [`cinder_modes::xts`] |
//! | `aes_gcm_siv::Aes256GcmSiv`, `chacha20poly1305::ChaCha20Poly1305`, `XChaCha20Poly1305` | [`Aes256GcmSiv`], [`ChaCha20Poly1305`], [`XChaCha20Poly1305`] |
//! | `rc4::Rc4`, `salsa20::Salsa20`, `chacha20::ChaCha20`, `chacha20::XChaCha20` | [`Rc4`], [`Salsa20`], [`ChaCha20`], [`XChaCha20`] |
//! | `KeyInit::new` takes a weak key of DES | so it does here; `new_strict` refuses it |
//! | `Clone` copies a key schedule | a clone shares it: it is wiped when the last one drops |
//!
//! The other way, a cipher of RustCrypto's goes under Cinder's modes: [`cipher05::Foreign`],
//! [`cipher04::Foreign`].
//!
//! # In a dependency that names `aes` itself
//!
//! Cargo can put a package of yours in the place of `aes` in the whole tree of a program. It is these two
//! files, with `0.9.99` and `cipher05` for the newer generation:
//!
//! ```toml
//! [package]
//! name = "aes"
//! version = "0.8.99"
//! edition = "2024"
//!
//! [features] # which dependents ask for
//! zeroize = []
//! hazmat = []
//!
//! [dependencies]
//! cinder-rustcrypto = { version = "0.1", features = ["aes", "cipher04"] }
//! ```
//!
//! ```
//! # #[cfg(all(feature = "aes", feature = "cipher04"))] {
//! pub use cinder_rustcrypto::cipher04::cipher;
//! pub use cinder_rustcrypto::{Aes128, Aes128Dec, Aes128Enc, Aes192, Aes192Dec, Aes192Enc};
//! pub use cinder_rustcrypto::{Aes256, Aes256Dec, Aes256Enc};
//! # }
//! ```
//!
//! and in the program's own manifest
//!
//! ```toml
//! [patch.crates-io]
//! aes = { path = "aes" }
//! ```
//!
//! With `aes` and `des` put in place like this, the own tests of these packages pass (2026-12-01): `ssh-key`
//! 0.6.7 with its features `encryption`, `tdes` and `ed25519` (through `ssh-cipher`: AES and 3DES in CBC,
//! AES in CTR, `aes-gcm`), and `pkcs5` 0.7.1 and 0.8.1 with all of theirs.
//!
//! # What stays in memory
//!
//! Key schedules lie in boxes, in which they are expanded and wiped. So [`KeyInit::new`] returns a
//! pointer, and a move leaves nothing. A call runs in frames that are burnt, once at its end:
//! what is a call is for RustCrypto's modes to say. `ctr` makes one for a piece of data, `cbc` one for a
//! slice of blocks, `cfb_mode::BufDecryptor`, `cmac` and `xts_mode` one for each block.
//!
//! What cannot be helped, because the traits are so:
//!
//! - A key is given by reference to an array that is the caller's. Wipe it.
//! - RustCrypto's modes keep their chain, keystream and copies of text in their own values and frames.
//!   The table has what that leaves.
//! - Tags are returned by value, and so is the result of [`GHash`], which together with the message
//!   gives away its key.
//! - `aead`'s `encrypt` and `decrypt` return a `Vec`, which is the caller's to wipe.
//!
//! AES-256: key setup, 1 KiB and drop, all by value: bytes that are left on the stack, in vector
//! registers, in general registers and in freed memory, of secrets or that depend on the key. By `cargo
//! test --release -p cinder-rustcrypto --all-features --test residue -- --nocapture` on 2026-12-01, rustc
//! 1.95, on an AMD EPYC with VAES. RustCrypto's `zeroize` features are on.
//!
//! | | ours | RustCrypto's `aes` |
//! |---|---|---|
//! | `ctr` 0.10 over | 0/0/0/0 | 3504/224/0/0 |
//! | [`Ctr`] | 0/0/0/0 |  |
//! | `cbc` 0.2 over | 0/0/0/0 | 2672/672/0/0 |
//! | [`cbc`] | 0/0/0/0 |  |
//! | `cfb-mode` 0.9, buffered, over | 32/0/0/0 | 3352/704/4/0 |
//! | [`cfb`] | 0/0/0/0 |  |
//! | `aes-gcm` 0.11 over | 492/136/0/0 | 5228/200/0/0 |
//! | [`Gcm`] | 0/0/0/0 |  |
//! | `cmac` 0.8 over | 36/0/0/0 | 3202/736/0/0 |
//! | `ctr` 0.9 over | 0/0/0/0 | 976/192/0/0 |
//! | `cbc` 0.1 over | 0/0/0/0 | 1624/288/0/0 |
//! | `cfb-mode` 0.8, buffered, over | 32/0/0/0 | 1360/288/4/0 |
//! | `aes-gcm` 0.10 over | 112/76/0/0 | 2552/172/0/0 |
//! | `cmac` 0.7 over | 48/0/0/0 | 1928/244/4/0 |
//!
//! In an unoptimised build what is clean here is clean too, and `aes-gcm` and `cmac` over ours leave 1108
//! and 102 bytes of stack, over theirs 8382 and 9513.
//!
//! # Cost
//!
//! A burn takes a few nanoseconds. It is nothing in a call on a kilobyte, and much of a call on a block. And
//! what RustCrypto's modes hand over are eight blocks at a time, which our widest kernels could do many
//! times over. So take our modes: their whole slices go past the closures, where the traits of 0.5 let them.
//!
//! Nanoseconds a byte, AES-256 under `cipher` 0.5, in pieces of so many bytes, by `cargo run --release -p
//! cinder-rustcrypto --all-features --example cost` on 2026-12-01, rustc 1.95, on an AMD EPYC with VAES that
//! had other work:
//!
//! | | 64 | 1024 | 16384 |
//! |---|---|---|---|
//! | [`Ctr128BE`] | 0.36 | 0.041 | 0.030 |
//! | `ctr` over ours | 1.30 | 0.20 | 0.19 |
//! | `ctr` over `aes` | 0.82 | 0.19 | 0.14 |
//! | [`cbc::Decryptor`] | 0.26 | 0.029 | 0.029 |
//! | `cbc` over ours, decryption | 0.43 | 0.20 | 0.19 |
//! | `cbc` over `aes`, decryption | 0.75 | 0.14 | 0.10 |
//! | [`Gcm`] | 0.42 | 0.085 | 0.054 |
//! | `aes-gcm` over ours | 2.34 | 0.42 | 0.37 |
//! | `aes-gcm` over `aes` | 2.21 | 0.38 | 0.28 |
//!
//! # Constant time
//!
//! As the cipher is. `no_std` with `alloc`; no unsafe code.
//!
//! [`KeyInit::new`]: https://docs.rs/cipher/latest/cipher/trait.KeyInit.html
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    all(doctest, feature = "aes", feature = "aead06"),
    doc = include_str!("../README.md")
)]
#![forbid(unsafe_code)]

extern crate alloc;

mod aead;
mod boxed;
mod ciphers;
mod ghash;
mod modes;
mod streams;

#[cfg(feature = "aead05")]
pub mod aead05;
#[cfg(feature = "aead06")]
pub mod aead06;
#[cfg(feature = "cipher04")]
pub mod cipher04;
#[cfg(feature = "cipher05")]
pub mod cipher05;
#[cfg(feature = "universal-hash05")]
pub mod universal_hash05;
#[cfg(feature = "universal-hash06")]
pub mod universal_hash06;

pub use aead::*;
pub use ciphers::*;
pub use ghash::*;
pub use modes::*;
pub use streams::*;
