//! The word of the bit slices on x86 and x86-64 with AVX2: a vector of 256 bits. Intel SDM, AVX2.
//!
//! Eight groups of 32 bits: 256 blocks in a batch.
//!
//! Constant time: yes.
//!
//! The operators are always inlined, because a vector of 256 bits is slow to pass to a function
//! that is not compiled for AVX2.
//!
//! Only [`crypt`] makes words of this type, and it asks for the token.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::bitsliced::{self, Word};
use super::keys::RoundKey;
use crate::Depth;
use core::array;

/// Eight groups.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256i);

impl Word for Avx2 {
    const GROUPS: usize = 8;

    #[inline(always)]
    fn and(&self, y: &Self) -> Self {
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        Avx2(unsafe { _mm256_and_si256(self.0, y.0) })
    }

    #[inline(always)]
    fn or(&self, y: &Self) -> Self {
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        Avx2(unsafe { _mm256_or_si256(self.0, y.0) })
    }

    #[inline(always)]
    fn xor(&self, y: &Self) -> Self {
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        Avx2(unsafe { _mm256_xor_si256(self.0, y.0) })
    }

    #[inline(always)]
    fn and_not(&self, y: &Self) -> Self {
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        Avx2(unsafe { _mm256_andnot_si256(y.0, self.0) })
    }

    #[inline(always)]
    fn not(&self) -> Self {
        self.xor(&Self::splat(u32::MAX))
    }

    #[inline(always)]
    fn splat(bits: u32) -> Self {
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        Avx2(unsafe { _mm256_set1_epi32(bits.cast_signed()) })
    }

    #[inline(always)]
    fn spread(&self, i: usize) -> Self {
        // The bit goes to the top, and from there all the way down.
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        Avx2(unsafe {
            _mm256_srai_epi32::<31>(_mm256_sll_epi32(self.0, _mm_cvtsi32_si128(31 - i as i32)))
        })
    }

    #[inline(always)]
    fn up(&self, n: usize) -> Self {
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        Avx2(unsafe { _mm256_sll_epi32(self.0, _mm_cvtsi32_si128(n as i32)) })
    }

    #[inline(always)]
    fn down(&self, n: usize) -> Self {
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        Avx2(unsafe { _mm256_srl_epi32(self.0, _mm_cvtsi32_si128(n as i32)) })
    }

    #[inline(always)]
    fn load_groups(blocks: &[[u8; 8]]) -> [Self; 2] {
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        unsafe { load_groups(blocks) }
    }
    #[inline(always)]
    fn store_groups(halves: [&Self; 2], blocks: &mut [[u8; 8]]) {
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        unsafe { store_groups(halves, blocks) }
    }
    #[inline(always)]
    fn round(l: &mut [Self; 32], r: &[Self; 32], key: &RoundKey) -> Depth {
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        unsafe { round(l, r, key) }
    }
    #[inline(always)]
    fn apply<const NUMBER: usize>(l: &mut [Self; 32], r: &[Self; 32], key: &[Self; 2]) -> Depth {
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        unsafe { apply::<NUMBER>(l, r, key) }
    }
    #[inline(always)]
    fn load(blocks: &[[u8; 8]], words: &mut [Self; 64]) -> Depth {
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        unsafe { load(blocks, words) }
    }
    #[inline(always)]
    fn store(words: &mut [Self; 64], blocks: &mut [[u8; 8]]) -> Depth {
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        unsafe { store(words, blocks) }
    }
    #[inline(always)]
    fn exchange(w: &mut [Self; 64], stride: usize, low_first: bool, n: usize, mask: u32) -> Depth {
        // SAFETY: only `crypt` makes these words, and its token proves avx2.
        unsafe { exchange(w, stride, low_first, n, mask) }
    }
}

/// [`bitsliced::crypt`] in words of 256 bits.
#[inline(always)]
pub(super) fn crypt(
    _: cinder_cpu::x86::Avx2,
    schedule: &[[RoundKey; 16]],
    decrypt: bool,
    blocks: &mut [[u8; 8]],
) -> Depth {
    // SAFETY: the token proves avx2.
    unsafe { crypt_avx2(schedule, decrypt, blocks) }
}

#[target_feature(enable = "avx2")]
#[inline(never)]
fn crypt_avx2(schedule: &[[RoundKey; 16]], decrypt: bool, blocks: &mut [[u8; 8]]) -> Depth {
    bitsliced::crypt::<Avx2>(schedule, decrypt, blocks)
}

#[target_feature(enable = "avx2")]
#[inline(never)]
fn round(l: &mut [Avx2; 32], r: &[Avx2; 32], key: &RoundKey) -> Depth {
    bitsliced::round(l, r, key)
}

#[target_feature(enable = "avx2")]
#[inline]
fn apply<const NUMBER: usize>(l: &mut [Avx2; 32], r: &[Avx2; 32], key: &[Avx2; 2]) -> Depth {
    bitsliced::apply::<Avx2, NUMBER>(l, r, key)
}

#[target_feature(enable = "avx2")]
#[inline(never)]
fn load(blocks: &[[u8; 8]], words: &mut [Avx2; 64]) -> Depth {
    bitsliced::load(blocks, words)
}

#[target_feature(enable = "avx2")]
#[inline(never)]
fn store(words: &mut [Avx2; 64], blocks: &mut [[u8; 8]]) -> Depth {
    bitsliced::store(words, blocks)
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_groups(blocks: &[[u8; 8]]) -> [Avx2; 2] {
    let [a, b, c, d, e, f, g, h] = array::from_fn(|i| i64::from_le_bytes(blocks[i]));
    let x = _mm256_castsi256_ps(_mm256_set_epi64x(d, c, b, a));
    let y = _mm256_castsi256_ps(_mm256_set_epi64x(h, g, f, e));
    // The groups are the blocks 0, 1, 4, 5, 2, 3, 6, 7.
    [
        Avx2(_mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(x, y))),
        Avx2(_mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(x, y))),
    ]
}

#[target_feature(enable = "avx2")]
#[inline]
fn store_groups(halves: [&Avx2; 2], blocks: &mut [[u8; 8]]) {
    let fours = [
        _mm256_unpacklo_epi32(halves[0].0, halves[1].0),
        _mm256_unpackhi_epi32(halves[0].0, halves[1].0),
    ];
    for (four, blocks) in fours.into_iter().zip(blocks.as_chunks_mut::<4>().0) {
        // SAFETY: the 32 bytes of four blocks may be written at any alignment.
        unsafe { _mm256_storeu_si256(blocks.as_mut_ptr().cast(), four) };
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn exchange(w: &mut [Avx2; 64], stride: usize, low_first: bool, n: usize, mask: u32) -> Depth {
    bitsliced::exchange(w, stride, low_first, n, mask)
}
