//! The key schedule of DES: FIPS 46-3, appendix 1.
//!
//! A round key is two words: six bits for each of S1, S3, S5, S7 in the bytes of the first, from
//! the most significant down, and for S2, S4, S6, S8 in those of the second. Both kernels use
//! this format.
//!
//! Constant time: yes. Bits move by tables of positions, in a fixed order.

use super::tables::{PC1, PC2, SHIFTS};
use crate::Depth;

/// Which word of a round key the S-box `i` + 1 has its bits in, and how far up its sixth bit is.
#[inline(always)]
pub(super) const fn place(i: usize) -> (usize, usize) {
    (i % 2, 24 - 8 * (i / 2))
}

/// A round key.
pub(super) type RoundKey = [u32; 2];

/// The 16 round keys, in the order of encryption or of decryption.
#[inline(never)]
pub(super) fn expand(key: u64, decrypt: bool, keys: &mut [RoundKey; 16]) -> Depth {
    let half = |bits: &[u8]| {
        bits.iter().fold(0, |half, &bit| half << 1 | (key >> (64 - u32::from(bit)) & 1) as u32)
    };
    let (c, d) = PC1.split_at(28);
    let (mut c, mut d) = (half(c), half(d));
    let mut cd = [[0; 16]; 2];
    for (n, shift) in SHIFTS.iter().enumerate() {
        let rotate = |half: u32| (half << shift | half >> (28 - shift)) & 0xfff_ffff;
        (c, d) = (rotate(c), rotate(d));
        let n = if decrypt { 15 - n } else { n };
        (cd[0][n], cd[1][n]) = (c, d);
    }

    // One bit of PC-2 for all sixteen rounds side by side.
    let mut words = [[0; 16]; 2];
    for (i, bits) in PC2.as_chunks::<6>().0.iter().enumerate() {
        let (word, up) = place(i);
        let word = &mut words[word];
        for (b, bit) in bits.iter().enumerate() {
            let (half, down) = ((bit - 1) / 28, 27 - (bit - 1) % 28);
            let half = &cd[usize::from(half)];
            let up = up + 5 - b;
            for (word, half) in word.iter_mut().zip(half) {
                *word |= (half >> down & 1) << up;
            }
        }
    }
    for (n, key) in keys.iter_mut().enumerate() {
        *key = [words[0][n], words[1][n]];
    }
    Depth::here()
}
