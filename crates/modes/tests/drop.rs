//! What is left of a value that has dropped in the middle of a message, and of a call in which the
//! cipher panicked: in the value, and in the caller's buffers.

// They look at padding, which Miri takes for uninitialised memory.
#![cfg(not(miri))]

mod common;

use cinder_block::{BlockDecrypt, BlockEncrypt, Depth, InPlace, Seed};
use cinder_modes::key_wrap::{Kw, Kwp, Tkw};
use cinder_modes::xts::Xts;
use cinder_modes::{Padding, Stealing, cbc, cfb, cfb8, ctr::Ctr, ecb, ofb::Ofb};
use common::{Toy, model};
use core::cell::Cell;
use testkit::look::{Looking, drops, empties, secret, unwind, unwinds};

#[global_allocator]
static ALLOCATOR: Looking = Looking;

/// A cipher that panics after so many calls.
struct Fuse {
    key: Cell<[u8; 16]>,
    left: Cell<u32>,
}

impl Fuse {
    fn new() -> Self {
        Fuse { key: Cell::new(*b"a key for tests!"), left: Cell::new(u32::MAX) }
    }

    fn toy(&self) -> Toy<16> {
        let Some(left) = self.left.get().checked_sub(1) else { unwind() };
        self.left.set(left);
        Toy { key: self.key.get() }
    }

    /// Whether `work` panics if the cipher does after so many calls.
    fn unwinds<R>(&self, calls: u32, work: impl FnOnce() -> R) -> bool {
        self.left.set(calls);
        let unwound = unwinds(work);
        self.left.set(u32::MAX);
        unwound
    }
}

impl BlockEncrypt<16> for Fuse {
    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
        self.toy().encrypt_blocks(blocks)
    }
}

impl BlockDecrypt<16> for Fuse {
    fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
        self.toy().decrypt_blocks(blocks)
    }
}

/// A mode with a chaining block, in one direction.
trait Message {
    fn begin(&mut self, iv: &[u8; 16]);
    fn go_on(&mut self, data: &mut [u8]);
    fn go_on_to(&mut self, input: &[u8], output: &mut [u8]);
    fn state(&self) -> [u8; 16];
}

macro_rules! messages {
    ($($mode:ty: $go_on:ident, $go_on_to:ident;)*) => {$(
        impl Message for $mode {
            fn begin(&mut self, iv: &[u8; 16]) {
                self.restart(iv);
            }
            fn go_on(&mut self, data: &mut [u8]) {
                let _ = self.$go_on(data);
            }
            fn go_on_to(&mut self, input: &[u8], output: &mut [u8]) {
                let _ = self.$go_on_to(input, output);
            }
            fn state(&self) -> [u8; 16] {
                *self.chain()
            }
        }
    )*};
}
messages! {
    cbc::Encryptor<&Fuse, 16>: encrypt, encrypt_to;
    cbc::Decryptor<&Fuse, 16>: decrypt, decrypt_to;
    cfb::Encryptor<&Fuse, 16>: encrypt, encrypt_to;
    cfb::Decryptor<&Fuse, 16>: decrypt, decrypt_to;
    cfb8::Encryptor<&Fuse, 16>: encrypt, encrypt_to;
    cfb8::Decryptor<&Fuse, 16>: decrypt, decrypt_to;
    Ofb<&Fuse, 16>: apply_keystream, apply_keystream_to;
}

/// Drops a message that is in the middle of a block where the mode has bytes, and finds nothing of
/// so many bytes that depend on the message. Loses it in a panic of the cipher: every call panics
/// until another message begins, and the drop finds the bytes all the same.
fn check<'f, M: Message>(fuse: &'f Fuse, new: impl Fn(&'f Fuse, &[u8; 16]) -> M, secrets: usize) {
    let vacant = || new(fuse, &[0; 16]);
    let fill = |mode: &mut M, trial| {
        mode.begin(&secret(trial));
        // CBC refuses the last bytes.
        mode.go_on(&mut secret::<32>(trial));
        mode.go_on(&mut secret::<5>(trial));
    };
    assert_eq!(drops(vacant, fill), secrets);

    for calls in 0..3 {
        let lose = |mode: &mut M| {
            assert!(fuse.unwinds(calls, || mode.go_on(&mut [7; 1600])), "{calls}");
            assert!(unwinds(|| mode.state()));
            assert!(unwinds(|| mode.go_on(&mut [7; 16])));
            assert!(unwinds(|| mode.go_on_to(&[7; 16], &mut [0; 16])));
        };
        let fill_and_lose = |mode: &mut M, trial| {
            fill(mode, trial);
            lose(mode);
        };
        drops(vacant, fill_and_lose);

        let mut mode = vacant();
        lose(&mut mode);
        let mut fresh = new(fuse, &secret(1));
        mode.begin(&secret(1));
        let (mut data, mut expected) = ([7; 64], [7; 64]);
        mode.go_on(&mut data);
        fresh.go_on(&mut expected);
        assert_eq!((data, mode.state()), (expected, fresh.state()));
    }
}

#[test]
#[cfg_attr(miri, ignore = "reads padding bytes")]
fn chains() {
    let fuse = Fuse::new();
    check(&fuse, cbc::Encryptor::new, 16);
    check(&fuse, cbc::Decryptor::new, 16);
    check(&fuse, cfb::Encryptor::new, 32);
    check(&fuse, cfb::Decryptor::new, 32);
    check(&fuse, cfb8::Encryptor::new, 16);
    check(&fuse, cfb8::Decryptor::new, 16);
    check(&fuse, Ofb::new, 16);
}

/// The one call of the cipher that is not in a message's bytes.
#[test]
fn a_panic_in_resume_loses_the_message() {
    let fuse = Fuse::new();
    let mut cfb = cfb::Encryptor::new(&fuse, &[1; 16]);
    assert!(fuse.unwinds(0, || cfb.resume(&[2; 16], &[3; 5])));
    assert!(unwinds(|| cfb.encrypt(&mut [7; 3])));
    cfb.resume(&[2; 16], &[3; 5]).unwrap();
    cfb.encrypt(&mut [7; 3]);
    assert_eq!(cfb.partial().len(), 8);
    let mut ofb = Ofb::new(&fuse, &[1; 16]);
    assert!(fuse.unwinds(0, || ofb.apply_keystream(&mut [7; 3])));
    ofb.resume(&[2; 16], 5).unwrap();
    ofb.apply_keystream(&mut [7; 3]);
}

/// Counter mode drops its IV, counter and keystream. After a panic it gives none of the keystream for
/// a second time, nor a position to begin at.
#[test]
#[cfg_attr(miri, ignore = "reads padding bytes")]
fn counters() {
    let fuse = Fuse::new();
    let new = || Ctr::new(&fuse, &[0xff; 16]);
    let begin = |ctr: &mut Ctr<_, 16>, trial| {
        ctr.restart(&secret(trial));
        ctr.apply_keystream(&mut [0; 21]).unwrap();
    };
    assert_eq!(drops(new, begin), 48);
    let begin_little = |ctr: &mut Ctr<_, 16, true>, trial| {
        ctr.restart(&secret(trial));
        ctr.apply_keystream(&mut [0; 21]).unwrap();
    };
    assert_eq!(drops(|| Ctr::little_endian(&fuse, &[0xff; 16]), begin_little), 48);
    let other_key = |ctr: &mut Ctr<_, 16>, trial| {
        fuse.key.set(secret(trial));
        ctr.restart(&[0xff; 16]);
        ctr.apply_keystream(&mut [0; 21]).unwrap();
    };
    assert_eq!(empties(new, other_key, |ctr, _| ctr.restart(&[0xff; 16])), 16);
    for calls in 0..6 {
        let lose = |ctr: &mut Ctr<_, 16>| {
            assert!(fuse.unwinds(calls, || ctr.apply_keystream(&mut [7; 6000])));
            assert!(unwinds(|| ctr.apply_keystream(&mut [7])));
            assert!(unwinds(|| ctr.apply_keystream_to(&[7], &mut [7])));
            assert!(unwinds(|| ctr.position()));
            assert!(unwinds(|| ctr.remaining()));
            assert!(unwinds(|| *ctr.counter()));
        };
        let begin_and_lose = |ctr: &mut Ctr<_, 16>, trial| {
            begin(ctr, trial);
            lose(ctr);
        };
        drops(new, begin_and_lose);
        let mut ctr = new();
        assert!(fuse.unwinds(0, || ctr.seek(100)));
        assert!(unwinds(|| ctr.apply_keystream(&mut [7])));

        // Whoever wants it again says so.
        let keystream = model::ctr(&Toy { key: fuse.key.get() }, &[0xff; 16], 16, &[0; 200]);
        ctr.restart(&[0xff; 16]);
        lose(&mut ctr);
        let mut data = [0; 100];
        ctr.seek(77).unwrap();
        ctr.apply_keystream(&mut data).unwrap();
        assert_eq!(data, keystream[77..177]);
        lose(&mut ctr);
        ctr.restart(&[0xff; 16]);
        let mut data = [0; 100];
        ctr.apply_keystream(&mut data).unwrap();
        assert_eq!(data, keystream[..100]);
    }
}

/// The initial value of a key wrap, and a cipher that a mode owns: SEED, 128 bytes.
#[test]
fn owned_ciphers() {
    let toy = Toy { key: *b"a key for tests!" };
    let fill = |kw: &mut Kw<_>, trial| *kw = Kw::with_iv(&toy, &secret(trial));
    assert_eq!(drops(|| Kw::new(&toy), fill), 8);
    let small = Toy { key: *b"8 bytes!" };
    let fill = |kw: &mut Tkw<_>, trial| *kw = Tkw::with_iv(&small, &secret(trial));
    assert_eq!(drops(|| Tkw::new(&small), fill), 4);

    fn owned<T>(new: impl Fn(Seed) -> T) {
        let fill = |mode: &mut T, trial| *mode = new(Seed::new(&secret::<16>(trial)).unwrap());
        assert_eq!(drops(|| new(cinder_block::by_value(|_| Ok(Depth::NONE)).unwrap()), fill), 128);
    }
    owned(ecb::Encryptor::<_, 16>::new);
    owned(ecb::Decryptor::<_, 16>::new);
    owned(Kw::new);
    owned(Kwp::new);
    let fill = |xts: &mut Xts<Seed>, trial| {
        cinder_burn::burn(xts.rekey(&secret::<32>(trial)).unwrap());
    };
    let vacant = || cinder_block::by_value::<Xts<Seed>>(|_| Ok(Depth::NONE)).unwrap();
    assert_eq!(drops(vacant, fill), 2 * 128);
}

/// After a panic in the cipher an output buffer holds zeros: it had a copy of the input. So does a
/// buffer whose content was to be checked.
#[test]
fn buffers_after_a_panic() {
    const LEN: usize = 4800;
    let fuse = &Fuse::new();
    let (iv, input) = (&[1; 16], &[0xa5; LEN]);
    let check = |name: &str, len: usize, call: &dyn Fn(&mut [u8])| {
        for calls in [0, 1, 2, 5, 100] {
            let mut output = [0xee; LEN + 32];
            output[..LEN].copy_from_slice(input);
            if fuse.unwinds(calls, || call(&mut output)) {
                assert!(output[..len].iter().all(|&byte| byte == 0), "{name} {calls}");
            } else {
                assert_ne!(calls, 0, "{name}");
            }
        }
    };
    macro_rules! check {
        ($len:expr, |$output:ident| $call:expr) => {
            check(stringify!($call), $len, &|$output| {
                let _ = $call;
            })
        };
    }
    check!(LEN, |o| ecb::Encryptor::new(fuse).encrypt_to(input, &mut o[..LEN]));
    check!(LEN, |o| ecb::Decryptor::new(fuse).decrypt_to(input, &mut o[..LEN]));
    check!(LEN, |o| cbc::Encryptor::new(fuse, iv).encrypt_to(input, &mut o[..LEN]));
    check!(LEN, |o| cbc::Decryptor::new(fuse, iv).decrypt_to(input, &mut o[..LEN]));
    check!(LEN, |o| cfb::Encryptor::new(fuse, iv).encrypt_to(input, &mut o[..LEN]));
    check!(LEN, |o| cfb::Decryptor::new(fuse, iv).decrypt_to(input, &mut o[..LEN]));
    check!(LEN, |o| cfb8::Encryptor::new(fuse, iv).encrypt_to(input, &mut o[..LEN]));
    check!(LEN, |o| cfb8::Decryptor::new(fuse, iv).decrypt_to(input, &mut o[..LEN]));
    check!(LEN, |o| Ofb::new(fuse, iv).apply_keystream_to(input, &mut o[..LEN]));
    check!(LEN, |o| Ctr::new(fuse, iv).apply_keystream_to(input, &mut o[..LEN]));

    let padding = Padding::Pkcs7;
    check!(LEN + 16, |o| ecb::Encryptor::new(fuse).encrypt_padded_to(padding, input, o));
    check!(LEN, |o| ecb::Decryptor::new(fuse).decrypt_padded(padding, &mut o[..LEN]));
    check!(LEN, |o| ecb::Decryptor::new(fuse).decrypt_padded_to(padding, input, o));
    check!(LEN + 16, |o| cbc::Encryptor::new(fuse, iv).encrypt_padded_to(padding, input, o));
    check!(LEN, |o| cbc::Decryptor::new(fuse, iv).decrypt_padded(padding, &mut o[..LEN]));
    check!(LEN, |o| cbc::Decryptor::new(fuse, iv).decrypt_padded_to(padding, input, o));
    for stealing in [Stealing::Cs1, Stealing::Cs2, Stealing::Cs3] {
        for len in [16, 21, LEN - 3] {
            let input = &input[..len];
            check!(len, |o| {
                cbc::Encryptor::new(fuse, iv).encrypt_stealing_to(stealing, input, &mut o[..len])
            });
            check!(len, |o| {
                cbc::Decryptor::new(fuse, iv).decrypt_stealing_to(stealing, input, &mut o[..len])
            });
        }
    }

    check!(LEN + 8, |o| Kw::new(fuse).wrap_to(input, o));
    check!(LEN, |o| Kw::new(fuse).unwrap(&mut o[..LEN]));
    check!(LEN - 8, |o| Kw::new(fuse).unwrap_to(input, o));
    check!(LEN + 8, |o| Kwp::new(fuse).wrap_to(&input[3..], o));
    check!(LEN, |o| Kwp::new(fuse).unwrap(&mut o[..LEN]));
    check!(LEN - 8, |o| Kwp::new(fuse).unwrap_to(input, o));
    // One block alone.
    check!(16, |o| Kwp::new(fuse).wrap_to(&input[..5], o));
    check!(16, |o| Kwp::new(fuse).unwrap(&mut o[..16]));
    check!(8, |o| Kwp::new(fuse).unwrap_to(&input[..16], o));
}

#[test]
fn debug_shows_nothing() {
    let toy = Toy { key: [0xab; 8] };
    let iv = [0xcc; 8];
    assert_eq!(format!("{:?}", Ctr::new(&toy, &iv)), "Ctr { .. }");
    assert_eq!(format!("{:?}", Ofb::new(&toy, &iv)), "Ofb { .. }");
    assert_eq!(format!("{:?}", ecb::Encryptor::<_, 8>::new(&toy)), "Ecb { .. }");
    assert_eq!(format!("{:?}", cbc::Encryptor::new(&toy, &iv)), "Cbc { .. }");
    assert_eq!(format!("{:?}", cfb8::Encryptor::new(&toy, &iv)), "Cfb8 { .. }");
    assert_eq!(format!("{:?}", cfb::Decryptor::new(&toy, &iv)), "Cfb { .. }");
    assert_eq!(format!("{:?}", Kw::new(&toy)), "KeyWrap { .. }");
}
