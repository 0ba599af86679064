//! AES with AES-NI on 128-bit registers: x86 and x86-64. Intel SDM, AESENC and its family.
//!
//! Round keys are the bytes of FIPS 197 (for decryption, of its equivalent inverse cipher,
//! first-used first); blocks are byte arrays of any alignment.
//!
//! Constant time: yes, AESENC and its family take no time that depends on their operands.
//!
//! Eight blocks at a time, with the rounds in `asm!`: left to itself LLVM reorders eight
//! interleaved chains into eight chains one after the other. What is left of a call goes by
//! four, two and one; those short runs of independent rounds overlap in the CPU by themselves.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use crate::Depth;
use cinder_cpu::x86::AesNi;

// What `run` does to each block.
pub(super) const ENCRYPT: u8 = 0;
pub(super) const DECRYPT: u8 = 1;
pub(super) const CTR: u8 = 2;
pub(super) const CBC_DECRYPT: u8 = 3;
pub(super) const CFB_DECRYPT: u8 = 4;

// What `chain` does to each block.
const CBC_ENCRYPT: u8 = 5;
const CFB_ENCRYPT: u8 = 6;
const OFB: u8 = 7;

#[inline(always)]
pub(super) fn encrypt_blocks(_: AesNi, keys: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { run::<ENCRYPT>(keys, &mut [0; 16], blocks) }
}

#[inline(always)]
pub(super) fn decrypt_blocks(_: AesNi, keys: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { run::<DECRYPT>(keys, &mut [0; 16], blocks) }
}

#[inline(always)]
pub(super) fn ctr_xor(
    _: AesNi,
    keys: &[[u8; 16]],
    counter: &mut [u8; 16],
    data: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { run::<CTR>(keys, counter, data) }
}

#[inline(always)]
pub(super) fn cbc_decrypt(
    _: AesNi,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { run::<CBC_DECRYPT>(keys, chain, blocks) }
}

#[inline(always)]
pub(super) fn cfb_decrypt(
    _: AesNi,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { run::<CFB_DECRYPT>(keys, chain, blocks) }
}

#[inline(always)]
pub(super) fn encrypt_block<const N: usize>(
    _: AesNi,
    keys: &[[u8; 16]; N],
    block: &mut [u8; 16],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { one::<false, N>(keys, block) }
}

#[inline(always)]
pub(super) fn decrypt_block<const N: usize>(
    _: AesNi,
    keys: &[[u8; 16]; N],
    block: &mut [u8; 16],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { one::<true, N>(keys, block) }
}

#[inline(always)]
pub(super) fn cbc_encrypt<const N: usize>(
    _: AesNi,
    keys: &[[u8; 16]; N],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { self::chain::<CBC_ENCRYPT, N>(keys, chain, blocks) }
}

#[inline(always)]
pub(super) fn cfb_encrypt<const N: usize>(
    _: AesNi,
    keys: &[[u8; 16]; N],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { self::chain::<CFB_ENCRYPT, N>(keys, chain, blocks) }
}

#[inline(always)]
pub(super) fn ofb_xor<const N: usize>(
    _: AesNi,
    keys: &[[u8; 16]; N],
    chain: &mut [u8; 16],
    data: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { self::chain::<OFB, N>(keys, chain, data) }
}

/// The key schedule of FIPS 197, 5.2. `key` has 16, 24 or 32 bytes, and `N`, the number of round
/// keys, goes with it.
#[inline(always)]
pub(super) fn expand<const N: usize>(_: AesNi, key: &[u8], keys: &mut [[u8; 16]; N]) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { self::schedule::expand(key, keys) }
}

/// The round keys of the equivalent inverse cipher, FIPS 197, 5.3.5, in the order of their use.
#[inline(always)]
pub(super) fn invert<const N: usize>(
    _: AesNi,
    keys: &[[u8; 16]; N],
    inverse: &mut [[u8; 16]; N],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { self::schedule::invert(keys, inverse) }
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn load(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: 16 bytes are readable there, and the load is for any alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn store(bytes: &mut [u8; 16], value: __m128i) {
    // SAFETY: 16 bytes are writable there, and the store is for any alignment.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), value) }
}

/// Reverses the bytes, so that the counter of CTR, the last four bytes, big endian, becomes the
/// lowest 32-bit lane.
#[inline]
#[target_feature(enable = "ssse3")]
pub(super) fn reverse(x: __m128i) -> __m128i {
    _mm_shuffle_epi8(x, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
}

/// The rounds after the first AddRoundKey, on `W` blocks.
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn rounds<const INVERSE: bool, const W: usize>(
    middle: &[[u8; 16]],
    last: &[u8; 16],
    state: &mut [__m128i; W],
) {
    /// One pass over the middle keys and the last one, with these two instructions.
    #[cfg(target_arch = "x86_64")]
    macro_rules! eight {
        ($round:literal, $last:literal, $state:ident) => {{
            let [a, b, c, d, e, f, g, h] = $state;
            // Typed: for `_` rustc picks a type of its own, which with AVX512-FP16 for the whole
            // crate gets no vector register (1.95).
            let _key: __m128i;
            // SAFETY: reads `middle`, which is not empty, and `last`; the token of the callers
            // proves aes.
            unsafe {
                core::arch::asm!(
                    "2:",
                    "movups {k}, [{key}]",
                    "add {key}, 16",
                    concat!($round, " {a}, {k}"), concat!($round, " {b}, {k}"),
                    concat!($round, " {c}, {k}"), concat!($round, " {d}, {k}"),
                    concat!($round, " {e}, {k}"), concat!($round, " {f}, {k}"),
                    concat!($round, " {g}, {k}"), concat!($round, " {h}, {k}"),
                    "cmp {key}, {end}",
                    "jne 2b",
                    "movups {k}, [{last}]",
                    concat!($last, " {a}, {k}"), concat!($last, " {b}, {k}"),
                    concat!($last, " {c}, {k}"), concat!($last, " {d}, {k}"),
                    concat!($last, " {e}, {k}"), concat!($last, " {f}, {k}"),
                    concat!($last, " {g}, {k}"), concat!($last, " {h}, {k}"),
                    key = inout(reg) middle.as_ptr() => _,
                    end = in(reg) middle.as_ptr_range().end,
                    last = in(reg) last,
                    k = out(xmm_reg) _key,
                    a = inout(xmm_reg) *a, b = inout(xmm_reg) *b,
                    c = inout(xmm_reg) *c, d = inout(xmm_reg) *d,
                    e = inout(xmm_reg) *e, f = inout(xmm_reg) *f,
                    g = inout(xmm_reg) *g, h = inout(xmm_reg) *h,
                    options(pure, readonly, nostack),
                );
            }
        }};
    }

    #[cfg(target_arch = "x86_64")]
    if let Ok(state) = <&mut [__m128i; 8]>::try_from(&mut state[..]) {
        if INVERSE {
            eight!("aesdec", "aesdeclast", state)
        } else {
            eight!("aesenc", "aesenclast", state)
        }
        return;
    }

    for key in middle {
        let key = load(key);
        for s in state.iter_mut() {
            *s = if INVERSE { _mm_aesdec_si128(*s, key) } else { _mm_aesenc_si128(*s, key) };
        }
    }
    let key = load(last);
    for s in state.iter_mut() {
        *s = if INVERSE { _mm_aesdeclast_si128(*s, key) } else { _mm_aesenclast_si128(*s, key) };
    }
}

/// Does `OP` to `W` blocks. `register` is the chaining value, or the counter, reversed.
#[inline]
#[target_feature(enable = "aes,ssse3,sse4.1")]
pub(super) fn step<const OP: u8, const W: usize>(
    keys: &[[u8; 16]],
    register: &mut __m128i,
    blocks: &mut [[u8; 16]; W],
) -> Depth {
    let [first, middle @ .., last] = keys else { return Depth::NONE };
    let first = load(first);
    let mut state = [first; W];
    for (i, s) in state.iter_mut().enumerate() {
        let input = match OP {
            CTR => {
                let counter = *register;
                *register = _mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, 1));
                reverse(counter)
            }
            CFB_DECRYPT if i == 0 => *register,
            CFB_DECRYPT => load(&blocks[i - 1]),
            _ => load(&blocks[i]),
        };
        *s = _mm_xor_si128(*s, input);
    }
    match OP {
        DECRYPT | CBC_DECRYPT => rounds::<true, W>(middle, last, &mut state),
        _ => rounds::<false, W>(middle, last, &mut state),
    }
    let former = *register;
    if let (CBC_DECRYPT | CFB_DECRYPT, Some(last)) = (OP, blocks.last()) {
        *register = load(last);
    }
    // From the last block to the first: CBC still reads the ciphertext before the block that it
    // writes.
    for (i, s) in state.iter().enumerate().rev() {
        let output = match OP {
            CTR | CFB_DECRYPT => _mm_xor_si128(*s, load(&blocks[i])),
            CBC_DECRYPT if i == 0 => _mm_xor_si128(*s, former),
            CBC_DECRYPT => _mm_xor_si128(*s, load(&blocks[i - 1])),
            _ => *s,
        };
        store(&mut blocks[i], output);
    }
    Depth::here()
}

/// The modes whose blocks are independent, for any count of blocks.
#[inline(never)]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn run<const OP: u8>(keys: &[[u8; 16]], register: &mut [u8; 16], blocks: &mut [[u8; 16]]) -> Depth {
    let mut depth = Depth::here();
    let mut value = load(register);
    if OP == CTR {
        value = reverse(value);
    }
    #[cfg(target_arch = "x86_64")]
    let blocks = {
        let (wide, rest) = blocks.as_chunks_mut::<8>();
        for blocks in wide {
            depth = depth.max(step::<OP, 8>(keys, &mut value, blocks));
        }
        rest
    };
    let (wide, blocks) = blocks.as_chunks_mut::<4>();
    for blocks in wide {
        depth = depth.max(step::<OP, 4>(keys, &mut value, blocks));
    }
    let (wide, blocks) = blocks.as_chunks_mut::<2>();
    for blocks in wide {
        depth = depth.max(step::<OP, 2>(keys, &mut value, blocks));
    }
    for block in blocks.as_chunks_mut::<1>().0 {
        depth = depth.max(step::<OP, 1>(keys, &mut value, block));
    }
    if OP == CTR {
        value = reverse(value);
    }
    store(register, value);
    depth
}

/// One block, with the rounds unrolled.
#[inline(never)]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn one<const INVERSE: bool, const N: usize>(keys: &[[u8; 16]; N], block: &mut [u8; 16]) -> Depth {
    let mut state = [_mm_xor_si128(load(&keys[0]), load(block))];
    rounds::<INVERSE, 1>(&keys[1..N - 1], &keys[N - 1], &mut state);
    store(block, state[0]);
    Depth::here()
}

/// The modes in which a block waits for the one before it.
///
/// With X_j the cipher's input for block j, the chain runs through s_j = X_j ⊕ K_0. What joins
/// two blocks goes into the last round's key, so that between the last AESENCLAST of a block and
/// the first AESENC of the next there is no XOR to wait for:
///
/// - CBC: X_{j+1} = C_j ⊕ P_{j+1}, so s_{j+1} = LastRound(…) ⊕ (K_Nr ⊕ K_0 ⊕ P_{j+1});
/// - CFB: X_{j+1} = C_j = E(X_j) ⊕ P_j, so s_{j+1} = LastRound(…) ⊕ (K_Nr ⊕ K_0 ⊕ P_j);
/// - OFB: X_{j+1} = E(X_j), so s_{j+1} = LastRound(…) ⊕ (K_Nr ⊕ K_0).
#[inline(never)]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn chain<const OP: u8, const N: usize>(
    keys: &[[u8; 16]; N],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    let first = load(&keys[0]);
    let joint = _mm_xor_si128(first, load(&keys[N - 1]));
    let mut state = _mm_xor_si128(first, load(chain));
    if let (CBC_ENCRYPT, Some(block)) = (OP, blocks.first()) {
        state = _mm_xor_si128(state, load(block));
    }
    for i in 0..blocks.len() {
        for key in &keys[1..N - 1] {
            state = _mm_aesenc_si128(state, load(key));
        }
        let data = match OP {
            // After the last block nothing joins: the state is then C_j ⊕ K_0.
            CBC_ENCRYPT => blocks.get(i + 1).map_or(_mm_setzero_si128(), |block| load(block)),
            _ => load(&blocks[i]),
        };
        let output;
        if OP == OFB {
            state = _mm_aesenclast_si128(state, joint);
            output = _mm_xor_si128(_mm_xor_si128(state, first), data);
        } else {
            state = _mm_aesenclast_si128(state, _mm_xor_si128(joint, data));
            output = match OP {
                CBC_ENCRYPT => _mm_xor_si128(state, _mm_xor_si128(first, data)),
                _ => _mm_xor_si128(state, first),
            };
        }
        store(&mut blocks[i], output);
    }
    store(chain, _mm_xor_si128(state, first));
    Depth::here()
}

mod schedule {
    use super::*;

    /// SubWord(RotWord(w)) ⊕ Rcon, or SubWord(w), in all four columns, where w is column `LANE`
    /// of `x`. AESENCLAST is SubBytes, ShiftRows and the XOR of a key; ShiftRows does nothing to
    /// four equal columns. It is several times faster than AESKEYGENASSIST.
    #[inline]
    #[target_feature(enable = "aes,ssse3,sse4.1")]
    fn sub_word<const LANE: i32, const ROT: bool>(x: __m128i, rcon: i32) -> __m128i {
        let word = if ROT {
            // RotWord: the bytes (a0, a1, a2, a3) become (a1, a2, a3, a0).
            let rot = 0x00030201 + 0x04040404 * LANE;
            _mm_shuffle_epi8(x, _mm_set1_epi32(rot))
        } else {
            _mm_shuffle_epi8(x, _mm_set1_epi32(0x03020100 + 0x04040404 * LANE))
        };
        _mm_aesenclast_si128(word, _mm_set1_epi32(rcon))
    }

    /// Column i becomes the sum of the columns 0 to i.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn sums(x: __m128i) -> __m128i {
        let x = _mm_xor_si128(x, _mm_slli_si128::<4>(x));
        _mm_xor_si128(x, _mm_slli_si128::<8>(x))
    }

    #[inline(never)]
    #[target_feature(enable = "aes,ssse3,sse4.1")]
    pub(super) fn expand<const N: usize>(key: &[u8], keys: &mut [[u8; 16]; N]) -> Depth {
        // Rcon[j] = x^(j-1) in GF(2^8): 1, 2, 4, …, 0x80, 0x1b, 0x36.
        let mut rcon = 1;
        let mut next = || {
            let this = rcon;
            rcon = (rcon << 1) ^ ((rcon >> 7) * 0x11b);
            this
        };
        match (N, key.as_chunks::<8>().0) {
            (11, &[k0, k1]) => {
                let mut a = join(k0, k1);
                for round_key in keys {
                    store(round_key, a);
                    a = _mm_xor_si128(sums(a), sub_word::<3, true>(a, next()));
                }
            }
            (13, &[k0, k1, k2]) => {
                let mut a = join(k0, k1);
                let mut b = join(k2, [0; 8]);
                // Six words, (a0, a1, a2, a3, b0, b1), a step: three half keys.
                for halves in keys.as_flattened_mut().as_chunks_mut::<8>().0.chunks_mut(3) {
                    let words = [a, _mm_unpackhi_epi64(a, a), b];
                    for (half, word) in halves.iter_mut().zip(words) {
                        // SAFETY: 8 bytes are writable there, at any alignment.
                        unsafe { _mm_storeu_si64(half.as_mut_ptr(), word) };
                    }
                    a = _mm_xor_si128(sums(a), sub_word::<1, true>(b, next()));
                    b = _mm_xor_si128(b, _mm_slli_si128::<4>(b));
                    b = _mm_xor_si128(b, _mm_shuffle_epi32::<0xff>(a));
                }
            }
            (15, &[k0, k1, k2, k3]) => {
                let mut a = join(k0, k1);
                let mut b = join(k2, k3);
                for pair in keys.chunks_mut(2) {
                    let [first, second @ ..] = pair else { break };
                    store(first, a);
                    a = _mm_xor_si128(sums(a), sub_word::<3, true>(b, next()));
                    if let [second] = second {
                        store(second, b);
                        b = _mm_xor_si128(sums(b), sub_word::<3, false>(a, 0));
                    }
                }
            }
            _ => {}
        }
        Depth::here()
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn join(low: [u8; 8], high: [u8; 8]) -> __m128i {
        _mm_set_epi64x(i64::from_le_bytes(high), i64::from_le_bytes(low))
    }

    #[inline(never)]
    #[target_feature(enable = "aes,ssse3,sse4.1")]
    pub(super) fn invert<const N: usize>(
        keys: &[[u8; 16]; N],
        inverse: &mut [[u8; 16]; N],
    ) -> Depth {
        for (i, (to, from)) in inverse.iter_mut().zip(keys.iter().rev()).enumerate() {
            let key = load(from);
            store(to, if i == 0 || i == N - 1 { key } else { _mm_aesimc_si128(key) });
        }
        Depth::here()
    }
}
