//! The word of the bit slices on 32-bit ARM with NEON: a vector of 128 bits.
//!
//! Four groups of 32 bits: 128 blocks in a batch.
//!
//! Constant time: yes.
//!
//! A round, and the exchanges of a transposition, are in assembly, because Rust has no stable NEON
//! intrinsics for this target. The gates are those of `networks`, in an order in which 16 registers are
//! enough for what a network has under way. Each bit of the result is added as soon as it is there.
//!
//! Only [`crypt`] makes words of this type, and it asks for the token.

use super::bitsliced::{self, Word};
use super::keys::RoundKey;
use crate::Depth;
use core::arch::naked_asm;

/// What [`round`] saves below its caller's frame: d8 to d15.
const SAVED: usize = 64;

/// Four groups.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(super) struct Neon([u32; 4]);

/// [`bitsliced::crypt`] in words of 128 bits.
#[inline(never)]
pub(super) fn crypt(
    _: cinder_cpu::arm::Neon,
    schedule: &[[RoundKey; 16]],
    decrypt: bool,
    blocks: &mut [[u8; 8]],
) -> Depth {
    bitsliced::crypt::<Neon>(schedule, decrypt, blocks)
}

impl Neon {
    /// The same of each group of two words.
    #[inline(always)]
    fn each(&self, y: &Self, gate: impl Fn(u32, u32) -> u32) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, y.0);
        Neon([gate(a, e), gate(b, f), gate(c, g), gate(d, h)])
    }
}

impl Word for Neon {
    const GROUPS: usize = 4;

    #[inline]
    fn and(&self, y: &Self) -> Self {
        self.each(y, |x, y| x & y)
    }

    #[inline]
    fn or(&self, y: &Self) -> Self {
        self.each(y, |x, y| x | y)
    }

    #[inline]
    fn xor(&self, y: &Self) -> Self {
        self.each(y, |x, y| x ^ y)
    }

    #[inline]
    fn and_not(&self, y: &Self) -> Self {
        self.each(y, |x, y| x & !y)
    }

    #[inline]
    fn not(&self) -> Self {
        self.each(self, |x, _| !x)
    }

    #[inline]
    fn splat(bits: u32) -> Self {
        Neon([bits; 4])
    }

    #[inline]
    fn spread(&self, i: usize) -> Self {
        self.each(self, |x, _| (x >> i & 1).wrapping_neg())
    }

    #[inline]
    fn up(&self, n: usize) -> Self {
        self.each(self, |x, _| x << n)
    }

    #[inline]
    fn down(&self, n: usize) -> Self {
        self.each(self, |x, _| x >> n)
    }

    #[inline]
    fn load_groups(blocks: &[[u8; 8]]) -> [Self; 2] {
        let mut halves = [Self::splat(0); 2];
        for (i, block) in blocks.iter().take(4).enumerate() {
            let (words, _) = block.as_chunks();
            halves[0].0[i] = u32::from_le_bytes(words[0]);
            halves[1].0[i] = u32::from_le_bytes(words[1]);
        }
        halves
    }

    #[inline]
    fn store_groups(halves: [&Self; 2], blocks: &mut [[u8; 8]]) {
        for (i, block) in blocks.iter_mut().take(4).enumerate() {
            let (words, _) = block.as_chunks_mut();
            words[0] = halves[0].0[i].to_le_bytes();
            words[1] = halves[1].0[i].to_le_bytes();
        }
    }

    #[inline]
    fn round(l: &mut [Self; 32], r: &[Self; 32], key: &RoundKey) -> Depth {
        // SAFETY: only `crypt` makes these words, and its token proves NEON.
        unsafe { round(l, r, key) };
        Depth::here().deeper(SAVED)
    }

    /// The portable one: [`round`](Word::round) does not use it.
    #[inline]
    fn apply<const NUMBER: usize>(l: &mut [Self; 32], r: &[Self; 32], key: &[Self; 2]) -> Depth {
        bitsliced::apply::<Self, NUMBER>(l, r, key)
    }

    #[inline(never)]
    fn load(blocks: &[[u8; 8]], words: &mut [Self; 64]) -> Depth {
        bitsliced::load(blocks, words)
    }

    #[inline(never)]
    fn store(words: &mut [Self; 64], blocks: &mut [[u8; 8]]) -> Depth {
        bitsliced::store(words, blocks)
    }

    #[inline]
    fn exchange(w: &mut [Self; 64], stride: usize, low_first: bool, n: usize, mask: u32) -> Depth {
        let how = [n as u32, (n as u32).wrapping_neg(), mask];
        for square in w.chunks_exact_mut(2 * stride) {
            let (first, second) = square.split_at_mut(stride);
            let (low, high) = if low_first { (first, second) } else { (second, first) };
            // SAFETY: only `crypt` makes these words, and its token proves NEON; there are `stride`
            // words in each of the two.
            unsafe { exchange(low.as_mut_ptr(), high.as_mut_ptr(), stride, &how) };
        }
        Depth::here()
    }
}

/// [`bitsliced::exchange`] of so many words at `low` and at `high`, by a distance, to the left and to the
/// right, and a mask.
///
/// # Safety
///
/// There is NEON, and there are so many words.
#[unsafe(naked)]
unsafe extern "C" fn exchange(low: *mut Neon, high: *mut Neon, count: usize, how: &[u32; 3]) {
    naked_asm!(
        ".fpu neon",
        "vld1.32 {{d16[], d17[]}}, [r3]!",
        "vld1.32 {{d18[], d19[]}}, [r3]!",
        "vld1.32 {{d20[], d21[]}}, [r3]",
        "2:",
        "vld1.32 {{q0}}, [r0]",
        "vld1.32 {{q1}}, [r1]",
        "vshl.u32 q2, q0, q9",
        "veor q2, q2, q1",
        "vand q2, q2, q10",
        "veor q1, q1, q2",
        "vshl.u32 q2, q2, q8",
        "veor q0, q0, q2",
        "vst1.32 {{q1}}, [r1]!",
        "vst1.32 {{q0}}, [r0]!",
        "subs r2, r2, #1",
        "bne 2b",
        "bx lr",
    )
}

/// The S-box's six bits of E(R) ^ K in q0 to q5. The key's bits for the S-box are these places from the
/// top of its word on.
#[rustfmt::skip]
macro_rules! input {
    ($load:literal, $key:literal, $from:literal) => {
        concat!(
            $load, "\n vld1.32 {{d12[], d13[]}}, [", $key, "]\n",
            "vshl.i32 q7, q6, #", $from, "\n vshl.i32 q8, q6, #", $from, " + 1\n",
            "vshl.i32 q9, q6, #", $from, " + 2\n vshl.i32 q10, q6, #", $from, " + 3\n",
            "vshl.i32 q11, q6, #", $from, " + 4\n vshl.i32 q12, q6, #", $from, " + 5\n",
            "vshr.s32 q7, q7, #31\n vshr.s32 q8, q8, #31\n vshr.s32 q9, q9, #31\n",
            "vshr.s32 q10, q10, #31\n vshr.s32 q11, q11, #31\n vshr.s32 q12, q12, #31\n",
            "veor q0, q0, q7\n veor q1, q1, q8\n veor q2, q2, q9\n",
            "veor q3, q3, q10\n veor q4, q4, q11\n veor q5, q5, q12\n",
        )
    };
}

/// An instruction on registers of 128 bits: its destination and its operands. Or `add`: bit `place` of
/// the left half ^= a register, by way of another one.
#[rustfmt::skip]
macro_rules! gate {
    (add $place:literal $x:literal $by:literal) => {
        concat!(
            "add r3, r0, #16 * ", $place, "\n vld1.32 {{q", $by, "}}, [r3]\n",
            "veor q", $by, ", q", $by, ", q", $x, "\n vst1.32 {{q", $by, "}}, [r3]\n",
        )
    };
    (vmvn $d:literal $a:literal) => { concat!("vmvn q", $d, ", q", $a, "\n") };
    ($gate:ident $d:literal $a:literal $b:literal) => {
        concat!(stringify!($gate), " q", $d, ", q", $a, ", q", $b, "\n")
    };
}

macro_rules! gates {
    ($($gate:tt)*) => { concat!($(gate! $gate),*) };
}

/// The S-box of that number, with P: [`bitsliced::apply`] of q0 to q5.
#[rustfmt::skip]
macro_rules! s_box {
    (1) => {
        gates!(
            (veor 6 3 0) (vmvn 7 2) (vand 8 3 0) (vorr 9 7 8) (veor 10 9 6) (veor 11 5 10)
            (vand 10 10 0) (veor 10 6 10) (vand 0 4 10) (veor 12 11 0) (veor 12 4 12)
            (vorr 10 5 10) (vbic 2 2 10) (veor 13 2 10) (vand 2 2 1) (veor 14 13 4)
            (vbic 13 13 1) (veor 15 13 11) (veor 10 10 15) (vand 15 10 1) (veor 7 15 7)
            (veor 6 6 7) (vorr 15 15 6) (veor 15 9 15) (vand 15 5 15) (veor 9 15 9)
            (vand 9 14 9) (vbic 0 0 15) (vbic 7 14 10) (veor 15 15 7) (veor 15 6 15)
            (veor 14 15 14) (vorr 8 8 14) (vand 7 15 4) (veor 7 10 7) (add 22 7 14) (veor 7 7 8)
            (vorr 10 10 7) (vand 1 1 10) (veor 1 12 1) (veor 0 7 0) (veor 8 0 5) (veor 8 8 2)
            (vorr 11 11 0) (vand 5 5 11) (veor 15 5 15) (vand 7 7 13) (veor 15 15 7)
            (add 16 15 0) (vand 12 12 15) (veor 12 12 9) (vand 12 12 3) (veor 1 1 12)
            (add 8 1 0) (veor 6 6 1) (vand 1 1 13) (vbic 5 5 1) (veor 6 6 5) (vbic 6 6 4)
            (veor 8 8 6) (add 30 8 0)
        )
    };
    (2) => {
        gates!(
            (vmvn 6 0) (vorr 7 0 1) (veor 8 6 4) (vorr 9 8 7) (veor 10 6 7) (vand 11 2 10)
            (veor 9 1 9) (vbic 12 3 9) (veor 12 8 12) (vorr 13 2 10) (veor 14 3 13)
            (veor 12 11 12) (veor 10 14 10) (vorr 6 12 6) (veor 14 14 12) (veor 15 14 9)
            (vand 15 0 15) (vorr 10 15 10) (vand 15 15 8) (veor 13 13 15) (vand 13 13 5)
            (veor 12 13 12) (add 12 12 15) (veor 9 9 12) (vorr 12 1 12) (vand 9 6 9)
            (vbic 6 6 11) (veor 15 6 10) (vand 1 1 15) (veor 12 0 12) (vbic 12 12 5)
            (veor 14 14 12) (vbic 9 9 4) (veor 14 14 9) (add 17 14 9) (veor 10 14 10)
            (vbic 10 10 2) (veor 6 5 6) (veor 2 3 10) (vorr 7 7 14) (veor 6 1 6) (veor 1 1 10)
            (vbic 1 1 5) (vorr 14 1 14) (veor 11 11 14) (vand 13 13 14) (veor 1 1 2)
            (vbic 13 13 3) (veor 7 7 13) (vbic 7 7 0) (vbic 11 11 4) (veor 6 6 11) (veor 8 8 1)
            (add 27 8 0) (veor 6 6 7) (add 1 6 0)
        )
    };
    (3) => {
        gates!(
            (vand 6 3 5) (veor 7 4 2) (vand 8 2 7) (veor 7 5 7) (vorr 9 4 7) (veor 9 3 9)
            (vbic 9 1 9) (veor 6 0 6) (vand 10 3 4) (vbic 11 9 2) (veor 11 1 11) (vbic 11 11 0)
            (vmvn 0 0) (vbic 12 6 1) (vorr 9 11 9) (vbic 13 0 8) (vorr 14 13 2) (veor 9 7 9)
            (vand 4 4 13) (veor 15 10 5) (vand 14 5 14) (veor 11 11 12) (veor 9 13 9)
            (vorr 13 15 13) (vbic 13 13 1) (vorr 15 14 15) (veor 11 15 11) (vorr 12 14 8)
            (vbic 14 11 14) (vorr 10 11 10) (veor 8 8 11) (add 15 8 11) (veor 8 14 3)
            (vand 2 2 8) (veor 11 7 0) (veor 2 2 13) (vorr 14 0 14) (veor 15 2 15) (vbic 0 0 15)
            (vbic 10 10 1) (vbic 2 2 5) (veor 14 14 4) (vbic 14 14 3) (veor 9 9 14) (add 5 9 4)
            (vorr 6 6 8) (veor 7 6 7) (veor 12 12 0) (vbic 12 12 1) (vorr 6 6 9) (vbic 6 6 3)
            (veor 11 11 6) (veor 7 7 10) (veor 11 11 12) (add 23 11 0) (veor 7 7 2) (add 29 7 0)
        )
    };
    (4) => {
        gates!(
            (veor 6 2 0) (veor 7 4 3) (vand 8 7 3) (veor 7 1 7) (vorr 9 6 7) (vbic 9 9 0)
            (vmvn 10 7) (veor 11 6 8) (vand 12 11 10) (veor 13 4 12) (vbic 2 2 1) (vbic 13 13 2)
            (vorr 0 0 13) (veor 1 0 10) (vorr 1 12 1) (vand 6 1 6) (vbic 1 1 4) (vand 12 1 12)
            (vorr 8 8 10) (veor 2 2 8) (vbic 11 11 2) (veor 0 2 0) (vorr 6 6 11) (veor 2 2 12)
            (veor 3 3 2) (veor 2 2 6) (vand 7 3 7) (veor 11 11 7) (veor 11 11 1) (veor 11 5 11)
            (vand 1 5 11) (veor 0 0 1) (add 19 0 1) (veor 3 3 11) (veor 3 3 9) (vbic 5 3 5)
            (veor 2 2 5) (add 0 2 1) (veor 2 2 3) (add 9 2 1) (veor 0 0 11) (add 25 0 1)
        )
    };
    (5) => {
        gates!(
            (veor 6 2 0) (veor 7 5 6) (veor 8 0 4) (vorr 9 8 2) (vand 9 4 9) (veor 7 7 9)
            (vand 6 6 7) (vmvn 6 6) (vorr 9 6 3) (vand 10 6 8) (veor 11 10 4) (vbic 12 11 3)
            (veor 7 12 7) (vand 12 12 6) (veor 11 11 1) (vand 6 11 7) (vorr 13 6 5)
            (vbic 13 13 3) (veor 11 13 11) (veor 14 2 11) (veor 15 0 14) (veor 11 11 5)
            (vand 5 5 2) (vorr 5 3 5) (veor 12 5 12) (vand 3 3 15) (vbic 15 15 6) (vbic 12 12 1)
            (veor 15 12 15) (veor 7 7 12) (add 13 7 12) (vbic 12 9 7) (veor 5 12 5)
            (vbic 12 12 3) (veor 10 10 12) (vbic 6 10 6) (veor 3 5 6) (veor 9 9 3) (vbic 5 1 5)
            (vorr 11 10 11) (vbic 9 9 0) (veor 15 15 9) (veor 7 7 15) (veor 11 11 5)
            (vbic 11 11 4) (veor 14 14 11) (add 24 14 0) (vbic 10 10 4) (vmvn 14 14)
            (vand 8 7 8) (veor 14 1 14) (veor 15 15 14) (vorr 13 15 13) (vbic 15 15 6)
            (vand 1 1 13) (veor 8 8 1) (veor 7 7 10) (add 7 7 0) (vand 8 8 2) (veor 15 15 8)
            (add 2 15 0)
        )
    };
    (6) => {
        gates!(
            (vmvn 6 1) (veor 7 3 0) (vorr 8 2 3) (veor 9 7 2) (vorr 10 8 4) (veor 11 5 6)
            (veor 12 4 9) (vand 13 12 9) (vbic 14 6 3) (vbic 15 7 4) (vand 8 8 1)
            (veor 15 11 15) (vbic 1 15 2) (veor 10 0 10) (vbic 10 10 9) (veor 8 10 8)
            (veor 3 3 13) (veor 12 12 1) (vand 1 3 12) (vorr 10 10 2) (vorr 13 6 10)
            (vand 1 0 1) (veor 15 15 13) (veor 15 15 1) (veor 1 8 15) (veor 1 14 1)
            (veor 9 15 9) (vand 9 6 9) (vand 13 15 1) (vorr 6 6 1) (vorr 1 13 0) (veor 1 8 1)
            (veor 11 11 1) (veor 8 8 3) (vand 11 11 5) (vand 5 5 6) (veor 8 8 11) (add 18 8 1)
            (vbic 0 0 8) (vbic 13 5 13) (vorr 3 0 3) (veor 10 10 0) (vand 2 2 13) (vbic 0 5 10)
            (veor 14 14 3) (vbic 0 0 7) (veor 12 12 0) (veor 12 12 2) (add 3 12 0)
            (vbic 12 12 3) (veor 12 12 9) (veor 5 5 14) (vand 10 10 4) (vand 12 12 4)
            (veor 5 5 10) (add 28 5 0) (veor 15 15 12) (add 10 15 0)
        )
    };
    (7) => {
        gates!(
            (vbic 6 5 1) (vbic 7 3 4) (veor 8 1 7) (veor 9 3 0) (vand 10 8 3) (veor 4 4 2)
            (vorr 11 8 9) (vorr 12 0 10) (vorr 13 4 12) (vand 11 1 11) (veor 14 9 11)
            (vand 12 2 12) (veor 12 12 14) (vmvn 14 12) (vbic 15 12 5) (veor 9 9 4)
            (vand 15 15 2) (veor 15 9 15) (vbic 4 0 15) (veor 11 11 4) (vand 4 14 11)
            (veor 4 3 4) (veor 7 15 7) (vbic 4 4 1) (vand 11 5 11) (vbic 14 14 2) (vbic 1 1 2)
            (veor 2 2 11) (vbic 8 8 2) (vbic 7 7 5) (veor 2 13 4) (veor 1 1 7) (veor 5 5 2)
            (vand 1 1 0) (veor 13 13 1) (veor 0 13 5) (veor 13 13 11) (veor 13 13 14)
            (veor 15 15 0) (add 31 15 0) (veor 9 9 8) (vorr 0 13 9) (vand 5 5 2) (veor 0 5 0)
            (veor 4 4 0) (vand 4 4 3) (veor 10 10 4) (veor 12 12 5) (add 21 12 0) (veor 9 9 6)
            (add 6 9 0) (veor 13 13 10) (add 11 13 0)
        )
    };
    (8) => {
        gates!(
            (vmvn 6 4) (vbic 7 0 2) (vorr 8 2 1) (vbic 9 8 3) (vmvn 10 0) (vorr 11 5 10)
            (vand 12 11 2) (vorr 4 0 4) (veor 11 4 11) (vand 9 11 9) (veor 13 2 5)
            (veor 13 3 13) (vorr 14 5 13) (vbic 8 8 13) (veor 0 0 8) (veor 8 12 1)
            (veor 11 12 11) (vand 15 6 11) (vbic 4 4 14) (vbic 7 7 4) (veor 13 13 7)
            (veor 4 4 8) (veor 8 9 12) (veor 7 7 8) (vand 7 1 7) (veor 8 13 7) (veor 8 8 15)
            (add 26 8 15) (vand 7 8 7) (vbic 2 7 2) (vbic 15 8 3) (vand 14 14 15) (veor 4 4 2)
            (vbic 2 6 4) (veor 12 12 2) (veor 8 8 12) (vbic 2 8 5) (veor 2 6 2) (vorr 7 2 7)
            (vand 10 7 10) (vorr 13 13 2) (veor 13 13 10) (vand 13 13 5) (veor 4 4 13)
            (add 14 4 2) (vand 6 6 7) (veor 0 0 6) (veor 0 0 14) (add 20 0 2) (veor 3 0 3)
            (vorr 12 12 3) (veor 9 9 12) (vbic 9 9 1) (veor 0 0 8) (veor 11 11 0) (veor 11 11 9)
            (add 4 11 0)
        )
    };
}

/// L ^ f(R, K)
///
/// # Safety
///
/// There is NEON.
#[unsafe(naked)]
unsafe extern "C" fn round(l: &mut [Neon; 32], r: &[Neon; 32], key: &RoundKey) {
    naked_asm!(
        ".fpu neon",
        "vpush {{d8-d15}}",
        // S-boxes of odd numbers have their bits in the first word of the key.
        "add r12, r2, #4",
        input!("add r3, r1, #16 * 31\n vldmia r3, {{d0-d1}}\n vldmia r1, {{d2-d11}}", "r2", "2"),
        s_box!(1),
        input!("add r3, r1, #16 * 3\n vldmia r3, {{d0-d11}}", "r12", "2"),
        s_box!(2),
        input!("add r3, r1, #16 * 7\n vldmia r3, {{d0-d11}}", "r2", "10"),
        s_box!(3),
        input!("add r3, r1, #16 * 11\n vldmia r3, {{d0-d11}}", "r12", "10"),
        s_box!(4),
        input!("add r3, r1, #16 * 15\n vldmia r3, {{d0-d11}}", "r2", "18"),
        s_box!(5),
        input!("add r3, r1, #16 * 19\n vldmia r3, {{d0-d11}}", "r12", "18"),
        s_box!(6),
        input!("add r3, r1, #16 * 23\n vldmia r3, {{d0-d11}}", "r2", "26"),
        s_box!(7),
        input!("add r3, r1, #16 * 27\n vldmia r3, {{d0-d9}}\n vldmia r1, {{d10-d11}}", "r12", "26"),
        s_box!(8),
        "vpop {{d8-d15}}",
        "bx lr",
    )
}
