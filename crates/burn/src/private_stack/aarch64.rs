//! aarch64, AAPCS64.

use super::Entry;
use core::arch::naked_asm;

/// # Safety
///
/// `f` may be called with `data`, on the stack that ends at `top`, a multiple of 16.
#[unsafe(naked)]
pub(super) unsafe extern "C-unwind" fn call_on(data: *mut u8, f: Entry, top: *mut u8) {
    naked_asm!(
        ".cfi_startproc",
        "hint #34", // see `arch`
        "stp x29, x30, [sp, #-16]!",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset w30, -8",
        ".cfi_offset w29, -16",
        "mov x29, sp",
        ".cfi_def_cfa w29, 16",
        "mov sp, x2",
        "blr x1",
        "mov sp, x29",
        ".cfi_def_cfa wsp, 16",
        "ldp x29, x30, [sp], #16",
        ".cfi_def_cfa_offset 0",
        ".cfi_restore w30",
        ".cfi_restore w29",
        "ret",
        ".cfi_endproc",
    )
}
