//! DES on bit slices: a word holds the same bit of many blocks, and the S-boxes are networks of
//! gates. For many blocks, and for whoever needs constant time.
//!
//! Constant time: yes. There is no table, no branch and no address that depends on key or data.
//!
//! Generic over the [`Word`]: a general register or a vector. Nothing here calls a word's methods
//! from a closure: a closure is a function of its own, which the compiler would not compile for
//! the CPU that has the word.
//! 3DES stays in slices through its three passes.

use super::keys::{RoundKey, place};
use super::networks::{s1, s2, s3, s4, s5, s6, s7, s8};
use super::tables::{E, IP, P_INVERSE};
use crate::Depth;
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// A word of the bit slices: one or more groups of 32 bits.
pub(super) trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// How many groups.
    const GROUPS: usize;

    /// self & !y
    fn and_not(self, y: Self) -> Self;

    /// `bits` in each group.
    fn splat(bits: u32) -> Self;

    /// Of a word that is the same in each group: all ones if bit `i` of a group is 1, else zero.
    fn spread(self, i: usize) -> Self;

    /// Each group shifted by `n` bits. Bits that cross from one group to another are left for
    /// the caller to mask.
    fn up(self, n: usize) -> Self;
    fn down(self, n: usize) -> Self;

    /// The first and the second four bytes, little endian, of as many blocks as there are groups.
    fn load(blocks: &[[u8; 8]]) -> [Self; 2];

    /// The inverse of [`load`](Self::load).
    fn store(halves: [Self; 2], blocks: &mut [[u8; 8]]);

    /// [`round`] as a function of its own, compiled for the CPU that has this word.
    fn round(l: &mut [Self; 32], r: &[Self; 32], key: &RoundKey) -> Depth;

    /// [`apply`] as a function of its own where nothing is optimised, so that the frames of the
    /// networks do not add up.
    fn apply<const NUMBER: usize>(l: &mut [Self; 32], r: &[Self; 32], key: &[Self; 2]) -> Depth;

    /// [`load_rows`] and [`store_rows`] as [`round`].
    fn load_rows(blocks: &[[u8; 8]], rows: &mut [[Self; 32]; 2]) -> Depth;
    fn store_rows(rows: &mut [[Self; 32]; 2], blocks: &mut [[u8; 8]]) -> Depth;
}

/// [`crypt`] in words that the target always has.
#[inline(never)]
pub(super) fn crypt_baseline<W: Word>(
    schedule: &[[RoundKey; 16]],
    decrypt: bool,
    blocks: &mut [[u8; 8]],
) -> Depth {
    crypt::<W>(schedule, decrypt, blocks)
}

/// Blocks in a batch.
pub(super) const fn batch<W: Word>() -> usize {
    32 * W::GROUPS
}

/// Any count of blocks, in batches. `schedule` has sixteen round keys for each pass, in the order
/// of encryption.
///
/// Inlined into a function that is compiled for the CPU that has this word.
#[inline(always)]
pub(super) fn crypt<W: Word>(
    schedule: &[[RoundKey; 16]],
    decrypt: bool,
    blocks: &mut [[u8; 8]],
) -> Depth {
    let mut depth = Depth::here();
    let zero = W::splat(0);
    for blocks in blocks.chunks_mut(batch::<W>()) {
        let mut rows = [[zero; 32]; 2];
        depth = depth.max(W::load_rows(blocks, &mut rows));
        let mut l = [zero; 32];
        let mut r = [zero; 32];
        for (to, &bit) in l.iter_mut().chain(&mut r).zip(&IP) {
            let (half, row) = row(bit);
            *to = rows[half][row];
        }

        // Where one DES ends and the next begins, IP⁻¹ and IP cancel and the halves stay
        // exchanged.
        let (mut left, mut right) = (&mut l, &mut r);
        let rounds = schedule.as_flattened();
        for i in 0..rounds.len() {
            let key = &rounds[if decrypt { rounds.len() - 1 - i } else { i }];
            depth = depth.max(W::round(left, right, key));
            if i % 16 != 15 {
                (left, right) = (right, left);
            }
        }

        for (from, &bit) in left.iter().chain(&*right).zip(&IP) {
            let (half, row) = row(bit);
            rows[half][row] = *from;
        }
        depth = depth.max(W::store_rows(&mut rows, blocks));
    }
    depth
}

/// Which half of a block and which of its rows holds a bit of the standard's number: bits count
/// from the top of each byte, rows from its bottom.
#[inline(always)]
const fn row(bit: u8) -> (usize, usize) {
    let bit = bit as usize - 1;
    (bit / 32, bit % 32 / 8 * 8 + 7 - bit % 8)
}

/// L ^ f(R, K)
#[inline(always)]
pub(super) fn round<W: Word>(l: &mut [W; 32], r: &[W; 32], key: &RoundKey) -> Depth {
    let key = [W::splat(key[0]), W::splat(key[1])];
    Depth::here()
        .max(W::apply::<1>(l, r, &key))
        .max(W::apply::<2>(l, r, &key))
        .max(W::apply::<3>(l, r, &key))
        .max(W::apply::<4>(l, r, &key))
        .max(W::apply::<5>(l, r, &key))
        .max(W::apply::<6>(l, r, &key))
        .max(W::apply::<7>(l, r, &key))
        .max(W::apply::<8>(l, r, &key))
}

/// What the S-box of that number contributes to f.
#[inline(always)]
pub(super) fn apply<W: Word, const NUMBER: usize>(
    l: &mut [W; 32],
    r: &[W; 32],
    key: &[W; 2],
) -> Depth {
    let (word, up) = place(NUMBER - 1);
    let key = key[word];
    let mut input = [key; 6];
    for (b, input) in input.iter_mut().enumerate() {
        *input = r[usize::from(E[6 * NUMBER - 6 + b]) - 1] ^ key.spread(up + 5 - b);
    }
    let output = match NUMBER {
        1 => s1(input),
        2 => s2(input),
        3 => s3(input),
        4 => s4(input),
        5 => s5(input),
        6 => s6(input),
        7 => s7(input),
        _ => s8(input),
    };
    for (b, output) in output.into_iter().enumerate() {
        let to = &mut l[P_INVERSE[4 * NUMBER - 4 + b]];
        *to = *to ^ output;
    }
    Depth::here()
}

/// Row j of a half: bit i of its group g is bit j of that half of block i · GROUPS + g. Blocks
/// that are missing are zero.
#[inline(always)]
pub(super) fn load_rows<W: Word>(blocks: &[[u8; 8]], rows: &mut [[W; 32]; 2]) -> Depth {
    for (i, blocks) in blocks.chunks(W::GROUPS).enumerate() {
        let halves = if blocks.len() == W::GROUPS {
            W::load(blocks)
        } else {
            let mut padded = [[0; 8]; 16];
            padded[..blocks.len()].copy_from_slice(blocks);
            W::load(&padded[..W::GROUPS])
        };
        (rows[0][i], rows[1][i]) = (halves[0], halves[1]);
    }
    for rows in rows {
        transpose(rows);
    }
    Depth::here()
}

/// The inverse of [`load_rows`].
#[inline(always)]
pub(super) fn store_rows<W: Word>(rows: &mut [[W; 32]; 2], blocks: &mut [[u8; 8]]) -> Depth {
    for rows in &mut *rows {
        transpose(rows);
    }
    for (i, blocks) in blocks.chunks_mut(W::GROUPS).enumerate() {
        let halves = [rows[0][i], rows[1][i]];
        if blocks.len() == W::GROUPS {
            W::store(halves, blocks);
        } else {
            let mut padded = [[0; 8]; 16];
            W::store(halves, &mut padded[..W::GROUPS]);
            blocks.copy_from_slice(&padded[..blocks.len()]);
        }
    }
    Depth::here()
}

/// Transposes the matrix of 32 by 32 bits in each group.
#[inline(always)]
fn transpose<W: Word>(rows: &mut [W; 32]) {
    exchange(rows, 16, 0x0000_ffff);
    exchange(rows, 8, 0x00ff_00ff);
    exchange(rows, 4, 0x0f0f_0f0f);
    exchange(rows, 2, 0x3333_3333);
    exchange(rows, 1, 0x5555_5555);
}

/// In each square of 2n by 2n bits, exchanges the upper n columns of the lower n rows with the
/// lower n columns of the upper n rows. `mask` has the columns without bit n.
#[inline(always)]
fn exchange<W: Word>(rows: &mut [W; 32], n: usize, mask: u32) {
    let mask = W::splat(mask);
    for square in rows.chunks_exact_mut(2 * n) {
        let (low, high) = square.split_at_mut(n);
        for (low, high) in low.iter_mut().zip(high) {
            let t = (low.down(n) ^ *high) & mask;
            *high = *high ^ t;
            *low = *low ^ t.up(n);
        }
    }
}

impl Word for u32 {
    const GROUPS: usize = 1;

    #[inline(always)]
    fn and_not(self, y: Self) -> Self {
        self & !y
    }
    #[inline(always)]
    fn splat(bits: u32) -> Self {
        bits
    }
    #[inline(always)]
    fn spread(self, i: usize) -> Self {
        (self >> i & 1).wrapping_neg()
    }
    #[inline(always)]
    fn up(self, n: usize) -> Self {
        self << n
    }
    #[inline(always)]
    fn down(self, n: usize) -> Self {
        self >> n
    }
    #[inline(always)]
    fn load(blocks: &[[u8; 8]]) -> [Self; 2] {
        let (words, _) = blocks[0].as_chunks();
        [u32::from_le_bytes(words[0]), u32::from_le_bytes(words[1])]
    }
    #[inline(always)]
    fn store(halves: [Self; 2], blocks: &mut [[u8; 8]]) {
        let (words, _) = blocks[0].as_chunks_mut();
        (words[0], words[1]) = (halves[0].to_le_bytes(), halves[1].to_le_bytes());
    }
    #[inline(never)]
    fn round(l: &mut [Self; 32], r: &[Self; 32], key: &RoundKey) -> Depth {
        round(l, r, key)
    }
    #[inline]
    fn apply<const NUMBER: usize>(l: &mut [Self; 32], r: &[Self; 32], key: &[Self; 2]) -> Depth {
        apply::<Self, NUMBER>(l, r, key)
    }
    #[inline(never)]
    fn load_rows(blocks: &[[u8; 8]], rows: &mut [[Self; 32]; 2]) -> Depth {
        load_rows(blocks, rows)
    }
    #[inline(never)]
    fn store_rows(rows: &mut [[Self; 32]; 2], blocks: &mut [[u8; 8]]) -> Depth {
        store_rows(rows, blocks)
    }
}

impl Word for u64 {
    const GROUPS: usize = 2;

    #[inline(always)]
    fn and_not(self, y: Self) -> Self {
        self & !y
    }
    #[inline(always)]
    fn splat(bits: u32) -> Self {
        u64::from(bits) << 32 | u64::from(bits)
    }
    #[inline(always)]
    fn spread(self, i: usize) -> Self {
        (self >> i & 1).wrapping_neg()
    }
    #[inline(always)]
    fn up(self, n: usize) -> Self {
        self << n
    }
    #[inline(always)]
    fn down(self, n: usize) -> Self {
        self >> n
    }
    #[inline(always)]
    fn load(blocks: &[[u8; 8]]) -> [Self; 2] {
        let (a, b) = (u64::from_le_bytes(blocks[0]), u64::from_le_bytes(blocks[1]));
        [a & 0xffff_ffff | b << 32, a >> 32 | b >> 32 << 32]
    }
    #[inline(always)]
    fn store(halves: [Self; 2], blocks: &mut [[u8; 8]]) {
        let [low, high] = halves;
        blocks[0] = (low & 0xffff_ffff | high << 32).to_le_bytes();
        blocks[1] = (low >> 32 | high >> 32 << 32).to_le_bytes();
    }
    #[inline(never)]
    fn round(l: &mut [Self; 32], r: &[Self; 32], key: &RoundKey) -> Depth {
        round(l, r, key)
    }
    #[inline]
    fn apply<const NUMBER: usize>(l: &mut [Self; 32], r: &[Self; 32], key: &[Self; 2]) -> Depth {
        apply::<Self, NUMBER>(l, r, key)
    }
    #[inline(never)]
    fn load_rows(blocks: &[[u8; 8]], rows: &mut [[Self; 32]; 2]) -> Depth {
        load_rows(blocks, rows)
    }
    #[inline(never)]
    fn store_rows(rows: &mut [[Self; 32]; 2], blocks: &mut [[u8; 8]]) -> Depth {
        store_rows(rows, blocks)
    }
}
