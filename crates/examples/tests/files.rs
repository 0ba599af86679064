//! Every example opens the files that real programs made, and no file with a byte of it changed.

use examples::{cms, kdbx, kdbx4, openssh, pem, pkcs12, ssh_packet, winzip};
use std::fs;
use std::path::PathBuf;

const PASSWORD: &str = "correct horse";
const TEXT: &[u8] = b"The text that every file in this folder hides.\n";

fn read(name: &str) -> Vec<u8> {
    fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data").join(name)).unwrap()
}

/// The files whose names begin and end so, of which there are `count`.
fn files(begin: &str, end: &str, count: usize) -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data");
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    let mut found: Vec<_> = names.filter(|n| n.starts_with(begin) && n.ends_with(end)).collect();
    found.sort();
    assert_eq!(found.len(), count, "{found:?}");
    found.into_iter().map(|name| (name.clone(), read(&name))).collect()
}

#[test]
fn pem_keys_with_dek_info() {
    let key = read("key.der");
    for (name, file) in files("dek-", ".pem", 7) {
        let file = String::from_utf8(file).unwrap();
        assert_eq!(*pem::open(&file, PASSWORD.as_bytes()).unwrap(), key, "{name}");
        assert!(pem::open(&file, b"wrong").is_err_or(|opened| **opened != key), "{name}");
    }
}

/// Where only a padding tells, a wrong password may look right.
trait IsErrOr<T> {
    fn is_err_or(&self, f: impl FnOnce(&T) -> bool) -> bool;
}

impl<T, E> IsErrOr<T> for Result<T, E> {
    fn is_err_or(&self, f: impl FnOnce(&T) -> bool) -> bool {
        self.as_ref().map_or(true, f)
    }
}

#[test]
fn pkcs12_of_openssl_and_keytool() {
    let key = read("key.p8");
    for (name, file) in files("", ".p12", 15) {
        let (keys, others) =
            pkcs12::open(&file, PASSWORD).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!((keys.len(), others), (1, 1), "{name}");
        assert_eq!(*keys[0], key, "{name}");
        assert!(pkcs12::open(&file, "wrong").is_err(), "{name}");
    }
}

#[test]
fn cms_messages() {
    let key: [u8; 32] = std::array::from_fn(|i| i as u8);
    let long: [u8; 32] = std::array::from_fn(|i| (i % 16) as u8);
    for (name, key) in [
        ("rc2-40", &key[..5]),
        ("rc2-64", &key[..8]),
        ("rc2", &key[..16]),
        ("des3", &key[..24]),
        ("aes-256-cbc", &long),
        ("camellia-128-cbc", &key[..16]),
    ] {
        let file = read(&format!("encrypted-{name}.cms"));
        assert_eq!(*cms::open(&file, key).unwrap_or_else(|e| panic!("{name}: {e}")), TEXT);
    }
    for (name, file) in files("kek-", ".cms", 4) {
        let opened = cms::open(&file, &key[..16]).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(*opened, TEXT, "{name}");
        assert!(cms::open(&file, &key[1..17]).is_err(), "{name}");
        if name.contains("gcm") {
            let mut changed = file.clone();
            *changed.last_mut().unwrap() ^= 1;
            assert!(cms::open(&changed, &key[..16]).is_err(), "{name}");
        }
    }
}

#[test]
fn openssh_keys() {
    for (name, file) in files("openssh-", "", 5) {
        let file = String::from_utf8(file).unwrap();
        let opened = openssh::open(&file, PASSWORD.as_bytes());
        let opened = opened.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(opened.starts_with(b"\0\0\0\x0bssh-ed25519\0\0\0 "), "{name}");
        assert!(opened.windows(10).any(|bytes| bytes == b"\0\0\0\x06cinder"), "{name}");
        assert!(openssh::open(&file, b"wrong").is_err(), "{name}");
    }
}

#[test]
fn winzip_archives() {
    for (name, file) in files("aes", ".zip", 3) {
        let opened = winzip::open(&file, PASSWORD.as_bytes());
        assert_eq!(*opened.unwrap_or_else(|e| panic!("{name}: {e}")), TEXT, "{name}");
        assert!(winzip::open(&file, b"wrong").is_err(), "{name}");
        let mut changed = file.clone();
        changed[80] ^= 1;
        assert!(winzip::open(&changed, PASSWORD.as_bytes()).is_err(), "{name}");
    }
}

#[test]
fn keepass_databases() {
    let file = read("keepassxc.kdbx");
    let database = kdbx::open(&file, PASSWORD.as_bytes()).unwrap();
    assert!(database.xml.contains("<Value>alice</Value>"));
    assert!(database.protected.iter().any(|value| **value == *b"hidden in the file"));
    assert!(kdbx::open(&file, b"wrong").is_err());
}

#[test]
fn keepass_databases_of_version_4() {
    let file = read("keepassxc-4.kdbx");
    let database = kdbx4::open(&file, PASSWORD.as_bytes()).unwrap();
    assert!(database.xml.contains("<Value>alice</Value>"));
    assert!(database.protected.iter().any(|value| **value == *b"hidden in the file"));
    assert!(kdbx4::open(&file, b"wrong").is_err());
    let mut changed = file.clone();
    for at in [30, 300, file.len() - 40] {
        changed[at] ^= 1;
        assert!(kdbx4::open(&changed, PASSWORD.as_bytes()).is_err(), "byte {at}");
        changed[at] ^= 1;
    }
}

#[test]
fn ssh_packets() {
    let key: [u8; 64] = std::array::from_fn(|i| i as u8);
    let file = read("ssh-packet");
    let mut packet = file.clone();
    assert_eq!(ssh_packet::open(&key, 7, &mut packet).unwrap(), &TEXT[..40]);
    let mut sealed = [&[0; 4][..], &TEXT[..40], &[0; 16]].concat();
    ssh_packet::seal(&key, 7, &mut sealed).unwrap();
    assert_eq!(sealed, file);
    for at in [0, 3, 4, 43, 44, 59] {
        let mut changed = file.clone();
        changed[at] ^= 1;
        assert!(ssh_packet::open(&key, 7, &mut changed).is_err(), "byte {at}");
    }
    assert!(ssh_packet::open(&key, 8, &mut file.clone()).is_err());
    assert!(ssh_packet::open(&key, 7, &mut file[..19].to_vec()).is_err());
}
