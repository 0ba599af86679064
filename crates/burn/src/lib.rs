//! Wipes memory, the dead stack and the registers.
//!
//! A cipher's inner function leaves round keys, keystream and plaintext in the stack frames it
//! has just given up and in the registers it was free to use. This crate clears both, once, at
//! the end of a public call:
//!
//! ```
//! use burn::Depth;
//!
//! /// The work: not inlined, takes references only, says how deep it went.
//! #[inline(never)]
//! fn inner(secret: &[u8; 16], out: &mut u8) -> Depth {
//!     *out = secret.iter().fold(0, |sum, byte| sum ^ byte);
//!     Depth::here()
//! }
//!
//! /// The public entry: a thin wrapper that burns once.
//! fn entry(secret: &[u8; 16], out: &mut u8) {
//!     burn::scope(|| ((), inner(secret, out)));
//! }
//! # let mut out = 0;
//! # entry(&[1; 16], &mut out);
//! ```
//!
//! # How deep
//!
//! [`Depth`] is the lowest stack address that a call has reached, read from the stack pointer in
//! the very frame that did the work. It is not a constant that somebody measured in another
//! build: optimisation level, inlining and link-time optimisation move it, and it moves with
//! them. What runs below that frame (calls to `memcpy`, and in an unoptimised build the small
//! functions of `core`) is covered by a margin, see [`Depth::MARGIN`].
#![no_std]

mod arch;
mod depth;
pub mod probe;
mod scope;
mod wipe;

pub use depth::{Depth, burn};
pub use scope::{Guard, scope};
pub use wipe::{Plain, wipe};
