//! Encrypts and decrypts files as `openssl enc` does with a raw key, in pieces of 64 KiB:
//!
//! ```text
//! cargo run --release --example openssl_enc -- -e -aes-256-cbc -K HEX -iv HEX -in FILE -out FILE
//! openssl enc -d -aes-256-cbc -K HEX -iv HEX -in FILE -out FILE
//! ```
//!
//! Ciphers: `-aes-128-…`, `-aes-192-…`, `-aes-256-…` with `cbc` (padded by PKCS#7), `ctr`, `cfb`
//! and `ofb`. None of them notices a changed file: see `seal_file` in the crate `gcm` for that.

use cinder_block::{Aes128, Aes192, Aes256, BlockDecrypt, BlockEncrypt, InPlace, Slot};
use cinder_modes::{Padding, cbc, cfb, ctr::Ctr, ofb::Ofb};
use std::error::Error;
use std::fs::File;
use std::io::{Read, Write};
use std::process::ExitCode;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Whole blocks.
const PIECE: usize = 64 * 1024;

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("openssl_enc: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The command line without the program's name.
pub(crate) fn run(args: impl Iterator<Item = String>) -> Result<()> {
    let (mut decrypt, mut cipher) = (false, None);
    let (mut key, mut iv, mut input, mut output) = (None, None, None, None);
    let mut args = args;
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} wants a value"));
        match arg.as_str() {
            "-e" => decrypt = false,
            "-d" => decrypt = true,
            "-K" => key = Some(from_hex(&value()?)?),
            "-iv" => iv = Some(from_hex(&value()?)?),
            "-in" => input = Some(File::open(value()?)?),
            "-out" => output = Some(value()?),
            name if name.starts_with("-aes-") => cipher = Some(arg),
            _ => return Err(format!("unknown option {arg}").into()),
        }
    }
    let cipher = cipher.ok_or("which cipher?")?;
    let mut key = key.ok_or("-K is missing")?;
    let iv = iv.ok_or("-iv is missing")?;
    let iv = iv.as_slice().try_into().map_err(|_| "the IV is not 16 bytes")?;
    let mut input = input.ok_or("-in is missing")?;
    let mut output = File::create(output.ok_or("-out is missing")?)?;

    let (size, mode) = cipher["-aes-".len()..].split_once('-').ok_or("which mode?")?;
    let job = Job { decrypt, mode, iv, input: &mut input, output: &mut output };
    let done = match size {
        "128" => job.run::<Aes128>(&key),
        "192" => job.run::<Aes192>(&key),
        "256" => job.run::<Aes256>(&key),
        _ => Err("no such cipher".into()),
    };
    // What the program read of the key is the program's own to wipe.
    cinder_burn::wipe(key.as_mut_slice());
    done
}

struct Job<'a> {
    decrypt: bool,
    mode: &'a str,
    iv: &'a [u8; 16],
    input: &'a mut File,
    output: &'a mut File,
}

impl Job<'_> {
    fn run<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(self, key: &[u8]) -> Result<()> {
        // The schedule is expanded in place and wiped when the slot drops.
        let mut slot = Slot::<C>::empty();
        let aes = &*slot.init(key)?;
        let Job { decrypt, mode, iv, input, output } = self;
        match (mode, decrypt) {
            ("ctr", _) => {
                let mut ctr = Ctr::new(aes, iv);
                pieces(input, output, |piece| Ok(ctr.apply_keystream(piece)?))
            }
            ("ofb", _) => {
                let mut ofb = Ofb::new(aes, iv);
                pieces(input, output, |piece| {
                    ofb.apply_keystream(piece);
                    Ok(())
                })
            }
            ("cfb", false) => {
                let mut cfb = cfb::Encryptor::new(aes, iv);
                pieces(input, output, |piece| {
                    cfb.encrypt(piece);
                    Ok(())
                })
            }
            ("cfb", true) => {
                let mut cfb = cfb::Decryptor::new(aes, iv);
                pieces(input, output, |piece| {
                    cfb.decrypt(piece);
                    Ok(())
                })
            }
            ("cbc", false) => encrypt_cbc(cbc::Encryptor::new(aes, iv), input, output),
            ("cbc", true) => decrypt_cbc(cbc::Decryptor::new(aes, iv), input, output),
            _ => Err("no such mode".into()),
        }
    }
}

/// A mode that takes bytes: piece after piece, in place.
fn pieces(
    input: &mut File,
    output: &mut File,
    mut work: impl FnMut(&mut [u8]) -> Result<()>,
) -> Result<()> {
    let mut buffer = vec![0; PIECE];
    loop {
        let len = fill(input, &mut buffer)?;
        work(&mut buffer[..len])?;
        output.write_all(&buffer[..len])?;
        if len < PIECE {
            return Ok(());
        }
    }
}

/// Whole pieces as they come; what is left, perhaps nothing, is padded.
fn encrypt_cbc<C: BlockEncrypt<16>>(
    mut cbc: cbc::Encryptor<C, 16>,
    input: &mut File,
    output: &mut File,
) -> Result<()> {
    let mut buffer = vec![0; PIECE + 16];
    loop {
        let len = fill(input, &mut buffer[..PIECE])?;
        if len < PIECE {
            output.write_all(cbc.encrypt_padded(Padding::Pkcs7, &mut buffer, len)?)?;
            return Ok(());
        }
        cbc.encrypt(&mut buffer[..PIECE])?;
        output.write_all(&buffer[..PIECE])?;
    }
}

/// Which piece is the last is known only when the next is empty, so one is held back.
fn decrypt_cbc<C: BlockDecrypt<16>>(
    mut cbc: cbc::Decryptor<C, 16>,
    input: &mut File,
    output: &mut File,
) -> Result<()> {
    let (mut held, mut next) = (vec![0; PIECE], vec![0; PIECE]);
    let mut held_len = fill(input, &mut held)?;
    loop {
        let next_len = fill(input, &mut next)?;
        if next_len == 0 {
            let plaintext = cbc.decrypt_padded(Padding::Pkcs7, &mut held[..held_len])?;
            output.write_all(plaintext)?;
            return Ok(());
        }
        cbc.decrypt(&mut held[..held_len])?;
        output.write_all(&held[..held_len])?;
        (held, next, held_len) = (next, held, next_len);
    }
}

/// Reads until the buffer is full or the file ends.
fn fill(input: &mut File, buffer: &mut [u8]) -> Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match input.read(&mut buffer[len..])? {
            0 => break,
            read => len += read,
        }
    }
    Ok(len)
}

fn from_hex(text: &str) -> Result<Vec<u8>> {
    let digit = |c: u8| (c as char).to_digit(16).ok_or("not a hex digit");
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else {
        return Err("an odd number of hex digits".into());
    };
    pairs.iter().map(|[a, b]| Ok((digit(*a)? << 4 | digit(*b)?) as u8)).collect()
}
