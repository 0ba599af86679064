//! GHASH (SP 800-38D, section 6.4) by PMULL, the carry-less multiplication of ARMv8's cryptographic
//! extension.
//!
//! Constant time: yes. The instruction's time does not depend on its operands, and nothing else
//! does.
//!
//! Eight blocks for each reduction, with the powers H^8 … H; each block costs three products by
//! Karatsuba, whose middle operands are stored. A tail of up to seven blocks is one reduction too;
//! it multiplies as schoolbooks do.
//!
//! Words stand high first here: REV64 alone turns a block into its two words in that order, and
//! PMULL2 reaches the second lane as easily as PMULL the first. Powers 8 to 15 are H^8 … H^1,
//! **high word first**, so that n blocks go with the last n of them. Karatsuba sums correspond to
//! powers, one to one.

use crate::{Depth, GhashKey, load, times_y};
use core::arch::aarch64::*;

/// Blocks for each reduction.
const WIDE: usize = 8;

#[inline(always)]
pub(crate) fn expand(_proof: cinder_cpu::aarch64::Aes, h: &[u8; 16], key: &mut GhashKey) -> Depth {
    // SAFETY: the token proves aes (which PMULL is part of) and neon.
    unsafe { expand_pmull(h, key) }
}

#[inline(always)]
pub(crate) fn update(
    _proof: cinder_cpu::aarch64::Aes,
    key: &GhashKey,
    y: &mut [u8; 16],
    blocks: &[[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes (which PMULL is part of) and neon.
    unsafe { update_pmull(key, y, blocks) }
}

#[target_feature(enable = "neon,aes")]
#[inline(never)]
fn expand_pmull(h: &[u8; 16], key: &mut GhashKey) -> Depth {
    let [low, high] = times_y(load(h));
    key.powers[15] = [high, low];
    let h1 = words(&key.powers[15]);
    let h2 = multiply(h1, h1);
    let h3 = multiply(h2, h1);
    let h4 = multiply(h2, h2);
    for (i, power) in [h1, h2, h3, h4].into_iter().enumerate() {
        set_words(&mut key.powers[15 - i], power);
        set_words(&mut key.powers[11 - i], multiply(power, h4));
    }
    for (sum, [high, low]) in key.karatsuba_sums.iter_mut().zip(&key.powers) {
        *sum = low ^ high;
    }
    Depth::here()
}

#[target_feature(enable = "neon,aes")]
#[inline(never)]
fn update_pmull(key: &GhashKey, y: &mut [u8; 16], blocks: &[[u8; 16]]) -> Depth {
    let mut z = block(y);
    let (powers, _) = key.powers[8..].as_chunks::<2>();
    let (sums, _) = key.karatsuba_sums[8..].as_chunks::<2>();
    let (groups, tail) = blocks.as_chunks::<WIDE>();
    for group in groups {
        let mut sum = Sum::zero();
        for ((pair, power), sums) in group.as_chunks::<2>().0.iter().zip(powers).zip(sums) {
            sum.add_karatsuba(veorq_u64(z, block(&pair[0])), block(&pair[1]), power, sums);
            z = vdupq_n_u64(0);
        }
        sum.middle = veorq_u64(sum.middle, veorq_u64(sum.low, sum.high));
        z = sum.reduce();
    }
    if !tail.is_empty() {
        let mut sum = Sum::zero();
        for (x, power) in tail.iter().zip(&key.powers[16 - tail.len()..]) {
            sum.add_schoolbook(veorq_u64(z, block(x)), words(power));
            z = vdupq_n_u64(0);
        }
        z = sum.reduce();
    }
    // SAFETY: 16 bytes are written through a reference to 16 bytes.
    unsafe { vst1q_u8(y.as_mut_ptr(), vrev64q_u8(vreinterpretq_u8_u64(z))) };
    Depth::here()
}

/// Products not yet reduced: low + middle · y^64 + high · y^128, each low word first.
struct Sum {
    low: uint64x2_t,
    middle: uint64x2_t,
    high: uint64x2_t,
}

impl Sum {
    #[target_feature(enable = "neon")]
    #[inline]
    fn zero() -> Sum {
        let zero = vdupq_n_u64(0);
        Sum { low: zero, middle: zero, high: zero }
    }

    /// Two blocks, six products. The middle stays short of low + high, which are added once for
    /// all blocks.
    #[target_feature(enable = "neon,aes")]
    #[inline]
    fn add_karatsuba(
        &mut self,
        a: uint64x2_t,
        b: uint64x2_t,
        powers: &[[u64; 2]; 2],
        sums: &[u64; 2],
    ) {
        let (h, k, m) = (words(&powers[0]), words(&powers[1]), words(sums));
        // High + low of a, high + low of b.
        let ab = veorq_u64(vtrn1q_u64(a, b), vtrn2q_u64(a, b));
        self.high = veorq_u64(self.high, veorq_u64(first(a, h), first(b, k)));
        self.low = veorq_u64(self.low, veorq_u64(second(a, h), second(b, k)));
        self.middle = veorq_u64(self.middle, veorq_u64(first(ab, m), second(ab, m)));
    }

    /// One block, four products.
    #[target_feature(enable = "neon,aes")]
    #[inline]
    fn add_schoolbook(&mut self, x: uint64x2_t, h: uint64x2_t) {
        let swapped = swapped(h);
        self.high = veorq_u64(self.high, first(x, h));
        self.low = veorq_u64(self.low, second(x, h));
        self.middle = veorq_u64(self.middle, veorq_u64(first(x, swapped), second(x, swapped)));
    }

    /// The sum divided by y^128, as derived at the head of the crate, high word first.
    ///
    /// The middle product straddles: its low word belongs to w1, its high word to w2. Instead of
    /// shifting it into place, w0 is folded into it first:
    ///
    /// ```text
    /// middle += swap(low) + w0 · 0xc2<<56     (swap: low's w1 joins the middle's low word, and
    /// high   += swap(middle) + w1 · 0xc2<<56   w0, which is w0 · y^128, its high word)
    /// ```
    #[target_feature(enable = "neon,aes")]
    #[inline]
    fn reduce(self) -> uint64x2_t {
        let g = vdupq_n_u64(0xc2 << 56);
        let middle = veorq_u64(self.middle, veorq_u64(swapped(self.low), first(self.low, g)));
        // Both sides of the second line swapped: high word first.
        veorq_u64(middle, swapped(veorq_u64(self.high, first(middle, g))))
    }
}

/// Two elements in Montgomery form to their product in Montgomery form.
#[target_feature(enable = "neon,aes")]
#[inline]
fn multiply(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    let mut sum = Sum::zero();
    sum.add_schoolbook(a, b);
    sum.reduce()
}

/// PMULL: the product of the first lanes.
#[target_feature(enable = "neon,aes")]
#[inline]
fn first(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vreinterpretq_u64_p128(vmull_p64(vgetq_lane_u64::<0>(a), vgetq_lane_u64::<0>(b)))
}

/// PMULL2: the product of the second lanes.
#[target_feature(enable = "neon,aes")]
#[inline]
fn second(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vreinterpretq_u64_p128(vmull_high_p64(vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b)))
}

#[target_feature(enable = "neon")]
#[inline]
fn swapped(x: uint64x2_t) -> uint64x2_t {
    vextq_u64::<1>(x, x)
}

#[target_feature(enable = "neon")]
#[inline]
fn words(words: &[u64; 2]) -> uint64x2_t {
    // SAFETY: 16 bytes are read through a reference to 16 bytes.
    unsafe { vld1q_u64(words.as_ptr()) }
}

#[target_feature(enable = "neon")]
#[inline]
fn set_words(words: &mut [u64; 2], value: uint64x2_t) {
    // SAFETY: 16 bytes are written through a reference to 16 bytes.
    unsafe { vst1q_u64(words.as_mut_ptr(), value) }
}

/// A block as two big-endian words, high word first.
#[target_feature(enable = "neon")]
#[inline]
fn block(bytes: &[u8; 16]) -> uint64x2_t {
    // SAFETY: 16 bytes are read through a reference to 16 bytes.
    vreinterpretq_u64_u8(vrev64q_u8(unsafe { vld1q_u8(bytes.as_ptr()) }))
}
