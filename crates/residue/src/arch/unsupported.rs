//! Any other target.

use super::{Bank, Plant, Registers};
use core::ffi::c_void;

pub(crate) const SUPPORTED: bool = false;
pub(crate) const GENERAL: &[Bank] = &[];
pub(crate) const KEPT: &[Bank] = &[];
pub(crate) const VECTOR: &[Bank] = &[];
pub(crate) const HELD: &str = "";

/// # Safety
///
/// None: it does nothing.
pub(crate) unsafe fn call_on(
    _f: extern "C" fn(*mut c_void),
    _data: *mut c_void,
    _stack_top: *mut u8,
    _registers: &mut Registers,
) {
}

/// # Safety
///
/// None: it does nothing.
pub(crate) unsafe fn keep() {}

pub(crate) fn hold(_bytes: &[u8; 4]) {}

pub(crate) fn plants() -> Vec<Plant> {
    vec![]
}
