//! What is left of [`Gcm`], [`Sealer`] and [`Opener`] that have dropped in the middle of a message,
//! of a key that was replaced, and of a call in which the cipher panicked.

// They look at padding, which Miri takes for uninitialised memory.
#![cfg(not(miri))]

use cinder_block::{Aes128, BlockEncrypt, Camellia, Depth, InPlace, Slot, by_value};
use cinder_gcm::{Error, Gcm, Kernel, Opener, Sealer};
use core::cell::Cell;
use testkit::look::{Looking, clean_stack, drops, empties, replaces, secret, unwind, unwinds};

#[global_allocator]
static ALLOCATOR: Looking = Looking;

/// Keys for a kernel, if it goes with the cipher.
fn rekey<C: BlockEncrypt<16> + InPlace>(gcm: &mut Gcm<C>, trial: u8, kernel: Kernel) {
    let key = secret::<16>(trial);
    clean_stack();
    cinder_burn::burn(gcm.rekey(&key).expect("a legal key"));
    if let Some(depth) = gcm.use_kernel(kernel) {
        cinder_burn::burn(depth);
    }
}

/// A cipher without a key, by value.
fn vacant<C: InPlace>() -> C {
    by_value(|_| Ok(Depth::NONE)).expect("no key")
}

#[test]
fn keys() {
    /// `schedule`: bytes of round keys.
    fn check<C: BlockEncrypt<16> + InPlace>(schedule: usize) {
        for kernel in Kernel::available() {
            let fill = |gcm: &mut Gcm<C>, trial| rekey(gcm, trial, kernel);
            // H at least.
            assert!(drops(vacant::<Gcm<C>>, fill) >= schedule + 16, "{kernel}");
            for other in Kernel::available() {
                println!("{other} after {kernel}");
                replaces(vacant::<Gcm<C>>, fill, |gcm, _| rekey(gcm, 0, other));
            }
            let fill = |slot: &mut Slot<Gcm<C>>, trial| {
                let key = secret::<16>(trial);
                rekey(slot.init(&key).expect("a legal key"), trial, kernel);
            };
            replaces(Slot::empty, fill, |slot, _| slot.clear());
        }
    }
    check::<Aes128>(176);
    check::<Camellia>(256);
}

/// A cipher that panics after so many calls, AES within.
struct Fuse {
    aes: Aes128,
    left: Cell<u32>,
}

impl Fuse {
    fn new() -> Self {
        Fuse { aes: Aes128::new(&[0x42; 16]).unwrap(), left: Cell::new(u32::MAX) }
    }

    fn burn_down(&self) {
        let Some(left) = self.left.get().checked_sub(1) else { unwind() };
        self.left.set(left);
    }
}

impl BlockEncrypt<16> for Fuse {
    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
        self.burn_down();
        self.aes.encrypt_blocks(blocks)
    }
}

/// The same with AES's round keys, so that it panics where it is asked for them.
struct HardwareFuse(Fuse);

impl BlockEncrypt<16> for HardwareFuse {
    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
        self.0.encrypt_blocks(blocks)
    }

    fn aes_round_keys(&self) -> Option<&[[u8; 16]]> {
        self.0.burn_down();
        self.0.aes.aes_round_keys()
    }
}

#[test]
fn streams() {
    fn check<C: BlockEncrypt<16>>(cipher: C, left: impl Fn(&C) -> &Cell<u32>) {
        let gcm = Gcm::new(cipher);
        let left = |calls| left(gcm.cipher()).set(calls);
        let seal = |sealer: &mut Sealer<'_, C>, trial: u8| {
            left(u32::MAX);
            sealer.start(&secret::<12>(trial), &secret::<5>(trial)).unwrap();
            sealer.update(&mut secret::<21>(trial)).unwrap();
        };
        let open = |opener: &mut Opener<'_, C>, trial: u8| {
            left(u32::MAX);
            opener.start(&secret::<12>(trial), &secret::<5>(trial)).unwrap();
            opener.update_unverified(&mut secret::<21>(trial)).unwrap();
        };
        // The counter block's IV, E(J_0), Y, keystream, and ciphertext not hashed yet.
        let expected = 12 + 16 + 16 + 16 + 5;
        let sealer = || Sealer::new(&gcm);
        let opener = || Opener::new(&gcm);
        assert_eq!(drops(sealer, seal), expected);
        assert_eq!(drops(opener, open), expected);
        empties(sealer, seal, |sealer, _| sealer.finish(&mut [0; 16]).unwrap());
        empties(opener, open, |opener, _| {
            assert_eq!(opener.verify(&[0; 16]), Err(Error::Unverified));
        });
        let other = [0x77; 13]; // An IV that is hashed.
        for calls in 0..3 {
            empties(sealer, seal, |sealer, trial| {
                left(calls);
                if unwinds(|| sealer.start(&other, b"aad")) {
                    left(u32::MAX);
                    assert_eq!(sealer.finish(&mut [0; 16]), Err(Error::NotStarted));
                } else {
                    sealer.finish(&mut secret::<16>(trial)).unwrap_or(());
                    *sealer = Sealer::new(&gcm);
                }
            });
        }
        for len in [1, 12, 40] {
            empties(sealer, seal, |sealer, _| {
                left(0);
                // One byte needs no cipher.
                if !unwinds(|| sealer.update(&mut vec![7; len])) {
                    *sealer = Sealer::new(&gcm);
                }
                left(u32::MAX);
                assert_eq!(sealer.finish(&mut [0; 16]), Err(Error::NotStarted));
            });
            empties(opener, open, |opener, _| {
                left(0);
                let mut data = vec![7; len];
                if unwinds(|| opener.update_unverified(&mut data)) {
                    // Nobody can verify it any more.
                    assert!(data.iter().all(|&byte| byte == 0));
                } else {
                    *opener = Opener::new(&gcm);
                }
                left(u32::MAX);
                assert_eq!(opener.verify(&[0; 16]), Err(Error::NotStarted));
            });
        }
        empties(sealer, seal, |sealer, _| {
            left(0);
            let mut tag = [0x77; 16];
            if unwinds(|| sealer.finish(&mut tag)) {
                assert_eq!(tag, [0x77; 16]);
            }
            left(u32::MAX);
            assert_eq!(sealer.finish(&mut tag), Err(Error::NotStarted));
        });
        empties(opener, open, |opener, _| {
            left(0);
            unwinds(|| opener.verify(&[0; 16]));
            left(u32::MAX);
            assert_eq!(opener.verify(&[0; 16]), Err(Error::NotStarted));
        });
    }
    check(Fuse::new(), |fuse| &fuse.left);
    check(HardwareFuse(Fuse::new()), |fuse| &fuse.0.left);
}

/// From one buffer to another: the other is wiped. In place: what was to be verified is.
#[test]
fn buffers_after_a_panic() {
    let gcm = Gcm::new(Fuse::new());
    let left = |calls| gcm.cipher().left.set(calls);
    for len in [1, 16, 64, 65, 100, 10_000] {
        left(u32::MAX);
        let (iv, plaintext) = ([1; 13], vec![0xa5; len]);
        let (mut ciphertext, mut tag) = (vec![0; len], [0; 16]);
        gcm.seal(&iv, b"", &plaintext, &mut ciphertext, &mut tag).unwrap();
        let mut panics = 0;
        for calls in 0..6 {
            let wiped = |buffer: &[u8], tag: &[u8]| {
                left(u32::MAX);
                assert!(buffer.iter().all(|&byte| byte == 0), "{len} {calls}");
                assert_eq!(tag, [0xee; 16]);
            };
            let (mut out, mut out_tag) = (vec![0xee; len], [0xee; 16]);
            left(calls);
            if unwinds(|| gcm.seal(&iv, b"", &plaintext, &mut out, &mut out_tag)) {
                wiped(&out, &out_tag);
                panics += 1;
            }
            out.fill(0xee);
            left(calls);
            if unwinds(|| gcm.open(&iv, b"", &ciphertext, &mut out, &tag)) {
                wiped(&out, &[0xee; 16]);
            }
            out.copy_from_slice(&ciphertext);
            left(calls);
            if unwinds(|| gcm.open_in_place(&iv, b"", &mut out, &tag)) {
                wiped(&out, &[0xee; 16]);
            }
        }
        assert!(panics > 0);
    }
}

/// Text that did not verify is gone, too, if the panic comes while it is turned back.
#[test]
fn a_panic_after_a_wrong_tag() {
    let gcm = Gcm::new(HardwareFuse(Fuse::new()));
    let left = |calls| gcm.cipher().0.left.set(calls);
    for calls in 0..6 {
        left(u32::MAX);
        let (iv, mut data, mut tag) = ([1; 12], [0xa5; 100], [0; 16]);
        gcm.seal_in_place(&iv, b"", &mut data, &mut tag).unwrap();
        tag[0] ^= 1;
        let ciphertext = data;
        left(calls);
        let unwound = unwinds(|| {
            let result = gcm.open_in_place(&iv, b"", &mut data, &tag);
            assert_eq!(result, Err(Error::Unverified));
        });
        assert_eq!(data, if unwound { [0; 100] } else { ciphertext }, "{calls}");
        assert!(unwound || calls > 0);
    }
}

/// A cipher that takes its round keys back breaks its word. It is a panic like others.
#[test]
fn round_keys_that_are_taken_back() {
    struct TakesBack(Aes128, Cell<bool>);

    impl BlockEncrypt<16> for TakesBack {
        fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
            self.0.encrypt_blocks(blocks)
        }

        fn aes_round_keys(&self) -> Option<&[[u8; 16]]> {
            self.0.aes_round_keys().filter(|_| !self.1.get())
        }
    }

    let gcm = Gcm::new(TakesBack(Aes128::new(&[0x42; 16]).unwrap(), Cell::new(false)));
    let mut sealer = Sealer::new(&gcm);
    sealer.start(&[1; 12], b"").unwrap();
    gcm.cipher().1.set(true);
    let (mut data, mut tag) = ([0xee; 20], [0xee; 16]);
    let panics = unwinds(|| gcm.seal(&[1; 12], b"", &[0xa5; 20], &mut data, &mut tag));
    let is_two_pass = matches!(gcm.kernel(), Kernel::TwoPass(_));
    assert_eq!(panics, !is_two_pass);
    if panics {
        assert_eq!((data, tag), ([0; 20], [0xee; 16]));
        assert!(unwinds(|| sealer.update(&mut data)));
        assert_eq!(sealer.finish(&mut tag), Err(Error::NotStarted));
    }
}
