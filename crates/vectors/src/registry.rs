//! What there is to test: the ciphers of the project by their names in the files, with the
//! kernels that this CPU has. A new cipher is one line here.

use crate::record::Cipher;
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth, InPlace, KeyError};
use core::fmt;

/// Both directions of a block cipher, as one object.
pub trait BlockCipher<const N: usize>: BlockEncrypt<N> + BlockDecrypt<N> {}

impl<const N: usize, C: BlockEncrypt<N> + BlockDecrypt<N> + ?Sized> BlockCipher<N> for C {}

/// A keyed cipher of 8-byte blocks.
pub type Cipher8 = dyn BlockCipher<8>;
/// A keyed cipher of 16-byte blocks.
pub type Cipher16 = dyn BlockCipher<16>;

/// A keyed block cipher of either size.
pub enum Keyed {
    /// Blocks of 8 bytes.
    Narrow(Box<Cipher8>),
    /// Blocks of 16 bytes.
    Wide(Box<Cipher16>),
}

impl From<Box<Cipher8>> for Keyed {
    fn from(cipher: Box<Cipher8>) -> Self {
        Keyed::Narrow(cipher)
    }
}

impl From<Box<Cipher16>> for Keyed {
    fn from(cipher: Box<Cipher16>) -> Self {
        Keyed::Wide(cipher)
    }
}

impl fmt::Debug for Keyed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Keyed::Narrow(_) => "Narrow",
            Keyed::Wide(_) => "Wide",
        })
    }
}

/// What a cipher is keyed with.
#[derive(Clone, Copy, Debug)]
pub struct Params<'a> {
    /// The key.
    pub key: &'a [u8],
    /// RC2's effective key bits.
    pub bits: Option<u32>,
    /// Whether weak keys are allowed.
    pub allow_weak: bool,
}

impl Params<'_> {
    /// RC2's effective key bits in the type that it takes: too many stay too many.
    fn effective_bits(&self) -> u16 {
        self.bits.map_or(0, |bits| u16::try_from(bits).unwrap_or(u16::MAX))
    }
}

/// A block cipher of the project.
#[derive(Clone, Copy, Debug)]
pub struct BlockEntry {
    /// Its name in the files.
    pub cipher: Cipher,
    /// Names of the kernels that this CPU has, best first.
    pub kernels: fn() -> Vec<String>,
    /// Name of the kernel that a key gets when nobody asks.
    pub default_kernel: fn() -> String,
    /// Keys the cipher for a kernel: an index of `kernels`.
    pub build: fn(&Params<'_>, kernel: usize) -> Result<Keyed, KeyError>,
}

/// A keyed stream cipher at some place of its keystream.
pub trait StreamCipher {
    /// XORs the next bytes of the keystream into `data`.
    fn apply(&mut self, data: &mut [u8]);

    /// The same from one buffer to another of the same length.
    fn apply_to(&mut self, input: &[u8], output: &mut [u8]);

    /// Goes to byte `offset` of the keystream, if the cipher can without producing what lies
    /// before.
    fn seek(&mut self, offset: u64) -> bool {
        let _ = offset;
        false
    }
}

/// What is done with a keyed stream cipher.
pub type UseStream<'a> = &'a mut dyn FnMut(&mut dyn StreamCipher);

/// A stream cipher of the project.
#[derive(Clone, Copy, Debug)]
pub struct StreamEntry {
    /// Its name in the files.
    pub cipher: Cipher,
    /// Names of the kernels that this CPU has, best first.
    pub kernels: fn() -> Vec<String>,
    /// Keys the cipher with key and IV (empty for ARC4) for a kernel, an index of `kernels`, and
    /// hands it out; or says why key or IV were refused.
    #[expect(clippy::type_complexity, reason = "an alias would hide what the parameters are")]
    pub with: fn(key: &[u8], iv: &[u8], kernel: usize, run: UseStream<'_>) -> Result<(), String>,
}

/// GHASH with some kernel.
#[derive(Clone, Copy, Debug)]
pub struct GhashEntry {
    /// Names of the kernels that this CPU has, best first.
    pub kernels: fn() -> Vec<String>,
    /// GHASH_H of whole blocks, by a kernel: an index of `kernels`.
    pub run: fn(h: &[u8; 16], data: &[u8], kernel: usize) -> [u8; 16],
}

/// All there is to test.
#[derive(Clone, Copy, Debug)]
pub struct Registry {
    /// Block ciphers.
    pub blocks: &'static [BlockEntry],
    /// Stream ciphers.
    pub streams: &'static [StreamEntry],
    /// GHASH.
    pub ghash: Option<GhashEntry>,
}

impl Registry {
    /// The project's own ciphers.
    pub const PROJECT: Registry = Registry { blocks: BLOCKS, streams: STREAMS, ghash: GHASH };

    pub(crate) fn block(&self, cipher: Cipher) -> Option<&'static BlockEntry> {
        self.blocks.iter().find(|entry| entry.cipher == cipher)
    }

    pub(crate) fn stream(&self, cipher: Cipher) -> Option<&'static StreamEntry> {
        self.streams.iter().find(|entry| entry.cipher == cipher)
    }
}

/// Keys a cipher where it stands, in a box.
///
/// # Errors
///
/// What `rekey` returned.
pub fn keyed<C, const N: usize>(
    rekey: impl FnOnce(&mut C) -> Result<Depth, cinder_block::Refusal>,
) -> Result<Keyed, KeyError>
where
    C: InPlace + BlockCipher<N> + 'static,
    Keyed: From<Box<dyn BlockCipher<N>>>,
{
    let cipher: Box<dyn BlockCipher<N>> = cinder_block::Slot::boxed_with(rekey)?;
    Ok(cipher.into())
}

/// A line of the table. For a cipher with one kernel: how it is keyed. For one with several: their
/// type, the kernel that a key has by default, and how it is keyed for a given one.
macro_rules! entry {
    ($cipher:ident, |$params:ident| $build:expr) => {
        BlockEntry {
            cipher: Cipher::$cipher,
            kernels: portable,
            default_kernel: || "portable".to_owned(),
            build: |$params, _| $build,
        }
    };
    ($cipher:ident, $kernels:ty, $default:expr, |$params:ident, $kernel:ident| $build:expr) => {
        BlockEntry {
            cipher: Cipher::$cipher,
            kernels: || <$kernels>::available().map(|kernel| kernel.to_string()).collect(),
            default_kernel: || $default.to_string(),
            build: |$params, index| {
                let $kernel = <$kernels>::available().nth(index).expect("an index of `kernels`");
                $build
            },
        }
    };
}

const BLOCKS: &[BlockEntry] = &[
    entry!(Aes, cinder_block::aes::Kernel, aes_kernel(), |p, kernel| match p.key.len() {
        16 => keyed(|aes: &mut cinder_block::Aes128| aes.rekey_with_kernel(p.key, kernel)),
        24 => keyed(|aes: &mut cinder_block::Aes192| aes.rekey_with_kernel(p.key, kernel)),
        _ => keyed(|aes: &mut cinder_block::Aes256| aes.rekey_with_kernel(p.key, kernel)),
    }),
    entry!(Blowfish, |p| keyed(|blowfish: &mut cinder_block::Blowfish| {
        if p.allow_weak { blowfish.rekey_allow_weak(p.key) } else { blowfish.rekey(p.key) }
    })),
    entry!(Camellia, |p| keyed(|camellia: &mut cinder_block::Camellia| camellia.rekey(p.key))),
    entry!(Cast5, |p| keyed(|cast5: &mut cinder_block::Cast5| cast5.rekey(p.key))),
    entry!(Des, cinder_block::des::Kernel, cinder_block::des::Kernel::best(), |p, kernel| {
        keyed(|des: &mut cinder_block::Des| match p.allow_weak {
            true => des.rekey_allow_weak_with_kernel(p.key, kernel),
            false => des.rekey_with_kernel(p.key, kernel),
        })
    }),
    entry!(TripleDes, cinder_block::des::Kernel, cinder_block::des::Kernel::best(), |p, kernel| {
        keyed(|tdes: &mut cinder_block::TripleDes| match p.allow_weak {
            true => tdes.rekey_allow_weak_with_kernel(p.key, kernel),
            false => tdes.rekey_with_kernel(p.key, kernel),
        })
    }),
    entry!(Idea, |p| keyed(|idea: &mut cinder_block::Idea| idea.rekey(p.key))),
    entry!(Rc2, |p| keyed(
        |rc2: &mut cinder_block::Rc2| rc2.rekey_effective(p.key, p.effective_bits())
    )),
    entry!(Seed, |p| keyed(|seed: &mut cinder_block::Seed| seed.rekey(p.key))),
    entry!(
        Serpent,
        cinder_block::serpent::Kernel,
        cinder_block::serpent::Kernel::best(),
        |p, kernel| keyed(
            |serpent: &mut cinder_block::Serpent| serpent.rekey_with_kernel(p.key, kernel)
        )
    ),
    entry!(Twofish, |p| keyed(|twofish: &mut cinder_block::Twofish| twofish.rekey(p.key))),
];

fn aes_kernel() -> cinder_block::aes::Kernel {
    let mut slot = cinder_block::Slot::<cinder_block::Aes128>::empty();
    slot.init(&[0; 16]).map_or(cinder_block::aes::Kernel::Portable, |aes| aes.kernel())
}

const STREAMS: &[StreamEntry] = &[
    StreamEntry {
        cipher: Cipher::Arc4,
        kernels: portable,
        with: |key, _, _, run| {
            let mut slot = cinder_block::Slot::<cinder_stream::Arc4>::empty();
            run(slot.init(key).map_err(|error| error.to_string())?);
            Ok(())
        },
    },
    StreamEntry {
        cipher: Cipher::Salsa20,
        kernels: portable,
        with: |key, iv, _, run| {
            let mut slot = cinder_block::Slot::<cinder_stream::Salsa20>::empty();
            let cipher = slot.init(key).map_err(|error| error.to_string())?;
            let nonce = iv.try_into().map_err(|_| "IV is not 8 bytes")?;
            run(&mut cipher.keystream(nonce));
            Ok(())
        },
    },
];

fn portable() -> Vec<String> {
    vec!["portable".to_owned()]
}

impl StreamCipher for cinder_stream::Arc4 {
    fn apply(&mut self, data: &mut [u8]) {
        self.apply(data);
    }

    fn apply_to(&mut self, input: &[u8], output: &mut [u8]) {
        self.apply_to(input, output).expect("the lengths are equal");
    }
}

impl<const ROUNDS: usize> StreamCipher for cinder_stream::Salsa20Keystream<'_, ROUNDS> {
    fn apply(&mut self, data: &mut [u8]) {
        self.apply(data).expect("no vector is longer than the keystream");
    }

    fn apply_to(&mut self, input: &[u8], output: &mut [u8]) {
        self.apply_to(input, output).expect("the lengths are equal");
    }

    fn seek(&mut self, offset: u64) -> bool {
        self.seek(offset.into()).is_ok()
    }
}

const GHASH: Option<GhashEntry> = Some(GhashEntry {
    kernels: || cinder_ghash::Kernel::available().map(|kernel| kernel.to_string()).collect(),
    run: |h, data, kernel| {
        let mut key = cinder_ghash::GhashKey::vacant();
        if let Some(kernel) = cinder_ghash::Kernel::available().nth(kernel) {
            let _ = key.rekey_with_kernel(h, kernel);
        }
        let mut y = [0; 16];
        let _ = key.update_blocks(&mut y, data.as_chunks().0);
        y
    },
});
