//! GCM (SP 800-38D, algorithms 4 and 5) in two passes: counter mode, by the cipher's own
//! [`ctr_xor`](BlockEncrypt::ctr_xor), and GHASH.
//!
//! ```text
//! H   = E(0^128)
//! J_0 = IV || 0^31 1                                    for an IV of 12 bytes
//! J_0 = GHASH_H(IV || zeros || 0^64 || [bits of IV])    for any other
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
//!
//! The helpers are inlined, but not with debug assertions: without optimisation the places of all
//! their values would add up in one frame. Those with frames of note return the depth of what
//! they call, which is below them.

use crate::Depth;
use crate::error::length;
use cinder_block::BlockEncrypt;
use cinder_ghash::{GhashKey, lengths};
use subtle::ConstantTimeEq;

/// Bytes for each turn of the two passes: an eighth of the smallest first-level cache in use.
pub(crate) const STEP: usize = 4096;
/// Blocks of a short message, which shares one call of the cipher with E(J_0).
const SHORT: usize = 4;
/// Blocks of additional data that share one call of GHASH with a short message.
const SHORT_AAD: usize = 2;
/// Blocks that a short message hashes at most.
const SHORT_BLOCKS: usize = SHORT_AAD + SHORT + 1;
/// The same with a block, at most, of additional data and one of data, whose frame is smaller.
const ONE_BLOCK: usize = 3;

/// What a call is about, besides the data that it changes and the tag.
pub(crate) struct Message<'a> {
    pub(crate) iv: &'a [u8],
    pub(crate) aad: &'a [u8],
    /// Where the data comes from, unless it is changed in place. As long as the data.
    pub(crate) input: Option<&'a [u8]>,
}

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
    copy(tag, &y);
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
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn short_keystream<C: BlockEncrypt<16> + ?Sized>(
    cipher: &C,
    hash: &GhashKey,
    iv: &[u8],
    keystream: &mut [[u8; 16]],
    length: usize,
) -> Depth {
    let depth = counter_0(hash, iv, &mut keystream[0]);
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
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
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
        depth = depth.max(hash_padded(hash, aad, y));
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
    depth = depth.max(counter_0(hash, message.iv, &mut counter));
    depth = depth.max(ends(cipher, &counter, data.len(), &mut keystream));
    add32(&mut counter, 1);
    if !message.aad.is_empty() {
        depth = depth.max(hash_padded(hash, message.aad, &mut y));
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
    copy(tag, &y);
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
    depth = depth.max(counter_0(hash, message.iv, &mut counter));
    depth = depth.max(ends(cipher, &counter, data.len(), &mut keystream));
    add32(&mut counter, 1);
    if !message.aad.is_empty() {
        depth = depth.max(hash_padded(hash, message.aad, &mut y));
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

/// The two blocks of keystream that counter mode over whole blocks does not come to, in one call
/// of the cipher: E(J_0), and that of the last block, if it is not whole.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn ends<C: BlockEncrypt<16> + ?Sized>(
    cipher: &C,
    counter_0: &[u8; 16],
    length: usize,
    keystream: &mut [[u8; 16]; 2],
) -> Depth {
    *keystream = [*counter_0; 2];
    // At most 2^32 - 2 blocks: the sum modulo 2^32 is what inc32 comes to.
    add32(&mut keystream[1], (length / 16) as u32);
    add32(&mut keystream[1], 1);
    let count = if length.is_multiple_of(16) { 1 } else { 2 };
    cipher.encrypt_blocks(&mut keystream[..count])
}

/// Hashes what is left of the ciphertext after its whole blocks, padded with zeros, and the
/// block of lengths.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn hash_end(hash: &GhashKey, ciphertext: &[u8], bits: [u8; 16], y: &mut [u8; 16]) -> Depth {
    let (_, tail) = ciphertext.as_chunks::<16>();
    let mut blocks = [[0; 16], bits];
    copy(&mut blocks[0], tail);
    let from = usize::from(tail.is_empty());
    hash.update_blocks(y, &blocks[from..])
}

/// J_0.
#[inline(always)]
pub(crate) fn counter_0(hash: &GhashKey, iv: &[u8], j_0: &mut [u8; 16]) -> Depth {
    if let Ok(iv) = <&[u8; 12]>::try_from(iv) {
        j_0[..12].copy_from_slice(iv);
        j_0[12..].copy_from_slice(&1u32.to_be_bytes());
        return Depth::NONE;
    }
    counter_0_hashed(hash, iv, j_0)
}

#[inline(never)]
fn counter_0_hashed(hash: &GhashKey, iv: &[u8], j_0: &mut [u8; 16]) -> Depth {
    *j_0 = [0; 16];
    let depth = Depth::here().max(hash_padded(hash, iv, j_0));
    depth.max(hash.update_blocks(j_0, &[lengths(0, 8 * length(iv))]))
}

/// Hashes bytes padded with zeros to whole blocks.
#[inline(never)]
pub(crate) fn hash_padded(hash: &GhashKey, bytes: &[u8], y: &mut [u8; 16]) -> Depth {
    let (blocks, tail) = bytes.as_chunks::<16>();
    let mut depth = Depth::here();
    if !blocks.is_empty() {
        depth = hash.update_blocks(y, blocks);
    }
    if !tail.is_empty() {
        let mut block = [[0; 16]];
        copy(&mut block[0], tail);
        depth = depth.max(hash.update_blocks(y, &block));
    }
    depth
}

/// Adds to the last four bytes, big endian, modulo 2^32; with 1 it is inc32.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn add32(counter: &mut [u8; 16], n: u32) {
    if let Some(low) = counter.last_chunk_mut::<4>() {
        *low = u32::from_be_bytes(*low).wrapping_add(n).to_be_bytes();
    }
}

/// As long as the shorter of the two.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn xor(to: &mut [u8], from: &[u8]) {
    for (a, b) in to.iter_mut().zip(from) {
        *a ^= b;
    }
}

/// The text of a short message. One block is the most frequent, and would take a loop over words.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn xor_short(data: &mut [u8], keystream: &[[u8; 16]]) {
    match (<&mut [u8; 16]>::try_from(&mut *data), keystream) {
        (Ok(block), [first, ..]) => xor(block, first),
        _ => xor(data, keystream.as_flattened()),
    }
}

/// As long as the shorter of the two: truncates a tag, pads a block.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn copy(to: &mut [u8], from: &[u8]) {
    let n = to.len().min(from.len());
    to[..n].copy_from_slice(&from[..n]);
}

/// Whether a received tag is the first bytes of the computed one, in constant time.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn equal(computed: &[u8; 16], tag: &[u8]) -> bool {
    match <&[u8; 16]>::try_from(tag) {
        Ok(tag) => {
            // Two words instead of sixteen bytes.
            let difference = u128::from_ne_bytes(*computed) ^ u128::from_ne_bytes(*tag);
            ((difference >> 64 | difference) as u64).ct_eq(&0).into()
        }
        Err(_) => computed[..tag.len().min(16)].ct_eq(tag).into(),
    }
}

#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn copy_input(input: Option<&[u8]>, data: &mut [u8]) {
    if let Some(input) = input {
        copy(data, input);
    }
}

/// Splits the next bytes off the input, where there is one.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn take<'a>(rest: &mut Option<&'a [u8]>, count: usize) -> Option<&'a [u8]> {
    let (step, left) = (*rest)?.split_at_checked(count)?;
    *rest = Some(left);
    Some(step)
}
