//! Burning on 32-bit ARM without an operating system.

use crate::Depth;
use core::arch::naked_asm;

#[inline(always)]
pub(crate) fn burn(depth: Depth) {
    let low = depth.low(super::stack_pointer());
    // SAFETY: the routine writes only below the stack pointer, to stack that no frame owns.
    unsafe { burn_descending(low) }
}

// In instructions that Thumb of ARMv6-M and ARM state both have. From high to low, 32 bytes at a
// time: a burn that is too deep meets a guard band of the memory protection unit before it meets
// what lies below. An interrupt may push its frame here meanwhile; it is gone when the loop goes on.
macro_rules! burn_descending {
    ($($clear:literal)*) => {
        #[unsafe(naked)]
        unsafe extern "C" fn burn_descending(low: usize) {
            naked_asm!(
                "mov r1, sp",
                "movs r2, #0",
                "movs r3, #0",
                $($clear,)*
                "2:",
                "subs r1, #32",
                "stmia r1!, {{r2, r3}}",
                "stmia r1!, {{r2, r3}}",
                "stmia r1!, {{r2, r3}}",
                "stmia r1!, {{r2, r3}}",
                "subs r1, #32",
                "cmp r1, r0",
                "bhi 2b",
                "movs r0, #0",
                "movs r1, #0",
                "mov r12, r0",
                "bx lr",
            )
        }
    };
}

#[cfg(target_abi = "eabihf")]
burn_descending!(
    ".fpu fpv4-sp-d16"
    "vmov d0, r2, r2" "vmov d1, r2, r2" "vmov d2, r2, r2" "vmov d3, r2, r2"
    "vmov d4, r2, r2" "vmov d5, r2, r2" "vmov d6, r2, r2" "vmov d7, r2, r2"
);
#[cfg(not(target_abi = "eabihf"))]
burn_descending!();

