//! The example `openpgp` against the system's `gpg`, both ways, with each of its ciphers.

#![cfg(unix)]

#[allow(dead_code, reason = "the example's main function")]
#[path = "../examples/openpgp.rs"]
mod openpgp;

use cinder_block::any::Algorithm;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const PASSPHRASE: &str = "correct horse battery staple";

/// A folder of its own, which is gpg's home as well, removed when it drops.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        use std::os::unix::fs::PermissionsExt;
        let path = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn gpg(&self, args: &[&str]) -> bool {
        let mut gpg = Command::new("gpg");
        gpg.env("GNUPGHOME", &self.0).stdin(Stdio::null());
        gpg.stdout(Stdio::null()).stderr(Stdio::null());
        gpg.args(["--batch", "--yes", "--quiet", "--pinentry-mode", "loopback"]);
        gpg.args(["--passphrase", PASSPHRASE]).args(args);
        gpg.status().is_ok_and(|status| status.success())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let mut gpgconf = Command::new("gpgconf");
        gpgconf.env("GNUPGHOME", &self.0).args(["--kill", "all"]);
        let _ = gpgconf.stderr(Stdio::null()).status();
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn content(len: usize) -> Vec<u8> {
    (0..len as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

/// OpenPGP's numbers and gpg's names.
const CIPHERS: [(u8, &str); 11] = [
    (1, "IDEA"),
    (2, "3DES"),
    (3, "CAST5"),
    (4, "BLOWFISH"),
    (7, "AES"),
    (8, "AES192"),
    (9, "AES256"),
    (10, "TWOFISH"),
    (11, "CAMELLIA128"),
    (12, "CAMELLIA192"),
    (13, "CAMELLIA256"),
];

#[test]
fn files_agree_with_gpg() {
    let folder = Folder::new("cinder-gpg");
    if !folder.gpg(&["--version"]) {
        println!("skipped: no gpg here");
        return;
    }
    let (plain, theirs, ours) = (folder.file("plain"), folder.file("theirs"), folder.file("ours"));
    let back = folder.file("back");
    let mut count = 0;
    for (number, name) in CIPHERS {
        let Some(algorithm) = Algorithm::from_openpgp(number) else {
            panic!("{name} is not compiled in");
        };
        for (len, with_mdc, digest) in [
            (0, true, "SHA1"),
            (1, true, "SHA256"),
            (17, false, "SHA1"),
            (100_003, true, "SHA512"),
            (100_003, false, "SHA256"),
        ] {
            let message = content(len);
            fs::write(&plain, &message).unwrap();
            // gpg writes no MDC only when it keeps to RFC 2440.
            let compliance = if with_mdc { "--gnupg" } else { "--rfc2440" };
            let encrypt = [compliance, "--cipher-algo", name, "--s2k-digest-algo", digest];
            // Few rounds: they are what takes the time, in debug builds above all.
            let rest = [
                "--s2k-count",
                "65536",
                "--compress-algo",
                "none",
                "--output",
                &theirs,
                "--symmetric",
                &plain,
            ];
            if folder.gpg(&[&encrypt[..], &rest].concat()) {
                let sealed = fs::read(&theirs).unwrap();
                let opened = openpgp::decrypt(PASSPHRASE.as_bytes(), &sealed);
                assert_eq!(opened.unwrap(), message, "{name}, {len} bytes, MDC: {with_mdc}");
                assert!(openpgp::decrypt(b"wrong", &sealed).is_err());
                count += 1;
            } else {
                println!("skipped: this gpg does not write {name} with {compliance}");
            }

            let sealed =
                openpgp::encrypt(algorithm, PASSPHRASE.as_bytes(), &message, with_mdc).unwrap();
            fs::write(&ours, &sealed).unwrap();
            let decrypt = ["--ignore-mdc-error", "--output", &back, "--decrypt", &ours];
            assert!(folder.gpg(&decrypt), "{name}, {len} bytes, MDC: {with_mdc}");
            assert_eq!(fs::read(&back).unwrap(), message);

            let middle = sealed.len() - 10;
            let mut changed = sealed;
            changed[middle] ^= 1;
            if with_mdc {
                assert!(openpgp::decrypt(PASSPHRASE.as_bytes(), &changed).is_err());
            }
        }
    }
    assert!(count >= CIPHERS.len(), "gpg wrote only {count} files");
}

#[test]
fn no_message_makes_it_panic() {
    let sealed =
        openpgp::encrypt(Algorithm::from_openpgp(9).unwrap(), b"pass", b"content", true).unwrap();
    for len in 0..sealed.len() {
        assert!(openpgp::decrypt(b"pass", &sealed[..len]).is_err());
    }
    assert_eq!(openpgp::decrypt(b"pass", &sealed).unwrap(), b"content");
}
