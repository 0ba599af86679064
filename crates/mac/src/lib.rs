//! Message authentication codes over block ciphers that leave no trace: [`Cmac`].
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
#![forbid(unsafe_code)]

mod cmac;

pub use cmac::{Cmac, Unverified};

/// CMAC in parts, for modes that are built on it and burn once, themselves: EAX and SIV.
pub mod parts {
    pub use crate::cmac::{State, Subkey, double};
}
