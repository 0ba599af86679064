//! Ciphers that are picked at run time: in a slot for any, and in boxes.

use super::Matrix;
use super::boxed;
use super::modes::pieces;
use cinder_block::any::{Algorithm, AnySlot, BlockCipher, DynCipher};
use cinder_modes::{cbc, ctr};
use cinder_residue::{Trial, scan};

/// What stands where the kernel does.
const KERNEL: &str = "dyn";

impl Matrix<'_> {
    pub(super) fn any(&mut self) {
        for &algorithm in Algorithm::ALL {
            if (self.filter)(algorithm.name(), "any", KERNEL) {
                self.any_of(algorithm);
            }
        }
    }

    fn any_of(&mut self, algorithm: Algorithm) {
        let len = (1..=128).rev().find(|len| algorithm.accepts_key_len(*len));
        let len = len.expect("every cipher has keys");
        let report = scan(|trial| {
            let long = trial.key::<129>();
            let key = &long[..len];
            trial.secret("key", key);
            let text = trial.message(1, 272);
            trial.secret("plaintext", &text);

            let mut slot = Box::new(AnySlot::empty());
            let set_up = trial.watch("setup", || slot.init(algorithm, key).map(drop));
            set_up.expect("a legal key");
            both_ways(trial, slot.cipher().expect("it has a key"), &text);
            let refused = trial.watch("refused key", || slot.init(algorithm, &long).map(drop));
            refused.expect_err("no cipher has such keys");
            slot.init(algorithm, key).map(drop).expect("a legal key");
            let set_up =
                trial.watch("replace", || slot.init(Algorithm::ALL[0], &long[..16]).map(drop));
            set_up.expect("a legal key");
            let set_up = trial.watch("replace", || slot.init_allow_weak(algorithm, key).map(drop));
            set_up.expect("a legal key");
            trial.watch("drop", || slot.clear());
            slot.init(algorithm, key).map(drop).expect("a legal key");
            trial.watch("drop", || drop(slot));

            trial.watch("boxed slot", || {
                let mut slot = Box::new(AnySlot::empty());
                slot.init(algorithm, key).is_ok()
            });

            let boxed = trial.watch("boxed setup", || algorithm.boxed(key)).expect("a legal key");
            both_ways(trial, boxed.as_dyn(), &text);
            trial.watch("boxed drop", || drop(boxed));
            let refused = trial.watch("refused key", || algorithm.boxed(&long).map(drop));
            refused.expect_err("no cipher has such keys");
        });
        self.cells(algorithm.name(), "any", KERNEL, &report);
    }
}

fn both_ways(trial: &mut Trial<'_>, cipher: DynCipher<'_>, text: &[u8]) {
    match cipher {
        DynCipher::Block8(cipher) => with(trial, cipher, text),
        DynCipher::Block16(cipher) => with(trial, cipher, text),
    }
}

/// One mode that has a kernel of its own, and one that inverts.
fn with<const N: usize>(trial: &mut Trial<'_>, cipher: &dyn BlockCipher<N>, text: &[u8]) {
    let mut data = text.to_vec();
    let mut way = boxed(|| ctr::Ctr::new(cipher, &[0x36; N]));
    for piece in pieces(&mut data, 1) {
        trial.watch("encrypt", || way.apply_keystream(piece)).expect("a short message");
    }
    super::secrets::name_keystream(trial, text, &data);
    trial.watch("stream drop", || drop(way));
    let mut way = boxed(|| cbc::Decryptor::new(cipher, &[0x36; N]));
    data.copy_from_slice(text);
    cbc::Encryptor::new(cipher, &[0x36; N]).encrypt(&mut data).expect("whole blocks");
    trial.public(&data);
    for piece in pieces(&mut data, N) {
        trial.watch("decrypt", || way.decrypt(piece)).expect("whole blocks");
    }
    assert_eq!(data, text);
    trial.watch("stream drop", || drop(way));
}
