//! What is left of a key of [`Ccm`], [`ChaCha20Poly1305`], [`XChaCha20Poly1305`], [`Eax`], [`GcmSiv`], [`Ocb3`] and [`Siv`] that has dropped.

// They look at padding, which Miri takes for uninitialised memory.
#![cfg(not(miri))]

use cinder_aead::{Ccm, ChaCha20Poly1305, Eax, GcmSiv, Ocb3, Siv, XChaCha20Poly1305};
use cinder_block::{Aes128, Depth, InPlace, Slot, by_value};
use testkit::look::{Looking, drops, empties, secret};

#[global_allocator]
static ALLOCATOR: Looking = Looking;

fn vacant<C: InPlace>() -> C {
    by_value(|_| Ok(Depth::NONE)).expect("no key")
}

/// `LEN` bytes of key; at least so many bytes depend on it.
fn check<C: InPlace, const LEN: usize>(at_least: usize) {
    let fill = |key: &mut C, trial| cinder_burn::burn(key.rekey(&secret::<LEN>(trial)).unwrap());
    assert!(drops(vacant::<C>, fill) >= at_least);
    let slot = |slot: &mut Slot<C>, trial| assert!(slot.init(&secret::<LEN>(trial)).is_ok());
    empties(Slot::empty, slot, |slot, _| slot.clear());
}

#[test]
fn keys() {
    check::<Ccm<Aes128, 16>, 16>(176);
    check::<Eax<Aes128, 16>, 16>(176 + 16);
    // L_*, L_$ and L_0 to L_15.
    check::<Ocb3<Aes128, 16>, 16>(176 + 18 * 16);
    check::<Siv<Aes128>, 32>(2 * 176 + 16);
    check::<GcmSiv<Aes128>, 16>(176);
    check::<ChaCha20Poly1305, 32>(32);
    check::<XChaCha20Poly1305, 32>(32);
}
