//! What is linear: slicing and its inverse, ShiftRows, MixColumns, AddRoundKey.

use super::word::Word;

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
#[inline(always)]
pub(super) fn slice<W: Word>(blocks: &[[u8; 16]]) -> [W; 8] {
    let mut words = [W::ZERO; 8];
    for (b, block) in blocks.iter().take(W::BLOCKS).enumerate() {
        W::put(&mut words, b, block);
    }
    transpose(&mut words);
    words
}

#[inline(always)]
pub(super) fn unslice<W: Word>(mut words: [W; 8], blocks: &mut [[u8; 16]]) {
    transpose(&mut words);
    for (b, block) in blocks.iter_mut().take(W::BLOCKS).enumerate() {
        W::take(&words, b, block);
    }
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
#[inline(always)]
pub(super) fn mix_columns<W: Word, const SLANT: usize>(state: &mut [W; 8]) {
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
#[inline(always)]
pub(super) fn inv_mix_columns<W: Word, const SLANT: usize>(state: &mut [W; 8]) {
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
pub(super) fn shift_rows<W: Word>(state: &mut [W; 8], times: usize) {
    if times % 4 == 2 {
        let distance = 2 * W::BLOCKS;
        for x in state {
            let t = (*x ^ *x >> distance) & W::LEFT_OF_ODD_ROWS;
            *x ^= t ^ t << distance;
        }
    }
}

#[inline(always)]
pub(super) fn add<W: Word>(state: &mut [W; 8], key: &[W; 8]) {
    for (s, &k) in state.iter_mut().zip(key) {
        *s ^= k;
    }
}
