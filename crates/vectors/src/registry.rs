//! What there is to test: the ciphers of the project by their names in the files, with the
//! kernels that this CPU has. The block ciphers are those of [`testkit::ciphers`].

use crate::record::Cipher;
use cinder_block::{BlockDecrypt, BlockEncrypt, InPlace, KeyError, Slot};
use cinder_stream::Kernel;
use core::fmt;
use testkit::ciphers::{Options, Subject, Visitor, every_cipher};

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
    fn options(&self) -> Options {
        let bits = |bits| u16::try_from(bits).unwrap_or(u16::MAX);
        Options { effective_bits: self.bits.map(bits), allow_weak: self.allow_weak }
    }
}

/// A block cipher of the project.
#[derive(Clone, Debug)]
pub struct BlockEntry {
    /// Its name in the files.
    pub cipher: Cipher,
    /// Names of the kernels that this CPU has, best first.
    pub kernels: Vec<String>,
    /// Name of the kernel that a key gets when nobody asks.
    pub default_kernel: String,
    /// See [`build`](Self::build).
    pub build: fn(&BlockEntry, &Params<'_>, usize) -> Result<Keyed, KeyError>,
}

impl BlockEntry {
    /// Keys the cipher for a kernel: an index of `kernels`.
    ///
    /// # Errors
    ///
    /// The cipher's own, if it refuses the key.
    pub fn build(&self, params: &Params<'_>, kernel: usize) -> Result<Keyed, KeyError> {
        (self.build)(self, params, kernel)
    }
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
#[derive(Clone, Debug)]
pub struct Registry {
    /// Block ciphers.
    pub blocks: Vec<BlockEntry>,
    /// Stream ciphers.
    pub streams: &'static [StreamEntry],
    /// GHASH.
    pub ghash: Option<GhashEntry>,
}

impl Registry {
    /// The project's own ciphers, on the kernels of this CPU, held back to the level in
    /// `CINDER_CPU`.
    pub fn project() -> Registry {
        testkit::level::hold_back();
        let mut blocks = Blocks(Vec::new());
        every_cipher(&mut blocks);
        Registry { blocks: blocks.0, streams: STREAMS, ghash: GHASH }
    }

    pub(crate) fn block(&self, cipher: Cipher) -> Option<&BlockEntry> {
        self.blocks.iter().find(|entry| entry.cipher == cipher)
    }

    pub(crate) fn stream(&self, cipher: Cipher) -> Option<&StreamEntry> {
        self.streams.iter().find(|entry| entry.cipher == cipher)
    }
}

/// The list's ciphers: those of one name are one entry.
struct Blocks(Vec<BlockEntry>);

impl Blocks {
    fn add<C>(&mut self, subject: &Subject<'_, C>) {
        let is_same = |entry: &&mut BlockEntry| entry.cipher.name() == subject.family;
        let kernel = subject.kernel.to_owned();
        match self.0.iter_mut().find(is_same) {
            Some(entry) if entry.kernels.contains(&kernel) => {}
            Some(entry) => entry.kernels.push(kernel),
            None => self.0.push(BlockEntry {
                cipher: Cipher(subject.family),
                kernels: vec![kernel],
                default_kernel: String::new(),
                build: keyed,
            }),
        }
        if let (true, Some(entry)) = (subject.is_default, self.0.iter_mut().find(is_same)) {
            entry.default_kernel = subject.kernel.to_owned();
        }
    }
}

impl Visitor for Blocks {
    fn blocks_of_8<C>(&mut self, subject: &Subject<'_, C>) {
        self.add(subject);
    }

    fn blocks_of_16<C>(&mut self, subject: &Subject<'_, C>) {
        self.add(subject);
    }
}

/// Keys the cipher of an entry where it stands, in a box.
fn keyed(entry: &BlockEntry, params: &Params<'_>, kernel: usize) -> Result<Keyed, KeyError> {
    let kernel = entry.kernels.get(kernel).expect("an index of `kernels`");
    let mut keying = Keying { cipher: entry.cipher, kernel, params, keyed: None };
    every_cipher(&mut keying);
    keying.keyed.expect("the list has the entry's cipher")
}

/// Looks for the cipher on the kernel; of several types the first one that takes the key.
struct Keying<'a> {
    cipher: Cipher,
    kernel: &'a str,
    params: &'a Params<'a>,
    keyed: Option<Result<Keyed, KeyError>>,
}

impl Keying<'_> {
    fn key<C: InPlace>(&mut self, subject: &Subject<'_, C>, into: impl FnOnce(Box<C>) -> Keyed) {
        if subject.family != self.cipher.name()
            || subject.kernel != self.kernel
            || matches!(self.keyed, Some(Ok(_)))
        {
            return;
        }
        let key =
            |cipher: &mut C| (subject.rekey_with)(cipher, self.params.key, self.params.options());
        self.keyed = Some(Slot::boxed_with(key).map(into));
    }
}

impl Visitor for Keying<'_> {
    fn blocks_of_8<C: BlockCipher<8> + InPlace + 'static>(&mut self, subject: &Subject<'_, C>) {
        self.key(subject, |cipher| Keyed::Narrow(cipher));
    }

    fn blocks_of_16<C: BlockCipher<16> + InPlace + 'static>(&mut self, subject: &Subject<'_, C>) {
        self.key(subject, |cipher| Keyed::Wide(cipher));
    }
}

const STREAMS: &[StreamEntry] = &[
    StreamEntry {
        cipher: Cipher::ARC4,
        kernels: portable,
        with: |key, _, _, run| {
            let mut slot = cinder_block::Slot::<cinder_stream::Arc4>::empty();
            run(slot.init(key).map_err(|error| error.to_string())?);
            Ok(())
        },
    },
    StreamEntry {
        cipher: Cipher::SALSA20,
        kernels: || cinder_stream::Kernel::available().map(|kernel| kernel.to_string()).collect(),
        with: |key, iv, index, run| {
            let kernel = cinder_stream::Kernel::available().nth(index).expect("a kernel's index");
            let mut slot = cinder_block::Slot::<cinder_stream::Salsa20>::empty();
            let rekey =
                |salsa20: &mut cinder_stream::Salsa20| salsa20.rekey_with_kernel(key, kernel);
            let cipher = slot.init_with(rekey).map_err(|error| error.to_string())?;
            let nonce = iv.try_into().map_err(|_| "IV is not 8 bytes")?;
            run(&mut cipher.keystream(nonce));
            Ok(())
        },
    },
    StreamEntry {
        cipher: Cipher::CHACHA20,
        kernels: chacha20_kernels,
        with: |key, iv, kernel, run| {
            let kernel = Kernel::available().nth(kernel).expect("an index of `kernels`");
            let mut slot = cinder_block::Slot::<cinder_stream::ChaCha20>::empty();
            let cipher = slot.init_with(|cipher| cipher.rekey_with_kernel(key, kernel));
            let nonce = iv.try_into().map_err(|_| "IV is not 12 bytes")?;
            run(&mut cipher.map_err(|error| error.to_string())?.keystream(nonce));
            Ok(())
        },
    },
    StreamEntry {
        cipher: Cipher::XCHACHA20,
        kernels: || vec![Kernel::best().to_string()],
        with: |key, iv, _, run| {
            let mut slot = cinder_block::Slot::<cinder_stream::XChaCha20>::empty();
            let cipher = slot.init(key).map_err(|error| error.to_string())?;
            let nonce = iv.try_into().map_err(|_| "IV is not 24 bytes")?;
            run(&mut cipher.keystream(nonce));
            Ok(())
        },
    },
];

fn chacha20_kernels() -> Vec<String> {
    Kernel::available().map(|kernel| kernel.to_string()).collect()
}

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

impl StreamCipher for cinder_stream::ChaCha20Keystream<'_> {
    fn apply(&mut self, data: &mut [u8]) {
        self.apply(data).expect("no vector is longer than the keystream");
    }

    fn apply_to(&mut self, input: &[u8], output: &mut [u8]) {
        self.apply_to(input, output).expect("the lengths are equal");
    }

    fn seek(&mut self, offset: u64) -> bool {
        self.seek(offset).is_ok()
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
