//! Serpent on NEON, for 32-bit ARM: eight blocks at a time.
//!
//! Round keys are words; blocks are byte arrays of any alignment.
//!
//! Constant time: yes, Boolean circuits.
//!
//! The circuits are those of `sboxes`, written out, because Rust has no stable NEON intrinsics for this
//! target. Four blocks take eight registers, numbered 0 to 7 here, and other four blocks the other eight,
//! which wait while the first ones work: each gate stands for two instructions.

use super::portable;
use super::rounds::{Keys, each_width};
use crate::Depth;
use cinder_cpu::arm::Neon;
use core::arch::naked_asm;

/// What [`encrypt`] and [`decrypt`] save below their caller's frame: d8 to d15.
const SAVED: usize = 64;

/// From so many blocks on eight side by side are quicker than one after the other.
const WORTH: usize = 3;

#[inline(always)]
pub(super) fn encrypt_blocks(_: Neon, keys: &Keys, blocks: &mut [[u8; 16]]) -> Depth {
    // SAFETY: the token proves NEON; there are eight blocks.
    let eight = |blocks: &mut [[u8; 16]; 8]| unsafe {
        encrypt(keys, blocks);
        Depth::here().deeper(SAVED)
    };
    each_width::<8, 8, WORTH>(blocks, eight, eight, |block| portable::encrypt(keys, block))
}

#[inline(always)]
pub(super) fn decrypt_blocks(_: Neon, keys: &Keys, blocks: &mut [[u8; 16]]) -> Depth {
    // SAFETY: the token proves NEON; there are eight blocks.
    let eight = |blocks: &mut [[u8; 16]; 8]| unsafe {
        decrypt(keys, blocks);
        Depth::here().deeper(SAVED)
    };
    each_width::<8, 8, WORTH>(blocks, eight, eight, |block| portable::decrypt(keys, block))
}

/// The registers of the first four blocks.
#[rustfmt::skip]
macro_rules! first {
    (0) => { "q0" }; (1) => { "q1" }; (2) => { "q2" }; (3) => { "q3" };
    (4) => { "q8" }; (5) => { "q9" }; (6) => { "q10" }; (7) => { "q11" };
}

/// The registers of the others.
#[rustfmt::skip]
macro_rules! second {
    (0) => { "q4" }; (1) => { "q5" }; (2) => { "q6" }; (3) => { "q7" };
    (4) => { "q12" }; (5) => { "q13" }; (6) => { "q14" }; (7) => { "q15" };
}

/// An instruction for the first four blocks and for the others: its destination and its operands.
#[rustfmt::skip]
macro_rules! gate {
    (vmvn $d:tt $a:tt) => {
        concat!(
            "vmvn ", first!($d), ", ", first!($a), "\n",
            "vmvn ", second!($d), ", ", second!($a), "\n",
        )
    };
    (shl $d:tt $a:tt $by:tt) => {
        concat!(
            "vshl.i32 ", first!($d), ", ", first!($a), ", #", $by, "\n",
            "vshl.i32 ", second!($d), ", ", second!($a), ", #", $by, "\n",
        )
    };
    (sri $d:tt $a:tt $by:tt) => {
        concat!(
            "vsri.32 ", first!($d), ", ", first!($a), ", #", $by, "\n",
            "vsri.32 ", second!($d), ", ", second!($a), ", #", $by, "\n",
        )
    };
    ($gate:ident $d:tt $a:tt $b:tt) => {
        concat!(
            stringify!($gate), " ", first!($d), ", ", first!($a), ", ", first!($b), "\n",
            stringify!($gate), " ", second!($d), ", ", second!($a), ", ", second!($b), "\n",
        )
    };
}

macro_rules! gates {
    ($($gate:tt)*) => { concat!($(gate! $gate),*) };
}

/// An S-box, from 0 to 3 to the registers in `after_s_box`.
#[rustfmt::skip]
macro_rules! s_box {
    (0) => {
        gates!(
            (veor 3 3 0) (vand 7 1 3) (veor 1 1 2) (veor 7 7 0) (vorr 0 0 3) (veor 4 0 1)
            (veor 6 1 3) (veor 3 3 2) (vorr 2 2 7) (veor 5 2 6) (vorn 0 7 6) (veor 7 7 3)
            (veor 1 7 0) (vorr 3 3 4) (veor 7 1 3) (veor 6 0 3)
        )
    };
    (1) => {
        gates!(
            (vmvn 0 0) (vmvn 2 2) (vand 4 0 1) (veor 5 2 4) (vorr 2 4 3) (veor 7 3 5) (veor 1 1 2)
            (veor 4 2 0) (vorr 2 0 1) (veor 3 1 7) (vorr 1 5 4) (vand 6 1 2) (veor 0 4 3)
            (vand 3 3 6) (veor 4 3 0) (vand 0 0 6) (veor 5 0 2)
        )
    };
    (2) => {
        gates!(
            (vand 7 0 2) (veor 7 7 3) (veor 2 2 1) (veor 6 2 7) (vorr 4 3 0) (veor 3 4 1)
            (veor 2 0 6) (vorr 1 3 2) (veor 4 1 7) (vand 0 7 3) (veor 7 2 0) (veor 3 3 4)
            (veor 5 3 7) (vmvn 7 7)
        )
    };
    (3) => {
        gates!(
            (vorr 4 0 3) (veor 5 3 1) (vand 1 1 0) (veor 3 0 2) (veor 0 2 5) (vand 2 5 4)
            (vorr 3 3 1) (veor 6 2 3) (veor 2 4 1) (vand 3 3 2) (veor 1 1 6) (veor 7 3 0)
            (vorr 3 1 2) (veor 4 3 0) (veor 2 2 6) (vorr 1 4 6) (veor 5 1 2)
        )
    };
    (4) => {
        gates!(
            (veor 1 1 3) (vmvn 3 3) (veor 7 2 3) (veor 3 3 0) (vand 2 1 3) (veor 4 2 7)
            (veor 6 1 3) (veor 0 0 6) (vand 1 7 6) (veor 7 1 0) (vand 1 0 4) (veor 5 3 1)
            (vorr 2 6 4) (veor 3 2 1) (vorr 0 1 5) (veor 1 0 7) (vand 2 7 5) (vmvn 7 1)
            (veor 6 3 2)
        )
    };
    (5) => {
        gates!(
            (veor 0 0 1) (veor 1 1 3) (vmvn 4 3) (vand 3 1 0) (veor 2 2 4) (veor 7 3 2)
            (vorr 2 2 1) (veor 1 1 4) (vand 3 4 7) (veor 4 3 0) (veor 1 1 7) (veor 3 1 2)
            (veor 1 2 0) (vand 2 0 4) (vmvn 0 1) (veor 5 2 3) (vorr 1 3 4) (veor 6 0 1)
        )
    };
    (6) => {
        gates!(
            (vmvn 2 2) (vand 4 3 0) (veor 7 0 3) (veor 0 4 2) (vorr 2 2 3) (veor 4 1 0)
            (veor 6 2 7) (vorr 2 7 4) (veor 1 6 4) (veor 3 3 2) (vorr 2 2 0) (veor 6 2 1)
            (veor 2 3 0) (veor 5 2 6) (vmvn 7 0) (vand 3 1 5) (veor 7 3 7)
        )
    };
    (7) => {
        gates!(
            (vorr 7 1 2) (veor 7 7 3) (veor 1 1 2) (veor 4 2 7) (vorr 3 3 1) (vand 3 3 0)
            (veor 1 1 4) (veor 5 3 7) (vorr 3 7 1) (veor 7 3 0) (vorr 0 0 1) (veor 6 0 4)
            (veor 2 7 1) (veor 0 4 2) (vand 2 2 6) (veor 7 2 1) (vorn 0 6 0) (veor 4 1 0)
        )
    };
}

/// Applies a macro to the registers that an S-box leaves X_0 to X_3 in.
#[rustfmt::skip]
macro_rules! after_s_box {
    (0 $name:ident) => { $name!(7 6 5 4) };
    (1 $name:ident) => { $name!(6 5 7 4) };
    (2 $name:ident) => { $name!(6 4 5 7) };
    (3 $name:ident) => { $name!(5 4 6 7) };
    (4 $name:ident) => { $name!(4 6 7 5) };
    (5 $name:ident) => { $name!(7 4 5 6) };
    (6 $name:ident) => { $name!(6 4 5 7) };
    (7 $name:ident) => { $name!(4 5 7 6) };
}

/// The inverse of an S-box, from 0, 7, 2 and 6 to the registers in `after_inverse_s_box`.
#[rustfmt::skip]
macro_rules! inverse_s_box {
    (0) => {
        gates!(
            (vmvn 1 2) (vorr 2 7 0) (vmvn 3 7) (veor 5 2 1) (vorr 2 1 3) (veor 5 5 6) (veor 0 0 3)
            (veor 2 2 0) (vand 0 0 6) (veor 7 3 0) (vorr 0 0 5) (veor 4 0 2) (veor 6 6 7)
            (veor 2 2 5) (veor 6 6 4) (veor 6 6 5) (vand 2 2 6) (veor 7 7 2)
        )
    };
    (1) => {
        gates!(
            (veor 4 7 6) (vand 6 6 4) (veor 7 7 2) (veor 6 6 0) (vorr 0 0 4) (veor 5 2 6)
            (veor 0 0 7) (vorr 2 0 5) (veor 0 4 6) (veor 4 2 0) (vorr 2 0 6) (veor 0 2 4)
            (vmvn 7 7) (veor 7 7 0) (vorr 1 0 4) (veor 0 1 4) (vorr 0 0 7) (veor 6 6 0)
        )
    };
    (2) => {
        gates!(
            (veor 2 2 6) (veor 6 6 0) (vand 3 6 2) (veor 4 3 7) (vorr 5 7 2) (veor 5 5 6)
            (vand 7 6 4) (veor 2 2 4) (vand 1 7 0) (veor 6 1 2) (vand 2 2 5) (vorr 2 2 0)
            (vmvn 7 4) (veor 4 2 7) (veor 0 0 7) (vand 1 0 5) (veor 7 7 6) (veor 7 7 1)
        )
    };
    (3) => {
        gates!(
            (veor 4 2 7) (veor 0 0 4) (vand 2 2 4) (veor 2 2 0) (vand 3 0 7) (veor 0 7 6)
            (vorr 5 6 2) (veor 6 4 5) (veor 7 3 5) (veor 0 0 2) (vand 5 5 6) (veor 4 5 0)
            (veor 0 0 7) (vorr 0 0 6) (veor 7 7 4) (veor 5 0 2) (veor 7 7 5)
        )
    };
    (4) => {
        gates!(
            (vand 3 2 6) (veor 3 3 7) (vorr 7 7 6) (vand 7 7 0) (veor 2 2 3) (veor 5 2 7)
            (vand 7 7 3) (vmvn 0 0) (veor 2 6 5) (veor 6 7 2) (vand 2 2 0) (veor 7 2 3)
            (veor 4 0 6) (vand 2 3 4) (veor 7 7 4) (veor 0 2 5) (vorr 0 0 7) (veor 7 7 4)
            (veor 6 0 6)
        )
    };
    (5) => {
        gates!(
            (vmvn 5 7) (veor 7 2 5) (vorr 1 6 0) (veor 2 1 7) (vorr 7 7 5) (vand 7 7 0)
            (veor 6 6 2) (veor 7 7 6) (vorr 6 6 0) (veor 6 6 5) (vand 1 5 7) (veor 4 1 2)
            (veor 6 6 7) (vand 2 2 6) (veor 6 6 4) (veor 2 2 6) (vmvn 6 6) (veor 5 2 0)
        )
    };
    (6) => {
        gates!(
            (veor 3 0 2) (vand 0 2 3) (veor 2 2 6) (vmvn 0 0) (veor 4 6 7) (veor 5 0 4)
            (vorr 2 2 3) (veor 0 3 5) (veor 6 4 2) (veor 2 2 7) (vand 4 7 6) (veor 7 4 0)
            (veor 0 0 6) (vorr 0 0 5) (veor 4 6 7) (veor 6 2 0)
        )
    };
    (7) => {
        gates!(
            (veor 1 2 0) (vand 0 0 6) (vorr 2 2 6) (vmvn 4 1) (veor 6 6 7) (vorr 7 7 0)
            (veor 0 0 4) (vand 4 4 2) (vand 6 6 2) (veor 5 7 4) (veor 7 4 0) (vorr 0 0 7)
            (veor 2 2 5) (veor 4 0 6) (veor 0 6 2) (vorr 2 2 4) (veor 6 0 7) (veor 7 2 7)
        )
    };
}

#[rustfmt::skip]
macro_rules! after_inverse_s_box {
    (0 $name:ident) => { $name!(4 7 5 6) };
    (1 $name:ident) => { $name!(7 4 6 5) };
    (2 $name:ident) => { $name!(5 6 4 7) };
    (3 $name:ident) => { $name!(6 5 4 7) };
    (4 $name:ident) => { $name!(4 7 6 5) };
    (5 $name:ident) => { $name!(4 6 5 7) };
    (6 $name:ident) => { $name!(7 5 6 4) };
    (7 $name:ident) => { $name!(6 4 5 7) };
}

/// The linear transformation, from anywhere in 4 to 7, to 0 to 3. SHL and SRI are a rotation.
#[rustfmt::skip]
macro_rules! linear {
    ($x0:tt $x1:tt $x2:tt $x3:tt) => {
        gates!(
            (shl 2 $x0 13) (sri 2 $x0 19) (shl $x0 $x2 3) (sri $x0 $x2 29) (veor $x1 $x1 2)
            (shl $x2 2 3) (veor $x3 $x3 $x0) (veor $x1 $x1 $x0) (veor $x3 $x3 $x2) (shl 1 $x1 1)
            (sri 1 $x1 31) (shl 3 $x3 7) (sri 3 $x3 25) (veor 2 2 1) (shl $x2 1 7)
            (veor 2 2 3) (veor $x0 $x0 3) (veor $x0 $x0 $x2) (shl 0 2 5) (sri 0 2 27)
            (shl 2 $x0 22) (sri 2 $x0 10)
        )
    };
}

/// Its inverse, from 0 to 3, to 0, 7, 2 and 6.
#[rustfmt::skip]
macro_rules! inverse_linear {
    () => {
        gates!(
            (shl 4 2 10) (sri 4 2 22) (shl 5 0 27) (sri 5 0 5) (shl 0 1 7) (veor 4 4 3)
            (veor 5 5 1) (veor 4 4 0) (veor 5 5 3) (shl 6 3 25) (sri 6 3 7) (shl 7 1 31)
            (sri 7 1 1) (shl 0 5 3) (veor 6 6 4) (veor 7 7 5) (veor 6 6 0) (veor 7 7 4)
            (shl 2 4 29) (sri 2 4 3) (shl 0 5 19) (sri 0 5 13)
        )
    };
}

/// X_0 to X_3, in 0 to 3, += the next round key.
#[rustfmt::skip]
macro_rules! add_key {
    () => {
        "vld1.32 {{d16[], d17[]}}, [r3]!\n vld1.32 {{d18[], d19[]}}, [r3]!\n \
         vld1.32 {{d20[], d21[]}}, [r3]!\n vld1.32 {{d22[], d23[]}}, [r3]!\n \
         veor q0, q0, q8\n veor q4, q4, q8\n veor q1, q1, q9\n veor q5, q5, q9\n \
         veor q2, q2, q10\n veor q6, q6, q10\n veor q3, q3, q11\n veor q7, q7, q11\n"
    };
}

/// 0 to 3 = the next round key + X_0 to X_3, anywhere in 4 to 7.
#[rustfmt::skip]
macro_rules! add_to_key {
    ($x0:tt $x1:tt $x2:tt $x3:tt) => {
        concat!(
            "vld1.32 {{d0[], d1[]}}, [r3]!\n vld1.32 {{d2[], d3[]}}, [r3]!\n",
            "vld1.32 {{d4[], d5[]}}, [r3]!\n vld1.32 {{d6[], d7[]}}, [r3]!\n",
            "veor q4, q0, ", second!($x0), "\n veor q0, q0, ", first!($x0), "\n",
            "veor q5, q1, ", second!($x1), "\n veor q1, q1, ", first!($x1), "\n",
            "veor q6, q2, ", second!($x2), "\n veor q2, q2, ", first!($x2), "\n",
            "veor q7, q3, ", second!($x3), "\n veor q3, q3, ", first!($x3), "\n",
        )
    };
}

macro_rules! load {
    () => {
        "vld4.32 {{d0, d2, d4, d6}}, [r1]!
         vld4.32 {{d1, d3, d5, d7}}, [r1]!
         vld4.32 {{d8, d10, d12, d14}}, [r1]!
         vld4.32 {{d9, d11, d13, d15}}, [r1]!
         sub r1, r1, #128
"
    };
}

macro_rules! store {
    () => {
        "vst4.32 {{d0, d2, d4, d6}}, [r1]!
         vst4.32 {{d1, d3, d5, d7}}, [r1]!
         vst4.32 {{d8, d10, d12, d14}}, [r1]!
         vst4.32 {{d9, d11, d13, d15}}, [r1]!
"
    };
}

macro_rules! round {
    ($i:tt) => {
        concat!(add_key!(), s_box!($i), after_s_box!($i linear))
    };
}

/// The round key's address goes down from one to the one before it.
macro_rules! inverse_round {
    ($i:tt) => {
        concat!(
            inverse_s_box!($i),
            after_inverse_s_box!($i add_to_key),
            "sub r3, r3, #32\n",
        )
    };
}

/// # Safety
///
/// There is NEON.
#[unsafe(naked)]
unsafe extern "C" fn encrypt(keys: &Keys, blocks: &mut [[u8; 16]; 8]) {
    naked_asm!(
        ".fpu neon",
        "vpush {{d8-d15}}",
        "mov r3, r0",
        "mov r12, #4",
        load!(),
        "2:",
        round!(0),
        round!(1),
        round!(2),
        round!(3),
        round!(4),
        round!(5),
        round!(6),
        add_key!(),
        s_box!(7),
        "subs r12, r12, #1",
        "beq 3f",
        after_s_box!(7 linear),
        "b 2b",
        "3:",
        after_s_box!(7 add_to_key),
        store!(),
        "vpop {{d8-d15}}",
        "bx lr",
    )
}

/// # Safety
///
/// There is NEON.
#[unsafe(naked)]
unsafe extern "C" fn decrypt(keys: &Keys, blocks: &mut [[u8; 16]; 8]) {
    naked_asm!(
        ".fpu neon",
        "vpush {{d8-d15}}",
        "add r3, r0, #512",
        "mov r12, #4",
        load!(),
        add_key!(),
        "sub r3, r3, #32",
        // Where the inverse S-boxes begin.
        "vmov q11, q1",
        "vmov q15, q5",
        "vmov q10, q3",
        "vmov q14, q7",
        "2:",
        inverse_round!(7),
        inverse_linear!(),
        inverse_round!(6),
        inverse_linear!(),
        inverse_round!(5),
        inverse_linear!(),
        inverse_round!(4),
        inverse_linear!(),
        inverse_round!(3),
        inverse_linear!(),
        inverse_round!(2),
        inverse_linear!(),
        inverse_round!(1),
        inverse_linear!(),
        inverse_round!(0),
        "subs r12, r12, #1",
        "beq 3f",
        inverse_linear!(),
        "b 2b",
        "3:",
        store!(),
        "vpop {{d8-d15}}",
        "bx lr",
    )
}
