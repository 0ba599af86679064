//! Salsa20 and ChaCha20 on NEON, four blocks at a time: what 32-bit and 64-bit ARM share.
//!
//! State words are native integers; blocks are byte arrays of any alignment.
//!
//! Constant time: yes: additions, XORs and rotations by fixed distances; branches on lengths.
//!
//! Each register holds one word of four blocks. Two or three blocks, with the one that is kept for
//! later, go through a set of four that zeros fill; a block alone goes the portable way.

#[cfg(target_arch = "aarch64")]
use crate::aarch64_neon::{Neon, chacha20_set, salsa20_set};
#[cfg(target_arch = "arm")]
use crate::arm_neon::{Neon, chacha20_set, salsa20_set};
use crate::{chacha20, salsa20};
use cinder_block::Depth;

const BLOCK: usize = 64;

/// Bytes in a set.
pub(crate) const SET: usize = 4 * BLOCK;

/// The states of four blocks, which differ in two words: the number of the block, low word first.
#[repr(C)]
pub(crate) struct Input {
    /// The two words are of no meaning here.
    pub(crate) state: [u32; 16],
    /// The row of the state that has the number in its first two words, for each block.
    pub(crate) rows: [[u32; 4]; 4],
}

impl Input {
    #[inline(always)]
    fn new(state: &[u32; 16], row: usize) -> Self {
        let words = state.as_chunks().0[row];
        Input { state: *state, rows: [words; 4] }
    }
}

/// XORs keystream from the block that the state stands for. The state's counter goes on.
#[inline(never)]
pub(crate) fn chacha20(token: Neon, state: &mut [u32; 16], data: &mut [u8]) -> Depth {
    let mut depth = Depth::here();
    let (sets, rest) = data.as_chunks_mut();
    if !sets.is_empty() {
        let mut input = Input::new(state, 3);
        for set in sets {
            depth = depth.max(chacha20_next(token, state, &mut input, set));
        }
    }
    if rest.len() > BLOCK {
        depth.max(chacha20_part(token, state, rest))
    } else if !rest.is_empty() {
        depth.max(chacha20::portable::xor(state, rest))
    } else {
        depth
    }
}

#[inline(always)]
fn chacha20_next(
    token: Neon,
    state: &mut [u32; 16],
    input: &mut Input,
    set: &mut [u8; SET],
) -> Depth {
    for (row, i) in input.rows.iter_mut().zip(0..) {
        row[0] = state[12].wrapping_add(i);
    }
    state[12] = state[12].wrapping_add(4);
    chacha20_set(token, input, set)
}

#[inline(never)]
fn chacha20_part(token: Neon, state: &mut [u32; 16], data: &mut [u8]) -> Depth {
    let (mut input, mut set) = (Input::new(state, 3), [0; SET]);
    let depth = chacha20_next(token, state, &mut input, &mut set);
    chacha20::xor_bytes(data, &set);
    depth.max(Depth::here())
}

/// XORs the keystream blocks from number `counter` on into `blocks`, and writes the one after them
/// to `next`. The last block's number is at most 2^64 - 1.
#[inline(never)]
pub(crate) fn salsa20<const ROUNDS: usize>(
    token: Neon,
    state: &[u32; 16],
    mut counter: u64,
    blocks: &mut [[u8; BLOCK]],
    next: Option<&mut [u8; BLOCK]>,
) -> Depth {
    let mut depth = Depth::here();
    let (sets, rest) = blocks.as_chunks_mut::<4>();
    if !sets.is_empty() {
        let mut input = Input::new(state, 2);
        for set in sets.as_flattened_mut().as_flattened_mut().as_chunks_mut().0 {
            depth = depth.max(salsa20_next::<ROUNDS>(token, &mut input, counter, set));
            counter = counter.wrapping_add(4);
        }
    }
    if rest.len() + usize::from(next.is_some()) > 1 {
        depth.max(salsa20_part::<ROUNDS>(token, state, counter, rest, next))
    } else {
        depth.max(salsa20::portable::<ROUNDS>(state, counter, rest, next))
    }
}

#[inline(always)]
fn salsa20_next<const ROUNDS: usize>(
    token: Neon,
    input: &mut Input,
    counter: u64,
    set: &mut [u8; SET],
) -> Depth {
    for (row, i) in input.rows.iter_mut().zip(0..) {
        // Behind the last block there may be others in the set, which nobody sees.
        let number = counter.wrapping_add(i);
        (row[0], row[1]) = (number as u32, (number >> 32) as u32);
    }
    salsa20_set::<ROUNDS>(token, input, set)
}

/// At most four blocks, `next` among them.
#[inline(never)]
fn salsa20_part<const ROUNDS: usize>(
    token: Neon,
    state: &[u32; 16],
    counter: u64,
    blocks: &mut [[u8; BLOCK]],
    next: Option<&mut [u8; BLOCK]>,
) -> Depth {
    let (mut input, mut set) = (Input::new(state, 2), [0; SET]);
    let depth = salsa20_next::<ROUNDS>(token, &mut input, counter, &mut set);
    let (keystream, _) = set.as_chunks();
    for (block, keystream) in blocks.iter_mut().zip(keystream) {
        chacha20::xor_bytes(block, keystream);
    }
    if let (Some(next), Some(keystream)) = (next, keystream.get(blocks.len())) {
        *next = *keystream;
    }
    depth.max(Depth::here())
}
