//! What every scheme promises, over every length around the widths of kernels and scratches.

use cinder_aead::{Aead, Ccm, ChaCha20Poly1305, Eax, Error, GcmSiv, Ocb3, Siv, XChaCha20Poly1305};
use cinder_block::{Aes128, BlockDecrypt, BlockEncrypt, Depth, Serpent, Slot, TripleDes};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn key(len: usize) -> Vec<u8> {
    (0..len).map(|i| (11 * i + 3) as u8).collect()
}

fn text(len: usize) -> Vec<u8> {
    (0..len).map(|i| i.wrapping_mul(i).wrapping_add(i / 256) as u8).collect()
}

/// 0 to 70, the scratch of 32 blocks, and a piece of 4096 bytes.
fn lengths() -> impl Iterator<Item = usize> {
    (0..70).chain([127, 128, 129, 511, 512, 513, 528, 1040, 4095, 4096, 4097, 8200])
}

fn check<const T: usize>(aead: &dyn Aead<T>, nonce_len: usize) {
    let nonce = &text(40)[..nonce_len];
    for len in lengths() {
        let (plain, aad) = (text(len), &text(600)[..len * 7 % 600]);
        let (mut sealed, mut tag) = (plain.clone(), [0; T]);
        aead.seal_in_place(nonce, aad, &mut sealed, &mut tag).unwrap();

        let (mut apart, mut tag_apart) = (vec![0; len], [0; T]);
        aead.seal(nonce, aad, &plain, &mut apart, &mut tag_apart).unwrap();
        assert_eq!((&apart, tag_apart), (&sealed, tag), "{len}");

        let mut opened = sealed.clone();
        assert_eq!(aead.open_in_place(nonce, aad, &mut opened, &tag), Ok(()), "{len}");
        assert_eq!(opened, plain, "{len}");
        let mut apart = vec![1; len];
        assert_eq!(aead.open(nonce, aad, &sealed, &mut apart, &tag), Ok(()), "{len}");
        assert_eq!(apart, plain, "{len}");

        // One bit anywhere: the ciphertext stays, and a buffer of its own holds zeros.
        let refused = |nonce: &[u8], aad: &[u8], sealed: &[u8], tag: &[u8; T]| {
            let mut opened = sealed.to_vec();
            let error = Err(Error::Unverified);
            assert_eq!(aead.open_in_place(nonce, aad, &mut opened, tag), error, "{len}");
            assert_eq!(opened, sealed, "{len}");
            let mut apart = vec![1; len];
            assert_eq!(aead.open(nonce, aad, sealed, &mut apart, tag), error, "{len}");
            assert_eq!(apart, vec![0; len], "{len}");
        };
        let flipped = |bytes: &[u8], at: usize| {
            let mut bytes = bytes.to_vec();
            bytes[at] ^= 1 << (at % 8);
            bytes
        };
        for at in (0..len).step_by(len / 3 + 1) {
            refused(nonce, aad, &flipped(&sealed, at), &tag);
        }
        for at in (0..aad.len()).step_by(aad.len() / 3 + 1) {
            refused(nonce, &flipped(aad, at), &sealed, &tag);
        }
        refused(&flipped(nonce, len % nonce_len), aad, &sealed, &tag);
        for at in (0..T).step_by(3) {
            refused(nonce, aad, &sealed, &flipped(&tag, at).try_into().unwrap());
        }
    }
    let (mut long, mut tag) = ([1; 9], [0; T]);
    assert_eq!(aead.seal(nonce, b"", &[0; 8], &mut long, &mut tag), Err(Error::BufferLengths));
    assert_eq!(aead.open(nonce, b"", &[0; 8], &mut long, &tag), Err(Error::BufferLengths));
    assert_eq!((long, tag), ([1; 9], [0; T]));
}

#[test]
fn ccm() {
    let mut slot = Slot::<Ccm<Aes128, 16>>::empty();
    check(slot.init(&key(16)).unwrap(), 12);
    let mut slot = Slot::<Ccm<Serpent, 4>>::empty();
    check(slot.init(&key(32)).unwrap(), 11);
}

#[test]
fn eax() {
    let mut slot = Slot::<Eax<Aes128, 16>>::empty();
    check(slot.init(&key(16)).unwrap(), 16);
    let mut slot = Slot::<Eax<TripleDes, 8, 5>>::empty();
    check(slot.init(&key(24)).unwrap(), 23);
}

#[test]
fn ocb3() {
    let mut slot = Slot::<Ocb3<Aes128, 16>>::empty();
    check(slot.init(&key(16)).unwrap(), 15);
    let mut slot = Slot::<Ocb3<Serpent, 12>>::empty();
    check(slot.init(&key(32)).unwrap(), 1);
}

#[test]
fn gcm_siv() {
    let mut slot = Slot::<GcmSiv<Aes128>>::empty();
    check(slot.init(&key(16)).unwrap(), 12);
    let mut slot = Slot::<GcmSiv<Serpent>>::empty();
    check(slot.init(&key(32)).unwrap(), 12);
    assert!(slot.init(&key(24)).is_err(), "no key of RFC 8452");
    check(slot.init(&key(16)).unwrap(), 12);
}

#[test]
fn chacha20_poly1305() {
    for kernel in cinder_stream::Kernel::available() {
        let mut slot = Slot::<ChaCha20Poly1305>::empty();
        check(slot.init_with(|aead| aead.rekey_with_kernel(&key(32), kernel)).unwrap(), 12);
        let mut slot = Slot::<XChaCha20Poly1305>::empty();
        check(slot.init_with(|aead| aead.rekey_with_kernel(&key(32), kernel)).unwrap(), 24);
    }
}

#[test]
fn siv() {
    let mut slot = Slot::<Siv<Aes128>>::empty();
    let siv = slot.init(&key(32)).unwrap();
    check(siv, 16);

    // Headers are told apart by where they end.
    let seal = |headers: &[&[u8]]| {
        let mut tag = [0; 16];
        siv.seal_with(headers, &mut [], &mut tag).unwrap();
        tag
    };
    let tags = [seal(&[]), seal(&[b""]), seal(&[b"ab"]), seal(&[b"a", b"b"]), seal(&[b"b", b"a"])];
    for (i, tag) in tags.iter().enumerate() {
        assert!(tags[..i].iter().all(|other| other != tag));
    }
    let (many, mut tag) = ([&b""[..]; 127], [0; 16]);
    assert!(siv.seal_with(&many[1..], &mut [], &mut tag).is_ok());
    assert_eq!(siv.open_with(&many[1..], &mut [], &tag), Ok(()));
    assert_eq!(siv.seal_with(&many, &mut [], &mut tag), Err(Error::TooLong));
    assert_eq!(siv.open_with(&many, &mut [], &tag), Err(Error::TooLong));
}

#[test]
fn nonces_of_other_lengths_are_refused() {
    fn lengths<const T: usize>(aead: &dyn Aead<T>) -> Vec<usize> {
        let takes = |&len: &usize| {
            let (mut data, mut tag) = ([7; 3], [8; T]);
            let result = aead.seal_in_place(&text(40)[..len], b"", &mut data, &mut tag);
            if result.is_err() {
                assert_eq!(result, Err(Error::NonceLength));
                assert_eq!((data, tag), ([7; 3], [8; T]));
            }
            result.is_ok()
        };
        (0..40).filter(takes).collect()
    }
    let mut slot = Slot::<Aes128>::empty();
    let aes = &*slot.init(&key(16)).unwrap();
    assert_eq!(lengths(&Ccm::<_, 16>::new(aes)), (7..=13).collect::<Vec<_>>());
    assert_eq!(lengths(&Eax::<_, 16>::new(aes)), (0..40).collect::<Vec<_>>());
    assert_eq!(lengths(&Ocb3::<_, 16>::new(aes)), (1..=15).collect::<Vec<_>>());
    assert_eq!(lengths(&Siv::new(aes, aes)), (1..40).collect::<Vec<_>>());
    let (mut slot, mut x_slot) = (Slot::<ChaCha20Poly1305>::empty(), Slot::empty());
    let aead = slot.init(&key(32)).unwrap();
    assert_eq!(lengths(aead), [12]);
    let x_aead: &mut XChaCha20Poly1305 = x_slot.init(&key(32)).unwrap();
    assert_eq!(lengths(x_aead), [24]);
    if let Some(limit) = 1_usize.checked_shl(38) {
        // RFC 8439, section 2.8: 2^32 - 1 blocks.
        assert_eq!(aead.check(12, usize::MAX, limit - 64), Ok(()));
        assert_eq!(aead.check(12, 0, limit - 63), Err(Error::TooLong));
        assert_eq!(x_aead.check(24, 0, limit - 63), Err(Error::TooLong));
    }
    assert!(slot.init(&key(31)).is_err() && x_slot.init(&key(33)).is_err());
    let mut slot = Slot::<GcmSiv<Aes128>>::empty();
    let siv = slot.init(&key(16)).unwrap();
    assert_eq!(lengths(siv), [12]);
    // RFC 8452, section 6.
    if let Some(limit) = 1_usize.checked_shl(36) {
        assert_eq!(siv.check(12, limit, limit), Ok(()));
        assert_eq!(siv.check(12, limit + 1, 0), Err(Error::TooLong));
        assert_eq!(siv.check(12, 0, limit + 1), Err(Error::TooLong));
    }
}

/// A nonce of 13 bytes leaves two for the message's length.
#[test]
fn ccm_refuses_what_its_length_field_cannot_say() {
    let mut slot = Slot::<Ccm<Aes128, 4>>::empty();
    let ccm = slot.init(&key(16)).unwrap();
    let mut tag = [0; 4];
    let mut long = vec![1; 1 << 16];
    assert_eq!(ccm.seal_in_place(&[0; 13], b"", &mut long, &mut tag), Err(Error::TooLong));
    assert_eq!(ccm.open_in_place(&[0; 13], b"", &mut long, &tag), Err(Error::TooLong));
    assert!(long.iter().all(|&byte| byte == 1));
    assert_eq!(ccm.seal_in_place(&[0; 13], b"", &mut long[1..], &mut tag), Ok(()));
    assert_eq!(ccm.seal_in_place(&[0; 12], b"", &mut long, &mut tag), Ok(()));
    for (nonce, limit) in [(13, 16), (12, 24), (11, 32), (10, 40), (7, 64)] {
        if let Some(limit) = 1_usize.checked_shl(limit) {
            assert_eq!(ccm.check(nonce, 0, limit), Err(Error::TooLong));
            assert_eq!(ccm.check(nonce, 0, limit - 1), Ok(()));
        }
    }
}

/// CCM* without a tag is counter mode, and opens whatever it is given.
#[test]
fn ccm_star_without_a_tag() {
    let mut slot = Slot::<Aes128>::empty();
    let aes = &*slot.init(&key(16)).unwrap();
    let (with, without) = (Ccm::<_, 16>::new(aes), Ccm::<_, 0>::new(aes));
    let (mut a, mut b) = (text(50), text(50));
    with.seal_in_place(&[5; 13], b"x", &mut a, &mut [0; 16]).unwrap();
    without.seal_in_place(&[5; 13], b"y", &mut b, &mut []).unwrap();
    assert_eq!(a, b);
    assert_eq!(without.open_in_place(&[5; 13], b"z", &mut b, &[]), Ok(()));
    assert_eq!(b, text(50));
}

/// A cipher that panics at some block.
struct Fragile {
    calls: core::cell::Cell<u32>,
    limit: u32,
}

impl Fragile {
    fn call(&self) -> Depth {
        self.calls.set(self.calls.get() + 1);
        assert!(self.calls.get() < self.limit);
        Depth::here()
    }
}

impl BlockEncrypt<16> for Fragile {
    fn encrypt_blocks(&self, _: &mut [[u8; 16]]) -> Depth {
        self.call()
    }
}

impl BlockDecrypt<16> for Fragile {
    fn decrypt_blocks(&self, _: &mut [[u8; 16]]) -> Depth {
        self.call()
    }
}

#[test]
fn a_cipher_that_panics_leaves_no_plaintext() {
    fn with<const T: usize, A: Aead<T>>(new: impl Fn(Fragile) -> A) {
        let mut panics = 0;
        for limit in 3..60 {
            let aead = new(Fragile { calls: 0.into(), limit });
            let mut data = vec![0x5a; 5000];
            let open = || aead.open_in_place(&[1; 12], b"", &mut data, &[0; T]);
            if catch_unwind(AssertUnwindSafe(open)).is_err() {
                panics += 1;
                assert!(data.iter().all(|&byte| byte == 0), "{limit}");
            }
            let (mut out, mut tag) = (vec![1; 5000], [0; T]);
            let seal = || aead.seal(&[1; 12], b"", &[0x5a; 5000], &mut out, &mut tag);
            if catch_unwind(AssertUnwindSafe(seal)).is_err() {
                assert!(out.iter().all(|&byte| byte == 0), "{limit}");
            }
        }
        assert!(panics > 3);
    }
    with(Ccm::<_, 16>::new);
    with(Eax::<_, 16>::new);
    with(Ocb3::<_, 16>::new);
}

#[test]
fn each_error_has_a_text() {
    use Error::{BufferLengths, NonceLength, TooLong, Unverified};
    testkit::texts_differ(&[&NonceLength, &TooLong, &BufferLengths, &Unverified]);
}

/// Lengths of additional data that take two bytes, and six (SP 800-38C, A.2.2). Tags of OpenSSL 4.0.
#[test]
fn ccm_says_how_long_its_additional_data_is() {
    let mut slot = Slot::<Ccm<Aes128, 16>>::empty();
    let ccm = slot.init(&key(16)).unwrap();
    for (len, expected) in [
        (0xfeff, 0x265fbd513d80ca9d56280a86caed944a),
        (0xff00, 0xa3c0522568aff1ddcace1105a7c82dc5),
        (0xff01, 0xd80204c264da7acb34d2f015b537b2bb),
        (70000, 0xafa42ebd4db09a01fc14a65d26649935_u128),
    ] {
        let (mut data, mut tag) = (text(21), [0; 16]);
        ccm.seal_in_place(&text(12), &text(len), &mut data, &mut tag).unwrap();
        assert_eq!(u128::from_be_bytes(tag), expected, "{len}");
    }
}

/// Block 2^16 takes L_16, which is not kept. The ends of ciphertext and tag of OpenSSL 4.0.
#[test]
fn ocb3_of_more_than_a_mebibyte() {
    let mut slot = Slot::<Ocb3<Aes128, 16>>::empty();
    let ocb = slot.init(&key(16)).unwrap();
    let plain = text((1 << 20) + 53);
    let (mut data, mut tag) = (plain.clone(), [0; 16]);
    ocb.seal_in_place(&text(12), &plain, &mut data, &mut tag).unwrap();
    assert_eq!(u128::from_be_bytes(tag), 0x6804e04a8c51fbf5600693e8a9f02830);
    let last = *data.last_chunk().unwrap();
    assert_eq!(u128::from_be_bytes(last), 0x570baa07dbe699e998db2c45a6c099bb);
    assert_eq!(ocb.open_in_place(&text(12), &plain, &mut data, &tag), Ok(()));
    assert_eq!(data, plain);
}
