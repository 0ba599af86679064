//! What a leak looks like: RustCrypto's ciphers, with their `zeroize` features on, under the
//! scanner. `cargo xtask residue` builds and runs this: `residue [--target NAME]`. Exits with 1
//! if nothing was found, for then the scanner is blind.
//!
//! An operation is what a user writes: set a key up, encrypt 1 KiB in place, drop the key. It
//! takes references only, so that what is found was left by the cipher.

use rc_aes::Aes256;
use rc_aes_gcm::Aes256Gcm;
use rc_aes_gcm::aead::AeadInOut;
use rc_cipher::{Array, BlockCipherEncrypt, KeyInit, KeyIvInit, StreamCipher};
use rc_ctr::Ctr128BE;
use std::process::ExitCode;

fn main() -> Result<ExitCode, lexopt::Error> {
    let mut target = std::env::consts::ARCH.to_owned();
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            lexopt::Arg::Long("target") => target = arguments.value()?.display().to_string(),
            other => return Err(other.unexpected()),
        }
    }
    if !cinder_residue::supported() {
        println!("peer: no scanner for {target}");
        return Ok(ExitCode::SUCCESS);
    }
    println!("{target}, release: the peer, RustCrypto with `zeroize`, bytes left behind by");
    println!("set-up, encryption of 1 KiB and drop");
    println!("{:<30} {}   depth", "peer", cinder_residue::Left::HEAD);
    let operations: [(&str, Operation); 8] = [
        ("AES-256, CTR", ctr),
        ("AES-256, GCM", gcm),
        ("Blowfish, ECB", ecb::<rc_blowfish::Blowfish, 16>),
        ("Serpent, ECB", ecb::<rc_serpent::Serpent, 32>),
        ("3DES, ECB", ecb::<rc_des::TdesEde3, 24>),
        ("Camellia-256, ECB", ecb::<rc_camellia::Camellia256, 32>),
        ("CAST5, ECB", ecb::<rc_cast5::Cast5, 16>),
        ("Twofish, ECB", ecb::<rc_twofish::Twofish, 32>),
    ];
    let total: usize = operations.iter().map(|&(name, operation)| scan(name, operation)).sum();
    println!("{target}, release: {} peers, {total} bytes left behind", operations.len());
    Ok(if total == 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Sets a key up, encrypts, and drops.
type Operation = fn(&[u8; 32], &mut [u8; 1024]);

fn scan(name: &str, operation: Operation) -> usize {
    let report = cinder_residue::scan(|trial| {
        let key = trial.key::<32>();
        let mut data = Box::new([0; 1024]);
        data.copy_from_slice(&trial.message(1, 1024));
        trial.secret("key", &key);
        trial.secret("plaintext", &*data);
        trial.watch("all", || operation(&key, &mut data));
        trial.public(&*data);
    });
    let step = report.step("all");
    println!("{name:<30} {} {:>7}", step.left, step.depth);
    step.left.total()
}

#[inline(never)]
fn ecb<C: KeyInit + BlockCipherEncrypt, const KEY: usize>(key: &[u8; 32], data: &mut [u8; 1024]) {
    let cipher = C::new_from_slice(&key[..KEY]).expect("a legal length");
    cipher.encrypt_blocks(Array::slice_as_chunks_mut(data).0);
}

#[inline(never)]
fn ctr(key: &[u8; 32], data: &mut [u8; 1024]) {
    let mut ctr = Ctr128BE::<Aes256>::new(&Array(*key), &Array([0x36; 16]));
    ctr.apply_keystream(data);
}

#[inline(never)]
fn gcm(key: &[u8; 32], data: &mut [u8; 1024]) {
    let gcm = Aes256Gcm::new(&Array(*key));
    let tag = gcm.encrypt_inout_detached(&Array([0x36; 12]), &[], data.as_mut_slice().into());
    tag.expect("the lengths are good");
}
