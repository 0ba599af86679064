//! Keys that are refused, keys that replace others, and a panic while a key is set up.

use super::faults::panic_on_purpose;
use super::{Matrix, secrets};
use crate::ciphers::Subject;
use cinder_block::{InPlace, KeyError, Slot};
use cinder_residue::{Trial, scan};

/// Blowfish keys that give an S-box two equal entries, found by trying.
const WEAK_BLOWFISH: [[u8; 4]; cinder_residue::KEYS] = [
    [0xd3, 0x04, 0x09, 0x4c],
    [0x10, 0xed, 0xf4, 0x69],
    [0x03, 0x81, 0xb9, 0xf0],
    [0x4f, 0xd1, 0x8d, 0x3d],
    [0xc9, 0xd8, 0x66, 0xc8],
    [0x25, 0x65, 0x30, 0xe4],
];

/// FIPS 74, section 3.6: the weak keys and a pair of semi-weak ones.
const WEAK_DES: [u64; cinder_residue::KEYS] = [
    0x0101010101010101,
    0xfefefefefefefefe,
    0xe0e0e0e0f1f1f1f1,
    0x1f1f1f1f0e0e0e0e,
    0x011f011f010e010e,
    0x1f011f010e010e01,
];

/// A weak key of the cipher, another in each trial, if it refuses any.
fn weak(trial: &Trial<'_>, cipher: &str) -> Option<Vec<u8>> {
    match cipher {
        "Blowfish" => Some(trial.chosen(&WEAK_BLOWFISH[trial.key_number()])),
        "DES" => Some(trial.chosen(&WEAK_DES[trial.key_number()].to_be_bytes())),
        // K1 = K2.
        "3DES" => {
            let key = trial.key::<16>();
            Some([&key[..8], &key[..8], &key[8..]].concat())
        }
        _ => None,
    }
}

impl Matrix<'_> {
    pub(super) fn keys<C: InPlace>(&mut self, subject: &Subject<'_, C>) {
        if !(self.filter)(subject.cipher, "keys", subject.kernel) {
            return;
        }
        let rekey = subject.rekey;
        let report = scan(|trial| {
            let long = trial.key::<129>();
            let key = &long[..subject.key_len];
            secrets::name_key(trial, subject.cipher, key);
            let mut slot = Box::new(Slot::<C>::empty());
            // The first key of all, and one that replaces another.
            for _ in 0..2 {
                trial.watch("setup", || slot.init_with(|c| rekey(c, key)).is_ok());
            }
            // No cipher has keys of these lengths.
            for wrong in [&long[..0], &long[..]] {
                let result =
                    trial.watch("refused key", || slot.init_with(|c| rekey(c, wrong)).map(drop));
                assert_eq!(result, Err(KeyError::Length));
                assert!(slot.cipher().is_none());
                slot.init_with(|c| rekey(c, key)).expect("the key is of the right length");
            }
            if let Some(weak) = weak(trial, subject.cipher) {
                trial.secret("weak key", &weak);
                for _ in 0..2 {
                    let result =
                        trial.watch("weak key", || slot.init_with(|c| rekey(c, &weak)).map(drop));
                    assert_eq!(result, Err(KeyError::Weak));
                    assert!(slot.cipher().is_none());
                }
            }
            trial.watch_panic("setup panic", || {
                let _: Result<_, KeyError> = slot.init_with(|c| {
                    let _ = rekey(c, key)?;
                    panic_on_purpose()
                });
            });
            assert!(cfg!(panic = "abort") || slot.cipher().is_none());
            trial.watch("drop", || drop(slot));
        });
        self.cells(subject.cipher, "keys", subject.kernel, &report);
    }
}
