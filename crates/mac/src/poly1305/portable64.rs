//! Poly1305 on three limbs of 44, 44 and 42 bits, for 64-bit CPUs.
//!
//! Constant time where the CPU multiplies 64 by 64 bits in constant time.
//!
//! A number is x_0 + 2^44·x_1 + 2^88·x_2. What a product has at 2^132 and above comes down with
//! 2^132 = 4·2^130 = 20, so that with s_i = 20·r_i
//!
//! ```text
//! d_0 = h_0·r_0 + h_1·s_2 + h_2·s_1
//! d_1 = h_0·r_1 + h_1·r_0 + h_2·s_2
//! d_2 = h_0·r_2 + h_1·r_1 + h_2·r_0
//! ```
//!
//! r_i has at most 44 bits, s_i less than 49, and h_i, the carried sum and a block, less than 46: a d_i
//! of two blocks is the sum of six products of less than 95 bits, and has less than 98. What is carried
//! out of d_2 has less than 56 bits, and 5 times that fits in 64. So nothing overflows, and the operations
//! wrap: a check for what never happens would be a branch on a secret.

use cinder_block::Depth;

const LOW_44: u64 = (1 << 44) - 1;
const LOW_42: u64 = (1 << 42) - 1;

/// r and r^2: the limbs, and 20 times the last two.
pub(super) struct Key {
    pub(super) r: Power,
    r_2: Power,
}

#[derive(Clone, Copy)]
pub(super) struct Power {
    pub(super) r: [u64; 3],
    s: [u64; 2],
}

/// A number modulo 2^130 - 5, not reduced in full.
pub(super) struct Sum(pub(super) [u64; 3]);

impl Power {
    const ZERO: Self = Power { r: [0; 3], s: [0; 2] };

    #[inline(always)]
    pub(super) fn new(r: [u64; 3]) -> Self {
        Power { r, s: [r[1].wrapping_mul(20), r[2].wrapping_mul(20)] }
    }

    #[inline(always)]
    pub(super) fn times(&self, [h_0, h_1, h_2]: [u64; 3]) -> [u128; 3] {
        let product = |a: u64, b: u64| u128::from(a).wrapping_mul(u128::from(b));
        let sum = |a: u128, b: u128, c: u128| a.wrapping_add(b).wrapping_add(c);
        let (r, [s_1, s_2]) = (&self.r, self.s);
        [
            sum(product(h_0, r[0]), product(h_1, s_2), product(h_2, s_1)),
            sum(product(h_0, r[1]), product(h_1, r[0]), product(h_2, s_2)),
            sum(product(h_0, r[2]), product(h_1, r[1]), product(h_2, r[0])),
        ]
    }
}

impl Key {
    pub(super) const ZERO: Self = Key { r: Power::ZERO, r_2: Power::ZERO };

    pub(super) fn wipe(&mut self) {
        for power in [&mut self.r, &mut self.r_2] {
            cinder_burn::wipe(&mut power.r);
            cinder_burn::wipe(&mut power.s);
        }
    }

    /// From r's two words, of which the bits that RFC 8439, section 2.5, names are cleared.
    #[inline(always)]
    pub(super) fn expand(&mut self, [low, high]: [u64; 2]) {
        let r = limbs([low & 0x0ffffffc0fffffff, high & 0x0ffffffc0ffffffc]);
        self.r = Power::new(r);
        self.r_2 = Power::new(carry(self.r.times(r)));
    }
}

/// 128 bits in limbs.
#[inline(always)]
fn limbs([low, high]: [u64; 2]) -> [u64; 3] {
    [low & LOW_44, (low >> 44 | high << 20) & LOW_44, high >> 24]
}

/// A block in limbs, with `one` behind it, 2^128 or nothing.
#[inline(always)]
fn block(block: &[u8; 16], one: u64) -> [u64; 3] {
    let number = u128::from_le_bytes(*block);
    let [x, y, z] = limbs([number as u64, (number >> 64) as u64]);
    [x, y, z | one << 40]
}

/// The sum of limbs, not carried.
#[inline(always)]
fn plus(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
    [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1]), a[2].wrapping_add(b[2])]
}

/// Limbs of 44, 44 and 42 bits, but for a few bits more in the second.
#[inline(always)]
pub(super) fn carry([d_0, d_1, d_2]: [u128; 3]) -> [u64; 3] {
    let d_1 = d_1.wrapping_add(d_0 >> 44);
    let d_2 = d_2.wrapping_add(d_1 >> 44);
    // 2^130 = 5.
    let x = (d_0 as u64 & LOW_44).wrapping_add(((d_2 >> 42) as u64).wrapping_mul(5));
    [x & LOW_44, (d_1 as u64 & LOW_44).wrapping_add(x >> 44), d_2 as u64 & LOW_42]
}

impl Sum {
    pub(super) const ZERO: Self = Sum([0; 3]);

    pub(super) fn wipe(&mut self) {
        cinder_burn::wipe(&mut self.0);
    }

    /// h = (h + c)·r for each block, with a one behind it. Two at a time:
    /// h = (h + c_1)·r^2 + c_2·r, for one chain of carries.
    #[inline(never)]
    pub(super) fn add(&mut self, key: &Key, blocks: &[[u8; 16]]) -> Depth {
        let (pairs, last) = blocks.as_chunks::<2>();
        let mut h = self.0;
        for [first, second] in pairs {
            let a = key.r_2.times(plus(h, block(first, 1)));
            let b = key.r.times(block(second, 1));
            h = carry([a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1]), a[2].wrapping_add(b[2])]);
        }
        for last in last {
            h = carry(key.r.times(plus(h, block(last, 1))));
        }
        self.0 = h;
        Depth::here()
    }

    /// The same for the last block, which has its one inside.
    #[inline(never)]
    pub(super) fn add_last(&mut self, key: &Key, last: &[u8; 16]) -> Depth {
        self.0 = carry(key.r.times(plus(self.0, block(last, 0))));
        Depth::here()
    }

    /// The number in full, plus s modulo 2^128.
    #[inline(always)]
    pub(super) fn tag(&self, s: [u64; 2], tag: &mut [u8; 16]) {
        let wide = |[x, y, z]: [u64; 3]| [x.into(), y.into(), z.into()];
        // Twice, for what the first end-around carry leaves: then it is less than 2^130.
        let [x, y, z] = carry(wide(carry(wide(self.0))));
        // It is 2^130 - 5 or more if there is a carry out of h + 5; the sum is then 5 more, without
        // that carry.
        let out = (x.wrapping_add(5) >> 44).wrapping_add(y) >> 44;
        let out = out.wrapping_add(z) >> 42;
        let h = u128::from(x) | u128::from(y) << 44 | u128::from(z) << 88;
        let h = h.wrapping_add(u128::from(out.wrapping_mul(5)));
        let s = u128::from(s[1]) << 64 | u128::from(s[0]);
        *tag = h.wrapping_add(s).to_le_bytes();
    }
}
