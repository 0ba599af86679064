//! Burning on 32-bit ARM without an operating system.

use crate::Depth;
use core::arch::naked_asm;

#[inline(always)]
pub(crate) fn burn(depth: Depth) {
    let low = depth.low(super::stack_pointer());
    // SAFETY: the routine writes only below the stack pointer, to stack that no frame owns.
    unsafe { burn_ascending(low) }
}

// In instructions that Thumb of ARMv6-M and ARM state both have. From low to high, which saves
// an instruction a word: there are no guard pages here. The length is rounded up to 32 bytes, so
// that the last store ends at the stack pointer, a multiple of 8. An interrupt may push its
// frame here meanwhile; it is gone when the loop goes on.
macro_rules! burn_ascending {
    ($($clear:literal)*) => {
        #[unsafe(naked)]
        unsafe extern "C" fn burn_ascending(low: usize) {
            naked_asm!(
                "mov r1, sp",
                "movs r2, #0",
                "movs r3, #0",
                $($clear,)*
                "subs r0, r1, r0",
                "bls 3f",
                "adds r0, #31",
                "lsrs r0, r0, #5",
                "lsls r0, r0, #5",
                "subs r0, r1, r0",
                "2:",
                "stmia r0!, {{r2, r3}}",
                "stmia r0!, {{r2, r3}}",
                "stmia r0!, {{r2, r3}}",
                "stmia r0!, {{r2, r3}}",
                "cmp r0, r1",
                "bne 2b",
                "3:",
                "movs r0, #0",
                "movs r1, #0",
                "mov r12, r0",
                "bx lr",
            )
        }
    };
}

#[cfg(target_abi = "eabihf")]
burn_ascending!(
    ".fpu fpv4-sp-d16"
    "vmov d0, r2, r2" "vmov d1, r2, r2" "vmov d2, r2, r2" "vmov d3, r2, r2"
    "vmov d4, r2, r2" "vmov d5, r2, r2" "vmov d6, r2, r2" "vmov d7, r2, r2"
);
#[cfg(not(target_abi = "eabihf"))]
burn_ascending!();

