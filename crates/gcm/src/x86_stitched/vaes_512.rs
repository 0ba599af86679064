//! 512-bit registers: VAES and VPCLMULQDQ with AVX-512. Sixteen blocks a batch, four registers of
//! four; GHASH of sixteen blocks with four multiplications each and one reduction. (With two
//! vector ports for 512 bits, Karatsuba's additions cost what the multiplication saves.)
//!
//! # Registers
//!
//! | register | holds |
//! |---|---|
//! | zmm0 to 3 | the counter blocks of this batch, on their way through the rounds |
//! | zmm4 to 7 | blocks being hashed, then products |
//! | zmm8, 9, 10 | the sums of low, middle and high products; between batches, Y in zmm10 |
//! | zmm11 to 14 | products |
//! | zmm15, 16 | a round key, four times |
//! | zmm17 | the next counters, bytes reversed |
//! | zmm18 | the byte swap |
//! | zmm19 to 22 | H^16 to H^1 |
//! | zmm23 | the reduction's constant |
//! | zmm24 | 4 in the first word of each lane |
//!
//! The batch is that of the 256-bit kernel with other registers.

use super::tail::{Tail, counter_mode, counters};
use super::{Counter, Width, around_the_loop};
use cinder_burn::Depth;
use cinder_cpu::x86_lanes::Lanes;
use cinder_ghash::GhashKey;
use cinder_ghash::x86::{FOLD, highest_power};
use core::arch::asm;
use core::arch::x86_64::*;

impl Width for __m512i {
    around_the_loop!("avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq", 1, 4);

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
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
            // One round of all four, and GHASH between; `$k` holds the round key.
            (round $k:literal, $key:literal: $($a:expr),*; $($b:expr),*) => {
                concat!(
                    "vbroadcasti32x4 ", $k, ", [{k} + 16*", $key, "]\n",
                    "vaesenc zmm0, zmm0, ", $k, "\n",
                    "vaesenc zmm1, zmm1, ", $k, "\n",
                    $($a, "\n",)*
                    "vaesenc zmm2, zmm2, ", $k, "\n",
                    "vaesenc zmm3, zmm3, ", $k, "\n",
                    $($b, "\n",)*
                )
            };
            (last $($x:literal, $t:literal;)*) => {
                concat!($(
                    "vpxorq zmm", $t, ", zmm15, [{d} + 64*", $x, "]\n",
                    "vaesenclast zmm", $x, ", zmm", $x, ", zmm", $t, "\n",
                    "vmovdqu64 [{d} + 64*", $x, "], zmm", $x, "\n",
                )*)
            };
        }
        if batches == 0 {
            return Depth::NONE;
        }
        // SAFETY: the caller vouches for the target features and for `batches` batches of 256 bytes
        // at `hash` (to read) and at `data` (to read and write); there are `rounds + 1` round keys,
        // with `rounds` 10, 12 or 14; the asm touches no other memory and no stack.
        unsafe {
            let rounds = round_keys.len() - 1;
            let counters = counters::<__m512i>(counter);
            let mut hashed = __m512i::first(__m128i::load(y.as_ptr()).swap_bytes());
            let power = |i: usize| __m512i::load(highest_power::<Self>(key).add(64 * i));
            asm!(
                "2:",
                "vbroadcasti32x4 zmm15, [{k}]",
                "vmovdqu64 zmm4, [{h}]",
                "vmovdqu64 zmm5, [{h} + 64]",
                "vmovdqu64 zmm6, [{h} + 128]",
                "vmovdqu64 zmm7, [{h} + 192]",
                "vpshufb zmm0, zmm17, zmm18",
                "vpaddd zmm17, zmm17, zmm24",
                "vpshufb zmm1, zmm17, zmm18",
                "vpaddd zmm17, zmm17, zmm24",
                "vpshufb zmm2, zmm17, zmm18",
                "vpaddd zmm17, zmm17, zmm24",
                "vpshufb zmm3, zmm17, zmm18",
                "vpaddd zmm17, zmm17, zmm24",
                "vpxorq zmm0, zmm0, zmm15",
                "vpxorq zmm1, zmm1, zmm15",
                "vpxorq zmm2, zmm2, zmm15",
                "vpxorq zmm3, zmm3, zmm15",
                code!(round "zmm16", 1:
                    "vpshufb zmm5, zmm5, zmm18",
                    "vpshufb zmm6, zmm6, zmm18";
                    "vpshufb zmm4, zmm4, zmm18",
                    "vpxorq zmm4, zmm4, zmm10",
                    "vpclmulqdq zmm8, zmm5, zmm20, 0x00"),
                code!(round "zmm15", 2:
                    "vpclmulqdq zmm10, zmm5, zmm20, 0x11",
                    "vpclmulqdq zmm9, zmm5, zmm20, 0x01";
                    "vpclmulqdq zmm14, zmm5, zmm20, 0x10",
                    "vpshufb zmm7, zmm7, zmm18"),
                code!(round "zmm16", 3:
                    "vpclmulqdq zmm11, zmm6, zmm21, 0x00",
                    "vpclmulqdq zmm12, zmm6, zmm21, 0x11";
                    "vpclmulqdq zmm13, zmm6, zmm21, 0x01",
                    "vpternlogq zmm9, zmm13, zmm14, 0x96"),
                code!(round "zmm15", 4:
                    "vpclmulqdq zmm14, zmm6, zmm21, 0x10",
                    "vpclmulqdq zmm13, zmm7, zmm22, 0x00";
                    "vpternlogq zmm8, zmm11, zmm13, 0x96",
                    "vpclmulqdq zmm13, zmm7, zmm22, 0x11"),
                code!(round "zmm16", 5:
                    "vpternlogq zmm10, zmm12, zmm13, 0x96",
                    "vpclmulqdq zmm11, zmm7, zmm22, 0x01";
                    "vpternlogq zmm9, zmm11, zmm14, 0x96",
                    "vpclmulqdq zmm14, zmm7, zmm22, 0x10"),
                code!(round "zmm15", 6:
                    "vpclmulqdq zmm11, zmm4, zmm19, 0x00",
                    "vpclmulqdq zmm13, zmm4, zmm19, 0x01";
                    "vpternlogq zmm9, zmm13, zmm14, 0x96",
                    "vpclmulqdq zmm12, zmm4, zmm19, 0x10"),
                code!(round "zmm16", 7:
                    "vpxorq zmm8, zmm8, zmm11",
                    "vpclmulqdq zmm13, zmm4, zmm19, 0x11";
                    "vpclmulqdq zmm11, zmm8, zmm23, 0x00",
                    "vpshufd zmm14, zmm8, 0x4e",
                    "vpternlogq zmm9, zmm12, zmm14, 0x96"),
                code!(round "zmm15", 8:
                    "vpxorq zmm9, zmm9, zmm11";
                    "vpclmulqdq zmm12, zmm9, zmm23, 0x00",
                    "vpshufd zmm14, zmm9, 0x4e",
                    "vpternlogq zmm10, zmm13, zmm14, 0x96"),
                code!(round "zmm16", 9:
                    "vpxorq zmm10, zmm10, zmm12";
                    "vextracti64x4 ymm11, zmm10, 1",
                    "vpxorq ymm10, ymm10, ymm11",
                    "vextracti128 xmm11, ymm10, 1",
                    "vpxorq xmm10, xmm10, xmm11"),
                "cmp {r}, 12",
                "jb 3f",
                code!(round "zmm15", 10: ; ),
                code!(round "zmm16", 11: ; ),
                "je 3f",
                code!(round "zmm15", 12: ; ),
                code!(round "zmm16", 13: ; ),
                "3:",
                "vbroadcasti32x4 zmm15, [{k} + {l}]",
                code!(last 0, 11; 1, 12; 2, 13; 3, 14;),
                "add {h}, 256",
                "add {d}, 256",
                "dec {n}",
                "jnz 2b",
                h = inout(reg) hash => _,
                d = inout(reg) data => _,
                n = inout(reg) batches => _,
                k = in(reg) round_keys.as_ptr(),
                r = in(reg) rounds,
                l = in(reg) 16 * rounds,
                out("zmm0") _, out("zmm1") _, out("zmm2") _, out("zmm3") _,
                out("zmm4") _, out("zmm5") _, out("zmm6") _, out("zmm7") _,
                out("zmm8") _, out("zmm9") _, inout("zmm10") hashed,
                out("zmm11") _, out("zmm12") _, out("zmm13") _, out("zmm14") _,
                out("zmm15") _, out("zmm16") _,
                inout("zmm17") counters => _,
                in("zmm18") _mm512_set4_epi32(0x0001_0203, 0x0405_0607, 0x0809_0a0b, 0x0c0d_0e0f),
                in("zmm19") power(0),
                in("zmm20") power(1),
                in("zmm21") power(2),
                in("zmm22") power(3),
                in("zmm23") __m512i::splat(_mm_set_epi64x(0, FOLD as i64)),
                in("zmm24") __m512i::lane_count(),
                options(nostack),
            );
            _mm512_castsi512_si128(hashed).swap_bytes().store(y.as_mut_ptr());
        }
        Depth::here()
    }
}
