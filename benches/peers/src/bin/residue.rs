//! What a leak looks like: RustCrypto's ciphers, with their `zeroize` features on, under the
//! scanner. `cargo xtask residue` builds and runs this: `residue [--target NAME] [--svg FILE]`. Exits with 1
//! if nothing was found, for then the scanner is blind, and if ours left anything.
//!
//! An operation is what a user writes: set a key up, encrypt 1 KiB in place, drop the key; ours for
//! comparison. It
//! takes references only, so that what is found was left by the cipher.

#[path = "../chart.rs"]
mod chart;

use cinder_block::{
    BlockEncrypt, Blowfish, Camellia, Cast5, InPlace, Serpent, Slot, TripleDes, Twofish,
};
use cinder_gcm::Gcm;
use cinder_modes::{ctr, ecb};
use rc_aes::Aes256;
use rc_aes_gcm::Aes256Gcm;
use rc_aes_gcm::aead::AeadInOut;
use rc_cipher::{Array, BlockCipherEncrypt, KeyInit, KeyIvInit, StreamCipher};
use rc_ctr::Ctr128BE;
use std::process::ExitCode;

fn main() -> Result<ExitCode, lexopt::Error> {
    let (mut target, mut svg) = (std::env::consts::ARCH.to_owned(), None);
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            lexopt::Arg::Long("target") => target = arguments.value()?.display().to_string(),
            lexopt::Arg::Long("svg") => svg = Some(arguments.value()?),
            other => return Err(other.unexpected()),
        }
    }
    if !cinder_residue::supported() {
        println!("peer: no scanner for {target}");
        return Ok(ExitCode::SUCCESS);
    }
    println!("{target}, release: RustCrypto with `zeroize`, then ours; bytes left behind by");
    println!("set-up, encryption of 1 KiB and drop");
    println!("{:<30} {}   depth", "peer", cinder_residue::Left::HEAD);
    let operations: [(&str, Operation, Operation); 8] = [
        ("AES-256, CTR", rc_ctr, ours_ctr),
        ("AES-256, GCM", rc_gcm, ours_gcm),
        ("Blowfish, ECB", rc_ecb::<rc_blowfish::Blowfish, 16>, ours_ecb::<Blowfish, 8, 16>),
        ("Serpent, ECB", rc_ecb::<rc_serpent::Serpent, 32>, ours_ecb::<Serpent, 16, 32>),
        ("3DES, ECB", rc_ecb::<rc_des::TdesEde3, 24>, ours_ecb::<TripleDes, 8, 24>),
        ("Camellia-256, ECB", rc_ecb::<rc_camellia::Camellia256, 32>, ours_ecb::<Camellia, 16, 32>),
        ("CAST5, ECB", rc_ecb::<rc_cast5::Cast5, 16>, ours_ecb::<Cast5, 8, 16>),
        ("Twofish, ECB", rc_ecb::<rc_twofish::Twofish, 32>, ours_ecb::<Twofish, 16, 32>),
    ];
    let left = operations.map(|(name, theirs, ours)| {
        let theirs = scan(name, theirs);
        (name, theirs, scan(&format!("{name}, ours"), ours))
    });
    let theirs: usize = left.iter().map(|(_, theirs, _)| theirs).sum();
    let ours: usize = left.iter().map(|(.., ours)| ours).sum();
    if let Some(file) = svg
        && let Err(error) = std::fs::write(&file, picture(&left))
    {
        eprintln!("residue: {}: {error}", file.display());
        return Ok(ExitCode::FAILURE);
    }
    println!("{target}, release: peers left {theirs} bytes behind, ours {ours}");
    Ok(if theirs == 0 || ours > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn picture(left: &[(&str, usize, usize)]) -> String {
    let bar =
        |bytes: usize| Some(chart::Bar { value: bytes.max(1) as f64, words: bytes.to_string() });
    let row = |&(name, theirs, ours): &(&str, usize, usize)| chart::Row {
        name: name.to_owned(),
        bars: vec![bar(theirs), bar(ours)],
    };
    chart::Chart {
        title: "Secret bytes left behind",
        subtitle: "On the dead stack and in the registers, after key setup, encryption of 1 KiB and \
                   drop. Optimised build.",
        series: &[("RustCrypto, zeroize on", "#b5523b"), ("Cinder", "#1f6f8b")],
        marks: &[(1.0, ""), (10.0, "10"), (100.0, "100"), (1000.0, "1000"), (10_000.0, "10000")],
        rows: left.iter().map(row).collect(),
    }
    .svg()
}

/// A message of 1 KiB and its tag, which is no secret.
struct Data {
    message: [u8; 1024],
    tag: [u8; 16],
}

/// Sets a key up, encrypts, and drops.
type Operation = fn(&[u8; 32], &mut Data);

fn scan(name: &str, operation: Operation) -> usize {
    let report = cinder_residue::scan(|trial| {
        let key = trial.key::<32>();
        let mut data = Box::new(Data { message: [0; 1024], tag: [0; 16] });
        data.message.copy_from_slice(&trial.message(1, 1024));
        trial.secret("key", &key);
        trial.secret("plaintext", &data.message);
        trial.watch("all", || operation(&key, &mut data));
        trial.public(&data.message);
        trial.public(&data.tag);
    });
    let step = report.step("all");
    println!("{name:<30} {} {:>7}", step.left, step.depth);
    step.left.total()
}

#[inline(never)]
fn rc_ecb<C: KeyInit + BlockCipherEncrypt, const KEY: usize>(key: &[u8; 32], data: &mut Data) {
    let cipher = C::new_from_slice(&key[..KEY]).expect("a legal length");
    cipher.encrypt_blocks(Array::slice_as_chunks_mut(&mut data.message).0);
}

#[inline(never)]
fn rc_ctr(key: &[u8; 32], data: &mut Data) {
    let mut ctr = Ctr128BE::<Aes256>::new(&Array(*key), &Array([0x36; 16]));
    ctr.apply_keystream(&mut data.message);
}

#[inline(never)]
fn rc_gcm(key: &[u8; 32], data: &mut Data) {
    let gcm = Aes256Gcm::new(&Array(*key));
    let tag =
        gcm.encrypt_inout_detached(&Array([0x36; 12]), &[], data.message.as_mut_slice().into());
    data.tag.copy_from_slice(&tag.expect("the lengths are good"));
}

#[inline(never)]
fn ours_ecb<C, const N: usize, const KEY: usize>(key: &[u8; 32], data: &mut Data)
where
    C: InPlace + BlockEncrypt<N>,
{
    let mut slot = Slot::<C>::empty();
    let cipher = &*slot.init(&key[..KEY]).expect("a legal length");
    ecb::Encryptor::new(cipher).encrypt(&mut data.message).expect("whole blocks");
}

#[inline(never)]
fn ours_ctr(key: &[u8; 32], data: &mut Data) {
    let mut slot = Slot::<cinder_block::Aes256>::empty();
    let cipher = &*slot.init(key).expect("a legal length");
    ctr::Ctr::new(cipher, &[0x36; 16])
        .apply_keystream(&mut data.message)
        .expect("it does not wrap");
}

#[inline(never)]
fn ours_gcm(key: &[u8; 32], data: &mut Data) {
    let mut slot = Slot::<Gcm<cinder_block::Aes256>>::empty();
    let gcm = slot.init(key).expect("a legal length");
    let Data { message, tag } = data;
    gcm.seal_in_place(&[0x36; 12], &[], message, tag).expect("the lengths are good");
}
