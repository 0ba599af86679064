//! What is left of a value that has dropped, and of a call that panicked.

mod common;

use block::{BlockDecrypt, BlockEncrypt, Depth};
use common::{Toy, model};
use core::cell::Cell;
use core::mem::MaybeUninit;
use modes::{cbc, cfb, cfb8, ctr::Ctr, key_wrap::Kw, ofb::Ofb};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Drops a value where it stands and finds none of its state's bytes: an IV of cc, and the
/// keystream that `work` leaves, none of which is zero.
fn wiped<T>(value: T, mut work: impl FnMut(&mut T), state: usize) {
    let mut place = MaybeUninit::new(value);
    // SAFETY: it was just written.
    work(unsafe { place.assume_init_mut() });
    let bytes = |place: &MaybeUninit<T>| -> Vec<u8> {
        let start = place.as_ptr().cast::<u8>();
        // SAFETY: inside `place`. Padding bytes are read volatile, for whatever they hold.
        (0..size_of::<T>()).map(|i| unsafe { start.add(i).read_volatile() }).collect()
    };
    let before = bytes(&place);
    // SAFETY: it is initialised, and not used as a value again.
    unsafe { place.assume_init_drop() };
    let after = bytes(&place);
    let cleared = before.iter().zip(&after).filter(|(b, a)| **b != 0 && **a == 0).count();
    assert_eq!(cleared, state, "{before:x?} {after:x?}");
}

#[test]
#[cfg_attr(miri, ignore = "reads padding bytes")]
fn states_wipe() {
    let toy = Toy { key: *b"a key for tests!" };
    let iv = [0xcc; 16];
    // The numbers are the nonzero bytes: blocks of state, without the reference to the cipher.
    wiped(cbc::Encryptor::new(&toy, &iv), |cbc| cbc.encrypt(&mut [7; 32]).unwrap(), 16);
    wiped(cbc::Decryptor::new(&toy, &iv), |cbc| cbc.decrypt(&mut [7; 32]).unwrap(), 16);
    wiped(cfb::Encryptor::new(&toy, &iv), |cfb| cfb.encrypt(&mut [7; 21]), 32);
    wiped(cfb::Decryptor::new(&toy, &iv), |cfb| cfb.decrypt(&mut [7; 21]), 32);
    wiped(cfb8::Encryptor::new(&toy, &iv), |cfb8| cfb8.encrypt(&mut [7; 21]), 16);
    wiped(cfb8::Decryptor::new(&toy, &iv), |cfb8| cfb8.decrypt(&mut [7; 21]), 16);
    wiped(Ofb::new(&toy, &iv), |ofb| ofb.apply_keystream(&mut [7; 21]), 16);
    wiped(Ctr::new(&toy, &iv), |ctr| ctr.apply_keystream(&mut [7; 21]).unwrap(), 48);
    wiped(Kw::with_iv(&toy, &[0xcc; 8]), |_| {}, 8);
}

#[test]
fn debug_shows_nothing() {
    let toy = Toy { key: [0xab; 8] };
    let iv = [0xcc; 8];
    assert_eq!(format!("{:?}", Ctr::new(&toy, &iv)), "Ctr { .. }");
    assert_eq!(format!("{:?}", Ofb::new(&toy, &iv)), "Ofb { .. }");
    assert_eq!(format!("{:?}", cbc::Encryptor::new(&toy, &iv)), "Encryptor { .. }");
    assert_eq!(format!("{:?}", cfb::Decryptor::new(&toy, &iv)), "Decryptor { .. }");
    assert_eq!(format!("{:?}", Kw::new(&toy)), "Kw { .. }");
}

/// A cipher that panics after so many calls.
struct Fuse {
    toy: Toy<8>,
    left: Cell<u32>,
}

impl Fuse {
    fn burn_down(&self) {
        let left = self.left.get();
        assert!(left > 0, "the fuse is gone");
        self.left.set(left - 1);
    }
}

impl BlockEncrypt<8> for Fuse {
    fn encrypt_blocks(&self, blocks: &mut [[u8; 8]]) -> Depth {
        self.burn_down();
        self.toy.encrypt_blocks(blocks)
    }
}

impl BlockDecrypt<8> for Fuse {
    fn decrypt_blocks(&self, blocks: &mut [[u8; 8]]) -> Depth {
        self.burn_down();
        self.toy.decrypt_blocks(blocks)
    }
}

/// A cipher panics at its first, second, … call. The mode unwinds, and the value can be used:
/// CTR stands where it had come to, so that it never gives a keystream byte for another position.
#[test]
fn panicking_cipher() {
    let key = *b"some key";
    let iv = [0xff; 8];
    let keystream = model::ctr(&Toy { key }, &iv, 8, &[0; 900]);
    for calls in 0..6 {
        let fuse = Fuse { toy: Toy { key }, left: Cell::new(calls) };
        let mut ctr = Ctr::new(&fuse, &iv);
        let mut cfb = cfb::Encryptor::new(&fuse, &iv);
        let mut cbc = cbc::Decryptor::new(&fuse, &iv);
        let mut data = [0; 700];
        let result = catch_unwind(AssertUnwindSafe(|| {
            for piece in data.chunks_mut(301) {
                ctr.apply_keystream(piece).unwrap();
            }
        }));
        fuse.left.set(u32::MAX);
        let position = ctr.position() as usize;
        assert_eq!(result.is_err(), position < 700);
        let mut next = [0; 100];
        ctr.apply_keystream(&mut next).unwrap();
        assert_eq!(next, keystream[position..position + 100], "{calls} {position}");

        fuse.left.set(calls);
        let unwound = |result: std::thread::Result<()>| assert!(result.is_err());
        unwound(catch_unwind(AssertUnwindSafe(|| cfb.encrypt(&mut data))));
        fuse.left.set(0);
        unwound(catch_unwind(AssertUnwindSafe(|| cbc.decrypt(&mut data[..64]).unwrap())));
        fuse.left.set(u32::MAX);
        cfb.encrypt(&mut data);
        cbc.decrypt(&mut data[..64]).unwrap();
    }
}
