//! s390x (z/Architecture, 64 bits): `xc` of a storage area with itself, 256 bytes at a time.
//!
//! A caller of this ABI owns 160 bytes above its stack pointer, where its callees save registers;
//! they are the caller's frame, and what is saved there is the caller's own.
//!
//! The floating-point registers that a callee may use freely are cleared. The vector registers
//! are where the build may use them (`-C target-feature=+vector`).

use crate::Depth;
use core::arch::naked_asm;

/// No red zone, but each frame is 160 bytes at least: room for two.
pub(crate) const MARGIN: usize = 640;

pub(crate) const PROBES: bool = true;

super::stack_pointer_by!("lgr {sp}, %r15");

#[inline(always)]
pub(crate) fn burn(depth: Depth) {
    let low = depth.low(stack_pointer());
    // SAFETY: the routine writes only below the stack pointer, to stack that no frame owns; it
    // has vector instructions where the build may use them anywhere.
    unsafe { burn_routine(low) }
}

macro_rules! burn_routine {
    ($($clear:literal)*) => {
        // `xc` works byte by byte from low to high within its 256, which is less than a page;
        // the steps go from high to low.
        #[unsafe(naked)]
        unsafe extern "C" fn burn_routine(low: usize) {
            naked_asm!(
                cfi!(".cfi_startproc"),
                $($clear,)*
                "lgr %r1, %r15",
                "2:",
                "aghi %r1, -256",
                "xc 0(256, %r1), 0(%r1)",
                "clgrjh %r1, %r2, 2b",
                "lghi %r0, 0",
                "lghi %r1, 0",
                "lghi %r2, 0",
                "lghi %r3, 0",
                "lghi %r4, 0",
                "lghi %r5, 0",
                "br %r14",
                cfi!(".cfi_endproc"),
            )
        }
    };
}

// f8 to f15 belong to the caller.
#[cfg(not(target_feature = "vector"))]
burn_routine!(
    "lzdr %f0" "lzdr %f1" "lzdr %f2" "lzdr %f3" "lzdr %f4" "lzdr %f5" "lzdr %f6" "lzdr %f7"
);

// f8 to f15 are the first halves of v8 to v15; `vpdi` with a zero clears the second halves.
#[cfg(target_feature = "vector")]
burn_routine!(
    "vzero %v0" "vzero %v1" "vzero %v2" "vzero %v3" "vzero %v4" "vzero %v5" "vzero %v6" "vzero %v7"
    "vpdi %v8, %v8, %v0, 0" "vpdi %v9, %v9, %v0, 0" "vpdi %v10, %v10, %v0, 0"
    "vpdi %v11, %v11, %v0, 0" "vpdi %v12, %v12, %v0, 0" "vpdi %v13, %v13, %v0, 0"
    "vpdi %v14, %v14, %v0, 0" "vpdi %v15, %v15, %v0, 0"
    "vzero %v16" "vzero %v17" "vzero %v18" "vzero %v19" "vzero %v20" "vzero %v21" "vzero %v22"
    "vzero %v23" "vzero %v24" "vzero %v25" "vzero %v26" "vzero %v27" "vzero %v28" "vzero %v29"
    "vzero %v30" "vzero %v31"
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
        "lgr %r1, %r15",
        "iihf %r3, 0x5bd1e995",
        "iilf %r3, 0xc3a5966d",
        "2:",
        "aghi %r1, -8",
        "stg %r3, 0(%r1)",
        "clgr %r1, %r2",
        "jh 2b",
        "br %r14",
    )
}

#[unsafe(naked)]
unsafe extern "C" fn first_changed_routine(low: usize, high: usize) -> usize {
    naked_asm!(
        "iihf %r4, 0x5bd1e995",
        "iilf %r4, 0xc3a5966d",
        "2:",
        "clgr %r2, %r3",
        "jnl 3f",
        "lg %r1, 0(%r2)",
        "cgr %r1, %r4",
        "jne 3f",
        "aghi %r2, 8",
        "j 2b",
        "3:",
        "br %r14",
    )
}
