//! riscv64: stores of 8 bytes.
//!
//! The floating-point registers that a callee may use freely are cleared with the operating systems
//! whose targets all have them. Elsewhere stable Rust does not say whether there are any, and no code
//! here uses them. The vector registers of the extension V are not cleared: nothing here
//! uses them, but a C library's `memcpy` may.

use crate::Depth;
use core::arch::naked_asm;

/// There is no red zone: it is for what is called below [`Depth::here`](crate::Depth::here).
pub(crate) const MARGIN: usize = 512;

pub(crate) const PROBES: bool = true;

super::stack_pointer_by!("mv {sp}, sp");

#[inline(always)]
pub(crate) fn burn(depth: Depth) {
    let low = depth.low(stack_pointer());
    // SAFETY: the routine writes only below the stack pointer, to stack that no frame owns.
    unsafe { burn_routine(low) }
}

macro_rules! burn_routine {
    ($($clear:literal)*) => {
        #[unsafe(naked)]
        unsafe extern "C" fn burn_routine(low: usize) {
            naked_asm!(
                cfi!(".cfi_startproc"),
                $($clear,)*
                "mv t0, sp",
                "2:",
                "addi t0, t0, -64",
                "sd zero, 56(t0)",
                "sd zero, 48(t0)",
                "sd zero, 40(t0)",
                "sd zero, 32(t0)",
                "sd zero, 24(t0)",
                "sd zero, 16(t0)",
                "sd zero, 8(t0)",
                "sd zero, 0(t0)",
                "bgtu t0, a0, 2b",
                "li t0, 0",
                "li t1, 0",
                "li t2, 0",
                "li t3, 0",
                "li t4, 0",
                "li t5, 0",
                "li t6, 0",
                "li a0, 0",
                "li a1, 0",
                "li a2, 0",
                "li a3, 0",
                "li a4, 0",
                "li a5, 0",
                "li a6, 0",
                "li a7, 0",
                "ret",
                cfi!(".cfi_endproc"),
            )
        }
    };
}

#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd",
    target_os = "fuchsia",
)))]
burn_routine!();

// fs0 to fs11 belong to the caller.
#[cfg(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd",
    target_os = "fuchsia",
))]
burn_routine!(
    ".option push" ".option arch, +d"
    "fmv.d.x ft0, zero" "fmv.d.x ft1, zero" "fmv.d.x ft2, zero" "fmv.d.x ft3, zero"
    "fmv.d.x ft4, zero" "fmv.d.x ft5, zero" "fmv.d.x ft6, zero" "fmv.d.x ft7, zero"
    "fmv.d.x ft8, zero" "fmv.d.x ft9, zero" "fmv.d.x ft10, zero" "fmv.d.x ft11, zero"
    "fmv.d.x fa0, zero" "fmv.d.x fa1, zero" "fmv.d.x fa2, zero" "fmv.d.x fa3, zero"
    "fmv.d.x fa4, zero" "fmv.d.x fa5, zero" "fmv.d.x fa6, zero" "fmv.d.x fa7, zero"
    ".option pop"
);

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
        "li t1, 0x5bd1e995c3a5966d",
        "mv t0, sp",
        "2:",
        "addi t0, t0, -8",
        "sd t1, 0(t0)",
        "bgtu t0, a0, 2b",
        "ret",
    )
}

#[unsafe(naked)]
unsafe extern "C" fn first_changed_routine(low: usize, high: usize) -> usize {
    naked_asm!(
        "li t1, 0x5bd1e995c3a5966d",
        "2:",
        "bgeu a0, a1, 3f",
        "ld t0, 0(a0)",
        "bne t0, t1, 3f",
        "addi a0, a0, 8",
        "j 2b",
        "3:",
        "ret",
    )
}
