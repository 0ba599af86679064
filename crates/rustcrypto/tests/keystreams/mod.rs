//! Keystreams, for the tests of either generation: `super` names its traits and its crates.

use super::cipher::inout::InOutBuf;
use super::cipher::{KeyInit, KeyIvInit, StreamCipher, StreamCipherSeek};
use super::{LENGTHS, aes, bytes, chacha20, ctr, iv, key, ofb, ours};

/// A stream in pieces that are cut at each of [`LENGTHS`], from one buffer to another and in place.
fn stream<T: StreamCipher>(make: impl Fn() -> T, text: &[u8]) -> Vec<u8> {
    let mut whole = text.to_vec();
    make().apply_keystream(&mut whole);
    for &cut in LENGTHS.iter().filter(|&&cut| cut <= text.len()) {
        let mut data = vec![0; text.len()];
        let mut stream = make();
        let pieces = InOutBuf::new(&text[..cut], &mut data[..cut]).unwrap();
        stream.try_apply_keystream_inout(pieces).unwrap();
        data[cut..].copy_from_slice(&text[cut..]);
        stream.apply_keystream(&mut data[cut..]);
        assert!(data == whole, "cut at {cut}");
    }
    whole
}

/// Three streams that are one: RustCrypto's mode over our cipher and over theirs, and our mode.
fn streams<
    A: KeyIvInit + StreamCipher,
    B: KeyIvInit + StreamCipher,
    C: KeyIvInit + StreamCipher,
>() {
    for &len in LENGTHS {
        let text = bytes(len, 3);
        let expected = stream(|| A::new(&key::<A>(), &iv::<A>()), &text);
        let second = || B::new_from_slices(&key::<A>(), &iv::<A>()).unwrap();
        let third = || C::new_from_slices(&key::<A>(), &iv::<A>()).unwrap();
        assert!(stream(second, &text) == expected, "{len}");
        assert!(stream(third, &text) == expected, "{len}");
    }
}

#[test]
fn ctr_agrees() {
    streams::<ctr::Ctr32BE<aes::Aes128>, ctr::Ctr32BE<ours::Aes128>, ours::Ctr32BE<ours::Aes128>>();
    streams::<ctr::Ctr64BE<aes::Aes192>, ctr::Ctr64BE<ours::Aes192>, ours::Ctr64BE<ours::Aes192>>();
    streams::<ctr::Ctr128BE<aes::Aes256>, ctr::Ctr128BE<ours::Aes256>, ours::Ctr128BE<ours::Aes256>>(
    );
    streams::<
        ctr::Ctr128LE<aes::Aes256>,
        ctr::Ctr128LE<ours::Aes256>,
        ctr::Ctr128LE<ours::Aes256Enc>,
    >();
    streams::<
        ctr::Ctr64BE<ours::TdesEde3>,
        ours::Ctr64BE<ours::TdesEde3, 8>,
        ours::Ctr64BE<ours::TdesEde3, 8>,
    >();
}

#[test]
fn ofb_agrees() {
    streams::<ofb::Ofb<aes::Aes128>, ofb::Ofb<ours::Aes128>, ours::Ofb<ours::Aes128>>();
    streams::<ofb::Ofb<ours::Cast5>, ours::Ofb<ours::Cast5, 8>, ours::Ofb<ours::Cast5, 8>>();
}

#[test]
fn seeking_agrees() {
    type Theirs = ctr::Ctr64BE<aes::Aes128>;
    type Ours = ours::Ctr64BE<ours::Aes128>;
    let iv = [7; 16].into();
    let (mut theirs, mut ours) =
        (Theirs::new(&key::<Theirs>(), &iv), Ours::new(&key::<Ours>(), &iv));
    for position in [0, 1, 15, 16, 17, 31, 32, 100, 1 << 33, (1 << 40) + 5] {
        theirs.seek(position);
        ours.seek(position);
        assert_eq!(ours.current_pos::<u64>(), position);
        let (mut a, mut b) = ([0; 37], [0; 37]);
        theirs.apply_keystream(&mut a);
        ours.apply_keystream(&mut b);
        assert_eq!(a, b, "{position}");
        assert_eq!(theirs.current_pos::<u128>(), ours.current_pos::<u128>());
    }
    assert_eq!(ours.try_current_pos::<u32>().ok(), None);
    assert!(ours.try_seek(-1i32).is_err());
    assert!(ours.try_seek(u128::MAX).is_err());
}

#[test]
fn chacha20_agrees() {
    fn check<A, B>()
    where
        A: KeyIvInit + StreamCipher + StreamCipherSeek,
        B: KeyIvInit<KeySize = A::KeySize, IvSize = A::IvSize> + StreamCipher + StreamCipherSeek,
    {
        let (key, iv) = (key::<A>(), iv::<A>());
        for position in [0u64, 1, 63, 64, 65, 127, 1000, (1 << 38) - 1000] {
            let (mut a, mut b) = (A::new(&key, &iv), B::new(&key, &iv));
            a.seek(position);
            b.seek(position);
            assert_eq!(a.current_pos::<u64>(), position);
            assert_eq!(b.current_pos::<u64>(), position);
            let (mut x, mut y) = (bytes(777, 1), bytes(777, 1));
            for cut in [0..100, 100..101, 101..777] {
                a.apply_keystream(&mut x[cut.clone()]);
                b.apply_keystream(&mut y[cut]);
            }
            assert_eq!(x, y, "{position}");
            assert_eq!(a.current_pos::<u64>(), b.current_pos::<u64>());
        }
    }
    check::<chacha20::ChaCha20, ours::ChaCha20>();
    check::<chacha20::XChaCha20, ours::XChaCha20>();

    let mut last = ours::ChaCha20::new(&[1; 32].into(), &[2; 12].into());
    assert!(last.try_seek((1u64 << 38) + 1).is_err());
    last.seek((1u64 << 38) - 1);
    let mut two = [0; 2];
    assert!(last.try_apply_keystream(&mut two).is_err());
    assert_eq!(two, [0; 2]);
    last.apply_keystream(&mut two[..1]);
    assert!(ours::ChaCha20::new_from_slices(&[1; 16], &[2; 12]).is_err());
    assert!(ours::XChaCha20::new_from_slices(&[1; 32], &[2; 12]).is_err());
}

#[test]
fn a_keystream_ends() {
    let mut ctr = ours::Ctr::<ours::Aes128, 16, 1>::new(&[1; 16].into(), &[0; 16].into());
    assert!(ctr.try_apply_keystream(&mut [0; 4097]).is_err());
    ctr.apply_keystream(&mut [0; 4095]);
    let mut two = [0; 2];
    assert!(ctr.try_apply_keystream(&mut two).is_err());
    assert_eq!(two, [0; 2]);
    ctr.try_apply_keystream(&mut two[..1]).unwrap();
    assert!(ctr.try_apply_keystream(&mut two[1..]).is_err());
}

#[test]
fn salsa20_and_rc4_are_cinders() {
    for (key, rounds) in [(&[3u8; 32][..], 20), (&[3; 16][..], 20), (&[3; 32][..], 8)] {
        let text = bytes(777, 4);
        let mut expected = text.clone();
        let (got, mut sought) = if rounds == 20 {
            let salsa = cinder_stream::Salsa20::<20>::new(key).unwrap();
            salsa.keystream(&[9; 8]).apply(&mut expected).unwrap();
            let make = || ours::Salsa20::new_from_slices(key, &[9; 8]).unwrap();
            (stream(make, &text), Box::new(make()) as Box<dyn Stream>)
        } else {
            let salsa = cinder_stream::Salsa20::<8>::new(key).unwrap();
            salsa.keystream(&[9; 8]).apply(&mut expected).unwrap();
            let make = || ours::Salsa8::new_from_slices(key, &[9; 8]).unwrap();
            (stream(make, &text), Box::new(make()) as Box<dyn Stream>)
        };
        assert_eq!(got, expected);
        assert_eq!(sought.at(100, &text[100..]), expected[100..]);
    }
    let text = bytes(777, 5);
    let mut expected = text.clone();
    cinder_stream::Arc4::new(b"Key").unwrap().apply(&mut expected);
    assert_eq!(stream(|| ours::Rc4::new_from_slice(b"Key").unwrap(), &text), expected);
}

trait Stream {
    fn at(&mut self, position: u64, text: &[u8]) -> Vec<u8>;
}

impl<T: StreamCipher + StreamCipherSeek> Stream for T {
    fn at(&mut self, position: u64, text: &[u8]) -> Vec<u8> {
        let mut data = text.to_vec();
        self.seek(position);
        self.apply_keystream(&mut data);
        data
    }
}
