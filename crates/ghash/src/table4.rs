//! GHASH (SP 800-38D, section 6.4) by a table of 16 multiples of H, on 64-bit words.
//!
//! Constant time: **no**. Table indices are bits of Y ⊕ X, and the cache sees them. It is the
//! baseline that the other kernels are measured by, and is used only where a caller asks for it.
//!
//! Y·H by Horner's rule over the 32 nibbles of Y, from the highest powers of x down, with
//! M(n) = n·H for a nibble n, whose highest bit is the lowest power:
//!
//! ```text
//! Z = M(n_31);  for i = 30 … 0:  Z = Z·x^4 + M(n_i)
//! ```
//!
//! Z·x^4 is a shift to the right by four bits. The four that fall off are coefficients of x^128
//! to x^131, and come back in as [`REMAINDERS`].

use crate::{Depth, load, store};

/// REMAINDERS[n] is n·x^4 modulo g for a nibble n at the high end of a block: the 16 high bits of
/// it, all others being zero.
static REMAINDERS: [u16; 16] = remainders();

const fn remainders() -> [u16; 16] {
    let mut table = [0; 16];
    let mut n = 0;
    while n < 16 {
        // The lowest four bits of a 128-bit integer, shifted out one by one.
        let mut z = n as u128;
        let mut i = 0;
        while i < 4 {
            z = times_x(z);
            i += 1;
        }
        table[n] = (z >> 112) as u16;
        n += 1;
    }
    table
}

/// z · x: the coefficient of x^127 falls off and becomes x^7 + x^2 + x + 1, which is 0xe1 in the
/// first byte.
const fn times_x(z: u128) -> u128 {
    z >> 1 ^ 0xe1 << 120 & (z & 1).wrapping_neg()
}

/// Fills the table by shifting: H is at index 8 (a nibble that is x^0), H·x at 4, H·x^2 at 2, H·x^3
/// at 1; the others are sums of those.
#[inline(never)]
pub(crate) fn expand(h: &[u8; 16], table: &mut [[u64; 2]; 16]) -> Depth {
    let mut power = u128::from_be_bytes(*h);
    table[0] = [0; 2];
    for i in [8, 4, 2, 1] {
        table[i] = [power as u64, (power >> 64) as u64];
        power = times_x(power);
    }
    for i in [2, 4, 8] {
        for j in 1..i {
            table[i + j] = [table[i][0] ^ table[j][0], table[i][1] ^ table[j][1]];
        }
    }
    Depth::here()
}

#[inline(never)]
pub(crate) fn update(table: &[[u64; 2]; 16], y: &mut [u8; 16], blocks: &[[u8; 16]]) -> Depth {
    let mut z = load(y);
    for block in blocks {
        let x = load(block);
        z = multiply(table, [z[0] ^ x[0], z[1] ^ x[1]]);
    }
    store(z, y);
    Depth::here()
}

#[inline(always)]
fn multiply(table: &[[u64; 2]; 16], y: [u64; 2]) -> [u64; 2] {
    // The first nibble has nothing to shift: its round is peeled off.
    let [mut low, mut high] = table[(y[0] & 15) as usize];
    let mut step = |nibble: u64| {
        let [l, h] = table[(nibble & 15) as usize];
        let remainder = u64::from(REMAINDERS[(low & 15) as usize]) << 48;
        low = (low >> 4 | high << 60) ^ l;
        high = high >> 4 ^ remainder ^ h;
    };
    for i in 1..16 {
        step(y[0] >> (4 * i));
    }
    for i in 0..16 {
        step(y[1] >> (4 * i));
    }
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Linear in the nibble, and the entry for x^127 (nibble 1) is x^3 · (x^7 + x^2 + x + 1).
    #[test]
    fn remainders_are_linear() {
        assert_eq!(REMAINDERS[1], 0b0001_1100_0010_0000);
        for a in 0..16 {
            for b in 0..16 {
                assert_eq!(REMAINDERS[a ^ b], REMAINDERS[a] ^ REMAINDERS[b]);
            }
        }
        for i in 0..3 {
            assert_eq!(REMAINDERS[2 << i], REMAINDERS[1 << i] << 1);
        }
    }

    /// The table is linear in its index, and shifting the index shifts the entry.
    #[test]
    fn table_is_linear() {
        let mut table = [[1; 2]; 16];
        cinder_burn::burn(expand(&[0xa5; 16], &mut table));
        let entry = |i: usize| u128::from(table[i][1]) << 64 | u128::from(table[i][0]);
        assert_eq!(entry(8), u128::from_be_bytes([0xa5; 16]));
        for a in 0..16 {
            for b in 0..16 {
                assert_eq!(entry(a ^ b), entry(a) ^ entry(b));
            }
            assert_eq!(entry(a >> 1), if a & 1 == 0 { times_x(entry(a)) } else { entry(a >> 1) });
        }
    }
}
