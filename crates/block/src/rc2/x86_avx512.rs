//! RC2 with AVX-512 on x86-64.
//!
//! Subkeys are words; blocks are byte arrays of any alignment.
//!
//! Constant time: yes. The 64 subkeys fill two registers, and one instruction (`vpermi2w`) takes a word of
//! them for each place by the six lowest bits of an index.
//!
//! The portable rounds, compiled for 32 lanes of each vector: 64 blocks in two vectors each, 32 in one,
//! and one block on general registers but for the mashing rounds.

use super::{decrypt, encrypt};
use crate::Depth;
use crate::lanes::each_width;
use cinder_cpu::x86::Avx512;
use core::arch::x86_64::*;

/// From this many blocks on, a padded vector is quicker than one after the other.
const WORTH: usize = 3;

#[inline(always)]
pub(super) fn crypt_blocks<const DECRYPT: bool>(
    _: Avx512,
    k: &[u16; 64],
    blocks: &mut [[u8; 8]],
    one: impl Fn(&mut [u8; 8]) -> Depth,
) -> Depth {
    // SAFETY: the token proves avx512f, avx512bw and avx512vl.
    let wide = |blocks: &mut _| unsafe { crypt_wide::<DECRYPT, 64>(k, blocks) };
    // SAFETY: the token proves avx512f, avx512bw and avx512vl.
    let vector = |blocks: &mut _| unsafe { crypt_wide::<DECRYPT, 32>(k, blocks) };
    each_width::<64, 32, WORTH>(blocks, wide, vector, one)
}

#[inline(always)]
pub(super) fn crypt_block<const DECRYPT: bool>(
    _: Avx512,
    k: &[u16; 64],
    block: u64,
) -> (u64, Depth) {
    // SAFETY: the token proves avx512f, avx512bw and avx512vl.
    unsafe { crypt_one::<DECRYPT>(k, block) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn crypt_wide<const DECRYPT: bool, const L: usize>(
    k: &[u16; 64],
    blocks: &mut [[u8; 8]; L],
) -> Depth {
    let look_up = |index: &[u16; L]| {
        let mut found = [0; L];
        let [low, high] = table(k);
        for (found, index) in found.as_chunks_mut::<32>().0.iter_mut().zip(index.as_chunks().0) {
            let index = load(index);
            // SAFETY: an array is as long as a register.
            unsafe {
                let words = _mm512_permutex2var_epi16(low, index, high);
                _mm512_storeu_si512(found.as_mut_ptr().cast(), words);
            }
        }
        found
    };
    if DECRYPT {
        decrypt(k, blocks, |r| super::mash_back(r, look_up));
    } else {
        encrypt(k, blocks, |r| super::mash(r, look_up));
    }
    Depth::here()
}

/// One look-up waits for the last one. So the words stay in vector registers from one to the next.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn crypt_one<const DECRYPT: bool>(k: &[u16; 64], block: u64) -> (u64, Depth) {
    let [low, high] = table(k);
    let vector = |word: u16| _mm_cvtsi32_si128(word.into());
    let word = |vector: __m128i| _mm_cvtsi128_si32(vector) as u16;
    let look_up = |index: __m128i| {
        let words = _mm512_permutex2var_epi16(low, _mm512_castsi128_si512(index), high);
        _mm512_castsi512_si128(words)
    };
    let mut blocks = [block.to_le_bytes()];
    if DECRYPT {
        decrypt(k, &mut blocks, |r| {
            for i in (0..4).rev() {
                let found = look_up(vector(r[(i + 3) % 4][0]));
                r[i][0] = word(_mm_sub_epi16(vector(r[i][0]), found));
            }
        });
    } else {
        encrypt(k, &mut blocks, |r| {
            let mut last = vector(r[3][0]);
            for r in r {
                last = _mm_add_epi16(vector(r[0]), look_up(last));
                r[0] = word(last);
            }
        });
    }
    (u64::from_le_bytes(blocks[0]), Depth::here())
}

/// The subkeys, 0 to 31 and 32 to 63.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn table(k: &[u16; 64]) -> [__m512i; 2] {
    let (halves, _) = k.as_chunks::<32>();
    [load(&halves[0]), load(&halves[1])]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn load(words: &[u16; 32]) -> __m512i {
    // SAFETY: the array is as long as the register.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}
