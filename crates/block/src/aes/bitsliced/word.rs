//! Words of 64 and of 32 bits: a bit for each byte of the states of four blocks, or of two.

use core::ops::{BitAnd, BitOr, BitXor, BitXorAssign, Not, Shl, Shr};

/// A word with a bit for each byte of the states of `BLOCKS` blocks.
pub(super) trait Word:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
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
    /// Not `-`, which in a build with overflow checks is a branch.
    fn wrapping_sub(self, other: Self) -> Self;
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

    #[inline(always)]
    fn wrapping_sub(self, other: u64) -> u64 {
        u64::wrapping_sub(self, other)
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
    fn wrapping_sub(self, other: u32) -> u32 {
        u32::wrapping_sub(self, other)
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
