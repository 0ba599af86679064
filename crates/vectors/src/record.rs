//! What a record of a vector file says, once parsed.

use core::fmt;

/// Names of the format, as an enum: one place for the spelling in the files.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* #[doc = concat!("`", $text, "`")] $variant,)*
        }

        impl $name {
            /// Every value, in the order of the format's description.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The spelling in the files.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            /// The value of this spelling.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

/// The field `Cipher`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cipher(pub(crate) &'static str);

impl Cipher {
    /// ARCFOUR.
    pub const ARC4: Self = Cipher("ARC4");
    /// Salsa20.
    pub const SALSA20: Self = Cipher("Salsa20");
    /// ChaCha20.
    pub const CHACHA20: Self = Cipher("ChaCha20");
    /// XChaCha20.
    pub const XCHACHA20: Self = Cipher("XChaCha20");
    /// GHASH and Poly1305 have no cipher.
    pub const NONE: Self = Cipher("none");

    /// Every value: the block ciphers of the list, then these.
    pub fn all() -> impl Iterator<Item = Self> {
        let blocks = testkit::ciphers::families().into_iter().map(Cipher);
        let streams = [Self::ARC4, Self::SALSA20, Self::CHACHA20, Self::XCHACHA20];
        blocks.chain(streams).chain([Self::NONE])
    }

    /// The spelling in the files.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// The value of this spelling.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|cipher| cipher.name() == name)
    }
}

impl fmt::Display for Cipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

names! {
    /// The field `Mode`.
    Mode {
        Ecb = "ECB",
        Cbc = "CBC",
        Cfb = "CFB",
        Cfb8 = "CFB8",
        Ofb = "OFB",
        Ctr = "CTR",
        /// The whole block a little-endian counter.
        CtrLittleEndian = "CTR-LE",
        CbcPkcs7 = "CBC-PKCS7",
        CbcCs1 = "CBC-CS1",
        CbcCs2 = "CBC-CS2",
        CbcCs3 = "CBC-CS3",
        KeyWrap = "KW",
        KeyWrapPadded = "KWP",
        TripleDesKeyWrap = "TKW",
        Gcm = "GCM",
        Ghash = "GHASH",
        Ccm = "CCM",
        Eax = "EAX",
        Ocb = "OCB",
        Siv = "SIV",
        GcmSiv = "GCM-SIV",
        Xts = "XTS",
        Cmac = "CMAC",
        Poly1305 = "POLY1305",
        /// With ChaCha20 or XChaCha20.
        ChaCha20Poly1305 = "CHACHA20-POLY1305",
        Stream = "STREAM",
    }
}

names! {
    /// The field `Test`. A record without one is a [known answer](Record::test).
    Test {
        Iterated = "ITER",
        Mct = "MCT",
        MctDes = "MCT-DES",
        Mct97 = "MCT-97",
        Cast5Maintenance = "CAST5-MAINT",
        DesRivest = "DES-RIVEST",
        Weak = "WEAK",
    }
}

names! {
    /// The field `Op`.
    Op {
        Encrypt = "enc",
        Decrypt = "dec",
    }
}

names! {
    /// The field `Result`; absent means valid.
    Verdict {
        Valid = "valid",
        Invalid = "invalid",
        Acceptable = "acceptable",
    }
}

names! {
    /// The field `Class` of a test `WEAK`.
    Class {
        Weak = "weak",
        SemiWeak = "semi-weak",
        PossiblyWeak = "possibly-weak",
    }
}

impl Mode {
    /// Whether a record of this mode has an IV.
    pub fn has_iv(self) -> bool {
        !matches!(
            self,
            Mode::Ecb
                | Mode::KeyWrap
                | Mode::KeyWrapPadded
                | Mode::TripleDesKeyWrap
                | Mode::Ghash
                | Mode::Siv
                | Mode::Cmac
                | Mode::Poly1305
                | Mode::Stream
        )
    }

    /// Whether a record of this mode has a tag next to its ciphertext.
    pub fn has_tag(self) -> bool {
        matches!(
            self,
            Mode::Gcm
                | Mode::Ccm
                | Mode::Eax
                | Mode::Ocb
                | Mode::Siv
                | Mode::GcmSiv
                | Mode::ChaCha20Poly1305
        )
    }
}

/// One record, with the defaults of its group. Byte strings are `None` where the file does not
/// have the field: an empty one is `Some`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The line of `Id`, from 1.
    pub line: usize,
    /// `Id`, unique in its file.
    pub id: String,
    /// `Source`.
    pub source: Option<String>,
    /// `Cipher`.
    pub cipher: Cipher,
    /// `Mode`.
    pub mode: Mode,
    /// `Test`; `None` is a known answer.
    pub test: Option<Test>,
    /// `Op`.
    pub op: Option<Op>,
    /// `Result`.
    pub verdict: Verdict,
    /// `Key`.
    pub key: Option<Vec<u8>>,
    /// `Bits`: effective key bits of RC2.
    pub bits: Option<u32>,
    /// `IV`.
    pub iv: Option<Vec<u8>>,
    /// `PT`.
    pub plaintext: Option<Vec<u8>>,
    /// `CT`.
    pub ciphertext: Option<Vec<u8>>,
    /// `AAD`, as often as it is there.
    pub aad: Vec<Vec<u8>>,
    /// `Tag`.
    pub tag: Option<Vec<u8>>,
    /// `Data`: the input of GHASH.
    pub data: Option<Vec<u8>>,
    /// `Count`: steps of an iterated test.
    pub count: Option<u32>,
    /// `Offset`: the first byte of the keystream that `CT` covers.
    pub offset: Option<u64>,
    /// `CtrBytes`: how many low bytes of the counter block count up.
    pub counter_bytes: Option<usize>,
    /// `Weak`.
    pub weak: Option<bool>,
    /// `Class`.
    pub class: Option<Class>,
    /// `A0`, `B0`, `A1`, `B1` of the test `CAST5-MAINT`.
    pub maintenance: [Option<Vec<u8>>; 4],
    /// `Flags`.
    pub flags: Option<String>,
    /// `Note`.
    pub note: Option<String>,
}
