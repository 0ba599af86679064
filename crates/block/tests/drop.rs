//! What is left of a key that has dropped, was replaced, refused or given up in a panic: for each
//! type that holds one, with every kernel of this CPU.

// They look at padding, which Miri takes for uninitialised memory.
#![cfg(not(miri))]
#![cfg(all(feature = "all", feature = "alloc"))]

use cinder_block::any::{Algorithm, AnySlot, BoxedCipher, DynCipher};
use cinder_block::*;
use testkit::ciphers::{Cipher, Subject, Visitor, every_cipher};
use testkit::look::{
    Look, Looking, bytes, clean_stack, drops, empties, freed, replaces, secret, unwind, unwinds,
};

#[global_allocator]
static ALLOCATOR: Looking = Looking;

type Rekey<C> = Box<dyn Fn(&mut C, &[u8]) -> Depth>;

/// A way to set up a cipher's key of some bytes.
struct Setup<C> {
    name: String,
    key_len: usize,
    rekey: Rekey<C>,
}

impl<C> Setup<C> {
    fn new(
        name: &str,
        key_len: usize,
        rekey: impl Fn(&mut C, &[u8]) -> Result<Depth, Refusal> + 'static,
    ) -> Self {
        let rekey = move |cipher: &mut C, key: &[u8]| rekey(cipher, key).expect("a legal key");
        Setup { name: format!("{name}, {key_len}"), key_len, rekey: Box::new(rekey) }
    }

    fn fill(&self, cipher: &mut C, trial: u8) {
        cinder_burn::burn((self.rekey)(cipher, &key(trial)[..self.key_len]));
    }
}

/// A cipher without a key, by value.
fn vacant<C: InPlace>() -> C {
    by_value(|_| Ok(Depth::NONE)).expect("no key")
}

/// A key for each trial, of which no part is weak for DES.
fn key(trial: u8) -> [u8; 128] {
    secret(trial)
}

/// Drops a cipher that is keyed in each way, in place and in a box, and keys it in each way after
/// each: nothing is left of the key before. `expected` is how many bytes depend on the key.
fn look_at<C: InPlace>(setups: &[Setup<C>], expected: &[usize]) {
    let counts = setups.iter().map(|setup| drops(vacant::<C>, |c, trial| setup.fill(c, trial)));
    assert_eq!(counts.collect::<Vec<_>>(), expected);
    for first in setups {
        for second in setups {
            let name = format!("{} after {}", second.name, first.name);
            let fill = |cipher: &mut C, trial| first.fill(cipher, trial);
            println!("{name}: {}", replaces(vacant::<C>, fill, |cipher, _| second.fill(cipher, 0)));
        }
    }
    slots(&setups[0], expected[0]);
}

/// [`Slot`]: dropped, keyed again, cleared, and empty after a refusal and after a panic.
fn slots<C: InPlace>(setup: &Setup<C>, expected: usize) {
    let init = |slot: &mut Slot<C>, trial| {
        let rekey = |cipher: &mut C| Ok((setup.rekey)(cipher, &key(trial)[..setup.key_len]));
        assert!(slot.init_with(rekey).is_ok());
    };
    assert_eq!(drops(Slot::empty, init), expected);
    replaces(Slot::empty, init, |slot, _| init(slot, 0));
    empties(Slot::empty, init, |slot, _| slot.clear());
    empties(Slot::empty, init, |slot, _| {
        assert_eq!(slot.init(&[0; 129]).err(), Some(KeyError::Length));
        assert!(slot.cipher().is_none());
    });
    // With the former key in it, with a new one, and on an error after a new one.
    let panic = |slot: &mut Slot<C>, _| {
        assert!(unwinds(|| slot.init_with(|_| unwind()).is_ok()));
        assert!(slot.cipher().is_none());
    };
    empties(Slot::empty, init, panic);
    let panic_late = |slot: &mut Slot<C>, trial: u8| {
        let rekey = |cipher: &mut C| -> Result<_, Refusal> {
            setup.fill(cipher, !trial);
            unwind()
        };
        assert!(unwinds(|| slot.init_with(rekey).is_ok()));
        assert!(slot.cipher().is_none());
    };
    empties(Slot::empty, init, panic_late);
    let fail_late = |slot: &mut Slot<C>, trial: u8| {
        let rekey = |cipher: &mut C| {
            setup.fill(cipher, !trial);
            Err(KeyError::Length.into())
        };
        assert!(slot.init_with(rekey).is_err());
        assert!(slot.cipher().is_none());
    };
    empties(Slot::empty, init, fail_late);

    let boxed = Look::new(|trial| {
        let key = key(trial);
        clean_stack();
        let Ok(boxed) = Slot::<C>::boxed(&key[..setup.key_len]) else { panic!("legal") };
        let filled = bytes(&raw const *boxed, size_of::<C>());
        [vec![0; filled.len()], filled, freed(&raw const *boxed, size_of::<C>(), || drop(boxed))]
    });
    assert!(boxed.assert_wiped() >= expected / 2);
}

/// Every cipher of the list on every kernel, with keys of several lengths.
#[test]
fn every_cipher_of_the_list() {
    struct Drops;
    impl Drops {
        fn look_at<C: InPlace>(&self, subject: &Subject<'_, C>) {
            for &len in subject.key_lens {
                let fill = |cipher: &mut C, trial| {
                    let depth = (subject.rekey)(cipher, &key(trial)[..len]);
                    cinder_burn::burn(depth.expect("a legal key"));
                };
                let count = drops(vacant::<C>, fill);
                // All but one byte of RC2's schedule are the same for all keys of one byte.
                let at_least = if len == 1 { 1 } else { 80 };
                assert!(count >= at_least, "{subject:?}, {len}: {count}");
                replaces(vacant::<C>, fill, |cipher, _| fill(cipher, 0));
            }
        }
    }
    impl Visitor for Drops {
        fn blocks_of_8<C: Cipher<8>>(&mut self, subject: &Subject<'_, C>) {
            self.look_at(subject);
        }
        fn blocks_of_16<C: Cipher<16>>(&mut self, subject: &Subject<'_, C>) {
            self.look_at(subject);
        }
    }
    every_cipher(&mut Drops);
}

#[test]
fn aes() {
    fn check<const N: usize>(key_len: usize) {
        let forward: Vec<_> = aes::Kernel::available()
            .map(|kernel| {
                Setup::new(kernel.name(), key_len, move |c: &mut aes::AesEncrypt<N>, key| {
                    c.rekey_with_kernel(key, kernel)
                })
            })
            .collect();
        look_at(&forward, &vec![16 * N; forward.len()]);
        let both: Vec<_> = aes::Kernel::available()
            .map(|kernel| {
                Setup::new(kernel.name(), key_len, move |c: &mut aes::Aes<N>, key| {
                    c.rekey_with_kernel(key, kernel)
                })
            })
            .collect();
        // Bitsliced, the forward keys serve both directions.
        let count = |kernel: aes::Kernel| match kernel.name() {
            "portable" | "NEON" => 16 * N,
            _ => 32 * N,
        };
        look_at(&both, &aes::Kernel::available().map(count).collect::<Vec<_>>());
    }
    check::<11>(16);
    check::<13>(24);
    check::<15>(32);
}

#[test]
fn blowfish() {
    let setup = |len| Setup::new("", len, Blowfish::rekey);
    look_at(&[setup(16), setup(4), setup(56)], &[4168; 3]);
}

#[test]
fn camellia() {
    let setup = |(kernel, len): (camellia::Kernel, usize)| {
        Setup::new(kernel.name(), len, move |c: &mut Camellia, key| {
            c.rekey_with_kernel(key, kernel)
        })
    };
    for kernel in camellia::Kernel::available() {
        look_at(&[(kernel, 16), (kernel, 24), (kernel, 32)].map(setup), &[256, 336, 336]);
    }
}

#[test]
fn cast5() {
    let setup = |len| Setup::new("", len, Cast5::rekey);
    look_at(&[setup(16), setup(5)], &[80; 2]);
}

#[test]
fn des() {
    let kernels = || des::Kernel::available();
    let setups: Vec<_> = kernels()
        .map(|kernel| {
            Setup::new(kernel.name(), 8, move |c: &mut Des, key| c.rekey_with_kernel(key, kernel))
        })
        .collect();
    look_at(&setups, &vec![128; setups.len()]);
    let setups: Vec<_> = kernels()
        .flat_map(|kernel| {
            [24, 16].map(|len| {
                Setup::new(kernel.name(), len, move |c: &mut TripleDes, key| {
                    c.rekey_with_kernel(key, kernel)
                })
            })
        })
        .collect();
    look_at(&setups, &vec![384; setups.len()]);
}

#[test]
fn idea() {
    look_at(&[Setup::new("", 16, Idea::rekey)], &[208]);
}

#[test]
fn rc2() {
    let setup = |len, bits| {
        Setup::new("", len, move |c: &mut Rc2, key: &[u8]| c.rekey_effective(key, bits))
    };
    look_at(&[setup(16, 128), setup(128, 1024), setup(5, 40)], &[128; 3]);
}

#[test]
fn seed() {
    look_at(&[Setup::new("", 16, Seed::rekey)], &[128]);
}

#[test]
fn serpent() {
    let setups: Vec<_> = serpent::Kernel::available()
        .map(|kernel| {
            Setup::new(kernel.name(), 32, move |c: &mut Serpent, key| {
                c.rekey_with_kernel(key, kernel)
            })
        })
        .chain([Setup::new("padded", 3, |c: &mut Serpent, key| c.rekey_padded(key))])
        .collect();
    look_at(&setups, &vec![528; setups.len()]);
}

#[test]
fn twofish() {
    let setup = |len| Setup::new("", len, Twofish::rekey);
    look_at(&[setup(16), setup(24), setup(32)], &[4256; 3]);
}

/// The longest legal key.
fn any_key(algorithm: Algorithm, trial: u8) -> Vec<u8> {
    let len = (1..=128).rev().find(|&len| algorithm.accepts_key_len(len)).unwrap();
    key(trial)[..len].to_vec()
}

/// [`AnySlot`]: dropped with each cipher in it, cleared, empty after a refusal, and with each
/// cipher after each other, the smaller one after the larger one too.
#[test]
fn any_slot() {
    let init = |algorithm, trial, slot: &mut AnySlot| {
        let key = any_key(algorithm, trial);
        clean_stack();
        assert!(slot.init(algorithm, &key).is_ok());
    };
    for &first in Algorithm::ALL {
        let fill = |slot: &mut AnySlot, trial| init(first, trial, slot);
        assert!(drops(AnySlot::empty, fill) >= 80);
        replaces(AnySlot::empty, fill, |slot, _| slot.clear());
        for &second in Algorithm::ALL {
            replaces(AnySlot::empty, fill, |slot, _| init(second, 0, slot));
            replaces(AnySlot::empty, fill, |slot, _| {
                assert!(slot.init_allow_weak(second, &[0; 129]).is_err());
                assert!(slot.cipher().is_none());
            });
        }
    }
}

#[test]
fn boxed_ciphers() {
    for &algorithm in Algorithm::ALL {
        let look = Look::new(|trial| {
            let key = any_key(algorithm, trial);
            clean_stack();
            let boxed = algorithm.boxed(&key).unwrap();
            let (start, len) = match boxed.as_dyn() {
                DynCipher::Block8(c) => (std::ptr::from_ref(c).cast::<u8>(), size_of_val(c)),
                DynCipher::Block16(c) => (std::ptr::from_ref(c).cast::<u8>(), size_of_val(c)),
            };
            let filled = bytes(start, len);
            let drop = || drop::<BoxedCipher>(boxed);
            [vec![0; len], filled, freed(start, len, drop)]
        });
        assert!(look.assert_wiped() >= 80, "{algorithm:?}");
    }
}
