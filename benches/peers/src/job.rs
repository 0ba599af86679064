//! What is measured: a cipher, a mode, a direction and a number of bytes; and the keys and IVs
//! that all libraries share, so that their outputs can be compared.

/// A row of the table: a cipher with a key length.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Cipher {
    /// The name of libgcrypt's `bench-slope`, by which each library knows it.
    pub(crate) name: &'static str,
    /// Bytes in a block; 0 for a stream cipher.
    pub(crate) block: usize,
    /// Bytes in the key.
    pub(crate) key: usize,
}

/// The rows, in libgcrypt's order. A library that lacks one says so by having no task for it.
pub(crate) const CIPHERS: &[Cipher] = &[
    Cipher { name: "IDEA", block: 8, key: 16 },
    Cipher { name: "3DES", block: 8, key: 24 },
    Cipher { name: "CAST5", block: 8, key: 16 },
    Cipher { name: "BLOWFISH", block: 8, key: 16 },
    Cipher { name: "AES", block: 16, key: 16 },
    Cipher { name: "AES192", block: 16, key: 24 },
    Cipher { name: "AES256", block: 16, key: 32 },
    Cipher { name: "TWOFISH", block: 16, key: 32 },
    Cipher { name: "ARCFOUR", block: 0, key: 16 },
    Cipher { name: "DES", block: 8, key: 8 },
    Cipher { name: "TWOFISH128", block: 16, key: 16 },
    Cipher { name: "SERPENT128", block: 16, key: 16 },
    Cipher { name: "SERPENT192", block: 16, key: 24 },
    Cipher { name: "SERPENT256", block: 16, key: 32 },
    Cipher { name: "RFC2268_40", block: 8, key: 5 },
    Cipher { name: "SEED", block: 16, key: 16 },
    Cipher { name: "CAMELLIA128", block: 16, key: 16 },
    Cipher { name: "CAMELLIA192", block: 16, key: 24 },
    Cipher { name: "CAMELLIA256", block: 16, key: 32 },
    Cipher { name: "SALSA20", block: 0, key: 32 },
    Cipher { name: "CHACHA20", block: 0, key: 32 },
    Cipher { name: "ARIA128", block: 16, key: 16 },
    Cipher { name: "ARIA192", block: 16, key: 24 },
    Cipher { name: "ARIA256", block: 16, key: 32 },
];

/// How a cipher is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Ecb,
    Cbc,
    Cfb,
    Ofb,
    /// A long message in pieces: the counter goes on from call to call.
    Ctr,
    /// A message of its own in each call: the counter is set.
    CtrMessage,
    /// A stream cipher, going on from call to call.
    Stream,
    /// A message of its own in each call, without additional data, with a tag of 16 bytes.
    Gcm,
    /// GCM of additional data alone: what the libraries without a GHASH of its own offer.
    Gmac,
    /// GHASH of whole blocks under a hash subkey.
    Ghash,
    /// RFC 3394.
    KeyWrap,
    /// Schemes of the table `aead`: a message of its own in each call, with a tag of 16 bytes.
    Ccm,
    Eax,
    Ocb,
    Siv,
    GcmSiv,
    /// With ChaCha20.
    Poly1305,
    /// A tag alone.
    Cmac,
    /// A data unit of its own in each call, without a tag.
    Xts,
}

impl Mode {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Mode::Ecb => "ECB",
            Mode::Cbc => "CBC",
            Mode::Cfb => "CFB",
            Mode::Ofb => "OFB",
            Mode::Ctr => "CTR",
            Mode::CtrMessage => "CTR message",
            Mode::Stream => "Stream",
            Mode::Gcm => "GCM",
            Mode::Gmac => "GMAC",
            Mode::Ghash => "GHASH",
            Mode::KeyWrap => "KW",
            Mode::Ccm => "CCM",
            Mode::Eax => "EAX",
            Mode::Ocb => "OCB3",
            Mode::Siv => "SIV",
            Mode::GcmSiv => "GCM-SIV",
            Mode::Poly1305 => "Poly1305",
            Mode::Cmac => "CMAC",
            Mode::Xts => "XTS",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Encrypt,
    Decrypt,
    /// Setting up the key for the mode.
    Setup,
}

impl Direction {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Direction::Encrypt => "encrypt",
            Direction::Decrypt => "decrypt",
            Direction::Setup => "setup",
        }
    }
}

/// One thing to measure in every library that can do it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub(crate) cipher: &'static Cipher,
    pub(crate) mode: Mode,
    pub(crate) direction: Direction,
    /// Bytes of a call; 0 for a key setup.
    pub(crate) bytes: usize,
}

/// Of odd parity in each byte, no half equal to another: DES and 3DES take any part of it.
static KEY: [u8; 64] = [
    0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
    0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67, 0x76, 0x54, 0x32, 0x10, 0xfe, 0xdc, 0xba, 0x98,
    0xf1, 0xf2, 0xf4, 0xf7, 0xf8, 0xfb, 0xfd, 0xfe, 0x10, 0x13, 0x15, 0x16, 0x19, 0x1a, 0x1c, 0x1f,
    0x20, 0x23, 0x25, 0x26, 0x29, 0x2a, 0x2c, 0x2f, 0x31, 0x32, 0x34, 0x37, 0x38, 0x3b, 0x3d, 0x3e,
];

/// The first bytes serve as IV, counter block and nonce of any length. The last four bytes of a
/// block are low: counters of 32 bits and of whole blocks agree.
static IV: [u8; 16] = [9, 8, 7, 6, 0, 0, 0, 1, 3, 2, 1, 0, 0, 0, 0, 1];

/// A hash subkey.
pub(crate) static H: [u8; 16] = [0x5a; 16];

impl Job {
    pub(crate) fn key(&self) -> &'static [u8] {
        let keys = if matches!(self.mode, Mode::Siv | Mode::Xts) { 2 } else { 1 };
        &KEY[..keys * self.cipher.key]
    }

    /// The nonce of a scheme of the table `aead`; SIV's is a header, XTS's the tweak.
    pub(crate) fn sealing_nonce(&self) -> &'static [u8] {
        match self.mode {
            Mode::Eax | Mode::Siv | Mode::Xts => &IV,
            _ => &IV[..12],
        }
    }

    /// The IV of a block mode.
    pub(crate) fn iv<const N: usize>(&self) -> &'static [u8; N] {
        IV.first_chunk().expect("a block has at most 16 bytes")
    }

    /// The nonce of GCM or ChaCha20, 12 bytes, or of Salsa20, 8.
    pub(crate) fn nonce<const N: usize>(&self) -> &'static [u8; N] {
        self.iv()
    }

    pub(crate) fn encrypts(&self) -> bool {
        self.direction == Direction::Encrypt
    }
}
