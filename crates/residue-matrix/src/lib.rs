//! Cinder's ciphers under the scanner `residue`: every cipher in every mode on every kernel.
//!
//! - [`matrix`]: what each step leaves behind, which is to be nothing.
//! - [`controls`]: leaks made on purpose, which the scanner must find.
//! - [`tally`]: what both come to.
//! - [`command`]: a program that prints them.
//! - [`depths`]: how deep each function goes, what it says, and what a burn would clear.
//! - `constant_time`: branches and addresses that depend on secrets, by valgrind's memcheck.
//! - [`frames`]: how much stack each public entry uses.
//!
//! The programs `residue` and `depth` print them; `cargo xtask residue`, `cargo xtask depth` and
//! `cargo xtask constant-time` run these in each build profile. The tests are those that must see code as the profile compiles it,
//! of `burn` too: `residue` itself is optimised in every profile, and nothing that is scanned is a
//! part of it.

#![cfg_attr(
    not(feature = "whole"),
    expect(dead_code, reason = "what the whole matrix has besides")
)]

#[global_allocator]
static HEAP: cinder_residue::Heap = cinder_residue::Heap;

mod ciphers;
pub mod command;
mod constant_time;
pub mod controls;
pub mod depths;
pub mod frames;
pub mod matrix;
pub mod tally;
