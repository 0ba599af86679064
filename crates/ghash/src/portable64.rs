//! GHASH (SP 800-38D, section 6.4) by integer multiplication with holes, for 64-bit CPUs.
//!
//! Constant time where the CPU multiplies 64 by 64 bits in constant time: no branch and no address
//! depends on data.
//!
//! A carry-less product comes from integer products of operands that have three zero bits
//! between any two bits that may be set: the sum that gathers at a position then has four bits
//! to itself, and its lowest bit is the carry-less one. An operand is split into the four
//! classes of its bits i modulo 4, and the product of classes i and j lies in class i + j.
//!
//! A class of a 64-bit word has 64/4 = 16 bits, and up to 16 ones meet in the middle of the
//! product: one more than four bits hold. So the lowest nibble of the key is left out of the
//! classes, which makes it 15, and multiplied by AND masks instead.

use cinder_burn::opaque;

use crate::{Depth, load, store, times_y};

/// Bits 0, 4, 8, … of a word.
const CLASS: u64 = 0x1111_1111_1111_1111;

/// Sets up for both portable kernels: H' as the first power.
#[inline(never)]
pub(crate) fn expand(h: &[u8; 16], powers: &mut [[u64; 2]; 16]) -> Depth {
    powers[0] = times_y(load(h));
    Depth::here()
}

#[inline(never)]
pub(crate) fn update(h: &[u64; 2], y: &mut [u8; 16], blocks: &[[u8; 16]]) -> Depth {
    let low = Factor::new(h[0]);
    let high = Factor::new(h[1]);
    let middle = Factor::new(h[0] ^ h[1]);
    let mut z = load(y);
    for block in blocks {
        let x = load(block);
        let [x0, x1] = [z[0] ^ x[0], z[1] ^ x[1]];
        // Karatsuba: x0·h1 + x1·h0 = (x0 + x1)(h0 + h1) + x0·h0 + x1·h1.
        let low = low.times(x0);
        let high = high.times(x1);
        let middle = middle.times(x0 ^ x1) ^ low ^ high;
        z = reduce(low ^ middle << 64, high ^ middle >> 64);
    }
    store(z, y);
    Depth::here()
}

/// A word of the key, split for multiplication.
struct Factor {
    /// Its four classes without the lowest nibble: 15 bits each.
    classes: [u64; 4],
    /// The four bits of its lowest nibble, each as a mask of a whole word.
    nibble: [u64; 4],
}

impl Factor {
    #[inline(always)]
    fn new(h: u64) -> Self {
        let class = |i: u32| h & CLASS << i & !15;
        // The compiler may not know that these are masks.
        let width = opaque(63);
        let mask = |i: u32| ((h << (63 - i)) as i64 >> width) as u64;
        Factor {
            classes: [class(0), class(1), class(2), class(3)],
            nibble: [mask(0), mask(1), mask(2), mask(3)],
        }
    }

    /// The carry-less product with x: 127 bits.
    #[inline(always)]
    fn times(&self, x: u64) -> u128 {
        let [h0, h1, h2, h3] = self.classes;
        let [x0, x1, x2, x3] = [x & CLASS, x & CLASS << 1, x & CLASS << 2, x & CLASS << 3];
        let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
        let z0 = wide(x0, h0) ^ wide(x1, h3) ^ wide(x2, h2) ^ wide(x3, h1);
        let z1 = wide(x0, h1) ^ wide(x1, h0) ^ wide(x2, h3) ^ wide(x3, h2);
        let z2 = wide(x0, h2) ^ wide(x1, h1) ^ wide(x2, h0) ^ wide(x3, h3);
        let z3 = wide(x0, h3) ^ wide(x1, h2) ^ wide(x2, h1) ^ wide(x3, h0);
        let class = u128::from(CLASS) << 64 | u128::from(CLASS);
        let product = z0 & class | z1 & class << 1 | z2 & class << 2 | z3 & class << 3;
        let nibble = |i: usize| u128::from(x & self.nibble[i]) << i;
        product ^ nibble(0) ^ nibble(1) ^ nibble(2) ^ nibble(3)
    }
}

/// The product divided by y^128, as derived at the head of the crate.
#[inline(always)]
fn reduce(low: u128, high: u128) -> [u64; 2] {
    let [w0, mut w1] = [low as u64, (low >> 64) as u64];
    let [mut w2, mut w3] = [high as u64, (high >> 64) as u64];
    w1 ^= w0 << 57 ^ w0 << 62 ^ w0 << 63;
    w2 ^= w0 ^ w0 >> 1 ^ w0 >> 2 ^ w0 >> 7;
    w2 ^= w1 << 57 ^ w1 << 62 ^ w1 << 63;
    w3 ^= w1 ^ w1 >> 1 ^ w1 >> 2 ^ w1 >> 7;
    [w2, w3]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive(x: u64, h: u64) -> u128 {
        (0..64).fold(0, |z, i| z ^ u128::from(h >> i & 1).wrapping_neg() & u128::from(x) << i)
    }

    /// All ones make every hole as full as it can be.
    #[test]
    fn holes_do_not_overflow() {
        for (x, h) in [(u64::MAX, u64::MAX), (CLASS, CLASS), (CLASS << 3, CLASS), (1, 15)] {
            assert_eq!(Factor::new(h).times(x), naive(x, h));
            assert_eq!(Factor::new(x).times(h), naive(x, h));
        }
    }

    proptest::proptest! {
        #[test]
        fn product_is_carry_less(x: u64, h: u64) {
            proptest::prop_assert_eq!(Factor::new(h).times(x), naive(x, h));
        }
    }
}
