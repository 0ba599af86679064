//! One vector register of blocks, in three widths, for the code around the big loops.
//!
//! Generic code over [`Lanes`] is `#[inline(always)]` and has no target features of its own; a
//! kernel inlines it into a function that has them. The order of the lanes is the order of the
//! blocks in memory.

use super::FOLD;
use core::arch::x86_64::*;

/// One, two or four blocks of 16 bytes.
///
/// # Safety
///
/// Every method needs the instruction set that its implementor names, and the pointers it is
/// given must be good for the bytes it says.
pub(super) trait Lanes: Copy {
    /// Blocks in a register.
    const LANES: usize;

    /// Reads `16 * LANES` bytes.
    unsafe fn load(from: *const u8) -> Self;
    /// Writes `16 * LANES` bytes.
    unsafe fn store(self, to: *mut u8);
    /// Reads `len` bytes, fewer than a whole register, and no byte more; zeros follow.
    unsafe fn load_partial(from: *const u8, len: usize) -> Self;
    /// Writes the first `len` bytes, fewer than a whole register, and no byte more.
    unsafe fn store_partial(self, to: *mut u8, len: usize);
    /// Keeps the first `len` bytes, fewer than a whole register, and clears the others.
    unsafe fn truncate(self, len: usize) -> Self;

    /// The block in every lane.
    unsafe fn splat(block: __m128i) -> Self;
    /// The block in the first lane, zeros in the others.
    unsafe fn first(block: __m128i) -> Self;
    /// The sum of the lanes in GF(2)\[x\].
    unsafe fn sum_lanes(self) -> __m128i;

    unsafe fn xor(self, other: Self) -> Self;
    /// Adds 32-bit words.
    unsafe fn add32(self, other: Self) -> Self;
    /// 0, 1, … in the first 32-bit word of each lane.
    unsafe fn lane_numbers() -> Self;
    /// `LANES` in the first 32-bit word of each lane.
    unsafe fn lane_count() -> Self;
    /// Reverses the 16 bytes of each lane.
    unsafe fn swap_bytes(self) -> Self;
    /// Swaps the 64-bit halves of each lane.
    unsafe fn swap_halves(self) -> Self;
    /// In each lane, the carry-less product of one half of `self` (bit 0 of `HALVES`: 1 for the
    /// high one) and one of `other` (bit 4).
    unsafe fn multiply<const HALVES: i32>(self, other: Self) -> Self;
    unsafe fn aes_round(self, key: Self) -> Self;
    unsafe fn aes_last_round(self, key: Self) -> Self;

    /// The product, lane by lane.
    unsafe fn product(a: Self, b: Self) -> Sum<Self>;
    /// The square: (a + b x^64)^2 = a^2 + b^2 x^128, two multiplications.
    unsafe fn square(a: Self) -> Sum<Self>;
    /// Adds (`blocks` + `y`) times the powers at `power` to the sum, bytes of the blocks reversed
    /// first, and clears `y`. If `reduce`, the sum is reduced into `y` before that and begins anew.
    unsafe fn hash(sum: &mut Sum<Self>, y: &mut Self, reduce: bool, blocks: Self, power: *const u8);
    /// The reduction of the module's head, lane by lane.
    unsafe fn reduce(sum: Sum<Self>) -> Self;
}

/// A sum of products in GF(2)\[x\], not reduced: low + middle x^64 + high x^128.
#[derive(Clone, Copy)]
pub(super) struct Sum<V> {
    pub(super) low: V,
    pub(super) middle: V,
    pub(super) high: V,
}

/// The methods on [`Sum`], the same for each width, with the target features of each. (Generic
/// functions cannot have them, and inlined into their caller instead they would give it a frame
/// of 37 KiB in a build without optimisation.)
macro_rules! sums {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        #[inline]
        unsafe fn product(a: Self, b: Self) -> Sum<Self> {
            // SAFETY: the function has the target features.
            unsafe {
                Sum {
                    low: a.multiply::<0x00>(b),
                    middle: a.multiply::<0x01>(b).xor(a.multiply::<0x10>(b)),
                    high: a.multiply::<0x11>(b),
                }
            }
        }
        #[target_feature(enable = $features)]
        #[inline]
        unsafe fn square(a: Self) -> Sum<Self> {
            // SAFETY: the function has the target features.
            unsafe {
                Sum { low: a.multiply::<0x00>(a), middle: a.xor(a), high: a.multiply::<0x11>(a) }
            }
        }
        #[target_feature(enable = $features)]
        #[inline]
        unsafe fn hash(
            sum: &mut Sum<Self>,
            y: &mut Self,
            reduce: bool,
            blocks: Self,
            power: *const u8,
        ) {
            // SAFETY: the function has the target features; the caller vouches for the pointer.
            unsafe {
                let zero = blocks.xor(blocks);
                if reduce {
                    *y = Self::first(Self::reduce(*sum).sum_lanes());
                    *sum = Sum { low: zero, middle: zero, high: zero };
                }
                let product = Self::product(blocks.swap_bytes().xor(*y), Self::load(power));
                *y = zero;
                sum.low = sum.low.xor(product.low);
                sum.middle = sum.middle.xor(product.middle);
                sum.high = sum.high.xor(product.high);
            }
        }
        #[target_feature(enable = $features)]
        #[inline]
        unsafe fn reduce(sum: Sum<Self>) -> Self {
            // SAFETY: the function has the target features.
            unsafe {
                let c = Self::splat(_mm_set_epi64x(0, FOLD));
                let low = sum.low.swap_halves().xor(sum.low.multiply::<0x00>(c));
                let middle = sum.middle.xor(low);
                sum.high.xor(middle.swap_halves()).xor(middle.multiply::<0x00>(c))
            }
        }
    };
}

const fn byte_swap_mask() -> [u8; 64] {
    let mut mask = [0; 64];
    let mut i = 0;
    while i < 64 {
        mask[i] = 15 - (i % 16) as u8;
        i += 1;
    }
    mask
}

/// Byte 15 - i in place i, for each lane.
#[repr(align(64))]
struct ByteSwap([u8; 64]);
static BYTE_SWAP: ByteSwap = ByteSwap(byte_swap_mask());

/// 32 ones and 32 zeros: read at 32 - n, n bytes are kept.
static KEEP: [u8; 64] = {
    let mut keep = [0; 64];
    let mut i = 0;
    while i < 32 {
        keep[i] = 0xff;
        i += 1;
    }
    keep
};

/// Reads fewer than 16 bytes, and no byte more, as two little-endian words; zeros follow. Two
/// reads that overlap, or three of one byte, instead of a loop.
///
/// # Safety
///
/// `len` bytes may be read, and `len` is less than 16.
#[inline(always)]
unsafe fn load_bytes(from: *const u8, len: usize) -> (u64, u64) {
    // SAFETY: by the function's contract. Each branch reads inside the bytes.
    unsafe {
        if len >= 8 {
            let low = from.cast::<u64>().read_unaligned();
            let end = from.add(len - 8).cast::<u64>().read_unaligned();
            // The last len - 8 bytes of `end` are wanted, none for len = 8.
            (low, (end >> 1) >> (8 * (16 - len) - 1))
        } else if len >= 4 {
            let low = from.cast::<u32>().read_unaligned();
            let end = from.add(len - 4).cast::<u32>().read_unaligned();
            (u64::from(low) | (u64::from(end) << (8 * (len - 4))), 0)
        } else if len > 0 {
            let byte = |i: usize| u64::from(from.add(i).read()) << (8 * i);
            (byte(0) | byte(len / 2) | byte(len - 1), 0)
        } else {
            (0, 0)
        }
    }
}

/// Writes the first `len` bytes, and no byte more; the counterpart of [`load_bytes`].
///
/// # Safety
///
/// `len` bytes may be written, and `len` is less than 16.
#[inline(always)]
unsafe fn store_bytes((low, high): (u64, u64), to: *mut u8, len: usize) {
    // SAFETY: by the function's contract. Each branch writes inside the bytes.
    unsafe {
        if len >= 8 {
            // Bytes len - 8 to len - 1: from `low` those from len - 8 on, none of `high` for
            // len = 8.
            let shift = 8 * (len - 8);
            let end = (low >> shift) | ((high << 1) << (63 - shift));
            to.cast::<u64>().write_unaligned(low);
            to.add(len - 8).cast::<u64>().write_unaligned(end);
        } else if len >= 4 {
            to.cast::<u32>().write_unaligned(low as u32);
            let end = (low >> (8 * (len - 4))) as u32;
            to.add(len - 4).cast::<u32>().write_unaligned(end);
        } else if len > 0 {
            let middle = len / 2;
            let last = len - 1;
            to.write(low as u8);
            to.add(middle).write((low >> (8 * middle)) as u8);
            to.add(last).write((low >> (8 * last)) as u8);
        }
    }
}

#[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
#[inline]
fn from_words((low, high): (u64, u64)) -> __m128i {
    _mm_set_epi64x(high as i64, low as i64)
}

#[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
#[inline]
fn to_words(block: __m128i) -> (u64, u64) {
    (_mm_cvtsi128_si64(block) as u64, _mm_extract_epi64::<1>(block) as u64)
}

#[target_feature(enable = "avx2,vaes,vpclmulqdq")]
#[inline]
fn join(first: __m128i, second: __m128i) -> __m256i {
    _mm256_set_m128i(second, first)
}

#[target_feature(enable = "avx2,vaes,vpclmulqdq")]
#[inline]
fn split(blocks: __m256i) -> (__m128i, __m128i) {
    (_mm256_castsi256_si128(blocks), _mm256_extracti128_si256::<1>(blocks))
}

/// SSE, with AES-NI and PCLMULQDQ.
impl Lanes for __m128i {
    const LANES: usize = 1;

    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm_loadu_si128(from.cast()) }
    }
    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: by the trait's contract.
        unsafe { _mm_storeu_si128(to.cast(), self) }
    }
    #[inline(always)]
    unsafe fn load_partial(from: *const u8, len: usize) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { from_words(load_bytes(from, len)) }
    }
    #[inline(always)]
    unsafe fn store_partial(self, to: *mut u8, len: usize) {
        // SAFETY: by the trait's contract.
        unsafe { store_bytes(to_words(self), to, len) }
    }
    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn truncate(self, len: usize) -> Self {
        // SAFETY: len < 16, and 16 bytes from 32 - len on are inside the table.
        let keep = unsafe { _mm_loadu_si128(KEEP.as_ptr().add(32 - len).cast()) };
        _mm_and_si128(self, keep)
    }
    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn splat(block: __m128i) -> Self {
        block
    }
    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn first(block: __m128i) -> Self {
        block
    }
    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn sum_lanes(self) -> __m128i {
        self
    }
    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn xor(self, other: Self) -> Self {
        _mm_xor_si128(self, other)
    }
    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn add32(self, other: Self) -> Self {
        _mm_add_epi32(self, other)
    }
    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn lane_numbers() -> Self {
        _mm_setzero_si128()
    }
    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn lane_count() -> Self {
        _mm_set_epi32(0, 0, 0, 1)
    }
    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn swap_bytes(self) -> Self {
        // SAFETY: the table has 64 bytes.
        _mm_shuffle_epi8(self, unsafe { _mm_load_si128(BYTE_SWAP.0.as_ptr().cast()) })
    }
    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn swap_halves(self) -> Self {
        _mm_shuffle_epi32::<0x4e>(self)
    }
    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn multiply<const HALVES: i32>(self, other: Self) -> Self {
        _mm_clmulepi64_si128::<HALVES>(self, other)
    }
    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn aes_round(self, key: Self) -> Self {
        _mm_aesenc_si128(self, key)
    }
    #[target_feature(enable = "aes,pclmulqdq,ssse3,sse4.1")]
    #[inline]
    unsafe fn aes_last_round(self, key: Self) -> Self {
        _mm_aesenclast_si128(self, key)
    }

    sums!("aes,pclmulqdq,ssse3,sse4.1");
}

/// AVX2, with VAES and VPCLMULQDQ.
impl Lanes for __m256i {
    const LANES: usize = 2;

    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }
    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: by the trait's contract.
        unsafe { _mm256_storeu_si256(to.cast(), self) }
    }
    #[inline(always)]
    unsafe fn load_partial(from: *const u8, len: usize) -> Self {
        // SAFETY: by the trait's contract; the first block is whole in one branch, and the second
        // is empty in the other.
        unsafe {
            let whole = len & 16;
            let part = from_words(load_bytes(from.add(whole), len - whole));
            if whole != 0 { join(__m128i::load(from), part) } else { Self::first(part) }
        }
    }
    #[inline(always)]
    unsafe fn store_partial(self, to: *mut u8, len: usize) {
        // SAFETY: by the trait's contract, as in `load_partial`.
        unsafe {
            let whole = len & 16;
            let (mut part, second) = split(self);
            if whole != 0 {
                part.store(to);
                part = second;
            }
            store_bytes(to_words(part), to.add(whole), len - whole);
        }
    }
    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn truncate(self, len: usize) -> Self {
        // SAFETY: len < 32, and 32 bytes from 32 - len on are inside the table.
        let keep = unsafe { _mm256_loadu_si256(KEEP.as_ptr().add(32 - len).cast()) };
        _mm256_and_si256(self, keep)
    }
    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn splat(block: __m128i) -> Self {
        _mm256_broadcastsi128_si256(block)
    }
    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn first(block: __m128i) -> Self {
        _mm256_zextsi128_si256(block)
    }
    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn sum_lanes(self) -> __m128i {
        _mm_xor_si128(_mm256_castsi256_si128(self), _mm256_extracti128_si256::<1>(self))
    }
    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn xor(self, other: Self) -> Self {
        _mm256_xor_si256(self, other)
    }
    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn add32(self, other: Self) -> Self {
        _mm256_add_epi32(self, other)
    }
    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn lane_numbers() -> Self {
        _mm256_set_epi32(0, 0, 0, 1, 0, 0, 0, 0)
    }
    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn lane_count() -> Self {
        _mm256_set_epi32(0, 0, 0, 2, 0, 0, 0, 2)
    }
    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn swap_bytes(self) -> Self {
        // SAFETY: the table has 64 bytes.
        _mm256_shuffle_epi8(self, unsafe { _mm256_load_si256(BYTE_SWAP.0.as_ptr().cast()) })
    }
    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn swap_halves(self) -> Self {
        _mm256_shuffle_epi32::<0x4e>(self)
    }
    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn multiply<const HALVES: i32>(self, other: Self) -> Self {
        _mm256_clmulepi64_epi128::<HALVES>(self, other)
    }
    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn aes_round(self, key: Self) -> Self {
        _mm256_aesenc_epi128(self, key)
    }
    #[target_feature(enable = "avx2,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn aes_last_round(self, key: Self) -> Self {
        _mm256_aesenclast_epi128(self, key)
    }

    sums!("avx2,vaes,vpclmulqdq");
}

/// AVX-512 F, BW, DQ and VL, with VAES and VPCLMULQDQ.
impl Lanes for __m512i {
    const LANES: usize = 4;

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_storeu_si512(to.cast(), self) }
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn load_partial(from: *const u8, len: usize) -> Self {
        // SAFETY: by the trait's contract; the mask keeps the read inside.
        unsafe { _mm512_maskz_loadu_epi8(!(!0 << len), from.cast()) }
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn store_partial(self, to: *mut u8, len: usize) {
        // SAFETY: by the trait's contract; the mask keeps the write inside.
        unsafe { _mm512_mask_storeu_epi8(to.cast(), !(!0 << len), self) }
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn truncate(self, len: usize) -> Self {
        _mm512_maskz_mov_epi8(!(!0 << len), self)
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn splat(block: __m128i) -> Self {
        _mm512_broadcast_i32x4(block)
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn first(block: __m128i) -> Self {
        _mm512_zextsi128_si512(block)
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn sum_lanes(self) -> __m128i {
        let high = _mm512_extracti64x4_epi64::<1>(self);
        let sum = _mm256_xor_si256(_mm512_castsi512_si256(self), high);
        _mm_xor_si128(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum))
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn xor(self, other: Self) -> Self {
        _mm512_xor_si512(self, other)
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn add32(self, other: Self) -> Self {
        _mm512_add_epi32(self, other)
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn lane_numbers() -> Self {
        _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0)
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn lane_count() -> Self {
        _mm512_set_epi32(0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4)
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn swap_bytes(self) -> Self {
        // SAFETY: the table has 64 bytes.
        _mm512_shuffle_epi8(self, unsafe { _mm512_load_si512(BYTE_SWAP.0.as_ptr().cast()) })
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn swap_halves(self) -> Self {
        _mm512_shuffle_epi32::<0x4e>(self)
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn multiply<const HALVES: i32>(self, other: Self) -> Self {
        _mm512_clmulepi64_epi128::<HALVES>(self, other)
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn aes_round(self, key: Self) -> Self {
        _mm512_aesenc_epi128(self, key)
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq")]
    #[inline]
    unsafe fn aes_last_round(self, key: Self) -> Self {
        _mm512_aesenclast_epi128(self, key)
    }

    sums!("avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq");
}
