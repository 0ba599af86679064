//! DES by tables that join the S-boxes with P: for few blocks.
//!
//! Constant time: no, because it looks up tables of 8 KiB at places that depend on key and data.
//!
//! L and R are held rotated left by one bit. Then the six bits that E gives to S2, S4, S6 and S8
//! end where the bytes of R do, and those for S1, S3, S5 and S7 where the bytes of R rotated
//! right by four do: E is one rotation.
//!
//! One block is bound by the way from one R to the next, several by the number of instructions.

use super::keys::RoundKey;
use super::tables::SP;
use crate::Depth;
use core::array;

/// f(R, K). `t` is R rotated right by four, XOR the key's first word; `u` is R, XOR its second.
#[inline(always)]
fn f(t: u32, u: u32) -> u32 {
    let s = |i: usize, bits: u32| SP[i][usize::from(bits as u8)];
    // The S-boxes fill different bits, so that a sum is an XOR. The compiler does not
    // move one into the other: the tree stays a tree, of three levels.
    ((s(0, t >> 24) ^ s(2, t >> 16)) + (s(4, t >> 8) ^ s(6, t)))
        ^ ((s(1, u >> 24) ^ s(3, u >> 16)) + (s(5, u >> 8) ^ s(7, u)))
}

/// The sixteen rounds, on several blocks, and the exchange of the halves after the last.
#[inline(always)]
fn rounds<const N: usize>(key: impl Fn(usize) -> RoundKey, l: &mut [u32; N], r: &mut [u32; N]) {
    let f = |r: u32, k: RoundKey| f(r.rotate_right(4) ^ k[0], r ^ k[1]);
    for n in (0..16).step_by(2) {
        let (k1, k2) = (key(n), key(n + 1));
        for (l, r) in l.iter_mut().zip(r.iter()) {
            *l ^= f(*r, k1);
        }
        for (l, r) in l.iter().zip(r.iter_mut()) {
            *r ^= f(*l, k2);
        }
    }
    for (l, r) in l.iter_mut().zip(r) {
        core::mem::swap(l, r);
    }
}

/// The same on one block. A round XORs the next key into what will be the next R before f(R, K),
/// which is late, so that the wait for the one does not add to the other.
#[inline(always)]
fn rounds_of_one(key: impl Fn(usize) -> RoundKey, l: &mut u32, r: &mut u32) {
    let key = |n: usize| {
        let k = key(n);
        (k[0].rotate_left(4), k[1])
    };
    let k = key(0);
    let (mut t, mut u) = (*r ^ k.0, *r ^ k.1);
    for n in 1..16 {
        let (f, k) = (f(t.rotate_right(4), u), key(n));
        (t, u) = (*l ^ k.0 ^ f, *l ^ k.1 ^ f);
        (*l, *r) = (*r, *l ^ f);
    }
    *l ^= f(t.rotate_right(4), u);
}

/// Exchanges the bits of `a` under the mask `m` shifted up by `n` with those of `b` under `m`.
#[inline(always)]
fn exchange(a: &mut u32, b: &mut u32, n: u32, m: u32) {
    let t = (*a >> n ^ *b) & m;
    *b ^= t;
    *a ^= t << n;
}

/// IP: a block is a matrix of 8 by 8 bits, and IP transposes it, with an order of rows that
/// comes out of which half is exchanged with which.
#[inline(always)]
fn initial(l: &mut u32, r: &mut u32) {
    exchange(l, r, 4, 0x0f0f_0f0f);
    exchange(l, r, 16, 0x0000_ffff);
    exchange(r, l, 2, 0x3333_3333);
    exchange(r, l, 8, 0x00ff_00ff);
    exchange(l, r, 1, 0x5555_5555);
}

/// IP⁻¹: the same exchanges from the last to the first.
#[inline(always)]
fn last(l: &mut u32, r: &mut u32) {
    exchange(l, r, 1, 0x5555_5555);
    exchange(r, l, 8, 0x00ff_00ff);
    exchange(r, l, 2, 0x3333_3333);
    exchange(l, r, 16, 0x0000_ffff);
    exchange(l, r, 4, 0x0f0f_0f0f);
}

/// DES once for each sixteen round keys, on `N` blocks side by side. Where one DES ends and the
/// next begins, IP⁻¹ and IP cancel and the halves stay exchanged.
#[inline(always)]
pub(super) fn crypt<const PASSES: usize, const DECRYPT: bool, const N: usize>(
    schedule: &[[RoundKey; 16]; PASSES],
    blocks: &mut [[u8; 8]; N],
) -> Depth {
    let word = |i: usize, at: usize| u32::from_be_bytes(blocks[i].as_chunks().0[at]);
    let mut l: [u32; N] = array::from_fn(|i| word(i, 0));
    let mut r: [u32; N] = array::from_fn(|i| word(i, 1));
    for (l, r) in l.iter_mut().zip(&mut r) {
        initial(l, r);
        (*l, *r) = (l.rotate_left(1), r.rotate_left(1));
    }

    for pass in 0..PASSES {
        let keys = &schedule[if DECRYPT { PASSES - 1 - pass } else { pass }];
        let key = |n: usize| keys[if DECRYPT { 15 - n } else { n }];
        if let ([l], [r]) = (&mut l[..], &mut r[..]) {
            rounds_of_one(key, l, r);
        } else {
            rounds(key, &mut l, &mut r);
        }
    }

    for (block, (l, r)) in blocks.iter_mut().zip(l.iter().zip(&r)) {
        let (mut l, mut r) = (l.rotate_right(1), r.rotate_right(1));
        last(&mut l, &mut r);
        let (words, _) = block.as_chunks_mut();
        (words[0], words[1]) = (l.to_be_bytes(), r.to_be_bytes());
    }
    Depth::here()
}

#[cfg(test)]
mod tests {
    use super::super::tables::{FP, IP};
    use super::*;

    #[test]
    fn exchanges_are_the_permutations() {
        let permuted = |block: u64, table: &[u8; 64]| {
            table.iter().fold(0, |permuted, &bit| permuted << 1 | block >> (64 - bit) & 1)
        };
        let halves = |block: u64| ((block >> 32) as u32, block as u32);
        for block in (0..64).map(|i| 1u64 << i).chain([0x0123_4567_89ab_cdef]) {
            let (mut l, mut r) = halves(block);
            initial(&mut l, &mut r);
            assert_eq!((l, r), halves(permuted(block, &IP)));
            let (mut l, mut r) = halves(block);
            last(&mut l, &mut r);
            assert_eq!((l, r), halves(permuted(block, &FP)));
        }
    }
}
