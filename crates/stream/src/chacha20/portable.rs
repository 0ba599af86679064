//! ChaCha20's rounds on loops over lanes, one lane a block, which the compiler turns into vector
//! instructions where the target has them.
//!
//! Constant time: yes.

#![allow(clippy::needless_range_loop, reason = "a lane runs through several words at once")]

use super::BLOCK;
use cinder_block::Depth;

/// Blocks in the wide path: a vector of four 32-bit lanes.
const WIDE: usize = if cfg!(target_feature = "sse2") { 4 } else { 1 };

/// RFC 8439, section 2.1: the quarter round.
#[inline(always)]
fn quarter_round<const L: usize>(x: &mut [[u32; L]; 16], [a, b, c, d]: [usize; 4]) {
    step(x, a, b, d, 16);
    step(x, c, d, b, 12);
    step(x, a, b, d, 8);
    step(x, c, d, b, 7);
}

/// a += b; d ^= a; d <<<= n.
#[inline(always)]
fn step<const L: usize>(x: &mut [[u32; L]; 16], a: usize, b: usize, d: usize, n: u32) {
    for lane in 0..L {
        x[a][lane] = x[a][lane].wrapping_add(x[b][lane]);
    }
    for lane in 0..L {
        x[d][lane] = (x[d][lane] ^ x[a][lane]).rotate_left(n);
    }
}

/// Section 2.3: ten column rounds and ten diagonal rounds.
#[inline(always)]
fn rounds<const L: usize>(x: &mut [[u32; L]; 16]) {
    for _ in 0..10 {
        quarter_round(x, [0, 4, 8, 12]);
        quarter_round(x, [1, 5, 9, 13]);
        quarter_round(x, [2, 6, 10, 14]);
        quarter_round(x, [3, 7, 11, 15]);
        quarter_round(x, [0, 5, 10, 15]);
        quarter_round(x, [1, 6, 11, 12]);
        quarter_round(x, [2, 7, 8, 13]);
        quarter_round(x, [3, 4, 9, 14]);
    }
}

/// The rounds alone, without the addition that follows: HChaCha20.
#[inline(never)]
pub(super) fn permute(state: &mut [u32; 16]) -> Depth {
    let mut x = [[0]; 16];
    for (x, word) in x.iter_mut().zip(&*state) {
        *x = [*word];
    }
    rounds(&mut x);
    for (x, word) in x.iter().zip(state) {
        *word = x[0];
    }
    Depth::here()
}

/// XORs keystream from the block that the state stands for. The state's counter goes on.
#[inline(never)]
pub(crate) fn xor(state: &mut [u32; 16], data: &mut [u8]) -> Depth {
    let mut depth = Depth::here();
    let (blocks, tail) = data.as_chunks_mut::<BLOCK>();
    let (wide, narrow) = blocks.as_chunks_mut::<WIDE>();
    for blocks in wide {
        depth = depth.max(xor_blocks(state, blocks));
    }
    for block in narrow {
        depth = depth.max(xor_blocks(state, core::array::from_mut(block)));
    }
    if !tail.is_empty() {
        depth = depth.max(xor_tail(state, tail));
    }
    depth
}

/// Less than a block.
#[inline(never)]
fn xor_tail(state: &mut [u32; 16], tail: &mut [u8]) -> Depth {
    let mut block = [[0; BLOCK]];
    let depth = Depth::here().max(xor_blocks(state, &mut block));
    super::xor_bytes(tail, &block[0]);
    depth
}

#[inline(never)]
fn xor_blocks<const L: usize>(state: &mut [u32; 16], blocks: &mut [[u8; BLOCK]; L]) -> Depth {
    let mut input = [[0; L]; 16];
    for (input, word) in input.iter_mut().zip(&*state) {
        *input = [*word; L];
    }
    for lane in 0..L {
        input[12][lane] = state[12].wrapping_add(lane as u32);
    }
    state[12] = state[12].wrapping_add(L as u32);
    let mut x = input;
    rounds(&mut x);
    for (lane, block) in blocks.iter_mut().enumerate() {
        for (bytes, (x, input)) in block.as_chunks_mut::<4>().0.iter_mut().zip(x.iter().zip(&input))
        {
            let word = x[lane].wrapping_add(input[lane]);
            *bytes = (u32::from_le_bytes(*bytes) ^ word).to_le_bytes();
        }
    }
    Depth::here()
}

#[cfg(test)]
mod tests {
    use super::super::words;
    use super::*;

    /// RFC 8439, section 2.1.1.
    #[test]
    fn quarter_round_of_the_rfc() {
        let mut x = [[0]; 16];
        (x[0], x[1], x[2], x[3]) = ([0x11111111], [0x01020304], [0x9b8d6f43], [0x01234567]);
        quarter_round(&mut x, [0, 1, 2, 3]);
        assert_eq!(x[..4], [[0xea2a92f4], [0xcb1cf8ce], [0x4581472e], [0x5881c4bb]]);
    }

    /// The draft, section 2.2.1.
    #[test]
    fn hchacha20_of_the_draft() {
        let mut state = [0; 16];
        words(&mut state, b"expand 32-byte k");
        let key: [u8; 32] = core::array::from_fn(|i| i as u8);
        words(&mut state[4..], &key);
        let nonce = 0x000000090000004a0000000031415927_u128.to_be_bytes();
        words(&mut state[12..], &nonce);
        cinder_burn::burn(permute(&mut state));
        assert_eq!(state[..4], [0x423b4182, 0xfe7bb227, 0x50420ed3, 0x737d878a]);
        assert_eq!(state[12..], [0xd5e4f9a0, 0x53a8748a, 0x13c42ec1, 0xdcecd326]);
    }
}
