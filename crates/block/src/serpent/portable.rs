//! Serpent on the registers that every CPU of the target has.
//!
//! Round keys are words; blocks are byte arrays of any alignment.
//!
//! Constant time: yes, Boolean circuits.
//!
//! Eight blocks in two vectors each of four lanes, where the target has them, else one block at a
//! time on general registers.

use super::rounds::{self, Keys, each_width};
use crate::Depth;

const VECTORS: bool = cfg!(any(target_feature = "sse2", target_feature = "neon"));

/// Blocks at a time.
const LANES: usize = if VECTORS { 8 } else { 1 };
/// Eight blocks take as long as three after each other.
const WORTH: usize = 3;

#[inline(always)]
pub(super) fn encrypt_blocks(keys: &Keys, blocks: &mut [[u8; 16]]) -> Depth {
    each_width::<LANES, LANES, WORTH>(
        blocks,
        |blocks| encrypt(keys, blocks),
        |blocks| encrypt(keys, blocks),
        |block| encrypt(keys, block),
    )
}

#[inline(always)]
pub(super) fn decrypt_blocks(keys: &Keys, blocks: &mut [[u8; 16]]) -> Depth {
    each_width::<LANES, LANES, WORTH>(
        blocks,
        |blocks| decrypt(keys, blocks),
        |blocks| decrypt(keys, blocks),
        |block| decrypt(keys, block),
    )
}

#[inline(never)]
pub(super) fn encrypt<const L: usize>(keys: &Keys, blocks: &mut [[u8; 16]; L]) -> Depth {
    rounds::encrypt(keys, blocks);
    Depth::here()
}

#[inline(never)]
pub(super) fn decrypt<const L: usize>(keys: &Keys, blocks: &mut [[u8; 16]; L]) -> Depth {
    rounds::decrypt(keys, blocks);
    Depth::here()
}
