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

/// CTR on sets of eight blocks, with all round keys in registers.
///
/// The counter stays in the order of its bytes. While its last byte does not wrap, the next one is an
/// addition to that byte; `left` counts the blocks until it wraps, and a set in which it does takes the
/// counter to words and back.
#[inline]
#[target_feature(enable = "aes,neon")]
fn ctr_sets(keys: &[[u8; 16]], counter: &mut [u8; 16], sets: &mut [[[u8; 16]; 8]]) {
    /// A round of the states v0 to v7, or of one.
    #[rustfmt::skip]
    macro_rules! round {
        ($key:literal) => {
            concat!(
                round!($key, "0"), round!($key, "1"), round!($key, "2"), round!($key, "3"),
                round!($key, "4"), round!($key, "5"), round!($key, "6"), round!($key, "7"),
            )
        };
        ($key:literal, $state:literal) => {
            concat!(
                "aese v", $state, ".16b, ", $key, ".16b\n",
                "aesmc v", $state, ".16b, v", $state, ".16b\n",
            )
        };
    }

    /// The next to last AddRoundKey of four blocks, the last, and the XOR.
    #[rustfmt::skip]
    macro_rules! finish {
        ($($state:literal $data:literal),*) => {
            concat!(
                $("aese v", $state, ".16b, v25.16b\n",)*
                "ldp q8, q9, [{data}]\n ldp q10, q11, [{data}, #32]\n",
                $("eor v", $data, ".16b, v", $data, ".16b, v31.16b\n",)*
                $("eor v", $data, ".16b, v", $data, ".16b, v", $state, ".16b\n",)*
                "stp q8, q9, [{data}], #32\n stp q10, q11, [{data}], #32\n",
            )
        };
    }

    /// A counter block from words, and the words of the next one.
    #[rustfmt::skip]
    macro_rules! from_words {
        ($state:literal) => {
            concat!("rev32 v", $state, ".16b, v30.16b\n add v30.4s, v30.4s, v14.4s\n")
        };
    }

    let Some(eleven) = keys.last_chunk::<11>() else { return };
    if sets.is_empty() {
        return;
    }
    // SAFETY: reads `keys`, which are 11, 13 or 15; reads and writes so many sets of eight blocks and the
    // counter. The token of the callers proves aes.
    unsafe {
        core::arch::asm!(
            "ldp q16, q17, [{keys}]",
            "ldp q18, q19, [{keys}, #32]",
            "ldp q20, q21, [{keys}, #64]",
            "ldp q22, q23, [{keys}, #96]",
            "ldp q24, q25, [{keys}, #128]",
            "ldr q31, [{keys}, #160]",
            "cbz {more}, 2f",
            "ldp q28, q29, [{keys}, #-32]",
            "tbz {more}, #2, 2f",
            "ldp q26, q27, [{keys}, #-64]",
            "2:",
            "ldr q30, [{counter}]",
            "movi v12.2d, #0",
            "movi v14.2d, #0",
            "mov v12.b[15], {one:w}",
            "mov v14.s[3], {one:w}",
            "add v13.16b, v12.16b, v12.16b",
            "3:",
            "subs {left}, {left}, #8",
            "b.le 7f",
            "mov v0.16b, v30.16b",
            "add v1.16b, v30.16b, v12.16b",
            "add v2.16b, v30.16b, v13.16b",
            "add v3.16b, v1.16b, v13.16b",
            "add v4.16b, v2.16b, v13.16b",
            "add v5.16b, v3.16b, v13.16b",
            "add v6.16b, v4.16b, v13.16b",
            "add v7.16b, v5.16b, v13.16b",
            "add v30.16b, v6.16b, v13.16b",
            "4:",
            "cbz {more}, 6f",
            "tbz {more}, #2, 5f",
            round!("v26"),
            round!("v27"),
            "5:",
            round!("v28"),
            round!("v29"),
            "6:",
            round!("v16"),
            round!("v17"),
            round!("v18"),
            round!("v19"),
            round!("v20"),
            round!("v21"),
            round!("v22"),
            round!("v23"),
            round!("v24"),
            finish!("0" "8", "1" "9", "2" "10", "3" "11"),
            finish!("4" "8", "5" "9", "6" "10", "7" "11"),
            "subs {sets}, {sets}, #1",
            "b.ne 3b",
            "b 8f",
            "7:",
            "add {left}, {left}, #256",
            "rev32 v30.16b, v30.16b",
            from_words!("0"),
            from_words!("1"),
            from_words!("2"),
            from_words!("3"),
            from_words!("4"),
            from_words!("5"),
            from_words!("6"),
            from_words!("7"),
            "rev32 v30.16b, v30.16b",
            "b 4b",
            "8:",
            "str q30, [{counter}]",
            keys = in(reg) eleven.as_ptr(),
            more = in(reg) keys.len() - eleven.len(),
            counter = in(reg) counter.as_mut_ptr(),
            one = in(reg) 1,
            left = inout(reg) 256 - usize::from(counter[15]) => _,
            data = inout(reg) sets.as_mut_ptr() => _,
            sets = inout(reg) sets.len() => _,
            out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _, out("v5") _, out("v6") _,
            out("v7") _, out("v8") _, out("v9") _, out("v10") _, out("v11") _, out("v12") _,
            out("v13") _, out("v14") _, out("v16") _, out("v17") _, out("v18") _, out("v19") _,
            out("v20") _, out("v21") _, out("v22") _, out("v23") _, out("v24") _, out("v25") _,
            out("v26") _, out("v27") _, out("v28") _, out("v29") _, out("v30") _, out("v31") _,
            options(nostack),
        );
    }
}

/// The modes whose blocks are independent, for any count of blocks.
#[inline(never)]
#[target_feature(enable = "aes,neon")]
fn run<const OP: u8>(keys: &[[u8; 16]], register: &mut [u8; 16], blocks: &mut [[u8; 16]]) -> Depth {
    let mut depth = Depth::here();
    let (wide, blocks) = blocks.as_chunks_mut::<8>();
    if OP == CTR {
        ctr_sets(keys, register, wide);
    }
    let mut value = load(register);
    if OP == CTR {
        value = reverse(value);
    } else {
        for blocks in wide {
            depth = depth.max(step::<OP, 8>(keys, &mut value, blocks));
        }
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
