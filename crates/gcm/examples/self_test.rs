//! A self-test for a program's start: that AES-256 in this very binary burns as deep as it goes,
//! in GCM and by itself, on this CPU.
//!
//! ```text
//! cargo run --release --example self_test
//! ```

use cinder_block::{Aes256, BlockEncrypt, InPlace, Slot};
use cinder_burn::probe::{ProbeError, verify, verify_burnt};
use cinder_gcm::Gcm;
use std::process::ExitCode;

fn main() -> ExitCode {
    match self_test() {
        Ok(deepest) => println!("burnt down to {deepest} bytes, and nothing was written below"),
        Err(ProbeError::Unsupported) => println!("{}", ProbeError::Unsupported),
        Err(error) => {
            eprintln!("this build leaves secrets on its stack: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// What this program does with keys, each once in vain, because a first call may detect CPU
/// features, and once for the probe. Returns the deepest burn in bytes.
fn self_test() -> Result<usize, ProbeError> {
    let key = [0x42; 32];
    let mut deepest = 0;

    // Functions that return their depth.
    let mut aes = Aes256::new(&key).expect("32 bytes are a key");
    let mut rekey = || aes.rekey(&key).expect("32 bytes are a key");
    cinder_burn::burn(rekey());
    deepest = deepest.max(verify(rekey)?.burnt);
    let mut blocks = [[0x5a; 16]; 65];
    cinder_burn::burn(aes.encrypt_blocks(&mut blocks));
    deepest = deepest.max(verify(|| aes.encrypt_blocks(&mut blocks))?.burnt);

    // Public functions, which burn themselves.
    let mut slot = Slot::<Gcm<Aes256>>::empty();
    slot.init(&key).expect("32 bytes are a key");
    deepest = deepest.max(verify_burnt(|| slot.init(&key).map(drop).expect("as before"))?);
    let gcm = slot.init(&key).expect("32 bytes are a key");
    let (iv, mut tag, mut message) = ([7; 12], [0; 16], [0x33; 2000]);
    for len in [16, 2000] {
        let data = &mut message[..len];
        let mut seal = || gcm.seal_in_place(&iv, b"", data, &mut tag).expect("within limits");
        seal();
        deepest = deepest.max(verify_burnt(seal)?);
        let open = || gcm.open_in_place(&iv, b"", data, &tag).expect("a good tag");
        deepest = deepest.max(verify_burnt(open)?);
    }
    Ok(deepest)
}
