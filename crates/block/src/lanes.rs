//! Cutting any count of blocks into the widths of a cipher that works on 16-bit lanes; the portable
//! ones.

use crate::Depth;

/// Blocks in the wide path: four vectors of eight lanes share each subkey that is spread over a
/// vector and hide the multiplier's latency. Without vector instructions two blocks fill the
/// pipeline, and on 32-bit targets one block fills the registers.
pub(crate) const WIDE: usize = if VECTORS { 32 } else { SCALAR };
/// Blocks in one vector.
pub(crate) const VECTOR: usize = if VECTORS { 8 } else { SCALAR };

const SCALAR: usize = if cfg!(target_pointer_width = "64") { 2 } else { 1 };
/// Whether the compiler makes vector code of a loop over lanes, for every CPU of the target.
pub(crate) const VECTORS: bool = cfg!(any(target_feature = "sse2", target_feature = "neon"));

/// Runs `blocks` through `wide` as long as they fill it, and padded if more than half of it are
/// left; through `vector` likewise, and padded if `WORTH` are left; and the others one by one.
#[inline(always)]
pub(crate) fn each_width<const WIDE: usize, const VECTOR: usize, const WORTH: usize>(
    blocks: &mut [[u8; 8]],
    wide: impl Fn(&mut [[u8; 8]; WIDE]) -> Depth,
    vector: impl Fn(&mut [[u8; 8]; VECTOR]) -> Depth,
    one: impl Fn(&mut [u8; 8]) -> Depth,
) -> Depth {
    let mut depth = Depth::here();
    let (chunks, rest) = blocks.as_chunks_mut();
    for blocks in chunks {
        depth = depth.max(wide(blocks));
    }
    if rest.len() > WIDE / 2 && rest.len() >= WORTH {
        return depth.max(padded(rest, wide));
    }
    let (chunks, rest) = rest.as_chunks_mut();
    for blocks in chunks {
        depth = depth.max(vector(blocks));
    }
    if rest.len() >= WORTH {
        depth = depth.max(padded(rest, vector));
    } else {
        for block in rest {
            depth = depth.max(one(block));
        }
    }
    depth
}

/// Not inlined: the padding is in a frame of its own, so that one block has a small one.
#[inline(never)]
fn padded<const L: usize>(
    rest: &mut [[u8; 8]],
    kernel: impl Fn(&mut [[u8; 8]; L]) -> Depth,
) -> Depth {
    let mut padded = [[0; 8]; L];
    padded[..rest.len()].copy_from_slice(rest);
    let depth = Depth::here().max(kernel(&mut padded));
    rest.copy_from_slice(&padded[..rest.len()]);
    depth
}
