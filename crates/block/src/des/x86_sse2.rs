//! The word of the bit slices on x86 and x86-64: a vector of 128 bits. Intel SDM, SSE2.
//!
//! Four groups of 32 bits: 128 blocks in a batch.
//!
//! Constant time: yes.
//!
//! Every x86-64 CPU has SSE2, and so has every CPU that Rust's usual targets of 32 bits ask for.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::bitsliced::{self, Word};
use super::keys::RoundKey;
use crate::Depth;

/// Four groups.
#[derive(Clone, Copy)]
pub(super) struct Sse2(__m128i);

impl Word for Sse2 {
    const GROUPS: usize = 4;

    #[inline]
    fn and(&self, y: &Self) -> Self {
        // SAFETY: the target has SSE2.
        Sse2(unsafe { _mm_and_si128(self.0, y.0) })
    }

    #[inline]
    fn or(&self, y: &Self) -> Self {
        // SAFETY: the target has SSE2.
        Sse2(unsafe { _mm_or_si128(self.0, y.0) })
    }

    #[inline]
    fn xor(&self, y: &Self) -> Self {
        // SAFETY: the target has SSE2.
        Sse2(unsafe { _mm_xor_si128(self.0, y.0) })
    }

    #[inline]
    fn and_not(&self, y: &Self) -> Self {
        // SAFETY: the target has SSE2.
        Sse2(unsafe { _mm_andnot_si128(y.0, self.0) })
    }

    #[inline]
    fn not(&self) -> Self {
        self.xor(&Self::splat(u32::MAX))
    }

    #[inline]
    fn splat(bits: u32) -> Self {
        // SAFETY: the target has SSE2.
        Sse2(unsafe { _mm_set1_epi32(bits.cast_signed()) })
    }

    #[inline]
    fn spread(&self, i: usize) -> Self {
        // The bit goes to the top, and from there all the way down.
        // SAFETY: the target has SSE2.
        Sse2(unsafe {
            _mm_srai_epi32::<31>(_mm_sll_epi32(self.0, _mm_cvtsi32_si128(31 - i as i32)))
        })
    }

    #[inline]
    fn up(&self, n: usize) -> Self {
        // SAFETY: the target has SSE2.
        Sse2(unsafe { _mm_sll_epi32(self.0, _mm_cvtsi32_si128(n as i32)) })
    }

    #[inline]
    fn down(&self, n: usize) -> Self {
        // SAFETY: the target has SSE2.
        Sse2(unsafe { _mm_srl_epi32(self.0, _mm_cvtsi32_si128(n as i32)) })
    }

    #[inline]
    fn load_groups(blocks: &[[u8; 8]]) -> [Self; 2] {
        let pair = |i: usize| {
            let [a, b] = [blocks[i], blocks[i + 1]].map(i64::from_le_bytes);
            // SAFETY: the target has SSE2.
            unsafe { _mm_castsi128_ps(_mm_set_epi64x(b, a)) }
        };
        let (x, y) = (pair(0), pair(2));
        // SAFETY: the target has SSE2.
        unsafe {
            [
                Sse2(_mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(x, y))),
                Sse2(_mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(x, y))),
            ]
        }
    }

    #[inline]
    fn store_groups(halves: [&Self; 2], blocks: &mut [[u8; 8]]) {
        // SAFETY: the target has SSE2.
        let pairs = unsafe {
            [
                _mm_unpacklo_epi32(halves[0].0, halves[1].0),
                _mm_unpackhi_epi32(halves[0].0, halves[1].0),
            ]
        };
        for (pair, blocks) in pairs.into_iter().zip(blocks.as_chunks_mut::<2>().0) {
            // SAFETY: the target has SSE2, and the sixteen bytes of two blocks may be written at
            // any alignment.
            unsafe { _mm_storeu_si128(blocks.as_mut_ptr().cast(), pair) };
        }
    }
    #[inline(never)]
    fn round(l: &mut [Self; 32], r: &[Self; 32], key: &RoundKey) -> Depth {
        bitsliced::round(l, r, key)
    }
    #[inline]
    fn apply<const NUMBER: usize>(l: &mut [Self; 32], r: &[Self; 32], key: &[Self; 2]) -> Depth {
        bitsliced::apply::<Self, NUMBER>(l, r, key)
    }
    #[inline(never)]
    fn load(blocks: &[[u8; 8]], words: &mut [Self; 64]) -> Depth {
        bitsliced::load(blocks, words)
    }
    #[inline(never)]
    fn store(words: &mut [Self; 64], blocks: &mut [[u8; 8]]) -> Depth {
        bitsliced::store(words, blocks)
    }
    #[inline]
    fn exchange(w: &mut [Self; 64], stride: usize, low_first: bool, n: usize, mask: u32) -> Depth {
        bitsliced::exchange(w, stride, low_first, n, mask)
    }
}
