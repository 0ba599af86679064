//! `any`: names, numbers and OIDs of any kind, and one slot keyed again and again.
#![no_main]

use cinder_block::any::{Algorithm, AnySlot, DynCipher};
use cinder_fuzz::Input;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let mut slot = AnySlot::empty();
    while !input.0.is_empty() {
        let how = input.byte();
        let (name, key) = (input.counted(), input.counted());
        let text = str::from_utf8(name).unwrap_or_default();
        let found = match how % 4 {
            0 => Algorithm::from_name(text, key.len()),
            1 => Algorithm::from_oid(text).map(|oid| {
                assert!(oid.key_len.is_none_or(|len| oid.algorithm.accepts_key_len(len)));
                oid.algorithm
            }),
            2 => Algorithm::from_openpgp(how as u8 / 4),
            _ => Some(input.pick(Algorithm::ALL)),
        };
        let Some(algorithm) = found else { continue };
        let weak = how >= 128;
        let keyed =
            if weak { slot.init_allow_weak(algorithm, key) } else { slot.init(algorithm, key) };
        match keyed {
            Ok(cipher) => {
                assert!(algorithm.accepts_key_len(key.len()));
                round_trip(cipher, algorithm.block_len(), input.bytes(40));
            }
            Err(_) => {
                assert!(!weak || !algorithm.accepts_key_len(key.len()));
                assert!(slot.cipher().is_none());
            }
        }
        // A slot and a box say the same of a key, and encrypt alike.
        if let Ok(boxed) = algorithm.boxed(key) {
            let mut other = AnySlot::empty();
            let cipher = other.init(algorithm, key).expect("the box has taken the key");
            assert_eq!(encrypted(cipher), encrypted(boxed.as_dyn()));
        }
    }
});

fn encrypted(cipher: DynCipher<'_>) -> [u8; 48] {
    let mut data = core::array::from_fn(|i| i as u8);
    let _ = match cipher {
        DynCipher::Block8(cipher) => cipher.encrypt_blocks(data.as_chunks_mut().0),
        DynCipher::Block16(cipher) => cipher.encrypt_blocks(data.as_chunks_mut().0),
    };
    data
}

fn round_trip(cipher: DynCipher<'_>, block_len: usize, text: &[u8]) {
    let mut data = text.to_vec();
    let _ = match cipher {
        DynCipher::Block8(cipher) => {
            assert_eq!(block_len, 8);
            let blocks = data.as_chunks_mut().0;
            cipher.encrypt_blocks(blocks).max(cipher.decrypt_blocks(blocks))
        }
        DynCipher::Block16(cipher) => {
            assert_eq!(block_len, 16);
            let blocks = data.as_chunks_mut().0;
            cipher.encrypt_blocks(blocks).max(cipher.decrypt_blocks(blocks))
        }
    };
    assert_eq!(data, text);
}
