//! What the schemes share.

use cinder_block::{BlockEncrypt, Depth};
use cinder_burn::declassify;

/// Bytes of a message that one pass works on before the other does: they stay in the first-level
/// cache. Whole blocks, whatever the cipher.
pub(crate) const PIECE: usize = 4096;

/// The same where one pass is a CBC-MAC, in which a block waits for the one before it. While the CPU waits
/// at the end of a piece, it runs ahead into counter mode's part of the next, if all of that fits into
/// its window.
pub(crate) const SHORT_PIECE: usize = 512;

/// XORs the keystream of counter mode into `data`. The whole block counts, big endian. Only the
/// last piece of a message may end inside a block.
///
/// EAX's counter begins at a secret. It takes the same time wherever that is, but for the one call in
/// 2^32 / blocks in which the last four bytes wrap.
#[inline(never)]
pub(crate) fn ctr<const N: usize>(
    cipher: &(impl BlockEncrypt<N> + ?Sized),
    counter: &mut [u8; N],
    data: &mut [u8],
) -> Depth {
    let mut depth = Depth::here();
    let (mut blocks, rest) = data.as_chunks_mut();
    while !blocks.is_empty() {
        // The cipher counts in the last four bytes alone. Where they wrap, the carry goes on here, from
        // block to block.
        let low = counter.last_chunk().map_or(0, |low| u32::from_be_bytes(*low));
        // Wrapping: a check of overflow would be a branch on the counter.
        let wraps = u64::from(low).wrapping_add(blocks.len() as u64) >= 1 << 32;
        let now = if declassify(wraps.into()) == 1 { 1 } else { blocks.len() };
        let (first, later) = blocks.split_at_mut(now);
        let next = plus(counter, now);
        depth = depth.max(cipher.ctr_xor(counter, first));
        *counter = next;
        blocks = later;
    }
    if !rest.is_empty() {
        depth = depth.max(cipher.encrypt_block(counter));
        xor(rest, counter);
    }
    depth
}

/// The sum, big endian, modulo 256^N.
#[inline(always)]
fn plus<const N: usize>(counter: &[u8; N], blocks: usize) -> [u8; N] {
    const { assert!(N <= 16) };
    let mut wide = [0; 16];
    wide[16 - N..].copy_from_slice(counter);
    let sum = u128::from_be_bytes(wide).wrapping_add(blocks as u128).to_be_bytes();
    let mut next = [0; N];
    next.copy_from_slice(&sum[16 - N..]);
    next
}

pub(crate) fn xor(into: &mut [u8], from: &[u8]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a ^= b;
    }
}

/// What every key has: it prints its name alone, and drops wiped if its cipher does.
macro_rules! key {
    ($name:ident < C $(, $parameter:ident)* >) => {
        impl<C: zeroize::ZeroizeOnDrop $(, const $parameter: usize)*> zeroize::ZeroizeOnDrop
            for $name<C $(, $parameter)*>
        {
        }

        impl<C $(, const $parameter: usize)*> core::fmt::Debug for $name<C $(, $parameter)*> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use key;

#[cfg(test)]
mod tests {
    use super::*;
    use cinder_block::{Aes128, Slot, TripleDes};

    /// Block by block, by the definition.
    fn check<C: BlockEncrypt<N>, const N: usize>(cipher: &C) {
        let ones = u128::MAX >> (128 - 8 * N as u32);
        for start in [5, 0xffff_fff0, 0x7_ffff_fffe, ones - 7, ones] {
            let block = |i| -> [u8; N] {
                let counter = start.wrapping_add(i).to_be_bytes();
                counter[16 - N..].try_into().unwrap()
            };
            for len in [0, 3, N, 20 * N, 40 * N + 1] {
                let (mut counter, mut data) = (block(0), [0; 700]);
                let _ = ctr(cipher, &mut counter, &mut data[..len]);
                for (i, piece) in data[..len].chunks(N).enumerate() {
                    let mut keystream = block(i as u128);
                    let _ = cipher.encrypt_block(&mut keystream);
                    assert_eq!(piece, &keystream[..piece.len()], "{start:x}, {len}, block {i}");
                }
                if len.is_multiple_of(N) {
                    assert_eq!(counter, block((len / N) as u128), "{start:x}, {len}");
                }
            }
        }
    }

    #[test]
    fn the_whole_block_counts() {
        let key: [u8; 24] = core::array::from_fn(|i| i as u8);
        check::<_, 16>(Slot::<Aes128>::empty().init(&key[..16]).unwrap());
        check::<_, 8>(Slot::<TripleDes>::empty().init(&key).unwrap());
    }
}
