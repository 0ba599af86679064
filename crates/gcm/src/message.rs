//! What all ways to compute GCM (SP 800-38D) share: a message, its first counter block, and small
//! work on bytes.
//!
//! Constant time: yes; lengths alone decide branches.

use crate::Depth;
use crate::error::length;
use cinder_ghash::{GhashKey, lengths};
use subtle::ConstantTimeEq;

/// What a call is about, besides the data that it changes and the tag.
pub(crate) struct Message<'a> {
    pub(crate) iv: &'a [u8],
    pub(crate) aad: &'a [u8],
    /// Where the data comes from, unless it is changed in place. As long as the data.
    pub(crate) input: Option<&'a [u8]>,
}

/// J_0, the first counter block:
///
/// ```text
/// IV || 0^31 1                                    for an IV of 12 bytes
/// GHASH_H(IV || zeros || 0^64 || [bits of IV])    for any other
/// ```
#[inline(always)]
pub(crate) fn j_0(hash: &GhashKey, iv: &[u8], block: &mut [u8; 16]) -> Depth {
    match <&[u8; 12]>::try_from(iv) {
        Ok(iv) => {
            let [a, b, c, d, e, f, g, h, rest @ ..] = *iv;
            let low = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            write(block, [low, u64::from(u32::from_le_bytes(rest)) | 1 << 56]);
            Depth::NONE
        }
        Err(_) => hashed_j_0(hash, iv, block),
    }
}

#[inline(never)]
fn hashed_j_0(hash: &GhashKey, iv: &[u8], block: &mut [u8; 16]) -> Depth {
    *block = [0; 16];
    let depth = Depth::here().max(hash.update_padded(block, iv));
    depth.max(hash.update_blocks(block, &[lengths(0, 8 * length(iv))]))
}

/// Two little-endian words. On x86-64 by one store of 16 bytes, so that a load of 16 bytes right
/// after it does not wait until the store has left for the cache.
#[inline(always)]
fn write(block: &mut [u8; 16], words: [u64; 2]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    {
        *block = cinder_cpu::x86_lanes::block(words);
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    {
        *block = (u128::from(words[1]) << 64 | u128::from(words[0])).to_le_bytes();
    }
}

/// Adds to the last four bytes, big endian, modulo 2^32; with 1 it is inc32.
#[inline(always)]
pub(crate) fn add32(counter: &mut [u8; 16], n: u32) {
    if let Some(low) = counter.last_chunk_mut::<4>() {
        *low = u32::from_be_bytes(*low).wrapping_add(n).to_be_bytes();
    }
}

/// As long as the shorter of the two.
#[inline(always)]
pub(crate) fn xor(to: &mut [u8], from: &[u8]) {
    for (a, b) in to.iter_mut().zip(from) {
        *a ^= b;
    }
}

/// As long as the shorter of the two: pads a block.
#[inline(always)]
pub(crate) fn copy(to: &mut [u8], from: &[u8]) {
    let n = to.len().min(from.len());
    to[..n].copy_from_slice(&from[..n]);
}

#[inline(always)]
pub(crate) fn copy_input(input: Option<&[u8]>, data: &mut [u8]) {
    if let Some(input) = input {
        copy(data, input);
    }
}

/// Writes the first bytes of the computed tag. One whole block is the most frequent.
#[inline(always)]
pub(crate) fn truncate(computed: &[u8; 16], tag: &mut [u8]) {
    match <&mut [u8; 16]>::try_from(&mut *tag) {
        Ok(tag) => *tag = *computed,
        Err(_) => copy(tag, computed),
    }
}

/// Whether a received tag is the first bytes of the computed one, in constant time.
#[inline(always)]
pub(crate) fn equal(computed: &[u8; 16], tag: &[u8]) -> bool {
    let equal = match <&[u8; 16]>::try_from(tag) {
        Ok(tag) => {
            // Two words instead of sixteen bytes.
            let difference = u128::from_ne_bytes(*computed) ^ u128::from_ne_bytes(*tag);
            ((difference >> 64 | difference) as u64).ct_eq(&0)
        }
        Err(_) => computed[..tag.len().min(16)].ct_eq(tag),
    };
    cinder_burn::declassify(equal.unwrap_u8()) == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j_0_ends_in_one() {
        let iv: [u8; 12] = core::array::from_fn(|i| 0xf0 + i as u8);
        let mut block = [0xee; 16];
        let _ = j_0(&GhashKey::vacant(), &iv, &mut block);
        assert_eq!(block[..12], iv);
        assert_eq!(block[12..], [0, 0, 0, 1]);
    }
}
