//! Every cipher on every kernel that this CPU has: each method of the traits, for every count of
//! blocks, at every alignment, against a model that encrypts one block at a time.
#![cfg(all(feature = "all", feature = "alloc"))]

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use zeroize::ZeroizeOnDrop;

use cinder_block::any::{Algorithm, AnySlot, BlockCipher, BoxedCipher, DynCipher};
use cinder_block::{
    Aes128, BlockEncrypt, Blowfish, Depth, Des, InPlace, KeyError, Refusal, Slot, TripleDes,
    by_value,
};
use testkit::ciphers::{Cipher, Rekey, Subject, Visitor, every_cipher};

/// Bytes that differ from each other and from call to call.
struct Bytes(u64);

impl Bytes {
    fn fill(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            *byte = (self.0 >> 56) as u8;
        }
    }
}

/// A cipher on one kernel, and the same key on a kernel that is quick for a single block.
struct Case<const N: usize> {
    name: String,
    cipher: Box<dyn BlockCipher<N>>,
    model: Box<dyn BlockCipher<N>>,
    /// A block alone takes as long as a batch: too long to have many in an unoptimised build.
    slow: bool,
}

fn case<C: Cipher<N>, const N: usize>(subject: &Subject<'_, C>, key_len: usize) -> Case<N> {
    let key: Vec<u8> = (0..key_len).map(|i| (i * 29 + 3) as u8).collect();
    let keyed = |rekey: &Rekey<'_, C>| {
        Slot::<C>::boxed_with(|cipher| rekey(cipher, &key)).expect("the key is legal")
    };
    Case {
        name: format!("{subject:?}, {key_len} bytes of key"),
        cipher: keyed(subject.rekey),
        model: keyed(subject.rekey_for_one.unwrap_or(subject.rekey)),
        slow: subject.rekey_for_one.is_some(),
    }
}

/// Every cipher of the project on every kernel, with keys of the usual length, and of the shortest
/// and the longest one where that is another schedule.
#[derive(Default)]
struct Cases {
    of_8: Vec<Case<8>>,
    of_16: Vec<Case<16>>,
}

impl Cases {
    fn all() -> Self {
        let mut cases = Cases::default();
        every_cipher(&mut cases);
        cases
    }
}

impl Visitor for Cases {
    fn blocks_of_8<C: Cipher<8>>(&mut self, subject: &Subject<'_, C>) {
        self.of_8.extend(subject.key_lens.iter().map(|&len| case(subject, len)));
    }

    fn blocks_of_16<C: Cipher<16>>(&mut self, subject: &Subject<'_, C>) {
        self.of_16.extend(subject.key_lens.iter().map(|&len| case(subject, len)));
    }
}

fn xor<const N: usize>(a: [u8; N], b: [u8; N]) -> [u8; N] {
    core::array::from_fn(|i| a[i] ^ b[i])
}

fn counted<const N: usize>(mut counter: [u8; N], by: u32) -> [u8; N] {
    let low = counter.last_chunk_mut::<4>().expect("a block is longer");
    *low = u32::from_be_bytes(*low).wrapping_add(by).to_be_bytes();
    counter
}

type Method<const N: usize> = fn(&dyn BlockCipher<N>, &mut [u8; N], &mut [[u8; N]]) -> Depth;

/// What a method makes of one block and the register.
type Step<'a, const N: usize> = dyn Fn(&mut [u8; N], [u8; N]) -> [u8; N] + 'a;

/// A method, what it makes of any count of blocks, and what it leaves in the register.
struct Expected<const N: usize> {
    name: &'static str,
    method: Method<N>,
    /// Waits for one block after the other, so that a slow kernel takes long.
    serial: bool,
    output: Vec<[u8; N]>,
    /// After 0, 1, 2, … blocks.
    registers: Vec<[u8; N]>,
}

/// Twice a mask of XTS, bit by bit.
fn doubled<const N: usize>(mask: [u8; N]) -> [u8; N] {
    let bit = |i: usize| mask[i / 8] >> (i % 8) & 1;
    let mut twice = [0; N];
    (1..8 * N).for_each(|i| twice[i / 8] |= bit(i - 1) << (i % 8));
    let polynomial: &[usize] = if N == 16 { &[0, 1, 2, 7] } else { &[0, 1, 3, 4] };
    polynomial.iter().for_each(|&i| twice[0] ^= bit(8 * N - 1) << i);
    twice
}

/// A mask for each block: one counter after the other, from the register on.
fn masks<const N: usize>(register: &mut [u8; N], count: usize) -> Vec<[u8; N]> {
    let next = |_| {
        let mask = *register;
        *register = counted(mask, 1);
        mask
    };
    (0..count).map(next).collect()
}

/// What the model makes of `input`, whose first n blocks give the first n blocks of each output.
fn expected<const N: usize>(
    model: &dyn BlockCipher<N>,
    iv: [u8; N],
    input: &[[u8; N]],
) -> Vec<Expected<N>> {
    let e = |mut block| {
        cinder_burn::burn(model.encrypt_blocks(core::slice::from_mut(&mut block)));
        block
    };
    let d = |mut block| {
        cinder_burn::burn(model.decrypt_blocks(core::slice::from_mut(&mut block)));
        block
    };
    let method = |name, serial, method: Method<N>, step: &Step<'_, N>| {
        let (mut register, mut registers) = (iv, vec![iv]);
        let mut output = Vec::new();
        for block in input {
            output.push(step(&mut register, *block));
            registers.push(register);
        }
        Expected { name, method, serial, output, registers }
    };
    let chained = |register: &mut [u8; N], next| {
        *register = next;
        next
    };
    vec![
        method("encrypt_blocks", false, |c, _, b| c.encrypt_blocks(b), &|_, x| e(x)),
        method("decrypt_blocks", false, |c, _, b| c.decrypt_blocks(b), &|_, x| d(x)),
        method(
            "encrypt_block",
            true,
            |c, _, b| b.iter_mut().map(|b| c.encrypt_block(b)).fold(Depth::NONE, Depth::max),
            &|_, x| e(x),
        ),
        method(
            "decrypt_block",
            true,
            |c, _, b| b.iter_mut().map(|b| c.decrypt_block(b)).fold(Depth::NONE, Depth::max),
            &|_, x| d(x),
        ),
        method("ctr_xor", false, |c, r, b| c.ctr_xor(r, b), &|r, x| {
            let output = xor(e(*r), x);
            *r = counted(*r, 1);
            output
        }),
        method("ctr_xor_little_endian", false, |c, r, b| c.ctr_xor_little_endian(r, b), &|r, x| {
            let output = xor(e(*r), x);
            let (low, _) = r.split_first_chunk_mut::<4>().unwrap();
            *low = u32::from_le_bytes(*low).wrapping_add(1).to_le_bytes();
            output
        }),
        method("cbc_encrypt", true, |c, r, b| c.cbc_encrypt(r, b), &|r, x| {
            chained(r, e(xor(*r, x)))
        }),
        method("cbc_mac", true, |c, r, b| c.cbc_mac(r, b), &|r, x| {
            *r = e(xor(*r, x));
            x
        }),
        method(
            "xex_encrypt",
            false,
            |c, r, b| c.xex_encrypt(&[0x33; N], &masks(r, b.len()), b),
            &|r, x| {
                let mask = xor(*r, [0x33; N]);
                *r = counted(*r, 1);
                xor(mask, e(xor(mask, x)))
            },
        ),
        method(
            "xex_decrypt",
            false,
            |c, r, b| c.xex_decrypt(&[0x33; N], &masks(r, b.len()), b),
            &|r, x| {
                let mask = xor(*r, [0x33; N]);
                *r = counted(*r, 1);
                xor(mask, d(xor(mask, x)))
            },
        ),
        method("xts_encrypt", false, |c, r, b| c.xts_encrypt(r, b), &|r, x| {
            let mask = *r;
            *r = doubled(mask);
            xor(mask, e(xor(mask, x)))
        }),
        method("xts_decrypt", false, |c, r, b| c.xts_decrypt(r, b), &|r, x| {
            let mask = *r;
            *r = doubled(mask);
            xor(mask, d(xor(mask, x)))
        }),
        method("cbc_decrypt", false, |c, r, b| c.cbc_decrypt(r, b), &|r, x| {
            let output = xor(*r, d(x));
            *r = x;
            output
        }),
        method("cfb_encrypt", true, |c, r, b| c.cfb_encrypt(r, b), &|r, x| {
            chained(r, xor(e(*r), x))
        }),
        method("cfb_decrypt", false, |c, r, b| c.cfb_decrypt(r, b), &|r, x| {
            let output = xor(e(*r), x);
            *r = x;
            output
        }),
        method("ofb_xor", true, |c, r, b| c.ofb_xor(r, b), &|r, x| {
            *r = e(*r);
            xor(*r, x)
        }),
    ]
}

/// A place for `len` bytes that begins `offset` bytes after a multiple of 64, with 64 bytes on
/// either side that must not change.
struct Guarded {
    bytes: Vec<u8>,
    from: usize,
    len: usize,
}

impl Guarded {
    fn new(len: usize, offset: usize) -> Self {
        let mut bytes = vec![0; len + 256];
        let from = 64 + bytes.as_ptr().align_offset(64) + offset % 64;
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = Self::guard(i);
        }
        Guarded { bytes, from, len }
    }

    fn guard(i: usize) -> u8 {
        (i * 11) as u8 ^ 0xa5
    }

    fn place<const N: usize>(&mut self) -> &mut [[u8; N]] {
        self.bytes[self.from..self.from + self.len].as_chunks_mut().0
    }

    fn check(&self, what: &str) {
        let around = (0..self.from).chain(self.from + self.len..self.bytes.len());
        for i in around {
            assert_eq!(self.bytes[i], Self::guard(i), "{what}: a byte outside changed");
        }
    }
}

/// Runs a method on the first `count` blocks of `input`, at an alignment, and compares.
fn compare<const N: usize>(
    case: &Case<N>,
    expected: &Expected<N>,
    input: &[[u8; N]],
    count: usize,
    offset: usize,
) {
    let what = format!("{} {}, {count} blocks, offset {offset}", case.name, expected.name);
    let mut data = Guarded::new(N * count, offset);
    data.place().copy_from_slice(&input[..count]);
    let mut register = Guarded::new(N, 3 * offset + 1);
    register.place()[0] = expected.registers[0];
    cinder_burn::burn((expected.method)(&*case.cipher, &mut register.place()[0], data.place()));
    assert_eq!(data.place(), &expected.output[..count], "{what}");
    assert_eq!(register.place()[0], expected.registers[count], "{what}: register");
    data.check(&what);
    register.check(&what);
}

fn every_count_and_offset<const N: usize>(cases: Vec<Case<N>>) {
    // Around the batches of DES, the largest.
    const MANY: [usize; 12] = [95, 97, 127, 129, 167, 169, 255, 256, 257, 295, 297, 301];
    for case in &cases {
        let mut input = vec![[0; N]; 301];
        Bytes(1).fill(input.as_flattened_mut());
        // The counter wraps after 16 blocks.
        let mut iv = [0x5c; N];
        iv[N - 4..].copy_from_slice(&0xffff_fff0_u32.to_be_bytes());
        for expected in expected(&*case.model, iv, &input) {
            let slow = case.slow && cfg!(debug_assertions);
            if slow && expected.serial {
                for count in 0..3 {
                    compare(case, &expected, &input, count, 13 * count);
                }
                continue;
            }
            let step = if slow { 7 } else { 1 };
            for count in (0..=70).step_by(step) {
                compare(case, &expected, &input, count, count % 64);
                compare(case, &expected, &input, count, 37 * count + 5);
            }
            if !expected.serial {
                for count in MANY {
                    compare(case, &expected, &input, count, count);
                }
            }
        }
    }
}

#[test]
fn every_count_and_offset_of_blocks_of_16() {
    every_count_and_offset(Cases::all().of_16);
}

#[test]
fn every_count_and_offset_of_blocks_of_8() {
    every_count_and_offset(Cases::all().of_8);
}

/// The counter wraps before each block of a call, and in each place of the wide kernels.
fn every_wrap<const N: usize>(cases: Vec<Case<N>>) {
    const COUNT: usize = 70;
    for case in &cases {
        let mut prefix = [0xff; N];
        prefix[N - 4..].fill(0);
        // E of the counters from -COUNT to COUNT.
        let keystream: Vec<[u8; N]> = (0..2 * COUNT as u32)
            .map(|i| {
                let mut block = counted(prefix, i.wrapping_sub(COUNT as u32));
                cinder_burn::burn(case.model.encrypt_blocks(core::slice::from_mut(&mut block)));
                block
            })
            .collect();
        let step = if case.slow && cfg!(debug_assertions) { 9 } else { 1 };
        for before in (0..=COUNT).step_by(step) {
            let mut counter = counted(prefix, (before as u32).wrapping_neg());
            let mut data = [[0; N]; COUNT];
            cinder_burn::burn(case.cipher.ctr_xor(&mut counter, &mut data));
            let expected = &keystream[COUNT - before..][..COUNT];
            assert_eq!(data, expected, "{} wraps after {before}", case.name);
            assert_eq!(counter, counted(prefix, (COUNT - before) as u32), "{}", case.name);
        }
    }
}

#[test]
fn counters_wrap_anywhere() {
    let cases = Cases::all();
    every_wrap(cases.of_16);
    every_wrap(cases.of_8);
}

/// One block, which tells one key from another.
fn fingerprint<const N: usize>(cipher: &impl BlockEncrypt<N>) -> [u8; N] {
    let mut block = [0x77; N];
    cinder_burn::burn(cipher.encrypt_block(&mut block));
    block
}

/// Keys replace each other, also shorter ones longer ones; a refused key leaves the former; a value
/// that moves is the same.
fn rekeys<C: BlockCipher<N> + InPlace, const N: usize>(lengths: &[usize]) {
    let key = |len: usize, seed: u64| {
        let mut key = vec![0; len];
        Bytes(seed).fill(&mut key);
        key
    };
    let fresh = |key: &[u8]| fingerprint(Slot::<C>::empty().init(key).expect("the key is legal"));
    let mut cipher = by_value::<C>(|_| Ok(Depth::NONE)).unwrap();
    for (seed, len) in lengths.iter().chain(lengths).rev().chain(lengths).enumerate() {
        let key = key(*len, seed as u64);
        cinder_burn::burn(cipher.rekey(&key).expect("the key is legal"));
        assert_eq!(fingerprint(&cipher), fresh(&key));
        cinder_burn::burn(cipher.rekey(&key).expect("the key is legal"));
        assert_eq!(fingerprint(&cipher), fresh(&key));

        assert_eq!(cipher.rekey(&[]).unwrap_err().error, KeyError::Length);
        assert_eq!(cipher.rekey(&[1; 500]).unwrap_err().error, KeyError::Length);
        assert_eq!(fingerprint(&cipher), fresh(&key));

        // Through moves, references, boxes and other threads.
        let moved = Box::new([cipher]);
        let [cipher_again] = *moved;
        assert_eq!(fingerprint(&&&cipher_again), fresh(&key));
        let boxed = Box::new(cipher_again);
        assert_eq!(fingerprint(&boxed), fresh(&key));
        let object: &dyn BlockEncrypt<N> = &*boxed;
        assert_eq!(fingerprint(&object), fresh(&key));
        let elsewhere = std::thread::scope(|s| s.spawn(|| fingerprint(&boxed)).join());
        assert_eq!(elsewhere.expect("no panic"), fresh(&key));
        cipher = *boxed;
    }
    assert_eq!(fingerprint(&Slot::<C>::boxed(&key(lengths[0], 9)).unwrap()), {
        fresh(&key(lengths[0], 9))
    });
    assert_eq!(Slot::<C>::boxed(&[]).err(), Some(KeyError::Length));
}

#[test]
fn keys_replace_each_other() {
    struct Rekeys;
    impl Visitor for Rekeys {
        fn blocks_of_8<C: Cipher<8>>(&mut self, subject: &Subject<'_, C>) {
            if subject.is_default {
                rekeys::<C, 8>(subject.key_lens);
            }
        }
        fn blocks_of_16<C: Cipher<16>>(&mut self, subject: &Subject<'_, C>) {
            if subject.is_default {
                rekeys::<C, 16>(subject.key_lens);
            }
        }
    }
    every_cipher(&mut Rekeys);
}

/// A weak key is refused at every door, and leaves nothing keyed behind it.
#[test]
fn weak_keys_at_every_door() {
    fn doors<C: BlockCipher<N> + InPlace, const N: usize>(
        algorithm: Algorithm,
        weak: &[u8],
        new: fn(&[u8]) -> Result<C, KeyError>,
        allow: fn(&mut C, &[u8]) -> Result<Depth, Refusal>,
    ) {
        let refused = Some(KeyError::Weak);
        assert_eq!(new(weak).err(), refused);
        let mut slot = Slot::<C>::empty();
        assert_eq!(slot.init(weak).err(), refused);
        assert!(slot.cipher().is_none() && slot.cipher_mut().is_none());
        assert_eq!(Slot::<C>::boxed(weak).err(), refused);
        assert_eq!(algorithm.boxed(weak).err().map(|error| error.to_string()), {
            Some("weak key".to_string())
        });
        let mut any = AnySlot::empty();
        assert_eq!(any.init(algorithm, weak).err(), refused);
        assert!(any.cipher().is_none());

        let expected = fingerprint(slot.init_with(|c| allow(c, weak)).unwrap());
        let mut block = [0x77; N];
        match any.init_allow_weak(algorithm, weak).unwrap() {
            DynCipher::Block8(c) => cinder_burn::burn(c.encrypt_blocks(block.as_chunks_mut().0)),
            DynCipher::Block16(c) => cinder_burn::burn(c.encrypt_blocks(block.as_chunks_mut().0)),
        }
        assert_eq!(block, expected);
        // The slot is keyed with a weak key now; a refused one empties it all the same.
        assert_eq!(slot.init(weak).err(), refused);
        assert!(slot.cipher().is_none());
        assert_eq!(any.init(algorithm, weak).err(), refused);
        assert!(any.cipher().is_none());
    }
    let equal_parts = b"one key.one key.another!";
    let weak_part = *b"one key.\x01\x01\x01\x01\x01\x01\x01\x01another!";
    let weak_des = [0xfe; 8];
    doors(Algorithm::Des, &weak_des, Des::new, Des::rekey_allow_weak);
    doors(Algorithm::TripleDes, equal_parts, TripleDes::new, TripleDes::rekey_allow_weak);
    doors(Algorithm::TripleDes, &weak_part, TripleDes::new, TripleDes::rekey_allow_weak);
    doors(Algorithm::TripleDes, &[7; 16], TripleDes::new, TripleDes::rekey_allow_weak);
    doors(Algorithm::Blowfish, &[0x23, 0x3d], Blowfish::new, Blowfish::rekey_allow_weak);
}

/// `Debug` of each type is the same for each key, but for the kernel.
#[test]
fn debug_does_not_depend_on_the_key() {
    for algorithm in Algorithm::ALL {
        let mut texts = Vec::new();
        for seed in 1..4 {
            let len = algorithm.openpgp_key_len().unwrap_or_else(|| {
                (1..=128).rev().find(|&len| algorithm.accepts_key_len(len)).unwrap()
            });
            let mut key = vec![0; len];
            Bytes(seed).fill(&mut key);
            let mut slot = AnySlot::empty();
            let dynamic = format!("{:?}", slot.init(*algorithm, &key).unwrap());
            let boxed = format!("{:?}", algorithm.boxed(&key).unwrap());
            texts.push(format!("{dynamic} {boxed} {slot:?} {slot:#?}"));
        }
        texts.dedup();
        assert_eq!(texts.len(), 1, "{texts:?}");
        assert!(!texts[0].contains("0x"), "{texts:?}");
    }
    fn texts<C: InPlace + Debug>(len: usize) {
        let mut texts: Vec<String> = (1..4)
            .map(|seed| {
                let mut key = vec![0; len];
                Bytes(seed).fill(&mut key);
                let mut slot = Slot::<C>::empty();
                let text = format!("{:?}", slot.init(&key).unwrap());
                format!("{text} {slot:?} {:#?}", slot.cipher())
            })
            .collect();
        texts.dedup();
        assert_eq!(texts.len(), 1, "{texts:?}");
        assert!(!texts[0].contains("0x"), "{texts:?}");
    }
    struct Texts;
    impl Visitor for Texts {
        fn blocks_of_8<C: Cipher<8>>(&mut self, subject: &Subject<'_, C>) {
            texts::<C>(subject.key_len);
        }
        fn blocks_of_16<C: Cipher<16>>(&mut self, subject: &Subject<'_, C>) {
            texts::<C>(subject.key_len);
        }
    }
    every_cipher(&mut Texts);
    texts::<cinder_block::Aes256Encrypt>(32);
}

/// Keys are shared between threads and sent to others; every one is wiped on drop. Of the ciphers
/// [`Cipher`] says so.
#[test]
fn types_have_the_traits_that_users_count_on() {
    fn shared<T: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe>() {}
    fn secret<T: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + Debug + ZeroizeOnDrop>() {}
    secret::<cinder_block::Aes128Encrypt>();
    secret::<AnySlot>();
    shared::<Slot<Aes128>>();
    shared::<Algorithm>();
    shared::<KeyError>();
    fn sent<T: Send + Sync>() {}
    sent::<BoxedCipher>();
    sent::<DynCipher<'_>>();
}
