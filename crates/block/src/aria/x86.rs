//! ARIA on slices of 16, 32 and 64 blocks, by AES-NI, VAES or GFNI.
//!
//! Constant time: yes. The S-boxes are an instruction for inversion between affine maps, which are
//! shuffles or an instruction too; all else is logic.
//!
//! A register holds one byte of each block. SB1 is AESENCLAST and SB3 AESDECLAST, without another map,
//! and SB2 and SB4 have one on one side. AESENCLAST permutes the blocks of a slice, and AESDECLAST
//! permutes them back, so half of the slices are put in the order of the others: after an odd round
//! all blocks are permuted, and after an even one none.

use super::Aria;
use super::tables::{S1, S2, S3, S4};
use crate::x86_slices::{Sliced, Substitution, sbox, shift_rows, splat_byte_of};
use cinder_cpu::x86_lanes::Lanes;

impl Sliced for Aria {
    const WORTH: usize = 3;
    const WORTH_BY_GFNI: usize = 3;
    const BYTES: bool = true;

    #[inline(always)]
    unsafe fn crypt<S: Substitution>(&self, decrypt: bool, slices: &mut [S::V; 16]) {
        // SAFETY: by the method's contract.
        unsafe { crypt::<S>(self.keys(decrypt), slices) }
    }
}

/// Section 2.3: the same as `Aria::crypt`.
///
/// # Safety
///
/// As for [`Substitution`].
#[inline(always)]
unsafe fn crypt<S: Substitution>(keys: &[[u32; 4]], x: &mut [S::V; 16]) {
    let [keys @ .., last] = keys else { return };
    // SAFETY: by the function's contract.
    unsafe {
        for (i, key) in keys.iter().enumerate() {
            add(x, key);
            if i % 2 == 0 {
                layer_1::<S>(x);
            } else {
                layer_2::<S>(x);
            }
            if i + 1 < keys.len() {
                diffuse(x);
            }
        }
        add(x, last);
    }
}

/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn add<V: Lanes>(x: &mut [V; 16], key: &[u32; 4]) {
    for (i, x) in x.iter_mut().enumerate() {
        // SAFETY: by the function's contract.
        *x = unsafe { x.xor(splat_byte_of(key, i)) };
    }
}

/// Section 2.4: SL1. It permutes the blocks as AESENCLAST does, if S-boxes permute.
///
/// # Safety
///
/// As for [`Substitution`].
#[inline(always)]
unsafe fn layer_1<S: Substitution>(x: &mut [S::V; 16]) {
    let (words, _) = x.as_chunks_mut::<4>();
    // SAFETY: by the function's contract.
    unsafe {
        for [a, b, c, d] in words {
            *a = sbox!(S, false, *a, S1);
            *b = sbox!(S, false, *b, S2);
            *c = turn::<S>(sbox!(S, true, *c, S3));
            *d = turn::<S>(sbox!(S, true, *d, S4));
        }
    }
}

/// Section 2.4: SL2. It permutes the blocks back.
///
/// # Safety
///
/// As for [`Substitution`].
#[inline(always)]
unsafe fn layer_2<S: Substitution>(x: &mut [S::V; 16]) {
    let (words, _) = x.as_chunks_mut::<4>();
    // SAFETY: by the function's contract.
    unsafe {
        for [a, b, c, d] in words {
            *a = sbox!(S, true, *a, S3);
            *b = sbox!(S, true, *b, S4);
            *c = turn::<S>(sbox!(S, false, *c, S1));
            *d = turn::<S>(sbox!(S, false, *d, S2));
        }
    }
}

/// From the order in which the one instruction leaves the blocks to that of the other: they are
/// inverse to each other, and four times either is the order at first.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn turn<S: Substitution>(x: S::V) -> S::V {
    // SAFETY: by the function's contract.
    if S::PERMUTES { unsafe { shift_rows::<_, 2>(x) } } else { x }
}

/// Section 2.4: A, as M ∘ P ∘ M ∘ J; see [`diffuse`](super::diffuse) of the portable kernel.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn diffuse<V: Lanes>(x: &mut [V; 16]) {
    // SAFETY: by the function's contract.
    unsafe {
        for i in [0, 4, 8, 12] {
            [x[i], x[i + 1], x[i + 2], x[i + 3]] =
                sums_of_three([x[i], x[i + 1], x[i + 2], x[i + 3]]);
        }
        mix(x);
        x.swap(4, 5);
        x.swap(6, 7);
        x.swap(8, 10);
        x.swap(9, 11);
        x.swap(12, 15);
        x.swap(13, 14);
        mix(x);
    }
}

/// M, for each byte of a word.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn mix<V: Lanes>(x: &mut [V; 16]) {
    for i in 0..4 {
        // The sums without the last one, the second, the third, and the first.
        // SAFETY: by the function's contract.
        [x[12 + i], x[4 + i], x[8 + i], x[i]] =
            unsafe { sums_of_three([x[i], x[4 + i], x[8 + i], x[12 + i]]) };
    }
}

/// The sum of the other three, for each.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn sums_of_three<V: Lanes>([a, b, c, d]: [V; 4]) -> [V; 4] {
    // SAFETY: by the function's contract.
    unsafe {
        let (ab, cd) = (a.xor(b), c.xor(d));
        [b.xor(cd), a.xor(cd), ab.xor(d), ab.xor(c)]
    }
}
