//! What keys leave behind that are refused, and keys in a slot for any cipher.

use cinder_block::any::{Algorithm, AnySlot};
use cinder_block::{Aes256, Blowfish, InPlace, KeyError, Rc2, Serpent, Slot, TripleDes, Twofish};
use cinder_residue::{scan, supported};

/// An error carries no depth, so whoever refuses a key burns what it looked at.
#[test]
fn refused_keys() {
    if !supported() {
        return;
    }
    let report = scan(|trial| {
        let key = trial.key::<24>();
        trial.secret("key", &key);
        // K1 = K2.
        let weak = [&key[..8], &key[..8], &key[8..16]].concat();
        let refused = |result| assert_eq!(result, Err(KeyError::Weak));

        let mut tdes = TripleDes::vacant();
        refused(trial.watch("3DES rekey", || tdes.rekey(&weak).map(drop)));
        refused(trial.watch("3DES new", || TripleDes::new(&weak).map(drop)));
        let mut slot = Slot::<TripleDes>::empty();
        refused(trial.watch("3DES slot", || slot.init(&weak).map(drop)));
        refused(trial.watch("3DES box", || Slot::<TripleDes>::boxed(&weak).map(drop)));
        let mut any = AnySlot::empty();
        refused(trial.watch("3DES any", || any.init(Algorithm::TripleDes, &weak).map(drop)));

        let refused = |result| assert_eq!(result, Err(KeyError::Length));
        let wrong = &key[..23];
        let mut aes = Aes256::vacant();
        refused(trial.watch("AES rekey", || aes.rekey(wrong).map(drop)));
        let mut serpent = Serpent::vacant();
        refused(trial.watch("Serpent rekey", || serpent.rekey(wrong).map(drop)));
        let mut twofish = Twofish::vacant();
        refused(trial.watch("Twofish rekey", || twofish.rekey(wrong).map(drop)));
        refused(trial.watch("3DES length", || tdes.rekey(wrong).map(drop)));
        let long = key.repeat(6);
        let mut rc2 = Rc2::vacant();
        refused(trial.watch("RC2 rekey", || rc2.rekey(&long).map(drop)));
        let mut blowfish = Blowfish::vacant();
        refused(trial.watch("Blowfish rekey", || blowfish.rekey(&long).map(drop)));
    });
    assert!(report.is_clean(), "{report}");
}

#[test]
fn slots_for_any_cipher() {
    if !supported() {
        return;
    }
    let report = scan(|trial| {
        let key = trial.key::<32>();
        trial.secret("key", &key);
        let mut slot = Box::new(AnySlot::empty());
        for (first, len) in [(Algorithm::Blowfish, 32), (Algorithm::Twofish, 32)] {
            trial.watch("init", || slot.init(first, &key[..len]).map(drop)).expect("legal");
            trial.watch("replace", || slot.init(Algorithm::Idea, &key[..16]).map(drop)).unwrap();
            trial.watch("again", || slot.init(Algorithm::Aes256, &key).map(drop)).unwrap();
            trial
                .watch("weak", || slot.init_allow_weak(Algorithm::Des, &key[..8]).map(drop))
                .unwrap();
            trial.watch("clear", || slot.clear());
            trial.watch("box", || first.boxed(&key[..len]).map(drop)).unwrap();
        }
        trial.watch("init", || slot.init(Algorithm::Serpent, &key).map(drop)).unwrap();
        trial.watch("drop", || drop(slot));
    });
    assert!(report.is_clean(), "{report}");
    // One cipher's frame, not that of all together.
    for step in &report.steps {
        assert!(step.depth <= 16 * 1024, "{report}");
    }
}
