//! Message authentication codes that leave no trace: [`Cmac`], over block ciphers, and [`Poly1305`].
//!
//! A MAC is a value that holds the cipher and the state of one message, and takes the message in
//! any pieces. Each call burns the stack and the registers once, at its end. The tag's length is
//! part of the type, so a sender cannot shorten the tag that a receiver checks.
//!
//! # What stays in memory
//!
//! Nothing of a call on the dead stack or in registers. The value holds the cipher or a reference
//! to it, a subkey, a chaining block and up to a block of the message, and wipes them when it
//! drops; see also [what burning cannot reach](cinder_burn#what-burning-cannot-reach).
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

mod cmac;
mod poly1305;

pub use cmac::{Cmac, Unverified};
pub use poly1305::{Kernel, KeyUsed, Poly1305};

/// CMAC and Poly1305 in parts, for schemes that are built on them and burn once, themselves: EAX and
/// SIV, and ChaCha20-Poly1305.
pub mod parts {
    pub use crate::cmac::{State, Subkey, double};
    pub use crate::poly1305::Poly1305State;
}
