//! The circuits against the standard's tables, on words of both sizes.

use super::super::tests::APPENDIX_A;
use super::schedule::{expand_words, pack_all};
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
