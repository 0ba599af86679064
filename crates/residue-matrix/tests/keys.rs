//! What keys leave behind that are refused, and keys in a slot for any cipher.

use cinder_block::any::{Algorithm, AnySlot};
use cinder_block::{
    Aes256, Blowfish, Depth, InPlace, KeyError, Rc2, Refusal, Serpent, Slot, TripleDes, Twofish,
    by_value,
};
use cinder_residue::{scan, supported};

/// An error carries no depth, so whoever refuses a key burns what it looked at.
/// A cipher without a key, by value.
fn vacant<C: InPlace>() -> C {
    by_value(|_| Ok(Depth::NONE)).expect("no key")
}

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

        let mut tdes = vacant::<TripleDes>();
        refused(trial.watch("3DES rekey", || tdes.rekey(&weak).map(drop).map_err(Refusal::burn)));
        refused(trial.watch("3DES new", || TripleDes::new(&weak).map(drop)));
        let mut slot = Slot::<TripleDes>::empty();
        refused(trial.watch("3DES slot", || slot.init(&weak).map(drop)));
        refused(trial.watch("3DES box", || Slot::<TripleDes>::boxed(&weak).map(drop)));
        let mut any = AnySlot::empty();
        refused(trial.watch("3DES any", || any.init(Algorithm::TripleDes, &weak).map(drop)));

        let refused = |result| assert_eq!(result, Err(KeyError::Length));
        let wrong = &key[..23];
        let mut aes = vacant::<Aes256>();
        refused(trial.watch("AES rekey", || aes.rekey(wrong).map(drop).map_err(Refusal::burn)));
        let mut serpent = vacant::<Serpent>();
        refused(
            trial.watch("Serpent rekey", || serpent.rekey(wrong).map(drop).map_err(Refusal::burn)),
        );
        let mut twofish = vacant::<Twofish>();
        refused(
            trial.watch("Twofish rekey", || twofish.rekey(wrong).map(drop).map_err(Refusal::burn)),
        );
        refused(trial.watch("3DES length", || tdes.rekey(wrong).map(drop).map_err(Refusal::burn)));
        let long = key.repeat(6);
        let mut rc2 = vacant::<Rc2>();
        refused(trial.watch("RC2 rekey", || rc2.rekey(&long).map(drop).map_err(Refusal::burn)));
        let mut blowfish = vacant::<Blowfish>();
        refused(
            trial
                .watch("Blowfish rekey", || blowfish.rekey(&long).map(drop).map_err(Refusal::burn)),
        );
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
        assert!(step.depth <= 64 * 1024, "{report}");
    }
}
