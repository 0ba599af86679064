//! What the tables say of each other, and that every algorithm works.

use super::oid::OIDS;
use super::*;
use crate::KeyError;

fn key(algorithm: Algorithm) -> &'static [u8] {
    const KEY: [u8; 128] = {
        let mut key = [0; 128];
        let mut i = 0;
        while i < 128 {
            key[i] = (3 * i + 1) as u8;
            i += 1;
        }
        key
    };
    &KEY[..(1..=128).rev().find(|&len| algorithm.accepts_key_len(len)).unwrap()]
}

#[test]
fn every_algorithm_is_found_by_what_it_is_called() {
    for &algorithm in Algorithm::ALL {
        let mut lens = (0..=128).filter(|&len| algorithm.accepts_key_len(len)).peekable();
        assert!(lens.peek().is_some());
        for len in lens {
            assert_eq!(Algorithm::from_name(algorithm.name(), len), Some(algorithm));
            for name in algorithm.names() {
                assert!(Algorithm::from_name(name, len).is_some(), "{name}");
            }
        }
        assert_eq!(Algorithm::from_name(algorithm.name(), 129), None);
        if let Some(number) = algorithm.openpgp() {
            assert_eq!(Algorithm::from_openpgp(number), Some(algorithm));
            assert!(algorithm.accepts_key_len(algorithm.openpgp_key_len().unwrap()));
        }
    }
    assert_eq!(Algorithm::from_openpgp(0), None);
    assert_eq!(Algorithm::from_name("ROT13", 16), None);
    assert_eq!(Algorithm::from_oid("2.16.840.1.101.3.4.1"), None);
    assert_eq!(Algorithm::from_oid("2.16.840.1.101.3.4.1."), None);
    assert_eq!(Algorithm::from_oid("2.16.840.1.101.3.4.1.7"), None);
}

#[test]
fn oids_are_different_and_their_keys_fit() {
    for (i, (oid, means)) in OIDS.iter().enumerate() {
        assert!(OIDS[..i].iter().all(|(other, _)| other != oid), "{oid}");
        assert!(means.key_len.is_none_or(|len| means.algorithm.accepts_key_len(len)), "{oid}");
    }
}

#[cfg(all(
    feature = "aes",
    feature = "blowfish",
    feature = "camellia",
    feature = "cast5",
    feature = "des",
    feature = "rc2",
    feature = "seed"
))]
#[test]
fn names_with_modes() {
    use Algorithm::*;
    for (name, algorithm, mode, key_len) in [
        ("AES-256-CBC", Aes256, Mode::Cbc, 32),
        ("aes128-ctr", Aes128, Mode::Ctr, 16),
        ("aes256-gcm@openssh.com", Aes256, Mode::Gcm, 32),
        ("CAMELLIA-192-CFB", Camellia192, Mode::Cfb, 24),
        ("SEED-CBC", Seed, Mode::Cbc, 16),
        ("DES-CBC", Des, Mode::Cbc, 8),
        ("DES-EDE3-CBC", TripleDes, Mode::Cbc, 24),
        ("des-ede-cbc", TripleDes, Mode::Cbc, 16),
        ("3des-cbc", TripleDes, Mode::Cbc, 24),
        ("BF-OFB", Blowfish, Mode::Ofb, 16),
        ("cast128-cbc", Cast5, Mode::Cbc, 16),
        ("RC2-CBC", Rc2_128, Mode::Cbc, 16),
        ("RC2-40-CBC", Rc2_40, Mode::Cbc, 5),
        ("RC2-64-CBC", Rc2_64, Mode::Cbc, 8),
    ] {
        let named = Algorithm::from_name_with_mode(name).unwrap();
        let key_len = Some(key_len);
        assert_eq!(named, Oid { algorithm, mode, key_len }, "{name}");
    }
    for name in ["AES-CBC", "AES-256", "AES-256-", "-CBC", "ROT13-CBC", "AES-256-XYZ", ""] {
        assert_eq!(Algorithm::from_name_with_mode(name), None, "{name}");
    }
}

fn round_trip(cipher: DynCipher<'_>, algorithm: Algorithm) -> [u8; 16] {
    let mut data = *b"sixteen bytes :)";
    match cipher {
        DynCipher::Block8(cipher) => {
            assert_eq!(algorithm.block_len(), 8);
            cinder_burn::burn(cipher.encrypt_blocks(data.as_chunks_mut().0));
        }
        DynCipher::Block16(cipher) => {
            assert_eq!(algorithm.block_len(), 16);
            cinder_burn::burn(cipher.encrypt_blocks(data.as_chunks_mut().0));
        }
    }
    let ciphertext = data;
    match cipher {
        DynCipher::Block8(cipher) => {
            cinder_burn::burn(cipher.decrypt_blocks(data.as_chunks_mut().0));
        }
        DynCipher::Block16(cipher) => {
            cinder_burn::burn(cipher.decrypt_blocks(data.as_chunks_mut().0));
        }
    }
    assert_eq!(&data, b"sixteen bytes :)");
    ciphertext
}

#[test]
fn slots_take_one_cipher_after_another() {
    let mut slot = AnySlot::empty();
    assert!(slot.cipher().is_none());
    for &algorithm in Algorithm::ALL {
        let cipher = slot.init(algorithm, key(algorithm)).unwrap();
        let ciphertext = round_trip(cipher, algorithm);
        let cipher = slot.init_allow_weak(algorithm, key(algorithm)).unwrap();
        assert_eq!(round_trip(cipher, algorithm), ciphertext);
        #[cfg(feature = "alloc")]
        {
            let cipher = algorithm.boxed(key(algorithm)).unwrap();
            assert_eq!(round_trip(cipher.as_dyn(), algorithm), ciphertext);
            assert!(algorithm.boxed(&[0; 129]).is_err());
        }
        assert_eq!(slot.init(algorithm, &[0; 129]).unwrap_err(), KeyError::Length);
        assert!(slot.cipher().is_none());
    }
}

#[cfg(feature = "rc2")]
#[test]
fn effective_bits_are_part_of_the_algorithm() {
    let [all, forty] = [Algorithm::Rc2, Algorithm::Rc2_40].map(|algorithm| {
        let mut slot = AnySlot::empty();
        round_trip(slot.init(algorithm, &[7; 16]).unwrap(), algorithm)
    });
    assert_ne!(all, forty);
}

#[test]
fn oids_of_the_standards() {
    let find = |oid| Algorithm::from_oid(oid).map(|oid| (oid.algorithm, oid.mode, oid.key_len));
    #[cfg(feature = "aes")]
    {
        assert_eq!(find("2.16.840.1.101.3.4.1.42"), Some((Algorithm::Aes256, Mode::Cbc, Some(32))));
        assert_eq!(
            find("2.16.840.1.101.3.4.1.8"),
            Some((Algorithm::Aes128, Mode::KeyWrapPadded, Some(16)))
        );
    }
    #[cfg(feature = "des")]
    assert_eq!(find("1.2.840.113549.3.7"), Some((Algorithm::TripleDes, Mode::Cbc, Some(24))));
    #[cfg(feature = "rc2")]
    assert_eq!(find("1.2.840.113549.1.12.1.6"), Some((Algorithm::Rc2_40, Mode::Cbc, Some(5))));
    #[cfg(feature = "camellia")]
    assert_eq!(
        find("1.2.392.200011.61.1.1.1.4"),
        Some((Algorithm::Camellia256, Mode::Cbc, Some(32)))
    );
    #[cfg(feature = "blowfish")]
    {
        let cbc = Some((Algorithm::Blowfish, Mode::Cbc, None));
        assert_eq!(find("1.3.6.1.4.1.3029.1.2"), cbc);
        assert_eq!(find("1.3.6.1.4.1.3029.1.1.2"), cbc);
        // Cryptlib's Blowfish without a mode, and its ElGamal.
        assert_eq!(find("1.3.6.1.4.1.3029.1.1"), None);
        assert_eq!(find("1.3.6.1.4.1.3029.1.2.1"), None);
    }
    assert_eq!(find("1.2.3"), None);
}

#[cfg(feature = "blowfish")]
#[test]
fn weak_keys_only_when_asked() {
    let mut slot = AnySlot::empty();
    // A key whose schedule has two equal entries in an S-box.
    let weak = [0x23, 0x3d];
    assert_eq!(slot.init(Algorithm::Blowfish, &weak).unwrap_err(), KeyError::Weak);
    assert!(slot.cipher().is_none());
    round_trip(slot.init_allow_weak(Algorithm::Blowfish, &weak).unwrap(), Algorithm::Blowfish);
}
