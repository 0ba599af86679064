//! CMAC against the standard's definition over whole messages, in any pieces, and its refusals.

use cinder_block::{Aes128, BlockEncrypt, Depth, Slot, TripleDes};
use cinder_mac::{Cmac, Unverified};
use proptest::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// SP 800-38B, section 6, on whole numbers: a block is one big-endian integer.
fn model<const N: usize>(cipher: &dyn BlockEncrypt<N>, message: &[u8]) -> [u8; N] {
    let bits = 8 * N;
    let all = if N == 16 { u128::MAX } else { u128::MAX >> 64 };
    let number = |bytes: &[u8]| bytes.iter().fold(0u128, |sum, &byte| sum << 8 | u128::from(byte));
    let encrypt = |x: u128| {
        let mut block = [0; N];
        block.copy_from_slice(&x.to_be_bytes()[16 - N..]);
        cinder_burn::burn(cipher.encrypt_block(&mut block));
        number(&block)
    };
    let r = if N == 16 { 0x87 } else { 0x1b };
    let twice = |x: u128| (x << 1 & all) ^ if x >> (bits - 1) == 1 { r } else { 0 };
    let k1 = twice(encrypt(0));
    let count = message.len().div_ceil(N).max(1);
    let mut c = 0;
    for i in 0..count {
        let block = &message[i * N..message.len().min((i + 1) * N)];
        let mask = match (i + 1 == count, block.len() == N) {
            (false, _) => 0,
            (true, true) => k1,
            (true, false) => twice(k1),
        };
        let mut padded = block.to_vec();
        if block.len() < N {
            padded.push(0x80);
            padded.resize(N, 0);
        }
        c = encrypt(c ^ number(&padded) ^ mask);
    }
    let mut tag = [0; N];
    tag.copy_from_slice(&c.to_be_bytes()[16 - N..]);
    tag
}

fn check<const N: usize>(cipher: &dyn BlockEncrypt<N>, message: &[u8], cuts: &[usize]) {
    let expected = model(cipher, message);
    let mut cmac = Cmac::<_, N>::new(cipher);
    for _ in 0..2 {
        let mut rest = message;
        for &cut in cuts {
            let (front, back) = rest.split_at(cut.min(rest.len()));
            cmac.update(front);
            rest = back;
        }
        cmac.update(rest);
        let mut tag = [0; N];
        cmac.finish(&mut tag);
        assert_eq!(tag, expected, "{} bytes, {cuts:?}", message.len());
    }
    for bit in 0..8 * N {
        let mut forged = expected;
        forged[bit / 8] ^= 1 << (bit % 8);
        cmac.update(message);
        assert_eq!(cmac.verify(&forged), Err(Unverified));
    }
    cmac.update(message);
    assert_eq!(cmac.verify(&expected), Ok(()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_message_in_any_pieces(
        key in any::<[u8; 24]>(),
        message in proptest::collection::vec(any::<u8>(), 0..200),
        cuts in proptest::collection::vec(0_usize..40, 0..8),
    ) {
        let (mut aes, mut des) = (Slot::<Aes128>::empty(), Slot::<TripleDes>::empty());
        check::<16>(aes.init(&key[..16]).unwrap(), &message, &cuts);
        if let Ok(des) = des.init(&key) {
            check::<8>(des, &message, &cuts);
        }
    }
}

/// RFC 4493, section 4.
#[test]
fn published() {
    let key = 0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes();
    let mut slot = Slot::<Cmac<Aes128, 16>>::empty();
    let cmac = slot.init(&key).unwrap();
    assert_eq!(cmac.verify(&0xbb1d6929e95937287fa37d129b756746_u128.to_be_bytes()), Ok(()));
    cmac.update(&0x6bc1bee22e409f96e93d7e117393172a_u128.to_be_bytes());
    assert_eq!(cmac.verify(&0x070a16b46b4d4144f79bdd9dd04a287c_u128.to_be_bytes()), Ok(()));
}

#[test]
fn a_short_tag_is_the_front_of_the_long_one() {
    let mut slot = Slot::<Aes128>::empty();
    let aes = &*slot.init(&[7; 16]).unwrap();
    let (mut long, mut short) = ([0; 16], [0; 5]);
    Cmac::<_, 16>::new(aes).finish(&mut long);
    let mut cmac = Cmac::<_, 16, 5>::new(aes);
    cmac.finish(&mut short);
    assert_eq!(short, long[..5]);
    assert_eq!(cmac.verify(&short), Ok(()));
    short[4] ^= 1;
    assert_eq!(cmac.verify(&short), Err(Unverified));
}

/// A cipher that panics at its third block.
struct Fragile(core::cell::Cell<u32>);

impl BlockEncrypt<16> for Fragile {
    fn encrypt_blocks(&self, _: &mut [[u8; 16]]) -> Depth {
        self.0.set(self.0.get() + 1);
        assert!(self.0.get() != 3);
        Depth::here()
    }
}

#[test]
fn a_message_that_lost_its_cipher_gives_no_tag() {
    let mut cmac = Cmac::<_, 16>::new(Fragile(0.into()));
    let mut caught = |run: &mut dyn FnMut(&mut Cmac<Fragile, 16>)| {
        catch_unwind(AssertUnwindSafe(|| run(&mut cmac))).is_err()
    };
    assert!(!caught(&mut |cmac| cmac.update(&[1; 32])));
    assert!(caught(&mut |cmac| cmac.update(&[1; 32])));
    assert!(caught(&mut |cmac| cmac.finish(&mut [0; 16])));
    assert!(!caught(&mut Cmac::reset));
    assert!(!caught(&mut |cmac| cmac.finish(&mut [0; 16])));
}

#[test]
fn each_error_has_a_text() {
    testkit::texts_differ(&[&cinder_mac::Unverified, &cinder_mac::KeyUsed]);
}

#[test]
fn debug_prints_the_name_alone() {
    use cinder_mac::parts::{Poly1305State, State, Subkey};
    let mut slot = Slot::<Aes128>::empty();
    let aes = &*slot.init(&[0x42; 16]).unwrap();
    assert_eq!(format!("{:?}", Cmac::<_, 16>::new(aes)), "Cmac { .. }");
    assert_eq!(format!("{:?}", Subkey::<16>::new()), "Subkey { .. }");
    assert_eq!(format!("{:?}", State::<16>::new()), "State { .. }");
    assert_eq!(format!("{:?}", Poly1305State::new()), "Poly1305State { .. }");
    let mut slot = Slot::<cinder_mac::Poly1305>::empty();
    assert_eq!(format!("{:?}", slot.init(&[0x42; 32]).unwrap()), "Poly1305 { .. }");
}
