//! One file an architecture, each with the same items:
//!
//! - `GENERAL` and `VECTOR`: the registers that are stored, in order, with their names and bytes;
//! - `call_on(f, data, stack_top, registers)`: clears the registers that a callee may use freely,
//!   calls `f(data)` on another stack, and stores those registers the instant it returns. The
//!   registers that a callee saves are constants or addresses meanwhile: what it pushes of them
//!   must not depend on the caller, who knows the key;
//! - `KEPT`: the registers that a callee must give back, and `keep()`, which stores them at the end
//!   of the private stack's allocation. `call_on` cannot see them: the operation's caller restores
//!   them before it returns. Of the others `keep` changes none;
//! - `hold(bytes)`, inlined: leaves 4 bytes in one of those registers, named `HELD`;
//! - `plants()`: for each kind of place that this CPU has, a function that leaves 4 bytes there
//!   and nowhere else.

#[cfg_attr(
    all(target_arch = "x86_64", target_pointer_width = "64", not(windows)),
    path = "x86_64.rs"
)]
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(all(target_arch = "arm", target_os = "linux"), path = "arm.rs")]
#[cfg_attr(
    not(any(
        all(target_arch = "x86_64", target_pointer_width = "64", not(windows)),
        target_arch = "aarch64",
        all(target_arch = "arm", target_os = "linux"),
    )),
    path = "unsupported.rs"
)]
mod imp;

pub(crate) use imp::{GENERAL, HELD, KEPT, SUPPORTED, VECTOR, call_on, hold, keep, plants};

use crate::Left;

/// Bytes that `keep` may use, down from the end of the allocation.
pub(crate) const KEPT_SIZE: usize = 192;

/// Where `call_on` stores registers: general ones from byte 0, vector ones from byte 256.
#[repr(C, align(64))]
pub(crate) struct Registers(pub(crate) [u8; Registers::SIZE]);

impl Registers {
    pub(crate) const SIZE: usize = 256 + 2048 + 64;
    pub(crate) const VECTOR_AT: usize = 256;
}

/// A run of registers of one kind: the prefix of their names, how many, and bytes of each.
#[derive(Clone, Copy)]
pub(crate) struct Bank {
    pub(crate) names: &'static [&'static str],
    pub(crate) width: usize,
}

/// What the plants leave, 4 bytes each.
#[allow(dead_code, reason = "where there is no scanner there is no plant")]
pub(crate) const ON_STACK: Left = Left { stack: 4, ..Left::NOTHING };
#[allow(dead_code, reason = "where there is no scanner there is no plant")]
pub(crate) const IN_VECTOR: Left = Left { vector: 4, ..Left::NOTHING };
pub(crate) const IN_GENERAL: Left = Left { general: 4, ..Left::NOTHING };

/// A leak made on purpose.
pub(crate) struct Plant {
    /// Where the bytes are left.
    pub(crate) place: &'static str,
    pub(crate) left: Left,
    pub(crate) leave: unsafe extern "C" fn(&[u8; 4]),
}
