//! GHASH (SP 800-38D, section 6.4) by VPCLMULQDQ on 256-bit registers: two blocks at a time.
//!
//! Constant time: yes. The instruction's time does not depend on its operands, and nothing else
//! does.
//!
//! Sixteen blocks for each reduction, with the powers H^16 … H; each pair of blocks costs three
//! instructions by Karatsuba. A tail of up to fifteen blocks is one reduction too; it multiplies as
//! schoolbooks do, which is shorter in latency. The two halves of the register are added after
//! the reduction, which costs the same for both as for one.
//!
//! Elements 0 to 15 are H^16 … H^1, so that n blocks go with the last n of them. The middle
//! operands of four powers lie in one register: those of the first pair in the low words, those
//! of the second in the high words, each where the immediate of VPCLMULQDQ reaches it.

use crate::{Depth, Elements, load, times_y};
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Blocks for each reduction.
const WIDE: usize = 16;

#[inline(always)]
pub(crate) fn expand(
    _proof: cinder_cpu::x86::Vpclmul,
    h: &[u8; 16],
    elements: &mut Elements,
    middles: &mut [u64; 16],
) -> Depth {
    // SAFETY: the token proves vpclmulqdq, pclmulqdq and avx2.
    unsafe { expand_vpclmul(h, elements, middles) }
}

#[inline(always)]
pub(crate) fn update(
    _proof: cinder_cpu::x86::Vpclmul,
    elements: &Elements,
    middles: &[u64; 16],
    y: &mut [u8; 16],
    blocks: &[[u8; 16]],
) -> Depth {
    // SAFETY: the token proves vpclmulqdq, pclmulqdq and avx2.
    unsafe {
        if (1..WIDE).contains(&blocks.len()) {
            update_few(elements, y, blocks)
        } else {
            update_vpclmul(elements, middles, y, blocks)
        }
    }
}

#[target_feature(enable = "vpclmulqdq,pclmulqdq,avx2")]
#[inline(never)]
fn expand_vpclmul(h: &[u8; 16], elements: &mut Elements, middles: &mut [u64; 16]) -> Depth {
    elements[15] = times_y(load(h));
    let h1 = _mm256_broadcastsi128_si256(_mm256_castsi256_si128(one(&elements[15])));
    // Pairs in memory order: the higher power first.
    let h2 = multiply(h1, h1);
    let h2_h1 = _mm256_blend_epi32::<0b1111_0000>(h2, h1);
    let h4_h3 = multiply(h2_h1, h2);
    let h4 = _mm256_permute2x128_si256::<0x00>(h4_h3, h4_h3);
    let h6_h5 = multiply(h2_h1, h4);
    let h8_h7 = multiply(h4_h3, h4);
    let h8 = _mm256_permute2x128_si256::<0x00>(h8_h7, h8_h7);
    let (pairs, _) = elements.as_chunks_mut::<2>();
    for (i, powers) in [h2_h1, h4_h3, h6_h5, h8_h7].into_iter().enumerate() {
        set_pair(&mut pairs[7 - i], powers);
        set_pair(&mut pairs[3 - i], multiply(powers, h8));
    }
    for (middles, pairs) in middles.as_chunks_mut::<4>().0.iter_mut().zip(pairs.as_chunks().0) {
        let [first, second]: &[_; 2] = pairs;
        let (first, second) = (pair(first), pair(second));
        let low = _mm256_unpacklo_epi64(first, second);
        let high = _mm256_unpackhi_epi64(first, second);
        // SAFETY: 32 bytes are written through a reference to 32 bytes.
        unsafe {
            _mm256_storeu_si256(middles.as_mut_ptr().cast(), _mm256_xor_si256(low, high));
        }
    }
    Depth::here()
}

#[target_feature(enable = "vpclmulqdq,pclmulqdq,avx2")]
#[inline(never)]
fn update_vpclmul(
    elements: &Elements,
    middles: &[u64; 16],
    y: &mut [u8; 16],
    blocks: &[[u8; 16]],
) -> Depth {
    let mut z = reversed(one_block(y));
    let (powers, _) = elements.as_chunks::<4>();
    let (middles, _) = middles.as_chunks::<4>();
    let (groups, tail) = blocks.as_chunks::<WIDE>();
    for group in groups {
        let (fours, _) = group.as_chunks::<4>();
        let nothing = _mm256_setzero_si256();
        let mut sum = Sum::karatsuba(&fours[1], nothing, &powers[1], &middles[1]);
        for i in 2..4 {
            sum.add(Sum::karatsuba(&fours[i], nothing, &powers[i], &middles[i]));
        }
        // The group that waits for the group before is the last, so that the others need not.
        sum.add(Sum::karatsuba(&fours[0], z, &powers[0], &middles[0]));
        sum.middle = _mm256_xor_si256(sum.middle, _mm256_xor_si256(sum.low, sum.high));
        z = sum.reduce();
    }
    if !tail.is_empty() {
        z = few(z, elements, tail);
    }
    let z = _mm256_castsi256_si128(reversed(z));
    // SAFETY: 16 bytes are written through a reference to 16 bytes.
    unsafe { _mm_storeu_si128(y.as_mut_ptr().cast(), z) };
    Depth::here()
}

/// Apart from the groups, whose registers do not suffice: a short message has no frame here.
#[target_feature(enable = "vpclmulqdq,pclmulqdq,avx2")]
#[inline(never)]
fn update_few(elements: &Elements, y: &mut [u8; 16], blocks: &[[u8; 16]]) -> Depth {
    let z = few(reversed(one_block(y)), elements, blocks);
    let z = _mm256_castsi256_si128(reversed(z));
    // SAFETY: 16 bytes are written through a reference to 16 bytes.
    unsafe { _mm_storeu_si128(y.as_mut_ptr().cast(), z) };
    Depth::here()
}

/// Fewer blocks than a group, at least one.
#[target_feature(enable = "vpclmulqdq,pclmulqdq,avx2")]
#[inline]
fn few(mut z: __m256i, elements: &Elements, blocks: &[[u8; 16]]) -> __m256i {
    let (pairs, single) = blocks.as_chunks::<2>();
    let (powers, _) = elements[16 - blocks.len()..].as_chunks::<2>();
    let mut sum = Sum::zero();
    for (x, power) in pairs.iter().zip(powers) {
        let x = _mm256_xor_si256(z, reversed(pair_of_blocks(x)));
        z = _mm256_setzero_si256();
        sum.add(Sum::schoolbook(x, pair(power)));
    }
    if let [x] = single {
        let x = _mm256_xor_si256(z, reversed(one_block(x)));
        sum.add(Sum::schoolbook(x, one(&elements[15])));
    }
    sum.reduce()
}

/// Products not yet reduced, in each half of the registers: low + middle · y^64 + high · y^128.
struct Sum {
    low: __m256i,
    middle: __m256i,
    high: __m256i,
}

impl Sum {
    #[target_feature(enable = "avx2")]
    #[inline]
    fn zero() -> Sum {
        let zero = _mm256_setzero_si256();
        Sum { low: zero, middle: zero, high: zero }
    }

    /// Four blocks, the first of them XORed with `z`, by four powers. Its middle is short of
    /// low + high, which are added once for all blocks.
    #[target_feature(enable = "vpclmulqdq,pclmulqdq,avx2")]
    #[inline]
    fn karatsuba(
        blocks: &[[u8; 16]; 4],
        z: __m256i,
        powers: &[[u64; 2]; 4],
        middles: &[u64; 4],
    ) -> Sum {
        let [a, b] = blocks.as_chunks::<2>().0 else { return Sum::zero() };
        let [h, k] = powers.as_chunks::<2>().0 else { return Sum::zero() };
        let (a, b) = (reversed(pair_of_blocks(a)), reversed(pair_of_blocks(b)));
        let (h, k) = (pair(h), pair(k));
        // SAFETY: 32 bytes are read through a reference to 32 bytes.
        let m = unsafe { _mm256_loadu_si256(middles.as_ptr().cast()) };
        let a = _mm256_xor_si256(a, z);
        Sum {
            low: _mm256_xor_si256(
                _mm256_clmulepi64_epi128::<0x00>(a, h),
                _mm256_clmulepi64_epi128::<0x00>(b, k),
            ),
            middle: _mm256_xor_si256(
                _mm256_clmulepi64_epi128::<0x00>(_mm256_xor_si256(a, swapped(a)), m),
                _mm256_clmulepi64_epi128::<0x10>(_mm256_xor_si256(b, swapped(b)), m),
            ),
            high: _mm256_xor_si256(
                _mm256_clmulepi64_epi128::<0x11>(a, h),
                _mm256_clmulepi64_epi128::<0x11>(b, k),
            ),
        }
    }

    /// Two blocks, four instructions.
    #[target_feature(enable = "vpclmulqdq,pclmulqdq,avx2")]
    #[inline]
    fn schoolbook(x: __m256i, h: __m256i) -> Sum {
        Sum {
            low: _mm256_clmulepi64_epi128::<0x00>(x, h),
            middle: _mm256_xor_si256(
                _mm256_clmulepi64_epi128::<0x01>(x, h),
                _mm256_clmulepi64_epi128::<0x10>(x, h),
            ),
            high: _mm256_clmulepi64_epi128::<0x11>(x, h),
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn add(&mut self, other: Sum) {
        self.low = _mm256_xor_si256(self.low, other.low);
        self.middle = _mm256_xor_si256(self.middle, other.middle);
        self.high = _mm256_xor_si256(self.high, other.high);
    }

    /// Both halves divided by y^128, as in `x86_clmul`, and added: the sum in the low half, zero
    /// in the high half.
    #[target_feature(enable = "vpclmulqdq,pclmulqdq,avx2")]
    #[inline]
    fn reduce(self) -> __m256i {
        let z = self.reduce_apart();
        _mm256_zextsi128_si256(_mm_xor_si128(
            _mm256_castsi256_si128(z),
            _mm256_extracti128_si256::<1>(z),
        ))
    }

    #[target_feature(enable = "vpclmulqdq,pclmulqdq,avx2")]
    #[inline]
    fn reduce_apart(self) -> __m256i {
        let g = _mm256_set1_epi64x(0xc2 << 56);
        let fold = _mm256_clmulepi64_epi128::<0x00>(self.low, g);
        let middle = _mm256_xor_si256(_mm256_xor_si256(self.middle, swapped(self.low)), fold);
        let fold = _mm256_clmulepi64_epi128::<0x00>(middle, g);
        _mm256_xor_si256(_mm256_xor_si256(self.high, swapped(middle)), fold)
    }
}

/// Elements in Montgomery form to their products in Montgomery form, each half by itself.
#[target_feature(enable = "vpclmulqdq,pclmulqdq,avx2")]
#[inline]
fn multiply(a: __m256i, b: __m256i) -> __m256i {
    Sum::schoolbook(a, b).reduce_apart()
}

/// The two words of each half exchanged.
#[target_feature(enable = "avx2")]
#[inline]
fn swapped(x: __m256i) -> __m256i {
    _mm256_shuffle_epi32::<0b01_00_11_10>(x)
}

/// Each half's bytes in the opposite order: blocks to big-endian integers and back.
#[target_feature(enable = "avx2")]
#[inline]
fn reversed(x: __m256i) -> __m256i {
    let order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(order))
}

#[target_feature(enable = "avx2")]
#[inline]
fn pair(words: &[[u64; 2]; 2]) -> __m256i {
    // SAFETY: 32 bytes are read through a reference to 32 bytes.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn set_pair(words: &mut [[u64; 2]; 2], value: __m256i) {
    // SAFETY: 32 bytes are written through a reference to 32 bytes.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), value) }
}

/// One element in the low half, zero in the high half.
#[target_feature(enable = "avx2")]
#[inline]
fn one(words: &[u64; 2]) -> __m256i {
    // SAFETY: 16 bytes are read through a reference to 16 bytes.
    _mm256_zextsi128_si256(unsafe { _mm_loadu_si128(words.as_ptr().cast()) })
}

#[target_feature(enable = "avx2")]
#[inline]
fn pair_of_blocks(blocks: &[[u8; 16]; 2]) -> __m256i {
    // SAFETY: 32 bytes are read through a reference to 32 bytes.
    unsafe { _mm256_loadu_si256(blocks.as_ptr().cast()) }
}

/// One block in the low half, zero in the high half.
#[target_feature(enable = "avx2")]
#[inline]
fn one_block(block: &[u8; 16]) -> __m256i {
    // SAFETY: 16 bytes are read through a reference to 16 bytes.
    _mm256_zextsi128_si256(unsafe { _mm_loadu_si128(block.as_ptr().cast()) })
}
