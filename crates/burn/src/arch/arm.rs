//! 32-bit ARM, ARM and Thumb state alike.
//!
//! | system | burn | wipe |
//! |---|---|---|
//! | Linux, Android, with NEON | `vstmdb` of 128 bytes, twice a turn; q0 to q3 and q8 to q15 cleared | `vstmia` |
//! | the same without, hard-float ABI | `vstmdb` of 64 bytes, four times a turn; d0 to d7 cleared | `vstmia` |
//! | the same without, soft-float ABI | `stmdb` of 12 bytes | `memset` |
//! | any other (bare metal) | `stmia` of 8 bytes, four times a turn, in instructions that ARMv6-M has | `memset` |
//!
//! d8 to d15 belong to the caller (AAPCS32 6.1.2.1) and stay, as do r4 to r11; r9 is the
//! platform's on some systems. The routines use no register that they would have to save: what
//! they saved would stay behind on the stack, and it is the caller's.

use core::arch::naked_asm;

/// No red zone. `memcpy` saves registers (up to 40 bytes) below the frame that calls it, and so
/// do the helpers for shifts and divisions of 64 bits. Optimised for size, functions of `core` that
/// take a closure (`array::from_fn`, `map`) have frames too, two or three deep.
pub(crate) const MARGIN: usize = 352;

pub(crate) const PROBES: bool = true;

super::stack_pointer_by!("mov {sp}, sp");

#[cfg(any(target_os = "linux", target_os = "android"))]
#[path = "arm_linux.rs"]
mod linux;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) use linux::burn;

#[cfg(not(any(target_os = "linux", target_os = "android")))]
#[path = "arm_bare.rs"]
mod bare;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) use bare::burn;

/// # Safety
///
/// `pointer` is valid for writes of `len` bytes.
#[inline(always)]
pub(crate) unsafe fn wipe(pointer: *mut u8, len: usize) {
    // SAFETY: the caller's own promise. The hard-float ABI or Neon proves the floating-point
    // registers that `wipe_vstm` stores.
    unsafe {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        if len >= 32 && (cfg!(target_abi = "eabihf") || cinder_cpu::arm::Neon::detect().is_some()) {
            wipe_vstm(pointer, len);
            return;
        }
        super::wipe_by_memset(pointer, len);
    }
}

// A head of up to 3 bytes to reach a word; 128 bytes at a time from d0 to d7, which a callee may
// use freely in every ABI; then each bit of what is left. `len` is 4 at least.
#[cfg(any(target_os = "linux", target_os = "android"))]
#[unsafe(naked)]
unsafe extern "C" fn wipe_vstm(pointer: *mut u8, len: usize) {
    naked_asm!(
        ".fpu vfpv2",
        "movs r2, #0",
        "3:",
        "tst r0, #3",
        "bne 9f",
        "vmov d0, r2, r2",
        "vmov d1, r2, r2",
        "vmov d2, r2, r2",
        "vmov d3, r2, r2",
        "vmov d4, r2, r2",
        "vmov d5, r2, r2",
        "vmov d6, r2, r2",
        "vmov d7, r2, r2",
        "subs r1, r1, #128",
        "blo 4f",
        "2:",
        "vstmia r0!, {{d0-d7}}",
        "vstmia r0!, {{d0-d7}}",
        "subs r1, r1, #128",
        "bhs 2b",
        "4:",
        "ands r1, r1, #127", // adding back the 128 changes none of these bits
        "beq 8f",
        "lsls r3, r1, #26", // bit 6 to the carry, bit 5 to the sign
        "it cs",
        "vstmiacs r0!, {{d0-d7}}",
        "it mi",
        "vstmiami r0!, {{d0-d3}}",
        "lsls r3, r1, #28", // bits 4 and 3
        "it cs",
        "vstmiacs r0!, {{d0-d1}}",
        "it mi",
        "vstmiami r0!, {{d0}}",
        "lsls r3, r1, #30", // bits 2 and 1
        "it cs",
        "strcs r2, [r0], #4",
        "it mi",
        "strhmi r2, [r0], #2",
        "lsls r3, r1, #31", // bit 0
        "it mi",
        "strbmi r2, [r0]",
        "8:",
        "bx lr",
        "9:",
        "strb r2, [r0], #1",
        "subs r1, r1, #1",
        "b 3b",
    )
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

// The pattern is 0x5b, shifted and added up to 0x5b5b5b5b: ARMv6-M cannot load a word at once.
#[unsafe(naked)]
unsafe extern "C" fn paint_routine(low: usize) {
    naked_asm!(
        "movs r2, #0x5b",
        "lsls r3, r2, #8",
        "adds r2, r2, r3",
        "lsls r3, r2, #16",
        "adds r2, r2, r3",
        "mov r1, sp",
        "2:",
        "subs r1, r1, #4",
        "str r2, [r1]",
        "cmp r1, r0",
        "bhi 2b",
        "bx lr",
    )
}

#[unsafe(naked)]
unsafe extern "C" fn first_changed_routine(low: usize, high: usize) -> usize {
    naked_asm!(
        "movs r2, #0x5b",
        "lsls r3, r2, #8",
        "adds r2, r2, r3",
        "lsls r3, r2, #16",
        "adds r2, r2, r3",
        "2:",
        "cmp r0, r1",
        "bhs 3f",
        "ldr r3, [r0]",
        "cmp r3, r2",
        "bne 3f",
        "adds r0, r0, #4",
        "b 2b",
        "3:",
        "bx lr",
    )
}
