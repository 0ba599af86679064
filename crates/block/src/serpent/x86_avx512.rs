//! Serpent with AVX-512 on x86-64.
//!
//! Round keys are words; blocks are byte arrays of any alignment.
//!
//! Constant time: yes, Boolean circuits.
//!
//! The portable rounds, compiled for sixteen lanes of each vector: 32 blocks in two vectors each, 16 in
//! one, and one block on general registers.

use super::portable;
use super::rounds::{self, Keys, each_width};
use crate::Depth;
use cinder_cpu::x86::Avx512;

/// One vector, though not full, takes as long as two or three blocks after each other.
const WORTH: usize = 3;

#[inline(always)]
pub(super) fn encrypt_blocks(_: Avx512, keys: &Keys, blocks: &mut [[u8; 16]]) -> Depth {
    each_width::<32, 16, WORTH>(
        blocks,
        // SAFETY: the token proves avx512f,avx512vl.
        |blocks| unsafe { encrypt(keys, blocks) },
        // SAFETY: the token proves avx512f,avx512vl.
        |blocks| unsafe { encrypt(keys, blocks) },
        |block| portable::encrypt(keys, block),
    )
}

#[inline(always)]
pub(super) fn decrypt_blocks(_: Avx512, keys: &Keys, blocks: &mut [[u8; 16]]) -> Depth {
    each_width::<32, 16, WORTH>(
        blocks,
        // SAFETY: the token proves avx512f,avx512vl.
        |blocks| unsafe { decrypt(keys, blocks) },
        // SAFETY: the token proves avx512f,avx512vl.
        |blocks| unsafe { decrypt(keys, blocks) },
        |block| portable::decrypt(keys, block),
    )
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512vl")]
fn encrypt<const L: usize>(keys: &Keys, blocks: &mut [[u8; 16]; L]) -> Depth {
    rounds::encrypt(keys, blocks);
    Depth::here()
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512vl")]
fn decrypt<const L: usize>(keys: &Keys, blocks: &mut [[u8; 16]; L]) -> Depth {
    rounds::decrypt(keys, blocks);
    Depth::here()
}
