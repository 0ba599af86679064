//! aarch64: x0 to x17 and v0 to v31, whole: the low halves of v8 to v15 come back as they were
//! handed over, the high halves are the callee's.

use super::{Bank, IN_GENERAL, IN_VECTOR, KEPT_SIZE, ON_STACK, Plant, Registers};
use crate::stack::WHOLE;
use core::arch::{asm, naked_asm};
use core::ffi::c_void;

pub(crate) const SUPPORTED: bool = true;

pub(crate) const GENERAL: &[Bank] = &[Bank {
    names: &[
        "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
        "x14", "x15", "x16", "x17",
    ],
    width: 8,
}];

pub(crate) const KEPT: &[Bank] = &[Bank {
    names: &[
        "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "d8", "d9",
        "d10", "d11", "d12", "d13", "d14", "d15",
    ],
    width: 8,
}];

pub(crate) const VECTOR: &[Bank] = &[Bank {
    names: &[
        "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13",
        "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26",
        "v27", "v28", "v29", "v30", "v31",
    ],
    width: 16,
}];

type Entry = extern "C" fn(*mut c_void);

/// # Safety
///
/// `f` may be called with `data`, does not unwind, and finds enough stack below `stack_top`,
/// which is a multiple of 64.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn call_on(
    f: Entry,
    data: *mut c_void,
    stack_top: *mut u8,
    registers: &mut Registers,
) {
    naked_asm!(
        "hint #34",
        "stp x29, x30, [sp, #-160]!",
        "stp x19, x20, [sp, #16]",
        "stp d8, d9, [sp, #32]",
        "stp d10, d11, [sp, #48]",
        "stp d12, d13, [sp, #64]",
        "stp d14, d15, [sp, #80]",
        "stp x21, x22, [sp, #96]",
        "stp x23, x24, [sp, #112]",
        "stp x25, x26, [sp, #128]",
        "stp x27, x28, [sp, #144]",
        "mov x20, sp",
        "mov x19, x3",
        "mov sp, x2",
        "mov x9, x0",
        "mov x0, x1",
        "movi v0.2d, #0",
        "movi v1.2d, #0",
        "movi v2.2d, #0",
        "movi v3.2d, #0",
        "movi v4.2d, #0",
        "movi v5.2d, #0",
        "movi v6.2d, #0",
        "movi v7.2d, #0",
        "movi v8.2d, #0",
        "movi v9.2d, #0",
        "movi v10.2d, #0",
        "movi v11.2d, #0",
        "movi v12.2d, #0",
        "movi v13.2d, #0",
        "movi v14.2d, #0",
        "movi v15.2d, #0",
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
        "mov x1, xzr",
        "mov x2, xzr",
        "mov x3, xzr",
        "mov x4, xzr",
        "mov x5, xzr",
        "mov x6, xzr",
        "mov x7, xzr",
        "mov x8, xzr",
        "mov x10, xzr",
        "mov x11, xzr",
        "mov x12, xzr",
        "mov x13, xzr",
        "mov x14, xzr",
        "mov x15, xzr",
        "mov x16, xzr",
        "mov x17, xzr",
        "mov x21, xzr",
        "mov x22, xzr",
        "mov x23, xzr",
        "mov x24, xzr",
        "mov x25, xzr",
        "mov x26, xzr",
        "mov x27, xzr",
        "mov x28, xzr",
        "blr x9",
        "stp x0, x1, [x19]",
        "stp x2, x3, [x19, #16]",
        "stp x4, x5, [x19, #32]",
        "stp x6, x7, [x19, #48]",
        "stp x8, x9, [x19, #64]",
        "stp x10, x11, [x19, #80]",
        "stp x12, x13, [x19, #96]",
        "stp x14, x15, [x19, #112]",
        "stp x16, x17, [x19, #128]",
        "add x19, x19, #256",
        "stp q0, q1, [x19]",
        "stp q2, q3, [x19, #32]",
        "stp q4, q5, [x19, #64]",
        "stp q6, q7, [x19, #96]",
        "stp q8, q9, [x19, #128]",
        "stp q10, q11, [x19, #160]",
        "stp q12, q13, [x19, #192]",
        "stp q14, q15, [x19, #224]",
        "stp q16, q17, [x19, #256]",
        "stp q18, q19, [x19, #288]",
        "stp q20, q21, [x19, #320]",
        "stp q22, q23, [x19, #352]",
        "stp q24, q25, [x19, #384]",
        "stp q26, q27, [x19, #416]",
        "stp q28, q29, [x19, #448]",
        "stp q30, q31, [x19, #480]",
        "mov sp, x20",
        "ldp x27, x28, [sp, #144]",
        "ldp x25, x26, [sp, #128]",
        "ldp x23, x24, [sp, #112]",
        "ldp x21, x22, [sp, #96]",
        "ldp d14, d15, [sp, #80]",
        "ldp d12, d13, [sp, #64]",
        "ldp d10, d11, [sp, #48]",
        "ldp d8, d9, [sp, #32]",
        "ldp x19, x20, [sp, #16]",
        "ldp x29, x30, [sp], #160",
        "ret",
    )
}

/// # Safety
///
/// It runs on a private stack.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn keep() {
    naked_asm!(
        "hint #34",
        "str x16, [sp, #-16]!",
        "mov x16, sp",
        "orr x16, x16, #{whole} - 1",
        "sub x16, x16, #{kept} - 1",
        "stp x19, x20, [x16]",
        "stp x21, x22, [x16, #16]",
        "stp x23, x24, [x16, #32]",
        "stp x25, x26, [x16, #48]",
        "stp x27, x28, [x16, #64]",
        "str x29, [x16, #80]",
        "stp d8, d9, [x16, #88]",
        "stp d10, d11, [x16, #104]",
        "stp d12, d13, [x16, #120]",
        "stp d14, d15, [x16, #136]",
        "ldr x16, [sp], #16",
        "ret",
        whole = const WHOLE,
        kept = const KEPT_SIZE,
    )
}

pub(crate) const HELD: &str = "x24";

#[inline(always)]
pub(crate) fn hold(bytes: &[u8; 4]) {
    // SAFETY: loads 4 bytes into a register that is named as an output.
    unsafe {
        asm!(
            "ldr w24, [{}]", in(reg) bytes, out("x24") _,
            options(readonly, nostack, preserves_flags),
        );
    }
}

pub(crate) fn plants() -> Vec<Plant> {
    vec![
        Plant { place: "stack, 4 KiB down", left: ON_STACK, leave: leave_on_stack },
        Plant { place: "v29", left: IN_VECTOR, leave: leave_in_v29 },
        Plant { place: "v29, upper half", left: IN_VECTOR, leave: leave_in_v29_high },
        Plant { place: "v8, upper half", left: IN_VECTOR, leave: leave_in_v8_high },
        Plant { place: "x13", left: IN_GENERAL, leave: leave_in_x13 },
    ]
}

macro_rules! leave {
    ($name:ident, $($line:literal)*) => {
        #[unsafe(naked)]
        unsafe extern "C" fn $name(bytes: &[u8; 4]) {
            naked_asm!($($line,)* "ret")
        }
    };
}

leave!(
    leave_on_stack,
    "ldr w1, [x0]"
    "sub sp, sp, #4096"
    "str w1, [sp]"
    "add sp, sp, #4096"
    "mov x1, xzr"
);
leave!(leave_in_x13, "ldr w13, [x0]");
leave!(leave_in_v29, "ldr s29, [x0]");
leave!(leave_in_v29_high, "movi v29.2d, #0" "ld1 {{v29.s}}[3], [x0]");
// The low half is the caller's.
leave!(leave_in_v8_high, "ld1 {{v8.s}}[3], [x0]");
