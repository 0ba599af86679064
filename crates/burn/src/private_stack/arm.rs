//! 32-bit ARM, AAPCS32, with the tables of its own exception handling ABI (EHABI32).

use super::Entry;
use core::arch::naked_asm;

/// # Safety
///
/// `f` may be called with `data`, on the stack that ends at `top`, a multiple of 8.
#[unsafe(naked)]
pub(super) unsafe extern "C-unwind" fn call_on(data: *mut u8, f: Entry, top: *mut u8) {
    naked_asm!(
        ".fnstart",
        "push {{r4, lr}}",
        ".save {{r4, lr}}",
        "mov r4, sp",
        ".setfp r4, sp",
        "mov sp, r2",
        "blx r1",
        "mov sp, r4",
        "pop {{r4, pc}}",
        ".fnend",
    )
}
