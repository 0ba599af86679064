//! Salsa20 on x86-64 with SSE2, AVX2 and AVX-512.
//!
//! A state of 16 words, blocks of 64 bytes of any alignment.
//!
//! Constant time: yes: additions, XORs and rotations by fixed distances; branches on lengths and on
//! the counter.
//!
//! The kernels are one code over [`Lanes`]: a register for each word of the state, in which each
//! 32-bit place belongs to a block. A register takes as long for a part of its places as for all of them.
//! So what does not fill a pass goes through a whole one, and one or two blocks go the portable way,
//! where there is less to wait for.

use crate::salsa20::{BLOCK, portable};
use cinder_block::Depth;
use cinder_cpu::x86::{Avx2, Avx512, Sse2};
use cinder_cpu::x86_lanes::Lanes;
use core::arch::x86_64::{__m128i, __m256i, __m512i};

/// XORs the keystream blocks from number `counter` on into `blocks`, and writes the one after
/// them to `next`. The last block's number is at most 2^64 - 1.
macro_rules! kernel {
    ($name:ident: $token:ty, $vector:ty, $features:literal, $worth:literal) => {
        #[inline(always)]
        pub(crate) fn $name<const ROUNDS: usize>(
            _: $token,
            state: &[u32; 16],
            counter: u64,
            blocks: &mut [[u8; BLOCK]],
            next: Option<&mut [u8; BLOCK]>,
        ) -> Depth {
            #[inline(never)]
            #[target_feature(enable = $features)]
            fn pass<const ROUNDS: usize>(
                state: &[u32; 16],
                counter: u64,
                blocks: &mut [[u8; BLOCK]],
                next: Option<&mut [u8; BLOCK]>,
            ) -> Depth {
                // SAFETY: this function has the target features of its registers.
                unsafe { one_pass::<$vector, ROUNDS>(state, counter, blocks, next) };
                Depth::here()
            }
            in_passes::<ROUNDS, $worth>(
                4 * <$vector>::LANES,
                state,
                counter,
                blocks,
                next,
                // SAFETY: the token proves the features.
                |counter, blocks, next| unsafe { pass::<ROUNDS>(state, counter, blocks, next) },
            )
        }
    };
}

kernel!(sse2: Sse2, __m128i, "sse2", 3);
kernel!(avx2: Avx2, __m256i, "avx2", 3);
kernel!(avx512: Avx512, __m512i, "avx512f,avx512bw,avx512dq,avx512vl", 2);

/// Cuts the blocks, and the one after them, into passes of at most `width`, whose numbers have their
/// upper halves in common. From `WORTH` blocks on a pass is quicker than one block after the other.
#[inline(always)]
fn in_passes<const ROUNDS: usize, const WORTH: usize>(
    width: usize,
    state: &[u32; 16],
    mut counter: u64,
    mut blocks: &mut [[u8; BLOCK]],
    mut next: Option<&mut [u8; BLOCK]>,
    pass: impl Fn(u64, &mut [[u8; BLOCK]], Option<&mut [u8; BLOCK]>) -> Depth,
) -> Depth {
    let mut depth = Depth::here();
    while blocks.len() + usize::from(next.is_some()) >= WORTH {
        // The low half of the number wraps after so many blocks.
        let until_wrap = (1 << 32) - (counter & 0xffff_ffff);
        let most = (width as u64).min(until_wrap) as usize;
        let (now, rest) = blocks.split_at_mut(blocks.len().min(most));
        let now_next = if now.len() < most { next.take() } else { None };
        let count = now.len() as u64;
        depth = depth.max(pass(counter, now, now_next));
        (blocks, counter) = (rest, counter.wrapping_add(count));
    }
    depth.max(portable::<ROUNDS>(state, counter, blocks, next))
}

/// # Safety
///
/// The CPU has the instructions of `V`. There are at most `4 * V::LANES` blocks with `next`.
#[inline(always)]
unsafe fn one_pass<V: Lanes, const ROUNDS: usize>(
    state: &[u32; 16],
    counter: u64,
    blocks: &mut [[u8; BLOCK]],
    next: Option<&mut [u8; BLOCK]>,
) {
    // SAFETY: by the function's contract.
    unsafe {
        let input = input::<V>(state, counter);
        let mut x = input;
        for _ in 0..ROUNDS / 2 {
            // Section 6: the columnround.
            quarterrounds(&mut x, [[0, 4, 8, 12], [5, 9, 13, 1], [10, 14, 2, 6], [15, 3, 7, 11]]);
            // Section 5: the rowround.
            quarterrounds(&mut x, [[0, 1, 2, 3], [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]]);
        }
        for (x, input) in x.iter_mut().zip(&input) {
            *x = x.add32(*input);
        }
        xor(&in_order(&x), blocks, next);
    }
}

/// The state with a counter for each block.
///
/// # Safety
///
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn input<V: Lanes>(state: &[u32; 16], counter: u64) -> [V; 16] {
    // SAFETY: by the function's contract; the four words are as long as a lane.
    unsafe {
        let mut x = [V::splat32(0); 16];
        for (x, word) in x.iter_mut().zip(state) {
            *x = V::splat32(*word);
        }
        // Place i of lane m has block i * LANES + m.
        let lanes = V::LANES as u32;
        let firsts = [0, lanes, 2 * lanes, 3 * lanes];
        let firsts = V::splat(__m128i::load(firsts.as_ptr().cast()));
        let numbers = V::lane_numbers().low_words(V::lane_numbers());
        let numbers = numbers.low_halves(numbers).add32(firsts);
        x[8] = V::splat32(counter as u32).add32(numbers);
        x[9] = V::splat32((counter >> 32) as u32);
        x
    }
}

/// Section 3, four times side by side.
///
/// # Safety
///
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn quarterrounds<V: Lanes>(x: &mut [V; 16], words: [[usize; 4]; 4]) {
    // SAFETY: by the function's contract.
    unsafe {
        for [a, b, _, d] in words {
            x[b] = x[b].xor(x[a].add32(x[d]).rotate32::<7, 25>());
        }
        for [a, b, c, _] in words {
            x[c] = x[c].xor(x[b].add32(x[a]).rotate32::<9, 23>());
        }
        for [_, b, c, d] in words {
            x[d] = x[d].xor(x[c].add32(x[b]).rotate32::<13, 19>());
        }
        for [a, _, c, d] in words {
            x[a] = x[a].xor(x[d].add32(x[c]).rotate32::<18, 14>());
        }
    }
}

/// The words of the blocks in the order of their bytes, `V::LANES` blocks in each four registers.
///
/// # Safety
///
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn in_order<V: Lanes>(x: &[V; 16]) -> [[V; 4]; 4] {
    // SAFETY: by the function's contract.
    unsafe {
        let mut out = [[x[0]; 4]; 4];
        for (quarter, [a, b, c, d]) in x.as_chunks::<4>().0.iter().enumerate() {
            let (ab, cd) = (a.low_words(*b), c.low_words(*d));
            (out[0][quarter], out[1][quarter]) = (ab.low_halves(cd), ab.high_halves(cd));
            let (ab, cd) = (a.high_words(*b), c.high_words(*d));
            (out[2][quarter], out[3][quarter]) = (ab.low_halves(cd), ab.high_halves(cd));
        }
        for quarters in &mut out {
            *quarters = V::transpose_lanes(*quarters);
        }
        out
    }
}

/// XORs the keystream into `blocks`, and writes the block after them to `next`.
///
/// # Safety
///
/// The CPU has the instructions of `V`. There are at most `4 * V::LANES` blocks with `next`.
#[inline(always)]
unsafe fn xor<V: Lanes>(
    keystream: &[[V; 4]; 4],
    blocks: &mut [[u8; BLOCK]],
    next: Option<&mut [u8; BLOCK]>,
) {
    let bytes = blocks.as_flattened_mut();
    let len = bytes.len();
    let data = bytes.as_mut_ptr();
    // SAFETY: by the function's contract. A register lies inside a block, and the blocks in `bytes`.
    unsafe {
        for (i, x) in keystream.as_flattened().iter().enumerate() {
            let at = i * V::WIDTH;
            if at < len {
                V::load(data.add(at)).xor(*x).store(data.add(at));
            }
        }
        if let Some(next) = next {
            for (i, x) in keystream.as_flattened().iter().enumerate() {
                let at = i * V::WIDTH;
                if (len..len + BLOCK).contains(&at) {
                    x.store(next.as_mut_ptr().add(at - len));
                }
            }
        }
    }
}
