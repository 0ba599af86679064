//! What is left of [`Arc4`], [`Salsa20`], [`ChaCha20`], [`XChaCha20`] and a [`Salsa20Keystream`] or
//! [`ChaCha20Keystream`] that have dropped in the middle
//! of a message, and of a key that was replaced.

// They look at padding, which Miri takes for uninitialised memory.
#![cfg(not(miri))]

use cinder_block::{Depth, InPlace, by_value};
use cinder_stream::{
    Arc4, ChaCha20, ChaCha20Keystream, Salsa20, Salsa20Keystream, Slot, XChaCha20,
};
use testkit::look::{Looking, drops, empties, replaces, secret};

#[global_allocator]
static ALLOCATOR: Looking = Looking;

/// A cipher without a key, by value.
fn vacant<C: InPlace>() -> C {
    by_value(|_| Ok(Depth::NONE)).expect("no key")
}

#[test]
fn arc4() {
    let fill = |arc4: &mut Arc4, trial| {
        cinder_burn::burn(arc4.rekey(&secret::<16>(trial)).unwrap());
        arc4.apply(&mut [0; 21]);
    };
    // The permutation and j; i counts bytes.
    assert_eq!(drops(vacant::<Arc4>, fill), 257);
    // A permutation may have an entry or two in the same place by chance, but not in each trial.
    replaces(vacant::<Arc4>, fill, |arc4, _| cinder_burn::burn(arc4.rekey(b"other").unwrap()));
    let slot = |slot: &mut Slot<Arc4>, trial| fill(slot.init(b"key").unwrap(), trial);
    empties(Slot::empty, slot, |slot, _| slot.clear());
}

#[test]
fn salsa20() {
    let fill =
        |key: &mut Salsa20, trial| cinder_burn::burn(key.rekey(&secret::<32>(trial)).unwrap());
    assert_eq!(drops(vacant::<Salsa20>, fill), 32);
    replaces(vacant::<Salsa20>, fill, |key, _| cinder_burn::burn(key.rekey(&[0x42; 16]).unwrap()));

    let key = Salsa20::<8>::new(&[0x42; 32]).unwrap();
    fn begin<'k>(key: &'k Salsa20<8>) -> impl Fn(&mut Salsa20Keystream<'k, 8>, u8) {
        move |keystream, trial| {
            *keystream = key.keystream(&secret(trial));
            keystream.apply(&mut [0; 21]).unwrap();
        }
    }
    assert_eq!(drops(|| key.keystream(&[0; 8]), begin(&key)), 8 + 64);
}

#[test]
fn chacha20() {
    let fill =
        |key: &mut ChaCha20, trial| cinder_burn::burn(key.rekey(&secret::<32>(trial)).unwrap());
    assert_eq!(drops(vacant::<ChaCha20>, fill), 32);

    let key = ChaCha20::new(&[0x42; 32]).unwrap();
    fn begin<'k>(key: &'k ChaCha20) -> impl Fn(&mut ChaCha20Keystream<'k>, u8) {
        move |keystream, trial| {
            *keystream = key.keystream(&secret(trial));
            keystream.apply(&mut [0; 21]).unwrap();
        }
    }
    assert_eq!(drops(|| key.keystream(&[0; 12]), begin(&key)), 12 + 64);

    let fill = |key: &mut XChaCha20, trial| {
        cinder_burn::burn(key.rekey(&secret::<32>(trial)).unwrap());
        key.keystream(&[0; 24]).apply(&mut [0; 21]).unwrap();
    };
    assert_eq!(drops(vacant::<XChaCha20>, fill), 64);
    replaces(vacant::<XChaCha20>, fill, |key, _| cinder_burn::burn(key.rekey(&[1; 32]).unwrap()));
}
