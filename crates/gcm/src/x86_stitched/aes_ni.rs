//! 128-bit registers: AES-NI and PCLMULQDQ, for CPUs before VAES. Eight blocks a batch; GHASH of
//! eight blocks with Karatsuba's three multiplications and one reduction.
//!
//! # Registers
//!
//! | register | holds |
//! |---|---|
//! | xmm0 to 7 | the counter blocks of this batch, on their way through the rounds |
//! | xmm8, 9, 10 | the sums of low, middle and high products; between batches, Y in xmm10 |
//! | xmm11, 12, 13 | blocks being hashed and products |
//! | xmm14 | a round key |
//! | xmm15 | the next counter, bytes reversed |
//!
//! The batch is that of the 256-bit kernel with one group of eight.

use super::tail::{Tail, counter_mode, counters};
use super::{Counter, Width, around_the_loop};
use cinder_burn::Depth;
use cinder_cpu::x86_lanes::Lanes;
use cinder_ghash::GhashKey;
use cinder_ghash::x86::{FOLD, highest_power, karatsuba_sums};
use core::arch::asm;
use core::arch::x86_64::*;

/// Memory operands of the loop, aligned because the encoding without AVX wants it.
#[repr(C, align(64))]
struct Constants {
    byte_swap: [u8; 16],
    /// 0xc2 2^56: see the module's head.
    reduction: [u64; 2],
    /// i in the first word, for i from 1 on to 8.
    steps: [[u32; 4]; 8],
}

static CONSTANTS: Constants = Constants {
    byte_swap: [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    reduction: [FOLD, 0],
    steps: {
        let mut steps = [[0; 4]; 8];
        let mut i = 0;
        while i < 8 {
            steps[i][0] = i as u32 + 1;
            i += 1;
        }
        steps
    },
};

impl Width for __m128i {
    around_the_loop!("aes,pclmulqdq,ssse3,sse4.1", 2, 8);

    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline(never)]
    unsafe fn batches(
        key: &GhashKey,
        round_keys: &[[u8; 16]],
        counter: Counter<'_>,
        y: &mut [u8; 16],
        hash: *const u8,
        data: *mut u8,
        batches: usize,
    ) -> Depth {
        /// Pieces of the loop.
        macro_rules! code {
            // One round of all eight, and GHASH between.
            (round $key:literal: $a:expr; $b:expr; $c:expr; $d:expr) => {
                concat!(
                    "movdqu xmm14, [{k} + 16*", $key, "]\n",
                    "aesenc xmm0, xmm14\n",
                    "aesenc xmm1, xmm14\n",
                    $a,
                    "aesenc xmm2, xmm14\n",
                    "aesenc xmm3, xmm14\n",
                    $b,
                    "aesenc xmm4, xmm14\n",
                    "aesenc xmm5, xmm14\n",
                    $c,
                    "aesenc xmm6, xmm14\n",
                    "aesenc xmm7, xmm14\n",
                    $d
                )
            };
            // A block into `to`, bytes reversed.
            (load $to:literal, $at:literal) => {
                concat!("movdqu ", $to, ", [{h} + 16*", $at, "]\n", "pshufb ", $to, ", [{c}]\n")
            };
            // Y is added to the first block, in xmm11, and the sum of products begins.
            (begin) => {
                concat!(
                    "pxor xmm11, xmm10\n",
                    "movdqa xmm8, xmm11\n",
                    "pclmulqdq xmm8, [{p}], 0x00\n",
                    "movdqa xmm10, xmm11\n",
                    "pclmulqdq xmm10, [{p}], 0x11\n",
                )
            };
            // Low and high products are added.
            (add $from:literal, $power:literal) => {
                concat!(
                    "movdqa xmm13, ", $from, "\n",
                    "pclmulqdq xmm13, [{p} + 16*", $power, "], 0x00\n",
                    "pxor xmm8, xmm13\n",
                    "movdqa xmm13, ", $from, "\n",
                    "pclmulqdq xmm13, [{p} + 16*", $power, "], 0x11\n",
                    "pxor xmm10, xmm13\n",
                )
            };
            // xmm11: halves added up, of xmm11 in the low half, of xmm12 in the high.
            (pack) => {
                concat!(
                    "movdqa xmm13, xmm11\n",
                    "punpckhqdq xmm13, xmm12\n",
                    "punpcklqdq xmm11, xmm12\n",
                    "pxor xmm11, xmm13\n"
                )
            };
            (begin_middle) => {
                concat!(
                    "movdqa xmm9, xmm11\n",
                    "pclmulqdq xmm9, [{p} + {m}], 0x00\n",
                    "pclmulqdq xmm11, [{p} + {m}], 0x11\n",
                    "pxor xmm9, xmm11\n"
                )
            };
            (add_middle $at:literal) => {
                concat!(
                    "movdqa xmm13, xmm11\n",
                    "pclmulqdq xmm13, [{p} + {m} + 16*", $at, "], 0x00\n",
                    "pclmulqdq xmm11, [{p} + {m} + 16*", $at, "], 0x11\n",
                    "pxor xmm9, xmm13\n",
                    "pxor xmm9, xmm11\n"
                )
            };
            // Karatsuba's correction and the first fold.
            (fold_low) => {
                concat!(
                    "movdqa xmm11, xmm8\n",
                    "pclmulqdq xmm11, [{c} + 16], 0x00\n",
                    "pxor xmm9, xmm8\n",
                    "pxor xmm9, xmm10\n",
                    "pshufd xmm8, xmm8, 0x4e\n",
                    "pxor xmm9, xmm8\n",
                    "pxor xmm9, xmm11\n",
                )
            };
            // The second fold.
            (fold_middle) => {
                concat!(
                    "movdqa xmm11, xmm9\n",
                    "pclmulqdq xmm11, [{c} + 16], 0x00\n",
                    "pshufd xmm9, xmm9, 0x4e\n",
                    "pxor xmm10, xmm9\n",
                    "pxor xmm10, xmm11\n",
                )
            };
            (counters $($x:literal, $step:literal;)*) => {
                concat!($(
                    "movdqa xmm", $x, ", xmm15\n",
                    "paddd xmm", $x, ", [{c} + 32 + 16*", $step, "]\n",
                    "pshufb xmm", $x, ", xmm11\n",
                    "pxor xmm", $x, ", xmm14\n",
                )*)
            };
            (last $($x:literal)*) => {
                concat!($(
                    "movdqu xmm11, [{d} + 16*", $x, "]\n",
                    "pxor xmm11, xmm14\n",
                    "aesenclast xmm", $x, ", xmm11\n",
                    "movdqu [{d} + 16*", $x, "], xmm", $x, "\n",
                )*)
            };
        }
        if batches == 0 {
            return Depth::NONE;
        }
        // SAFETY: the caller vouches for the target features and for `batches` batches of 128 bytes
        // at `hash` (to read) and at `data` (to read and write); there are `rounds + 1` round keys,
        // with `rounds` 10, 12 or 14; `key`, which is aligned, holds eight powers and
        // their Karatsuba sums; the asm touches no other memory and no stack.
        unsafe {
            let rounds = round_keys.len() - 1;
            let counters = counters::<__m128i>(counter);
            let mut hashed = __m128i::load(y.as_ptr()).swap_bytes();
            asm!(
                "2:",
                "movdqa xmm11, [{c}]",
                "movdqu xmm14, [{k}]",
                "movdqa xmm0, xmm15",
                "pshufb xmm0, xmm11",
                "pxor xmm0, xmm14",
                code!(counters 1, 0; 2, 1; 3, 2; 4, 3; 5, 4; 6, 5; 7, 6;),
                "paddd xmm15, [{c} + 32 + 16*7]",
                code!(round 1: code!(load "xmm11", 0); code!(begin); code!(load "xmm12", 1); ""),
                code!(round 2:
                    code!(add "xmm12", 1); code!(pack); code!(begin_middle);
                    code!(load "xmm11", 2)
                ),
                code!(round 3:
                    code!(load "xmm12", 3); code!(add "xmm11", 2); code!(add "xmm12", 3); ""
                ),
                code!(round 4:
                    code!(pack); code!(add_middle 1); code!(load "xmm11", 4);
                    code!(load "xmm12", 5)
                ),
                code!(round 5: code!(add "xmm11", 4); code!(add "xmm12", 5); code!(pack); ""),
                code!(round 6:
                    code!(add_middle 2); code!(load "xmm11", 6); code!(load "xmm12", 7); ""
                ),
                code!(round 7:
                    code!(add "xmm11", 6); code!(add "xmm12", 7); code!(pack);
                    code!(add_middle 3)
                ),
                code!(round 8: ""; code!(fold_low); ""; ""),
                code!(round 9: ""; code!(fold_middle); ""; ""),
                "cmp {r}, 12",
                "jb 3f",
                code!(round 10: ""; ""; ""; ""),
                code!(round 11: ""; ""; ""; ""),
                "je 3f",
                code!(round 12: ""; ""; ""; ""),
                code!(round 13: ""; ""; ""; ""),
                "3:",
                "movdqu xmm14, [{k} + {l}]",
                code!(last 0 1 2 3 4 5 6 7),
                "sub {h}, -128",
                "sub {d}, -128",
                "dec {n}",
                "jnz 2b",
                h = inout(reg) hash => _,
                d = inout(reg) data => _,
                n = inout(reg) batches => _,
                k = in(reg) round_keys.as_ptr(),
                r = in(reg) rounds,
                l = in(reg) 16 * rounds,
                p = in(reg) highest_power::<Self>(key),
                c = in(reg) &raw const CONSTANTS,
                m = const karatsuba_sums::<Self>(),
                out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                out("xmm8") _, out("xmm9") _, inout("xmm10") hashed,
                out("xmm11") _, out("xmm12") _, out("xmm13") _, out("xmm14") _,
                inout("xmm15") counters => _,
                options(nostack),
            );
            hashed.swap_bytes().store(y.as_mut_ptr());
        }
        Depth::here()
    }
}
