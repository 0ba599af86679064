//! The example `openssl_enc` against the system's `openssl`, both ways, on real files.

#[allow(dead_code, reason = "the example's main function")]
#[path = "../examples/openssl_enc.rs"]
mod openssl_enc;

use cinder_block::aes::Kernel;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const KEY: &str = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4";
/// Its low bytes wrap inside of the files: the counter is the whole block.
const IV: &str = "f0f1f2f3f4f5f6f7ffffffffffffff00";

fn openssl(args: &[&str]) -> bool {
    match Command::new("openssl").args(args).stdout(Stdio::null()).status() {
        Ok(status) => status.success(),
        Err(_) => false,
    }
}

fn ours(args: &[&str]) {
    openssl_enc::run(args.iter().map(|arg| arg.to_string())).unwrap();
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

/// Bytes without a period that a mode could hide behind.
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

fn both_ways(folder: &Folder, cipher: &str, key: &str, plain: &str) {
    let (theirs, our) = (folder.file("theirs"), folder.file("ours"));
    let back = folder.file("back");
    let common = |direction, input, output| {
        [direction, cipher, "-K", key, "-iv", IV, "-in", input, "-out", output]
    };
    let enc = |args: [&str; 10]| {
        let mut all = vec!["enc"];
        all.extend(args);
        assert!(openssl(&all), "openssl {all:?}");
    };
    let same = |a: &str, b: &str| {
        let (a, b) = (fs::read(a).unwrap(), fs::read(b).unwrap());
        assert!(a == b, "{cipher}: {} and {} bytes differ", a.len(), b.len());
    };
    enc(common("-e", plain, &theirs));
    ours(&common("-e", plain, &our));
    same(&theirs, &our);
    ours(&common("-d", &theirs, &back));
    same(plain, &back);
    enc(common("-d", &our, &back));
    same(plain, &back);
}

#[test]
fn files_agree_with_openssl() {
    if !openssl(&["version"]) {
        println!("skipped: no openssl here");
        return;
    }
    let folder = Folder::new("openssl-enc");
    let plain = folder.file("plain");
    for len in [0, 1, 15, 16, 17, 64 * 1024, (1 << 20) + 3] {
        fs::write(&plain, content(len)).unwrap();
        for mode in ["cbc", "ctr", "cfb", "ofb"] {
            for size in [128, 192, 256] {
                both_ways(&folder, &format!("-aes-{size}-{mode}"), &KEY[..size / 4], &plain);
            }
        }
    }
    if matches!(Kernel::best(), Kernel::Portable) {
        println!("skipped: 64 MiB without AES instructions takes minutes");
        return;
    }
    fs::write(&plain, content(64 << 20)).unwrap();
    for mode in ["cbc", "ctr", "cfb", "ofb"] {
        both_ways(&folder, &format!("-aes-256-{mode}"), KEY, &plain);
    }
}

#[test]
fn a_wrong_padding_is_refused() {
    let folder = Folder::new("openssl-enc-padding");
    let (plain, out) = (folder.file("plain"), folder.file("out"));
    fs::write(&plain, [0; 32]).unwrap();
    let args = ["-d", "-aes-256-cbc", "-K", KEY, "-iv", IV, "-in", &plain, "-out", &out];
    assert!(openssl_enc::run(args.iter().map(|arg| arg.to_string())).is_err());
    assert_eq!(fs::read(Path::new(&out)).unwrap(), []);
}
