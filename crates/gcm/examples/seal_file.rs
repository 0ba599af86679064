//! Seals and opens a file with AES-256-GCM. The file becomes nonce (12 bytes), ciphertext, tag
//! (16 bytes), and back:
//!
//! ```text
//! cargo run --release --example seal_file -- seal HEXKEY FILE
//! cargo run --release --example seal_file -- open HEXKEY FILE
//! ```
//!
//! The work is done in place in one buffer, and a new file takes the old one's name only when
//! all went well: a file that does not verify stays as it was.

use cinder_block::{Aes256Encrypt, Slot};
use cinder_gcm::Gcm;
use std::error::Error;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::process::ExitCode;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const NONCE: usize = 12;
const TAG: usize = 16;

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("seal_file: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The command line without the program's name.
pub(crate) fn run(args: impl Iterator<Item = String>) -> Result<()> {
    let args: Vec<String> = args.collect();
    let [command, key, path] = args.as_slice() else {
        return Err("usage: seal_file seal|open HEXKEY FILE".into());
    };
    // GCM never inverts the cipher: a key for encryption alone is smaller and quicker to set up.
    // It is expanded in place and wiped when the slot drops.
    let mut slot = Slot::<Gcm<Aes256Encrypt>>::empty();
    let mut key = from_hex(key)?;
    let keyed = slot.init(&key);
    cinder_burn::wipe(key.as_mut_slice());
    let gcm = keyed?;

    let mut file = File::open(path)?;
    match command.as_str() {
        "seal" => {
            // Room for all, so that the buffer is never moved with plaintext in it.
            let len = usize::try_from(file.metadata()?.len())?;
            let mut buffer = vec![0; NONCE + len + TAG];
            let (nonce, rest) = buffer.split_first_chunk_mut::<NONCE>().ok_or("no room")?;
            let (data, tag) = rest.split_last_chunk_mut::<TAG>().ok_or("no room")?;
            // 96 random bits: good for 2^32 files under one key (SP 800-38D, section 8.3).
            File::open("/dev/urandom")?.read_exact(nonce)?;
            file.read_exact(data)?;
            gcm.seal_in_place(nonce, b"", data, tag)?;
            replace(path, &buffer)
        }
        "open" => {
            let mut buffer = Vec::new();
            file.read_to_end(&mut buffer)?;
            let (nonce, rest) =
                buffer.split_first_chunk_mut::<NONCE>().ok_or("too short to be a sealed file")?;
            let (data, tag) =
                rest.split_last_chunk_mut::<TAG>().ok_or("too short to be a sealed file")?;
            gcm.open_in_place(nonce, b"", data, tag)?;
            let done = replace(path, data);
            cinder_burn::wipe(data);
            done
        }
        _ => Err("seal or open?".into()),
    }
}

/// Writes a new file beside the old one and gives it the old one's name.
fn replace(path: &str, content: &[u8]) -> Result<()> {
    let new = format!("{path}.new");
    let mut file = File::create(&new)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    Ok(())
}

fn from_hex(text: &str) -> Result<Vec<u8>> {
    let digit = |c: u8| (c as char).to_digit(16).ok_or("not a hex digit");
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else {
        return Err("an odd number of hex digits".into());
    };
    pairs.iter().map(|[a, b]| Ok((digit(*a)? << 4 | digit(*b)?) as u8)).collect()
}
