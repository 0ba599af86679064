//! A cipher that is chosen at run time: from its name, its OpenPGP number or an OID to a `dyn`
//! cipher, built in place in storage that the caller provides.
//!
//! The ciphers are those whose features are on; an identifier of another finds nothing. Blocks
//! are of 8 or 16 bytes, and [`DynCipher`] says which, so that code for both is two match arms.
//! Constant time: finding the algorithm is not secret; the ciphers say it of themselves.
//!
//! ```
//! # #[cfg(feature = "aes")] {
//! use cinder_block::any::{Algorithm, AnySlot, DynCipher};
//! use cinder_block::BlockEncrypt;
//!
//! let algorithm = Algorithm::from_openpgp(7).ok_or("not compiled in")?; // AES-128
//! let mut slot = AnySlot::empty();
//! let DynCipher::Block16(cipher) = slot.init(algorithm, &[0x42; 16])? else {
//!     return Err("a cipher with blocks of 8 bytes".into());
//! };
//! let mut block = [0; 16];
//! cinder_burn::burn(cipher.encrypt_block(&mut block)); // or a mode of the crate `modes` over `cipher`
//! # }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

#[cfg(feature = "alloc")]
use crate::Slot;
use crate::slot::{key_in_place, vacant};
use crate::{BlockDecrypt, BlockEncrypt, InPlace, KeyError, Refusal};
use cinder_burn::Place;
use core::fmt;

/// A block cipher in both directions, as an object.
pub trait BlockCipher<const N: usize>: BlockEncrypt<N> + BlockDecrypt<N> + Send + Sync {}

impl<C: BlockEncrypt<N> + BlockDecrypt<N> + Send + Sync, const N: usize> BlockCipher<N> for C {}

/// A reference to a cipher whose block size is known only at run time. It holds no secret itself.
#[derive(Clone, Copy)]
pub enum DynCipher<'a> {
    /// Blocks of 8 bytes.
    Block8(&'a dyn BlockCipher<8>),
    /// Blocks of 16 bytes.
    Block16(&'a dyn BlockCipher<16>),
}

impl fmt::Debug for DynCipher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DynCipher::Block8(_) => "Block8(..)",
            DynCipher::Block16(_) => "Block16(..)",
        })
    }
}

/// A boxed cipher whose block size is known only at run time: as large as the cipher, not as the
/// largest.
///
/// The cipher is wiped in its box when it drops. A move moves a pointer and leaves nothing behind;
/// `mem::forget` and a panic that aborts leave it all: see
/// [what burning cannot reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
#[cfg(feature = "alloc")]
pub enum BoxedCipher {
    /// Blocks of 8 bytes.
    Block8(alloc::boxed::Box<dyn BlockCipher<8>>),
    /// Blocks of 16 bytes.
    Block16(alloc::boxed::Box<dyn BlockCipher<16>>),
}

#[cfg(feature = "alloc")]
impl BoxedCipher {
    /// The cipher, to give to a mode.
    pub fn as_dyn(&self) -> DynCipher<'_> {
        match self {
            BoxedCipher::Block8(cipher) => DynCipher::Block8(&**cipher),
            BoxedCipher::Block16(cipher) => DynCipher::Block16(&**cipher),
        }
    }
}

#[cfg(feature = "alloc")]
impl zeroize::ZeroizeOnDrop for BoxedCipher {}

#[cfg(feature = "alloc")]
impl fmt::Debug for BoxedCipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_dyn().fmt(f)
    }
}

/// One row a cipher: its feature, its variant and type, the variant of [`DynCipher`], its names
/// (the first is canonical), its OpenPGP number, its key lengths, how it is keyed, and how it is
/// keyed if weak keys are allowed.
macro_rules! algorithms {
    ($(
        $(#[$doc:meta])* $feature:literal $variant:ident: $cipher:ty, $block:ident,
        $names:expr, $openpgp:expr, $lengths:expr, $rekey:expr, $rekey_weak:expr;
    )*) => {
        /// A block cipher, with its key length where that is part of its identity.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Algorithm {
            $(#[cfg(feature = $feature)] $(#[$doc])* $variant,)*
        }

        impl Algorithm {
            /// Every algorithm that is compiled in.
            pub const ALL: &'static [Algorithm] =
                &[$(#[cfg(feature = $feature)] Algorithm::$variant,)*];

            /// Names (the first is canonical), the OpenPGP number or 0, and the key lengths.
            fn facts(self) -> (&'static [&'static str], u8, &'static [usize]) {
                match self {
                    $(#[cfg(feature = $feature)]
                    Algorithm::$variant => ($names, $openpgp, $lengths),)*
                }
            }

            /// The size of a block in bytes: 8 or 16.
            pub fn block_len(self) -> usize {
                match self {
                    $(#[cfg(feature = $feature)]
                    Algorithm::$variant => block_len!($block),)*
                }
            }

            /// A cipher in a box, its key expanded in the box.
            ///
            /// # Errors
            ///
            /// [`KeyError`] if the key is refused.
            #[cfg(feature = "alloc")]
            pub fn boxed(self, key: &[u8]) -> Result<BoxedCipher, KeyError> {
                self.in_box(key, false)
            }

            /// [`boxed`](Self::boxed) that takes weak keys too.
            ///
            /// # Errors
            ///
            /// [`KeyError`] if the key is refused.
            #[cfg(feature = "alloc")]
            pub fn boxed_allow_weak(self, key: &[u8]) -> Result<BoxedCipher, KeyError> {
                self.in_box(key, true)
            }

            #[cfg(feature = "alloc")]
            fn in_box(self, key: &[u8], weak: bool) -> Result<BoxedCipher, KeyError> {
                match self {
                    $(#[cfg(feature = $feature)]
                    Algorithm::$variant => {
                        let rekey: Rekey<$cipher> = if weak { $rekey_weak } else { $rekey };
                        let cipher = Slot::<$cipher>::boxed_with(|cipher| rekey(cipher, key))?;
                        Ok(BoxedCipher::$block(cipher))
                    })*
                }
            }
        }

        /// The storage: as large as the largest cipher that is compiled in.
        #[allow(clippy::large_enum_variant, reason = "a box would allocate")]
        enum Any {
            $(#[cfg(feature = $feature)] $variant($cipher),)*
        }

        impl AnySlot {
            fn rekey(
                &mut self,
                algorithm: Algorithm,
                key: &[u8],
                weak: bool,
            ) -> Result<(), KeyError> {
                match algorithm {
                    $(#[cfg(feature = $feature)]
                    Algorithm::$variant => {
                        // Not inlined: without optimisation the frame of all would have places
                        // for the values of each.
                        #[inline(never)]
                        fn fill(place: &mut Place<Any>) {
                            place.fill(|| Any::$variant(vacant()));
                        }
                        fill(&mut self.place);
                        #[allow(irrefutable_let_patterns, reason = "with one feature alone")]
                        if let Some(Any::$variant(cipher)) = self.place.get_mut() {
                            let rekey: Rekey<$cipher> = if weak { $rekey_weak } else { $rekey };
                            key_in_place(cipher, |cipher| rekey(cipher, key))?;
                        }
                        Ok(())
                    })*
                }
            }

            /// The cipher, once a key is there.
            pub fn cipher(&self) -> Option<DynCipher<'_>> {
                match self.place.get()? {
                    $(#[cfg(feature = $feature)]
                    Any::$variant(cipher) => Some(DynCipher::$block(cipher)),)*
                }
            }
        }
    };
}

macro_rules! block_len {
    (Block8) => {
        8
    };
    (Block16) => {
        16
    };
}

type Rekey<C> = fn(&mut C, &[u8]) -> Result<crate::Depth, Refusal>;

/// A cipher whose key lengths are algorithms of their own, for one of them.
#[allow(dead_code, reason = "only Camellia has such keys")]
fn fixed<const LEN: usize, C: InPlace>(
    cipher: &mut C,
    key: &[u8],
) -> Result<crate::Depth, Refusal> {
    if key.len() == LEN { cipher.rekey(key) } else { Err(KeyError::Length.into()) }
}

algorithms! {
    /// AES with 128-bit keys.
    "aes" Aes128: crate::Aes128, Block16,
        &["AES-128", "AES"], 7, &[16], InPlace::rekey, InPlace::rekey;
    /// AES with 192-bit keys.
    "aes" Aes192: crate::Aes192, Block16,
        &["AES-192", "AES"], 8, &[24], InPlace::rekey, InPlace::rekey;
    /// AES with 256-bit keys.
    "aes" Aes256: crate::Aes256, Block16,
        &["AES-256", "AES"], 9, &[32], InPlace::rekey, InPlace::rekey;
    /// Blowfish; OpenPGP's has 16 bytes of key.
    "blowfish" Blowfish: crate::Blowfish, Block8,
        &["Blowfish", "BF"], 4, &UP_TO_128[..56], InPlace::rekey,
        crate::Blowfish::rekey_allow_weak;
    /// Camellia with 128-bit keys.
    "camellia" Camellia128: crate::Camellia, Block16,
        &["Camellia-128", "Camellia"], 11, &[16],
        fixed::<16, _>, fixed::<16, _>;
    /// Camellia with 192-bit keys.
    "camellia" Camellia192: crate::Camellia, Block16,
        &["Camellia-192", "Camellia"], 12, &[24],
        fixed::<24, _>, fixed::<24, _>;
    /// Camellia with 256-bit keys.
    "camellia" Camellia256: crate::Camellia, Block16,
        &["Camellia-256", "Camellia"], 13, &[32],
        fixed::<32, _>, fixed::<32, _>;
    /// CAST5; OpenPGP's has 16 bytes of key.
    "cast5" Cast5: crate::Cast5, Block8,
        &["CAST5", "CAST-128"], 3, &UP_TO_128[4..16], InPlace::rekey, InPlace::rekey;
    /// DES.
    "des" Des: crate::Des, Block8,
        &["DES"], 0, &[8], InPlace::rekey, crate::Des::rekey_allow_weak;
    /// 3DES with two or three keys; OpenPGP's has three.
    "des" TripleDes: crate::TripleDes, Block8,
        &["3DES", "TripleDES", "DES-EDE3", "DES-EDE"], 2, &[16, 24], InPlace::rekey,
        crate::TripleDes::rekey_allow_weak;
    /// IDEA.
    "idea" Idea: crate::Idea, Block8,
        &["IDEA"], 1, &[16], InPlace::rekey, InPlace::rekey;
    /// RC2 with as many effective key bits as the key has.
    "rc2" Rc2: crate::Rc2, Block8,
        &["RC2"], 0, &UP_TO_128, InPlace::rekey, InPlace::rekey;
    /// RC2 with 40 effective key bits, as PKCS#12 has it with keys of 5 bytes.
    "rc2" Rc2_40: crate::Rc2, Block8,
        &["RC2-40", "RFC2268-40"], 0, &UP_TO_128,
        |rc2: &mut crate::Rc2, key: &[u8]| rc2.rekey_effective(key, 40),
        |rc2: &mut crate::Rc2, key: &[u8]| rc2.rekey_effective(key, 40);
    /// RC2 with 64 effective key bits.
    "rc2" Rc2_64: crate::Rc2, Block8,
        &["RC2-64"], 0, &UP_TO_128,
        |rc2: &mut crate::Rc2, key: &[u8]| rc2.rekey_effective(key, 64),
        |rc2: &mut crate::Rc2, key: &[u8]| rc2.rekey_effective(key, 64);
    /// RC2 with 128 effective key bits.
    "rc2" Rc2_128: crate::Rc2, Block8,
        &["RC2-128", "RFC2268-128"], 0, &UP_TO_128,
        |rc2: &mut crate::Rc2, key: &[u8]| rc2.rekey_effective(key, 128),
        |rc2: &mut crate::Rc2, key: &[u8]| rc2.rekey_effective(key, 128);
    /// SEED.
    "seed" Seed: crate::Seed, Block16,
        &["SEED", "SEED-128"], 0, &[16], InPlace::rekey, InPlace::rekey;
    /// Serpent.
    "serpent" Serpent: crate::Serpent, Block16,
        &["Serpent"], 0, &[16, 24, 32], InPlace::rekey, InPlace::rekey;
    /// Twofish; OpenPGP's has 32 bytes of key.
    "twofish" Twofish: crate::Twofish, Block16,
        &["Twofish"], 10, &[16, 24, 32], InPlace::rekey, InPlace::rekey;
}

/// The lengths 1 to 128, for ciphers with keys of any of them.
#[allow(dead_code, reason = "only some ciphers have such keys")]
const UP_TO_128: [usize; 128] = {
    let mut lengths = [0; 128];
    let mut i = 0;
    while i < 128 {
        lengths[i] = i + 1;
        i += 1;
    }
    lengths
};

/// A mode of operation that an OID names together with its cipher.
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
    /// Galois/Counter Mode.
    Gcm,
    /// Key wrap, RFC 3394.
    KeyWrap,
    /// Key wrap with padding, RFC 5649.
    KeyWrapPadded,
}

/// What an OID stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Oid {
    /// The cipher.
    pub algorithm: Algorithm,
    /// Its mode of operation.
    pub mode: Mode,
    /// The key's length in bytes, where the OID fixes it or the algorithm has only one.
    pub key_len: Option<usize>,
}

/// Dotted OIDs: a common front, and for each mode what follows it.
struct Arc {
    front: &'static str,
    algorithm: Algorithm,
    key_len: Option<usize>,
    modes: &'static [(&'static str, Mode)],
}

impl Algorithm {
    /// The canonical name.
    pub fn name(self) -> &'static str {
        self.facts().0.first().copied().unwrap_or_default()
    }

    /// The algorithm of a name for keys of `key_len` bytes. Upper and lower case are the same,
    /// and dashes and underscores do not count: `aes256`, `AES-256`, and `AES` with 32 bytes.
    pub fn from_name(name: &str, key_len: usize) -> Option<Self> {
        fn letters(name: &str) -> impl Iterator<Item = u8> + '_ {
            name.bytes().filter(|c| !b"-_".contains(c)).map(|c| c.to_ascii_uppercase())
        }
        Self::ALL.iter().copied().find(|algorithm| {
            algorithm.accepts_key_len(key_len)
                && algorithm.facts().0.iter().any(|known| letters(known).eq(letters(name)))
        })
    }

    /// The algorithm of an OpenPGP symmetric-key algorithm number (RFC 9580, section 9.3).
    pub fn from_openpgp(number: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|algorithm| algorithm.openpgp() == Some(number))
    }

    /// The OpenPGP number, where there is one.
    pub fn openpgp(self) -> Option<u8> {
        Some(self.facts().1).filter(|number| *number != 0)
    }

    /// The length in bytes of the key that OpenPGP has for the algorithm.
    pub fn openpgp_key_len(self) -> Option<usize> {
        let number = self.openpgp()?;
        // Blowfish and CAST5 have keys of many lengths, and OpenPGP has them with 16 bytes.
        let many = matches!(number, 3 | 4);
        if many { Some(16) } else { self.facts().2.last().copied() }
    }

    /// Whether the cipher has keys of this length in bytes.
    pub fn accepts_key_len(self, len: usize) -> bool {
        self.facts().2.contains(&len)
    }

    /// What a dotted OID stands for, as CMS, PKCS#5 and PKCS#12 use them: `2.16.840.1.101.3.4.1.42`
    /// is AES-256 in CBC.
    ///
    /// The OIDs of PKCS#12's password-based encryption (RFC 7292, appendix C) stand for the cipher
    /// that they end in; deriving its key is the caller's. For `rc2CBC` the effective key bits
    /// are in the OID's parameters; the algorithm returned is [`Algorithm::Rc2_128`].
    #[cfg_attr(
        not(feature = "rc2"),
        allow(rustdoc::broken_intra_doc_links, reason = "it links to RC2")
    )]
    pub fn from_oid(oid: &str) -> Option<Oid> {
        ARCS.iter().find_map(|arc| {
            let rest = oid.strip_prefix(arc.front)?.strip_prefix('.')?;
            let (_, mode) = arc.modes.iter().find(|(last, _)| *last == rest)?;
            Some(Oid { algorithm: arc.algorithm, mode: *mode, key_len: arc.key_len })
        })
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A row of [`ARCS`].
#[allow(dead_code, reason = "without a cipher there is no row")]
const fn arc(
    front: &'static str,
    algorithm: Algorithm,
    key_len: Option<usize>,
    modes: &'static [(&'static str, Mode)],
) -> Arc {
    Arc { front, algorithm, key_len, modes }
}

#[allow(unused_imports, reason = "each OID is behind its cipher's feature")]
use Mode::{Cbc, Cfb, Ecb, Gcm, KeyWrap, KeyWrapPadded, Ofb};

/// Where each comes from is said beside it.
static ARCS: &[Arc] = &[
    // NIST, Computer Security Objects Register.
    #[cfg(feature = "aes")]
    arc(
        "2.16.840.1.101.3.4.1",
        Algorithm::Aes128,
        Some(16),
        &[
            ("1", Ecb),
            ("2", Cbc),
            ("3", Ofb),
            ("4", Cfb),
            ("5", KeyWrap),
            ("6", Gcm),
            ("8", KeyWrapPadded),
        ],
    ),
    #[cfg(feature = "aes")]
    arc(
        "2.16.840.1.101.3.4.1",
        Algorithm::Aes192,
        Some(24),
        &[
            ("21", Ecb),
            ("22", Cbc),
            ("23", Ofb),
            ("24", Cfb),
            ("25", KeyWrap),
            ("26", Gcm),
            ("28", KeyWrapPadded),
        ],
    ),
    #[cfg(feature = "aes")]
    arc(
        "2.16.840.1.101.3.4.1",
        Algorithm::Aes256,
        Some(32),
        &[
            ("41", Ecb),
            ("42", Cbc),
            ("43", Ofb),
            ("44", Cfb),
            ("45", KeyWrap),
            ("46", Gcm),
            ("48", KeyWrapPadded),
        ],
    ),
    // RFC 2144, appendix A; Entrust.
    #[cfg(feature = "cast5")]
    arc("1.2.840.113533.7.66", Algorithm::Cast5, None, &[("10", Cbc)]),
    // RFC 3058: Ascom.
    #[cfg(feature = "idea")]
    arc(
        "1.3.6.1.4.1.188.7.1.1",
        Algorithm::Idea,
        Some(16),
        &[("1", Ecb), ("2", Cbc), ("3", Cfb), ("4", Ofb)],
    ),
    // Cryptlib's arc: 1.1 to 1.4 are cryptlib's own; OpenSSL and Bouncy Castle have CBC at 2.
    #[cfg(feature = "blowfish")]
    arc(
        "1.3.6.1.4.1.3029.1",
        Algorithm::Blowfish,
        None,
        &[("1.1", Ecb), ("1.2", Cbc), ("1.3", Cfb), ("1.4", Ofb), ("2", Cbc)],
    ),
    // The OIW's security algorithms.
    #[cfg(feature = "des")]
    arc("1.3.14.3.2", Algorithm::Des, Some(8), &[("6", Ecb), ("7", Cbc), ("8", Ofb), ("9", Cfb)]),
    // RFC 8018, appendix B.2.2.
    #[cfg(feature = "des")]
    arc("1.2.840.113549.3", Algorithm::TripleDes, Some(24), &[("7", Cbc)]),
    // RFC 7292, appendix C: three keys, and two.
    #[cfg(feature = "des")]
    arc("1.2.840.113549.1.12.1", Algorithm::TripleDes, Some(24), &[("3", Cbc)]),
    #[cfg(feature = "des")]
    arc("1.2.840.113549.1.12.1", Algorithm::TripleDes, Some(16), &[("4", Cbc)]),
    // RFC 8018, appendix B.2.3.
    #[cfg(feature = "rc2")]
    arc("1.2.840.113549.3", Algorithm::Rc2_128, None, &[("2", Cbc)]),
    // RFC 7292, appendix C.
    #[cfg(feature = "rc2")]
    arc("1.2.840.113549.1.12.1", Algorithm::Rc2_128, Some(16), &[("5", Cbc)]),
    #[cfg(feature = "rc2")]
    arc("1.2.840.113549.1.12.1", Algorithm::Rc2_40, Some(5), &[("6", Cbc)]),
    // GNU, 1.3.6.1.4.1.11591.13.2.
    #[cfg(feature = "serpent")]
    arc(
        "1.3.6.1.4.1.11591.13.2",
        Algorithm::Serpent,
        Some(16),
        &[("1", Ecb), ("2", Cbc), ("3", Ofb), ("4", Cfb)],
    ),
    #[cfg(feature = "serpent")]
    arc(
        "1.3.6.1.4.1.11591.13.2",
        Algorithm::Serpent,
        Some(24),
        &[("21", Ecb), ("22", Cbc), ("23", Ofb), ("24", Cfb)],
    ),
    #[cfg(feature = "serpent")]
    arc(
        "1.3.6.1.4.1.11591.13.2",
        Algorithm::Serpent,
        Some(32),
        &[("41", Ecb), ("42", Cbc), ("43", Ofb), ("44", Cfb)],
    ),
    // RFC 4010, section 2; KISA.
    #[cfg(feature = "seed")]
    arc(
        "1.2.410.200004.1",
        Algorithm::Seed,
        Some(16),
        &[("3", Ecb), ("4", Cbc), ("5", Cfb), ("6", Ofb)],
    ),
    // RFC 3657, section 3.1 and 3.2: NTT.
    #[cfg(feature = "camellia")]
    arc(
        "1.2.392.200011.61.1.1",
        Algorithm::Camellia128,
        Some(16),
        &[("1.2", Cbc), ("3.2", KeyWrap)],
    ),
    #[cfg(feature = "camellia")]
    arc(
        "1.2.392.200011.61.1.1",
        Algorithm::Camellia192,
        Some(24),
        &[("1.3", Cbc), ("3.3", KeyWrap)],
    ),
    #[cfg(feature = "camellia")]
    arc(
        "1.2.392.200011.61.1.1",
        Algorithm::Camellia256,
        Some(32),
        &[("1.4", Cbc), ("3.4", KeyWrap)],
    ),
    // NTT, as OpenSSL has them.
    #[cfg(feature = "camellia")]
    arc(
        "0.3.4401.5.3.1.9",
        Algorithm::Camellia128,
        Some(16),
        &[("1", Ecb), ("3", Ofb), ("4", Cfb), ("6", Gcm)],
    ),
    #[cfg(feature = "camellia")]
    arc(
        "0.3.4401.5.3.1.9",
        Algorithm::Camellia192,
        Some(24),
        &[("21", Ecb), ("23", Ofb), ("24", Cfb), ("26", Gcm)],
    ),
    #[cfg(feature = "camellia")]
    arc(
        "0.3.4401.5.3.1.9",
        Algorithm::Camellia256,
        Some(32),
        &[("41", Ecb), ("43", Ofb), ("44", Cfb), ("46", Gcm)],
    ),
];

/// A place for any cipher that is compiled in: keyed in place, wiped when it drops.
///
/// It is as large as the largest of them (4 KiB for Blowfish and Twofish); leave features off,
/// or use `Algorithm::boxed`, where that matters. On moves, of which `drop(slot)` is one, see
/// [a slot](crate::Slot). There is no `Clone`.
pub struct AnySlot {
    place: Place<Any>,
}

impl AnySlot {
    /// A slot without a key: all zeros.
    pub const fn empty() -> Self {
        AnySlot { place: Place::empty() }
    }

    /// Expands `key` in place and burns what the expansion left. The former cipher is wiped.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if the key is refused; the slot is empty then.
    pub fn init(&mut self, algorithm: Algorithm, key: &[u8]) -> Result<DynCipher<'_>, KeyError> {
        self.init_by(algorithm, key, false)
    }

    /// The same, and allows weak keys.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if the key is refused; the slot is empty then.
    pub fn init_allow_weak(
        &mut self,
        algorithm: Algorithm,
        key: &[u8],
    ) -> Result<DynCipher<'_>, KeyError> {
        self.init_by(algorithm, key, true)
    }

    fn init_by(
        &mut self,
        algorithm: Algorithm,
        key: &[u8],
        weak: bool,
    ) -> Result<DynCipher<'_>, KeyError> {
        if let Err(error) = self.rekey(algorithm, key, weak) {
            self.clear();
            return Err(error);
        }
        self.cipher().ok_or(KeyError::Length)
    }

    /// Wipes the key, and every byte of the slot. It is empty again.
    pub fn clear(&mut self) {
        self.place.clear();
    }
}

impl zeroize::ZeroizeOnDrop for AnySlot {}

impl fmt::Debug for AnySlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnySlot").field("cipher", &self.cipher()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        &KEY[..*algorithm.facts().2.last().unwrap()]
    }

    #[test]
    fn every_algorithm_is_found_by_what_it_is_called() {
        for &algorithm in Algorithm::ALL {
            let (names, _, lengths) = algorithm.facts();
            for len in lengths {
                assert_eq!(Algorithm::from_name(algorithm.name(), *len), Some(algorithm));
                for name in names {
                    assert!(Algorithm::from_name(name, *len).is_some(), "{name}");
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
        for (i, a) in ARCS.iter().enumerate() {
            for (last, _) in a.modes {
                let others = ARCS.iter().skip(i + 1).filter(|b| a.front == b.front);
                assert!(others.into_iter().all(|b| b.modes.iter().all(|(l, _)| l != last)));
            }
            if let Some(len) = a.key_len {
                assert!(a.algorithm.accepts_key_len(len));
            }
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
            assert_eq!(
                find("2.16.840.1.101.3.4.1.42"),
                Some((Algorithm::Aes256, Mode::Cbc, Some(32)))
            );
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
}
