//! AES with the AES extension of ARMv8: aarch64, little endian. Arm ARM, AESE and its family.
//!
//! Round keys are the bytes of FIPS 197 (for decryption, of its equivalent inverse cipher,
//! first-used first); blocks are byte arrays of any alignment.
//!
//! Constant time: yes, AESE and its family take no time that depends on their operands.
//!
//! Eight blocks at a time, with the rounds in `asm!`, so that each AESE stands before its AESMC
//! (cores fuse the two) and the eight chains stay interleaved. What is left of a call goes by
//! four, two and one.
//!
//! AESE is AddRoundKey, SubBytes and ShiftRows; AESMC is MixColumns. So a block is AESE and AESMC
//! with all keys but two, AESE with the next to last and an XOR of the last.

use crate::Depth;
use cinder_cpu::aarch64::Aes;
use core::arch::aarch64::*;

// What `run` does to each block.
const ENCRYPT: u8 = 0;
const DECRYPT: u8 = 1;
const CTR: u8 = 2;
const CBC_DECRYPT: u8 = 3;
const CFB_DECRYPT: u8 = 4;

// What `chain` does to each block.
const CBC_ENCRYPT: u8 = 5;
const CFB_ENCRYPT: u8 = 6;
const OFB: u8 = 7;

#[inline(always)]
pub(super) fn encrypt_blocks(_: Aes, keys: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
    // SAFETY: the token proves aes and neon.
    unsafe { run::<ENCRYPT>(keys, &mut [0; 16], blocks) }
}

#[inline(always)]
pub(super) fn decrypt_blocks(_: Aes, keys: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
    // SAFETY: the token proves aes and neon.
    unsafe { run::<DECRYPT>(keys, &mut [0; 16], blocks) }
}

#[inline(always)]
pub(super) fn ctr_xor(
    _: Aes,
    keys: &[[u8; 16]],
    counter: &mut [u8; 16],
    data: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes and neon.
    unsafe { run::<CTR>(keys, counter, data) }
}

#[inline(always)]
pub(super) fn cbc_decrypt(
    _: Aes,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes and neon.
    unsafe { run::<CBC_DECRYPT>(keys, chain, blocks) }
}

#[inline(always)]
pub(super) fn cfb_decrypt(
    _: Aes,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes and neon.
    unsafe { run::<CFB_DECRYPT>(keys, chain, blocks) }
}

#[inline(always)]
pub(super) fn encrypt_block<const N: usize>(
    _: Aes,
    keys: &[[u8; 16]; N],
    block: &mut [u8; 16],
) -> Depth {
    // SAFETY: the token proves aes and neon.
    unsafe { one::<ENCRYPT, N>(keys, block) }
}

#[inline(always)]
pub(super) fn decrypt_block<const N: usize>(
    _: Aes,
    keys: &[[u8; 16]; N],
    block: &mut [u8; 16],
) -> Depth {
    // SAFETY: the token proves aes and neon.
    unsafe { one::<DECRYPT, N>(keys, block) }
}

#[inline(always)]
pub(super) fn cbc_encrypt<const N: usize>(
    _: Aes,
    keys: &[[u8; 16]; N],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes and neon.
    unsafe { self::chain::<CBC_ENCRYPT, N>(keys, chain, blocks) }
}

#[inline(always)]
pub(super) fn cfb_encrypt<const N: usize>(
    _: Aes,
    keys: &[[u8; 16]; N],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes and neon.
    unsafe { self::chain::<CFB_ENCRYPT, N>(keys, chain, blocks) }
}

#[inline(always)]
pub(super) fn ofb_xor<const N: usize>(
    _: Aes,
    keys: &[[u8; 16]; N],
    chain: &mut [u8; 16],
    data: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes and neon.
    unsafe { self::chain::<OFB, N>(keys, chain, data) }
}

/// The key schedule of FIPS 197, 5.2. `key` has 16, 24 or 32 bytes, and `keys` the number of
/// round keys that goes with it.
#[inline(always)]
pub(super) fn expand(_: Aes, key: &[u8], keys: &mut [[u8; 16]]) -> Depth {
    // SAFETY: the token proves aes and neon.
    unsafe { self::schedule::expand(key, keys) }
}

/// The round keys of the equivalent inverse cipher, FIPS 197, 5.3.5, in the order of their use.
#[inline(always)]
pub(super) fn invert<const N: usize>(
    _: Aes,
    keys: &[[u8; 16]; N],
    inverse: &mut [[u8; 16]; N],
) -> Depth {
    // SAFETY: the token proves aes and neon.
    unsafe { self::schedule::invert(keys, inverse) }
}

#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: 16 bytes are readable there.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(bytes: &mut [u8; 16], value: uint8x16_t) {
    // SAFETY: 16 bytes are writable there.
    unsafe { vst1q_u8(bytes.as_mut_ptr(), value) }
}

/// Reverses the bytes of each word, so that the counter of CTR, the last four bytes, big endian,
/// becomes the uppermost 32-bit lane; and back.
#[inline]
#[target_feature(enable = "neon")]
fn reverse(x: uint8x16_t) -> uint8x16_t {
    vrev32q_u8(x)
}

/// The whole cipher but the last AddRoundKey, on `W` blocks; `rest` and `next_to_last` are the
/// keys but the last.
#[inline]
#[target_feature(enable = "aes,neon")]
fn rounds<const INVERSE: bool, const W: usize>(
    rest: &[[u8; 16]],
    next_to_last: &[u8; 16],
    state: &mut [uint8x16_t; W],
) {
    /// A round of the eight states in the operands a to h, with a key.
    #[rustfmt::skip]
    macro_rules! round {
        ($round:literal, $mix:literal, $key:literal) => {
            concat!(
                round!($round, $mix, $key, "a"),
                round!($round, $mix, $key, "b"),
                round!($round, $mix, $key, "c"),
                round!($round, $mix, $key, "d"),
                round!($round, $mix, $key, "e"),
                round!($round, $mix, $key, "f"),
                round!($round, $mix, $key, "g"),
                round!($round, $mix, $key, "h"),
            )
        };
        ($round:literal, $mix:literal, $key:literal, $state:literal) => {
            concat!(
                $round, " {", $state, ":v}.16b, {", $key, ":v}.16b\n",
                $mix, " {", $state, ":v}.16b, {", $state, ":v}.16b\n",
            )
        };
    }

    /// One pass over the keys but the last, with these two instructions: two keys at a time until nine
    /// are left, which need no loop.
    macro_rules! eight {
        ($round:literal, $mix:literal, $state:ident) => {{
            let [a, b, c, d, e, f, g, h] = $state;
            let Some(nine) = rest.last_chunk::<9>() else { return };
            // SAFETY: reads `rest`, which has 9, 11 or 13 keys, and `next_to_last`; the token of the
            // callers proves aes.
            unsafe {
                core::arch::asm!(
                    "2:",
                    "cmp {key}, {nine}",
                    "b.eq 3f",
                    "ldp {k:q}, {l:q}, [{key}], #32",
                    round!($round, $mix, "k"),
                    round!($round, $mix, "l"),
                    "b 2b",
                    "3:",
                    "ldp {k:q}, {l:q}, [{key}]",
                    round!($round, $mix, "k"),
                    round!($round, $mix, "l"),
                    "ldp {k:q}, {l:q}, [{key}, #32]",
                    round!($round, $mix, "k"),
                    round!($round, $mix, "l"),
                    "ldp {k:q}, {l:q}, [{key}, #64]",
                    round!($round, $mix, "k"),
                    round!($round, $mix, "l"),
                    "ldp {k:q}, {l:q}, [{key}, #96]",
                    round!($round, $mix, "k"),
                    round!($round, $mix, "l"),
                    "ldr {k:q}, [{key}, #128]",
                    "ldr {l:q}, [{last}]",
                    round!($round, $mix, "k"),
                    concat!($round, " {a:v}.16b, {l:v}.16b"), concat!($round, " {b:v}.16b, {l:v}.16b"),
                    concat!($round, " {c:v}.16b, {l:v}.16b"), concat!($round, " {d:v}.16b, {l:v}.16b"),
                    concat!($round, " {e:v}.16b, {l:v}.16b"), concat!($round, " {f:v}.16b, {l:v}.16b"),
                    concat!($round, " {g:v}.16b, {l:v}.16b"), concat!($round, " {h:v}.16b, {l:v}.16b"),
                    key = inout(reg) rest.as_ptr() => _,
                    nine = in(reg) nine.as_ptr(),
                    last = in(reg) next_to_last,
                    k = out(vreg) _,
                    l = out(vreg) _,
                    a = inout(vreg) *a, b = inout(vreg) *b,
                    c = inout(vreg) *c, d = inout(vreg) *d,
                    e = inout(vreg) *e, f = inout(vreg) *f,
                    g = inout(vreg) *g, h = inout(vreg) *h,
                    options(pure, readonly, nostack),
                );
            }
        }};
    }

    if let Ok(state) = <&mut [uint8x16_t; 8]>::try_from(&mut state[..]) {
        if INVERSE {
            eight!("aesd", "aesimc", state)
        } else {
            eight!("aese", "aesmc", state)
        }
        return;
    }

    for key in rest {
        let key = load(key);
        for s in state.iter_mut() {
            *s = if INVERSE {
                vaesimcq_u8(vaesdq_u8(*s, key))
            } else {
                vaesmcq_u8(vaeseq_u8(*s, key))
            };
        }
    }
    let key = load(next_to_last);
    for s in state.iter_mut() {
        *s = if INVERSE { vaesdq_u8(*s, key) } else { vaeseq_u8(*s, key) };
    }
}

/// Does `OP` to `W` blocks. `register` is the chaining value, or the counter, reversed.
#[inline]
#[target_feature(enable = "aes,neon")]
fn step<const OP: u8, const W: usize>(
    keys: &[[u8; 16]],
    register: &mut uint8x16_t,
    blocks: &mut [[u8; 16]; W],
) -> Depth {
    let [rest @ .., next_to_last, last] = keys else { return Depth::NONE };
    let mut state = [*register; W];
    for (i, s) in state.iter_mut().enumerate() {
        *s = match OP {
            CTR => {
                let counter = *register;
                // Only the uppermost lane counts.
                let one = vsetq_lane_u32::<3>(1, vdupq_n_u32(0));
                *register = vreinterpretq_u8_u32(vaddq_u32(vreinterpretq_u32_u8(counter), one));
                reverse(counter)
            }
            CFB_DECRYPT if i == 0 => *register,
            CFB_DECRYPT => load(&blocks[i - 1]),
            _ => load(&blocks[i]),
        };
    }
    match OP {
        DECRYPT | CBC_DECRYPT => rounds::<true, W>(rest, next_to_last, &mut state),
        _ => rounds::<false, W>(rest, next_to_last, &mut state),
    }
    let former = *register;
    if let (CBC_DECRYPT | CFB_DECRYPT, Some(last)) = (OP, blocks.last()) {
        *register = load(last);
    }
    // From the last block to the first: CBC still reads the ciphertext before the block that it
    // writes.
    let last = load(last);
    for (i, &s) in state.iter().enumerate().rev() {
        let output = match OP {
            CTR | CFB_DECRYPT => veorq_u8(s, veorq_u8(last, load(&blocks[i]))),
            CBC_DECRYPT if i == 0 => veorq_u8(s, veorq_u8(last, former)),
            CBC_DECRYPT => veorq_u8(s, veorq_u8(last, load(&blocks[i - 1]))),
            _ => veorq_u8(s, last),
        };
        store(&mut blocks[i], output);
    }
    Depth::here()
}

/// The modes whose blocks are independent, for any count of blocks.
#[inline(never)]
#[target_feature(enable = "aes,neon")]
fn run<const OP: u8>(keys: &[[u8; 16]], register: &mut [u8; 16], blocks: &mut [[u8; 16]]) -> Depth {
    let mut depth = Depth::here();
    let mut value = load(register);
    if OP == CTR {
        value = reverse(value);
    }
    let (wide, blocks) = blocks.as_chunks_mut::<8>();
    for blocks in wide {
        depth = depth.max(step::<OP, 8>(keys, &mut value, blocks));
    }
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
#[target_feature(enable = "aes,neon")]
fn one<const OP: u8, const N: usize>(keys: &[[u8; 16]; N], block: &mut [u8; 16]) -> Depth {
    let mut state = [load(block)];
    match OP {
        DECRYPT => rounds::<true, 1>(&keys[..N - 2], &keys[N - 2], &mut state),
        _ => rounds::<false, 1>(&keys[..N - 2], &keys[N - 2], &mut state),
    }
    store(block, veorq_u8(state[0], load(&keys[N - 1])));
    Depth::here()
}

/// The modes in which a block waits for the one before it.
///
/// With t_j the state before the last AddRoundKey of block j, E(X_j) = t_j ⊕ K_Nr. What joins two
/// blocks goes into the key of the next block's first AESE, so that there is no XOR to wait for:
///
/// - CBC: X_{j+1} ⊕ K_0 = t_j ⊕ (K_Nr ⊕ K_0 ⊕ P_{j+1});
/// - CFB: X_{j+1} ⊕ K_0 = t_j ⊕ (K_Nr ⊕ K_0 ⊕ P_j);
/// - OFB: X_{j+1} ⊕ K_0 = t_j ⊕ (K_Nr ⊕ K_0).
#[inline(never)]
#[target_feature(enable = "aes,neon")]
fn chain<const OP: u8, const N: usize>(
    keys: &[[u8; 16]; N],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    let last = load(&keys[N - 1]);
    let first = load(&keys[0]);
    let joint = veorq_u8(first, last);
    let mut value = load(chain);
    let mut state = value;
    let mut key = first;
    if let (CBC_ENCRYPT, Some(block)) = (OP, blocks.first()) {
        key = veorq_u8(first, load(block));
    }
    for i in 0..blocks.len() {
        state = vaesmcq_u8(vaeseq_u8(state, key));
        for key in &keys[1..N - 2] {
            state = vaesmcq_u8(vaeseq_u8(state, load(key)));
        }
        state = vaeseq_u8(state, load(&keys[N - 2]));
        value = veorq_u8(state, last);
        match OP {
            CBC_ENCRYPT => {
                store(&mut blocks[i], value);
                key = blocks.get(i + 1).map_or(joint, |block| veorq_u8(joint, load(block)));
            }
            CFB_ENCRYPT => {
                let data = load(&blocks[i]);
                value = veorq_u8(value, data);
                store(&mut blocks[i], value);
                key = veorq_u8(joint, data);
            }
            _ => {
                let data = load(&blocks[i]);
                store(&mut blocks[i], veorq_u8(value, data));
                key = joint;
            }
        }
    }
    store(chain, value);
    Depth::here()
}

mod schedule {
    use super::*;

    /// SubWord. AESE with a key of zeros is SubBytes and ShiftRows, which does nothing to four
    /// equal columns.
    #[inline]
    #[target_feature(enable = "aes,neon")]
    fn sub_word(word: u32) -> u32 {
        let columns = vreinterpretq_u8_u32(vdupq_n_u32(word));
        vgetq_lane_u32::<0>(vreinterpretq_u32_u8(vaeseq_u8(columns, vdupq_n_u8(0))))
    }

    /// Words are little endian here, so that RotWord is a rotation to the right and the byte that
    /// Rcon changes is the lowest.
    #[inline(never)]
    #[target_feature(enable = "aes,neon")]
    pub(super) fn expand(key: &[u8], keys: &mut [[u8; 16]]) -> Depth {
        let (key, _) = key.as_chunks::<4>();
        let nk = key.len();
        let w = keys.as_flattened_mut().as_chunks_mut::<4>().0;
        let mut temp = 0u32;
        let mut rcon = 1;
        for i in 0..w.len() {
            if let Some(word) = key.get(i) {
                w[i] = *word;
            } else {
                if i % nk == 0 {
                    temp = sub_word(temp.rotate_right(8)) ^ rcon;
                    rcon = (rcon << 1) ^ ((rcon >> 7) * 0x11b);
                } else if nk > 6 && i % nk == 4 {
                    temp = sub_word(temp);
                }
                w[i] = (u32::from_le_bytes(w[i - nk]) ^ temp).to_le_bytes();
            }
            temp = u32::from_le_bytes(w[i]);
        }
        Depth::here()
    }

    #[inline(never)]
    #[target_feature(enable = "aes,neon")]
    pub(super) fn invert<const N: usize>(
        keys: &[[u8; 16]; N],
        inverse: &mut [[u8; 16]; N],
    ) -> Depth {
        for (i, (to, from)) in inverse.iter_mut().zip(keys.iter().rev()).enumerate() {
            let key = load(from);
            store(to, if i == 0 || i == N - 1 { key } else { vaesimcq_u8(key) });
        }
        Depth::here()
    }
}
