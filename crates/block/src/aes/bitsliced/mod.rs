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

mod linear;
mod sbox;
mod schedule;
mod word;

#[cfg(test)]
mod tests;

#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
))]
pub(super) use schedule::expand_words;
pub(super) use schedule::{expand, invert};

use crate::{BlockDecrypt, BlockEncrypt, Depth};
use linear::{add, inv_mix_columns, mix_columns, shift_rows, slice, unslice};
use sbox::{inv_sub_bytes, sub_bytes};
use word::Word;

/// The word that this target computes with.
#[cfg(target_pointer_width = "64")]
type Native = u64;
#[cfg(not(target_pointer_width = "64"))]
type Native = u32;

/// Round keys of AES-256.
const MOST: usize = 15;

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
    Depth::here()
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
    Depth::here()
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
                *wide = top.wrapping_sub(bits) | top;
            }
        }
    }
    let keys = wide.get(..keys.len()).unwrap_or_default();
    Depth::here().max(work(&Sliced(keys)))
}
