//! One file an architecture, each with the same three functions:
//!
//! - `stack_pointer() -> usize`, always inlined;
//! - `burn(low: usize)`: clears the vector registers, the stack from the caller's stack pointer
//!   down to the address `low`, and the caller-saved general registers;
//! - `wipe(pointer, length)`: zeros memory, never removed.

#[cfg_attr(all(target_arch = "x86_64", not(miri)), path = "x86_64.rs")]
#[cfg_attr(any(not(target_arch = "x86_64"), miri), path = "portable.rs")]
mod imp;

pub(crate) use imp::{burn, stack_pointer, wipe};
