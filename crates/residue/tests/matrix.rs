//! The residue matrix in the profile that the tests run in: not one byte.

use block::{
    Aes128, BlockDecrypt, BlockEncrypt, Camellia, Depth, InPlace, KeyError, Slot, TripleDes,
};
use residue::matrix::{Extent, run, run_cipher};
use residue::{Trial, scan};
use std::hint::black_box;

/// Under an emulator the full matrix takes minutes; `cargo xtask residue` runs it.
fn check(cipher: &str) {
    check_cells(|c, mode, _| c == cipher && mode != "any", 100);
}

fn check_cells(filter: impl Fn(&str, &str, &str) -> bool, at_least: usize) {
    if !residue::supported() {
        return;
    }
    let mut dirty = vec![];
    let mut cells = 0;
    run(Extent::Quick, filter, |cell| {
        cells += 1;
        if cell.total() != 0 {
            dirty.push(cell.to_string());
        }
    });
    assert!(cells > at_least, "only {cells} cells");
    assert!(dirty.is_empty(), "{}", dirty.join("\n"));
}

#[test]
fn aes_128() {
    check("AES-128");
}

#[test]
fn aes_192() {
    check("AES-192");
}

#[test]
fn aes_256() {
    check("AES-256");
}

#[test]
fn blowfish() {
    check("Blowfish");
}

#[test]
fn cast5() {
    check("CAST5");
}

#[test]
fn twofish() {
    check("Twofish");
}

#[test]
fn idea() {
    check("IDEA");
}

#[test]
fn rc2() {
    check("RC2");
}

#[test]
fn serpent() {
    check("Serpent");
}

#[test]
fn seed() {
    check("SEED");
}

#[test]
fn camellia() {
    check("Camellia");
}

#[test]
fn des() {
    check("DES");
    check("3DES");
}

#[test]
fn streams() {
    check_cells(|cipher, _, _| cipher == "ARCFOUR", 7);
    check_cells(|cipher, _, _| cipher == "Salsa20", 23);
}

#[test]
fn ghash() {
    check_cells(|cipher, _, _| cipher == "GHASH", 17);
}

#[test]
fn picked_at_run_time() {
    check_cells(|_, mode, _| mode == "any", 100);
}

/// A key that is refused is a key all the same: of a wrong length, or weak, which 3DES finds out
/// by comparing its parts.
#[test]
fn refused_keys() {
    fn refuse<C: InPlace>(trial: &mut Trial<'_>, key: &[u8], error: KeyError) {
        let mut slot = Box::new(Slot::<C>::empty());
        let result = trial.watch("refused", || slot.init(key).map(drop));
        assert_eq!(result, Err(error));
        trial.watch("refused", || slot.clear());
    }
    if !residue::supported() {
        return;
    }
    let report = scan(|trial| {
        let key = trial.key::<64>();
        trial.secret("key", &key);
        refuse::<Aes128>(trial, &key[..15], KeyError::Length);
        refuse::<Camellia>(trial, &key[..33], KeyError::Length);
        refuse::<TripleDes>(trial, &key[..25], KeyError::Length);
        let (mut first, mut last) = ([0; 24], [0; 24]);
        for (to, from) in [(0, 0), (8, 0), (16, 8)] {
            first[to..to + 8].copy_from_slice(&key[from..from + 8]);
            last[16 - to..24 - to].copy_from_slice(&key[from..from + 8]);
        }
        refuse::<TripleDes>(trial, &first, KeyError::Weak);
        refuse::<TripleDes>(trial, &last, KeyError::Weak);
    });
    assert!(report.is_clean(), "{report}");
}

#[test]
fn depths_are_honest() {
    if burn::probe::depth_of(|| ()).is_some() {
        residue::depths::run(Extent::Full, |row| assert!(row.is_covered(), "{row}"));
    }
}

/// AES that works 16 KiB further down than it needs to, and says so, or says half of it.
struct Deep<const HONEST: bool>(Aes128);

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

impl<const HONEST: bool> Deep<HONEST> {
    #[inline(never)]
    fn declare(depth: Depth) -> Depth {
        if HONEST { depth } else { Depth::here().deeper(depth.bytes() / 2) }
    }
}

impl<const HONEST: bool> InPlace for Deep<HONEST> {
    fn vacant() -> Self {
        Deep(Aes128::vacant())
    }
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, KeyError> {
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

/// The controls: the same matrix, with depths that are true and with half of them.
#[test]
fn half_the_depth_fails() {
    if !residue::supported() {
        return;
    }
    let mut cells = vec![];
    let modes = |_: &str, mode: &str, _: &str| matches!(mode, "ECB" | "CTR" | "CBC" | "GCM");
    run_cipher::<Deep<true>>(Extent::Quick, "AES, deep", 16, modes, |cell| {
        assert_eq!(cell.total(), 0, "{cell}");
    });
    run_cipher::<Deep<false>>(Extent::Quick, "AES, half", 16, modes, |cell| cells.push(cell));
    for cell in &cells {
        match cell.step {
            "encrypt" | "decrypt" => assert!(cell.stack > 0, "{cell}"),
            "drop" => assert_eq!(cell.total(), 0, "{cell}"),
            _ => {}
        }
        assert_eq!((cell.vector, cell.general), (0, 0), "{cell}");
    }
    assert!(cells.len() > 12);
}
