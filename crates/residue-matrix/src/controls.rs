//! The scanner's own controls, and a cipher of great depth: what it leaves on purpose must be found,
//! and when it is honest, nothing.
//!
//! A table of zeros proves little without them. `cargo xtask residue` runs them before each
//! matrix.

use crate::matrix::{Cell, Extent, run_cipher};
use cinder_block::{Aes128, BlockDecrypt, BlockEncrypt, Depth, InPlace, Refusal, Vacancy};
use cinder_residue::Left;
use cinder_residue::controls::Control;
use std::fmt;
use std::hint::black_box;

/// Runs all controls and hands each to `each`.
///
/// - The scanner's own: [`cinder_residue::controls::run`].
/// - A cipher works 16 KiB further down than it needs to. Burnt down to where it was, nothing may
///   be found; burnt half as far, each encryption and decryption must leave something.
///
/// # Panics
///
/// On a target without a scanner.
pub fn run(mut each: impl FnMut(Control)) {
    cinder_residue::controls::run(&mut each);
    each(whole_depth());
    each(half_depth());
}

fn whole_depth() -> Control {
    let cells = cells::<Deep<true>>("deep");
    let is_fine = cells.iter().all(|cell| cell.left == Left::NOTHING);
    sum("a burn as deep as it says", "nothing in any cell", &cells, is_fine)
}

fn half_depth() -> Control {
    let cells = cells::<Deep<false>>("half");
    let is_fine = cells.iter().all(|cell| {
        let is_way = matches!(cell.step, "encrypt" | "decrypt");
        let Left { stack, .. } = cell.left;
        (stack > 0 || !is_way) && cell.left == Left { stack, ..Left::NOTHING }
    });
    sum("a burn half as deep", "stack in each encrypt and decrypt", &cells, is_fine)
}

/// The matrix over a cipher, in the modes that differ in how they call it.
fn cells<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(cipher: &'static str) -> Vec<Cell> {
    let mut cells = vec![];
    let modes = |_: &str, mode: &str, _: &str| matches!(mode, "ECB" | "CTR" | "CBC" | "GCM");
    run_cipher::<C>(Extent::Quick, cipher, 16, modes, |cell| cells.push(cell));
    cells
}

fn sum(name: &str, expected: &str, cells: &[Cell], is_fine: bool) -> Control {
    let mut left = Left::NOTHING;
    cells.iter().for_each(|cell| left += cell.left);
    let is_fine = is_fine && cells.len() > 12;
    Control { name: name.into(), expected: expected.into(), left, is_fine }
}

/// AES-128 that works 16 KiB further down than it needs to, and says so, or says half of it.
///
/// A cipher that leaks, for [`run_cipher`] and for the tests of what calls it.
pub struct Deep<const HONEST: bool>(Aes128);

impl<const HONEST: bool> Deep<HONEST> {
    #[inline(never)]
    fn declare(depth: Depth) -> Depth {
        if HONEST { depth } else { Depth::here().deeper(depth.bytes() / 2) }
    }
}

impl<const HONEST: bool> InPlace for Deep<HONEST> {
    fn vacant(vacancy: Vacancy) -> Self {
        Deep(Aes128::vacant(vacancy))
    }
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.0.rekey(key)
    }
}

impl<const HONEST: bool> BlockEncrypt<16> for Deep<HONEST> {
    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
        Self::declare(far_down(&self.0, || self.0.encrypt_blocks(blocks)))
    }
}

impl<const HONEST: bool> BlockDecrypt<16> for Deep<HONEST> {
    fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
        Self::declare(far_down(&self.0, || self.0.decrypt_blocks(blocks)))
    }
}

impl<const HONEST: bool> fmt::Debug for Deep<HONEST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Deep").field(&self.0).finish()
    }
}

#[inline(never)]
fn far_down(aes: &Aes128, work: impl FnOnce() -> Depth) -> Depth {
    let mut room = [0u8; 16384];
    black_box(&mut room);
    let depth = work().max(leave_trace(aes));
    black_box(&mut room);
    depth.max(Depth::here())
}

/// The kernels of some CPUs use no stack at all, so something of the key is put there: E(0).
#[inline(never)]
fn leave_trace(aes: &Aes128) -> Depth {
    let mut trace = [0; 16];
    let depth = aes.encrypt_block(&mut trace);
    black_box(&mut trace);
    depth.max(Depth::here())
}
