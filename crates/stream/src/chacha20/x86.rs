//! ChaCha20 with SSE2, SSSE3, AVX2 and AVX-512 on x86-64: a word of 4, 8 or 16 blocks in each register.
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
//! For few blocks there is a second layout, in which four registers hold the rows of 1, 2 or 4 states, one
//! in each lane of 16 bytes. Then there is one chain, which takes as long for four blocks as for one.
//!
//! The widths differ in the rotations: AVX-512 has them, also for 256 bits, and SSSE3 and AVX2 those by
//! whole bytes.

#![allow(clippy::needless_range_loop, reason = "a lane runs through several registers at once")]

use super::BLOCK;
use cinder_block::Depth;
use cinder_cpu::x86::{Avx2, Avx512, Sse2, Ssse3};
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
    /// XORs the blocks whose quarters these are into data: lane j has block j · `STEP`.
    unsafe fn xor_into<const STEP: usize>(quarters: [Self; 4], data: *mut u8);
    /// Four words in every lane of 16 bytes.
    unsafe fn row(words: &[u32; 4]) -> Self;
    /// 0, 1, … in the first word of each lane.
    unsafe fn lane_numbers() -> Self;
    /// In each lane the words in the order of the four pairs of bits, the lowest first.
    unsafe fn turn<const ORDER: i32>(self) -> Self;
}

/// 128 bits, SSE2.
#[derive(Clone, Copy)]
struct W128(__m128i);

/// 128 bits, SSSE3.
#[derive(Clone, Copy)]
struct W128Ssse3(__m128i);

/// 256 bits, AVX2.
#[derive(Clone, Copy)]
struct W256(__m256i);

/// 256 bits, AVX-512 F and VL.
#[derive(Clone, Copy)]
struct W256Vl(__m256i);

/// 512 bits, AVX-512 F.
#[derive(Clone, Copy)]
struct W512(__m512i);

/// What the two types of 128 bits share.
macro_rules! words_128 {
    ($name:ident, |$x:ident, $n:ident, $rest:ident| $rotate:expr) => {
        impl Words for $name {
            const LANES: usize = 4;

            #[inline(always)]
            unsafe fn splat(word: u32) -> Self {
                // SAFETY: by the trait's contract.
                unsafe { $name(_mm_set1_epi32(word as i32)) }
            }
            #[inline(always)]
            unsafe fn numbers() -> Self {
                // SAFETY: by the trait's contract.
                unsafe { $name(_mm_setr_epi32(0, 1, 2, 3)) }
            }
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                // SAFETY: by the trait's contract.
                unsafe { $name(_mm_add_epi32(self.0, other.0)) }
            }
            #[inline(always)]
            unsafe fn xor(self, other: Self) -> Self {
                // SAFETY: by the trait's contract.
                unsafe { $name(_mm_xor_si128(self.0, other.0)) }
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
                unsafe { [$name(_mm_unpacklo_epi32(a, b)), $name(_mm_unpackhi_epi32(a, b))] }
            }
            #[inline(always)]
            unsafe fn unpack_halves(self, other: Self) -> [Self; 2] {
                let (a, b) = (self.0, other.0);
                // SAFETY: by the trait's contract.
                unsafe { [$name(_mm_unpacklo_epi64(a, b)), $name(_mm_unpackhi_epi64(a, b))] }
            }
            #[inline(always)]
            unsafe fn row(words: &[u32; 4]) -> Self {
                // SAFETY: by the trait's contract.
                unsafe { $name(_mm_loadu_si128(words.as_ptr().cast())) }
            }
            #[inline(always)]
            unsafe fn lane_numbers() -> Self {
                // SAFETY: by the trait's contract.
                unsafe { $name(_mm_setzero_si128()) }
            }
            #[inline(always)]
            unsafe fn turn<const ORDER: i32>(self) -> Self {
                // SAFETY: by the trait's contract.
                unsafe { $name(_mm_shuffle_epi32::<ORDER>(self.0)) }
            }
            #[inline(always)]
            unsafe fn xor_into<const STEP: usize>(quarters: [Self; 4], data: *mut u8) {
                // SAFETY: by the trait's contract; one lane is one block of four quarters.
                unsafe {
                    for i in 0..4 {
                        let to = data.add(16 * i).cast::<__m128i>();
                        _mm_storeu_si128(to, _mm_xor_si128(quarters[i].0, _mm_loadu_si128(to)));
                    }
                }
            }
        }
    };
}

words_128!(W128, |x, N, REST| match N {
    16 => _mm_shufflehi_epi16::<0xb1>(_mm_shufflelo_epi16::<0xb1>(x)),
    _ => _mm_or_si128(_mm_slli_epi32::<N>(x), _mm_srli_epi32::<REST>(x)),
});
words_128!(W128Ssse3, |x, N, REST| match N {
    16 => _mm_shuffle_epi8(x, _mm_loadu_si128(BYTES_LEFT_BY_2.as_ptr().cast())),
    8 => _mm_shuffle_epi8(x, _mm_loadu_si128(BYTES_LEFT_BY_1.as_ptr().cast())),
    _ => _mm_or_si128(_mm_slli_epi32::<N>(x), _mm_srli_epi32::<REST>(x)),
});

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
            unsafe fn row(words: &[u32; 4]) -> Self {
                // SAFETY: by the trait's contract.
                unsafe {
                    $name(_mm256_broadcastsi128_si256(_mm_loadu_si128(words.as_ptr().cast())))
                }
            }
            #[inline(always)]
            unsafe fn lane_numbers() -> Self {
                // SAFETY: by the trait's contract.
                unsafe { $name(_mm256_setr_epi32(0, 0, 0, 0, 1, 0, 0, 0)) }
            }
            #[inline(always)]
            unsafe fn turn<const ORDER: i32>(self) -> Self {
                // SAFETY: by the trait's contract.
                unsafe { $name(_mm256_shuffle_epi32::<ORDER>(self.0)) }
            }
            #[inline(always)]
            unsafe fn xor_into<const STEP: usize>([a, b, c, d]: [Self; 4], data: *mut u8) {
                // SAFETY: by the trait's contract.
                unsafe {
                    let low = data;
                    write_256(low, _mm256_permute2x128_si256::<0x20>(a.0, b.0));
                    write_256(low.add(32), _mm256_permute2x128_si256::<0x20>(c.0, d.0));
                    let high = data.add(BLOCK * STEP);
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
    unsafe fn row(words: &[u32; 4]) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { W512(_mm512_broadcast_i32x4(_mm_loadu_si128(words.as_ptr().cast()))) }
    }
    #[inline(always)]
    unsafe fn lane_numbers() -> Self {
        // SAFETY: by the trait's contract.
        unsafe { W512(_mm512_setr_epi32(0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0)) }
    }
    #[inline(always)]
    unsafe fn turn<const ORDER: i32>(self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { W512(_mm512_shuffle_epi32::<ORDER>(self.0)) }
    }
    #[inline(always)]
    unsafe fn xor_into<const STEP: usize>([a, b, c, d]: [Self; 4], data: *mut u8) {
        // SAFETY: by the trait's contract.
        unsafe {
            let ab = _mm512_shuffle_i32x4::<0x44>(a.0, b.0);
            let cd = _mm512_shuffle_i32x4::<0x44>(c.0, d.0);
            write_512(data, _mm512_shuffle_i32x4::<0x88>(ab, cd));
            write_512(data.add(BLOCK * STEP), _mm512_shuffle_i32x4::<0xdd>(ab, cd));
            let ab = _mm512_shuffle_i32x4::<0xee>(a.0, b.0);
            let cd = _mm512_shuffle_i32x4::<0xee>(c.0, d.0);
            write_512(data.add(BLOCK * 2 * STEP), _mm512_shuffle_i32x4::<0x88>(ab, cd));
            write_512(data.add(BLOCK * 3 * STEP), _mm512_shuffle_i32x4::<0xdd>(ab, cd));
        }
    }
}

/// The places of the bytes of a lane that rotate each word to the left by two bytes.
static BYTES_LEFT_BY_2: [i8; 16] = [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13];
/// By one byte.
static BYTES_LEFT_BY_1: [i8; 16] = [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14];

/// The shuffle that rotates each word to the left by two bytes.
///
/// # Safety
///
/// Needs AVX2.
#[inline(always)]
unsafe fn bytes_left_by_2() -> __m256i {
    // SAFETY: by the function's contract.
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(BYTES_LEFT_BY_2.as_ptr().cast())) }
}

/// By one byte.
///
/// # Safety
///
/// Needs AVX2.
#[inline(always)]
unsafe fn bytes_left_by_1() -> __m256i {
    // SAFETY: by the function's contract.
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(BYTES_LEFT_BY_1.as_ptr().cast())) }
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
            V::xor_into::<4>(of_r, data.add(BLOCK * r));
        }
    }
}

/// The other layout: XORs a block for each lane. The state's counter goes on.
///
/// # Safety
///
/// As for [`Words`]; the pointer is good for `LANES` / 4 blocks.
#[inline(always)]
unsafe fn in_rows<V: Words>(state: &mut [u32; 16], data: *mut u8) {
    let rows = state.as_chunks::<4>().0;
    // SAFETY: by the function's contract.
    unsafe {
        let mut x = [V::row(&rows[0]), V::row(&rows[1]), V::row(&rows[2]), V::row(&rows[3])];
        x[3] = x[3].add(V::lane_numbers());
        let input = x;
        for _ in 0..10 {
            columns(&mut x);
            // The diagonals become columns, and go back.
            x = [x[0], x[1].turn::<0x39>(), x[2].turn::<0x4e>(), x[3].turn::<0x93>()];
            columns(&mut x);
            x = [x[0], x[1].turn::<0x93>(), x[2].turn::<0x4e>(), x[3].turn::<0x39>()];
        }
        for i in 0..4 {
            x[i] = x[i].add(input[i]);
        }
        V::xor_into::<1>(x, data);
    }
    state[12] = state[12].wrapping_add(V::LANES as u32 / 4);
}

/// The four quarter rounds of the columns.
///
/// # Safety
///
/// As for [`Words`].
#[inline(always)]
unsafe fn columns<V: Words>(x: &mut [V; 4]) {
    // SAFETY: by the function's contract.
    unsafe {
        x[0] = x[0].add(x[1]);
        x[3] = x[3].xor(x[0]).rotate_left::<16, 16>();
        x[2] = x[2].add(x[3]);
        x[1] = x[1].xor(x[2]).rotate_left::<12, 20>();
        x[0] = x[0].add(x[1]);
        x[3] = x[3].xor(x[0]).rotate_left::<8, 24>();
        x[2] = x[2].add(x[3]);
        x[1] = x[1].xor(x[2]).rotate_left::<7, 25>();
    }
}

/// At most `LANES` / 4 blocks, by way of as many of zeros. `SIZE` is theirs.
///
/// # Safety
///
/// As for [`Words`].
#[inline(always)]
unsafe fn few<V: Words, const SIZE: usize>(state: &mut [u32; 16], data: &mut [u8]) {
    const { assert!(SIZE == V::LANES / 4 * BLOCK) };
    let mut set = [0; SIZE];
    // SAFETY: by the function's contract; the set has `LANES` / 4 blocks.
    unsafe { in_rows::<V>(state, set.as_mut_ptr()) };
    super::xor_bytes(data, &set);
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
    if short.is_empty() {
        depth
    } else if short.len() > 8 * BLOCK {
        // SAFETY: the token proves avx512f.
        depth.max(unsafe { part_512(state, short) })
    } else if short.len() > 4 * BLOCK {
        // SAFETY: the token proves avx512f and avx512vl.
        depth.max(unsafe { part_256(state, short) })
    } else {
        // SAFETY: the token proves avx512f.
        depth.max(unsafe { few_512(state, short) })
    }
}

/// The kernel of 128 bits.
macro_rules! kernel_128 {
    ($name:ident, $token:ty, $words:ty, $feature:literal) => {
        /// XORs keystream from the block that the state stands for.
        #[inline(always)]
        pub(super) fn $name(_: $token, state: &mut [u32; 16], data: &mut [u8]) -> Depth {
            #[inline(never)]
            #[target_feature(enable = $feature)]
            fn run(state: &mut [u32; 16], data: &mut [u8]) -> Depth {
                // SAFETY: the function has the feature.
                unsafe {
                    let rest = sets::<$words>(state, data);
                    if rest.len() > BLOCK {
                        part::<$words, 256>(state, rest);
                    } else if !rest.is_empty() {
                        few::<$words, 64>(state, rest);
                    }
                }
                Depth::here()
            }
            // SAFETY: the token proves the feature.
            unsafe { run(state, data) }
        }
    };
}

kernel_128!(xor_sse2, Sse2, W128, "sse2");
kernel_128!(xor_ssse3, Ssse3, W128Ssse3, "ssse3");

#[inline(never)]
#[target_feature(enable = "avx2")]
fn with_avx2(state: &mut [u32; 16], data: &mut [u8]) -> Depth {
    // SAFETY: the function has the features.
    unsafe {
        let rest = sets::<W256>(state, data);
        if rest.len() > 2 * BLOCK {
            part::<W256, 512>(state, rest);
        } else if !rest.is_empty() {
            few::<W256, 128>(state, rest);
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
#[target_feature(enable = "avx512f")]
fn few_512(state: &mut [u32; 16], data: &mut [u8]) -> Depth {
    // SAFETY: the function has the features.
    unsafe { few::<W512, 256>(state, data) };
    Depth::here()
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512vl")]
fn part_256(state: &mut [u32; 16], data: &mut [u8]) -> Depth {
    // SAFETY: the function has the features.
    unsafe { part::<W256Vl, 512>(state, data) };
    Depth::here()
}
