//! 256-bit registers: VAES and VPCLMULQDQ with AVX2. Sixteen blocks a batch, eight registers of
//! two; GHASH of sixteen blocks with Karatsuba's three multiplications and one reduction.
//!
//! # Registers
//!
//! | register | holds |
//! |---|---|
//! | ymm0 to 7 | the counter blocks of this batch, on their way through the rounds |
//! | ymm8, 9, 10 | the sums of low, middle and high products; between batches, Y in ymm10 |
//! | ymm11, 12, 13 | blocks being hashed and products |
//! | ymm14 | a round key, twice |
//! | ymm15 | the next counters |
//!
//! # The batch
//!
//! Nine rounds of eight VAESENC, and between them the multiplications of sixteen blocks: those at
//! `hash`, which is the text itself when decrypting (read before it is overwritten) and the
//! ciphertext of the batch before when encrypting. The further rounds of the longer keys, and the
//! last, come after.
//!
//! The counter blocks are made by adding to the last byte alone, without reversing bytes; a
//! general register holds that byte, and the one batch in sixteen in which it overflows goes
//! another way.

use super::tail::{Tail, counter_mode, counters};
use super::{Counter, Width, around_the_loop};
use cinder_burn::Depth;
use cinder_cpu::x86_lanes::Lanes;
use cinder_ghash::GhashKey;
use cinder_ghash::x86::{FOLD, highest_power, karatsuba_sums};
use core::arch::asm;
use core::arch::x86_64::*;

/// Memory operands of the loop.
#[repr(C, align(64))]
struct Constants {
    byte_swap: [u8; 32],
    /// 0xc2 2^56 in the low half of each lane: see the module's head.
    reduction: [u64; 4],
    /// 2 i in the last byte of each lane, for i from 1 on to 8.
    low_steps: [[u32; 8]; 8],
    /// 2 i in the first word of each lane.
    steps: [[u32; 8]; 8],
}

static CONSTANTS: Constants = Constants {
    byte_swap: [
        15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6,
        5, 4, 3, 2, 1, 0,
    ],
    reduction: [FOLD, 0, FOLD, 0],
    low_steps: steps(3, 24),
    steps: steps(0, 0),
};

/// 2 i, shifted, in one word of each lane.
const fn steps(word: usize, shift: u32) -> [[u32; 8]; 8] {
    let mut steps = [[0; 8]; 8];
    let mut i = 0;
    while i < 8 {
        steps[i][word] = (2 * (i as u32 + 1)) << shift;
        steps[i][word + 4] = steps[i][word];
        i += 1;
    }
    steps
}

impl Width for __m256i {
    around_the_loop!("avx2,vaes,vpclmulqdq", 2, 8);

    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
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
                    "vbroadcasti128 ymm14, [{k} + 16*", $key, "]\n",
                    "vaesenc ymm0, ymm0, ymm14\n",
                    "vaesenc ymm1, ymm1, ymm14\n",
                    $a,
                    "vaesenc ymm2, ymm2, ymm14\n",
                    "vaesenc ymm3, ymm3, ymm14\n",
                    $b,
                    "vaesenc ymm4, ymm4, ymm14\n",
                    "vaesenc ymm5, ymm5, ymm14\n",
                    $c,
                    "vaesenc ymm6, ymm6, ymm14\n",
                    "vaesenc ymm7, ymm7, ymm14\n",
                    $d
                )
            };
            // Two blocks into `to`, bytes reversed.
            (load $to:literal, $at:literal) => {
                concat!(
                    "vmovdqu ", $to, ", [{h} + 32*", $at, "]\n",
                    "vpshufb ", $to, ", ", $to, ", [{c}]\n"
                )
            };
            // Y is added to the first blocks, in ymm11, and the sum of products begins.
            (begin) => {
                concat!(
                    "vpxor ymm11, ymm11, ymm10\n",
                    "vpclmulqdq ymm8, ymm11, [{p}], 0x00\n",
                    "vpclmulqdq ymm10, ymm11, [{p}], 0x11\n",
                )
            };
            // Low and high products are added.
            (add $from:literal, $power:literal) => {
                concat!(
                    "vpclmulqdq ymm13, ", $from, ", [{p} + 32*", $power, "], 0x00\n",
                    "vpxor ymm8, ymm8, ymm13\n",
                    "vpclmulqdq ymm13, ", $from, ", [{p} + 32*", $power, "], 0x11\n",
                    "vpxor ymm10, ymm10, ymm13\n",
                )
            };
            // ymm11: halves added up, of ymm11 in the low half of each lane, of ymm12 in the high.
            (pack) => {
                concat!(
                    "vpunpckhqdq ymm13, ymm11, ymm12\n",
                    "vpunpcklqdq ymm11, ymm11, ymm12\n",
                    "vpxor ymm11, ymm11, ymm13\n"
                )
            };
            (begin_middle) => {
                concat!(
                    "vpclmulqdq ymm9, ymm11, [{p} + {m}], 0x00\n",
                    "vpclmulqdq ymm13, ymm11, [{p} + {m}], 0x11\n",
                    "vpxor ymm9, ymm9, ymm13\n"
                )
            };
            (add_middle $at:literal) => {
                concat!(
                    "vpclmulqdq ymm13, ymm11, [{p} + {m} + 32*", $at, "], 0x00\n",
                    "vpxor ymm9, ymm9, ymm13\n",
                    "vpclmulqdq ymm13, ymm11, [{p} + {m} + 32*", $at, "], 0x11\n",
                    "vpxor ymm9, ymm9, ymm13\n"
                )
            };
            // Karatsuba's correction and the first fold.
            (fold_low) => {
                concat!(
                    "vpclmulqdq ymm11, ymm8, [{c} + 32], 0x00\n",
                    "vpxor ymm9, ymm9, ymm8\n",
                    "vpxor ymm9, ymm9, ymm10\n",
                    "vpshufd ymm8, ymm8, 0x4e\n",
                    "vpxor ymm9, ymm9, ymm8\n",
                    "vpxor ymm9, ymm9, ymm11\n",
                )
            };
            // The second fold, and the sum of the lanes.
            (fold_middle) => {
                concat!(
                    "vpclmulqdq ymm11, ymm9, [{c} + 32], 0x00\n",
                    "vpshufd ymm9, ymm9, 0x4e\n",
                    "vpxor ymm10, ymm10, ymm9\n",
                    "vpxor ymm10, ymm10, ymm11\n",
                )
            };
            (fold_lanes) => {
                concat!("vextracti128 xmm11, ymm10, 1\n", "vpxor xmm10, xmm10, xmm11\n")
            };
            // The low byte of the counter, which lies last, alone.
            (counters $($x:literal, $step:literal;)*) => {
                concat!($(
                    "vpaddd ymm", $x, ", ymm15, [{c} + 64 + 32*", $step, "]\n",
                    "vpxor ymm", $x, ", ymm", $x, ", ymm14\n",
                )*)
            };
            (carrying_counters $($x:literal, $step:literal;)*) => {
                concat!($(
                    "vpaddd ymm", $x, ", ymm15, [{c} + 320 + 32*", $step, "]\n",
                    "vpshufb ymm", $x, ", ymm", $x, ", ymm11\n",
                    "vpxor ymm", $x, ", ymm", $x, ", ymm14\n",
                )*)
            };
            (last $($x:literal)*) => {
                concat!($(
                    "vpxor ymm11, ymm14, [{d} + 32*", $x, "]\n",
                    "vaesenclast ymm", $x, ", ymm", $x, ", ymm11\n",
                    "vmovdqu [{d} + 32*", $x, "], ymm", $x, "\n",
                )*)
            };
        }
        if batches == 0 {
            return Depth::NONE;
        }
        // SAFETY: the caller vouches for the target features and for `batches` batches of 256 bytes
        // at `hash` (to read) and at `data` (to read and write); there are `rounds + 1` round keys,
        // with `rounds` 10, 12 or 14; `key` holds sixteen powers and their Karatsuba sums; the
        // asm touches no other memory and no stack.
        unsafe {
            let rounds = round_keys.len() - 1;
            let counters = counters::<__m256i>(counter);
            let low_byte = _mm256_extract_epi8::<0>(counters);
            let mut hashed = __m256i::first(__m128i::load(y.as_ptr()).swap_bytes());
            asm!(
                "2:",
                "vbroadcasti128 ymm14, [{k}]",
                // The last counter added to is that of the next batch's second lane: c + 17.
                "add {b:l}, 17",
                "jc 4f",
                "vpxor ymm0, ymm15, ymm14",
                code!(counters 1, 0; 2, 1; 3, 2; 4, 3; 5, 4; 6, 5; 7, 6;),
                "vpaddd ymm15, ymm15, [{c} + 64 + 32*7]",
                "5:",
                "dec {b:l}",
                code!(round 1: code!(load "ymm11", 0); code!(begin); code!(load "ymm12", 1); ""),
                code!(round 2:
                    code!(add "ymm12", 1); code!(pack); code!(begin_middle);
                    code!(load "ymm11", 2)
                ),
                code!(round 3:
                    code!(load "ymm12", 3); code!(add "ymm11", 2); code!(add "ymm12", 3); ""
                ),
                code!(round 4:
                    code!(pack); code!(add_middle 1); code!(load "ymm11", 4);
                    code!(load "ymm12", 5)
                ),
                code!(round 5: code!(add "ymm11", 4); code!(add "ymm12", 5); code!(pack); ""),
                code!(round 6:
                    code!(add_middle 2); code!(load "ymm11", 6); code!(load "ymm12", 7); ""
                ),
                code!(round 7:
                    code!(add "ymm11", 6); code!(add "ymm12", 7); code!(pack);
                    code!(add_middle 3)
                ),
                code!(round 8: ""; code!(fold_low); ""; ""),
                code!(round 9: ""; code!(fold_middle); ""; code!(fold_lanes)),
                "cmp {r}, 12",
                "jb 3f",
                code!(round 10: ""; ""; ""; ""),
                code!(round 11: ""; ""; ""; ""),
                "je 3f",
                code!(round 12: ""; ""; ""; ""),
                code!(round 13: ""; ""; ""; ""),
                "3:",
                "vbroadcasti128 ymm14, [{k} + {l}]",
                code!(last 0 1 2 3 4 5 6 7),
                "add {h}, 256",
                "add {d}, 256",
                "dec {n}",
                "jnz 2b",
                "jmp 6f",
                // The low byte overflows in this batch: count with the bytes reversed.
                "4:",
                "vmovdqa ymm11, [{c}]",
                "vpxor ymm0, ymm15, ymm14",
                "vpshufb ymm15, ymm15, ymm11",
                code!(carrying_counters 1, 0; 2, 1; 3, 2; 4, 3; 5, 4; 6, 5; 7, 6;),
                "vpaddd ymm15, ymm15, [{c} + 320 + 32*7]",
                "vpshufb ymm15, ymm15, ymm11",
                "jmp 5b",
                "6:",
                h = inout(reg) hash => _,
                d = inout(reg) data => _,
                n = inout(reg) batches => _,
                b = inout(reg_abcd) low_byte => _,
                k = in(reg) round_keys.as_ptr(),
                r = in(reg) rounds,
                l = in(reg) 16 * rounds,
                p = in(reg) highest_power::<Self>(key),
                c = in(reg) &raw const CONSTANTS,
                m = const karatsuba_sums::<Self>(),
                out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _,
                out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _,
                out("ymm8") _, out("ymm9") _, inout("ymm10") hashed,
                out("ymm11") _, out("ymm12") _, out("ymm13") _, out("ymm14") _,
                inout("ymm15") counters.swap_bytes() => _,
                options(nostack),
            );
            _mm256_castsi256_si128(hashed).swap_bytes().store(y.as_mut_ptr());
        }
        Depth::here()
    }
}
