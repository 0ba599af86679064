//! aarch64: pairs of 16-byte stores.
//!
//! The low halves of v8 to v15 belong to the caller (AAPCS64 6.1.2) and stay; their high halves
//! are cleared. x18 is the platform's and stays. On a CPU with SVE a write to a vector register
//! clears the rest of its scalable register too, so those are covered; the predicate registers
//! p0 to p15 and the first-fault register are not touched, and no kernel here uses them.

use crate::Depth;
use core::arch::naked_asm;

/// No red zone on Linux, 16 bytes on Windows, 128 on Apple's systems; the rest is for what is
/// called below [`Depth::here`](crate::Depth::here).
pub(crate) const MARGIN: usize = 384;

pub(crate) const PROBES: bool = true;

super::stack_pointer_by!("mov {sp}, sp");

#[inline(always)]
pub(crate) fn burn(depth: Depth) {
    // SAFETY: the routine writes only below the stack pointer, to stack that no frame owns.
    unsafe { burn_routine(depth.unbounded_low()) }
}

// `hint #34` is `bti c`, and does nothing where branch targets are not checked. A linker's veneer
// may reach the routine by an indirect branch.
//
// From high to low: Windows grows a stack one guard page at a time.
#[unsafe(naked)]
unsafe extern "C" fn burn_routine(low: usize) {
    naked_asm!(
        "hint #34",
        "mov x9, sp",
        "sub x10, x9, x0",
        "cmp x10, #{limit}",
        "b.hi 4f",
        "3:",
        "movi v0.2d, #0",
        "movi v1.2d, #0",
        "movi v2.2d, #0",
        "movi v3.2d, #0",
        "movi v4.2d, #0",
        "movi v5.2d, #0",
        "movi v6.2d, #0",
        "movi v7.2d, #0",
        "fmov d8, d8",
        "fmov d9, d9",
        "fmov d10, d10",
        "fmov d11, d11",
        "fmov d12, d12",
        "fmov d13, d13",
        "fmov d14, d14",
        "fmov d15, d15",
        "movi v16.2d, #0",
        "movi v17.2d, #0",
        "movi v18.2d, #0",
        "movi v19.2d, #0",
        "movi v20.2d, #0",
        "movi v21.2d, #0",
        "movi v22.2d, #0",
        "movi v23.2d, #0",
        "movi v24.2d, #0",
        "movi v25.2d, #0",
        "movi v26.2d, #0",
        "movi v27.2d, #0",
        "movi v28.2d, #0",
        "movi v29.2d, #0",
        "movi v30.2d, #0",
        "movi v31.2d, #0",
        "2:",
        "stp q0, q0, [x9, #-32]",
        "stp q0, q0, [x9, #-64]",
        "stp q0, q0, [x9, #-96]",
        "stp q0, q0, [x9, #-128]!",
        "cmp x9, x0",
        "b.hi 2b",
        "mov x0, xzr",
        "mov x1, xzr",
        "mov x2, xzr",
        "mov x3, xzr",
        "mov x4, xzr",
        "mov x5, xzr",
        "mov x6, xzr",
        "mov x7, xzr",
        "mov x8, xzr",
        "mov x9, xzr",
        "mov x10, xzr",
        "mov x11, xzr",
        "mov x12, xzr",
        "mov x13, xzr",
        "mov x14, xzr",
        "mov x15, xzr",
        "mov x16, xzr",
        "mov x17, xzr",
        "ret",
        "4:",
        "cmp x0, x9",
        "sub x10, x9, #{limit}",
        "sub x0, x9, #{margin}",
        "csel x0, x10, x0, lo",
        "b 3b",
        limit = const Depth::LIMIT,
        margin = const MARGIN,
    )
}

/// # Safety
///
/// `pointer` is valid for writes of `len` bytes.
#[inline(always)]
pub(crate) unsafe fn wipe(pointer: *mut u8, len: usize) {
    // SAFETY: the caller's own promise.
    unsafe { super::wipe_by_memset(pointer, len) }
}

#[inline(always)]
pub(crate) fn paint(low: usize) {
    // SAFETY: writes only below the stack pointer.
    unsafe { paint_routine(low) }
}

#[inline(always)]
pub(crate) fn first_changed(low: usize, high: usize) -> usize {
    // SAFETY: reads stack that `paint` has written.
    unsafe { first_changed_routine(low, high) }
}

#[unsafe(naked)]
unsafe extern "C" fn paint_routine(low: usize) {
    naked_asm!(
        "hint #34",
        "mov x9, sp",
        "movz x10, #0x966d",
        "movk x10, #0xc3a5, lsl #16",
        "movk x10, #0xe995, lsl #32",
        "movk x10, #0x5bd1, lsl #48",
        "2:",
        "str x10, [x9, #-8]!",
        "cmp x9, x0",
        "b.hi 2b",
        "ret",
    )
}

#[unsafe(naked)]
unsafe extern "C" fn first_changed_routine(low: usize, high: usize) -> usize {
    naked_asm!(
        "hint #34",
        "movz x10, #0x966d",
        "movk x10, #0xc3a5, lsl #16",
        "movk x10, #0xe995, lsl #32",
        "movk x10, #0x5bd1, lsl #48",
        "2:",
        "cmp x0, x1",
        "b.hs 3f",
        "ldr x9, [x0]",
        "cmp x9, x10",
        "b.ne 3f",
        "add x0, x0, #8",
        "b 2b",
        "3:",
        "ret",
    )
}
