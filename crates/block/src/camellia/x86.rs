//! Camellia on slices of 16, 32 and 64 blocks, by AES-NI, VAES or GFNI.
//!
//! Constant time: yes. The S-boxes are an instruction for inversion between affine maps, which are
//! shuffles or an instruction too; all else is logic.
//!
//! A register holds one byte of each block. AESENCLAST permutes the blocks of a slice, and
//! AESDECLAST permutes them back. So the right half's slices are kept permuted: a round that adds F
//! of the left half to it takes AESENCLAST, the next one, back, AESDECLAST, and nothing is put in
//! order before the end.

use super::tables::{S1, S2, S3, S4};
use super::{Camellia, portable};
use crate::Depth;
use crate::inversion::Nibbles;
use crate::x86_slices::{Aes, AesHalves, Inversion, map, shift_rows, splat, transpose};
use cinder_cpu::x86::{AesNi, Avx2, Gfni, Gfni512, Vaes};
use cinder_cpu::x86_lanes::Lanes;
use core::arch::x86_64::*;
use core::marker::PhantomData;

/// The S-boxes on eight slices of a half, those of x1 to x8.
///
/// # Safety
///
/// The methods need the target features of the register and of the instruction.
trait Substitution {
    type V: Lanes;

    /// Whether the S-boxes permute the blocks: there and, with `BACK`, back.
    const PERMUTES: bool;

    unsafe fn substitute<const BACK: bool>(half: &mut [Self::V; 8]);
}

/// Which S-box the bytes x1 to x8 take, of S1 to S4.
const SBOX_OF: [usize; 8] = [0, 1, 2, 3, 1, 2, 3, 0];

static AROUND_SUB_BYTES: [[Nibbles; 2]; 4] =
    [S1.around_sub_bytes(), S2.around_sub_bytes(), S3.around_sub_bytes(), S4.around_sub_bytes()];
static AROUND_INVERSE_SUB_BYTES: [[Nibbles; 2]; 4] = [
    S1.around_inverse_sub_bytes(),
    S2.around_inverse_sub_bytes(),
    S3.around_inverse_sub_bytes(),
    S4.around_inverse_sub_bytes(),
];

impl<I: Inversion> Substitution for I {
    type V = I::V;

    const PERMUTES: bool = true;

    #[inline(always)]
    unsafe fn substitute<const BACK: bool>(half: &mut [I::V; 8]) {
        for (x, sbox) in half.iter_mut().zip(SBOX_OF) {
            // SAFETY: by the trait's contract.
            unsafe {
                if BACK {
                    let [before, after] = &AROUND_INVERSE_SUB_BYTES[sbox];
                    *x = map(I::inverse_sub_bytes(map(*x, before)), after);
                } else {
                    let [before, after] = &AROUND_SUB_BYTES[sbox];
                    *x = map(I::sub_bytes(map(*x, before)), after);
                }
            }
        }
    }
}

/// GFNI, on registers of this type.
struct Galois<V>(PhantomData<V>);

/// A map of slices of a half, or the inverses and a map.
macro_rules! map {
    ($method:ident, $half:expr, $slices:expr, $map:expr) => {{
        const MATRIX: [u8; 16] = $map.matrix();
        for i in $slices {
            $half[i] = $half[i].$method::<{ $map.constant() }>(splat(&MATRIX));
        }
    }};
}

impl<V: Lanes> Substitution for Galois<V> {
    type V = V;

    const PERMUTES: bool = false;

    #[inline(always)]
    unsafe fn substitute<const BACK: bool>(half: &mut [V; 8]) {
        // SAFETY: by the trait's contract.
        unsafe {
            // S2 and S3 begin as S1 does, and S4 ends as it does.
            map!(affine, half, [0, 1, 2, 4, 5, 7], S1.before);
            map!(affine, half, [3, 6], S4.before);
            map!(inverse_affine, half, [0, 3, 6, 7], S1.after);
            map!(inverse_affine, half, [1, 4], S2.after);
            map!(inverse_affine, half, [2, 5], S3.after);
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
        let word = 2 * usize::from(right != self.swapped) + i / 4;
        // SAFETY: the word is one of four, and the byte, whose places are those of a little-endian
        // word, one of its four; then by the contract of `Lanes`.
        unsafe { V::splat_byte(self.words.as_ptr().cast::<u8>().add(4 * word + 3 - i % 4).read()) }
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

/// Section 2.3 on as many blocks as 16 registers hold: the same as `Camellia::encrypt` and
/// `Camellia::decrypt`.
///
/// # Safety
///
/// As for [`Substitution`]; so many blocks may be read and written.
#[inline(always)]
unsafe fn crypt<S: Substitution>(key: &Camellia, decrypt: bool, blocks: *mut u8) {
    // SAFETY: by the function's contract.
    unsafe {
        let mut slices = [S::V::lane_numbers(); 16];
        for (i, x) in slices.iter_mut().enumerate() {
            *x = S::V::load_blocks(blocks, i);
        }
        if const { S::V::LANES == 4 } {
            // A loop, so that an unoptimised build has the transposition in its frame once: it is
            // large there. Narrower registers are too few for a loop.
            for are_slices in [false, true] {
                if are_slices {
                    crypt_slices::<S>(key, decrypt, &mut slices);
                }
                transpose(&mut slices);
            }
        } else {
            transpose(&mut slices);
            crypt_slices::<S>(key, decrypt, &mut slices);
            transpose(&mut slices);
        }
        for (i, x) in slices.iter().enumerate() {
            x.store_blocks(blocks, i);
        }
    }
}

/// # Safety
///
/// As for [`Substitution`].
#[inline(always)]
unsafe fn crypt_slices<S: Substitution>(key: &Camellia, decrypt: bool, slices: &mut [S::V; 16]) {
    let ([left, right], _) = slices.as_chunks_mut::<8>() else { return };
    let subkeys = |words| Subkeys { words, swapped: decrypt };
    // The subkeys of the ends are each for one end or the other, and are not swapped.
    let [first, last] = key.kw.each_ref().map(|words| Subkeys { words, swapped: false });
    let (first, last) = if decrypt { (last, first) } else { (first, last) };
    // SAFETY: by the function's contract.
    unsafe {
        if S::PERMUTES {
            for x in &mut *right {
                *x = shift_rows::<_, false>(*x);
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
                *x = shift_rows::<_, true>(*x);
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
        S::substitute::<BACK>(&mut t);
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

/// A set of blocks, on a kernel and a width. It is one only: over several the compiler would keep
/// what they have in common, which is many vectors, on the stack.
macro_rules! set {
    ($name:ident, $blocks:literal, $substitution:ty, $features:literal) => {
        #[target_feature(enable = $features)]
        #[inline(never)]
        fn $name(key: &Camellia, decrypt: bool, set: &mut [[u8; 16]; $blocks]) -> Depth {
            // SAFETY: the function has the target features, and 16 registers hold the set.
            unsafe { crypt::<$substitution>(key, decrypt, set.as_mut_ptr().cast()) };
            Depth::here()
        }
    };
}

set!(aes_128, 16, Aes<__m128i>, "aes,ssse3,sse4.1");
set!(aes_128_avx2, 16, Aes<__m128i>, "aes,avx2");
set!(aes_256, 32, AesHalves, "aes,avx2");
set!(vaes_256, 32, Aes<__m256i>, "vaes,aes,avx2");
set!(gfni_128, 16, Galois<__m128i>, "gfni,avx2");
set!(gfni_256, 32, Galois<__m256i>, "gfni,avx2");
set!(gfni_512, 64, Galois<__m512i>, "gfni,avx512f,avx512bw,avx512vl");

/// From so many blocks on, a set of sixteen by AES-NI, though not full, is quicker than the tables.
const WORTH: usize = 9;

/// The same by GFNI.
const WORTH_BY_GFNI: usize = 5;

/// Whole sets of `N` blocks; then, from `FROM` blocks on, another one that zeros fill, or what takes
/// fewer.
#[inline(always)]
fn each<const N: usize, const FROM: usize>(
    blocks: &mut [[u8; 16]],
    set: impl Fn(&mut [[u8; 16]; N]) -> Depth,
    fewer: impl Fn(&mut [[u8; 16]]) -> Depth,
) -> Depth {
    let mut depth = Depth::here();
    let (whole, rest) = blocks.as_chunks_mut();
    for whole in whole {
        depth = depth.max(set(whole));
    }
    if rest.len() >= FROM {
        depth.max(padded(rest, set))
    } else if !rest.is_empty() {
        depth.max(fewer(rest))
    } else {
        depth
    }
}

/// Not inlined: the padding is in a frame of its own, so that whole sets do not clear it.
#[inline(never)]
fn padded<const N: usize>(
    blocks: &mut [[u8; 16]],
    set: impl Fn(&mut [[u8; 16]; N]) -> Depth,
) -> Depth {
    let mut padded = [[0; 16]; N];
    padded[..blocks.len()].copy_from_slice(blocks);
    let depth = Depth::here().max(set(&mut padded));
    blocks.copy_from_slice(&padded[..blocks.len()]);
    depth
}

/// Sets of sixteen by AES-NI, and the rest by tables.
#[inline(always)]
fn by_sixteen(
    key: &Camellia,
    decrypt: bool,
    blocks: &mut [[u8; 16]],
    set: impl Fn(&mut [[u8; 16]; 16]) -> Depth,
) -> Depth {
    each::<16, WORTH>(blocks, set, |rest| portable(key, decrypt, rest))
}

#[inline(always)]
pub(super) fn aes_ni(_: AesNi, key: &Camellia, decrypt: bool, blocks: &mut [[u8; 16]]) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    by_sixteen(key, decrypt, blocks, |set| unsafe { aes_128(key, decrypt, set) })
}

#[inline(always)]
pub(super) fn avx2(
    _: (AesNi, Avx2),
    key: &Camellia,
    decrypt: bool,
    blocks: &mut [[u8; 16]],
) -> Depth {
    each::<32, 17>(
        blocks,
        // SAFETY: the tokens prove aes and avx2.
        |set| unsafe { aes_256(key, decrypt, set) },
        // SAFETY: likewise.
        |rest| by_sixteen(key, decrypt, rest, |set| unsafe { aes_128_avx2(key, decrypt, set) }),
    )
}

#[inline(always)]
pub(super) fn vaes(_: Vaes, key: &Camellia, decrypt: bool, blocks: &mut [[u8; 16]]) -> Depth {
    each::<32, 17>(
        blocks,
        // SAFETY: the token proves vaes, aes and avx2.
        |set| unsafe { vaes_256(key, decrypt, set) },
        // SAFETY: likewise.
        |rest| by_sixteen(key, decrypt, rest, |set| unsafe { aes_128_avx2(key, decrypt, set) }),
    )
}

/// Sets of sixteen, and the rest by tables.
#[inline(always)]
fn narrow_gfni(_: Gfni, key: &Camellia, decrypt: bool, blocks: &mut [[u8; 16]]) -> Depth {
    each::<16, WORTH_BY_GFNI>(
        blocks,
        // SAFETY: the token proves gfni and avx2.
        |set| unsafe { gfni_128(key, decrypt, set) },
        |rest| portable(key, decrypt, rest),
    )
}

#[inline(always)]
pub(super) fn gfni(token: Gfni, key: &Camellia, decrypt: bool, blocks: &mut [[u8; 16]]) -> Depth {
    each::<32, 17>(
        blocks,
        // SAFETY: the token proves gfni and avx2.
        |set| unsafe { gfni_256(key, decrypt, set) },
        |rest| narrow_gfni(token, key, decrypt, rest),
    )
}

/// More than sixteen blocks are no slower in a set of 64 than in a smaller one.
#[inline(always)]
pub(super) fn gfni512(
    token: Gfni512,
    key: &Camellia,
    decrypt: bool,
    blocks: &mut [[u8; 16]],
) -> Depth {
    each::<64, 17>(
        blocks,
        // SAFETY: the token proves gfni, and AVX-512 F, BW and VL.
        |set| unsafe { gfni_512(key, decrypt, set) },
        |rest| narrow_gfni(token.into(), key, decrypt, rest),
    )
}
