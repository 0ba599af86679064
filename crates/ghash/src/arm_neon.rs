//! GHASH (SP 800-38D, section 6.4) by NEON's VMULL.P8, eight products of bytes at a time, for 32-bit ARM.
//!
//! Constant time: yes. The instruction's time does not depend on its operands, and nothing else
//! does but the length.
//!
//! Up to eight blocks share a reduction, with the powers H^8 … H, and so do the shifts that bring the
//! products of bytes into place. Each block costs three products of 64-bit words by Karatsuba, and
//! each of those five instructions, by Karatsuba again on every pair of bytes: with a_i and b_i the
//! bytes of the words a and b, and indices modulo 8,
//!
//! ```text
//! D[i]   = a_i · b_i
//! P_j[i] = (a_i + a_(i+j)) · (b_i + b_(i+j))      j = 1, 2, 3
//! K[i]   = a_i · b_(i+4)
//! ```
//!
//! all of which are summed over the blocks. Then, once,
//!
//! ```text
//! P_j[i] + D[i] + D[i+j] = a_(i+j) · b_i + a_i · b_(i+j)
//! ```
//!
//! belongs at byte 2i+j of the product, or 8 below it where i+j was 8 or more; K[i] + K[i+4] belongs at
//! byte 2i+4, and D[i] at byte 2i.
//!
//! Powers 8 to 15 are H^8 … H^1, **high word first**, as VREV64 leaves the words of a block, so that
//! n blocks go with the last n of them. Karatsuba sums correspond to powers, one to one.
//!
//! The instructions are written out, because Rust has no stable NEON intrinsics for this target.

use crate::{Depth, GhashKey, load, store, times_y};
use core::arch::naked_asm;
use core::mem::offset_of;

/// What [`update_vmull`] saves below its caller's frame: four words, and d8 to d15.
const SAVED: usize = 16 + 64;

#[inline(never)]
pub(crate) fn expand(_proof: cinder_cpu::arm::Neon, h: &[u8; 16], key: &mut GhashKey) -> Depth {
    // SAFETY: the token proves NEON.
    expand_by(|key, y, zero| unsafe { update_vmull(key, y, zero, 1) }, h, key)
}

#[inline(never)]
pub(crate) fn update(
    _proof: cinder_cpu::arm::Neon,
    key: &GhashKey,
    y: &mut [u8; 16],
    blocks: &[[u8; 16]],
) -> Depth {
    // SAFETY: the token proves NEON; so many blocks are there.
    unsafe { update_vmull(key, y, blocks.as_ptr(), blocks.len()) }
    Depth::here().deeper(SAVED)
}

/// Powers by `multiply`, which hashes one block: Y becomes (Y + 0) · H, and so H^(i+1) of H^i.
#[inline(always)]
pub(crate) fn expand_by(
    multiply: impl Fn(&GhashKey, &mut [u8; 16], *const [u8; 16]),
    h: &[u8; 16],
    key: &mut GhashKey,
) -> Depth {
    let mut power = times_y(load(h));
    let mut bytes = [0; 16];
    for i in (8..16).rev() {
        if i < 15 {
            store(power, &mut bytes);
            multiply(key, &mut bytes, &[0; 16]);
            power = load(&bytes);
        }
        let [low, high] = power;
        key.powers[i] = [high, low];
        key.karatsuba_sums[i] = low ^ high;
    }
    Depth::here().deeper(SAVED)
}

/// `vext.8` of a register with itself: its bytes, from number `by` on, and then round.
#[rustfmt::skip]
macro_rules! rotated {
    ($to:literal, $from:literal, $by:literal) => {
        concat!("vext.8 ", $to, ", ", $from, ", ", $from, ", #", $by, "\n")
    };
}

/// to += a · b of bytes, through a register for the product.
#[rustfmt::skip]
macro_rules! add_product {
    ($to:literal, $a:literal, $b:literal, $product:literal) => {
        concat!(
            "vmull.p8 ", $product, ", ", $a, ", ", $b, "\n",
            "veor ", $to, ", ", $to, ", ", $product, "\n",
        )
    };
}

/// P_j += (a_i + a_(i+j)) · (b_i + b_(i+j)), for the high words in d4 and d6 and the low ones in d5 and d7.
#[rustfmt::skip]
macro_rules! pairs_of_two_words {
    ($high:literal, $low:literal, $by:literal) => {
        concat!(
            rotated!("d8", "d4", $by),
            rotated!("d9", "d5", $by),
            rotated!("d10", "d6", $by),
            rotated!("d11", "d7", $by),
            "veor q4, q4, q2\n",
            "veor q5, q5, q3\n",
            add_product!($high, "d8", "d10", "q6"),
            add_product!($low, "d9", "d11", "q7"),
        )
    };
}

/// The same for one word, in d4 and d6.
#[rustfmt::skip]
macro_rules! pairs_of_one_word {
    ($to:literal, $by:literal) => {
        concat!(
            rotated!("d8", "d4", $by),
            rotated!("d10", "d6", $by),
            "veor d8, d8, d4\n",
            "veor d10, d10, d6\n",
            add_product!($to, "d8", "d10", "q6"),
        )
    };
}

/// D becomes the product of two words: P_j (halves $low, $high) is corrected, lanes from 8-j on fold
/// into the low half, and it moves up by j bytes. $keep masks the lanes of the high half below 8-j.
#[rustfmt::skip]
macro_rules! place_pairs {
    ($d:literal, $p:literal, $low:literal, $high:literal, $keep:literal, $twice:literal, $up:literal) => {
        concat!(
            rotated!("q2", $d, $twice),
            "veor ", $p, ", ", $p, ", ", $d, "\n",
            "veor ", $p, ", ", $p, ", q2\n",
            "veor ", $low, ", ", $low, ", ", $high, "\n",
            "vand ", $high, ", ", $high, ", ", $keep, "\n",
            "veor ", $low, ", ", $low, ", ", $high, "\n",
            rotated!($p, $p, $up),
        )
    };
}

/// The whole product in D. Registers as triples: itself, low half, high half.
#[rustfmt::skip]
macro_rules! place {
    ($d:literal,
     $p1:literal $l1:literal $h1:literal,
     $p2:literal $l2:literal $h2:literal,
     $p3:literal $l3:literal $h3:literal,
     $k:literal $lk:literal $hk:literal) => {
        concat!(
            place_pairs!($d, $p1, $l1, $h1, "d12", "2", "15"),
            place_pairs!($d, $p2, $l2, $h2, "d13", "4", "14"),
            place_pairs!($d, $p3, $l3, $h3, "d14", "6", "13"),
            "veor ", $lk, ", ", $lk, ", ", $hk, "\n",
            "vmov.i64 ", $hk, ", #0\n",
            rotated!($k, $k, "12"),
            "veor ", $p1, ", ", $p1, ", ", $p2, "\n",
            "veor ", $p3, ", ", $p3, ", ", $k, "\n",
            "veor ", $d, ", ", $d, ", ", $p1, "\n",
            "veor ", $d, ", ", $d, ", ", $p3, "\n",
        )
    };
}

/// The masks of `place`: 3, 2 and 1 of 4 lanes.
#[rustfmt::skip]
macro_rules! masks {
    () => {
        "vmov.i64 d12, #0x0000ffffffffffff\n\
         vmov.i64 d13, #0x00000000ffffffff\n\
         vmov.i64 d14, #0x000000000000ffff\n"
    };
}

/// The first block of a group, plus Y, is in q2 after this, its bytes not reversed yet.
#[rustfmt::skip]
macro_rules! first_block {
    ($blocks:literal) => {
        concat!(
            "vld1.8 {{d4, d5}}, [", $blocks, "]!\n",
            "vld1.8 {{d6, d7}}, [r1]\n",
            "veor q2, q2, q3\n",
        )
    };
}

/// For each of `count` blocks X: Y = (Y + X) · H. Uses 80 bytes of stack.
///
/// # Safety
///
/// There is NEON, and `blocks` has `count` blocks.
#[unsafe(naked)]
unsafe extern "C" fn update_vmull(
    key: &GhashKey,
    y: &mut [u8; 16],
    blocks: *const [u8; 16],
    count: usize,
) {
    naked_asm!(
        ".fpu neon",
        "push {{r4, r5, r6, lr}}",
        "vpush {{d8-d15}}",
        "cmp r3, #0",
        "beq 9f",
        // A group of r4 blocks, of which r3 are left thereafter.
        "2:",
        "mov r4, #8",
        "cmp r3, #8",
        "it lo",
        "movlo r4, r3",
        "sub r3, r3, r4",

        // The products of high words with high words, and of low words with low ones: D, P_1, P_2, P_3
        // and K of the low ones in q8 to q12, of the high ones in q13 to q15, q0 and q1.
        "add r5, r0, #{powers}",
        "sub r5, r5, r4, lsl #4",
        "mov r6, r4",
        "mov r12, r2",
        "vmov.i32 q8, #0", "vmov.i32 q9, #0", "vmov.i32 q10, #0", "vmov.i32 q11, #0",
        "vmov.i32 q12, #0", "vmov.i32 q13, #0", "vmov.i32 q14, #0", "vmov.i32 q15, #0",
        "vmov.i32 q0, #0", "vmov.i32 q1, #0",
        first_block!("r12"),
        "b 4f",
        "3:",
        "vld1.8 {{d4, d5}}, [r12]!",
        "4:",
        "vrev64.8 q2, q2",
        "vld1.64 {{d6, d7}}, [r5]!",
        add_product!("q13", "d4", "d6", "q6"),
        add_product!("q8", "d5", "d7", "q7"),
        pairs_of_two_words!("q14", "q9", "1"),
        pairs_of_two_words!("q15", "q10", "2"),
        pairs_of_two_words!("q0", "q11", "3"),
        "vrev64.32 q5, q3",
        add_product!("q1", "d4", "d10", "q6"),
        add_product!("q12", "d5", "d11", "q7"),
        "subs r6, r6, #1",
        "bne 3b",
        masks!(),
        place!("q8", "q9" "d18" "d19", "q10" "d20" "d21", "q11" "d22" "d23", "q12" "d24" "d25"),
        place!("q13", "q14" "d28" "d29", "q15" "d30" "d31", "q0" "d0" "d1", "q1" "d2" "d3"),

        // The products of the sums of the words: in q0, q1 and q9 to q11.
        "add r5, r0, #{sums}",
        "sub r5, r5, r4, lsl #3",
        "vmov.i32 q0, #0", "vmov.i32 q1, #0", "vmov.i32 q9, #0", "vmov.i32 q10, #0",
        "vmov.i32 q11, #0",
        first_block!("r2"),
        "b 6f",
        "5:",
        "vld1.8 {{d4, d5}}, [r2]!",
        "6:",
        "vrev64.8 q2, q2",
        "veor d4, d4, d5",
        "vld1.64 {{d6}}, [r5]!",
        add_product!("q0", "d4", "d6", "q7"),
        pairs_of_one_word!("q1", "1"),
        pairs_of_one_word!("q9", "2"),
        pairs_of_one_word!("q10", "3"),
        "vrev64.32 d10, d6",
        add_product!("q11", "d4", "d10", "q7"),
        "subs r4, r4, #1",
        "bne 5b",
        masks!(),
        place!("q0", "q1" "d2" "d3", "q9" "d18" "d19", "q10" "d20" "d21", "q11" "d22" "d23"),

        // q8 = (w0, w1), q13 = (w2, w3).
        "veor q0, q0, q8",
        "veor q0, q0, q13",
        "veor d17, d17, d0",
        "veor d26, d26, d1",
        // The product divided by y^128, as derived at the head of the crate, for w0 and w1 at once.
        // w0 adds to w1 in bits 57 to 63 alone, and w1<<57, w1<<62 and w1<<63 keep none of them: so
        // the shifts to the left need not wait for the sum.
        "vshl.i64 q0, q8, #57",
        "vshl.i64 q1, q8, #62",
        "vshl.i64 q2, q8, #63",
        "veor q0, q0, q1",
        "veor q0, q0, q2",
        "veor d17, d17, d0",
        "veor d26, d26, d1",
        "vshr.u64 q0, q8, #1",
        "vshr.u64 q1, q8, #2",
        "vshr.u64 q2, q8, #7",
        "veor q8, q8, q13",
        "veor q0, q0, q1",
        "veor q8, q8, q2",
        "veor q8, q8, q0",
        "vrev64.8 q8, q8",
        "vswp d16, d17",
        "vst1.8 {{d16, d17}}, [r1]",
        "cmp r3, #0",
        "bne 2b",
        "9:",
        "vpop {{d8-d15}}",
        "pop {{r4, r5, r6, pc}}",
        powers = const offset_of!(GhashKey, powers) + size_of::<[[u64; 2]; 16]>(),
        sums = const offset_of!(GhashKey, karatsuba_sums) + size_of::<[u64; 16]>(),
    )
}
