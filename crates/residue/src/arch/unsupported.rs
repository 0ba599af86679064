//! Any other target.

use super::{Bank, Plant, Registers};
use core::ffi::c_void;

pub(crate) const SUPPORTED: bool = false;
pub(crate) const GENERAL: &[Bank] = &[];
pub(crate) const VECTOR: &[Bank] = &[];

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

pub(crate) fn plants() -> Vec<Plant> {
    vec![]
}
