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

/// A word of the bit slices: one or more groups of 32 bits.
///
/// The gates take references: without optimisation an operand that is passed by value has a place
/// of its own in the caller's frame.
pub(super) trait Word: Copy {
    /// How many groups.
    const GROUPS: usize;

    /// self & y
    fn and(&self, y: &Self) -> Self;
    /// self | y
    fn or(&self, y: &Self) -> Self;
    /// self ^ y
    fn xor(&self, y: &Self) -> Self;
    /// self & !y
    fn and_not(&self, y: &Self) -> Self;
    /// !self
    fn not(&self) -> Self;

    /// `bits` in each group.
    fn splat(bits: u32) -> Self;

    /// Of a word that is the same in each group: all ones if bit `i` of a group is 1, else zero.
    fn spread(&self, i: usize) -> Self;

    /// Each group shifted by `n` bits. Bits that cross from one group to another are left for
    /// the caller to mask.
    fn up(&self, n: usize) -> Self;
    fn down(&self, n: usize) -> Self;

    /// The first and the second four bytes, little endian, of as many blocks as there are groups.
    fn load_groups(blocks: &[[u8; 8]]) -> [Self; 2];

    /// The inverse of [`load_groups`](Self::load_groups).
    fn store_groups(halves: [&Self; 2], blocks: &mut [[u8; 8]]);

    /// [`round`] as a function of its own, compiled for the CPU that has this word.
    fn round(l: &mut [Self; 32], r: &[Self; 32], key: &RoundKey) -> Depth;

    /// [`apply`], compiled for the CPU that has this word.
    fn apply<const NUMBER: usize>(l: &mut [Self; 32], r: &[Self; 32], key: &[Self; 2]) -> Depth;

    /// [`load`] and [`store`] as [`round`].
    fn load(blocks: &[[u8; 8]], words: &mut [Self; 64]) -> Depth;
    fn store(words: &mut [Self; 64], blocks: &mut [[u8; 8]]) -> Depth;

    /// [`exchange`] as [`apply`].
    fn exchange(w: &mut [Self; 64], stride: usize, low_first: bool, n: usize, mask: u32) -> Depth;
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
    let mut words = [W::splat(0); 64];
    for blocks in blocks.chunks_mut(batch::<W>()) {
        depth = depth.max(W::load(blocks, &mut words));
        let [left, right] = words.as_chunks_mut().0 else { break };
        // Where one DES ends and the next begins, IP⁻¹ and IP cancel and the halves stay
        // exchanged: fifteen exchanges for each DES, an odd number for one and for three.
        let (mut left, mut right) = (left, right);
        let rounds = schedule.as_flattened();
        for i in 0..rounds.len() {
            let key = &rounds[if decrypt { rounds.len() - 1 - i } else { i }];
            depth = depth.max(W::round(left, right, key));
            if i % 16 != 15 {
                (left, right) = (right, left);
            }
        }
        depth = depth.max(W::store(&mut words, blocks));
    }
    depth
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
    let input = input::<W, NUMBER>(r, key);
    let output = match NUMBER {
        1 => s1(&input),
        2 => s2(&input),
        3 => s3(&input),
        4 => s4(&input),
        5 => s5(&input),
        6 => s6(&input),
        7 => s7(&input),
        _ => s8(&input),
    };
    add::<W, NUMBER>(l, &output);
    Depth::here()
}

/// The S-box's six bits of E(R) ^ K.
#[inline(always)]
fn input<W: Word, const NUMBER: usize>(r: &[W; 32], key: &[W; 2]) -> [W; 6] {
    let (word, up) = place(NUMBER - 1);
    let key = &key[word];
    let mut input = [*key; 6];
    for (b, input) in input.iter_mut().enumerate() {
        let bit = &r[usize::from(E[6 * NUMBER - 6 + b]) - 1];
        *input = bit.xor(&key.spread(up + 5 - b));
    }
    input
}

/// L ^ P of the S-box's four bits.
#[inline(always)]
fn add<W: Word, const NUMBER: usize>(l: &mut [W; 32], output: &[W; 4]) {
    for (b, output) in output.iter().enumerate() {
        let to = &mut l[P_INVERSE[4 * NUMBER - 4 + b]];
        *to = to.xor(output);
    }
}

/// Blocks to L and R, by way of rows: bit i of group g of row j is bit j of a half of block
/// i · GROUPS + g. Blocks that are missing are zero. The rows lie where IP puts them from the
/// beginning.
#[inline(always)]
pub(super) fn load<W: Word>(blocks: &[[u8; 8]], words: &mut [W; 64]) -> Depth {
    words.fill(W::splat(0));
    let mut padded = [[0; 8]; 16];
    for (mut blocks, place) in blocks.chunks(W::GROUPS).zip(PLACES) {
        if blocks.len() != W::GROUPS {
            padded[..blocks.len()].copy_from_slice(blocks);
            blocks = &padded[..W::GROUPS];
        }
        [words[place], words[place ^ SECOND]] = W::load_groups(blocks);
    }
    transpose(words, true).max(Depth::here())
}

/// The inverse of [`load`], of R and L: the halves exchanged.
#[inline(always)]
pub(super) fn store<W: Word>(words: &mut [W; 64], blocks: &mut [[u8; 8]]) -> Depth {
    let depth = transpose(words, false).max(Depth::here());
    let mut padded = [[0; 8]; 16];
    for (blocks, place) in blocks.chunks_mut(W::GROUPS).zip(PLACES) {
        let halves = [&words[place ^ 32], &words[place ^ 32 ^ SECOND]];
        let whole = blocks.len() == W::GROUPS;
        W::store_groups(halves, if whole { &mut *blocks } else { &mut padded[..W::GROUPS] });
        if !whole {
            blocks.copy_from_slice(&padded[..blocks.len()]);
        }
    }
    depth
}

/// Where IP puts row j of the first half of a block: the index of a word of L, then R. Bits
/// count from the top of each byte, rows from its bottom.
///
/// The bits j_4 … j_0 of a row's number become those of its place:
/// 32 j_0 + 16 (1 - j_2) + 8 (1 - j_1) + 4 + 2 (1 - j_4) + (1 - j_3).
static PLACES: [usize; 32] = {
    let mut places = [0; 32];
    let mut to = 0;
    while to < 64 {
        let bit = IP[to] as usize - 1;
        if bit < 32 {
            places[bit / 8 * 8 + 7 - bit % 8] = to;
        }
        to += 1;
    }
    places
};

/// What a row of the second half of a block is away from that of the first: the 4 is 0.
const SECOND: usize = 4;

/// Transposes the matrix of 32 by 32 bits in each group of the rows of both halves, in their
/// [`PLACES`]. `l_first`: L lies before R.
#[inline(always)]
fn transpose<W: Word>(words: &mut [W; 64], l_first: bool) -> Depth {
    W::exchange(words, 2, false, 16, 0x0000_ffff)
        .max(W::exchange(words, 1, false, 8, 0x00ff_00ff))
        .max(W::exchange(words, 16, false, 4, 0x0f0f_0f0f))
        .max(W::exchange(words, 8, false, 2, 0x3333_3333))
        .max(W::exchange(words, 32, l_first, 1, 0x5555_5555))
}

/// In each square of 2n by 2n bits, exchanges the upper n columns of the lower n rows with the
/// lower n columns of the upper n rows. A row and the one n above it are `stride` words apart,
/// the lower first or the upper. `mask` has the columns without bit n.
#[inline(always)]
pub(super) fn exchange<W: Word>(
    words: &mut [W; 64],
    stride: usize,
    low_first: bool,
    n: usize,
    mask: u32,
) -> Depth {
    let mask = W::splat(mask);
    for square in words.chunks_exact_mut(2 * stride) {
        let (first, second) = square.split_at_mut(stride);
        let (low, high) = if low_first { (first, second) } else { (second, first) };
        for (low, high) in low.iter_mut().zip(high) {
            let t = low.down(n).xor(high).and(&mask);
            *high = high.xor(&t);
            *low = low.xor(&t.up(n));
        }
    }
    Depth::here()
}

impl Word for u32 {
    const GROUPS: usize = 1;

    #[inline]
    fn and(&self, y: &Self) -> Self {
        self & y
    }
    #[inline]
    fn or(&self, y: &Self) -> Self {
        self | y
    }
    #[inline]
    fn xor(&self, y: &Self) -> Self {
        self ^ y
    }
    #[inline]
    fn and_not(&self, y: &Self) -> Self {
        self & !y
    }
    #[inline]
    fn not(&self) -> Self {
        !self
    }
    #[inline(always)]
    fn splat(bits: u32) -> Self {
        bits
    }
    #[inline]
    fn spread(&self, i: usize) -> Self {
        (self >> i & 1).wrapping_neg()
    }
    #[inline]
    fn up(&self, n: usize) -> Self {
        self << n
    }
    #[inline]
    fn down(&self, n: usize) -> Self {
        self >> n
    }
    #[inline(always)]
    fn load_groups(blocks: &[[u8; 8]]) -> [Self; 2] {
        let (words, _) = blocks[0].as_chunks();
        [u32::from_le_bytes(words[0]), u32::from_le_bytes(words[1])]
    }
    #[inline(always)]
    fn store_groups(halves: [&Self; 2], blocks: &mut [[u8; 8]]) {
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
    fn load(blocks: &[[u8; 8]], words: &mut [Self; 64]) -> Depth {
        load(blocks, words)
    }
    #[inline(never)]
    fn store(words: &mut [Self; 64], blocks: &mut [[u8; 8]]) -> Depth {
        store(words, blocks)
    }
    #[inline]
    fn exchange(w: &mut [Self; 64], stride: usize, low_first: bool, n: usize, mask: u32) -> Depth {
        exchange(w, stride, low_first, n, mask)
    }
}

impl Word for u64 {
    const GROUPS: usize = 2;

    #[inline]
    fn and(&self, y: &Self) -> Self {
        self & y
    }
    #[inline]
    fn or(&self, y: &Self) -> Self {
        self | y
    }
    #[inline]
    fn xor(&self, y: &Self) -> Self {
        self ^ y
    }
    #[inline]
    fn and_not(&self, y: &Self) -> Self {
        self & !y
    }
    #[inline]
    fn not(&self) -> Self {
        !self
    }
    #[inline(always)]
    fn splat(bits: u32) -> Self {
        u64::from(bits) << 32 | u64::from(bits)
    }
    #[inline]
    fn spread(&self, i: usize) -> Self {
        (self >> i & 1).wrapping_neg()
    }
    #[inline]
    fn up(&self, n: usize) -> Self {
        self << n
    }
    #[inline]
    fn down(&self, n: usize) -> Self {
        self >> n
    }
    #[inline(always)]
    fn load_groups(blocks: &[[u8; 8]]) -> [Self; 2] {
        let (a, b) = (u64::from_le_bytes(blocks[0]), u64::from_le_bytes(blocks[1]));
        [a & 0xffff_ffff | b << 32, a >> 32 | b >> 32 << 32]
    }
    #[inline(always)]
    fn store_groups(halves: [&Self; 2], blocks: &mut [[u8; 8]]) {
        let [&low, &high] = halves;
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
    fn load(blocks: &[[u8; 8]], words: &mut [Self; 64]) -> Depth {
        load(blocks, words)
    }
    #[inline(never)]
    fn store(words: &mut [Self; 64], blocks: &mut [[u8; 8]]) -> Depth {
        store(words, blocks)
    }
    #[inline]
    fn exchange(w: &mut [Self; 64], stride: usize, low_first: bool, n: usize, mask: u32) -> Depth {
        exchange(w, stride, low_first, n, mask)
    }
}
