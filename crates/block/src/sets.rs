//! For ciphers whose kernels interleave a fixed number of blocks: any count of blocks, cut into
//! sets.

use crate::Depth;

/// Whether to interleave at all: 32-bit targets have 13 or fewer registers to work with, which
/// one block fills, and a set of blocks spends its time on spilling.
const INTERLEAVE: bool = cfg!(target_pointer_width = "64");

/// Cuts `blocks` into sets of `LANES`, and what is left into a padded set, a pair or one block.
///
/// A set of `LANES` blocks takes little longer than one block, most of which is waiting. So three
/// blocks or more go faster as a whole set, the rest of which is zeros.
#[inline(always)]
pub(crate) fn in_sets<const N: usize, const LANES: usize>(
    blocks: &mut [[u8; N]],
    wide: impl Fn(&mut [[[u8; N]; LANES]]) -> Depth,
    pair: impl Fn(&mut [[[u8; N]; 2]]) -> Depth,
    one: impl Fn(&mut [[[u8; N]; 1]]) -> Depth,
) -> Depth {
    let mut depth = Depth::here();
    if !INTERLEAVE {
        return depth.max(one(blocks.as_chunks_mut().0));
    }
    let (sets, rest) = blocks.as_chunks_mut();
    if !sets.is_empty() {
        depth = depth.max(wide(sets));
    }
    let last = match rest.len() {
        0 => Depth::NONE,
        1 => one(rest.as_chunks_mut().0),
        2 => pair(rest.as_chunks_mut().0),
        _ => padded(rest, wide),
    };
    depth.max(last)
}

/// The same with sets of two sizes: what is left of sets of `LANES`, if it is `HALF` at
/// most, goes as [`in_sets`] of `HALF`.
#[cfg(feature = "cast5")]
#[inline(always)]
pub(crate) fn in_two_sets<const N: usize, const LANES: usize, const HALF: usize>(
    blocks: &mut [[u8; N]],
    wide: impl Fn(&mut [[[u8; N]; LANES]]) -> Depth,
    half: impl Fn(&mut [[[u8; N]; HALF]]) -> Depth,
    pair: impl Fn(&mut [[[u8; N]; 2]]) -> Depth,
    one: impl Fn(&mut [[[u8; N]; 1]]) -> Depth,
) -> Depth {
    if !INTERLEAVE {
        return in_sets(blocks, half, pair, one);
    }
    let mut depth = Depth::here();
    let (sets, rest) = blocks.as_chunks_mut();
    if !sets.is_empty() {
        depth = depth.max(wide(sets));
    }
    let last = if rest.len() > HALF { padded(rest, wide) } else { in_sets(rest, half, pair, one) };
    depth.max(last)
}

/// Not inlined: the padding is in a frame of its own, so that one block has a small one.
#[inline(never)]
fn padded<const N: usize, const LANES: usize>(
    rest: &mut [[u8; N]],
    wide: impl Fn(&mut [[[u8; N]; LANES]]) -> Depth,
) -> Depth {
    let mut set = [[0; N]; LANES];
    set[..rest.len()].copy_from_slice(rest);
    let depth = Depth::here().max(wide(core::slice::from_mut(&mut set)));
    rest.copy_from_slice(&set[..rest.len()]);
    depth
}
