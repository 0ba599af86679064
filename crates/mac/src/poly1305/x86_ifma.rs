//! Poly1305 by AVX-512 IFMA on x86-64: eight blocks in the lanes of three registers, 16 at a time.
//!
//! Constant time: yes. Branches on lengths alone.
//!
//! The limbs are those of the portable code, 44, 44 and 42 bits. VPMADD52 adds the low or the high 52 bits
//! of a product. The sums of both are kept apart, l_i and u_i, and joined at the end:
//!
//! ```text
//! product = Σ (l_i + 2^52·u_i)·2^(44·i),   2^52·u_i = 2^44·(u_i << 8)
//! ```
//!
//! so u_i goes to the next limb, and u_2, which goes to 2^132, comes down as 20·(u_2 << 8) to the lowest.
//!
//! Lane j holds a sum of its own of every eighth block, which skips what lies between by r^8 and r^16. The
//! last set is multiplied by r^16, r^15, …, r instead, after which the lanes are added:
//!
//! ```text
//! h = (h + c_1)·r^16 + c_2·r^15 + … + c_16·r
//! ```
//!
//! Bounds: a limb of r^n has at most 45 bits, 20 times that less than 50. A carried limb and a block's have
//! less than 46. An l_i is the sum of six numbers of 52 bits, less than 55 bits. A u_i is the sum of six
//! numbers of less than 44 bits, less than 47; shifted by 8 and times 20 less than 60. The sum of eight
//! lanes has less than 64.

#![allow(clippy::needless_range_loop, reason = "a limb runs through several arrays at once")]

use super::kernel::Powers;
use super::portable64::{Key, Power, Sum, carry};
use cinder_block::Depth;
use cinder_cpu::x86::Ifma;
use core::arch::x86_64::*;

/// Blocks of a set.
pub(super) const SET: usize = 16;

/// Which block of eight is in which lane: unpacking works within 16 bytes.
const ORDER: [usize; 8] = [0, 4, 1, 5, 2, 6, 3, 7];

/// The powers r^16 to r in the order of the lanes: limb i of them begins at 16·i.
#[inline(always)]
fn fill(powers: &mut Powers, r: [u64; 3]) {
    let mut all = [r; SET + 1];
    for n in 2..=SET {
        all[n] = carry(Power::new(all[n / 2]).times(all[n - n / 2]));
    }
    for half in 0..2 {
        for lane in 0..8 {
            let power = all[SET - 8 * half - ORDER[lane]];
            for i in 0..3 {
                powers.limbs[16 * i + 8 * half + lane] = power[i];
            }
        }
    }
    powers.filled = true;
}

/// Adds whole sets.
#[inline(always)]
pub(super) fn add(
    _: Ifma,
    key: &Key,
    powers: &mut Powers,
    h: &mut Sum,
    sets: &[[u8; 16]],
) -> Depth {
    // SAFETY: the token proves the features.
    unsafe { with_ifma(key, powers, h, sets) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn with_ifma(key: &Key, powers: &mut Powers, h: &mut Sum, sets: &[[u8; 16]]) -> Depth {
    if !powers.filled {
        fill(powers, key.r.r);
    }
    // SAFETY: the function has the features.
    unsafe { run(&powers.limbs, h, sets.as_chunks::<SET>().0) };
    Depth::here()
}

/// A number in each lane, and one that is to be multiplied by: its limbs, and 20 times the last two.
type Number = [__m512i; 3];
type Factor = [__m512i; 5];

/// # Safety
///
/// As for all functions here: AVX-512 F and IFMA.
#[inline(always)]
unsafe fn run(powers: &[u64; 48], h: &mut Sum, sets: &[[[u8; 16]; SET]]) {
    // SAFETY: by the function's contract; the reads are inside the table.
    unsafe {
        let Some((last, sets)) = sets.split_last() else { return };
        let zero = _mm512_setzero_si512();
        let mut sum = [zero; 3];
        for i in 0..3 {
            sum[i] = _mm512_maskz_set1_epi64(1, h.0[i] as i64);
        }
        if !sets.is_empty() {
            // Lane 0 of the first half is r^16, and of the second r^8.
            let (mut r_16, mut r_8) = ([zero; 5], [zero; 5]);
            for i in 0..3 {
                r_16[i] = _mm512_set1_epi64(powers[16 * i] as i64);
                r_8[i] = _mm512_set1_epi64(powers[16 * i + 8] as i64);
            }
            prepare(&mut r_16);
            prepare(&mut r_8);
            for set in sets {
                let mut products = [zero; 6];
                step(&mut products, &mut sum, &r_16, &r_8, set);
                carry_lanes(&mut sum, &products);
            }
        }
        let (mut first, mut second) = ([zero; 5], [zero; 5]);
        for i in 0..3 {
            first[i] = _mm512_loadu_si512(powers.as_ptr().add(16 * i).cast());
            second[i] = _mm512_loadu_si512(powers.as_ptr().add(16 * i + 8).cast());
        }
        prepare(&mut first);
        prepare(&mut second);
        let mut products = [zero; 6];
        step(&mut products, &mut sum, &first, &second, last);
        let joined = join(&products);
        let mut limbs = [0_u128; 3];
        for i in 0..3 {
            let mut lanes = [0_u64; 8];
            _mm512_storeu_si512(lanes.as_mut_ptr().cast(), joined[i]);
            let mut total = 0_u64;
            for lane in lanes {
                total = total.wrapping_add(lane);
            }
            limbs[i] = total.into();
        }
        h.0 = carry(limbs);
    }
}

/// The last two limbs 20 times.
///
/// # Safety
///
/// As for [`run`].
#[inline(always)]
unsafe fn prepare(factor: &mut Factor) {
    // SAFETY: by the function's contract.
    unsafe {
        factor[3] = times_20(factor[1]);
        factor[4] = times_20(factor[2]);
    }
}

/// # Safety
///
/// As for [`run`].
#[inline(always)]
unsafe fn times_20(x: __m512i) -> __m512i {
    // SAFETY: by the function's contract.
    unsafe { _mm512_add_epi64(_mm512_slli_epi64::<4>(x), _mm512_slli_epi64::<2>(x)) }
}

/// (sum + the set's first blocks)·a + its other blocks·b, as l_0, l_1, l_2, u_0, u_1, u_2. `sum` is
/// used up.
///
/// # Safety
///
/// As for [`run`].
#[inline(always)]
unsafe fn step(
    products: &mut [__m512i; 6],
    sum: &mut Number,
    a: &Factor,
    b: &Factor,
    set: &[[u8; 16]; SET],
) {
    // SAFETY: by the function's contract; eight blocks are two registers of two halves each.
    unsafe {
        let mut other = *sum;
        load(&mut other, set.as_ptr().add(8));
        multiply(products, &other, b);
        load(&mut other, set.as_ptr());
        for i in 0..3 {
            sum[i] = _mm512_add_epi64(sum[i], other[i]);
        }
        multiply(products, sum, a);
    }
}

/// Eight blocks in limbs, with a one behind each.
///
/// # Safety
///
/// As for [`run`]; the pointer is good for eight blocks.
#[inline(always)]
unsafe fn load(number: &mut Number, blocks: *const [u8; 16]) {
    // SAFETY: by the function's contract.
    unsafe {
        let low_44 = _mm512_set1_epi64((1 << 44) - 1);
        let x = _mm512_loadu_si512(blocks.cast());
        let y = _mm512_loadu_si512(blocks.add(4).cast());
        let (low, high) = (_mm512_unpacklo_epi64(x, y), _mm512_unpackhi_epi64(x, y));
        number[0] = _mm512_and_si512(low, low_44);
        let middle = _mm512_or_si512(_mm512_srli_epi64::<44>(low), _mm512_slli_epi64::<20>(high));
        number[1] = _mm512_and_si512(middle, low_44);
        number[2] = _mm512_or_si512(_mm512_srli_epi64::<24>(high), _mm512_set1_epi64(1 << 40));
    }
}

/// Adds x·r.
///
/// # Safety
///
/// As for [`run`].
#[inline(always)]
unsafe fn multiply(products: &mut [__m512i; 6], x: &Number, r: &Factor) {
    // Which of r goes with limb j of x into limb i: r_(i-j), or 20·r_(3+i-j).
    const WITH: [[usize; 3]; 3] = [[0, 4, 3], [1, 0, 4], [2, 1, 0]];
    // SAFETY: by the function's contract.
    unsafe {
        // The limb that waits longest for the set before comes last.
        for j in [2, 1, 0] {
            for i in 0..3 {
                let r = r[WITH[i][j]];
                products[i] = _mm512_madd52lo_epu64(products[i], x[j], r);
                products[3 + i] = _mm512_madd52hi_epu64(products[3 + i], x[j], r);
            }
        }
    }
}

/// The two sums joined, not carried.
///
/// # Safety
///
/// As for [`run`].
#[inline(always)]
unsafe fn join(products: &[__m512i; 6]) -> Number {
    let [low_0, low_1, low_2, up_0, up_1, up_2] = *products;
    // SAFETY: by the function's contract.
    unsafe {
        [
            _mm512_add_epi64(low_0, times_20(_mm512_slli_epi64::<8>(up_2))),
            _mm512_add_epi64(low_1, _mm512_slli_epi64::<8>(up_0)),
            _mm512_add_epi64(low_2, _mm512_slli_epi64::<8>(up_1)),
        ]
    }
}

/// The sums in limbs of 44, 44 and 42 bits, but for a few bits more in the first.
///
/// # Safety
///
/// As for [`run`].
#[inline(always)]
unsafe fn carry_lanes(sum: &mut Number, products: &[__m512i; 6]) {
    // SAFETY: by the function's contract.
    unsafe {
        let low_44 = _mm512_set1_epi64((1 << 44) - 1);
        let low_42 = _mm512_set1_epi64((1 << 42) - 1);
        let [d_0, d_1, d_2] = join(products);
        let d_1 = _mm512_add_epi64(d_1, _mm512_srli_epi64::<44>(d_0));
        let d_2 = _mm512_add_epi64(d_2, _mm512_srli_epi64::<44>(d_1));
        // 2^130 = 5.
        let out = _mm512_srli_epi64::<42>(d_2);
        let out = _mm512_add_epi64(out, _mm512_slli_epi64::<2>(out));
        sum[0] = _mm512_add_epi64(_mm512_and_si512(d_0, low_44), out);
        sum[1] = _mm512_and_si512(d_1, low_44);
        sum[2] = _mm512_and_si512(d_2, low_42);
    }
}
