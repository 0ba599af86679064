//! AES, bitsliced on general registers: four blocks in eight 64-bit words, or two in eight
//! 32-bit words.
//!
//! FIPS 197, with two published improvements:
//!
//! - the S-box is the circuit of J. Boyar and R. Peralta, "A new combinational logic
//!   minimization technique with applications to cryptology" (SEA 2010; ePrint 2009/191):
//!   113 gates and its four NOTs;
//! - ShiftRows is never done ("fixslicing", A. Adomnicai and T. Peyrin, "Fixslicing AES-like
//!   ciphers", CHES 2021; ePrint 2020/1123). The state after round i is kept as
//!   T_i = ShiftRows^-i(S_i). Then T_i = M_i(SubBytes(T_{i-1})) ⊕ ShiftRows^-i(K_i), where
//!   M_i = ShiftRows^-i ∘ MixColumns ∘ ShiftRows^i is MixColumns along columns that slant by i.
//!   Four shifts are the identity, so there are four kinds of M_i.
//!
//! Layout: word p holds bit p of every state byte; the byte in row r and column c of block b,
//! with B blocks, is bit 4·B·r + B·c + b of the word. So going down a row is a rotation of the
//! word.
//!
//! Round keys: 16 bytes each as in the other kernels, but ShiftRows^-i(K_i) ⊕ 63…63 (the first
//! one plain), bitsliced. The 63 are the NOTs of the S-box; MixColumns maps 63…63 to itself, so
//! the same keys undo them in decryption. A call widens all of them once, on its stack.
//!
//! Constant time: yes. No table, no branch and no address depends on key or data.

use crate::{BlockDecrypt, BlockEncrypt, Depth};
use core::ops::{BitAnd, BitOr, BitXor, BitXorAssign, Not, Shl, Shr, Sub};

/// The word that this target computes with.
#[cfg(target_pointer_width = "64")]
type Native = u64;
#[cfg(not(target_pointer_width = "64"))]
type Native = u32;

/// Round keys of AES-256.
const MOST: usize = 15;

/// A word with a bit for each byte of the states of `BLOCKS` blocks.
trait Word:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
    + Sub<Output = Self>
{
    const BLOCKS: usize;
    const ZERO: Self;
    /// All bits of columns 0 to i - 1, in every row.
    const COLUMNS_BELOW: [Self; 4];
    /// Columns 0 and 1 of rows 1 and 3.
    const LEFT_OF_ODD_ROWS: Self;
    /// The bits of block 0.
    const FIRST_BLOCK: Self;

    /// The same byte everywhere.
    fn splat(byte: u8) -> Self;
    fn rotate_right(self, bits: usize) -> Self;
    /// Puts the columns of block `b` where the transposition of `transpose` begins.
    fn put(words: &mut [Self; 8], b: usize, block: &[u8; 16]);
    /// The reverse of `put`.
    fn take(words: &[Self; 8], b: usize, block: &mut [u8; 16]);
    /// Round keys are kept as bytes, least significant first.
    fn from_bytes(bytes: &[u8; 16]) -> impl Iterator<Item = Self>;
    fn to_bytes(words: impl Iterator<Item = Self>, bytes: &mut [u8; 16]);
}

impl Word for u64 {
    const BLOCKS: usize = 4;
    const ZERO: u64 = 0;
    const COLUMNS_BELOW: [u64; 4] =
        [0, 0x000f_000f_000f_000f, 0x00ff_00ff_00ff_00ff, 0x0fff_0fff_0fff_0fff];
    const LEFT_OF_ODD_ROWS: u64 = 0x00ff_0000_00ff_0000;
    const FIRST_BLOCK: u64 = 0x1111_1111_1111_1111;

    #[inline(always)]
    fn splat(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }

    #[inline(always)]
    fn rotate_right(self, bits: usize) -> u64 {
        u64::rotate_right(self, bits as u32)
    }

    // Word b takes columns 0 and 2, word b + 4 columns 1 and 3; each row of the two columns is
    // side by side.
    #[inline(always)]
    fn put(words: &mut [u64; 8], b: usize, block: &[u8; 16]) {
        /// The bytes of a column, each followed by a zero byte.
        #[inline(always)]
        fn apart(x: u64) -> u64 {
            let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
            (x | x << 8) & 0x00ff_00ff_00ff_00ff
        }
        let x = u128::from_le_bytes(*block);
        let (columns_0_1, columns_2_3) = (x as u64, (x >> 64) as u64);
        words[b] = apart(columns_0_1 & 0xffff_ffff) | apart(columns_2_3 & 0xffff_ffff) << 8;
        words[b + 4] = apart(columns_0_1 >> 32) | apart(columns_2_3 >> 32) << 8;
    }

    #[inline(always)]
    fn take(words: &[u64; 8], b: usize, block: &mut [u8; 16]) {
        /// Every other byte of the word: a column.
        #[inline(always)]
        fn together(x: u64) -> u64 {
            let x = x & 0x00ff_00ff_00ff_00ff;
            let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
            (x | x >> 16) & 0xffff_ffff
        }
        let (even, odd) = (words[b], words[b + 4]);
        let low = together(even) | together(odd) << 32;
        let high = together(even >> 8) | together(odd >> 8) << 32;
        *block = (u128::from(low) | u128::from(high) << 64).to_le_bytes();
    }

    #[inline(always)]
    fn from_bytes(bytes: &[u8; 16]) -> impl Iterator<Item = u64> {
        bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word))
    }

    #[inline(always)]
    fn to_bytes(words: impl Iterator<Item = u64>, bytes: &mut [u8; 16]) {
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
    }
}

impl Word for u32 {
    const BLOCKS: usize = 2;
    const ZERO: u32 = 0;
    const COLUMNS_BELOW: [u32; 4] = [0, 0x0303_0303, 0x0f0f_0f0f, 0x3f3f_3f3f];
    const LEFT_OF_ODD_ROWS: u32 = 0x0f00_0f00;
    const FIRST_BLOCK: u32 = 0x5555_5555;

    #[inline(always)]
    fn splat(byte: u8) -> u32 {
        u32::from_ne_bytes([byte; 4])
    }

    #[inline(always)]
    fn rotate_right(self, bits: usize) -> u32 {
        u32::rotate_right(self, bits as u32)
    }

    #[inline(always)]
    fn put(words: &mut [u32; 8], b: usize, block: &[u8; 16]) {
        for (c, column) in block.as_chunks().0.iter().enumerate() {
            words[2 * c + b] = u32::from_le_bytes(*column);
        }
    }

    #[inline(always)]
    fn take(words: &[u32; 8], b: usize, block: &mut [u8; 16]) {
        for (c, column) in block.as_chunks_mut().0.iter_mut().enumerate() {
            *column = words[2 * c + b].to_le_bytes();
        }
    }

    #[inline(always)]
    fn from_bytes(bytes: &[u8; 16]) -> impl Iterator<Item = u32> {
        bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word))
    }

    #[inline(always)]
    fn to_bytes(words: impl Iterator<Item = u32>, bytes: &mut [u8; 16]) {
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
    }
}

/// The depth of a function and of its helpers, which with debug assertions are functions of their
/// own: inlined without optimisation, all of their values would add up in one frame of 10 KiB.
#[inline(always)]
fn reached() -> Depth {
    if cfg!(debug_assertions) { Depth::here().deeper(512) } else { Depth::here() }
}

/// In each byte position, transposes the 8 by 8 bits of the eight words: bit p of word w becomes
/// bit w of word p. Its own inverse.
#[inline(always)]
fn transpose<W: Word>(words: &mut [W; 8]) {
    for (distance, mask) in [(1, 0x55), (2, 0x33), (4, 0x0f)] {
        let mask = W::splat(mask);
        for i in 0..8 {
            if i & distance == 0 {
                let t = (words[i] >> distance ^ words[i | distance]) & mask;
                words[i | distance] ^= t;
                words[i] ^= t << distance;
            }
        }
    }
}

/// Slices up to `BLOCKS` blocks; blocks that are missing are zero.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn slice<W: Word>(blocks: &[[u8; 16]]) -> [W; 8] {
    let mut words = [W::ZERO; 8];
    for (b, block) in blocks.iter().take(W::BLOCKS).enumerate() {
        W::put(&mut words, b, block);
    }
    transpose(&mut words);
    words
}

#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn unslice<W: Word>(mut words: [W; 8], blocks: &mut [[u8; 16]]) {
    transpose(&mut words);
    for (b, block) in blocks.iter_mut().take(W::BLOCKS).enumerate() {
        W::take(&words, b, block);
    }
}

/// The part of the S-box's circuit that is not linear, the same in both directions: an inversion
/// in GF(2^8) by way of GF(2^4), from the linear forms y_1 to y_21 of its input and the input's
/// own last bit, `y[0]`. Names as in the paper.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn inversion<W: Word>(y: [W; 22]) -> [W; 18] {
    let x7 = y[0];
    let t2 = y[12] & y[15];
    let t3 = y[3] & y[6];
    let t4 = t3 ^ t2;
    let t5 = y[4] & x7;
    let t6 = t5 ^ t2;
    let t7 = y[13] & y[16];
    let t8 = y[5] & y[1];
    let t9 = t8 ^ t7;
    let t10 = y[2] & y[7];
    let t11 = t10 ^ t7;
    let t12 = y[9] & y[11];
    let t13 = y[14] & y[17];
    let t14 = t13 ^ t12;
    let t15 = y[8] & y[10];
    let t16 = t15 ^ t12;
    let t17 = t4 ^ t14;
    let t18 = t6 ^ t16;
    let t19 = t9 ^ t14;
    let t20 = t11 ^ t16;
    let t21 = t17 ^ y[20];
    let t22 = t18 ^ y[19];
    let t23 = t19 ^ y[21];
    let t24 = t20 ^ y[18];

    let t25 = t21 ^ t22;
    let t26 = t21 & t23;
    let t27 = t24 ^ t26;
    let t28 = t25 & t27;
    let t29 = t28 ^ t22;
    let t30 = t23 ^ t24;
    let t31 = t22 ^ t26;
    let t32 = t31 & t30;
    let t33 = t32 ^ t24;
    let t34 = t23 ^ t33;
    let t35 = t27 ^ t33;
    let t36 = t24 & t35;
    let t37 = t36 ^ t34;
    let t38 = t27 ^ t36;
    let t39 = t29 & t38;
    let t40 = t25 ^ t39;

    let t41 = t40 ^ t37;
    let t42 = t29 ^ t33;
    let t43 = t29 ^ t40;
    let t44 = t33 ^ t37;
    let t45 = t42 ^ t41;
    [
        t44 & y[15],
        t37 & y[6],
        t33 & x7,
        t43 & y[16],
        t40 & y[1],
        t29 & y[7],
        t42 & y[11],
        t45 & y[17],
        t41 & y[10],
        t44 & y[12],
        t37 & y[3],
        t33 & y[4],
        t43 & y[13],
        t40 & y[5],
        t29 & y[2],
        t42 & y[9],
        t45 & y[14],
        t41 & y[8],
    ]
}

/// SubBytes ⊕ 63: the circuit without its NOTs. The paper counts bits from the most significant
/// one, `x0`.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn sub_bytes<W: Word>(state: &mut [W; 8]) {
    let [x7, x6, x5, x4, x3, x2, x1, x0] = *state;
    let y14 = x3 ^ x5;
    let y13 = x0 ^ x6;
    let y9 = x0 ^ x3;
    let y8 = x0 ^ x5;
    let t0 = x1 ^ x2;
    let y1 = t0 ^ x7;
    let y4 = y1 ^ x3;
    let y12 = y13 ^ y14;
    let y2 = y1 ^ x0;
    let y5 = y1 ^ x6;
    let y3 = y5 ^ y8;
    let t1 = x4 ^ y12;
    let y15 = t1 ^ x5;
    let y20 = t1 ^ x1;
    let y6 = y15 ^ x7;
    let y10 = y15 ^ t0;
    let y11 = y20 ^ y9;
    let y7 = x7 ^ y11;
    let y17 = y10 ^ y11;
    let y19 = y10 ^ y8;
    let y16 = t0 ^ y11;
    let y21 = y13 ^ y16;
    let y18 = x0 ^ y16;

    let [z0, z1, z2, z3, z4, z5, z6, z7, z8, z9, z10, z11, z12, z13, z14, z15, z16, z17] =
        inversion([
            x7, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18,
            y19, y20, y21,
        ]);

    let t46 = z15 ^ z16;
    let t47 = z10 ^ z11;
    let t48 = z5 ^ z13;
    let t49 = z9 ^ z10;
    let t50 = z2 ^ z12;
    let t51 = z2 ^ z5;
    let t52 = z7 ^ z8;
    let t53 = z0 ^ z3;
    let t54 = z6 ^ z7;
    let t55 = z16 ^ z17;
    let t56 = z12 ^ t48;
    let t57 = t50 ^ t53;
    let t58 = z4 ^ t46;
    let t59 = z3 ^ t54;
    let t60 = t46 ^ t57;
    let t61 = z14 ^ t57;
    let t62 = t52 ^ t58;
    let t63 = t49 ^ t58;
    let t64 = z4 ^ t59;
    let t65 = t61 ^ t62;
    let t66 = z1 ^ t63;
    let s0 = t59 ^ t63;
    let s6 = t56 ^ t62;
    let s7 = t48 ^ t60;
    let t67 = t64 ^ t65;
    let s3 = t53 ^ t66;
    let s4 = t51 ^ t66;
    let s5 = t47 ^ t65;
    let s1 = t64 ^ s3;
    let s2 = t55 ^ t67;
    *state = [s7, s6, s5, s4, s3, s2, s1, s0];
}

/// InvSubBytes of the state ⊕ 63.
///
/// With S(x) = A(x^-1) ⊕ 63, this is x -> (A^-1 x)^-1. The same inversion serves, between the
/// linear forms of A^-1 x and A^-1 of those of the circuit's output; the two linear circuits are
/// the shortest that a randomised greedy search found (23 and 35 gates).
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn inv_sub_bytes<W: Word>(state: &mut [W; 8]) {
    let [x7, x6, x5, x4, x3, x2, x1, x0] = *state;
    let y5 = x1 ^ x3;
    let y8 = x0 ^ x1;
    let y19 = x4 ^ x7;
    let y9 = x3 ^ x4;
    let y3 = x0 ^ x3;
    let y14 = y8 ^ y9;
    let y18 = x2 ^ y9;
    let y10 = y8 ^ y19;
    let y6 = x3 ^ y8;
    let y1 = y10 ^ y6;
    let y13 = x6 ^ y1;
    let y2 = y5 ^ y13;
    let y4 = y9 ^ y2;
    let y12 = y3 ^ y4;
    let y7 = x2 ^ y4;
    let y16 = y1 ^ y7;
    let y21 = x6 ^ y7;
    let u0 = x0 ^ x5;
    let y11 = y4 ^ u0;
    let y20 = y2 ^ u0;
    let y17 = y10 ^ y11;
    let y15 = y16 ^ y17;
    let y0 = x2 ^ u0;

    let [z0, z1, z2, z3, z4, z5, z6, z7, z8, z9, z10, z11, z12, z13, z14, z15, z16, z17] =
        inversion([
            y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18,
            y19, y20, y21,
        ]);

    let b0 = z6 ^ z15;
    let b1 = z12 ^ b0;
    let b2 = z13 ^ b1;
    let b3 = z16 ^ b2;
    let b4 = z4 ^ z8;
    let b5 = z1 ^ b4;
    let b6 = z2 ^ z10;
    let b7 = z0 ^ z5;
    let b8 = z3 ^ z14;
    let b9 = z0 ^ z8;
    let b10 = z4 ^ z7;
    let b11 = b6 ^ b10;
    let b12 = z11 ^ z17;
    let b13 = b6 ^ b8;
    let b14 = b5 ^ b13;
    let b15 = z3 ^ b3;
    let b16 = z16 ^ b1;
    let b17 = z17 ^ b14;
    let b18 = b7 ^ b12;
    let b19 = b14 ^ b16;
    let b20 = z9 ^ b0;
    let b21 = z2 ^ b9;
    let b22 = b2 ^ b11;
    let b23 = z5 ^ z8;
    let b24 = z13 ^ b20;
    let b25 = z9 ^ b12;
    let b26 = b3 ^ b5;
    let o0 = b15 ^ b23;
    let o1 = b17 ^ b24;
    let o2 = z11 ^ b19;
    let o3 = b3 ^ b21;
    let o4 = b18 ^ b22;
    let o5 = b7 ^ b26;
    let o6 = b10 ^ b15;
    let o7 = z15 ^ b25;
    *state = [o7, o6, o5, o4, o3, o2, o1, o0];
}

/// The byte `rows` (1 to 3) further down and `columns` (0 to 3) further right, cyclically, for
/// every byte.
#[inline(always)]
fn from<W: Word>(x: W, rows: usize, columns: usize) -> W {
    let row = 4 * W::BLOCKS;
    let straight = x.rotate_right(row * rows + W::BLOCKS * columns);
    if columns == 0 {
        return straight;
    }
    // Columns from 4 - columns on wrap around in their own row.
    let wrapped = x.rotate_right(row * (rows - 1) + W::BLOCKS * columns);
    let inside = W::COLUMNS_BELOW[4 - columns];
    straight & inside | wrapped & !inside
}

/// M_i for i = `SLANT` modulo 4: with a the state and a_r the state r rows down and r·i columns
/// right, 2·a ⊕ 3·a_1 ⊕ a_2 ⊕ a_3 = 2·t ⊕ a_1 ⊕ t_2, where t = a ⊕ a_1.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn mix_columns<W: Word, const SLANT: usize>(state: &mut [W; 8]) {
    let a1 = state.map(|a| from(a, 1, SLANT));
    let mut t = *state;
    for (t, &a1) in t.iter_mut().zip(&a1) {
        *t ^= a1;
    }
    for p in 0..8 {
        state[p] = a1[p] ^ from(t[p], 2, 2 * SLANT % 4);
    }
    // x^8 = x^4 + x^3 + x + 1.
    state[0] ^= t[7];
    state[1] ^= t[0] ^ t[7];
    state[2] ^= t[1];
    state[3] ^= t[2] ^ t[7];
    state[4] ^= t[3] ^ t[7];
    state[5] ^= t[4];
    state[6] ^= t[5];
    state[7] ^= t[6];
}

/// M_i^-1. In GF(2^8)[y]/(y^4 + 1), where y is a step down the column, MixColumns is
/// c = 2 + 3y + y^2 + y^3 and its inverse c^-1 = c^3 = c · c^2 = c · (5 + 4y^2): so first
/// a ⊕ 4·(a ⊕ a_2), then M_i.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn inv_mix_columns<W: Word, const SLANT: usize>(state: &mut [W; 8]) {
    let t = state.map(|a| a ^ from(a, 2, 2 * SLANT % 4));
    // x^8 = x^4 + x^3 + x + 1 and x^9 = x^5 + x^4 + x^2 + x.
    let t67 = t[6] ^ t[7];
    state[0] ^= t[6];
    state[1] ^= t67;
    state[2] ^= t[0] ^ t[7];
    state[3] ^= t[1] ^ t[6];
    state[4] ^= t[2] ^ t67;
    state[5] ^= t[3] ^ t[7];
    state[6] ^= t[4];
    state[7] ^= t[5];
    mix_columns::<W, SLANT>(state);
}

/// ShiftRows^`times`, for an even number of times: twice is a swap of columns in rows 1 and 3.
#[inline(always)]
fn shift_rows<W: Word>(state: &mut [W; 8], times: usize) {
    if times % 4 == 2 {
        let distance = 2 * W::BLOCKS;
        for x in state {
            let t = (*x ^ *x >> distance) & W::LEFT_OF_ODD_ROWS;
            *x ^= t ^ t << distance;
        }
    }
}

#[inline(always)]
fn add<W: Word>(state: &mut [W; 8], key: &[W; 8]) {
    for (s, &k) in state.iter_mut().zip(key) {
        *s ^= k;
    }
}

/// Encrypts up to `BLOCKS` blocks.
#[inline(never)]
fn encrypt<W: Word>(keys: &[[W; 8]], blocks: &mut [[u8; 16]]) -> Depth {
    let [first, middle @ .., last] = keys else { return Depth::NONE };
    let mut state = slice(blocks);
    add(&mut state, first);
    for (i, key) in (1..).zip(middle) {
        sub_bytes(&mut state);
        match i % 4 {
            0 => mix_columns::<W, 0>(&mut state),
            1 => mix_columns::<W, 1>(&mut state),
            2 => mix_columns::<W, 2>(&mut state),
            _ => mix_columns::<W, 3>(&mut state),
        }
        add(&mut state, key);
    }
    sub_bytes(&mut state);
    add(&mut state, last);
    shift_rows(&mut state, keys.len() - 1);
    unslice(state, blocks);
    reached()
}

/// Decrypts up to `BLOCKS` blocks.
#[inline(never)]
fn decrypt<W: Word>(keys: &[[W; 8]], blocks: &mut [[u8; 16]]) -> Depth {
    let [first, middle @ .., last] = keys else { return Depth::NONE };
    let mut state = slice(blocks);
    // Twice is its own inverse, and so is no time at all.
    shift_rows(&mut state, keys.len() - 1);
    add(&mut state, last);
    inv_sub_bytes(&mut state);
    for (i, key) in middle.iter().enumerate().rev() {
        add(&mut state, key);
        match (i + 1) % 4 {
            0 => inv_mix_columns::<W, 0>(&mut state),
            1 => inv_mix_columns::<W, 1>(&mut state),
            2 => inv_mix_columns::<W, 2>(&mut state),
            _ => inv_mix_columns::<W, 3>(&mut state),
        }
        inv_sub_bytes(&mut state);
    }
    add(&mut state, first);
    unslice(state, blocks);
    reached()
}

/// AES with its round keys at full width. The modes are the traits' provided methods.
struct Sliced<'a, W>(&'a [[W; 8]]);

impl<W: Word> BlockEncrypt<16> for Sliced<'_, W> {
    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
        let mut depth = Depth::here();
        for blocks in blocks.chunks_mut(W::BLOCKS) {
            depth = depth.max(encrypt(self.0, blocks));
        }
        depth
    }
}

impl<W: Word> BlockDecrypt<16> for Sliced<'_, W> {
    fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
        let mut depth = Depth::here();
        for blocks in blocks.chunks_mut(W::BLOCKS) {
            depth = depth.max(decrypt(self.0, blocks));
        }
        depth
    }
}

/// Widens the round keys and does `work` with them.
#[inline(never)]
fn with<W: Word>(keys: &[[u8; 16]], work: impl FnOnce(&Sliced<'_, W>) -> Depth) -> Depth {
    let mut wide = [[W::ZERO; 8]; MOST];
    for (wide, key) in wide.iter_mut().zip(keys) {
        for (wide, word) in wide.chunks_exact_mut(W::BLOCKS).zip(W::from_bytes(key)) {
            for (p, wide) in wide.iter_mut().enumerate() {
                // One bit for each byte becomes `BLOCKS` bits: 2^BLOCKS - 1 times it, in two
                // steps, for the uppermost product would overflow.
                let bits = (word >> p) & W::FIRST_BLOCK;
                let top = bits << (W::BLOCKS - 1);
                *wide = (top - bits) | top;
            }
        }
    }
    let keys = wide.get(..keys.len()).unwrap_or_default();
    Depth::here().max(work(&Sliced(keys)))
}

/// Brings `BLOCKS` round keys of FIPS 197 or fewer, from number `i` on, into this kernel's form.
#[inline(always)]
fn pack<W: Word>(i: usize, keys: &mut [[u8; 16]]) {
    for (i, key) in (i..).zip(&mut *keys) {
        let plain = *key;
        for (n, byte) in key.iter_mut().enumerate() {
            // ShiftRows^-i moves row r right by i·r.
            let (r, c) = (n % 4, n / 4);
            *byte = plain[4 * ((c + 3 * i * r) % 4) + r] ^ if i == 0 { 0 } else { 0x63 };
        }
    }
    let words = slice::<W>(keys);
    for (b, key) in keys.iter_mut().enumerate() {
        let packed = words.chunks_exact(W::BLOCKS).map(|planes| {
            planes
                .iter()
                .enumerate()
                .fold(W::ZERO, |word, (p, &plane)| word | (plane >> b & W::FIRST_BLOCK) << p)
        });
        W::to_bytes(packed, key);
    }
}

/// SubWord: the circuit on the bits of one word, plane p of its bytes in bits 0, 8, 16 and 24.
#[inline(always)]
fn sub_word(word: u32) -> u32 {
    let mut planes = core::array::from_fn(|p| word >> p & 0x0101_0101);
    sub_bytes::<u32>(&mut planes);
    planes.iter().enumerate().fold(0x6363_6363, |word, (p, plane)| word ^ plane << p)
}

/// The key schedule of FIPS 197, 5.2, in the standard's byte order.
/// Words are little endian here, so that RotWord is a rotation to the right and the byte that
/// Rcon changes is the lowest.
#[inline(never)]
fn expand_words(key: &[u8], keys: &mut [[u8; 16]]) -> Depth {
    let key = key.as_chunks::<4>().0;
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
    reached()
}

#[inline(never)]
fn pack_all<W: Word>(keys: &mut [[u8; 16]]) -> Depth {
    for (i, keys) in keys.chunks_mut(W::BLOCKS).enumerate() {
        pack::<W>(W::BLOCKS * i, keys);
    }
    reached()
}

/// `key` has 16, 24 or 32 bytes, and `keys` the number of round keys that goes with it.
pub(super) fn expand(key: &[u8], keys: &mut [[u8; 16]]) -> Depth {
    expand_words(key, keys).max(pack_all::<Native>(keys))
}

/// Decryption uses the forward keys.
pub(super) fn invert(_: &[[u8; 16]], inverse: &mut [[u8; 16]]) -> Depth {
    cinder_burn::wipe(inverse);
    Depth::NONE
}

pub(super) fn encrypt_blocks(keys: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
    with::<Native>(keys, |aes| aes.encrypt_blocks(blocks))
}

pub(super) fn encrypt_block(keys: &[[u8; 16]], block: &mut [u8; 16]) -> Depth {
    with::<Native>(keys, |aes| aes.encrypt_block(block))
}

pub(super) fn decrypt_blocks(keys: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
    with::<Native>(keys, |aes| aes.decrypt_blocks(blocks))
}

pub(super) fn decrypt_block(keys: &[[u8; 16]], block: &mut [u8; 16]) -> Depth {
    with::<Native>(keys, |aes| aes.decrypt_block(block))
}

pub(super) fn ctr_xor(keys: &[[u8; 16]], counter: &mut [u8; 16], data: &mut [[u8; 16]]) -> Depth {
    with::<Native>(keys, |aes| aes.ctr_xor(counter, data))
}

pub(super) fn cbc_encrypt(
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    with::<Native>(keys, |aes| aes.cbc_encrypt(chain, blocks))
}

pub(super) fn cbc_decrypt(
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    with::<Native>(keys, |aes| aes.cbc_decrypt(chain, blocks))
}

pub(super) fn cfb_encrypt(
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    with::<Native>(keys, |aes| aes.cfb_encrypt(chain, blocks))
}

pub(super) fn cfb_decrypt(
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    with::<Native>(keys, |aes| aes.cfb_decrypt(chain, blocks))
}

pub(super) fn ofb_xor(keys: &[[u8; 16]], chain: &mut [u8; 16], data: &mut [[u8; 16]]) -> Depth {
    with::<Native>(keys, |aes| aes.ofb_xor(chain, data))
}

#[cfg(test)]
mod tests {
    use super::super::tests::APPENDIX_A;
    use super::*;

    /// The S-box of FIPS 197, 5.1.1, from its definition.
    const fn sbox(x: u8) -> u8 {
        // x^254, the inverse of x, and 0 for 0.
        let (mut y, mut square, mut i) = (1, x, 0);
        while i < 7 {
            square = times(square, square);
            y = times(y, square);
            i += 1;
        }
        y ^ y.rotate_left(1) ^ y.rotate_left(2) ^ y.rotate_left(3) ^ y.rotate_left(4) ^ 0x63
    }

    const fn times(mut a: u8, b: u8) -> u8 {
        let (mut product, mut bit) = (0, 0);
        while bit < 8 {
            product ^= a * (b >> bit & 1);
            a = (a << 1) ^ ((a >> 7) * 0x1b);
            bit += 1;
        }
        product
    }

    const SBOX: [u8; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            table[i] = sbox(i as u8);
            i += 1;
        }
        table
    };

    #[test]
    fn the_table_is_that_of_figure_7() {
        assert_eq!(SBOX[..8], [0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5]);
        assert_eq!((SBOX[0x53], SBOX[0xff]), (0xed, 0x16));
        let mut sorted = SBOX;
        sorted.sort();
        assert!(sorted.iter().enumerate().all(|(i, &x)| i == usize::from(x)));
    }

    fn every_byte<W: Word>() {
        for start in (0..256).step_by(16) {
            let input: [[u8; 16]; 1] = [core::array::from_fn(|i| (start + i) as u8)];
            let mut block = input;
            let mut state = slice::<W>(&block);
            sub_bytes(&mut state);
            unslice(state, &mut block);
            let table = input[0].map(|x| SBOX[usize::from(x)] ^ 0x63);
            assert_eq!(block[0], table);

            inv_sub_bytes(&mut state);
            unslice(state, &mut block);
            assert_eq!(block, input);
        }
    }

    #[test]
    fn the_circuits_are_the_tables() {
        every_byte::<u32>();
        every_byte::<u64>();
    }

    /// MixColumns of FIPS 197, 5.1.3, with its example of 5.1.2's notation: row r, column c.
    fn columns<W: Word, const SLANT: usize>() {
        let input: [[u8; 16]; 1] = [core::array::from_fn(|i| (i * i * 7 + 3) as u8)];
        let at = |r: usize, c: usize| input[0][4 * (c % 4) + r % 4];
        let mut block = input;
        let mut state = slice::<W>(&block);
        mix_columns::<W, SLANT>(&mut state);
        unslice(state, &mut block);
        for (n, &byte) in block[0].iter().enumerate() {
            let (r, c) = (n % 4, n / 4);
            let a = |k: usize| at(r + k, c + k * SLANT);
            assert_eq!(byte, times(2, a(0)) ^ times(3, a(1)) ^ a(2) ^ a(3), "{SLANT} {r} {c}");
        }
        inv_mix_columns::<W, SLANT>(&mut state);
        unslice(state, &mut block);
        assert_eq!(block, input);
    }

    #[test]
    fn columns_slant() {
        columns::<u32, 0>();
        columns::<u32, 1>();
        columns::<u32, 2>();
        columns::<u32, 3>();
        columns::<u64, 0>();
        columns::<u64, 1>();
        columns::<u64, 2>();
        columns::<u64, 3>();
    }

    /// Both word sizes, whichever is this target's, and with fewer blocks than a word holds.
    fn agrees<W: Word>() {
        for key_len in [16, 24, 32] {
            let key: [u8; 32] = core::array::from_fn(|i| (i * 29 + 1) as u8);
            let mut keys = [[0; 16]; MOST];
            let keys = &mut keys[..key_len / 4 + 7];
            let _ = expand_words(&key[..key_len], keys);
            let plain = |block: &mut [u8; 16]| {
                let add = |block: &mut [u8; 16], key: &[u8; 16]| {
                    block.iter_mut().zip(key).for_each(|(b, k)| *b ^= k);
                };
                add(block, &keys[0]);
                for (i, key) in keys.iter().enumerate().skip(1) {
                    let old = block.map(|x| SBOX[usize::from(x)]);
                    *block = core::array::from_fn(|n| old[(n + 4 * (n % 4)) % 16]);
                    if i < keys.len() - 1 {
                        for column in block.as_chunks_mut::<4>().0 {
                            let a = *column;
                            *column = core::array::from_fn(|r| {
                                times(2, a[r])
                                    ^ times(3, a[(r + 1) % 4])
                                    ^ a[(r + 2) % 4]
                                    ^ a[(r + 3) % 4]
                            });
                        }
                    }
                    add(block, key);
                }
            };
            let input: [[u8; 16]; 9] =
                core::array::from_fn(|j| core::array::from_fn(|i| (j * 57 + i * 13) as u8));
            let mut expected = input;
            expected.iter_mut().for_each(plain);
            let mut packed = [[0; 16]; MOST];
            let packed = &mut packed[..keys.len()];
            packed.copy_from_slice(keys);
            let _ = pack_all::<W>(packed);
            for n in 0..=input.len() {
                let mut blocks = input;
                let _ = with::<W>(packed, |aes| aes.encrypt_blocks(&mut blocks[..n]));
                assert_eq!(blocks[..n], expected[..n], "{key_len} {n}");
                assert_eq!(blocks[n..], input[n..]);
                let _ = with::<W>(packed, |aes| aes.decrypt_blocks(&mut blocks[..n]));
                assert_eq!(blocks, input);
            }
        }
    }

    #[test]
    fn both_word_sizes_agree_with_the_standard() {
        agrees::<u32>();
        agrees::<u64>();
    }

    /// FIPS 197, Appendix A: the first word after the key, and the last one.
    #[test]
    fn fips_197_appendix_a() {
        for (key, first, last) in APPENDIX_A {
            let mut keys = [[0; 16]; MOST];
            let keys = &mut keys[..key.len() / 4 + 7];
            let _ = expand_words(key, keys);
            let words = keys.as_flattened().as_chunks::<4>().0;
            assert_eq!(words[key.len() / 4], u32::to_be_bytes(first));
            assert_eq!(words[words.len() - 1], u32::to_be_bytes(last));
        }
    }
}
