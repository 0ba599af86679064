//! The appendix of RFC 5794, A from its definition, and the laws that every cipher keeps.

extern crate std;

use super::*;
use crate::laws;

/// RFC 5794, appendices A.1 to A.3.
#[test]
fn rfc_vectors() {
    let plaintext = "00112233445566778899aabbccddeeff";
    let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    for (key, ciphertext) in [
        (&key[..32], "d718fbd6ab644c739da95f3be6451778"),
        (&key[..48], "26449c1805dbe7aa25a468ce263a9e79"),
        (key, "f92bd7c79fb72e2f2b8f80c1972d24fc"),
    ] {
        laws::vector::<Aria, 16>(key, plaintext, ciphertext);
    }
}

/// RFC 5794, section 2.4, as it stands there: which bytes add up to byte i.
const A: [[usize; 7]; 16] = [
    [3, 4, 6, 8, 9, 13, 14],
    [2, 5, 7, 8, 9, 12, 15],
    [1, 4, 6, 10, 11, 12, 15],
    [0, 5, 7, 10, 11, 13, 14],
    [0, 2, 5, 8, 11, 14, 15],
    [1, 3, 4, 9, 10, 14, 15],
    [0, 2, 7, 9, 10, 12, 13],
    [1, 3, 6, 8, 11, 12, 13],
    [0, 1, 4, 7, 10, 13, 15],
    [0, 1, 5, 6, 11, 12, 14],
    [2, 3, 5, 6, 8, 13, 15],
    [2, 3, 4, 7, 9, 12, 14],
    [1, 2, 6, 7, 9, 11, 12],
    [0, 3, 6, 7, 8, 10, 13],
    [0, 3, 4, 5, 9, 11, 14],
    [1, 2, 4, 5, 8, 10, 15],
];

#[test]
fn a_is_as_defined_and_its_own_inverse() {
    for i in 0..128 {
        let x = (1u128 << i).to_be_bytes();
        let expected = A.map(|row| row.iter().fold(0, |sum, &j| sum ^ x[j]));
        assert_eq!(store(a(load(&x))), expected, "bit {i}");
        assert_eq!(store(a(a(load(&x)))), x, "bit {i}");
    }
}

#[test]
fn laws() {
    crate::slices::tests::check(&[16, 24, 32], Aria::rekey_with_kernel);
    laws::key_lengths::<Aria>(|length| matches!(length, 16 | 24 | 32));
}

#[test]
fn refused_keys_leave_the_former_one() {
    let mut aria = Aria::new(b"sixteen byte key").unwrap();
    let former = (aria.encrypt, aria.decrypt, aria.rounds);
    for length in [0, 8, 15, 17, 31, 33] {
        assert_eq!(aria.rekey(&[0; 33][..length]).unwrap_err().error, KeyError::Length);
        assert_eq!((aria.encrypt, aria.decrypt, aria.rounds), former);
    }
}

/// OpenSSL's `openssl list -objects`.
#[test]
fn oids() {
    use crate::any::{Algorithm, Mode};
    let algorithms = [Algorithm::Aria128, Algorithm::Aria192, Algorithm::Aria256];
    for (i, algorithm) in algorithms.into_iter().enumerate() {
        for (mode, numbers) in [
            (Mode::Ecb, [1, 6, 11]),
            (Mode::Cbc, [2, 7, 12]),
            (Mode::Cfb, [3, 8, 13]),
            (Mode::Ofb, [4, 9, 14]),
            (Mode::Ctr, [5, 10, 15]),
            (Mode::Gcm, [34, 35, 36]),
        ] {
            let oid = std::format!("1.2.410.200046.1.1.{}", numbers[i]);
            let found = Algorithm::from_oid(&oid).expect(&oid);
            assert_eq!((found.algorithm, found.mode), (algorithm, mode), "{oid}");
            assert_eq!(found.key_len, Some(16 + 8 * i), "{oid}");
        }
    }
}
