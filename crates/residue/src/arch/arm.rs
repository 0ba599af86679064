//! 32-bit ARM under Linux: r0 to r3, r12, and d0 to d31 with NEON, d0 to d15 without. d8 to d15
//! come back as they were handed over.

use super::{Bank, IN_GENERAL, IN_VECTOR, KEPT_SIZE, ON_STACK, Plant, Registers};
use crate::stack::WHOLE;
use core::arch::{asm, naked_asm};
use core::ffi::c_void;

pub(crate) const SUPPORTED: bool = cfg!(target_abi = "eabihf");

pub(crate) const GENERAL: &[Bank] = &[Bank { names: &["r0", "r1", "r2", "r3", "r12"], width: 4 }];

/// And d8 to d15, each in two parts.
pub(crate) const KEPT: &[Bank] = &[Bank {
    names: &[
        "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "s16", "s17", "s18", "s19", "s20", "s21",
        "s22", "s23", "s24", "s25", "s26", "s27", "s28", "s29", "s30", "s31",
    ],
    width: 4,
}];

pub(crate) const VECTOR: &[Bank] = &[Bank {
    names: &[
        "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9", "d10", "d11", "d12", "d13",
        "d14", "d15", "d16", "d17", "d18", "d19", "d20", "d21", "d22", "d23", "d24", "d25", "d26",
        "d27", "d28", "d29", "d30", "d31",
    ],
    width: 8,
}];

type Entry = extern "C" fn(*mut c_void);

/// # Safety
///
/// `f` may be called with `data`, does not unwind, and finds enough stack below `stack_top`,
/// which is a multiple of 64.
pub(crate) unsafe fn call_on(
    f: Entry,
    data: *mut c_void,
    stack_top: *mut u8,
    registers: &mut Registers,
) {
    // SAFETY: as promised by the caller; Neon proves d16 to d31, and the ABI the others.
    unsafe {
        if cinder_cpu::arm::Neon::detect().is_some() {
            call_neon(f, data, stack_top, registers);
        } else {
            call_vfp(f, data, stack_top, registers);
        }
    }
}

macro_rules! call {
    ($name:ident, [$($clear:literal)*], [$($store:literal)*]) => {
        #[unsafe(naked)]
        unsafe extern "C" fn $name(
            f: Entry,
            data: *mut c_void,
            stack_top: *mut u8,
            registers: &mut Registers,
        ) {
            naked_asm!(
                ".fpu neon",
                "push {{r4-r11, lr}}",
                "sub sp, sp, #4",
                "vpush {{d8-d15}}",
                "mov r5, sp",
                "mov r4, r3",
                "mov sp, r2",
                "mov r6, r0",
                "mov r0, r1",
                "movs r1, #0",
                "movs r2, #0",
                "movs r3, #0",
                "mov r12, r2",
                "mov r7, r2",
                "mov r8, r2",
                "mov r9, r2",
                "mov r10, r2",
                "mov r11, r2",
                "vmov d0, r2, r2", "vmov d1, r2, r2", "vmov d2, r2, r2", "vmov d3, r2, r2",
                "vmov d4, r2, r2", "vmov d5, r2, r2", "vmov d6, r2, r2", "vmov d7, r2, r2",
                "vmov d8, r2, r2", "vmov d9, r2, r2", "vmov d10, r2, r2", "vmov d11, r2, r2",
                "vmov d12, r2, r2", "vmov d13, r2, r2", "vmov d14, r2, r2", "vmov d15, r2, r2",
                $($clear,)*
                "blx r6",
                "str r0, [r4]",
                "str r1, [r4, #4]",
                "str r2, [r4, #8]",
                "str r3, [r4, #12]",
                "str r12, [r4, #16]",
                "add r4, r4, #256",
                "vstmia r4!, {{d0-d15}}",
                $($store,)*
                "mov sp, r5",
                "vpop {{d8-d15}}",
                "add sp, sp, #4",
                "pop {{r4-r11, pc}}",
            )
        }
    };
}

call!(
    call_neon,
    [
        "vmov.i32 q8, #0" "vmov.i32 q9, #0" "vmov.i32 q10, #0" "vmov.i32 q11, #0"
        "vmov.i32 q12, #0" "vmov.i32 q13, #0" "vmov.i32 q14, #0" "vmov.i32 q15, #0"
    ],
    ["vstmia r4!, {{d16-d31}}"]
);
call!(call_vfp, [], []);

/// # Safety
///
/// It runs on a private stack.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn keep() {
    naked_asm!(
        ".fpu neon",
        "push {{r3, r12}}",
        "mov r12, sp",
        "lsr r12, r12, #{shift}",
        "add r12, r12, #1",
        "lsl r12, r12, #{shift}",
        "sub r12, r12, #{kept}",
        "stmia r12!, {{r4-r11}}",
        "vstmia r12!, {{d8-d15}}",
        "pop {{r3, r12}}",
        // What lay in them is not to be found on the stack as well.
        "str lr, [sp, #-8]",
        "str lr, [sp, #-4]",
        "bx lr",
        shift = const WHOLE.trailing_zeros(),
        kept = const KEPT_SIZE,
    )
}

pub(crate) const HELD: &str = "r8";

#[inline(always)]
pub(crate) fn hold(bytes: &[u8; 4]) {
    // SAFETY: loads 4 bytes into a register that is named as an output.
    unsafe {
        asm!(
            "ldr r8, [{}]", in(reg) bytes, out("r8") _,
            options(readonly, nostack, preserves_flags),
        );
    }
}

pub(crate) fn plants() -> Vec<Plant> {
    let mut plants = vec![
        Plant { place: "stack, 4 KiB down", left: ON_STACK, leave: leave_on_stack },
        Plant { place: "d7", left: IN_VECTOR, leave: leave_in_d7 },
        Plant { place: "d7, upper half", left: IN_VECTOR, leave: leave_in_d7_high },
        Plant { place: "r12", left: IN_GENERAL, leave: leave_in_r12 },
    ];
    if cinder_cpu::arm::Neon::detect().is_some() {
        plants.push(Plant { place: "d29", left: IN_VECTOR, leave: leave_in_d29 });
        plants.push(Plant { place: "d29, upper half", left: IN_VECTOR, leave: leave_in_d29_high });
    }
    plants
}

macro_rules! leave {
    ($name:ident, $($line:literal)*) => {
        #[unsafe(naked)]
        unsafe extern "C" fn $name(bytes: &[u8; 4]) {
            naked_asm!(".fpu neon", $($line,)* "bx lr")
        }
    };
}

leave!(
    leave_on_stack,
    "ldr r1, [r0]"
    "sub sp, sp, #4096"
    "str r1, [sp]"
    "add sp, sp, #4096"
    "mov r1, #0"
);
leave!(leave_in_r12, "ldr r12, [r0]");
leave!(leave_in_d7, "vldr s14, [r0]");
leave!(leave_in_d7_high, "vldr s15, [r0]");
leave!(leave_in_d29, "vmov.i32 d29, #0" "vld1.32 {{d29[0]}}, [r0]");
leave!(leave_in_d29_high, "vmov.i32 d29, #0" "vld1.32 {{d29[1]}}, [r0]");
