//! The word of the bit slices on 64-bit ARM: a vector of 128 bits. Arm ARM, Advanced SIMD.
//!
//! Four groups of 32 bits: 128 blocks in a batch.
//!
//! Constant time: yes.
//!
//! NEON is a feature of the target here, as the `mod` line says.

use super::bitsliced::{self, Word};
use super::keys::RoundKey;
use crate::Depth;
use core::arch::aarch64::*;

/// Four groups.
#[derive(Clone, Copy)]
pub(super) struct Neon(uint32x4_t);

impl Word for Neon {
    const GROUPS: usize = 4;

    #[inline]
    fn and(&self, y: &Self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vandq_u32(self.0, y.0) })
    }

    #[inline]
    fn or(&self, y: &Self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vorrq_u32(self.0, y.0) })
    }

    #[inline]
    fn xor(&self, y: &Self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { veorq_u32(self.0, y.0) })
    }

    #[inline]
    fn and_not(&self, y: &Self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vbicq_u32(self.0, y.0) })
    }

    #[inline]
    fn not(&self) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vmvnq_u32(self.0) })
    }

    #[inline]
    fn splat(bits: u32) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vdupq_n_u32(bits) })
    }

    #[inline]
    fn spread(&self, i: usize) -> Self {
        // The bit goes to the top, and from there all the way down.
        // SAFETY: the target has NEON.
        Neon(unsafe {
            let top = vshlq_u32(self.0, vdupq_n_s32(31 - i as i32));
            vreinterpretq_u32_s32(vshrq_n_s32::<31>(vreinterpretq_s32_u32(top)))
        })
    }

    #[inline]
    fn up(&self, n: usize) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vshlq_u32(self.0, vdupq_n_s32(n as i32)) })
    }

    #[inline]
    fn down(&self, n: usize) -> Self {
        // SAFETY: the target has NEON.
        Neon(unsafe { vshlq_u32(self.0, vdupq_n_s32(-(n as i32))) })
    }

    #[inline]
    fn load_groups(blocks: &[[u8; 8]]) -> [Self; 2] {
        let bytes = blocks[..4].as_flattened();
        // SAFETY: the target has NEON, and the 32 bytes of four blocks may be read.
        let halves = unsafe { vld2q_u32(bytes.as_ptr().cast()) };
        [Neon(halves.0), Neon(halves.1)]
    }

    #[inline]
    fn store_groups(halves: [&Self; 2], blocks: &mut [[u8; 8]]) {
        let bytes = blocks[..4].as_flattened_mut();
        // SAFETY: the target has NEON, and the 32 bytes of four blocks may be written.
        unsafe { vst2q_u32(bytes.as_mut_ptr().cast(), uint32x4x2_t(halves[0].0, halves[1].0)) };
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
