//! ChaCha20 with AVX2 and AVX-512 on x86-64: a word of 8 or 16 blocks in each register.
//!
//! State words are native integers; blocks are byte arrays of any alignment.
//!
//! Constant time: yes.
//!
//! The rounds are those of the document, on four columns at a time, so that four chains are under way.
//! Behind them the registers hold words of blocks, and blocks are wanted. Four registers make four
//! others whose lanes of 16 bytes are quarters of blocks,
//!
//! ```text
//! lane j of the r-th one of words 4k to 4k + 3  =  quarter k of block 4j + r,
//! ```
//!
//! and then the lanes change places between the four values of k.
//!
//! The widths differ in the rotations: AVX-512 has them, also for 256 bits.

#![allow(clippy::needless_range_loop, reason = "a lane runs through several registers at once")]

use super::BLOCK;
use cinder_block::Depth;
use cinder_cpu::x86::{Avx2, Avx512};
use core::arch::x86_64::*;

/// A register of 32-bit words.
///
/// # Safety
///
/// Every method needs what the type says.
trait Words: Copy {
    /// Words in a register, and blocks at a time.
    const LANES: usize;

    unsafe fn splat(word: u32) -> Self;
    /// 0, 1, 2, …
    unsafe fn numbers() -> Self;
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn xor(self, other: Self) -> Self;
    unsafe fn rotate_left<const N: i32, const REST: i32>(self) -> Self;
    /// In each lane of 16 bytes the first two words of both, alternating; and the last two.
    unsafe fn unpack_words(self, other: Self) -> [Self; 2];
    /// In each lane the first halves of both; and the last halves.
    unsafe fn unpack_halves(self, other: Self) -> [Self; 2];
    /// XORs the blocks whose quarters these are, for one r, into `LANES` blocks of data: blocks r,
    /// 4 + r, ….
    unsafe fn xor_into(quarters: [Self; 4], data: *mut u8, r: usize);
}

/// 256 bits, AVX2.
#[derive(Clone, Copy)]
struct W256(__m256i);

/// 256 bits, AVX-512 F and VL.
#[derive(Clone, Copy)]
struct W256Vl(__m256i);

/// 512 bits, AVX-512 F.
#[derive(Clone, Copy)]
struct W512(__m512i);

/// What the two types of 256 bits share.
macro_rules! words_256 {
    ($name:ident, |$x:ident, $n:ident, $rest:ident| $rotate:expr) => {
        impl Words for $name {
            const LANES: usize = 8;

            #[inline(always)]
            unsafe fn splat(word: u32) -> Self {
                // SAFETY: by the trait's contract.
                unsafe { $name(_mm256_set1_epi32(word as i32)) }
            }
            #[inline(always)]
            unsafe fn numbers() -> Self {
                // SAFETY: by the trait's contract.
                unsafe { $name(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)) }
            }
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                // SAFETY: by the trait's contract.
                unsafe { $name(_mm256_add_epi32(self.0, other.0)) }
            }
            #[inline(always)]
            unsafe fn xor(self, other: Self) -> Self {
                // SAFETY: by the trait's contract.
                unsafe { $name(_mm256_xor_si256(self.0, other.0)) }
            }
            #[inline(always)]
            unsafe fn rotate_left<const $n: i32, const $rest: i32>(self) -> Self {
                let $x = self.0;
                // SAFETY: by the trait's contract.
                unsafe { $name($rotate) }
            }
            #[inline(always)]
            unsafe fn unpack_words(self, other: Self) -> [Self; 2] {
                let (a, b) = (self.0, other.0);
                // SAFETY: by the trait's contract.
                unsafe { [$name(_mm256_unpacklo_epi32(a, b)), $name(_mm256_unpackhi_epi32(a, b))] }
            }
            #[inline(always)]
            unsafe fn unpack_halves(self, other: Self) -> [Self; 2] {
                let (a, b) = (self.0, other.0);
                // SAFETY: by the trait's contract.
                unsafe { [$name(_mm256_unpacklo_epi64(a, b)), $name(_mm256_unpackhi_epi64(a, b))] }
            }
            #[inline(always)]
            unsafe fn xor_into([a, b, c, d]: [Self; 4], data: *mut u8, r: usize) {
                // SAFETY: by the trait's contract; block 4 + r is one of eight.
                unsafe {
                    let low = data.add(BLOCK * r);
                    write_256(low, _mm256_permute2x128_si256::<0x20>(a.0, b.0));
                    write_256(low.add(32), _mm256_permute2x128_si256::<0x20>(c.0, d.0));
                    let high = data.add(BLOCK * (4 + r));
                    write_256(high, _mm256_permute2x128_si256::<0x31>(a.0, b.0));
                    write_256(high.add(32), _mm256_permute2x128_si256::<0x31>(c.0, d.0));
                }
            }
        }
    };
}

words_256!(W256, |x, N, REST| match N {
    16 => _mm256_shuffle_epi8(x, bytes_left_by_2()),
    8 => _mm256_shuffle_epi8(x, bytes_left_by_1()),
    _ => _mm256_or_si256(_mm256_slli_epi32::<N>(x), _mm256_srli_epi32::<REST>(x)),
});
words_256!(W256Vl, |x, N, REST| _mm256_rol_epi32::<N>(x));

impl Words for W512 {
    const LANES: usize = 16;

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { W512(_mm512_set1_epi32(word as i32)) }
    }
    #[inline(always)]
    unsafe fn numbers() -> Self {
        // SAFETY: by the trait's contract.
        unsafe { W512(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)) }
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { W512(_mm512_add_epi32(self.0, other.0)) }
    }
    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { W512(_mm512_xor_si512(self.0, other.0)) }
    }
    #[inline(always)]
    unsafe fn rotate_left<const N: i32, const REST: i32>(self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { W512(_mm512_rol_epi32::<N>(self.0)) }
    }
    #[inline(always)]
    unsafe fn unpack_words(self, other: Self) -> [Self; 2] {
        let (a, b) = (self.0, other.0);
        // SAFETY: by the trait's contract.
        unsafe { [W512(_mm512_unpacklo_epi32(a, b)), W512(_mm512_unpackhi_epi32(a, b))] }
    }
    #[inline(always)]
    unsafe fn unpack_halves(self, other: Self) -> [Self; 2] {
        let (a, b) = (self.0, other.0);
        // SAFETY: by the trait's contract.
        unsafe { [W512(_mm512_unpacklo_epi64(a, b)), W512(_mm512_unpackhi_epi64(a, b))] }
    }
    #[inline(always)]
    unsafe fn xor_into([a, b, c, d]: [Self; 4], data: *mut u8, r: usize) {
        // SAFETY: by the trait's contract; block 12 + r is one of sixteen.
        unsafe {
            let ab = _mm512_shuffle_i32x4::<0x44>(a.0, b.0);
            let cd = _mm512_shuffle_i32x4::<0x44>(c.0, d.0);
            write_512(data.add(BLOCK * r), _mm512_shuffle_i32x4::<0x88>(ab, cd));
            write_512(data.add(BLOCK * (4 + r)), _mm512_shuffle_i32x4::<0xdd>(ab, cd));
            let ab = _mm512_shuffle_i32x4::<0xee>(a.0, b.0);
            let cd = _mm512_shuffle_i32x4::<0xee>(c.0, d.0);
            write_512(data.add(BLOCK * (8 + r)), _mm512_shuffle_i32x4::<0x88>(ab, cd));
            write_512(data.add(BLOCK * (12 + r)), _mm512_shuffle_i32x4::<0xdd>(ab, cd));
        }
    }
}

/// The shuffle that rotates each word to the left by two bytes.
///
/// # Safety
///
/// Needs AVX2.
#[inline(always)]
unsafe fn bytes_left_by_2() -> __m256i {
    const LANE: [i8; 16] = [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13];
    // SAFETY: by the function's contract.
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(LANE.as_ptr().cast())) }
}

/// By one byte.
///
/// # Safety
///
/// Needs AVX2.
#[inline(always)]
unsafe fn bytes_left_by_1() -> __m256i {
    const LANE: [i8; 16] = [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14];
    // SAFETY: by the function's contract.
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(LANE.as_ptr().cast())) }
}

/// # Safety
///
/// Needs AVX2; the pointer is good for 32 bytes.
#[inline(always)]
unsafe fn write_256(to: *mut u8, x: __m256i) {
    let to = to.cast::<__m256i>();
    // SAFETY: by the function's contract.
    unsafe { _mm256_storeu_si256(to, _mm256_xor_si256(x, _mm256_loadu_si256(to))) }
}

/// # Safety
///
/// Needs AVX-512 F; the pointer is good for 64 bytes.
#[inline(always)]
unsafe fn write_512(to: *mut u8, x: __m512i) {
    let to = to.cast::<__m512i>();
    // SAFETY: by the function's contract.
    unsafe { _mm512_storeu_si512(to, _mm512_xor_si512(x, _mm512_loadu_si512(to))) }
}

/// Four quarter rounds at once: a += b; d = (d ^ a) <<< N.
///
/// # Safety
///
/// As for [`Words`].
#[inline(always)]
unsafe fn step<V: Words, const N: i32, const REST: i32>(
    x: &mut [V; 16],
    [a, b, d]: [[usize; 4]; 3],
) {
    const { assert!(N + REST == 32) };
    for i in 0..4 {
        // SAFETY: by the function's contract.
        unsafe { x[a[i]] = x[a[i]].add(x[b[i]]) };
    }
    for i in 0..4 {
        // SAFETY: by the function's contract.
        unsafe { x[d[i]] = x[d[i]].xor(x[a[i]]).rotate_left::<N, REST>() };
    }
}

/// RFC 8439, section 2.3: four quarter rounds.
///
/// # Safety
///
/// As for [`Words`].
#[inline(always)]
unsafe fn round<V: Words>(x: &mut [V; 16], [a, b, c, d]: [[usize; 4]; 4]) {
    // SAFETY: by the function's contract.
    unsafe {
        step::<V, 16, 16>(x, [a, b, d]);
        step::<V, 12, 20>(x, [c, d, b]);
        step::<V, 8, 24>(x, [a, b, d]);
        step::<V, 7, 25>(x, [c, d, b]);
    }
}

/// XORs `LANES` blocks of keystream into as many blocks of data. The state's counter goes on.
///
/// # Safety
///
/// As for [`Words`]; the pointer is good for `LANES` blocks.
#[inline(always)]
unsafe fn blocks<V: Words>(state: &mut [u32; 16], data: *mut u8) {
    // SAFETY: by the function's contract.
    unsafe {
        let mut x = [V::splat(0); 16];
        for i in 0..16 {
            x[i] = V::splat(state[i]);
        }
        let counter = x[12].add(V::numbers());
        x[12] = counter;
        let rows = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]];
        let diagonals = [[0, 1, 2, 3], [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]];
        for _ in 0..10 {
            round(&mut x, rows);
            round(&mut x, diagonals);
        }
        x[12] = x[12].add(V::numbers());
        for i in 0..16 {
            x[i] = x[i].add(V::splat(state[i]));
        }
        state[12] = state[12].wrapping_add(V::LANES as u32);

        // quarters[k][r]
        let mut quarters = [[x[0]; 4]; 4];
        for k in 0..4 {
            let [a, b] = x[4 * k].unpack_words(x[4 * k + 1]);
            let [c, d] = x[4 * k + 2].unpack_words(x[4 * k + 3]);
            let ([first, second], [third, fourth]) = (a.unpack_halves(c), b.unpack_halves(d));
            quarters[k] = [first, second, third, fourth];
        }
        // By reference: `map` would move the registers through frames of its own, several deep without
        // optimisation, which no depth tells of.
        for r in 0..4 {
            let mut of_r = [x[0]; 4];
            for k in 0..4 {
                of_r[k] = quarters[k][r];
            }
            V::xor_into(of_r, data, r);
        }
    }
}

/// Whole sets of blocks; what is left comes back.
///
/// # Safety
///
/// As for [`Words`].
#[inline(always)]
unsafe fn sets<'a, V: Words>(state: &mut [u32; 16], data: &'a mut [u8]) -> &'a mut [u8] {
    let (sets, rest) = data.split_at_mut(data.len() - data.len() % (V::LANES * BLOCK));
    for set in sets.chunks_exact_mut(V::LANES * BLOCK) {
        // SAFETY: by the function's contract; the set has `LANES` blocks.
        unsafe { blocks::<V>(state, set.as_mut_ptr()) };
    }
    rest
}

/// Less than a set, by way of a set of zeros. `SIZE` is a set's.
///
/// # Safety
///
/// As for [`Words`].
#[inline(always)]
unsafe fn part<V: Words, const SIZE: usize>(state: &mut [u32; 16], data: &mut [u8]) {
    const { assert!(SIZE == V::LANES * BLOCK) };
    let mut set = [0; SIZE];
    // SAFETY: by the function's contract; the set has `LANES` blocks.
    unsafe { blocks::<V>(state, set.as_mut_ptr()) };
    super::xor_bytes(data, &set);
}

/// XORs keystream from the block that the state stands for.
#[inline(always)]
pub(super) fn xor_256(_: Avx2, state: &mut [u32; 16], data: &mut [u8]) -> Depth {
    // SAFETY: the token proves avx2.
    unsafe { with_avx2(state, data) }
}

/// The same.
#[inline(always)]
pub(super) fn xor_512(_: Avx512, state: &mut [u32; 16], data: &mut [u8]) -> Depth {
    let (long, short) = data.split_at_mut(data.len() / (16 * BLOCK) * (16 * BLOCK));
    let mut depth = Depth::NONE;
    if !long.is_empty() {
        // SAFETY: the token proves avx512f.
        depth = unsafe { with_avx512(state, long) };
    }
    if short.len() > 8 * BLOCK {
        // SAFETY: the token proves avx512f.
        depth.max(unsafe { part_512(state, short) })
    } else if !short.is_empty() {
        // SAFETY: the token proves avx512f and avx512vl.
        depth.max(unsafe { part_256(state, short) })
    } else {
        depth
    }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn with_avx2(state: &mut [u32; 16], data: &mut [u8]) -> Depth {
    // SAFETY: the function has the features.
    unsafe {
        let rest = sets::<W256>(state, data);
        if !rest.is_empty() {
            part::<W256, 512>(state, rest);
        }
    }
    Depth::here()
}

#[inline(never)]
#[target_feature(enable = "avx512f")]
fn with_avx512(state: &mut [u32; 16], data: &mut [u8]) -> Depth {
    // SAFETY: the function has the features.
    unsafe { sets::<W512>(state, data) };
    Depth::here()
}

#[inline(never)]
#[target_feature(enable = "avx512f")]
fn part_512(state: &mut [u32; 16], data: &mut [u8]) -> Depth {
    // SAFETY: the function has the features.
    unsafe { part::<W512, 1024>(state, data) };
    Depth::here()
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512vl")]
fn part_256(state: &mut [u32; 16], data: &mut [u8]) -> Depth {
    // SAFETY: the function has the features.
    unsafe { part::<W256Vl, 512>(state, data) };
    Depth::here()
}
