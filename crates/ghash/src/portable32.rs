//! GHASH (SP 800-38D, section 6.4) by integer multiplication with holes, for 32-bit CPUs.
//!
//! Constant time where the CPU multiplies 32 by 32 bits to 64 in constant time: no branch and no
//! address depends on data. (The ARM Cortex-M3 does not.)
//!
//! As `portable64`, with one simplification: a class of a 32-bit word has 32/4 = 8 bits, so at
//! most 8 ones meet at a position, and four bits hold 15. Two levels of Karatsuba make nine
//! products of words for a block.

use crate::{Depth, load, store};

/// Bits 0, 4, 8, … of a word.
const CLASS: u32 = 0x1111_1111;

#[inline(never)]
pub(crate) fn update(h: &[u64; 2], y: &mut [u8; 16], blocks: &[[u8; 16]]) -> Depth {
    let mut z = load(y);
    for block in blocks {
        let x = load(block);
        z = multiply([z[0] ^ x[0], z[1] ^ x[1]], *h);
    }
    store(z, y);
    Depth::here()
}

#[inline(always)]
fn multiply(x: [u64; 2], h: [u64; 2]) -> [u64; 2] {
    let low = clmul64(x[0], h[0]);
    let high = clmul64(x[1], h[1]);
    let middle = clmul64(x[0] ^ x[1], h[0] ^ h[1]);
    let middle = [middle[0] ^ low[0] ^ high[0], middle[1] ^ low[1] ^ high[1]];
    reduce([low[0], low[1] ^ middle[0], high[0] ^ middle[1], high[1]])
}

/// The carry-less product of two 64-bit words, low word first.
#[inline(always)]
fn clmul64(x: u64, h: u64) -> [u64; 2] {
    let [x0, x1] = [x as u32, (x >> 32) as u32];
    let [h0, h1] = [h as u32, (h >> 32) as u32];
    let low = clmul32(x0, h0);
    let high = clmul32(x1, h1);
    let middle = clmul32(x0 ^ x1, h0 ^ h1) ^ low ^ high;
    [low ^ middle << 32, high ^ middle >> 32]
}

/// The carry-less product of two 32-bit words: 63 bits.
#[inline(always)]
fn clmul32(x: u32, h: u32) -> u64 {
    let [x0, x1, x2, x3] = [x & CLASS, x & CLASS << 1, x & CLASS << 2, x & CLASS << 3];
    let [h0, h1, h2, h3] = [h & CLASS, h & CLASS << 1, h & CLASS << 2, h & CLASS << 3];
    let wide = |a: u32, b: u32| u64::from(a) * u64::from(b);
    let z0 = wide(x0, h0) ^ wide(x1, h3) ^ wide(x2, h2) ^ wide(x3, h1);
    let z1 = wide(x0, h1) ^ wide(x1, h0) ^ wide(x2, h3) ^ wide(x3, h2);
    let z2 = wide(x0, h2) ^ wide(x1, h1) ^ wide(x2, h0) ^ wide(x3, h3);
    let z3 = wide(x0, h3) ^ wide(x1, h2) ^ wide(x2, h1) ^ wide(x3, h0);
    let class = u64::from(CLASS) << 32 | u64::from(CLASS);
    z0 & class | z1 & class << 1 | z2 & class << 2 | z3 & class << 3
}

/// The product divided by y^128, in steps of a 32-bit word. With y^121 = y^96 · y^25 and so on,
/// adding w_i · y^(32i) · g~ clears w_i:
///
/// ```text
/// w_(i+3) += w_i<<25 + w_i<<30 + w_i<<31
/// w_(i+4) += w_i>>7  + w_i>>2  + w_i>>1  + w_i
/// ```
#[inline(always)]
fn reduce(product: [u64; 4]) -> [u64; 2] {
    let mut w = [0u32; 8];
    for (pair, word) in w.chunks_exact_mut(2).zip(product) {
        pair[0] = word as u32;
        pair[1] = (word >> 32) as u32;
    }
    for i in 0..4 {
        let word = w[i];
        w[i + 3] ^= word << 25 ^ word << 30 ^ word << 31;
        w[i + 4] ^= word ^ word >> 1 ^ word >> 2 ^ word >> 7;
    }
    let word = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
    [word(w[4], w[5]), word(w[6], w[7])]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive(x: u32, h: u32) -> u64 {
        (0..32).fold(0, |z, i| z ^ u64::from(h >> i & 1).wrapping_neg() & u64::from(x) << i)
    }

    /// All ones make every hole as full as it can be.
    #[test]
    fn holes_do_not_overflow() {
        for (x, h) in [(u32::MAX, u32::MAX), (CLASS, CLASS), (CLASS << 3, CLASS), (1, 15)] {
            assert_eq!(clmul32(x, h), naive(x, h));
        }
    }

    proptest::proptest! {
        #[test]
        fn product_is_carry_less(x: u32, h: u32) {
            proptest::prop_assert_eq!(clmul32(x, h), naive(x, h));
        }
    }
}
