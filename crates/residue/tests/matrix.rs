//! The residue matrix in the profile that the tests run in: not one byte.

use residue::matrix::{Extent, run};

/// Under an emulator the full matrix takes minutes; `cargo xtask residue` runs it.
fn check(cipher: &str) {
    if !residue::supported() {
        return;
    }
    let mut dirty = vec![];
    let mut cells = 0;
    run(
        Extent::Quick,
        |c, _| c == cipher,
        |cell| {
            cells += 1;
            if cell.total() != 0 {
                dirty.push(cell.to_string());
            }
        },
    );
    assert!(cells > 30, "only {cells} cells");
    assert!(dirty.is_empty(), "{}", dirty.join("\n"));
}

#[test]
fn aes_128() {
    check("AES-128");
}

#[test]
fn aes_256() {
    check("AES-256");
}
