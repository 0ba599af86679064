//! AES with VAES on 256-bit registers, two blocks in each: x86-64. Intel SDM, VAESENC and its
//! family. For the modes whose blocks are independent; the others share the kernel of AES-NI.
//!
//! Round keys are the bytes of FIPS 197 (for decryption, of its equivalent inverse cipher,
//! first-used first); blocks are byte arrays of any alignment.
//!
//! Constant time: yes, VAESENC and its family take no time that depends on their operands.
//!
//! Sixteen blocks at a time, with the rounds in `asm!` as in the kernel of AES-NI, for the same
//! reason. Eight registers are what a core with two AES units of latency 3 or 4 asks for. What
//! is left of a call goes by eight, four and two blocks, and the odd one on 128 bits.

use super::x86_ni::{CBC_DECRYPT, CFB_DECRYPT, CTR, DECRYPT, ENCRYPT, load as load_block};
use super::x86_ni::{reverse as reverse_block, step as step_block, store as store_block};
use crate::Depth;
use cinder_cpu::x86::Vaes;
use core::arch::x86_64::*;

#[inline(always)]
pub(super) fn encrypt_blocks(_: Vaes, keys: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
    // SAFETY: the token proves vaes, avx2 and aes.
    unsafe { run::<ENCRYPT>(keys, &mut [0; 16], blocks) }
}

#[inline(always)]
pub(super) fn decrypt_blocks(_: Vaes, keys: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
    // SAFETY: the token proves vaes, avx2 and aes.
    unsafe { run::<DECRYPT>(keys, &mut [0; 16], blocks) }
}

#[inline(always)]
pub(super) fn ctr_xor(
    _: Vaes,
    keys: &[[u8; 16]],
    counter: &mut [u8; 16],
    data: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves vaes, avx2 and aes.
    unsafe { run::<CTR>(keys, counter, data) }
}

#[inline(always)]
pub(super) fn cbc_decrypt(
    _: Vaes,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves vaes, avx2 and aes.
    unsafe { run::<CBC_DECRYPT>(keys, chain, blocks) }
}

#[inline(always)]
pub(super) fn cfb_decrypt(
    _: Vaes,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves vaes, avx2 and aes.
    unsafe { run::<CFB_DECRYPT>(keys, chain, blocks) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: 32 bytes are readable there, and the load is for any alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(bytes: &mut [u8; 32], value: __m256i) {
    // SAFETY: 32 bytes are writable there, and the store is for any alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), value) }
}

/// A round key in both halves.
#[inline]
#[target_feature(enable = "avx2")]
fn twice(key: &[u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(load_block(key))
}

/// The ciphertext blocks one before pair `i`: the end of the pair before it and the beginning of
/// pair `i` itself. Before the first pair stands `register`.
#[inline]
#[target_feature(enable = "avx2")]
fn load_before<const W: usize>(pairs: &[[u8; 32]; W], i: usize, register: __m128i) -> __m256i {
    let bytes = pairs.as_flattened();
    if let Some(shifted) = (32 * i).checked_sub(16).and_then(|at| bytes.get(at..)?.first_chunk()) {
        load(shifted)
    } else {
        let first = bytes.first_chunk().map_or(_mm_setzero_si128(), |block| load_block(block));
        _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(register), first)
    }
}

/// The rounds after the first AddRoundKey, on `W` pairs of blocks.
#[inline]
#[target_feature(enable = "vaes,avx2,aes")]
fn rounds<const INVERSE: bool, const W: usize>(
    middle: &[[u8; 16]],
    last: &[u8; 16],
    state: &mut [__m256i; W],
) {
    /// One pass over the middle keys and the last one, with these two instructions.
    macro_rules! eight {
        ($round:literal, $last:literal, $state:ident) => {{
            let [a, b, c, d, e, f, g, h] = $state;
            // Typed: for `_` rustc picks a type of its own, which with AVX512-FP16 for the whole
            // crate gets no vector register (1.95).
            let _key: __m256i;
            // SAFETY: reads `middle`, which is not empty, and `last`; the token of the callers
            // proves vaes and avx2.
            unsafe {
                core::arch::asm!(
                    "2:",
                    "vbroadcasti128 {k}, xmmword ptr [{key}]",
                    "add {key}, 16",
                    concat!($round, " {a}, {a}, {k}"), concat!($round, " {b}, {b}, {k}"),
                    concat!($round, " {c}, {c}, {k}"), concat!($round, " {d}, {d}, {k}"),
                    concat!($round, " {e}, {e}, {k}"), concat!($round, " {f}, {f}, {k}"),
                    concat!($round, " {g}, {g}, {k}"), concat!($round, " {h}, {h}, {k}"),
                    "cmp {key}, {end}",
                    "jne 2b",
                    "vbroadcasti128 {k}, xmmword ptr [{last}]",
                    concat!($last, " {a}, {a}, {k}"), concat!($last, " {b}, {b}, {k}"),
                    concat!($last, " {c}, {c}, {k}"), concat!($last, " {d}, {d}, {k}"),
                    concat!($last, " {e}, {e}, {k}"), concat!($last, " {f}, {f}, {k}"),
                    concat!($last, " {g}, {g}, {k}"), concat!($last, " {h}, {h}, {k}"),
                    key = inout(reg) middle.as_ptr() => _,
                    end = in(reg) middle.as_ptr_range().end,
                    last = in(reg) last,
                    k = out(ymm_reg) _key,
                    a = inout(ymm_reg) *a, b = inout(ymm_reg) *b,
                    c = inout(ymm_reg) *c, d = inout(ymm_reg) *d,
                    e = inout(ymm_reg) *e, f = inout(ymm_reg) *f,
                    g = inout(ymm_reg) *g, h = inout(ymm_reg) *h,
                    options(pure, readonly, nostack),
                );
            }
        }};
    }

    if let Ok(state) = <&mut [__m256i; 8]>::try_from(&mut state[..]) {
        if INVERSE {
            eight!("vaesdec", "vaesdeclast", state)
        } else {
            eight!("vaesenc", "vaesenclast", state)
        }
        return;
    }

    for key in middle {
        let key = twice(key);
        for s in state.iter_mut() {
            *s =
                if INVERSE { _mm256_aesdec_epi128(*s, key) } else { _mm256_aesenc_epi128(*s, key) };
        }
    }
    let key = twice(last);
    for s in state.iter_mut() {
        *s = if INVERSE {
            _mm256_aesdeclast_epi128(*s, key)
        } else {
            _mm256_aesenclast_epi128(*s, key)
        };
    }
}

/// Does `OP` to `W` pairs of blocks. `register` is the chaining value, or the counter, reversed.
#[inline]
#[target_feature(enable = "vaes,avx2,aes")]
fn step<const OP: u8, const W: usize>(
    keys: &[[u8; 16]],
    register: &mut __m128i,
    pairs: &mut [[u8; 32]; W],
) -> Depth {
    let [first, middle @ .., last] = keys else { return Depth::NONE };
    let first = twice(first);
    let mut state = [first; W];
    let mut counters = _mm256_add_epi32(
        _mm256_broadcastsi128_si256(*register),
        _mm256_set_epi32(0, 0, 0, 1, 0, 0, 0, 0),
    );
    for (i, s) in state.iter_mut().enumerate() {
        let input = match OP {
            CTR => {
                let input = _mm256_shuffle_epi8(
                    counters,
                    _mm256_broadcastsi128_si256(_mm_set_epi8(
                        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                    )),
                );
                counters = _mm256_add_epi32(counters, _mm256_set_epi32(0, 0, 0, 2, 0, 0, 0, 2));
                input
            }
            CFB_DECRYPT => load_before(pairs, i, *register),
            _ => load(&pairs[i]),
        };
        *s = _mm256_xor_si256(*s, input);
    }
    match OP {
        DECRYPT | CBC_DECRYPT => rounds::<true, W>(middle, last, &mut state),
        _ => rounds::<false, W>(middle, last, &mut state),
    }
    let former = *register;
    match OP {
        CTR => *register = _mm256_castsi256_si128(counters),
        CBC_DECRYPT | CFB_DECRYPT => {
            if let Some(last) = pairs.as_flattened().last_chunk() {
                *register = load_block(last);
            }
        }
        _ => {}
    }
    // From the last pair to the first: CBC still reads the ciphertext before the pair that it
    // writes.
    for (i, s) in state.iter().enumerate().rev() {
        let output = match OP {
            CTR | CFB_DECRYPT => _mm256_xor_si256(*s, load(&pairs[i])),
            CBC_DECRYPT => _mm256_xor_si256(*s, load_before(pairs, i, former)),
            _ => *s,
        };
        store(&mut pairs[i], output);
    }
    Depth::here()
}

/// The modes whose blocks are independent, for any count of blocks.
#[inline(never)]
#[target_feature(enable = "vaes,avx2,aes")]
fn run<const OP: u8>(keys: &[[u8; 16]], register: &mut [u8; 16], blocks: &mut [[u8; 16]]) -> Depth {
    let mut depth = Depth::here();
    let mut value = load_block(register);
    if OP == CTR {
        value = reverse_block(value);
    }
    let (pairs, odd) = blocks.as_flattened_mut().as_chunks_mut::<32>();
    let (wide, pairs) = pairs.as_chunks_mut::<8>();
    for pairs in wide {
        depth = depth.max(step::<OP, 8>(keys, &mut value, pairs));
    }
    let (wide, pairs) = pairs.as_chunks_mut::<4>();
    for pairs in wide {
        depth = depth.max(step::<OP, 4>(keys, &mut value, pairs));
    }
    let (wide, pairs) = pairs.as_chunks_mut::<2>();
    for pairs in wide {
        depth = depth.max(step::<OP, 2>(keys, &mut value, pairs));
    }
    for pair in pairs.as_chunks_mut::<1>().0 {
        depth = depth.max(step::<OP, 1>(keys, &mut value, pair));
    }
    for block in odd.as_chunks_mut::<16>().0.as_chunks_mut::<1>().0 {
        depth = depth.max(step_block::<OP, 1>(keys, &mut value, block));
    }
    if OP == CTR {
        value = reverse_block(value);
    }
    store_block(register, value);
    depth
}
