//! One file an architecture, each with the same functions:
//!
//! - `stack_pointer() -> usize`, always inlined, read where the caller's frame is set up;
//! - `frame(local: *const u8) -> usize`, the same as a function of the address of a local, which
//!   two calls in one frame let the compiler compute once;
//! - `burn(depth: Depth)`: clears the vector registers, the stack from the caller's
//!   stack pointer down to `MARGIN` bytes below `depth` (and up to 256 bytes further, its step),
//!   and the caller-saved general registers. `Depth::low` says how the address is bounded;
//! - `wipe(pointer, length)`: zeros memory, never removed;
//! - `paint(low: usize)` and `first_changed(low: usize, high: usize) -> usize`, for the probe;
//! - the constants `MARGIN` and `PROBES`, whether the last two do anything.
//!
//! Routines that write below the stack pointer are naked functions: they have no frame, so the
//! stack they find is the stack their caller gave up.
//!
//! The stack pointer is read by an `asm!` that takes the address of a local. The operand is not
//! used, and is the point: LLVM sets a frame up as late, and gives it up as early, as it can see
//! that nothing needs it ("shrink wrapping"), and it does not see that an `asm!` reads the stack
//! pointer. In `if !blocks.is_empty() { work } Depth::here()` a plain `mov {}, rsp` was found
//! behind `add rsp, 528`. The address of a local is a use of the frame that LLVM does see.

#[allow(unused_macros, reason = "there is an assembly template for each architecture but one")]
macro_rules! stack_pointer_by {
    ($read:literal) => {
        #[expect(clippy::pointers_in_nomem_asm_block, reason = "not used, see the folder's head")]
        #[inline(always)]
        pub(crate) fn stack_pointer() -> usize {
            let in_frame = core::mem::MaybeUninit::<u8>::uninit();
            let sp: usize;
            // SAFETY: reads a register.
            unsafe {
                core::arch::asm!(
                    $read,
                    sp = inout(reg) in_frame.as_ptr() => sp,
                    options(nomem, nostack, preserves_flags),
                );
            }
            sp
        }

        #[expect(clippy::pointers_in_nomem_asm_block, reason = "not used, see the folder's head")]
        #[inline(always)]
        pub(crate) fn frame(local: *const u8) -> usize {
            let sp: usize;
            // SAFETY: reads a register, which has the same value throughout a frame.
            unsafe {
                core::arch::asm!(
                    $read,
                    sp = inout(reg) local => sp,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            sp
        }
    };
}
#[allow(unused_imports, reason = "as above")]
use stack_pointer_by;

/// A directive of unwind information, so that a debugger or a profiler finds its way out of a burn; not
/// where the object format has another kind.
#[allow(unused_macros, reason = "not on every architecture")]
#[cfg(not(any(windows, target_os = "uefi")))]
macro_rules! cfi {
    ($directive:literal) => {
        $directive
    };
}
#[allow(unused_macros, reason = "not on every architecture")]
#[cfg(any(windows, target_os = "uefi"))]
macro_rules! cfi {
    ($directive:literal) => {
        ""
    };
}
macro_rules! select {
    ($($cfg:meta => $file:literal;)*) => {
        $(#[cfg_attr(all($cfg, not(miri)), path = $file)])*
        #[cfg_attr(any(not(any($($cfg),*)), miri), path = "portable.rs")]
        mod imp;
    };
}

select! {
    all(target_arch = "x86_64", target_pointer_width = "64") => "x86_64.rs";
    target_arch = "x86" => "x86.rs";
    all(target_arch = "aarch64", target_pointer_width = "64") => "aarch64.rs";
    target_arch = "arm" => "arm.rs";
    target_arch = "s390x" => "s390x.rs";
    target_arch = "riscv64" => "riscv64.rs";
}

pub(crate) use imp::{MARGIN, PROBES, burn, first_changed, frame, paint, stack_pointer, wipe};

/// `memset`, or the stores it becomes where the length is known and small, kept by an `asm!`
/// that may read the memory as far as the compiler knows.
///
/// # Safety
///
/// `pointer` is valid for writes of `len` bytes.
#[cfg(all(
    not(miri),
    any(
        target_arch = "x86_64",
        target_arch = "x86",
        target_arch = "aarch64",
        target_arch = "arm",
        target_arch = "s390x",
        target_arch = "riscv64",
    )
))]
#[allow(dead_code, reason = "not every architecture's wipe is built on it")]
#[inline(always)]
unsafe fn wipe_by_memset(pointer: *mut u8, len: usize) {
    // SAFETY: the caller vouches for the pointer and the length. The asm is empty; it is handed
    // the pointer and may read memory, so the stores before it are observable and stay.
    unsafe {
        pointer.write_bytes(0, len);
        core::arch::asm!("/* {} */", in(reg) pointer, options(nostack, preserves_flags, readonly));
    }
}
