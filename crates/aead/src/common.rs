//! What the schemes share.

use cinder_block::{BlockEncrypt, Depth};

/// Bytes of a message that one pass works on before the other does: they stay in the first-level
/// cache. Whole blocks, whatever the cipher.
pub(crate) const PIECE: usize = 4096;

/// XORs the keystream of counter mode into `data`. The whole block counts, big endian. Only the
/// last piece of a message may end inside a block.
#[inline(never)]
pub(crate) fn ctr<const N: usize>(
    cipher: &(impl BlockEncrypt<N> + ?Sized),
    counter: &mut [u8; N],
    data: &mut [u8],
) -> Depth {
    let mut depth = Depth::here();
    let (mut blocks, rest) = data.as_chunks_mut();
    while !blocks.is_empty() {
        // The cipher counts in the last four bytes alone; here the carry goes on.
        let low = counter.last_chunk().map_or(0, |low| u32::from_be_bytes(*low));
        let until_wrap = (1 << 32) - u64::from(low);
        let now = usize::try_from(until_wrap).map_or(blocks.len(), |n| n.min(blocks.len()));
        let (first, later) = blocks.split_at_mut(now);
        depth = depth.max(cipher.ctr_xor(counter, first));
        if now as u64 == until_wrap {
            for byte in counter[..N - 4].iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
        blocks = later;
    }
    if !rest.is_empty() {
        depth = depth.max(cipher.encrypt_block(counter));
        xor(rest, counter);
    }
    depth
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
