//! Authenticated encryption with associated data, leaving no trace: each call
//! burns the stack and the registers once, at its end.
//!
//! | scheme | type | blocks | nonce | document |
//! |---|---|---|---|---|
//! | CCM, CCM* | [`Ccm`] | 16 bytes | 7 to 13 bytes | SP 800-38C, RFC 3610, IEEE 802.15.4 |
//! | EAX | [`Eax`] | 8 or 16 bytes | any | Bellare, Rogaway, Wagner: The EAX mode of operation |
//! | OCB3 | [`Ocb3`] | 16 bytes | 1 to 15 bytes | RFC 7253 |
//! | SIV | [`Siv`] | 16 bytes | any, or none | RFC 5297 |
//! | GCM-SIV | [`GcmSiv`] | 16 bytes | 12 bytes | RFC 8452 |
//! | ChaCha20-Poly1305 | [`ChaCha20Poly1305`] | none | 12 bytes | RFC 8439 |
//! | XChaCha20-Poly1305 | [`XChaCha20Poly1305`] | none | 24 bytes | draft-irtf-cfrg-xchacha-03 |
//!
//! GCM is in the crate `cinder-gcm`.
//!
//! # Shape
//!
//! All have the methods of the trait [`Aead`]: in place, and from one buffer to another, with the
//! tag apart. They take the key by shared reference; one key serves many threads. The tag's length
//! is part of the type, so a sender cannot shorten the tag that a receiver checks. Errors are found
//! before the first byte changes, and a message that does not verify leaves no plaintext.
//!
//! # The nonce
//!
//! Two messages under one key with one nonce give away the XOR of their plaintexts, and in some
//! schemes more. The nonce travels with the message; it is not secret, and this crate neither
//! stores nor writes it.
//!
//! # What stays in memory
//!
//! Nothing of a call on the dead stack or in registers; the key until it is dropped. See
//! [what burning cannot reach](cinder_burn#what-burning-cannot-reach). A cipher of somebody else's
//! that panics leaves no more: the panic burns on its way and wipes the buffer that was to be
//! opened, or sealed into. What was to be sealed in place stays, sealed or not: throw it away, and
//! never use its nonce again.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![forbid(unsafe_code)]

mod aead;
mod ccm;
mod chacha20_poly1305;
mod common;
mod eax;
mod gcm_siv;
mod ocb3;
mod siv;

pub use aead::{Aead, Error};
pub use ccm::Ccm;
pub use chacha20_poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
pub use eax::Eax;
pub use gcm_siv::GcmSiv;
pub use ocb3::Ocb3;
pub use siv::Siv;
