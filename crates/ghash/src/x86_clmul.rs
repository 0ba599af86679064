//! GHASH (SP 800-38D, section 6.4) by PCLMULQDQ on 128-bit registers.
//!
//! Constant time: yes. The instruction's time does not depend on its operands, and nothing else
//! does.
//!
//! Eight blocks for each reduction, with the powers H^8 … H; each block costs three products by
//! Karatsuba, whose middle operand of the key is stored. A tail of up to seven blocks is one
//! reduction too; it multiplies as schoolbooks do, which is shorter in latency.
//!
//! Elements 8 to 15 are H^8 … H^1, so that n blocks go with the last n of them. Middles
//! correspond to elements, one to one.

use crate::{Depth, Elements, load, times_y};
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Blocks for each reduction.
const WIDE: usize = 8;

#[inline(always)]
pub(crate) fn expand(
    _proof: cinder_cpu::x86::Clmul,
    h: &[u8; 16],
    elements: &mut Elements,
    middles: &mut [u64; 16],
) -> Depth {
    // SAFETY: the token proves pclmulqdq, ssse3 and sse4.1.
    unsafe { expand_clmul(h, elements, middles) }
}

#[inline(always)]
pub(crate) fn update(
    _proof: cinder_cpu::x86::Clmul,
    elements: &Elements,
    middles: &[u64; 16],
    y: &mut [u8; 16],
    blocks: &[[u8; 16]],
) -> Depth {
    // SAFETY: the token proves pclmulqdq, ssse3 and sse4.1.
    unsafe { update_clmul(elements, middles, y, blocks) }
}

#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
#[inline(never)]
fn expand_clmul(h: &[u8; 16], elements: &mut Elements, middles: &mut [u64; 16]) -> Depth {
    elements[15] = times_y(load(h));
    let h1 = element(&elements[15]);
    let h2 = multiply(h1, h1);
    let h3 = multiply(h2, h1);
    let h4 = multiply(h2, h2);
    for (i, power) in [h1, h2, h3, h4].into_iter().enumerate() {
        set_element(&mut elements[15 - i], power);
        set_element(&mut elements[11 - i], multiply(power, h4));
    }
    for (middle, [low, high]) in middles.iter_mut().zip(&*elements) {
        *middle = low ^ high;
    }
    Depth::here()
}

#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
#[inline(never)]
fn update_clmul(
    elements: &Elements,
    middles: &[u64; 16],
    y: &mut [u8; 16],
    blocks: &[[u8; 16]],
) -> Depth {
    let mut z = block(y);
    let (groups, tail) = blocks.as_chunks::<WIDE>();
    for group in groups {
        z = _mm_xor_si128(z, block(&group[0]));
        let mut sum = Sum::karatsuba(z, element(&elements[8]), middle(&middles[8]));
        for i in 1..WIDE {
            let x = block(&group[i]);
            sum.add(Sum::karatsuba(x, element(&elements[8 + i]), middle(&middles[8 + i])));
        }
        sum.middle = _mm_xor_si128(sum.middle, _mm_xor_si128(sum.low, sum.high));
        z = sum.reduce();
    }
    if let Some((first, rest)) = tail.split_first() {
        let powers = &elements[16 - tail.len()..];
        z = _mm_xor_si128(z, block(first));
        let mut sum = Sum::schoolbook(z, element(&powers[0]));
        for (x, power) in rest.iter().zip(&powers[1..]) {
            sum.add(Sum::schoolbook(block(x), element(power)));
        }
        z = sum.reduce();
    }
    set_block(y, z);
    Depth::here()
}

/// Products not yet reduced: low + middle · y^64 + high · y^128.
pub(crate) struct Sum {
    low: __m128i,
    middle: __m128i,
    high: __m128i,
}

impl Sum {
    /// Three products; its middle is short of low + high, which are added once for all blocks.
    #[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
    #[inline]
    fn karatsuba(x: __m128i, h: __m128i, h_middle: __m128i) -> Sum {
        let x_middle = _mm_xor_si128(x, _mm_shuffle_epi32::<0b01_00_11_10>(x));
        Sum {
            low: _mm_clmulepi64_si128::<0x00>(x, h),
            middle: _mm_clmulepi64_si128::<0x00>(x_middle, h_middle),
            high: _mm_clmulepi64_si128::<0x11>(x, h),
        }
    }

    /// Four products.
    #[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
    #[inline]
    pub(crate) fn schoolbook(x: __m128i, h: __m128i) -> Sum {
        Sum {
            low: _mm_clmulepi64_si128::<0x00>(x, h),
            middle: _mm_xor_si128(
                _mm_clmulepi64_si128::<0x01>(x, h),
                _mm_clmulepi64_si128::<0x10>(x, h),
            ),
            high: _mm_clmulepi64_si128::<0x11>(x, h),
        }
    }

    #[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
    #[inline]
    fn add(&mut self, other: Sum) {
        self.low = _mm_xor_si128(self.low, other.low);
        self.middle = _mm_xor_si128(self.middle, other.middle);
        self.high = _mm_xor_si128(self.high, other.high);
    }

    /// The sum divided by y^128, as derived at the head of the crate.
    ///
    /// The middle product straddles: its low word belongs to w1, its high word to w2. Instead of
    /// shifting it into place, w0 is folded into it first:
    ///
    /// ```text
    /// middle += swap(low) + w0 · 0xc2<<56     (swap: low's w1 joins the middle's low word, and
    /// high   += swap(middle) + w1 · 0xc2<<56   w0, which is w0 · y^128, its high word)
    /// ```
    #[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
    #[inline]
    pub(crate) fn reduce(self) -> __m128i {
        let g = _mm_set_epi32(0, 0, 0xc200_0000_u32 as i32, 0);
        let fold = _mm_clmulepi64_si128::<0x00>(self.low, g);
        let swapped = _mm_shuffle_epi32::<0b01_00_11_10>(self.low);
        let middle = _mm_xor_si128(_mm_xor_si128(self.middle, swapped), fold);
        let fold = _mm_clmulepi64_si128::<0x00>(middle, g);
        let swapped = _mm_shuffle_epi32::<0b01_00_11_10>(middle);
        _mm_xor_si128(_mm_xor_si128(self.high, swapped), fold)
    }
}

/// Two elements in Montgomery form to their product in Montgomery form.
#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
#[inline]
fn multiply(a: __m128i, b: __m128i) -> __m128i {
    Sum::schoolbook(a, b).reduce()
}

#[target_feature(enable = "sse2")]
#[inline]
fn element(words: &[u64; 2]) -> __m128i {
    // SAFETY: 16 bytes are read through a reference to 16 bytes.
    unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
}

#[target_feature(enable = "sse2")]
#[inline]
fn set_element(words: &mut [u64; 2], value: __m128i) {
    // SAFETY: 16 bytes are written through a reference to 16 bytes.
    unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "sse2")]
#[inline]
fn middle(word: &u64) -> __m128i {
    // SAFETY: 8 bytes are read through a reference to 8 bytes.
    unsafe { _mm_loadl_epi64(core::ptr::from_ref(word).cast()) }
}

/// A block as a big-endian integer.
#[target_feature(enable = "ssse3")]
#[inline]
fn block(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: 16 bytes are read through a reference to 16 bytes.
    let x = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
    reversed(x)
}

#[target_feature(enable = "ssse3")]
#[inline]
fn set_block(bytes: &mut [u8; 16], value: __m128i) {
    // SAFETY: 16 bytes are written through a reference to 16 bytes.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), reversed(value)) }
}

#[target_feature(enable = "ssse3")]
#[inline]
fn reversed(x: __m128i) -> __m128i {
    let order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm_shuffle_epi8(x, order)
}
