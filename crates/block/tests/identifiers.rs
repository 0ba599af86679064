//! OIDs and OpenPGP numbers as others have published them. No value here was taken from the code.
#![cfg(feature = "all")]

use cinder_block::any::Algorithm;

/// OID, algorithm, mode, and the key's length in bytes; `-` where the OID does not fix it.
const OIDS: &str = "
# NIST, Computer Security Objects Register; the same in OpenSSL's `openssl list -objects`.
2.16.840.1.101.3.4.1.1 AES-128 Ecb 16
2.16.840.1.101.3.4.1.2 AES-128 Cbc 16
2.16.840.1.101.3.4.1.3 AES-128 Ofb 16
2.16.840.1.101.3.4.1.4 AES-128 Cfb 16
2.16.840.1.101.3.4.1.5 AES-128 KeyWrap 16
2.16.840.1.101.3.4.1.6 AES-128 Gcm 16
2.16.840.1.101.3.4.1.8 AES-128 KeyWrapPadded 16
2.16.840.1.101.3.4.1.21 AES-192 Ecb 24
2.16.840.1.101.3.4.1.22 AES-192 Cbc 24
2.16.840.1.101.3.4.1.23 AES-192 Ofb 24
2.16.840.1.101.3.4.1.24 AES-192 Cfb 24
2.16.840.1.101.3.4.1.25 AES-192 KeyWrap 24
2.16.840.1.101.3.4.1.26 AES-192 Gcm 24
2.16.840.1.101.3.4.1.28 AES-192 KeyWrapPadded 24
2.16.840.1.101.3.4.1.41 AES-256 Ecb 32
2.16.840.1.101.3.4.1.42 AES-256 Cbc 32
2.16.840.1.101.3.4.1.43 AES-256 Ofb 32
2.16.840.1.101.3.4.1.44 AES-256 Cfb 32
2.16.840.1.101.3.4.1.45 AES-256 KeyWrap 32
2.16.840.1.101.3.4.1.46 AES-256 Gcm 32
2.16.840.1.101.3.4.1.48 AES-256 KeyWrapPadded 32

# RFC 2144, appendix A; OpenSSL.
1.2.840.113533.7.66.10 CAST5 Cbc -

# dumpasn1's configuration, 2021-02-12 (Ascom's arc); RFC 3058 has the second.
1.3.6.1.4.1.188.7.1.1.1 IDEA Ecb 16
1.3.6.1.4.1.188.7.1.1.2 IDEA Cbc 16
1.3.6.1.4.1.188.7.1.1.3 IDEA Cfb 16
1.3.6.1.4.1.188.7.1.1.4 IDEA Ofb 16

# The same file (cryptlib's arc); OpenSSL has the last.
1.3.6.1.4.1.3029.1.1.1 Blowfish Ecb -
1.3.6.1.4.1.3029.1.1.2 Blowfish Cbc -
1.3.6.1.4.1.3029.1.1.3 Blowfish Cfb -
1.3.6.1.4.1.3029.1.1.4 Blowfish Ofb -
1.3.6.1.4.1.3029.1.2 Blowfish Cbc -

# OIW; OpenSSL.
1.3.14.3.2.6 DES Ecb 8
1.3.14.3.2.7 DES Cbc 8
1.3.14.3.2.8 DES Ofb 8
1.3.14.3.2.9 DES Cfb 8

# RFC 8018, appendix B.2.2; RFC 7292, appendix C; OpenSSL.
1.2.840.113549.3.7 3DES Cbc 24
1.2.840.113549.1.12.1.3 3DES Cbc 24
1.2.840.113549.1.12.1.4 3DES Cbc 16

# RFC 8018, appendix B.2.3; RFC 7292, appendix C; OpenSSL.
1.2.840.113549.3.2 RC2-128 Cbc -
1.2.840.113549.1.12.1.5 RC2-128 Cbc 16
1.2.840.113549.1.12.1.6 RC2-40 Cbc 5

# GNU's arc, as libgcrypt, Bouncy Castle and dumpasn1 have it.
1.3.6.1.4.1.11591.13.2.1 Serpent Ecb 16
1.3.6.1.4.1.11591.13.2.2 Serpent Cbc 16
1.3.6.1.4.1.11591.13.2.3 Serpent Ofb 16
1.3.6.1.4.1.11591.13.2.4 Serpent Cfb 16
1.3.6.1.4.1.11591.13.2.21 Serpent Ecb 24
1.3.6.1.4.1.11591.13.2.22 Serpent Cbc 24
1.3.6.1.4.1.11591.13.2.23 Serpent Ofb 24
1.3.6.1.4.1.11591.13.2.24 Serpent Cfb 24
1.3.6.1.4.1.11591.13.2.41 Serpent Ecb 32
1.3.6.1.4.1.11591.13.2.42 Serpent Cbc 32
1.3.6.1.4.1.11591.13.2.43 Serpent Ofb 32
1.3.6.1.4.1.11591.13.2.44 Serpent Cfb 32

# OpenSSL; RFC 4010 has the second. dumpasn1 has CFB and OFB the other way round, but not in the
# OIDs of the same arc for password-based encryption.
1.2.410.200004.1.3 SEED Ecb 16
1.2.410.200004.1.4 SEED Cbc 16
1.2.410.200004.1.5 SEED Cfb 16
1.2.410.200004.1.6 SEED Ofb 16

# RFC 3657, sections 3.1 and 3.2; OpenSSL.
1.2.392.200011.61.1.1.1.2 Camellia-128 Cbc 16
1.2.392.200011.61.1.1.1.3 Camellia-192 Cbc 24
1.2.392.200011.61.1.1.1.4 Camellia-256 Cbc 32
1.2.392.200011.61.1.1.3.2 Camellia-128 KeyWrap 16
1.2.392.200011.61.1.1.3.3 Camellia-192 KeyWrap 24
1.2.392.200011.61.1.1.3.4 Camellia-256 KeyWrap 32

# OpenSSL.
0.3.4401.5.3.1.9.1 Camellia-128 Ecb 16
0.3.4401.5.3.1.9.3 Camellia-128 Ofb 16
0.3.4401.5.3.1.9.4 Camellia-128 Cfb 16
0.3.4401.5.3.1.9.6 Camellia-128 Gcm 16
0.3.4401.5.3.1.9.21 Camellia-192 Ecb 24
0.3.4401.5.3.1.9.23 Camellia-192 Ofb 24
0.3.4401.5.3.1.9.24 Camellia-192 Cfb 24
0.3.4401.5.3.1.9.26 Camellia-192 Gcm 24
0.3.4401.5.3.1.9.41 Camellia-256 Ecb 32
0.3.4401.5.3.1.9.43 Camellia-256 Ofb 32
0.3.4401.5.3.1.9.44 Camellia-256 Cfb 32
0.3.4401.5.3.1.9.46 Camellia-256 Gcm 32
";

/// Every OID whose last arc is below 60, in the arcs of the table: those and no others are known.
#[test]
fn published_oids_are_known_and_no_others() {
    let rows = OIDS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rows: Vec<(&str, &str)> = rows.filter_map(|row| row.split_once(' ')).collect();
    for (oid, _) in &rows {
        let (front, _) = oid.rsplit_once('.').unwrap();
        for last in 0..60 {
            let oid = format!("{front}.{last}");
            let known = rows.iter().find(|row| row.0 == oid).map(|row| row.1.to_owned());
            let found = Algorithm::from_oid(&oid).map(|found| {
                let len = found.key_len.map_or("-".to_owned(), |len| len.to_string());
                format!("{} {:?} {len}", found.algorithm.name(), found.mode)
            });
            assert_eq!(found, known, "{oid}");
        }
    }
    assert_eq!(rows.len(), 75);
}

/// RFC 9580, section 9.3, with the lengths of the keys in bytes.
#[test]
fn openpgp_numbers_of_rfc_9580() {
    const NUMBERS: [(u8, &str, usize); 11] = [
        (1, "IDEA", 16),
        (2, "3DES", 24),
        (3, "CAST5", 16),
        (4, "Blowfish", 16),
        (7, "AES-128", 16),
        (8, "AES-192", 24),
        (9, "AES-256", 32),
        (10, "Twofish", 32),
        (11, "Camellia-128", 16),
        (12, "Camellia-192", 24),
        (13, "Camellia-256", 32),
    ];
    for number in 0..=255 {
        let known = NUMBERS.iter().find(|known| known.0 == number);
        let found = Algorithm::from_openpgp(number);
        assert_eq!(
            found.map(|found| (found.name(), found.openpgp_key_len())),
            known.map(|known| (known.1, Some(known.2))),
            "{number}"
        );
        if let Some(found) = found {
            assert_eq!(found.openpgp(), Some(number));
        }
    }
    let without = Algorithm::ALL.iter().filter(|algorithm| algorithm.openpgp().is_none());
    for algorithm in without {
        assert!(!NUMBERS.iter().any(|known| known.1 == algorithm.name()), "{algorithm}");
        assert_eq!(algorithm.openpgp_key_len(), None);
    }
}

#[test]
fn each_error_and_algorithm_has_a_text() {
    use cinder_block::KeyError::{EffectiveBits, Length, Weak};
    testkit::texts_differ(&[&Length, &Weak, &EffectiveBits]);
    testkit::texts_differ(&Algorithm::ALL.iter().map(|each| each as _).collect::<Vec<_>>());
    for algorithm in Algorithm::ALL {
        assert_eq!(algorithm.to_string(), algorithm.name());
    }
}
