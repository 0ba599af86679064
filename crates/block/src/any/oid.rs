//! Names of a cipher and a mode together: OIDs, a row each in [`oids!`], whole, and the names that
//! programs write.

use super::Algorithm;

/// A mode of operation that an OID or a name names together with its cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Electronic codebook.
    Ecb,
    /// Cipher block chaining.
    Cbc,
    /// Cipher feedback of a full block.
    Cfb,
    /// Output feedback.
    Ofb,
    /// Counter mode, the whole block a counter.
    Ctr,
    /// Galois/Counter Mode.
    Gcm,
    /// Key wrap, RFC 3394.
    KeyWrap,
    /// Key wrap with padding, RFC 5649.
    KeyWrapPadded,
}

/// What an OID, or a name such as `AES-256-CBC`, stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Oid {
    /// The cipher.
    pub algorithm: Algorithm,
    /// Its mode of operation.
    pub mode: Mode,
    /// The key's length in bytes, where the OID fixes it or the algorithm has only one.
    pub key_len: Option<usize>,
}

/// Groups of rows, each behind a cipher's feature: the dotted OID, the algorithm, the key's length,
/// the mode.
macro_rules! oids {
    ($($feature:literal {
        $($oid:literal: $algorithm:ident, $key_len:expr, $mode:ident;)*
    })*) => {
        pub(super) static OIDS: &[(&str, Oid)] = &[$($(
            #[cfg(feature = $feature)]
            (
                $oid,
                Oid {
                    algorithm: Algorithm::$algorithm,
                    mode: Mode::$mode,
                    key_len: $key_len,
                },
            ),
        )*)*];
    };
}

oids! {
    // NIST, Computer Security Objects Register.
    "aes" {
        "2.16.840.1.101.3.4.1.1": Aes128, Some(16), Ecb;
        "2.16.840.1.101.3.4.1.2": Aes128, Some(16), Cbc;
        "2.16.840.1.101.3.4.1.3": Aes128, Some(16), Ofb;
        "2.16.840.1.101.3.4.1.4": Aes128, Some(16), Cfb;
        "2.16.840.1.101.3.4.1.5": Aes128, Some(16), KeyWrap;
        "2.16.840.1.101.3.4.1.6": Aes128, Some(16), Gcm;
        "2.16.840.1.101.3.4.1.8": Aes128, Some(16), KeyWrapPadded;
        "2.16.840.1.101.3.4.1.21": Aes192, Some(24), Ecb;
        "2.16.840.1.101.3.4.1.22": Aes192, Some(24), Cbc;
        "2.16.840.1.101.3.4.1.23": Aes192, Some(24), Ofb;
        "2.16.840.1.101.3.4.1.24": Aes192, Some(24), Cfb;
        "2.16.840.1.101.3.4.1.25": Aes192, Some(24), KeyWrap;
        "2.16.840.1.101.3.4.1.26": Aes192, Some(24), Gcm;
        "2.16.840.1.101.3.4.1.28": Aes192, Some(24), KeyWrapPadded;
        "2.16.840.1.101.3.4.1.41": Aes256, Some(32), Ecb;
        "2.16.840.1.101.3.4.1.42": Aes256, Some(32), Cbc;
        "2.16.840.1.101.3.4.1.43": Aes256, Some(32), Ofb;
        "2.16.840.1.101.3.4.1.44": Aes256, Some(32), Cfb;
        "2.16.840.1.101.3.4.1.45": Aes256, Some(32), KeyWrap;
        "2.16.840.1.101.3.4.1.46": Aes256, Some(32), Gcm;
        "2.16.840.1.101.3.4.1.48": Aes256, Some(32), KeyWrapPadded;
    }
    // RFC 2144, appendix A; Entrust.
    "cast5" {
        "1.2.840.113533.7.66.10": Cast5, None, Cbc;
    }
    // RFC 3058: Ascom.
    "idea" {
        "1.3.6.1.4.1.188.7.1.1.1": Idea, Some(16), Ecb;
        "1.3.6.1.4.1.188.7.1.1.2": Idea, Some(16), Cbc;
        "1.3.6.1.4.1.188.7.1.1.3": Idea, Some(16), Cfb;
        "1.3.6.1.4.1.188.7.1.1.4": Idea, Some(16), Ofb;
    }
    // Cryptlib's arc: 1.1 to 1.4 are cryptlib's own; OpenSSL and Bouncy Castle have CBC at 2.
    "blowfish" {
        "1.3.6.1.4.1.3029.1.1.1": Blowfish, None, Ecb;
        "1.3.6.1.4.1.3029.1.1.2": Blowfish, None, Cbc;
        "1.3.6.1.4.1.3029.1.1.3": Blowfish, None, Cfb;
        "1.3.6.1.4.1.3029.1.1.4": Blowfish, None, Ofb;
        "1.3.6.1.4.1.3029.1.2": Blowfish, None, Cbc;
    }
    // The OIW's security algorithms.
    "des" {
        "1.3.14.3.2.6": Des, Some(8), Ecb;
        "1.3.14.3.2.7": Des, Some(8), Cbc;
        "1.3.14.3.2.8": Des, Some(8), Ofb;
        "1.3.14.3.2.9": Des, Some(8), Cfb;
    }
    // RFC 8018, appendix B.2.2.
    "des" {
        "1.2.840.113549.3.7": TripleDes, Some(24), Cbc;
    }
    // RFC 7292, appendix C: three keys, and two.
    "des" {
        "1.2.840.113549.1.12.1.3": TripleDes, Some(24), Cbc;
        "1.2.840.113549.1.12.1.4": TripleDes, Some(16), Cbc;
    }
    // RFC 8018, appendix B.2.3.
    "rc2" {
        "1.2.840.113549.3.2": Rc2_128, None, Cbc;
    }
    // RFC 7292, appendix C.
    "rc2" {
        "1.2.840.113549.1.12.1.5": Rc2_128, Some(16), Cbc;
        "1.2.840.113549.1.12.1.6": Rc2_40, Some(5), Cbc;
    }
    // GNU, 1.3.6.1.4.1.11591.13.2.
    "serpent" {
        "1.3.6.1.4.1.11591.13.2.1": Serpent, Some(16), Ecb;
        "1.3.6.1.4.1.11591.13.2.2": Serpent, Some(16), Cbc;
        "1.3.6.1.4.1.11591.13.2.3": Serpent, Some(16), Ofb;
        "1.3.6.1.4.1.11591.13.2.4": Serpent, Some(16), Cfb;
        "1.3.6.1.4.1.11591.13.2.21": Serpent, Some(24), Ecb;
        "1.3.6.1.4.1.11591.13.2.22": Serpent, Some(24), Cbc;
        "1.3.6.1.4.1.11591.13.2.23": Serpent, Some(24), Ofb;
        "1.3.6.1.4.1.11591.13.2.24": Serpent, Some(24), Cfb;
        "1.3.6.1.4.1.11591.13.2.41": Serpent, Some(32), Ecb;
        "1.3.6.1.4.1.11591.13.2.42": Serpent, Some(32), Cbc;
        "1.3.6.1.4.1.11591.13.2.43": Serpent, Some(32), Ofb;
        "1.3.6.1.4.1.11591.13.2.44": Serpent, Some(32), Cfb;
    }
    // RFC 4010, section 2; KISA.
    "seed" {
        "1.2.410.200004.1.3": Seed, Some(16), Ecb;
        "1.2.410.200004.1.4": Seed, Some(16), Cbc;
        "1.2.410.200004.1.5": Seed, Some(16), Cfb;
        "1.2.410.200004.1.6": Seed, Some(16), Ofb;
    }
    // RFC 5794: NSRI. CTR and GCM are as OpenSSL has them.
    "aria" {
        "1.2.410.200046.1.1.1": Aria128, Some(16), Ecb;
        "1.2.410.200046.1.1.2": Aria128, Some(16), Cbc;
        "1.2.410.200046.1.1.3": Aria128, Some(16), Cfb;
        "1.2.410.200046.1.1.4": Aria128, Some(16), Ofb;
        "1.2.410.200046.1.1.5": Aria128, Some(16), Ctr;
        "1.2.410.200046.1.1.34": Aria128, Some(16), Gcm;
        "1.2.410.200046.1.1.6": Aria192, Some(24), Ecb;
        "1.2.410.200046.1.1.7": Aria192, Some(24), Cbc;
        "1.2.410.200046.1.1.8": Aria192, Some(24), Cfb;
        "1.2.410.200046.1.1.9": Aria192, Some(24), Ofb;
        "1.2.410.200046.1.1.10": Aria192, Some(24), Ctr;
        "1.2.410.200046.1.1.35": Aria192, Some(24), Gcm;
        "1.2.410.200046.1.1.11": Aria256, Some(32), Ecb;
        "1.2.410.200046.1.1.12": Aria256, Some(32), Cbc;
        "1.2.410.200046.1.1.13": Aria256, Some(32), Cfb;
        "1.2.410.200046.1.1.14": Aria256, Some(32), Ofb;
        "1.2.410.200046.1.1.15": Aria256, Some(32), Ctr;
        "1.2.410.200046.1.1.36": Aria256, Some(32), Gcm;
    }
    // RFC 3657, section 3.1 and 3.2: NTT.
    "camellia" {
        "1.2.392.200011.61.1.1.1.2": Camellia128, Some(16), Cbc;
        "1.2.392.200011.61.1.1.3.2": Camellia128, Some(16), KeyWrap;
        "1.2.392.200011.61.1.1.1.3": Camellia192, Some(24), Cbc;
        "1.2.392.200011.61.1.1.3.3": Camellia192, Some(24), KeyWrap;
        "1.2.392.200011.61.1.1.1.4": Camellia256, Some(32), Cbc;
        "1.2.392.200011.61.1.1.3.4": Camellia256, Some(32), KeyWrap;
    }
    // NTT, as OpenSSL has them.
    "camellia" {
        "0.3.4401.5.3.1.9.1": Camellia128, Some(16), Ecb;
        "0.3.4401.5.3.1.9.3": Camellia128, Some(16), Ofb;
        "0.3.4401.5.3.1.9.4": Camellia128, Some(16), Cfb;
        "0.3.4401.5.3.1.9.6": Camellia128, Some(16), Gcm;
        "0.3.4401.5.3.1.9.21": Camellia192, Some(24), Ecb;
        "0.3.4401.5.3.1.9.23": Camellia192, Some(24), Ofb;
        "0.3.4401.5.3.1.9.24": Camellia192, Some(24), Cfb;
        "0.3.4401.5.3.1.9.26": Camellia192, Some(24), Gcm;
        "0.3.4401.5.3.1.9.41": Camellia256, Some(32), Ecb;
        "0.3.4401.5.3.1.9.43": Camellia256, Some(32), Ofb;
        "0.3.4401.5.3.1.9.44": Camellia256, Some(32), Cfb;
        "0.3.4401.5.3.1.9.46": Camellia256, Some(32), Gcm;
    }
}

impl Algorithm {
    /// What a dotted OID stands for, as CMS, PKCS#5 and PKCS#12 use them: `2.16.840.1.101.3.4.1.42`
    /// is AES-256 in CBC.
    ///
    /// The OIDs of PKCS#12's password-based encryption (RFC 7292, appendix C) stand for the cipher
    /// that they end in; deriving its key is the caller's. For `rc2CBC` the effective key bits
    /// are in the OID's parameters, and [`rc2::effective_bits`](crate::rc2::effective_bits) reads them;
    /// the algorithm returned is [`Algorithm::Rc2_128`]. PKCS#12's two OIDs of RC4 name a stream cipher:
    /// they find nothing here.
    #[cfg_attr(
        not(feature = "rc2"),
        allow(rustdoc::broken_intra_doc_links, reason = "it links to RC2")
    )]
    pub fn from_oid(oid: &str) -> Option<Oid> {
        OIDS.iter().find(|(known, _)| *known == oid).map(|(_, oid)| *oid)
    }

    /// What a name of a cipher with its mode stands for, as OpenSSL, PEM's `DEK-Info` and SSH write them:
    /// `AES-256-CBC`, `DES-EDE3-CBC`, `aes128-ctr`, `aes256-gcm@openssh.com`, `BF-CBC`, `cast128-cbc`.
    ///
    /// The key has the length that those programs use: where the cipher has several and the name says
    /// none, 16 bytes. `RC2-CBC` has 128 effective bits. A name that leaves the cipher open, as `AES-CBC`
    /// does, finds nothing: [`from_name`](Self::from_name) takes the key's length as well.
    ///
    /// ```
    /// # #[cfg(feature = "des")] {
    /// use cinder_block::any::{Algorithm, Mode};
    ///
    /// // DEK-Info: DES-EDE3-CBC,D2A7…
    /// let named = Algorithm::from_name_with_mode("DES-EDE3-CBC").ok_or("unknown cipher")?;
    /// assert_eq!(named.algorithm, Algorithm::TripleDes);
    /// assert_eq!((named.mode, named.key_len), (Mode::Cbc, Some(24)));
    /// # }
    /// # Ok::<(), &str>(())
    /// ```
    pub fn from_name_with_mode(name: &str) -> Option<Oid> {
        let name = name.strip_suffix("@openssh.com").unwrap_or(name);
        let (cipher, mode) = name.rsplit_once('-')?;
        const MODES: [(&str, Mode); 6] = [
            ("ECB", Mode::Ecb),
            ("CBC", Mode::Cbc),
            ("CFB", Mode::Cfb),
            ("OFB", Mode::Ofb),
            ("CTR", Mode::Ctr),
            ("GCM", Mode::Gcm),
        ];
        let (_, mode) = MODES.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(mode))?;
        let mut found = Self::ALL.iter().copied().filter(|algorithm| algorithm.is_named(cipher));
        let (algorithm, None) = (found.next()?, found.next()) else { return None };
        #[cfg(feature = "rc2")]
        let algorithm = if algorithm == Algorithm::Rc2 { Algorithm::Rc2_128 } else { algorithm };
        Some(Oid { algorithm, mode, key_len: algorithm.named_key_len(cipher) })
    }
}
