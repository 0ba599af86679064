//! The residue matrix in the profile that the tests run in: not one byte.

use cinder_block::{Aes128, Camellia, InPlace, KeyError, Slot, TripleDes};
use cinder_residue::{Trial, scan};
use residue_matrix::matrix::{Extent, run};

/// Under an emulator the full matrix takes minutes; `cargo xtask residue` runs it.
fn check(cipher: &str) {
    check_cells(|c, mode, _| c == cipher && mode != "any", 100);
}

fn check_cells(filter: impl Fn(&str, &str, &str) -> bool, at_least: usize) {
    if !cinder_residue::supported() {
        return;
    }
    let mut dirty = vec![];
    let mut cells = 0;
    run(Extent::Quick, filter, |cell| {
        cells += 1;
        if cell.left.total() != 0 {
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
fn aria() {
    check("ARIA");
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
    // `CINDER_CPU` may leave fewer.
    testkit::level::hold_back();
    // Setup, update, finish, reset and drop.
    let cells = 5 * cinder_ghash::Kernel::available().count();
    check_cells(|cipher, _, _| cipher == "GHASH", cells - 1);
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
    if !cinder_residue::supported() {
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
