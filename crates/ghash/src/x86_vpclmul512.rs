//! GHASH (SP 800-38D, section 6.4) by VPCLMULQDQ on 512-bit registers: four blocks at a time.
//!
//! Constant time: yes. The instruction's time does not depend on its operands, and nothing else
//! does.
//!
//! Sixteen blocks for each reduction, by Karatsuba. The set-up is that of `x86_vpclmul`, and so is
//! the tail: fewer than sixteen blocks do not repay the wider registers.
//!
//! A step is short enough for its latency to count, so the four lanes are not added after each
//! reduction. Each lane runs Horner's rule by itself over every fourth block, with the same power
//! of H in all lanes, until the last group puts the missing powers in. For lane i = 0 … 3:
//!
//! ```text
//! Z_i = (Z_i + X_i)·H^16     + X_(i+4)·H^12    + X_(i+8)·H^8     + X_(i+12)·H^4       every group
//! Z_i = (Z_i + X_i)·H^(16-i) + X_(i+4)·H^(12-i) + X_(i+8)·H^(8-i) + X_(i+12)·H^(4-i)   the last
//! ```

use crate::{Depth, Elements, x86_vpclmul};
use cinder_cpu::x86::{Vpclmul, Vpclmul512};
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Blocks for each reduction.
const WIDE: usize = 16;

#[inline(always)]
pub(crate) fn update(
    (_proof, tail_proof): (Vpclmul512, Vpclmul),
    elements: &Elements,
    middles: &[u64; 16],
    y: &mut [u8; 16],
    blocks: &[[u8; 16]],
) -> Depth {
    let (groups, tail) = blocks.as_chunks::<WIDE>();
    let mut depth = Depth::here();
    if let [groups @ .., last] = groups {
        // SAFETY: the token proves vpclmulqdq, avx2, and AVX-512 F, VL, BW and DQ.
        depth = depth.max(unsafe { update_vpclmul512(elements, y, groups, last) });
    }
    if !tail.is_empty() {
        depth = depth.max(x86_vpclmul::update(tail_proof, elements, middles, y, tail));
    }
    depth
}

#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl")]
#[inline(never)]
fn update_vpclmul512(
    elements: &Elements,
    y: &mut [u8; 16],
    groups: &[[[u8; 16]; WIDE]],
    last: &[[u8; 16]; WIDE],
) -> Depth {
    // SAFETY: 16 bytes are read through a reference to 16 bytes.
    let mut z = _mm512_zextsi128_si512(unsafe { _mm_loadu_si128(y.as_ptr().cast()) });
    z = reversed(z);
    let mut depth = Depth::here();
    let (fours, _) = elements.as_chunks::<4>();
    let mut powers = Powers::zero();
    if !groups.is_empty() {
        for (i, [first, ..]) in fours.iter().enumerate() {
            powers.same(i, first);
        }
        for group in groups {
            z = step(z, group, &powers, &mut depth);
        }
    }
    for (i, words) in fours.iter().enumerate() {
        powers.each(i, words);
    }
    z = reversed(step(z, last, &powers, &mut depth));
    let halves = _mm256_xor_si256(_mm512_castsi512_si256(z), _mm512_extracti64x4_epi64::<1>(z));
    let z = _mm_xor_si128(_mm256_castsi256_si128(halves), _mm256_extracti128_si256::<1>(halves));
    // SAFETY: 16 bytes are written through a reference to 16 bytes.
    unsafe { _mm_storeu_si128(y.as_mut_ptr().cast(), z) };
    depth
}

/// Four powers of H for each lane, and the sums of their words, for Karatsuba's middle product.
struct Powers {
    h: [__m512i; 4],
    middle: [__m512i; 4],
}

impl Powers {
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn zero() -> Powers {
        let zero = _mm512_setzero_si512();
        Powers { h: [zero; 4], middle: [zero; 4] }
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn set(&mut self, i: usize, h: __m512i) {
        self.h[i] = h;
        self.middle[i] = _mm512_xor_si512(h, swapped(h));
    }

    /// The same power in every lane.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn same(&mut self, i: usize, words: &[u64; 2]) {
        // SAFETY: 16 bytes are read through a reference to 16 bytes.
        self.set(i, _mm512_broadcast_i32x4(unsafe { _mm_loadu_si128(words.as_ptr().cast()) }));
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn each(&mut self, i: usize, words: &[[u64; 2]; 4]) {
        // SAFETY: 64 bytes are read through a reference to 64 bytes.
        self.set(i, unsafe { _mm512_loadu_si512(words.as_ptr().cast()) });
    }
}

/// Sixteen blocks, each lane by itself. Optimised for size it is not inlined, and says how deep its
/// own frame is.
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw")]
#[inline]
fn step(z: __m512i, group: &[[u8; 16]; WIDE], powers: &Powers, depth: &mut Depth) -> __m512i {
    *depth = Depth::here().max(*depth);
    let (fours, _) = group.as_chunks::<4>();
    let mut sum = Sum::zero();
    // The blocks that wait for the step before are the last, so that the others need not.
    for i in [1, 2, 3, 0] {
        let mut x = four_blocks(&fours[i]);
        if i == 0 {
            x = _mm512_xor_si512(x, z);
        }
        sum.add(x, powers.h[i], powers.middle[i]);
    }
    sum.reduce()
}

/// Products not yet reduced, in each lane; the middle is short of low + high.
struct Sum {
    low: __m512i,
    middle: __m512i,
    high: __m512i,
}

impl Sum {
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn zero() -> Sum {
        let zero = _mm512_setzero_si512();
        Sum { low: zero, middle: zero, high: zero }
    }

    /// Adds x · h by Karatsuba; `m` is the sum of the words of h.
    #[target_feature(enable = "vpclmulqdq,avx512f")]
    #[inline]
    fn add(&mut self, x: __m512i, h: __m512i, m: __m512i) {
        self.low = _mm512_xor_si512(self.low, _mm512_clmulepi64_epi128::<0x00>(x, h));
        self.high = _mm512_xor_si512(self.high, _mm512_clmulepi64_epi128::<0x11>(x, h));
        let x = _mm512_xor_si512(x, swapped(x));
        self.middle = _mm512_xor_si512(self.middle, _mm512_clmulepi64_epi128::<0x00>(x, m));
    }

    /// The reduction of `x86_clmul`.
    #[target_feature(enable = "vpclmulqdq,avx512f")]
    #[inline]
    fn reduce(&self) -> __m512i {
        let g = _mm512_set1_epi64(0xc2 << 56);
        let fold = _mm512_clmulepi64_epi128::<0x00>(self.low, g);
        let middle = xor3(self.middle, self.low, xor3(self.high, swapped(self.low), fold));
        let fold = _mm512_clmulepi64_epi128::<0x00>(middle, g);
        xor3(self.high, swapped(middle), fold)
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

/// The two words of each lane exchanged.
#[target_feature(enable = "avx512f")]
#[inline]
fn swapped(x: __m512i) -> __m512i {
    _mm512_shuffle_epi32::<0b01_00_11_10>(x)
}

/// Each lane's bytes in the opposite order: blocks to big-endian integers and back.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn reversed(x: __m512i) -> __m512i {
    let order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(order))
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn four_blocks(blocks: &[[u8; 16]; 4]) -> __m512i {
    // SAFETY: 64 bytes are read through a reference to 64 bytes.
    reversed(unsafe { _mm512_loadu_si512(blocks.as_ptr().cast()) })
}
