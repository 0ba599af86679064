//! Sets of four blocks of Salsa20 and ChaCha20 on NEON, 64-bit ARM: [`neon`](crate::neon).
//!
//! Constant time: yes.
//!
//! NEON is a feature of the target here, as the `mod` line says, so no function names it: those that do
//! cannot be inlined always.
//!
//! A rotation is SHL and SRI, or a permutation of bytes where the distance is a multiple of eight. The
//! input is added when the words of a block are together again: four registers for a set instead of 16.

use crate::neon::{Input, SET};
use cinder_block::Depth;
pub(crate) use cinder_cpu::aarch64::Neon;
use core::arch::aarch64::*;

#[inline(always)]
pub(crate) fn chacha20_set(_: Neon, input: &Input, set: &mut [u8; SET]) -> Depth {
    chacha20(input, set)
}

#[inline(always)]
pub(crate) fn salsa20_set<const ROUNDS: usize>(
    _: Neon,
    input: &Input,
    set: &mut [u8; SET],
) -> Depth {
    salsa20::<ROUNDS>(input, set)
}

/// A word of the four blocks' states.
type Words = uint32x4_t;

#[inline(always)]
fn rotate<const LEFT: i32, const RIGHT: i32>(x: Words) -> Words {
    // SAFETY: the target has NEON, and no access is outside of what is referred to.
    unsafe { vsriq_n_u32::<RIGHT>(vshlq_n_u32::<LEFT>(x), x) }
}

#[inline(always)]
fn rotate_16(x: Words) -> Words {
    // SAFETY: the target has NEON, and no access is outside of what is referred to.
    unsafe { vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(x))) }
}

#[inline(always)]
fn rotate_8(x: Words, places: uint8x16_t) -> Words {
    // SAFETY: the target has NEON, and no access is outside of what is referred to.
    unsafe { vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(x), places)) }
}

#[inline(always)]
fn row(words: &[u32; 4]) -> uint32x4_t {
    // SAFETY: the target has NEON, and no access is outside of what is referred to.
    unsafe { vld1q_u32(words.as_ptr()) }
}

/// The 16 words of the four states; the numbers are in row `ROW`.
#[inline(always)]
fn load<const ROW: usize>(input: &Input) -> [Words; 16] {
    // SAFETY: the target has NEON, and no access is outside of what is referred to.
    unsafe {
        let mut x = [vdupq_n_u32(0); 16];
        for (i, (x, word)) in x.iter_mut().zip(&input.state).enumerate() {
            *x = vdupq_n_u32(*word);
            let at = i.wrapping_sub(4 * ROW);
            if at < 2 {
                *x = row(&[
                    input.rows[0][at],
                    input.rows[1][at],
                    input.rows[2][at],
                    input.rows[3][at],
                ]);
            }
        }
        x
    }
}

/// Adds the input and XORs the set.
#[inline(always)]
fn finish<const ROW: usize>(x: &[Words; 16], input: &Input, set: &mut [u8; SET]) {
    // SAFETY: the target has NEON, and no access is outside of what is referred to.
    unsafe {
        let pairs = vreinterpretq_u64_u32;
        let words = vreinterpretq_u32_u64;
        for (k, [a, b, c, d]) in x.as_chunks::<4>().0.iter().enumerate() {
            let (ab, cd) = (pairs(vtrn1q_u32(*a, *b)), pairs(vtrn1q_u32(*c, *d)));
            let (first, third) = (vtrn1q_u64(ab, cd), vtrn2q_u64(ab, cd));
            let (ab, cd) = (pairs(vtrn2q_u32(*a, *b)), pairs(vtrn2q_u32(*c, *d)));
            let (second, fourth) = (vtrn1q_u64(ab, cd), vtrn2q_u64(ab, cd));
            // By reference: an iterator would move the registers through frames of its own.
            for (block, keystream) in [first, second, third, fourth].iter().enumerate() {
                let input =
                    if k == ROW { &input.rows[block] } else { &input.state.as_chunks().0[k] };
                let sum = vreinterpretq_u8_u32(vaddq_u32(words(*keystream), row(input)));
                let at = 64 * block + 16 * k;
                let data = set.as_mut_ptr().add(at);
                vst1q_u8(data, veorq_u8(vld1q_u8(data), sum));
            }
        }
    }
}

/// RFC 8439, section 2.1, on the four columns or diagonals.
#[inline(always)]
fn quarter_rounds(x: &mut [Words; 16], of: [[usize; 4]; 4], by_8: uint8x16_t) {
    // SAFETY: the target has NEON, and no access is outside of what is referred to.
    unsafe {
        for [a, b, _, d] in of {
            x[a] = vaddq_u32(x[a], x[b]);
            x[d] = rotate_16(veorq_u32(x[d], x[a]));
        }
        for [_, b, c, d] in of {
            x[c] = vaddq_u32(x[c], x[d]);
            x[b] = rotate::<12, 20>(veorq_u32(x[b], x[c]));
        }
        for [a, b, _, d] in of {
            x[a] = vaddq_u32(x[a], x[b]);
            x[d] = rotate_8(veorq_u32(x[d], x[a]), by_8);
        }
        for [_, b, c, d] in of {
            x[c] = vaddq_u32(x[c], x[d]);
            x[b] = rotate::<7, 25>(veorq_u32(x[b], x[c]));
        }
    }
}

#[inline(never)]
fn chacha20(input: &Input, set: &mut [u8; SET]) -> Depth {
    // SAFETY: the target has NEON, and no access is outside of what is referred to.
    unsafe {
        static BY_8: [u8; 16] = [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14];
        let by_8 = vld1q_u8(BY_8.as_ptr());
        let mut x = load::<3>(input);
        for _ in 0..10 {
            quarter_rounds(
                &mut x,
                [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]],
                by_8,
            );
            quarter_rounds(
                &mut x,
                [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]],
                by_8,
            );
        }
        finish::<3>(&x, input, set);
    }
    Depth::here()
}

/// The specification's section 3, four times side by side.
#[inline(always)]
fn quarterrounds(x: &mut [Words; 16], of: [[usize; 4]; 4]) {
    // SAFETY: the target has NEON, and no access is outside of what is referred to.
    unsafe {
        for [a, b, _, d] in of {
            x[b] = veorq_u32(x[b], rotate::<7, 25>(vaddq_u32(x[a], x[d])));
        }
        for [a, b, c, _] in of {
            x[c] = veorq_u32(x[c], rotate::<9, 23>(vaddq_u32(x[b], x[a])));
        }
        for [_, b, c, d] in of {
            x[d] = veorq_u32(x[d], rotate::<13, 19>(vaddq_u32(x[c], x[b])));
        }
        for [a, _, c, d] in of {
            x[a] = veorq_u32(x[a], rotate::<18, 14>(vaddq_u32(x[d], x[c])));
        }
    }
}

#[inline(never)]
fn salsa20<const ROUNDS: usize>(input: &Input, set: &mut [u8; SET]) -> Depth {
    let mut x = load::<2>(input);
    for _ in 0..ROUNDS / 2 {
        // Section 6: the columnround.
        quarterrounds(&mut x, [[0, 4, 8, 12], [5, 9, 13, 1], [10, 14, 2, 6], [15, 3, 7, 11]]);
        // Section 5: the rowround.
        quarterrounds(&mut x, [[0, 1, 2, 3], [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]]);
    }
    finish::<2>(&x, input, set);
    Depth::here()
}
