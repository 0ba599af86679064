//! Poly1305 by AVX2 on x86-64: four blocks in the lanes of five registers, eight at a time.
//!
//! Constant time: yes. Branches on lengths alone.
//!
//! VPMULUDQ multiplies 32 by 32 bits, so a number has five limbs of 26 bits. What a product has at 2^130 and
//! above comes down with 2^130 = 5:
//!
//! ```text
//! d_i = Σ h_j·r_(i-j) for j <= i, + Σ h_j·5·r_(5+i-j) for j > i
//! ```
//!
//! Lane j holds a sum of its own of every fourth block, which skips what lies between by r^4 and r^8. The
//! last set is multiplied by r^8, r^7, …, r instead, after which the lanes are added.
//!
//! Bounds: a limb of r^n has at most 27 bits, 5 times that less than 30. A carried limb and a block's have
//! less than 28. A d_i is the sum of ten products, less than 62 bits, and the sum of four lanes has less
//! than 64.

#![allow(clippy::needless_range_loop, reason = "a limb runs through several arrays at once")]

use super::kernel::Powers;
use super::portable64::{Key, Power, Sum, carry};
use cinder_block::Depth;
use cinder_cpu::x86::Avx2;
use core::arch::x86_64::*;

/// Blocks of a set.
pub(super) const SET: usize = 8;

/// Which block of four is in which lane: unpacking works within 16 bytes.
const ORDER: [usize; 4] = [0, 2, 1, 3];

const LOW_26: u64 = (1 << 26) - 1;
const LOW_44: u64 = (1 << 44) - 1;

/// The powers r^8 to r in the order of the lanes: limb i of them begins at 8·i.
#[inline(always)]
fn fill(powers: &mut Powers, r: [u64; 3]) {
    let mut all = [r; SET + 1];
    for n in 2..=SET {
        all[n] = carry(Power::new(all[n / 2]).times(all[n - n / 2]));
    }
    for half in 0..2 {
        for lane in 0..4 {
            let power = narrow(all[SET - 4 * half - ORDER[lane]]);
            for i in 0..5 {
                powers.limbs[8 * i + 4 * half + lane] = power[i];
            }
        }
    }
    powers.filled = true;
}

/// Limbs of 26 bits from limbs of 44, of which the second may have a bit more.
#[inline(always)]
fn narrow([x, y, z]: [u64; 3]) -> [u64; 5] {
    let (y, z) = (y & LOW_44, z.wrapping_add(y >> 44));
    [
        x & LOW_26,
        (x >> 26 | y << 18) & LOW_26,
        y >> 8 & LOW_26,
        (y >> 34 | z << 10) & LOW_26,
        z >> 16,
    ]
}

/// The reverse, of sums that are not carried.
#[inline(always)]
fn widen(mut l: [u64; 5]) -> [u64; 3] {
    for i in 0..4 {
        l[i + 1] = l[i + 1].wrapping_add(l[i] >> 26);
        l[i] &= LOW_26;
    }
    let out = l[4] >> 26;
    l[4] &= LOW_26;
    let low = l[0].wrapping_add(out.wrapping_mul(5)).wrapping_add(l[1] << 26);
    let middle = (low >> 44).wrapping_add(l[2] << 8).wrapping_add((l[3] & 0x3ff) << 34);
    [low & LOW_44, middle, (l[3] >> 10).wrapping_add(l[4] << 16)]
}

/// Adds whole sets.
#[inline(always)]
pub(super) fn add(
    _: Avx2,
    key: &Key,
    powers: &mut Powers,
    h: &mut Sum,
    sets: &[[u8; 16]],
) -> Depth {
    // SAFETY: the token proves avx2.
    unsafe { with_avx2(key, powers, h, sets) }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn with_avx2(key: &Key, powers: &mut Powers, h: &mut Sum, sets: &[[u8; 16]]) -> Depth {
    if !powers.filled {
        fill(powers, key.r.r);
    }
    // SAFETY: the function has the feature.
    unsafe { run(&powers.limbs, h, sets.as_chunks::<SET>().0) };
    Depth::here()
}

/// A number in each lane, and one that is to be multiplied by: its limbs, and 5 times the last four.
type Number = [__m256i; 5];
type Factor = [__m256i; 9];

/// # Safety
///
/// As for all functions here: AVX2.
#[inline(always)]
unsafe fn run(powers: &[u64; 48], h: &mut Sum, sets: &[[[u8; 16]; SET]]) {
    // SAFETY: by the function's contract; the reads are inside the table.
    unsafe {
        let Some((last, sets)) = sets.split_last() else { return };
        let zero = _mm256_setzero_si256();
        let limbs = narrow(h.0);
        let mut sum = [zero; 5];
        for i in 0..5 {
            sum[i] = _mm256_set_epi64x(0, 0, 0, limbs[i] as i64);
        }
        if !sets.is_empty() {
            // Lane 0 of the first half is r^8, and of the second r^4.
            let (mut r_8, mut r_4) = ([zero; 9], [zero; 9]);
            for i in 0..5 {
                r_8[i] = _mm256_set1_epi64x(powers[8 * i] as i64);
                r_4[i] = _mm256_set1_epi64x(powers[8 * i + 4] as i64);
            }
            prepare(&mut r_8);
            prepare(&mut r_4);
            for set in sets {
                let mut d = [zero; 5];
                step(&mut d, &mut sum, &r_8, &r_4, set);
                carry_lanes(&mut sum, &d);
            }
        }
        let (mut first, mut second) = ([zero; 9], [zero; 9]);
        for i in 0..5 {
            first[i] = _mm256_loadu_si256(powers.as_ptr().add(8 * i).cast());
            second[i] = _mm256_loadu_si256(powers.as_ptr().add(8 * i + 4).cast());
        }
        prepare(&mut first);
        prepare(&mut second);
        let mut d = [zero; 5];
        step(&mut d, &mut sum, &first, &second, last);
        let mut limbs = [0; 5];
        for i in 0..5 {
            let mut lanes = [0_u64; 4];
            _mm256_storeu_si256(lanes.as_mut_ptr().cast(), d[i]);
            for lane in lanes {
                limbs[i] = lane.wrapping_add(limbs[i]);
            }
        }
        h.0 = widen(limbs);
    }
}

/// The last four limbs 5 times.
///
/// # Safety
///
/// As for [`run`].
#[inline(always)]
unsafe fn prepare(factor: &mut Factor) {
    // SAFETY: by the function's contract.
    unsafe {
        for i in 1..5 {
            factor[4 + i] = times_5(factor[i]);
        }
    }
}

/// # Safety
///
/// As for [`run`].
#[inline(always)]
unsafe fn times_5(x: __m256i) -> __m256i {
    // SAFETY: by the function's contract.
    unsafe { _mm256_add_epi64(x, _mm256_slli_epi64::<2>(x)) }
}

/// (sum + the set's first blocks)·a + its other blocks·b, not carried. `sum` is used up.
///
/// # Safety
///
/// As for [`run`].
#[inline(always)]
unsafe fn step(d: &mut Number, sum: &mut Number, a: &Factor, b: &Factor, set: &[[u8; 16]; SET]) {
    // SAFETY: by the function's contract; four blocks are two registers of two halves each.
    unsafe {
        let mut other = *sum;
        load(&mut other, set.as_ptr().add(4));
        multiply(d, &other, b);
        load(&mut other, set.as_ptr());
        for i in 0..5 {
            sum[i] = _mm256_add_epi64(sum[i], other[i]);
        }
        multiply(d, sum, a);
    }
}

/// Four blocks in limbs, with a one behind each.
///
/// # Safety
///
/// As for [`run`]; the pointer is good for four blocks.
#[inline(always)]
unsafe fn load(number: &mut Number, blocks: *const [u8; 16]) {
    // SAFETY: by the function's contract.
    unsafe {
        let low_26 = _mm256_set1_epi64x(LOW_26 as i64);
        let x = _mm256_loadu_si256(blocks.cast());
        let y = _mm256_loadu_si256(blocks.add(2).cast());
        let (low, high) = (_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y));
        let middle = _mm256_or_si256(_mm256_srli_epi64::<52>(low), _mm256_slli_epi64::<12>(high));
        number[0] = _mm256_and_si256(low, low_26);
        number[1] = _mm256_and_si256(_mm256_srli_epi64::<26>(low), low_26);
        number[2] = _mm256_and_si256(middle, low_26);
        number[3] = _mm256_and_si256(_mm256_srli_epi64::<14>(high), low_26);
        number[4] = _mm256_or_si256(_mm256_srli_epi64::<40>(high), _mm256_set1_epi64x(1 << 24));
    }
}

/// Adds x·r.
///
/// # Safety
///
/// As for [`run`].
#[inline(always)]
unsafe fn multiply(d: &mut Number, x: &Number, r: &Factor) {
    // SAFETY: by the function's contract.
    unsafe {
        for j in 0..5 {
            for i in 0..5 {
                // r_(i-j), or 5·r_(5+i-j).
                let r = r[if j <= i { i - j } else { 9 + i - j }];
                d[i] = _mm256_add_epi64(d[i], _mm256_mul_epu32(x[j], r));
            }
        }
    }
}

/// The sums in limbs of 26 bits, but for a few bits more in the second and the last. Two chains of
/// carries side by side, from d_0 and from d_3 on.
///
/// # Safety
///
/// As for [`run`].
#[inline(always)]
unsafe fn carry_lanes(sum: &mut Number, d: &Number) {
    // SAFETY: by the function's contract.
    unsafe {
        let low_26 = _mm256_set1_epi64x(LOW_26 as i64);
        *sum = *d;
        for (from, to) in [(0, 1), (3, 4), (1, 2), (4, 0), (2, 3), (0, 1), (3, 4)] {
            let out = _mm256_srli_epi64::<26>(sum[from]);
            let out = if to == 0 { times_5(out) } else { out };
            sum[from] = _mm256_and_si256(sum[from], low_26);
            sum[to] = _mm256_add_epi64(sum[to], out);
        }
    }
}
