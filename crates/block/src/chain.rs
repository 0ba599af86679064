//! The provided methods of the traits, on top of `encrypt_blocks` and `decrypt_blocks`.
//!
//! Each has a narrow path with a small frame for short calls and a wide one with a scratch of
//! [`WIDE`] blocks. Both are functions of their own, so that a short call has the small frame.
//! Secrets in these frames (keystream, plaintext) are the caller's to burn: every function
//! returns the depth of its own frame at least.

use crate::{BlockDecrypt, BlockEncrypt, Depth};

/// Blocks in the wide path's scratch: covers the widest kernel, and 512 bytes at most.
const WIDE: usize = 32;
/// Blocks in the narrow path's scratch, and the longest call that takes it.
const NARROW: usize = 4;

#[inline(always)]
fn xor<const N: usize>(into: &mut [u8; N], from: &[u8; N]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a ^= b;
    }
}

/// SP 800-38D's inc32: adds to the last four bytes, big endian, modulo 2^32.
#[inline(always)]
fn inc32<const N: usize>(counter: &mut [u8; N]) {
    const { assert!(N >= 4) };
    if let Some(low) = counter.last_chunk_mut::<4>() {
        *low = u32::from_be_bytes(*low).wrapping_add(1).to_be_bytes();
    }
}

pub(crate) fn ctr_xor<C: BlockEncrypt<N> + ?Sized, const N: usize>(
    cipher: &C,
    counter: &mut [u8; N],
    data: &mut [[u8; N]],
) -> Depth {
    if data.len() <= NARROW {
        ctr_xor_by::<C, N, NARROW>(cipher, counter, data)
    } else {
        ctr_xor_by::<C, N, WIDE>(cipher, counter, data)
    }
}

#[inline(never)]
fn ctr_xor_by<C: BlockEncrypt<N> + ?Sized, const N: usize, const W: usize>(
    cipher: &C,
    counter: &mut [u8; N],
    data: &mut [[u8; N]],
) -> Depth {
    let mut depth = Depth::here();
    let mut scratch = [[0; N]; W];
    for data in data.chunks_mut(W) {
        let keystream = &mut scratch[..data.len()];
        for block in keystream.iter_mut() {
            *block = *counter;
            inc32(counter);
        }
        depth = depth.max(cipher.encrypt_blocks(keystream));
        for (block, key) in data.iter_mut().zip(&*keystream) {
            xor(block, key);
        }
    }
    depth
}

#[inline(never)]
pub(crate) fn cbc_encrypt<C: BlockEncrypt<N> + ?Sized, const N: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    blocks: &mut [[u8; N]],
) -> Depth {
    let mut depth = Depth::here();
    for block in blocks {
        xor(chain, block);
        depth = depth.max(cipher.encrypt_block(chain));
        *block = *chain;
    }
    depth
}

pub(crate) fn cbc_decrypt<C: BlockDecrypt<N> + ?Sized, const N: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    blocks: &mut [[u8; N]],
) -> Depth {
    if blocks.len() <= NARROW {
        cbc_decrypt_by::<C, N, NARROW>(cipher, chain, blocks)
    } else {
        cbc_decrypt_by::<C, N, WIDE>(cipher, chain, blocks)
    }
}

#[inline(never)]
fn cbc_decrypt_by<C: BlockDecrypt<N> + ?Sized, const N: usize, const W: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    blocks: &mut [[u8; N]],
) -> Depth {
    let mut depth = Depth::here();
    let mut scratch = [[0; N]; W];
    for blocks in blocks.chunks_mut(W) {
        let ciphertext = &mut scratch[..blocks.len()];
        ciphertext.copy_from_slice(blocks);
        depth = depth.max(cipher.decrypt_blocks(blocks));
        for (block, next) in blocks.iter_mut().zip(&*ciphertext) {
            xor(block, chain);
            *chain = *next;
        }
    }
    depth
}

#[inline(never)]
pub(crate) fn cfb_encrypt<C: BlockEncrypt<N> + ?Sized, const N: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    blocks: &mut [[u8; N]],
) -> Depth {
    let mut depth = Depth::here();
    for block in blocks {
        depth = depth.max(cipher.encrypt_block(chain));
        xor(chain, block);
        *block = *chain;
    }
    depth
}

pub(crate) fn cfb_decrypt<C: BlockEncrypt<N> + ?Sized, const N: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    blocks: &mut [[u8; N]],
) -> Depth {
    if blocks.len() <= NARROW {
        cfb_decrypt_by::<C, N, NARROW>(cipher, chain, blocks)
    } else {
        cfb_decrypt_by::<C, N, WIDE>(cipher, chain, blocks)
    }
}

#[inline(never)]
fn cfb_decrypt_by<C: BlockEncrypt<N> + ?Sized, const N: usize, const W: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    blocks: &mut [[u8; N]],
) -> Depth {
    let mut depth = Depth::here();
    let mut scratch = [[0; N]; W];
    for blocks in blocks.chunks_mut(W) {
        let keystream = &mut scratch[..blocks.len()];
        for (key, block) in keystream.iter_mut().zip(&*blocks) {
            *key = *chain;
            *chain = *block;
        }
        depth = depth.max(cipher.encrypt_blocks(keystream));
        for (block, key) in blocks.iter_mut().zip(&*keystream) {
            xor(block, key);
        }
    }
    depth
}

#[inline(never)]
pub(crate) fn ofb_xor<C: BlockEncrypt<N> + ?Sized, const N: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    data: &mut [[u8; N]],
) -> Depth {
    let mut depth = Depth::here();
    for block in data {
        depth = depth.max(cipher.encrypt_block(chain));
        xor(block, chain);
    }
    depth
}
