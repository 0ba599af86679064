//! Sets of four blocks of Salsa20 and ChaCha20 on NEON, 32-bit ARM: [`neon`](crate::neon).
//!
//! Constant time: yes.
//!
//! In assembly, because Rust has no stable NEON intrinsics for this target. The 16 words and what a
//! step works with are more than 16 registers. So some words wait on the stack, and take turns with
//! others: a half of a round needs eight words, and there are as many of each kind in each half.
//!
//! Two chains are interleaved, since a result of NEON comes some cycles late on small cores.

use crate::neon::{Input, SET};
use cinder_block::Depth;
pub(crate) use cinder_cpu::arm::Neon;
use core::arch::naked_asm;

/// What the functions write below their caller's frame: d8 to d15, and twice the words that take turns.
const SAVED: usize = 64 + 2 * 64;

#[inline(always)]
pub(crate) fn chacha20_set(_: Neon, input: &Input, set: &mut [u8; SET]) -> Depth {
    // SAFETY: the token proves NEON.
    unsafe { chacha20(input, set) };
    Depth::here().deeper(SAVED)
}

#[inline(always)]
pub(crate) fn salsa20_set<const ROUNDS: usize>(
    _: Neon,
    input: &Input,
    set: &mut [u8; SET],
) -> Depth {
    // SAFETY: the token proves NEON.
    unsafe { salsa20(input, set, ROUNDS / 2) };
    Depth::here().deeper(SAVED)
}

/// Turns the words in four registers into quarters of the four blocks, adds the input and XORs the
/// set. `row` is the number of the row; the halves are those that change places.
#[rustfmt::skip]
macro_rules! finish {
    ($a:literal $b:literal $c:literal $d:literal,
     $a_high:literal $c_low:literal $b_high:literal $d_low:literal, row $row:literal, $input:ident) => {
        concat!(
            "vtrn.32 ", $a, ", ", $b, "\n vtrn.32 ", $c, ", ", $d, "\n",
            "vswp ", $a_high, ", ", $c_low, "\n vswp ", $b_high, ", ", $d_low, "\n",
            "add r2, r1, #16 * ", $row, "\n",
            finish!($input $row),
            finish!($input block $a), finish!($input block $b),
            finish!($input block $c), finish!($input block $d),
        )
    };
    (same $row:literal) => {
        concat!("add r3, r0, #16 * ", $row, "\n vld1.32 {{d28, d29}}, [r3]\n")
    };
    (numbered $row:literal) => { "add r3, r0, #64\n" };
    (same block $x:literal) => { finish!(block $x) };
    (numbered block $x:literal) => { concat!("vld1.32 {{d28, d29}}, [r3]!\n", finish!(block $x)) };
    (block $x:literal) => {
        concat!(
            "vld1.8 {{d30, d31}}, [r2]\n vadd.i32 ", $x, ", ", $x, ", q14\n",
            "veor ", $x, ", ", $x, ", q15\n vst1.8 {{", $x, "}}, [r2], r12\n",
        )
    };
}

/// The next words of the state, each in all of a register.
#[rustfmt::skip]
macro_rules! spread {
    ($($low:literal $high:literal),*) => {
        concat!($("vld1.32 {{", $low, "[], ", $high, "[]}}, [r3]!\n",)*)
    };
}

/// RFC 8439, section 2.1, twice side by side.
#[rustfmt::skip]
macro_rules! quarter_rounds {
    ($a:literal $b:literal $c:literal $d:literal, $e:literal $f:literal $g:literal $h:literal) => {
        concat!(
            "vadd.i32 ", $a, ", ", $a, ", ", $b, "\n vadd.i32 ", $e, ", ", $e, ", ", $f, "\n",
            "veor ", $d, ", ", $d, ", ", $a, "\n veor ", $h, ", ", $h, ", ", $e, "\n",
            "vrev32.16 ", $d, ", ", $d, "\n vrev32.16 ", $h, ", ", $h, "\n",
            quarter_rounds!(step $c $d $b, $g $h $f, "12", "20"),
            quarter_rounds!(step $a $b $d, $e $f $h, "8", "24"),
            quarter_rounds!(step $c $d $b, $g $h $f, "7", "25"),
        )
    };
    // a += b; d ^= a; d <<<= left.
    (step $a:literal $b:literal $d:literal, $e:literal $f:literal $h:literal,
     $left:literal, $right:literal) => {
        concat!(
            "vadd.i32 ", $a, ", ", $a, ", ", $b, "\n vadd.i32 ", $e, ", ", $e, ", ", $f, "\n",
            "veor q14, ", $d, ", ", $a, "\n veor q15, ", $h, ", ", $e, "\n",
            "vshl.i32 ", $d, ", q14, #", $left, "\n vshl.i32 ", $h, ", q15, #", $left, "\n",
            "vsri.32 ", $d, ", q14, #", $right, "\n vsri.32 ", $h, ", q15, #", $right, "\n",
        )
    };
}

/// Words 0 to 7 are in q0 to q7, 12 to 15 in q10 to q13. In q8 and q9 words 8 and 9 take turns with 10
/// and 11.
///
/// # Safety
///
/// There is NEON.
#[unsafe(naked)]
unsafe extern "C" fn chacha20(input: &Input, set: &mut [u8; SET]) {
    naked_asm!(
        ".fpu neon",
        "vpush {{d8-d15}}",
        "sub sp, sp, #128",
        "add r12, sp, #64",
        "mov r3, r0",
        spread!("d0" "d1", "d2" "d3", "d4" "d5", "d6" "d7", "d8" "d9", "d10" "d11", "d12" "d13", "d14" "d15"),
        spread!("d16" "d17", "d18" "d19", "d28" "d29", "d30" "d31"),
        "vstmia r12, {{d28-d31}}",
        "add r3, r0, #64",
        "vld4.32 {{d20, d22, d24, d26}}, [r3]!",
        "vld4.32 {{d21, d23, d25, d27}}, [r3]",
        "mov r3, sp",
        "mov r2, #10",
        "2:",
        quarter_rounds!("q0" "q4" "q8" "q10", "q1" "q5" "q9" "q11"),
        "vstmia r3, {{d16-d19}}",
        "vldmia r12, {{d16-d19}}",
        quarter_rounds!("q2" "q6" "q8" "q12", "q3" "q7" "q9" "q13"),
        quarter_rounds!("q0" "q5" "q8" "q13", "q1" "q6" "q9" "q10"),
        "vstmia r12, {{d16-d19}}",
        "vldmia r3, {{d16-d19}}",
        quarter_rounds!("q2" "q7" "q8" "q11", "q3" "q4" "q9" "q12"),
        "subs r2, r2, #1",
        "bne 2b",
        "mov r12, #64",
        finish!("q0" "q1" "q2" "q3", "d1" "d4" "d3" "d6", row "0", same),
        finish!("q4" "q5" "q6" "q7", "d9" "d12" "d11" "d14", row "1", same),
        finish!("q10" "q11" "q12" "q13", "d21" "d24" "d23" "d26", row "3", numbered),
        "add r3, sp, #64",
        "vldmia r3, {{d20-d23}}",
        finish!("q8" "q9" "q10" "q11", "d17" "d20" "d19" "d22", row "2", same),
        "add sp, sp, #128",
        "vpop {{d8-d15}}",
        "bx lr",
    )
}

/// The specification's section 3, twice side by side.
#[rustfmt::skip]
macro_rules! quarterrounds {
    ($a:literal $b:literal $c:literal $d:literal, $e:literal $f:literal $g:literal $h:literal) => {
        concat!(
            quarterrounds!(step $b $a $d, $f $e $h, "7", "25"),
            quarterrounds!(step $c $b $a, $g $f $e, "9", "23"),
            quarterrounds!(step $d $c $b, $h $g $f, "13", "19"),
            quarterrounds!(step $a $d $c, $e $h $g, "18", "14"),
        )
    };
    // to ^= (a + b) <<< left.
    (step $to:literal $a:literal $b:literal, $at:literal $e:literal $f:literal,
     $left:literal, $right:literal) => {
        concat!(
            "vadd.i32 q12, ", $a, ", ", $b, "\n vadd.i32 q14, ", $e, ", ", $f, "\n",
            "vshl.i32 q13, q12, #", $left, "\n vshl.i32 q15, q14, #", $left, "\n",
            "vsri.32 q13, q12, #", $right, "\n vsri.32 q15, q14, #", $right, "\n",
            "veor ", $to, ", ", $to, ", q13\n veor ", $at, ", ", $at, ", q15\n",
        )
    };
}

/// Words 0, 1, 4, 5, 10, 11, 14 and 15 are in q0 to q7. In q8 to q11 words 8, 9, 12 and 13 take turns
/// with 2, 3, 6 and 7.
///
/// # Safety
///
/// There is NEON.
#[unsafe(naked)]
unsafe extern "C" fn salsa20(input: &Input, set: &mut [u8; SET], double_rounds: usize) {
    naked_asm!(
        ".fpu neon",
        "vpush {{d8-d15}}",
        "sub sp, sp, #128",
        "add r12, sp, #64",
        "mov r3, r0",
        spread!("d0" "d1", "d2" "d3", "d16" "d17", "d18" "d19", "d4" "d5", "d6" "d7", "d20" "d21", "d22" "d23"),
        "vstmia r12, {{d16-d23}}",
        "add r3, r0, #48",
        spread!("d20" "d21", "d22" "d23", "d12" "d13", "d14" "d15"),
        "vld4.32 {{d24, d26, d28, d30}}, [r3]!",
        "vld4.32 {{d25, d27, d29, d31}}, [r3]",
        "vmov q8, q12",
        "vmov q9, q13",
        "vmov q4, q14",
        "vmov q5, q15",
        "mov r3, sp",
        "2:",
        // Section 6: the columnround.
        quarterrounds!("q0" "q2" "q8" "q10", "q3" "q9" "q11" "q1"),
        "vstmia r3, {{d16-d23}}",
        "vldmia r12, {{d16-d23}}",
        quarterrounds!("q4" "q6" "q8" "q10", "q7" "q9" "q11" "q5"),
        // Section 5: the rowround.
        quarterrounds!("q0" "q1" "q8" "q9", "q3" "q10" "q11" "q2"),
        "vstmia r12, {{d16-d23}}",
        "vldmia r3, {{d16-d23}}",
        quarterrounds!("q4" "q5" "q8" "q9", "q7" "q10" "q11" "q6"),
        "subs r2, r2, #1",
        "bne 2b",
        "mov r12, #64",
        finish!("q8" "q9" "q4" "q5", "d17" "d8" "d19" "d10", row "2", numbered),
        finish!("q10" "q11" "q6" "q7", "d21" "d12" "d23" "d14", row "3", same),
        "add r3, sp, #64",
        "vldmia r3, {{d16-d23}}",
        finish!("q0" "q1" "q8" "q9", "d1" "d16" "d3" "d18", row "0", same),
        finish!("q2" "q3" "q10" "q11", "d5" "d20" "d7" "d22", row "1", same),
        "add sp, sp, #128",
        "vpop {{d8-d15}}",
        "bx lr",
    )
}
