//! GCM (SP 800-38D, algorithms 4 and 5) in two passes: counter mode, by the cipher's own
//! [`ctr_xor`](BlockEncrypt::ctr_xor), and GHASH.
//!
//! ```text
//! H   = E(0^128)
//! C   = CTR(inc32(J_0), P)
//! S   = GHASH_H(A || zeros || C || zeros || [bits of A] || [bits of C])
//! T   = the first bytes of S + E(J_0)
//! ```
//!
//! Constant time: as the cipher and the kernel of GHASH.
//!
//! A short message takes one call of the cipher, for E(J_0) and its keystream together, and one
//! of GHASH. A long one goes in steps that stay in the first-level cache. Opening hashes the whole
//! ciphertext first and decrypts only what verified, so that no plaintext exists before.

use crate::Depth;
use crate::error::length;
use crate::key::Direction;
use crate::message::{Message, add32, copy, copy_input, equal, j_0, truncate, xor};
use cinder_block::BlockEncrypt;
use cinder_ghash::{GhashKey, lengths};

/// Bytes for each step of the two passes: an eighth of the smallest first-level cache in use.
const STEP: usize = 4096;
/// Blocks of a short message, which shares one call of the cipher with E(J_0).
const SHORT: usize = 4;
/// Blocks of additional data that share one call of GHASH with a short message.
const SHORT_AAD: usize = 2;
/// Blocks that a short message hashes at most.
const SHORT_BLOCKS: usize = SHORT_AAD + SHORT + 1;
/// The same with a block, at most, of additional data and one of data, whose frame is smaller.
const ONE_BLOCK: usize = 3;

pub(crate) fn seal<C: BlockEncrypt<16> + ?Sized>(
    cipher: &C,
    hash: &GhashKey,
    message: &Message<'_>,
    data: &mut [u8],
    tag: &mut [u8],
) -> Depth {
    if data.len() <= 16 && message.aad.len() <= 16 {
        seal_short::<C, 2, ONE_BLOCK>(cipher, hash, message, data, tag)
    } else if data.len() <= 16 * SHORT {
        seal_short::<C, { 1 + SHORT }, SHORT_BLOCKS>(cipher, hash, message, data, tag)
    } else {
        seal_long(cipher, hash, message, data, tag)
    }
}

pub(crate) fn open<C: BlockEncrypt<16> + ?Sized>(
    cipher: &C,
    hash: &GhashKey,
    message: &Message<'_>,
    data: &mut [u8],
    tag: &[u8],
) -> (bool, Depth) {
    if data.len() <= 16 && message.aad.len() <= 16 {
        open_short::<C, 2, ONE_BLOCK>(cipher, hash, message, data, tag)
    } else if data.len() <= 16 * SHORT {
        open_short::<C, { 1 + SHORT }, SHORT_BLOCKS>(cipher, hash, message, data, tag)
    } else {
        open_long(cipher, hash, message, data, tag)
    }
}

/// `K` blocks of keystream suffice for E(J_0) and the data, `W` blocks for what is hashed.
#[inline(never)]
fn seal_short<C: BlockEncrypt<16> + ?Sized, const K: usize, const W: usize>(
    cipher: &C,
    hash: &GhashKey,
    message: &Message<'_>,
    data: &mut [u8],
    tag: &mut [u8],
) -> Depth {
    let mut keystream = [[0; 16]; K];
    let mut blocks = [[0; 16]; W];
    let mut y = [0; 16];
    let mut depth = Depth::here();
    depth = depth.max(short_keystream(cipher, hash, message.iv, &mut keystream, data.len()));
    copy_input(message.input, data);
    xor_short(data, &keystream[1..]);
    depth = depth.max(short_hash(hash, message.aad, data, &mut blocks, &mut y));
    xor(&mut y, &keystream[0]);
    truncate(&y, tag);
    depth
}

/// As [`seal_short`].
#[inline(never)]
fn open_short<C: BlockEncrypt<16> + ?Sized, const K: usize, const W: usize>(
    cipher: &C,
    hash: &GhashKey,
    message: &Message<'_>,
    data: &mut [u8],
    tag: &[u8],
) -> (bool, Depth) {
    let mut keystream = [[0; 16]; K];
    let mut blocks = [[0; 16]; W];
    let mut y = [0; 16];
    let mut depth = Depth::here();
    depth = depth.max(short_keystream(cipher, hash, message.iv, &mut keystream, data.len()));
    let ciphertext = message.input.unwrap_or(data);
    depth = depth.max(short_hash(hash, message.aad, ciphertext, &mut blocks, &mut y));
    xor(&mut y, &keystream[0]);
    let valid = equal(&y, tag);
    if valid {
        copy_input(message.input, data);
        xor_short(data, &keystream[1..]);
    }
    (valid, depth)
}

/// E(J_0), E(J_0 + 1), … for so many bytes of data.
#[inline(always)]
fn short_keystream<C: BlockEncrypt<16> + ?Sized>(
    cipher: &C,
    hash: &GhashKey,
    iv: &[u8],
    keystream: &mut [[u8; 16]],
    length: usize,
) -> Depth {
    let depth = j_0(hash, iv, &mut keystream[0]);
    let mut counter = keystream[0];
    let count = length.div_ceil(16).min(SHORT);
    for block in &mut keystream[1..=count] {
        add32(&mut counter, 1);
        *block = counter;
    }
    depth.max(cipher.encrypt_blocks(&mut keystream[..=count]))
}

/// S of a short ciphertext: in one call of GHASH, if the additional data is short too. `blocks`
/// holds zeros, which pad.
#[inline(always)]
fn short_hash(
    hash: &GhashKey,
    aad: &[u8],
    ciphertext: &[u8],
    blocks: &mut [[u8; 16]],
    y: &mut [u8; 16],
) -> Depth {
    let mut depth = Depth::here();
    let mut count = 0;
    if aad.len() <= 16 * SHORT_AAD {
        copy(blocks.as_flattened_mut(), aad);
        count = aad.len().div_ceil(16);
    } else {
        depth = depth.max(hash.update_padded(y, aad));
    }
    copy(blocks[count..].as_flattened_mut(), ciphertext);
    count += ciphertext.len().div_ceil(16).min(SHORT);
    blocks[count] = lengths(8 * length(aad), 8 * length(ciphertext));
    depth.max(hash.update_blocks(y, &blocks[..=count]))
}

#[inline(never)]
fn seal_long<C: BlockEncrypt<16> + ?Sized>(
    cipher: &C,
    hash: &GhashKey,
    message: &Message<'_>,
    data: &mut [u8],
    tag: &mut [u8],
) -> Depth {
    let mut counter = [0; 16];
    let mut keystream = [[0; 16]; 2];
    let mut y = [0; 16];
    let mut depth = Depth::here();
    depth = depth.max(j_0(hash, message.iv, &mut counter));
    depth = depth.max(ends(cipher, &counter, data.len(), &mut keystream));
    add32(&mut counter, 1);
    if !message.aad.is_empty() {
        depth = depth.max(hash.update_padded(&mut y, message.aad));
    }

    let mut rest = message.input;
    let mut steps = data.chunks_exact_mut(STEP);
    for step in &mut steps {
        copy_input(take(&mut rest, STEP), step);
        let (blocks, _) = step.as_chunks_mut::<16>();
        depth = depth.max(cipher.ctr_xor(&mut counter, blocks));
        depth = depth.max(hash.update_blocks(&mut y, blocks));
    }
    let last = steps.into_remainder();
    copy_input(rest, last);
    let (blocks, tail) = last.as_chunks_mut::<16>();
    if !blocks.is_empty() {
        depth = depth.max(cipher.ctr_xor(&mut counter, blocks));
        depth = depth.max(hash.update_blocks(&mut y, blocks));
    }
    xor(tail, &keystream[1]);
    let bits = lengths(8 * length(message.aad), 8 * length(data));
    depth = depth.max(hash_end(hash, data, bits, &mut y));
    xor(&mut y, &keystream[0]);
    truncate(&y, tag);
    depth
}

#[inline(never)]
fn open_long<C: BlockEncrypt<16> + ?Sized>(
    cipher: &C,
    hash: &GhashKey,
    message: &Message<'_>,
    data: &mut [u8],
    tag: &[u8],
) -> (bool, Depth) {
    let mut counter = [0; 16];
    let mut keystream = [[0; 16]; 2];
    let mut y = [0; 16];
    let mut depth = Depth::here();
    depth = depth.max(j_0(hash, message.iv, &mut counter));
    depth = depth.max(ends(cipher, &counter, data.len(), &mut keystream));
    add32(&mut counter, 1);
    if !message.aad.is_empty() {
        depth = depth.max(hash.update_padded(&mut y, message.aad));
    }

    let ciphertext = message.input.unwrap_or(data);
    depth = depth.max(hash.update_blocks(&mut y, ciphertext.as_chunks().0));
    let bits = lengths(8 * length(message.aad), 8 * length(ciphertext));
    depth = depth.max(hash_end(hash, ciphertext, bits, &mut y));
    xor(&mut y, &keystream[0]);
    if !equal(&y, tag) {
        return (false, depth);
    }

    let mut rest = message.input;
    for step in data.chunks_mut(STEP) {
        copy_input(take(&mut rest, step.len()), step);
        let (blocks, tail) = step.as_chunks_mut::<16>();
        depth = depth.max(cipher.ctr_xor(&mut counter, blocks));
        xor(tail, &keystream[1]);
    }
    (true, depth)
}

/// Whole blocks of a message of which more is to come.
#[inline(never)]
pub(crate) fn blocks<C: BlockEncrypt<16> + ?Sized>(
    cipher: &C,
    hash: &GhashKey,
    direction: Direction,
    counter: &mut [u8; 16],
    y: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    let mut depth = Depth::here();
    for step in blocks.chunks_mut(STEP / 16) {
        if direction == Direction::Open {
            depth = depth.max(hash.update_blocks(y, step));
        }
        depth = depth.max(cipher.ctr_xor(counter, step));
        if direction == Direction::Seal {
            depth = depth.max(hash.update_blocks(y, step));
        }
    }
    depth
}

/// The two blocks of keystream that counter mode over whole blocks does not come to, in one call
/// of the cipher: E(J_0), and that of the last block, if it is not whole.
#[inline(always)]
fn ends<C: BlockEncrypt<16> + ?Sized>(
    cipher: &C,
    j_0: &[u8; 16],
    length: usize,
    keystream: &mut [[u8; 16]; 2],
) -> Depth {
    *keystream = [*j_0; 2];
    // At most 2^32 - 2 blocks: the sum modulo 2^32 is what inc32 comes to.
    add32(&mut keystream[1], (length / 16) as u32);
    add32(&mut keystream[1], 1);
    let count = if length.is_multiple_of(16) { 1 } else { 2 };
    cipher.encrypt_blocks(&mut keystream[..count])
}

/// Hashes what is left of the ciphertext after its whole blocks, padded with zeros, and the
/// block of lengths.
#[inline(always)]
fn hash_end(hash: &GhashKey, ciphertext: &[u8], bits: [u8; 16], y: &mut [u8; 16]) -> Depth {
    let (_, tail) = ciphertext.as_chunks::<16>();
    let mut blocks = [[0; 16], bits];
    copy(&mut blocks[0], tail);
    let from = usize::from(tail.is_empty());
    hash.update_blocks(y, &blocks[from..])
}

/// The text of a short message. One block is the most frequent, and would take a loop over words.
#[inline(always)]
fn xor_short(data: &mut [u8], keystream: &[[u8; 16]]) {
    match (<&mut [u8; 16]>::try_from(&mut *data), keystream) {
        (Ok(block), [first, ..]) => xor(block, first),
        _ => xor(data, keystream.as_flattened()),
    }
}

/// Splits the next bytes off the input, where there is one.
#[inline(always)]
fn take<'a>(rest: &mut Option<&'a [u8]>, count: usize) -> Option<&'a [u8]> {
    let (step, left) = (*rest)?.split_at_checked(count)?;
    *rest = Some(left);
    Some(step)
}
