//! x86-64, System V.

use super::Entry;
use core::arch::naked_asm;

/// # Safety
///
/// `f` may be called with `data`, on the stack that ends at `top`, a multiple of 16.
#[unsafe(naked)]
pub(super) unsafe extern "C-unwind" fn call_on(data: *mut u8, f: Entry, top: *mut u8) {
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "mov rsp, rdx",
        "call rsi",
        "mov rsp, rbp",
        "pop rbp",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
    )
}
