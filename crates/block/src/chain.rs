//! The provided methods of the traits, on top of `encrypt_blocks` and `decrypt_blocks`.
//!
//! Each has a narrow path with a small frame for short calls and a wide one with a scratch of
//! [`WIDE`] blocks. Both are functions of their own, so that a short call has the small frame. The
//! rest is inlined into a method of the traits, which is never inlined.
//! Secrets in these frames (keystream, plaintext) are the caller's to burn: every function
//! returns the depth of its own frame at least.

use crate::{BlockDecrypt, BlockEncrypt, Depth};

/// Blocks in the wide path's scratch: covers most kernels, and 512 bytes at most.
pub(crate) const WIDE: usize = 32;
/// The same for blocks of 8 bytes: twice as many, so that a kernel of six blocks seldom has a
/// part of a set left.
pub(crate) const WIDE_8: usize = 64;
/// Blocks in the narrow path's scratch, and the longest call that takes it.
const NARROW: usize = 4;

#[inline(always)]
fn xor<const N: usize>(into: &mut [u8; N], from: &[u8; N]) {
    // By halves of a block, as most ciphers load it: bytes would make the compiler move a chain
    // that is in general registers to a vector register and back.
    if N == 8 {
        for (a, b) in into.as_chunks_mut().0.iter_mut().zip(from.as_chunks().0) {
            *a = (u32::from_ne_bytes(*a) ^ u32::from_ne_bytes(*b)).to_ne_bytes();
        }
    } else {
        const { assert!(N.is_multiple_of(8)) };
        for (a, b) in into.as_chunks_mut().0.iter_mut().zip(from.as_chunks().0) {
            *a = (u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b)).to_ne_bytes();
        }
    }
}

/// The same over whole slices at once, which the compiler turns into vector code, where it may use
/// vectors: not on 32-bit ARM.
#[inline(always)]
pub(crate) fn xor_blocks<const N: usize>(into: &mut [[u8; N]], from: &[[u8; N]]) {
    if cfg!(target_arch = "arm") {
        for (a, b) in into.iter_mut().zip(from) {
            xor(a, b);
        }
        return;
    }
    for (a, b) in into.as_flattened_mut().iter_mut().zip(from.as_flattened()) {
        *a ^= b;
    }
}

/// Fills `blocks` with counter blocks. SP 800-38D's inc32 adds to the last four bytes, big endian,
/// modulo 2^32; RFC 8452 to the first four, little endian.
#[inline(always)]
fn count32<const N: usize, const LITTLE_ENDIAN: bool>(
    counter: &mut [u8; N],
    blocks: &mut [[u8; N]],
) {
    const { assert!(N >= 4) };
    let mut next = *counter;
    let (Some(first), Some(last)) = (counter.first_chunk(), counter.last_chunk()) else { return };
    let mut n = if LITTLE_ENDIAN { u32::from_le_bytes(*first) } else { u32::from_be_bytes(*last) };
    for block in blocks {
        *block = next;
        n = n.wrapping_add(1);
        if LITTLE_ENDIAN {
            next[..4].copy_from_slice(&n.to_le_bytes());
        } else {
            next[N - 4..].copy_from_slice(&n.to_be_bytes());
        }
    }
    *counter = next;
}

#[inline(always)]
pub(crate) fn ctr_xor<C, const N: usize, const LITTLE_ENDIAN: bool>(
    cipher: &C,
    counter: &mut [u8; N],
    data: &mut [[u8; N]],
) -> Depth
where
    C: BlockEncrypt<N> + ?Sized,
{
    if let [block] = data {
        ctr_xor_one::<C, N, LITTLE_ENDIAN>(cipher, counter, block)
    } else if data.len() <= NARROW {
        ctr_xor_by::<C, N, LITTLE_ENDIAN, NARROW>(cipher, counter, data)
    } else if N == 8 {
        ctr_xor_by::<C, N, LITTLE_ENDIAN, WIDE_8>(cipher, counter, data)
    } else {
        ctr_xor_by::<C, N, LITTLE_ENDIAN, WIDE>(cipher, counter, data)
    }
}

#[inline(never)]
fn ctr_xor_one<C: BlockEncrypt<N> + ?Sized, const N: usize, const LITTLE_ENDIAN: bool>(
    cipher: &C,
    counter: &mut [u8; N],
    block: &mut [u8; N],
) -> Depth {
    let mut keystream = [[0; N]];
    count32::<N, LITTLE_ENDIAN>(counter, &mut keystream);
    let depth = Depth::here().max(cipher.encrypt_block(&mut keystream[0]));
    xor(block, &keystream[0]);
    depth
}

#[inline(never)]
pub(crate) fn ctr_xor_by<C, const N: usize, const LITTLE_ENDIAN: bool, const W: usize>(
    cipher: &C,
    counter: &mut [u8; N],
    data: &mut [[u8; N]],
) -> Depth
where
    C: BlockEncrypt<N> + ?Sized,
{
    let mut depth = Depth::here();
    let mut scratch = [[0; N]; W];
    for data in data.chunks_mut(W) {
        let keystream = &mut scratch[..data.len()];
        count32::<N, LITTLE_ENDIAN>(counter, keystream);
        depth = depth.max(cipher.encrypt_blocks(keystream));
        xor_blocks(data, keystream);
    }
    depth
}

#[inline(always)]
pub(crate) fn cbc_mac<C: BlockEncrypt<N> + ?Sized, const N: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    blocks: &[[u8; N]],
) -> Depth {
    let mut depth = Depth::here();
    for block in blocks {
        xor(chain, block);
        depth = depth.max(cipher.encrypt_block(chain));
    }
    depth
}

/// The masks go in, the cipher runs, and they go in again.
macro_rules! masked {
    ($xex:ident, $xts:ident, $one:ident, $wide:ident, $trait:ident, $blocks:ident, $block:ident) => {
        #[inline(always)]
        pub(crate) fn $xex<C: $trait<N> + ?Sized, const N: usize>(
            cipher: &C,
            base: &[u8; N],
            masks: &[[u8; N]],
            blocks: &mut [[u8; N]],
        ) -> Depth {
            xor_blocks(blocks, masks);
            blocks.iter_mut().for_each(|block| xor(block, base));
            let depth = Depth::here().max(cipher.$blocks(blocks));
            xor_blocks(blocks, masks);
            blocks.iter_mut().for_each(|block| xor(block, base));
            depth
        }

        #[inline(always)]
        pub(crate) fn $xts<C: $trait<N> + ?Sized, const N: usize>(
            cipher: &C,
            mask: &mut [u8; N],
            blocks: &mut [[u8; N]],
        ) -> Depth {
            match blocks {
                [block] => $one(cipher, mask, block),
                _ => $wide(cipher, mask, blocks),
            }
        }

        #[inline(never)]
        fn $one<C: $trait<N> + ?Sized, const N: usize>(
            cipher: &C,
            mask: &mut [u8; N],
            block: &mut [u8; N],
        ) -> Depth {
            xor(block, mask);
            let depth = Depth::here().max(cipher.$block(block));
            xor(block, mask);
            double(mask);
            depth
        }

        #[inline(never)]
        fn $wide<C: $trait<N> + ?Sized, const N: usize>(
            cipher: &C,
            mask: &mut [u8; N],
            blocks: &mut [[u8; N]],
        ) -> Depth {
            let mut depth = Depth::here();
            let mut masks = [[0; N]; WIDE];
            for blocks in blocks.chunks_mut(WIDE) {
                let masks = &mut masks[..blocks.len()];
                for next in &mut *masks {
                    *next = *mask;
                    double(mask);
                }
                xor_blocks(blocks, masks);
                depth = depth.max(cipher.$blocks(blocks));
                xor_blocks(blocks, masks);
            }
            depth
        }
    };
}

masked!(
    xex_encrypt,
    xts_encrypt,
    xts_encrypt_one,
    xts_encrypt_wide,
    BlockEncrypt,
    encrypt_blocks,
    encrypt_block
);
masked!(
    xex_decrypt,
    xts_decrypt,
    xts_decrypt_one,
    xts_decrypt_wide,
    BlockDecrypt,
    decrypt_blocks,
    decrypt_block
);

/// Doubles a mask of XTS. What goes out comes down by a product of the secret carry, not a choice by it.
#[inline(always)]
fn double<const N: usize>(mask: &mut [u8; N]) {
    const { assert!(N <= 16) };
    let mut wide = [0; 16];
    wide[..N].copy_from_slice(mask);
    let t = u128::from_le_bytes(wide);
    let out = (t >> (8 * N - 1)) as u8;
    let doubled = t << 1 ^ u128::from(out * if N == 8 { 0x1b } else { 0x87 });
    mask.copy_from_slice(&doubled.to_le_bytes()[..N]);
}

#[inline(always)]
pub(crate) fn cbc_encrypt<C: BlockEncrypt<N> + ?Sized, const N: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    blocks: &mut [[u8; N]],
) -> Depth {
    let mut depth = Depth::here();
    let mut state = *chain;
    for block in blocks {
        xor(&mut state, block);
        depth = depth.max(cipher.encrypt_block(&mut state));
        *block = state;
    }
    *chain = state;
    depth
}

#[inline(always)]
pub(crate) fn cbc_decrypt<C: BlockDecrypt<N> + ?Sized, const N: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    blocks: &mut [[u8; N]],
) -> Depth {
    if blocks.len() <= NARROW {
        cbc_decrypt_by::<C, N, NARROW>(cipher, chain, blocks)
    } else if N == 8 {
        cbc_decrypt_by::<C, N, WIDE_8>(cipher, chain, blocks)
    } else {
        cbc_decrypt_by::<C, N, WIDE>(cipher, chain, blocks)
    }
}

#[inline(never)]
pub(crate) fn cbc_decrypt_by<C: BlockDecrypt<N> + ?Sized, const N: usize, const W: usize>(
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
        if let ([first, rest @ ..], [before @ .., last]) = (&mut *blocks, &*ciphertext) {
            xor(first, chain);
            xor_blocks(rest, before);
            *chain = *last;
        }
    }
    depth
}

#[inline(always)]
pub(crate) fn cfb_encrypt<C: BlockEncrypt<N> + ?Sized, const N: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    blocks: &mut [[u8; N]],
) -> Depth {
    let mut depth = Depth::here();
    let mut state = *chain;
    for block in blocks {
        depth = depth.max(cipher.encrypt_block(&mut state));
        xor(&mut state, block);
        *block = state;
    }
    *chain = state;
    depth
}

#[inline(always)]
pub(crate) fn cfb_decrypt<C: BlockEncrypt<N> + ?Sized, const N: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    blocks: &mut [[u8; N]],
) -> Depth {
    if blocks.len() <= NARROW {
        cfb_decrypt_by::<C, N, NARROW>(cipher, chain, blocks)
    } else if N == 8 {
        cfb_decrypt_by::<C, N, WIDE_8>(cipher, chain, blocks)
    } else {
        cfb_decrypt_by::<C, N, WIDE>(cipher, chain, blocks)
    }
}

#[inline(never)]
pub(crate) fn cfb_decrypt_by<C: BlockEncrypt<N> + ?Sized, const N: usize, const W: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    blocks: &mut [[u8; N]],
) -> Depth {
    let mut depth = Depth::here();
    let mut scratch = [[0; N]; W];
    for blocks in blocks.chunks_mut(W) {
        let keystream = &mut scratch[..blocks.len()];
        keystream[0] = *chain;
        if let [before @ .., last] = &*blocks {
            keystream[1..].copy_from_slice(before);
            *chain = *last;
        }
        depth = depth.max(cipher.encrypt_blocks(keystream));
        xor_blocks(blocks, keystream);
    }
    depth
}

#[inline(always)]
pub(crate) fn ofb_xor<C: BlockEncrypt<N> + ?Sized, const N: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    data: &mut [[u8; N]],
) -> Depth {
    let mut depth = Depth::here();
    let mut state = *chain;
    for block in data {
        depth = depth.max(cipher.encrypt_block(&mut state));
        xor(block, &state);
    }
    *chain = state;
    depth
}
