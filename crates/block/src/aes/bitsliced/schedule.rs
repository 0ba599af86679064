//! The key schedule: round keys of FIPS 197, and their bitsliced form.

use super::Native;
use super::linear::slice;
use super::sbox::sub_bytes;
use super::word::Word;
use crate::Depth;

/// `key` has 16, 24 or 32 bytes, and `keys` the number of round keys that goes with it.
pub(in crate::aes) fn expand(key: &[u8], keys: &mut [[u8; 16]]) -> Depth {
    expand_words(key, keys).max(pack_all::<Native>(keys))
}

/// Decryption uses the forward keys.
pub(in crate::aes) fn invert(_: &[[u8; 16]], inverse: &mut [[u8; 16]]) -> Depth {
    cinder_burn::wipe(inverse);
    Depth::NONE
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
pub(in crate::aes) fn expand_words(key: &[u8], keys: &mut [[u8; 16]]) -> Depth {
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
    Depth::here()
}

#[inline(never)]
pub(super) fn pack_all<W: Word>(keys: &mut [[u8; 16]]) -> Depth {
    for (i, keys) in keys.chunks_mut(W::BLOCKS).enumerate() {
        pack::<W>(W::BLOCKS * i, keys);
    }
    Depth::here()
}
