//! Serpent with AVX2 on x86-64.
//!
//! Round keys are words; blocks are byte arrays of any alignment.
//!
//! Constant time: yes, Boolean circuits.
//!
//! The portable rounds, compiled for eight lanes of each vector: 16 blocks in two vectors each, 8 in
//! one, and one block on general registers.

use super::portable;
use super::rounds::{self, Keys, each_width};
use crate::Depth;
use cinder_cpu::x86::Avx2;

/// One vector, though not full, takes as long as two or three blocks after each other.
const WORTH: usize = 3;

#[inline(always)]
pub(super) fn encrypt_blocks(_: Avx2, keys: &Keys, blocks: &mut [[u8; 16]]) -> Depth {
    each_width::<16, 8, WORTH>(
        blocks,
        // SAFETY: the token proves avx2.
        |blocks| unsafe { encrypt(keys, blocks) },
        // SAFETY: the token proves avx2.
        |blocks| unsafe { encrypt(keys, blocks) },
        |block| portable::encrypt(keys, block),
    )
}

#[inline(always)]
pub(super) fn decrypt_blocks(_: Avx2, keys: &Keys, blocks: &mut [[u8; 16]]) -> Depth {
    each_width::<16, 8, WORTH>(
        blocks,
        // SAFETY: the token proves avx2.
        |blocks| unsafe { decrypt(keys, blocks) },
        // SAFETY: the token proves avx2.
        |blocks| unsafe { decrypt(keys, blocks) },
        |block| portable::decrypt(keys, block),
    )
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn encrypt<const L: usize>(keys: &Keys, blocks: &mut [[u8; 16]; L]) -> Depth {
    rounds::encrypt(keys, blocks);
    Depth::here()
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn decrypt<const L: usize>(keys: &Keys, blocks: &mut [[u8; 16]; L]) -> Depth {
    rounds::decrypt(keys, blocks);
    Depth::here()
}
