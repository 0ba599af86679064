//! Camellia on slices of 16, 32 and 64 blocks, by AES-NI, VAES or GFNI.
//!
//! Constant time: yes. The S-boxes are an instruction for inversion between affine maps, which are
//! shuffles or an instruction too; all else is logic.
//!
//! A register holds one byte of each block. AESENCLAST permutes the blocks of a slice, and
//! AESDECLAST permutes them back. So the right half's slices are kept permuted: a round that adds F
//! of the left half to it takes AESENCLAST, the next one, back, AESDECLAST, and nothing is put in
//! order before the end.

use super::Camellia;
use super::tables::{S1, S2, S3, S4};
use crate::x86_slices::{Sliced, Substitution, sbox, shift_rows, splat_byte_of};
use cinder_cpu::x86_lanes::Lanes;

impl Sliced for Camellia {
    const WORTH: usize = 9;
    const WORTH_BY_GFNI: usize = 5;
    const BYTES: bool = true;

    #[inline(always)]
    unsafe fn crypt<S: Substitution>(&self, decrypt: bool, slices: &mut [S::V; 16]) {
        // SAFETY: by the method's contract.
        unsafe { crypt::<S>(self, decrypt, slices) }
    }
}

/// The S-boxes on eight slices of a half, those of x1 to x8.
///
/// # Safety
///
/// As for [`Substitution`].
#[inline(always)]
unsafe fn substitute<S: Substitution, const BACK: bool>(x: &mut [S::V; 8]) {
    // SAFETY: by the function's contract.
    unsafe {
        for i in [0, 7] {
            x[i] = sbox!(S, BACK, x[i], S1);
        }
        for i in [1, 4] {
            x[i] = sbox!(S, BACK, x[i], S2);
        }
        for i in [2, 5] {
            x[i] = sbox!(S, BACK, x[i], S3);
        }
        for i in [3, 6] {
            x[i] = sbox!(S, BACK, x[i], S4);
        }
    }
}

/// Section 2.4.1: the P-function. With t1 to t8 for the results of the S-boxes, a1 = t1 ⊕ t6 and so
/// on, and b5 = t5 ⊕ a3 and so on, y5 = a1 ⊕ b8 and so on, and y1 = b5 ⊕ y8 and so on. The sums take
/// the places of their first terms, and y1 to y4 come out after y5 to y8.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn permute<V: Lanes>(t: &mut [V; 8]) {
    // SAFETY: by the function's contract.
    unsafe {
        for i in 0..4 {
            t[i] = t[i].xor(t[4 + (i + 1) % 4]);
        }
        for i in 0..4 {
            t[4 + i] = t[4 + i].xor(t[(i + 2) % 4]);
        }
        for i in 0..4 {
            t[i] = t[i].xor(t[4 + (i + 3) % 4]);
        }
        for i in 0..4 {
            t[4 + i] = t[4 + i].xor(t[(i + 3) % 4]);
        }
    }
}

/// Subkeys of 64 bits, two at a time: bytes 0 to 7 are the one for the left half.
#[derive(Clone, Copy)]
struct Subkeys<'a> {
    words: &'a [u32; 4],
    swapped: bool,
}

impl Subkeys<'_> {
    /// Byte `i` of a half's subkey, everywhere.
    #[inline(always)]
    unsafe fn byte<V: Lanes>(self, right: bool, i: usize) -> V {
        // SAFETY: a half has eight bytes; then by the contract of `Lanes`.
        unsafe { splat_byte_of(self.words, 8 * usize::from(right != self.swapped) + i) }
    }

    #[inline(always)]
    unsafe fn add<V: Lanes>(self, right: bool, half: &mut [V; 8]) {
        for (i, x) in half.iter_mut().enumerate() {
            // SAFETY: by the contract of `Lanes`.
            *x = unsafe { x.xor(self.byte(right, i)) };
        }
    }

    #[inline(always)]
    unsafe fn add_both<V: Lanes>(self, halves: [&mut [V; 8]; 2]) {
        for (i, half) in halves.into_iter().enumerate() {
            // SAFETY: by the contract of `Lanes`.
            unsafe { self.add(i == 1, half) };
        }
    }
}

/// Section 2.3: the same as `Camellia::encrypt` and `Camellia::decrypt`.
///
/// # Safety
///
/// As for [`Substitution`].
#[inline(always)]
unsafe fn crypt<S: Substitution>(key: &Camellia, decrypt: bool, slices: &mut [S::V; 16]) {
    let ([left, right], _) = slices.as_chunks_mut::<8>() else { return };
    let subkeys = |words| Subkeys { words, swapped: decrypt };
    // The subkeys of the ends are each for one end or the other, and are not swapped.
    let [first, last] = key.kw.each_ref().map(|words| Subkeys { words, swapped: false });
    let (first, last) = if decrypt { (last, first) } else { (first, last) };
    // SAFETY: by the function's contract.
    unsafe {
        if S::PERMUTES {
            for x in &mut *right {
                *x = shift_rows::<_, 1>(*x);
            }
        }
        first.add_both([left, right]);
        for n in 0..key.groups {
            let i = if decrypt { key.groups - 1 - n } else { n };
            let between = if decrypt { i } else { i.wrapping_sub(1) };
            let (Some(steps), ke) = (key.steps.get(i), key.ke.get(between)) else { return };
            if n > 0
                && let Some(ke) = ke
            {
                fl(left, false, subkeys(ke));
                fl_inverse(right, true, subkeys(ke));
            }
            let step = |j: usize| subkeys(&steps[if decrypt { 3 - j } else { j }]);
            step(0).add_both([left, right]);
            for j in 1..4 {
                round::<S, false>(right, left);
                step(j).add(false, left);
                round::<S, true>(left, right);
                step(j).add(true, right);
            }
        }
        last.add_both([right, left]);
        if S::PERMUTES {
            for x in &mut *right {
                *x = shift_rows::<_, 3>(*x);
            }
        }
    }
    core::mem::swap(left, right);
}

/// Adds F of `from`, which has its subkey in it.
///
/// # Safety
///
/// As for [`Substitution`].
#[inline(always)]
unsafe fn round<S: Substitution, const BACK: bool>(to: &mut [S::V; 8], from: &[S::V; 8]) {
    let mut t = *from;
    // SAFETY: by the function's contract.
    unsafe {
        substitute::<S, BACK>(&mut t);
        permute(&mut t);
        for (i, to) in to.iter_mut().enumerate() {
            *to = to.xor(t[(i + 4) % 8]);
        }
    }
}

/// Section 2.4.2: the FL-function.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn fl<V: Lanes>(x: &mut [V; 8], right: bool, key: Subkeys<'_>) {
    // SAFETY: by the function's contract.
    unsafe {
        add_rotated(x, right, key);
        add_or(x, right, key);
    }
}

/// Section 2.4.3: the FLINV-function.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn fl_inverse<V: Lanes>(x: &mut [V; 8], right: bool, key: Subkeys<'_>) {
    // SAFETY: by the function's contract.
    unsafe {
        add_or(x, right, key);
        add_rotated(x, right, key);
    }
}

/// x2 ⊕ ((x1 ∧ k1) <<< 1), of words whose first byte is the most significant.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn add_rotated<V: Lanes>(x: &mut [V; 8], right: bool, key: Subkeys<'_>) {
    // SAFETY: by the function's contract.
    unsafe {
        let mut masked = [x[0]; 4];
        for (i, masked) in masked.iter_mut().enumerate() {
            *masked = x[i].and(key.byte(right, i));
        }
        for i in 0..4 {
            let doubled = masked[i].add8(masked[i]);
            x[4 + i] = x[4 + i].xor(doubled).xor(masked[(i + 1) % 4].top_bits());
        }
    }
}

/// x1 ⊕ (x2 ∨ k2).
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn add_or<V: Lanes>(x: &mut [V; 8], right: bool, key: Subkeys<'_>) {
    for i in 0..4 {
        // SAFETY: by the function's contract.
        x[i] = unsafe { x[i].xor(x[4 + i].or(key.byte(right, 4 + i))) };
    }
}
