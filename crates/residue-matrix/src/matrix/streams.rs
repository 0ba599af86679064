//! The stream ciphers, which have no modes.

use super::boxed;
use super::callers::slots;
use super::modes::pieces;
use super::{Matrix, secrets};
use cinder_block::Slot;
use cinder_residue::scan;
use cinder_stream::{Arc4, Kernel, Salsa20};

/// What stands where a block cipher's mode does.
const MODE: &str = "XOR";

impl Matrix<'_> {
    pub(super) fn streams(&mut self) {
        self.arcfour();
        for kernel in Kernel::available() {
            self.salsa20::<20>(kernel.name(), 32, kernel);
        }
        self.salsa20::<12>("12 rounds", 32, Kernel::best());
        self.salsa20::<8>("8 rounds", 16, Kernel::best());
    }

    fn arcfour(&mut self) {
        if !(self.filter)("ARCFOUR", MODE, "best") {
            return;
        }
        let lengths = self.extent.lengths();
        let report = scan(|trial| {
            let key = trial.key::<16>();
            trial.secret("key", &key);
            let text = trial.message(1, lengths.iter().copied().max().unwrap_or(0));
            trial.secret("plaintext", &text);
            let mut slot = Box::new(Slot::<Arc4>::empty());
            for &len in lengths {
                let text = &text[..len];
                trial.watch("setup", || slot.init(&key).is_ok());
                let cipher = slot.cipher_mut().expect("the key is of a right length");
                let mut data = text.to_vec();
                trial.watch("encrypt", || cipher.apply(&mut data));
                secrets::name_keystream(trial, text, &data);
                let mut other = vec![0; len];
                trial.watch("encrypt", || cipher.apply_to(text, &mut other)).expect("as long");
                secrets::name_keystream(trial, text, &other);
                trial.watch("seek", || cipher.skip(len));
                trial.watch("setup", || slot.init(&key).is_ok());
                let cipher = slot.cipher_mut().expect("the key is of a right length");
                trial.watch("decrypt", || cipher.apply(&mut data));
                assert_eq!(data, text);
                let refused = trial.watch("refused", || cipher.apply_to(text, &mut data[1..]));
                refused.expect_err("another length");

                slot.init(&key).map(drop).expect("the key is of a right length");
                let cipher = slot.cipher_mut().expect("it has a key");
                for piece in pieces(&mut data, 1) {
                    trial.watch("stream encrypt", || cipher.apply(piece));
                }
            }
            for wrong in [&[][..], &trial.key::<257>()] {
                let refused = trial.watch("refused key", || slot.init(wrong).map(drop));
                refused.expect_err("no key has this length");
                slot.init(&key).map(drop).expect("the key is of a right length");
            }
            trial.watch("drop", || slot.clear());
            slots::<Arc4>(trial, &key);
        });
        self.cells("ARCFOUR", MODE, "best", &report);
    }

    fn salsa20<const ROUNDS: usize>(&mut self, label: &str, key_len: usize, kernel: Kernel) {
        if !(self.filter)("Salsa20", MODE, label) {
            return;
        }
        let lengths = self.extent.lengths();
        let report = scan(|trial| {
            let key = &trial.key::<32>()[..key_len];
            trial.secret("key", key);
            let text = trial.message(1, lengths.iter().copied().max().unwrap_or(0));
            trial.secret("plaintext", &text);
            let nonce = *trial.fixed(2, 8).first_chunk().expect("8 bytes");
            let mut slot = Box::new(Slot::<Salsa20<ROUNDS>>::empty());
            let rekey = |cipher: &mut Salsa20<ROUNDS>| cipher.rekey_with_kernel(key, kernel);
            trial.watch("setup", || slot.init_with(rekey).is_ok());
            let cipher = slot.cipher().expect("the key is of the right length");
            for &len in lengths {
                let text = &text[..len];
                let mut stream = boxed(|| cipher.keystream(&nonce));
                let mut data = text.to_vec();
                trial.watch("encrypt", || stream.apply(&mut data)).expect("a short message");
                secrets::name_keystream(trial, text, &data);
                let mut other = vec![0; len];
                let result = trial.watch("encrypt", || stream.apply_to(text, &mut other));
                result.expect("a short message");
                secrets::name_keystream(trial, text, &other);
                let cut = len / 3;
                trial.watch("seek", || stream.seek(cut as u128)).expect("far from the end");
                let rest = &mut data[cut..];
                trial.watch("decrypt", || stream.apply(rest)).expect("a short message");
                assert_eq!(rest, &text[cut..]);
                trial.watch("refused", || stream.seek(u128::MAX)).expect_err("beyond the end");
                let refused = trial.watch("refused", || stream.apply_to(text, &mut data[1..]));
                refused.expect_err("another length");
                stream.seek(1 << 70).expect("not beyond the end");
                trial.watch("refused", || stream.apply(&mut data)).expect_err("the end");
                trial.watch("stream drop", || drop(stream));

                let mut stream = boxed(|| cipher.keystream(&nonce));
                data.copy_from_slice(text);
                for piece in pieces(&mut data, 1) {
                    let done = trial.watch("stream encrypt", || stream.apply(piece));
                    done.expect("a short message");
                }
                trial.watch("stream drop", || drop(stream));
            }
            for wrong in [&[][..], &trial.key::<33>()] {
                let refused = trial.watch("refused key", || slot.init(wrong).map(drop));
                refused.expect_err("no key has this length");
                slot.init_with(rekey).map(drop).expect("the key is of the right length");
            }
            trial.watch("drop", || slot.clear());
            slots::<Salsa20<ROUNDS>>(trial, key);
        });
        self.cells("Salsa20", MODE, label, &report);
    }
}
