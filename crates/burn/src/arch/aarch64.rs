//! aarch64: pairs of 16-byte stores.
//!
//! The low halves of v8 to v15 belong to the caller (AAPCS64 6.1.2) and stay; their high halves
//! are cleared. x18 is the platform's and stays. On a CPU with SVE a write to a vector register
//! clears the rest of its scalable register too, so those are covered; the predicate registers
//! p0 to p15 and the first-fault register are not touched, and no kernel here uses them.
//!
//! A build without NEON (an operating system's kernel) keeps out of the vector registers, which are
//! those of the program that it interrupted: it burns with general registers.

use crate::Depth;
use core::arch::naked_asm;

/// No red zone on Linux, 16 bytes on Windows, 128 on Apple's systems; the rest is for what is
/// called below [`Depth::here`](crate::Depth::here).
pub(crate) const MARGIN: usize = 384;

pub(crate) const PROBES: bool = true;

super::stack_pointer_by!("mov {sp}, sp");

macro_rules! clear_general {
    () => {
        concat!(
            "mov x0, xzr\nmov x1, xzr\nmov x2, xzr\nmov x3, xzr\nmov x4, xzr\nmov x5, xzr\n",
            "mov x6, xzr\nmov x7, xzr\nmov x8, xzr\nmov x9, xzr\nmov x10, xzr\nmov x11, xzr\n",
            "mov x12, xzr\nmov x13, xzr\nmov x14, xzr\nmov x15, xzr\nmov x16, xzr\nmov x17, xzr",
        )
    };
}

#[inline(always)]
pub(crate) fn burn(depth: Depth) {
    // SAFETY: the routine writes only below the stack pointer, to stack that no frame owns.
    unsafe {
        #[cfg(target_feature = "neon")]
        burn_routine(depth.unbounded_low());
        #[cfg(not(target_feature = "neon"))]
        burn_general(depth.low(stack_pointer()));
    }
}

#[cfg(any(test, not(target_feature = "neon")))]
#[unsafe(naked)]
unsafe extern "C" fn burn_general(low: usize) {
    naked_asm!(
        cfi!(".cfi_startproc"),
        "hint #34",
        "mov x9, sp",
        "2:",
        "stp xzr, xzr, [x9, #-16]",
        "stp xzr, xzr, [x9, #-32]",
        "stp xzr, xzr, [x9, #-48]",
        "stp xzr, xzr, [x9, #-64]!",
        "cmp x9, x0",
        "b.hi 2b",
        clear_general!(),
        "ret",
        cfi!(".cfi_endproc"),
    )
}

// `hint #34` is `bti c`, and does nothing where branch targets are not checked. A linker's veneer
// may reach the routine by an indirect branch.
//
// From high to low: Windows grows a stack one guard page at a time.
#[cfg(target_feature = "neon")]
#[unsafe(naked)]
unsafe extern "C" fn burn_routine(low: usize) {
    naked_asm!(
        cfi!(".cfi_startproc"),
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
        clear_general!(),
        "ret",
        "4:",
        "cmp x0, x9",
        "sub x10, x9, #{limit}",
        "sub x0, x9, #{margin}",
        "csel x0, x10, x0, lo",
        "b 3b",
        cfi!(".cfi_endproc"),
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

#[cfg(all(test, target_feature = "neon"))]
mod tests {
    use super::*;

    /// What a build without NEON has: zeros from the stack pointer down to where it was told.
    #[test]
    fn general_registers_alone() {
        for depth in [2304, 2320, 4080, 4096] {
            let low = stack_pointer() - depth;
            paint(low - 256);
            // SAFETY: writes only below the stack pointer.
            unsafe { burn_general(low) };
            let changed = first_changed(low - 256, low + 1);
            assert!(low - 64 < changed && changed <= low, "{depth}");
            // The stack that this test itself uses is above.
            for address in (changed..changed + 2048).step_by(8) {
                // SAFETY: an aligned word of the dead stack, which the burn has written.
                let word = unsafe { (address as *const u64).read_volatile() };
                assert_eq!(word, 0, "{depth}");
            }
        }
    }
}
