//! AES with VAES on 512-bit registers, four blocks in each: x86-64 with AVX-512. Intel SDM,
//! VAESENC and its family. For the modes whose blocks are independent; the others share the
//! kernel of AES-NI.
//!
//! Round keys are the bytes of FIPS 197 (for decryption, of its equivalent inverse cipher,
//! first-used first); blocks are byte arrays of any alignment.
//!
//! Constant time: yes, VAESENC and its family take no time that depends on their operands. The
//! masks depend on the number of blocks.
//!
//! As the 256-bit kernel, 32 blocks at a time, then 16, 8 and 4; a mask cuts the last register
//! to the blocks that are left.

use super::x86_ni::{CBC_DECRYPT, CFB_DECRYPT, CTR, DECRYPT, ENCRYPT};
use super::x86_ni::{load as load_block, reverse as reverse_block, store as store_block};
use crate::Depth;
use cinder_cpu::x86::Vaes512;
use core::arch::x86_64::*;

#[inline(always)]
pub(super) fn encrypt_blocks(_: Vaes512, keys: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
    // SAFETY: the token proves vaes, aes, avx512f, avx512vl, avx512bw and avx512dq.
    unsafe { run::<ENCRYPT>(keys, &mut [0; 16], blocks) }
}

#[inline(always)]
pub(super) fn decrypt_blocks(_: Vaes512, keys: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
    // SAFETY: the token proves vaes, aes, avx512f, avx512vl, avx512bw and avx512dq.
    unsafe { run::<DECRYPT>(keys, &mut [0; 16], blocks) }
}

#[inline(always)]
pub(super) fn ctr_xor(
    _: Vaes512,
    keys: &[[u8; 16]],
    counter: &mut [u8; 16],
    data: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves vaes, aes, avx512f, avx512vl, avx512bw and avx512dq.
    unsafe { run::<CTR>(keys, counter, data) }
}

#[inline(always)]
pub(super) fn cbc_decrypt(
    _: Vaes512,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves vaes, aes, avx512f, avx512vl, avx512bw and avx512dq.
    unsafe { run::<CBC_DECRYPT>(keys, chain, blocks) }
}

#[inline(always)]
pub(super) fn cfb_decrypt(
    _: Vaes512,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves vaes, aes, avx512f, avx512vl, avx512bw and avx512dq.
    unsafe { run::<CFB_DECRYPT>(keys, chain, blocks) }
}

/// Two 64-bit lanes for each block that is there, up to four.
#[inline]
fn mask(blocks: &[[u8; 16]]) -> __mmask8 {
    match blocks.len() {
        0 => 0,
        1 => 0x03,
        2 => 0x0f,
        3 => 0x3f,
        _ => 0xff,
    }
}

/// Up to four blocks, then zeros.
#[inline]
#[target_feature(enable = "avx512f")]
fn load(blocks: &[[u8; 16]]) -> __m512i {
    // SAFETY: the mask lets the load touch those bytes only that the slice has.
    unsafe { _mm512_maskz_loadu_epi64(mask(blocks), blocks.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(blocks: &mut [[u8; 16]], value: __m512i) {
    // SAFETY: the mask lets the store touch those bytes only that the slice has.
    unsafe { _mm512_mask_storeu_epi64(blocks.as_mut_ptr().cast(), mask(blocks), value) }
}

/// A round key in all four lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn four_times(key: &[u8; 16]) -> __m512i {
    _mm512_broadcast_i32x4(load_block(key))
}

/// The rounds after the first AddRoundKey, on `W` registers.
#[inline]
#[target_feature(enable = "vaes,avx512f,aes")]
fn rounds<const INVERSE: bool, const W: usize>(
    middle: &[[u8; 16]],
    last: &[u8; 16],
    state: &mut [__m512i; W],
) {
    /// One pass over the middle keys and the last one, with these two instructions.
    macro_rules! eight {
        ($round:literal, $last:literal, $state:ident) => {{
            let [a, b, c, d, e, f, g, h] = $state;
            // Typed: for `_` rustc picks a type of its own, which with AVX512-FP16 for the whole
            // crate gets no vector register (1.95).
            let _key: __m512i;
            // SAFETY: reads `middle`, which is not empty, and `last`; the token of the callers
            // proves vaes and avx512f.
            unsafe {
                core::arch::asm!(
                    "2:",
                    "vbroadcasti32x4 {k}, xmmword ptr [{key}]",
                    "add {key}, 16",
                    concat!($round, " {a}, {a}, {k}"), concat!($round, " {b}, {b}, {k}"),
                    concat!($round, " {c}, {c}, {k}"), concat!($round, " {d}, {d}, {k}"),
                    concat!($round, " {e}, {e}, {k}"), concat!($round, " {f}, {f}, {k}"),
                    concat!($round, " {g}, {g}, {k}"), concat!($round, " {h}, {h}, {k}"),
                    "cmp {key}, {end}",
                    "jne 2b",
                    "vbroadcasti32x4 {k}, xmmword ptr [{last}]",
                    concat!($last, " {a}, {a}, {k}"), concat!($last, " {b}, {b}, {k}"),
                    concat!($last, " {c}, {c}, {k}"), concat!($last, " {d}, {d}, {k}"),
                    concat!($last, " {e}, {e}, {k}"), concat!($last, " {f}, {f}, {k}"),
                    concat!($last, " {g}, {g}, {k}"), concat!($last, " {h}, {h}, {k}"),
                    key = inout(reg) middle.as_ptr() => _,
                    end = in(reg) middle.as_ptr_range().end,
                    last = in(reg) last,
                    k = out(zmm_reg) _key,
                    a = inout(zmm_reg) *a, b = inout(zmm_reg) *b,
                    c = inout(zmm_reg) *c, d = inout(zmm_reg) *d,
                    e = inout(zmm_reg) *e, f = inout(zmm_reg) *f,
                    g = inout(zmm_reg) *g, h = inout(zmm_reg) *h,
                    options(pure, readonly, nostack),
                );
            }
        }};
    }

    if let Ok(state) = <&mut [__m512i; 8]>::try_from(&mut state[..]) {
        if INVERSE {
            eight!("vaesdec", "vaesdeclast", state)
        } else {
            eight!("vaesenc", "vaesenclast", state)
        }
        return;
    }

    for key in middle {
        let key = four_times(key);
        for s in state.iter_mut() {
            *s =
                if INVERSE { _mm512_aesdec_epi128(*s, key) } else { _mm512_aesenc_epi128(*s, key) };
        }
    }
    let key = four_times(last);
    for s in state.iter_mut() {
        *s = if INVERSE {
            _mm512_aesdeclast_epi128(*s, key)
        } else {
            _mm512_aesenclast_epi128(*s, key)
        };
    }
}

/// Does `OP` to up to 4·`W` blocks. `register` is the chaining value, or the counter, reversed.
#[inline]
#[target_feature(enable = "vaes,avx512f,avx512bw,aes,ssse3")]
fn step<const OP: u8, const W: usize>(
    keys: &[[u8; 16]],
    register: &mut __m128i,
    blocks: &mut [[u8; 16]],
) -> Depth {
    let [first, middle @ .., last] = keys else { return Depth::NONE };
    let first = four_times(first);
    let mut data = [_mm512_setzero_si512(); W];
    for (data, blocks) in data.iter_mut().zip(blocks.chunks(4)) {
        *data = load(blocks);
    }
    // For each block the ciphertext block before it; before the first stands `register`.
    let mut before = data;
    let mut carry = _mm512_broadcast_i32x4(*register);
    for (before, &data) in before.iter_mut().zip(&data) {
        *before = _mm512_alignr_epi64::<6>(data, carry);
        carry = data;
    }

    let mut state = [first; W];
    let mut counters = _mm512_add_epi32(
        _mm512_broadcast_i32x4(*register),
        _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0),
    );
    for (i, s) in state.iter_mut().enumerate() {
        let input = match OP {
            CTR => {
                let reversed = _mm512_shuffle_epi8(
                    counters,
                    _mm512_broadcast_i32x4(_mm_set_epi8(
                        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                    )),
                );
                counters =
                    _mm512_add_epi32(counters, _mm512_broadcast_i32x4(_mm_set_epi32(0, 0, 0, 4)));
                reversed
            }
            CFB_DECRYPT => before[i],
            _ => data[i],
        };
        *s = _mm512_xor_si512(*s, input);
    }
    match OP {
        DECRYPT | CBC_DECRYPT => rounds::<true, W>(middle, last, &mut state),
        _ => rounds::<false, W>(middle, last, &mut state),
    }
    match OP {
        CTR => {
            let count = _mm_cvtsi32_si128(blocks.len() as i32);
            *register = _mm_add_epi32(*register, count);
        }
        CBC_DECRYPT | CFB_DECRYPT => {
            if let Some(last) = blocks.last() {
                *register = load_block(last);
            }
        }
        _ => {}
    }
    for (i, (&s, blocks)) in state.iter().zip(blocks.chunks_mut(4)).enumerate() {
        let output = match OP {
            CTR | CFB_DECRYPT => _mm512_xor_si512(s, data[i]),
            CBC_DECRYPT => _mm512_xor_si512(s, before[i]),
            _ => s,
        };
        store(blocks, output);
    }
    Depth::here()
}

/// The modes whose blocks are independent, for any count of blocks.
#[inline(never)]
#[target_feature(enable = "vaes,avx512f,avx512bw,aes,ssse3")]
fn run<const OP: u8>(keys: &[[u8; 16]], register: &mut [u8; 16], blocks: &mut [[u8; 16]]) -> Depth {
    let mut depth = Depth::here();
    let mut value = load_block(register);
    if OP == CTR {
        value = reverse_block(value);
    }
    let (wide, blocks) = blocks.as_chunks_mut::<32>();
    for blocks in wide {
        depth = depth.max(step::<OP, 8>(keys, &mut value, blocks));
    }
    let (wide, blocks) = blocks.as_chunks_mut::<16>();
    for blocks in wide {
        depth = depth.max(step::<OP, 4>(keys, &mut value, blocks));
    }
    let (wide, blocks) = blocks.as_chunks_mut::<8>();
    for blocks in wide {
        depth = depth.max(step::<OP, 2>(keys, &mut value, blocks));
    }
    for blocks in blocks.chunks_mut(4) {
        depth = depth.max(step::<OP, 1>(keys, &mut value, blocks));
    }
    if OP == CTR {
        value = reverse_block(value);
    }
    store_block(register, value);
    depth
}
