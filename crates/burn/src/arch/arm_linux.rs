//! Burning on 32-bit ARM with Linux or Android.

use super::MARGIN;
use crate::Depth;
use core::arch::naked_asm;
use cinder_cpu::arm::bits;

#[inline(always)]
pub(crate) fn burn(depth: Depth) {
    // SAFETY: the routine writes only below the stack pointer, to stack that no frame owns.
    unsafe { burn_routine(depth.unbounded_low(), bits::so_far()) }
}

/// Clears the stack from high to low (a burn past its end must meet the guard page first) and the
/// rest.
macro_rules! with {
    ([$($clear:literal)*], [$($turn:literal)*]) => {
        concat!(
            "mov r1, sp\n",
            "movs r2, #0\n",
            "movs r3, #0\n",
            "mov r12, r2\n",
            $($clear, "\n",)*
            "2:\n",
            $($turn, "\n",)*
            "cmp r1, r0\n",
            "bhi 2b\n",
            "movs r0, #0\n",
            "movs r1, #0\n",
            "bx lr",
        )
    };
}

/// The bit proves the instructions. Where nobody has looked at the CPU yet, `detect` does; it finds
/// the stack as a function does that is called from here.
#[unsafe(naked)]
unsafe extern "C" fn burn_routine(low: usize, features: u32) {
    // The unwinding table of this ABI describes the one call.
    naked_asm!(
        ".fnstart",
        ".fpu neon",
        "sub r2, sp, r0",
        "cmp r2, #{limit}",
        "bhi 6f",
        "3:",
        "tst r1, #{neon}",
        "beq 4f",
        with!(
            [
                "vmov.i32 q0, #0" "vmov.i32 q1, #0" "vmov.i32 q2, #0" "vmov.i32 q3, #0"
                "vmov.i32 q8, #0" "vmov.i32 q9, #0" "vmov.i32 q10, #0" "vmov.i32 q11, #0"
                "vmov.i32 q12, #0" "vmov.i32 q13, #0" "vmov.i32 q14, #0" "vmov.i32 q15, #0"
            ],
            ["vstmdb r1!, {{d16-d31}}" "vstmdb r1!, {{d16-d31}}"]
        ),
        "4:",
        "cmp r1, #0",
        "beq 5f",
        "b {without_neon}",
        "5:",
        ".save {{r0, lr}}",
        "push {{r0, lr}}",
        "bl {detect}",
        "mov r1, r0",
        "pop {{r0, lr}}",
        "b 3b",
        "6:",
        "cmp r0, sp",
        "ite lo",
        "sublo r0, sp, #{limit}",
        "subhs r0, sp, #{margin}",
        "b 3b",
        ".fnend",
        limit = const Depth::LIMIT,
        margin = const MARGIN,
        neon = const bits::NEON,
        detect = sym detect,
        without_neon = sym burn_without_neon,
    )
}

// A compiler for the hard-float ABI may move data through the floating-point registers.
#[cfg(target_abi = "eabihf")]
#[unsafe(naked)]
unsafe extern "C" fn burn_without_neon(low: usize) {
    naked_asm!(
        ".fpu vfpv2",
        with!(
            [
                "vmov d0, r2, r2" "vmov d1, r2, r2" "vmov d2, r2, r2" "vmov d3, r2, r2"
                "vmov d4, r2, r2" "vmov d5, r2, r2" "vmov d6, r2, r2" "vmov d7, r2, r2"
            ],
            [
                "vstmdb r1!, {{d0-d7}}" "vstmdb r1!, {{d0-d7}}"
                "vstmdb r1!, {{d0-d7}}" "vstmdb r1!, {{d0-d7}}"
            ]
        ),
    )
}

#[cfg(not(target_abi = "eabihf"))]
#[unsafe(naked)]
unsafe extern "C" fn burn_without_neon(low: usize) {
    naked_asm!(with!(
        [],
        [
            "stmdb r1!, {{r2, r3, r12}}" "stmdb r1!, {{r2, r3, r12}}"
            "stmdb r1!, {{r2, r3, r12}}" "stmdb r1!, {{r2, r3, r12}}"
            "stmdb r1!, {{r2, r3, r12}}" "stmdb r1!, {{r2, r3, r12}}"
            "stmdb r1!, {{r2, r3, r12}}" "stmdb r1!, {{r2, r3, r12}}"
            "stmdb r1!, {{r2, r3, r12}}" "stmdb r1!, {{r2, r3, r12}}"
            "stmdb r1!, {{r2, r3, r12}}"
        ]
    ))
}

extern "C" fn detect() -> u32 {
    bits::detect()
}
