//! What is left of a [`Cmac`] and a [`Poly1305`], and of their parts, that dropped in the middle of a
//! message.

// They look at padding, which Miri takes for uninitialised memory.
#![cfg(not(miri))]

use cinder_block::{Aes128, Depth, InPlace, Slot, by_value};
use cinder_mac::parts::{Poly1305State, State, Subkey};
use cinder_mac::{Cmac, Poly1305};
use testkit::look::{Looking, drops, empties, secret};

#[global_allocator]
static ALLOCATOR: Looking = Looking;

fn vacant<C: InPlace>() -> C {
    by_value(|_| Ok(Depth::NONE)).expect("no key")
}

#[test]
fn cmac() {
    let fill = |cmac: &mut Cmac<Aes128, 16>, trial| {
        cinder_burn::burn(cmac.rekey(&secret::<16>(trial)).unwrap());
        cmac.update(&secret::<37>(trial));
    };
    // At least the forward key schedule, the subkey, the chain and the held-back bytes.
    assert!(drops(vacant::<Cmac<Aes128, 16>>, fill) >= 176 + 16 + 16 + 5);
    let slot = |slot: &mut Slot<_>, trial| fill(slot.init(&[1; 16]).unwrap(), trial);
    empties(Slot::empty, slot, |slot, _| slot.clear());
}

#[test]
fn parts() {
    let aes = Aes128::new(&[1; 16]).unwrap();
    let absorb = |state: &mut State<16>, trial| {
        cinder_burn::burn(state.absorb(&aes, &secret::<37>(trial)));
    };
    assert_eq!(drops(State::new, absorb), 16 + 5);
    empties(State::new, absorb, |state, _| state.reset());
    let derive = |subkey: &mut Subkey<16>, trial| {
        let aes = Aes128::new(&secret::<16>(trial)).unwrap();
        cinder_burn::burn(subkey.derive(&aes));
    };
    assert_eq!(drops(Subkey::new, derive), 16);
}

#[test]
fn poly1305() {
    let fill = |poly1305: &mut Poly1305, trial| {
        cinder_burn::burn(poly1305.rekey(&secret::<32>(trial)).unwrap());
        poly1305.update(&secret::<37>(trial));
    };
    // At least s, two powers, the sum and the held-back bytes.
    assert!(drops(vacant::<Poly1305>, fill) >= 16 + 3 * 16 + 5);
    let begin = |state: &mut Poly1305State, trial| {
        cinder_burn::burn(state.begin(&secret(trial)));
        cinder_burn::burn(state.absorb(&secret::<37>(trial)));
    };
    assert!(drops(Poly1305State::new, begin) >= 16 + 3 * 16 + 5);
    empties(Poly1305State::new, begin, |state, _| {
        let _ = state.digest(&mut [0; 16]);
    });
    let slot = |slot: &mut Slot<_>, trial| fill(slot.init(&[1; 32]).unwrap(), trial);
    empties(Slot::empty, slot, |slot, _| slot.clear());
}
