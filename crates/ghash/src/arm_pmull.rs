//! GHASH (SP 800-38D, section 6.4) by VMULL.P64, the carry-less multiplication of ARMv8's
//! cryptographic extension in 32-bit mode.
//!
//! Constant time: yes. The instruction's time does not depend on its operands, and nothing else
//! does but the length.
//!
//! Eight blocks for each reduction, with the powers H^8 … H; each block costs three products by
//! Karatsuba. A tail of up to seven blocks is one reduction too. The key is as `arm_neon` has it, and
//! the reduction as in `aarch64_pmull`.

use crate::{Depth, GhashKey, arm_neon::expand_by};
use core::arch::naked_asm;
use core::mem::offset_of;

/// What [`update_vmull`] saves below its caller's frame: two words.
const SAVED: usize = 8;

#[inline(never)]
pub(crate) fn expand(_proof: cinder_cpu::arm::Pmull, h: &[u8; 16], key: &mut GhashKey) -> Depth {
    // SAFETY: the token proves PMULL and NEON.
    expand_by(|key, y, zero| unsafe { update_vmull(key, y, zero, 1) }, h, key)
}

#[inline(never)]
pub(crate) fn update(
    _proof: cinder_cpu::arm::Pmull,
    key: &GhashKey,
    y: &mut [u8; 16],
    blocks: &[[u8; 16]],
) -> Depth {
    // SAFETY: the token proves PMULL and NEON; so many blocks are there.
    unsafe { update_vmull(key, y, blocks.as_ptr(), blocks.len()) }
    Depth::here().deeper(SAVED)
}

/// Two blocks into q1 and q2, two powers into q8 and q9, their Karatsuba sums into d20 and d21, and
/// those of the blocks into d22 and d23. Y may be added on the way.
#[rustfmt::skip]
macro_rules! load_pair {
    ($($add_y:literal)?) => {
        concat!(
            "vld1.8 {{d2-d5}}, [r2]!\n",
            "vrev64.8 q1, q1\n",
            "vrev64.8 q2, q2\n",
            $($add_y,)?
            "vld1.64 {{d16-d19}}, [r4]!\n",
            "vld1.64 {{d20, d21}}, [r12]!\n",
            "veor d22, d2, d3\n",
            "veor d23, d4, d5\n",
        )
    };
}

/// The second block's products are added.
#[rustfmt::skip]
macro_rules! add_second {
    () => {
        "vmull.p64 q3, d4, d18\n\
         vmull.p64 q0, d5, d19\n\
         veor q14, q14, q3\n\
         veor q12, q12, q0\n\
         vmull.p64 q3, d23, d21\n\
         veor q13, q13, q3\n"
    };
}

/// The first two blocks of a group: their products begin the sums: low words in q12, middle in q13,
/// high words in q14.
#[rustfmt::skip]
macro_rules! first_pair {
    () => {
        concat!(
            load_pair!("veor q1, q1, q0\n"),
            "vmull.p64 q14, d2, d16\n",
            "vmull.p64 q12, d3, d17\n",
            "vmull.p64 q13, d22, d20\n",
            add_second!(),
        )
    };
}

/// Two more.
#[rustfmt::skip]
macro_rules! next_pair {
    () => {
        concat!(
            load_pair!(),
            "vmull.p64 q3, d2, d16\n",
            "vmull.p64 q0, d3, d17\n",
            "veor q14, q14, q3\n",
            "veor q12, q12, q0\n",
            "vmull.p64 q3, d22, d20\n",
            "veor q13, q13, q3\n",
            add_second!(),
        )
    };
}

/// Y (q0, high word first) = the sum divided by y^128, with g = 0xc2<<56 in d30. First the middle gets
/// what Karatsuba's is short of.
#[rustfmt::skip]
macro_rules! reduce {
    () => {
        "veor q3, q12, q14\n\
         vmull.p64 q0, d24, d30\n\
         veor q13, q13, q3\n\
         vext.8 q12, q12, q12, #8\n\
         veor q13, q13, q0\n\
         veor q13, q13, q12\n\
         vmull.p64 q0, d26, d30\n\
         veor q14, q14, q0\n\
         vext.8 q14, q14, q14, #8\n\
         veor q0, q13, q14\n"
    };
}

/// For each of `count` blocks X: Y = (Y + X) · H. Uses 8 bytes of stack.
///
/// # Safety
///
/// There are VMULL.P64 and NEON, and `blocks` has `count` blocks.
#[unsafe(naked)]
unsafe extern "C" fn update_vmull(
    key: &GhashKey,
    y: &mut [u8; 16],
    blocks: *const [u8; 16],
    count: usize,
) {
    naked_asm!(
        ".arch armv8-a",
        ".fpu crypto-neon-fp-armv8",
        "push {{r4, lr}}",
        "vld1.8 {{d0, d1}}, [r1]",
        "vrev64.8 q0, q0",
        "mov r4, #0",
        "mov r12, #0xc2000000",
        "vmov d30, r4, r12",
        "subs r3, r3, #8",
        "blo 3f",
        "2:",
        "add r4, r0, #{powers} - 8 * 16",
        "add r12, r0, #{sums} - 8 * 8",
        first_pair!(),
        next_pair!(),
        next_pair!(),
        next_pair!(),
        reduce!(),
        "subs r3, r3, #8",
        "bhs 2b",
        "3:",
        "adds r3, r3, #8",
        "beq 9f",
        "add r4, r0, #{powers}",
        "sub r4, r4, r3, lsl #4",
        "add r12, r0, #{sums}",
        "sub r12, r12, r3, lsl #3",
        "vmov.i32 q12, #0",
        "vmov.i32 q13, #0",
        "vmov.i32 q14, #0",
        "4:",
        "vld1.8 {{d2, d3}}, [r2]!",
        "vrev64.8 q1, q1",
        "veor q1, q1, q0",
        "vld1.64 {{d16, d17}}, [r4]!",
        "vld1.64 {{d20}}, [r12]!",
        "veor d22, d2, d3",
        "vmull.p64 q3, d2, d16",
        "vmull.p64 q0, d3, d17",
        "veor q14, q14, q3",
        "veor q12, q12, q0",
        "vmull.p64 q3, d22, d20",
        "veor q13, q13, q3",
        "vmov.i32 q0, #0",
        "subs r3, r3, #1",
        "bne 4b",
        reduce!(),
        "9:",
        "vrev64.8 q0, q0",
        "vst1.8 {{d0, d1}}, [r1]",
        "pop {{r4, pc}}",
        powers = const offset_of!(GhashKey, powers) + size_of::<[[u64; 2]; 16]>(),
        sums = const offset_of!(GhashKey, karatsuba_sums) + size_of::<[u64; 16]>(),
    )
}
