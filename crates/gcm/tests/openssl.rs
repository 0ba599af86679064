//! The example `seal_file` against the system's `openssl`, both ways, on real files.
//!
//! `openssl enc` has no GCM, so its parts are checked: the ciphertext is AES-256-CTR from the
//! counter block 2, and the tag is tied to `openssl mac GMAC`. For ciphertext C of c bits, let
//! S = GHASH(pad(C) ‖ 0^64 ‖ [c]), so that the tag is S ⊕ E(J0). The GMAC of the message
//! M = pad(C) ‖ 0^64 ‖ [c], of m bits, under the same key and nonce is
//! GHASH(M ‖ [m] ‖ 0^64) ⊕ E(J0) = (S ⊕ ([m] ‖ 0^64))·H ⊕ E(J0): one more multiplication.

#![cfg(unix)]

#[allow(dead_code, reason = "the example's main function")]
#[path = "../examples/seal_file.rs"]
mod seal_file;

use cinder_block::aes::Kernel;
use cinder_block::{Aes256Encrypt, BlockEncrypt};
use cinder_ghash::GhashKey;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use testkit::hex::encode as hex;

const KEY: &str = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4";

fn openssl(args: &[&str]) -> Option<Vec<u8>> {
    let output = Command::new("openssl").args(args).output().ok()?;
    output.status.success().then_some(output.stdout)
}

fn ours(command: &str, path: &str) -> Result<(), Box<dyn std::error::Error>> {
    seal_file::run([command, KEY, path].iter().map(|arg| arg.to_string()))
}

/// A folder of its own for a test, removed when it drops.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn content(len: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut bytes = Vec::with_capacity(len + 8);
    while bytes.len() < len {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        bytes.extend_from_slice(&(state ^ state >> 31).to_le_bytes());
    }
    bytes.truncate(len);
    bytes
}

/// The tag of `ciphertext`, from what openssl computes.
fn tag_by_openssl(folder: &Folder, nonce: &[u8], ciphertext: &[u8]) -> [u8; 16] {
    let mut message = ciphertext.to_vec();
    message.resize(ciphertext.len().next_multiple_of(16) + 8, 0);
    message.extend_from_slice(&(8 * ciphertext.len() as u64).to_be_bytes());
    let path = folder.file("message");
    fs::write(&path, &message).unwrap();
    let mac = openssl(&[
        "mac",
        "-cipher",
        "AES-256-GCM",
        "-macopt",
        &format!("hexkey:{KEY}"),
        "-macopt",
        &format!("hexiv:{}", hex(nonce)),
        "-in",
        &path,
        "GMAC",
    ])
    .unwrap();
    let mac = String::from_utf8(mac).unwrap();
    let mac = u128::from_str_radix(mac.trim(), 16).unwrap();

    let key: Vec<u8> =
        (0..64).step_by(2).map(|i| u8::from_str_radix(&KEY[i..i + 2], 16).unwrap()).collect();
    let aes = Aes256Encrypt::new(&key).unwrap();
    let mut h = [0; 16];
    cinder_burn::burn(aes.encrypt_block(&mut h));
    let mut mask = [0; 16];
    mask[..12].copy_from_slice(nonce);
    mask[15] = 1;
    cinder_burn::burn(aes.encrypt_block(&mut mask));
    let mask = u128::from_be_bytes(mask);

    // Undo the last multiplication: H^-1 = H^(2^128 - 2), by squaring and multiplying.
    let times = |a: u128, b: u128| {
        let mut y = [0; 16];
        cinder_burn::burn(
            GhashKey::new(&b.to_be_bytes()).update_blocks(&mut y, &[a.to_be_bytes()]),
        );
        u128::from_be_bytes(y)
    };
    let h = u128::from_be_bytes(h);
    let mut inverse = times(h, h);
    let mut power = inverse;
    for _ in 2..128 {
        power = times(power, power);
        inverse = times(inverse, power);
    }
    let lengths = (8 * message.len() as u128) << 64;
    ((times(mac ^ mask, inverse) ^ lengths) ^ mask).to_be_bytes()
}

#[test]
fn files_agree_with_openssl() {
    if openssl(&["version"]).is_none() {
        println!("skipped: no openssl here");
        return;
    }
    let folder = Folder::new("seal-file");
    let (file, body, other) = (folder.file("file"), folder.file("body"), folder.file("other"));
    // Without AES instructions 64 MiB takes minutes.
    let is_slow = matches!(Kernel::best(), Kernel::Portable);
    let largest = if is_slow { 4 << 20 } else { 64 << 20 };
    for len in [0, 1, 15, 16, 17, (1 << 20) + 3, largest] {
        let plain = content(len);
        fs::write(&file, &plain).unwrap();
        ours("seal", &file).unwrap();
        let sealed = fs::read(&file).unwrap();
        assert_eq!(sealed.len(), 12 + len + 16);
        let (nonce, rest) = sealed.split_at(12);
        let (ciphertext, tag) = rest.split_at(len);

        // Ours, opened by openssl.
        let counter = format!("{}00000002", hex(nonce));
        fs::write(&body, ciphertext).unwrap();
        let ctr = ["enc", "-d", "-aes-256-ctr", "-K", KEY, "-iv", &counter, "-in", &body, "-out"];
        openssl(&[&ctr[..], &[&other]].concat()).unwrap();
        assert!(fs::read(&other).unwrap() == plain, "{len} bytes differ");
        assert_eq!(tag, tag_by_openssl(&folder, nonce, ciphertext), "{len} bytes");

        // Openssl's, with another nonce, opened by ours.
        let nonce: Vec<u8> = nonce.iter().map(|byte| !byte).collect();
        let counter = format!("{}00000002", hex(&nonce));
        fs::write(&body, &plain).unwrap();
        let ctr = ["enc", "-e", "-aes-256-ctr", "-K", KEY, "-iv", &counter, "-in", &body, "-out"];
        openssl(&[&ctr[..], &[&other]].concat()).unwrap();
        let ciphertext = fs::read(&other).unwrap();
        let tag = tag_by_openssl(&folder, &nonce, &ciphertext);
        fs::write(&file, [&nonce[..], &ciphertext, &tag].concat()).unwrap();
        ours("open", &file).unwrap();
        assert!(fs::read(&file).unwrap() == plain, "{len} bytes differ");
    }
}

#[test]
fn a_changed_file_is_refused_and_left() {
    let folder = Folder::new("seal-file-changed");
    let file = folder.file("file");
    fs::write(&file, content(100)).unwrap();
    ours("seal", &file).unwrap();
    let sealed = fs::read(&file).unwrap();
    for position in [0, 12, 60, 127] {
        let mut changed = sealed.clone();
        changed[position] ^= 1;
        fs::write(&file, &changed).unwrap();
        assert!(ours("open", &file).is_err());
        assert_eq!(fs::read(&file).unwrap(), changed);
    }
    fs::write(&file, &sealed[..27]).unwrap();
    assert!(ours("open", &file).is_err());
}
