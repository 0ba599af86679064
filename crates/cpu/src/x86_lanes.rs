//! One vocabulary for x86 vector registers of 128, 256 and 512 bits, seen as lanes of 16-byte
//! blocks: what the kernels of AES, GHASH and GCM are written in. For the crates of this workspace;
//! it may change in any version.
//!
//! Constant time: yes. Nothing here branches on the contents of a register; the partial loads and
//! stores branch on their length.
//!
//! Code over [`Lanes`] is `#[inline(always)]` and has no target features. A kernel is a function
//! that has them, into which that code is inlined, the methods here with it; it takes a token of
//! [`x86`](crate::x86) that proves them. The order of the lanes is the order of the blocks in memory.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::mem::transmute;

/// One, two or four blocks of 16 bytes in a register.
///
/// # Safety
///
/// Every method needs the instruction set of its register: SSE4.1 (128 bits; but SSE2 is enough for
/// loads, stores, splats, logic, `add32`, `rotate32`, shifts of 64-bit words and what moves words, halves and lanes), AVX2 (256 bits), or
/// AVX-512 F, BW, DQ and VL (512 bits). The `aes_…` methods need AES-NI or VAES besides,
/// [`multiply`](Self::multiply) PCLMULQDQ or VPCLMULQDQ, and the methods with `affine` in their names
/// GFNI and AVX2, or AVX-512. A pointer is good for the bytes that the method says; it need not be aligned.
pub trait Lanes: Copy {
    /// Blocks in a register.
    const LANES: usize;
    /// Bytes in a register.
    const WIDTH: usize = 16 * Self::LANES;

    /// Reads `WIDTH` bytes.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn load(from: *const u8) -> Self;
    /// Register `i` of sixteen registers of blocks.
    ///
    /// One of 256 bits has the blocks `i` and 16 + `i`, and loads and stores each by itself. A load of
    /// 32 bytes would not be forwarded from stores by blocks or at another alignment, and a store of 32
    /// bytes might cross a cache line. Of neighbours the compiler would make one load.
    ///
    /// # Safety
    ///
    /// The trait's; there are so many blocks.
    #[inline(always)]
    unsafe fn load_blocks(blocks: *const u8, i: usize) -> Self {
        // SAFETY: by the method's contract.
        unsafe { Self::load(blocks.add(i * Self::WIDTH)) }
    }
    /// The counterpart of [`load_blocks`](Self::load_blocks).
    ///
    /// # Safety
    ///
    /// The trait's; there are so many blocks.
    #[inline(always)]
    unsafe fn store_blocks(self, blocks: *mut u8, i: usize) {
        // SAFETY: by the method's contract.
        unsafe { self.store(blocks.add(i * Self::WIDTH)) }
    }
    /// Writes `WIDTH` bytes.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn store(self, to: *mut u8);
    /// Reads `len` bytes, fewer than `WIDTH`, and no byte more; zeros follow.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn load_partial(from: *const u8, len: usize) -> Self;
    /// Writes the first `len` bytes, fewer than `WIDTH`, and no byte more.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn store_partial(self, to: *mut u8, len: usize);
    /// Keeps the first `len` bytes, fewer than `WIDTH`, and clears the others.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn truncate(self, len: usize) -> Self;

    /// The block in every lane.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn splat(block: __m128i) -> Self;
    /// The byte in every place.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn splat_byte(byte: u8) -> Self;
    /// The block in the first lane, zeros in the others.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn first(block: __m128i) -> Self;
    /// The XOR of the lanes.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn sum_lanes(self) -> __m128i;
    /// The last lane of `before`, then all lanes of `self` but the last.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn preceded_by(self, before: Self) -> Self;

    /// XOR.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn xor(self, other: Self) -> Self;
    /// AND.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn and(self, other: Self) -> Self;
    /// OR.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn or(self, other: Self) -> Self;
    /// Adds bytes, each modulo 2^8.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn add8(self, other: Self) -> Self;
    /// Adds 32-bit words, each modulo 2^32.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn add32(self, other: Self) -> Self;
    /// Rotates 32-bit words left by `LEFT`, which is 32 - `RIGHT`.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn rotate32<const LEFT: u32, const RIGHT: u32>(self) -> Self;
    /// Shifts 64-bit words left, and zeros in.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn shift_left64(self, bits: u32) -> Self;
    /// Shifts 64-bit words right, and zeros in.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn shift_right64(self, bits: u32) -> Self;
    /// 0, 1, … in the first 32-bit word of each lane, zeros in the others.
    fn lane_numbers() -> Self;
    /// `LANES` in the first 32-bit word of each lane, zeros in the others.
    fn lane_count() -> Self;
    /// The upper four bits of each byte, shifted down.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn high_nibbles(self) -> Self;
    /// The uppermost bit of each byte, shifted down.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn top_bits(self) -> Self;
    /// In each place the byte that `places` has the number of, of the same lane of `self`; its bits 4
    /// to 6 do not count, and with bit 7 set the byte is 0.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn shuffle(self, places: Self) -> Self;
    /// The bytes of `self` in even places, those of `other` in odd ones.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn alternate(self, other: Self) -> Self;
    /// Reverses the 16 bytes of each lane.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn swap_bytes(self) -> Self;
    /// Swaps the 64-bit halves of each lane.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn swap_halves(self) -> Self;
    /// The 32-bit word in every place.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn splat32(word: u32) -> Self;
    /// In each lane the two low 32-bit words of `self` and `other`, by turns.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn low_words(self, other: Self) -> Self;
    /// In each lane the two high 32-bit words of `self` and `other`, by turns.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn high_words(self, other: Self) -> Self;
    /// In order the four lanes with number 0, then the four with number 1, and so on.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn transpose_lanes(rows: [Self; 4]) -> [Self; 4];
    /// In each lane the bytes of the low halves of `self` and `other`, by turns.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn low_bytes(self, other: Self) -> Self;
    /// In each lane the bytes of the high halves of `self` and `other`, by turns.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn high_bytes(self, other: Self) -> Self;
    /// In each lane the low half of `self`, then that of `other`.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn low_halves(self, other: Self) -> Self;
    /// In each lane the high half of `self`, then that of `other`.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn high_halves(self, other: Self) -> Self;
    /// In each lane the carry-less product of one half of `self` (bit 0 of `HALVES`: 1 for the
    /// high one) and one of `other` (bit 4).
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn multiply<const HALVES: i32>(self, other: Self) -> Self;

    /// AESENC: ShiftRows, SubBytes, MixColumns, AddRoundKey.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn aes_round(self, key: Self) -> Self;
    /// AESENCLAST: the same without MixColumns.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn aes_last_round(self, key: Self) -> Self;
    /// AESDEC: a round of the equivalent inverse cipher.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn aes_inverse_round(self, key: Self) -> Self;
    /// AESDECLAST: its last round.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn aes_last_inverse_round(self, key: Self) -> Self;

    /// GF2P8AFFINEQB: each byte times the bit matrix in its half of `matrix`, plus `CONSTANT`.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn affine<const CONSTANT: i32>(self, matrix: Self) -> Self;
    /// GF2P8AFFINEINVQB: the same of each byte's inverse in the field of AES, or of 0.
    ///
    /// # Safety
    ///
    /// The trait's.
    unsafe fn inverse_affine<const CONSTANT: i32>(self, matrix: Self) -> Self;
}

/// A block of two little-endian words, low word first, written with one store of 16 bytes: a load of
/// 16 bytes right after two stores would wait until they have left for the cache.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn block([low, high]: [u64; 2]) -> [u8; 16] {
    let mut block = [0; 16];
    // SAFETY: SSE2 is part of x86-64; the store is as long as the array.
    unsafe { _mm_storeu_si128(block.as_mut_ptr().cast(), _mm_set_epi64x(high as i64, low as i64)) };
    block
}

/// Methods that are one instruction, or two or three, each.
macro_rules! methods {
    ($($method:ident($($other:ident),*): $intrinsic:expr;)*) => {$(
        #[inline(always)]
        unsafe fn $method(self $(, $other: Self)*) -> Self {
            // SAFETY: by the trait's contract.
            unsafe { $intrinsic(self $(, $other)*) }
        }
    )*};
}

/// The byte everywhere: plain bits of one size.
macro_rules! everywhere {
    ($byte:literal) => {
        const { transmute::<[u8; Self::WIDTH], Self>([$byte; Self::WIDTH]) }
    };
}

/// Byte 15 - i in place i, for each lane.
const BYTE_SWAP: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = 15 - (i % 16) as u8;
        i += 1;
    }
    bytes
};

/// The first bytes of [`BYTE_SWAP`].
const fn byte_swap<const N: usize>() -> [u8; N] {
    match BYTE_SWAP.first_chunk() {
        Some(bytes) => *bytes,
        None => [0; N],
    }
}

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
unsafe fn load_bytes(from: *const u8, len: usize) -> [u64; 2] {
    // SAFETY: by the function's contract. Each branch reads inside the bytes.
    unsafe {
        if len >= 8 {
            let low = from.cast::<u64>().read_unaligned();
            let end = from.add(len - 8).cast::<u64>().read_unaligned();
            // The last len - 8 bytes of `end` are wanted, none for len = 8.
            [low, (end >> 1) >> (8 * (16 - len) - 1)]
        } else if len >= 4 {
            let low = from.cast::<u32>().read_unaligned();
            let end = from.add(len - 4).cast::<u32>().read_unaligned();
            [u64::from(low) | (u64::from(end) << (8 * (len - 4))), 0]
        } else if len > 0 {
            let byte = |i: usize| u64::from(from.add(i).read()) << (8 * i);
            [byte(0) | byte(len / 2) | byte(len - 1), 0]
        } else {
            [0, 0]
        }
    }
}

/// Writes the first `len` bytes, and no byte more; the counterpart of [`load_bytes`].
///
/// # Safety
///
/// `len` bytes may be written, and `len` is less than 16.
#[inline(always)]
unsafe fn store_bytes([low, high]: [u64; 2], to: *mut u8, len: usize) {
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

/// The two words of a block, low word first.
#[inline(always)]
fn words(block: __m128i) -> [u64; 2] {
    // SAFETY: plain bits of one size.
    unsafe { transmute(block) }
}

/// SSE4.1.
impl Lanes for __m128i {
    const LANES: usize = 1;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm_loadu_si128(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: by the trait's contract.
        unsafe { _mm_storeu_si128(to.cast(), self) }
    }
    #[inline(always)]
    unsafe fn load_partial(from: *const u8, len: usize) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { transmute(load_bytes(from, len)) }
    }
    #[inline(always)]
    unsafe fn store_partial(self, to: *mut u8, len: usize) {
        // SAFETY: by the trait's contract.
        unsafe { store_bytes(words(self), to, len) }
    }
    #[inline(always)]
    unsafe fn truncate(self, len: usize) -> Self {
        // SAFETY: len < 16, and 16 bytes from 32 - len on are inside the table.
        unsafe { _mm_and_si128(self, Self::load(KEEP.as_ptr().add(32 - len))) }
    }
    #[inline(always)]
    unsafe fn splat(block: __m128i) -> Self {
        block
    }
    #[inline(always)]
    unsafe fn first(block: __m128i) -> Self {
        block
    }
    #[inline(always)]
    unsafe fn sum_lanes(self) -> __m128i {
        self
    }
    #[inline(always)]
    unsafe fn preceded_by(self, before: Self) -> Self {
        before
    }
    #[inline(always)]
    fn lane_numbers() -> Self {
        // SAFETY: plain bits of one size.
        const { unsafe { transmute([0u32; 4]) } }
    }
    #[inline(always)]
    fn lane_count() -> Self {
        // SAFETY: plain bits of one size.
        const { unsafe { transmute([1u32, 0, 0, 0]) } }
    }
    #[inline(always)]
    unsafe fn alternate(self, other: Self) -> Self {
        // SAFETY: plain bits of one size; then the trait's contract.
        unsafe { _mm_blendv_epi8(self, other, const { transmute([0xff00_u16; 8]) }) }
    }
    #[inline(always)]
    unsafe fn swap_bytes(self) -> Self {
        // SAFETY: plain bits of one size; then the trait's contract.
        unsafe { _mm_shuffle_epi8(self, const { transmute(byte_swap::<16>()) }) }
    }
    #[inline(always)]
    unsafe fn splat_byte(byte: u8) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm_set1_epi8(byte as i8) }
    }
    #[inline(always)]
    unsafe fn high_nibbles(self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm_srli_epi16::<4>(self).and(everywhere!(0x0f)) }
    }
    #[inline(always)]
    unsafe fn top_bits(self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm_srli_epi16::<7>(self).and(everywhere!(1)) }
    }
    #[inline(always)]
    unsafe fn affine<const CONSTANT: i32>(self, matrix: Self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm_gf2p8affine_epi64_epi8::<CONSTANT>(self, matrix) }
    }
    #[inline(always)]
    unsafe fn inverse_affine<const CONSTANT: i32>(self, matrix: Self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm_gf2p8affineinv_epi64_epi8::<CONSTANT>(self, matrix) }
    }
    #[inline(always)]
    unsafe fn multiply<const HALVES: i32>(self, other: Self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm_clmulepi64_si128::<HALVES>(self, other) }
    }

    #[inline(always)]
    unsafe fn shift_left64(self, bits: u32) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm_sll_epi64(self, _mm_cvtsi32_si128(bits as i32)) }
    }
    #[inline(always)]
    unsafe fn shift_right64(self, bits: u32) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm_srl_epi64(self, _mm_cvtsi32_si128(bits as i32)) }
    }
    #[inline(always)]
    unsafe fn rotate32<const LEFT: u32, const RIGHT: u32>(self) -> Self {
        const { assert!(LEFT + RIGHT == 32) };
        // SAFETY: by the trait's contract.
        unsafe {
            let left = _mm_sll_epi32(self, _mm_cvtsi32_si128(LEFT as i32));
            _mm_or_si128(left, _mm_srl_epi32(self, _mm_cvtsi32_si128(RIGHT as i32)))
        }
    }
    #[inline(always)]
    unsafe fn splat32(word: u32) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm_set1_epi32(word as i32) }
    }
    #[inline(always)]
    unsafe fn transpose_lanes(rows: [Self; 4]) -> [Self; 4] {
        rows
    }

    methods! {
        xor(other): _mm_xor_si128;
        and(other): _mm_and_si128;
        or(other): _mm_or_si128;
        add8(other): _mm_add_epi8;
        shuffle(places): _mm_shuffle_epi8;
        low_bytes(other): _mm_unpacklo_epi8;
        high_bytes(other): _mm_unpackhi_epi8;
        add32(other): _mm_add_epi32;
        low_words(other): _mm_unpacklo_epi32;
        high_words(other): _mm_unpackhi_epi32;
        swap_halves(): _mm_shuffle_epi32::<0x4e>;
        low_halves(other): _mm_unpacklo_epi64;
        high_halves(other): _mm_unpackhi_epi64;
        aes_round(key): _mm_aesenc_si128;
        aes_last_round(key): _mm_aesenclast_si128;
        aes_inverse_round(key): _mm_aesdec_si128;
        aes_last_inverse_round(key): _mm_aesdeclast_si128;
    }
}

/// AVX2.
impl Lanes for __m256i {
    const LANES: usize = 2;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }
    #[inline(always)]
    unsafe fn load_blocks(blocks: *const u8, i: usize) -> Self {
        // SAFETY: by the method's contract.
        unsafe {
            let low = __m128i::load(blocks.add(16 * i));
            _mm256_set_m128i(__m128i::load(blocks.add(16 * (16 + i))), low)
        }
    }
    #[inline(always)]
    unsafe fn store_blocks(self, blocks: *mut u8, i: usize) {
        // SAFETY: by the method's contract.
        unsafe {
            _mm256_castsi256_si128(self).store(blocks.add(16 * i));
            _mm256_extracti128_si256::<1>(self).store(blocks.add(16 * (16 + i)));
        }
    }
    #[inline(always)]
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
            let part = __m128i::load_partial(from.add(whole), len - whole);
            if whole != 0 { _mm256_set_m128i(part, __m128i::load(from)) } else { Self::first(part) }
        }
    }
    #[inline(always)]
    unsafe fn store_partial(self, to: *mut u8, len: usize) {
        // SAFETY: by the trait's contract, as in `load_partial`.
        unsafe {
            let whole = len & 16;
            let mut part = _mm256_castsi256_si128(self);
            if whole != 0 {
                part.store(to);
                part = _mm256_extracti128_si256::<1>(self);
            }
            part.store_partial(to.add(whole), len - whole);
        }
    }
    #[inline(always)]
    unsafe fn truncate(self, len: usize) -> Self {
        // SAFETY: len < 32, and 32 bytes from 32 - len on are inside the table.
        unsafe { _mm256_and_si256(self, Self::load(KEEP.as_ptr().add(32 - len))) }
    }
    #[inline(always)]
    unsafe fn splat(block: __m128i) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm256_broadcastsi128_si256(block) }
    }
    #[inline(always)]
    unsafe fn first(block: __m128i) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm256_zextsi128_si256(block) }
    }
    #[inline(always)]
    unsafe fn sum_lanes(self) -> __m128i {
        // SAFETY: by the trait's contract.
        unsafe { _mm_xor_si128(_mm256_castsi256_si128(self), _mm256_extracti128_si256::<1>(self)) }
    }
    #[inline(always)]
    fn lane_numbers() -> Self {
        // SAFETY: plain bits of one size.
        const { unsafe { transmute([0u32, 0, 0, 0, 1, 0, 0, 0]) } }
    }
    #[inline(always)]
    fn lane_count() -> Self {
        // SAFETY: plain bits of one size.
        const { unsafe { transmute([2u32, 0, 0, 0, 2, 0, 0, 0]) } }
    }
    #[inline(always)]
    unsafe fn alternate(self, other: Self) -> Self {
        // SAFETY: plain bits of one size; then the trait's contract.
        unsafe { _mm256_blendv_epi8(self, other, const { transmute([0xff00_u16; 16]) }) }
    }
    #[inline(always)]
    unsafe fn swap_bytes(self) -> Self {
        // SAFETY: plain bits of one size; then the trait's contract.
        unsafe { _mm256_shuffle_epi8(self, const { transmute(byte_swap::<32>()) }) }
    }
    #[inline(always)]
    unsafe fn splat_byte(byte: u8) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm256_set1_epi8(byte as i8) }
    }
    #[inline(always)]
    unsafe fn high_nibbles(self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm256_srli_epi16::<4>(self).and(everywhere!(0x0f)) }
    }
    #[inline(always)]
    unsafe fn top_bits(self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm256_srli_epi16::<7>(self).and(everywhere!(1)) }
    }
    #[inline(always)]
    unsafe fn affine<const CONSTANT: i32>(self, matrix: Self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm256_gf2p8affine_epi64_epi8::<CONSTANT>(self, matrix) }
    }
    #[inline(always)]
    unsafe fn inverse_affine<const CONSTANT: i32>(self, matrix: Self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm256_gf2p8affineinv_epi64_epi8::<CONSTANT>(self, matrix) }
    }
    #[inline(always)]
    unsafe fn multiply<const HALVES: i32>(self, other: Self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm256_clmulepi64_epi128::<HALVES>(self, other) }
    }

    #[inline(always)]
    unsafe fn shift_left64(self, bits: u32) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm256_sll_epi64(self, _mm_cvtsi32_si128(bits as i32)) }
    }
    #[inline(always)]
    unsafe fn shift_right64(self, bits: u32) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm256_srl_epi64(self, _mm_cvtsi32_si128(bits as i32)) }
    }
    #[inline(always)]
    unsafe fn rotate32<const LEFT: u32, const RIGHT: u32>(self) -> Self {
        const { assert!(LEFT + RIGHT == 32) };
        // SAFETY: by the trait's contract.
        unsafe {
            let left = _mm256_sll_epi32(self, _mm_cvtsi32_si128(LEFT as i32));
            _mm256_or_si256(left, _mm256_srl_epi32(self, _mm_cvtsi32_si128(RIGHT as i32)))
        }
    }
    #[inline(always)]
    unsafe fn splat32(word: u32) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm256_set1_epi32(word as i32) }
    }
    #[inline(always)]
    unsafe fn transpose_lanes([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: by the trait's contract.
        unsafe {
            [
                _mm256_permute2x128_si256::<0x20>(a, b),
                _mm256_permute2x128_si256::<0x20>(c, d),
                _mm256_permute2x128_si256::<0x31>(a, b),
                _mm256_permute2x128_si256::<0x31>(c, d),
            ]
        }
    }

    methods! {
        // Lanes 0 and 1 of the second operand are numbers 2 and 3: the last lane of `before`,
        // then the first of `self`.
        preceded_by(before): _mm256_permute2x128_si256::<0x03>;
        xor(other): _mm256_xor_si256;
        and(other): _mm256_and_si256;
        or(other): _mm256_or_si256;
        add8(other): _mm256_add_epi8;
        shuffle(places): _mm256_shuffle_epi8;
        low_bytes(other): _mm256_unpacklo_epi8;
        high_bytes(other): _mm256_unpackhi_epi8;
        add32(other): _mm256_add_epi32;
        low_words(other): _mm256_unpacklo_epi32;
        high_words(other): _mm256_unpackhi_epi32;
        swap_halves(): _mm256_shuffle_epi32::<0x4e>;
        low_halves(other): _mm256_unpacklo_epi64;
        high_halves(other): _mm256_unpackhi_epi64;
        aes_round(key): _mm256_aesenc_epi128;
        aes_last_round(key): _mm256_aesenclast_epi128;
        aes_inverse_round(key): _mm256_aesdec_epi128;
        aes_last_inverse_round(key): _mm256_aesdeclast_epi128;
    }
}

/// AVX-512 F, BW, DQ and VL.
impl Lanes for __m512i {
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_storeu_si512(to.cast(), self) }
    }
    #[inline(always)]
    unsafe fn load_partial(from: *const u8, len: usize) -> Self {
        // SAFETY: by the trait's contract; the mask keeps the read inside.
        unsafe { _mm512_maskz_loadu_epi8(!(!0 << len), from.cast()) }
    }
    #[inline(always)]
    unsafe fn store_partial(self, to: *mut u8, len: usize) {
        // SAFETY: by the trait's contract; the mask keeps the write inside.
        unsafe { _mm512_mask_storeu_epi8(to.cast(), !(!0 << len), self) }
    }
    #[inline(always)]
    unsafe fn truncate(self, len: usize) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_maskz_mov_epi8(!(!0 << len), self) }
    }
    #[inline(always)]
    unsafe fn splat(block: __m128i) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_broadcast_i32x4(block) }
    }
    #[inline(always)]
    unsafe fn first(block: __m128i) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_zextsi128_si512(block) }
    }
    #[inline(always)]
    unsafe fn sum_lanes(self) -> __m128i {
        // SAFETY: by the trait's contract.
        unsafe {
            let high = _mm512_extracti64x4_epi64::<1>(self);
            _mm256_xor_si256(_mm512_castsi512_si256(self), high).sum_lanes()
        }
    }
    #[inline(always)]
    fn lane_numbers() -> Self {
        // SAFETY: plain bits of one size.
        const { unsafe { transmute([0u32, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]) } }
    }
    #[inline(always)]
    fn lane_count() -> Self {
        // SAFETY: plain bits of one size.
        const { unsafe { transmute([4u32, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0]) } }
    }
    #[inline(always)]
    unsafe fn alternate(self, other: Self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_mask_blend_epi8(0xaaaa_aaaa_aaaa_aaaa, self, other) }
    }
    #[inline(always)]
    unsafe fn swap_bytes(self) -> Self {
        // SAFETY: plain bits of one size; then the trait's contract.
        unsafe { _mm512_shuffle_epi8(self, const { transmute(byte_swap::<64>()) }) }
    }
    #[inline(always)]
    unsafe fn splat_byte(byte: u8) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_set1_epi8(byte as i8) }
    }
    #[inline(always)]
    unsafe fn high_nibbles(self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_srli_epi16::<4>(self).and(everywhere!(0x0f)) }
    }
    #[inline(always)]
    unsafe fn top_bits(self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_srli_epi16::<7>(self).and(everywhere!(1)) }
    }
    #[inline(always)]
    unsafe fn affine<const CONSTANT: i32>(self, matrix: Self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_gf2p8affine_epi64_epi8::<CONSTANT>(self, matrix) }
    }
    #[inline(always)]
    unsafe fn inverse_affine<const CONSTANT: i32>(self, matrix: Self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_gf2p8affineinv_epi64_epi8::<CONSTANT>(self, matrix) }
    }
    #[inline(always)]
    unsafe fn multiply<const HALVES: i32>(self, other: Self) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_clmulepi64_epi128::<HALVES>(self, other) }
    }

    #[inline(always)]
    unsafe fn shift_left64(self, bits: u32) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_sll_epi64(self, _mm_cvtsi32_si128(bits as i32)) }
    }
    #[inline(always)]
    unsafe fn shift_right64(self, bits: u32) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_srl_epi64(self, _mm_cvtsi32_si128(bits as i32)) }
    }
    #[inline(always)]
    unsafe fn rotate32<const LEFT: u32, const RIGHT: u32>(self) -> Self {
        const { assert!(LEFT + RIGHT == 32) };
        // SAFETY: by the trait's contract. The compiler makes one rotation of it.
        unsafe { _mm512_rolv_epi32(self, Self::splat32(LEFT)) }
    }
    #[inline(always)]
    unsafe fn splat32(word: u32) -> Self {
        // SAFETY: by the trait's contract.
        unsafe { _mm512_set1_epi32(word as i32) }
    }
    #[inline(always)]
    unsafe fn transpose_lanes([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: by the trait's contract.
        unsafe {
            let ab_01 = _mm512_shuffle_i32x4::<0x44>(a, b);
            let cd_01 = _mm512_shuffle_i32x4::<0x44>(c, d);
            let ab_23 = _mm512_shuffle_i32x4::<0xee>(a, b);
            let cd_23 = _mm512_shuffle_i32x4::<0xee>(c, d);
            [
                _mm512_shuffle_i32x4::<0x88>(ab_01, cd_01),
                _mm512_shuffle_i32x4::<0xdd>(ab_01, cd_01),
                _mm512_shuffle_i32x4::<0x88>(ab_23, cd_23),
                _mm512_shuffle_i32x4::<0xdd>(ab_23, cd_23),
            ]
        }
    }

    methods! {
        // Words 6 to 13 of `before` (0 to 7) and `self` (8 to 15).
        preceded_by(before): _mm512_alignr_epi64::<6>;
        xor(other): _mm512_xor_si512;
        and(other): _mm512_and_si512;
        or(other): _mm512_or_si512;
        add8(other): _mm512_add_epi8;
        shuffle(places): _mm512_shuffle_epi8;
        low_bytes(other): _mm512_unpacklo_epi8;
        high_bytes(other): _mm512_unpackhi_epi8;
        add32(other): _mm512_add_epi32;
        low_words(other): _mm512_unpacklo_epi32;
        high_words(other): _mm512_unpackhi_epi32;
        swap_halves(): _mm512_shuffle_epi32::<0x4e>;
        low_halves(other): _mm512_unpacklo_epi64;
        high_halves(other): _mm512_unpackhi_epi64;
        aes_round(key): _mm512_aesenc_epi128;
        aes_last_round(key): _mm512_aesenclast_epi128;
        aes_inverse_round(key): _mm512_aesdec_epi128;
        aes_last_inverse_round(key): _mm512_aesdeclast_epi128;
    }
}
