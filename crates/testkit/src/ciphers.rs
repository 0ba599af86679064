//! Every block cipher on every kernel of this CPU: the one list that tests, vectors, the scanner and
//! benchmarks go through. A new cipher is a row or two of [`every_cipher`].

use core::fmt::Debug;
use core::panic::{RefUnwindSafe, UnwindSafe};

use cinder_block::{
    Aes128, Aes192, Aes256, Aria, BlockDecrypt, BlockEncrypt, Blowfish, Camellia, Cast5, Depth,
    Des, Idea, InPlace, Rc2, Refusal, Seed, Serpent, TripleDes, Twofish, aes, camellia, des, rc2,
    serpent,
};
use zeroize::ZeroizeOnDrop;

/// What every block cipher of the project is.
pub trait Cipher<const N: usize>:
    InPlace
    + BlockEncrypt<N>
    + BlockDecrypt<N>
    + Debug
    + ZeroizeOnDrop
    + Send
    + Sync
    + Unpin
    + UnwindSafe
    + RefUnwindSafe
    + 'static
{
}

impl<C, const N: usize> Cipher<N> for C where
    C: InPlace
        + BlockEncrypt<N>
        + BlockDecrypt<N>
        + Debug
        + ZeroizeOnDrop
        + Send
        + Sync
        + Unpin
        + UnwindSafe
        + RefUnwindSafe
        + 'static
{
}

/// How a cipher is keyed, if not as usual.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Effective key bits of RC2; without a number as many as the key has.
    pub effective_bits: Option<u16>,
    /// Weak keys are not refused.
    pub allow_weak: bool,
}

/// Keys a cipher in its place.
pub type Rekey<'a, C> = dyn Fn(&mut C, &[u8]) -> Result<Depth, Refusal> + 'a;

/// Keys a cipher in its place, with options.
pub type RekeyWith<'a, C> = dyn Fn(&mut C, &[u8], Options) -> Result<Depth, Refusal> + 'a;

/// A cipher on a kernel, and how it is keyed.
pub struct Subject<'a, C> {
    /// The cipher's name, with the key's bits if the type has only keys of one length.
    pub cipher: &'static str,
    /// The cipher's name in vector files: the same for all lengths of keys.
    pub family: &'static str,
    /// The kernel's name, unique among those of the family.
    pub kernel: &'static str,
    /// Whether a key gets this kernel when nobody asks for one.
    pub is_default: bool,
    /// The length in bytes of the key for who tries only one.
    pub key_len: usize,
    /// Lengths that a test of several tries: the shortest and the longest, and what differs between.
    pub key_lens: &'static [usize],
    /// Keys the cipher for this kernel.
    pub rekey: &'a Rekey<'a, C>,
    /// Keys the cipher for this kernel, with options.
    pub rekey_with: &'a RekeyWith<'a, C>,
    /// Keys it for another kernel, if this one takes as long for a block alone as for a batch.
    pub rekey_for_one: Option<&'a Rekey<'a, C>>,
}

impl<C> Debug for Subject<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} {}", self.cipher, self.kernel)
    }
}

/// What is to be done with a cipher, by the size of its blocks.
pub trait Visitor {
    /// A cipher of 8-byte blocks.
    fn blocks_of_8<C: Cipher<8>>(&mut self, subject: &Subject<'_, C>);

    /// A cipher of 16-byte blocks.
    fn blocks_of_16<C: Cipher<16>>(&mut self, subject: &Subject<'_, C>);
}

/// The families that look up tables at places that depend on secrets, on one of their kernels at
/// least; but for DES, which has kernels of either kind.
pub const TABLES: &[&str] = &["ARIA", "Blowfish", "Camellia", "CAST5", "SEED", "Twofish"];

/// Shows all of them to `visitor`: of a cipher the best kernel first.
pub fn every_cipher(visitor: &mut impl Visitor) {
    for kernel in aes::Kernel::available() {
        let (name, best) = (kernel.name(), kernel == aes::Kernel::best());
        visitor.blocks_of_16::<Aes128>(&Subject {
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
            rekey_with: &|c, key, _| c.rekey_with_kernel(key, kernel),
            ..on_kernel("AES-128", "AES", name, best, &[16])
        });
        visitor.blocks_of_16::<Aes192>(&Subject {
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
            rekey_with: &|c, key, _| c.rekey_with_kernel(key, kernel),
            ..on_kernel("AES-192", "AES", name, best, &[24])
        });
        visitor.blocks_of_16::<Aes256>(&Subject {
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
            rekey_with: &|c, key, _| c.rekey_with_kernel(key, kernel),
            ..on_kernel("AES-256", "AES", name, best, &[32])
        });
    }
    for kernel in serpent::Kernel::available() {
        let (name, best) = (kernel.name(), kernel == serpent::Kernel::best());
        visitor.blocks_of_16::<Serpent>(&Subject {
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
            rekey_with: &|c, key, _| c.rekey_with_kernel(key, kernel),
            ..on_kernel("Serpent", "Serpent", name, best, &[32, 16, 24])
        });
    }
    // The kernels of all three.
    for kernel in camellia::Kernel::available() {
        let (name, best) = (kernel.name(), kernel == camellia::Kernel::best());
        visitor.blocks_of_16::<Aria>(&Subject {
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
            rekey_with: &|c, key, _| c.rekey_with_kernel(key, kernel),
            ..on_kernel("ARIA", "ARIA", name, best, &[32, 16, 24])
        });
        visitor.blocks_of_16::<Seed>(&Subject {
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
            rekey_with: &|c, key, _| c.rekey_with_kernel(key, kernel),
            ..on_kernel("SEED", "SEED", name, best, &[16])
        });
        visitor.blocks_of_16::<Camellia>(&Subject {
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
            rekey_with: &|c, key, _| c.rekey_with_kernel(key, kernel),
            ..on_kernel("Camellia", "Camellia", name, best, &[32, 16, 24])
        });
    }
    visitor.blocks_of_16::<Twofish>(&portable("Twofish", &[32, 16, 24]));
    visitor.blocks_of_8::<Blowfish>(&Subject {
        rekey_with: &|c, key, options| match options.allow_weak {
            true => c.rekey_allow_weak(key),
            false => c.rekey(key),
        },
        ..portable("Blowfish", &[16, 1, 5, 56])
    });
    for kernel in des::Kernel::available() {
        let (name, best) = (kernel.name(), kernel == des::Kernel::best());
        let slow = kernel.is_constant_time();
        let single: &Rekey<'_, Des> = &|c, key| c.rekey_with_kernel(key, des::Kernel::Vartime);
        let triple: &Rekey<'_, TripleDes> =
            &|c, key| c.rekey_with_kernel(key, des::Kernel::Vartime);
        visitor.blocks_of_8::<Des>(&Subject {
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
            rekey_with: &|c, key, options| match options.allow_weak {
                true => c.rekey_allow_weak_with_kernel(key, kernel),
                false => c.rekey_with_kernel(key, kernel),
            },
            rekey_for_one: slow.then_some(single),
            ..on_kernel("DES", "DES", name, best, &[8])
        });
        visitor.blocks_of_8::<TripleDes>(&Subject {
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
            rekey_with: &|c, key, options| match options.allow_weak {
                true => c.rekey_allow_weak_with_kernel(key, kernel),
                false => c.rekey_with_kernel(key, kernel),
            },
            rekey_for_one: slow.then_some(triple),
            ..on_kernel("3DES", "3DES", name, best, &[24, 16])
        });
    }
    visitor.blocks_of_8::<Cast5>(&portable("CAST5", &[16, 5, 10, 11]));
    visitor.blocks_of_8::<Idea>(&portable("IDEA", &[16]));
    for kernel in rc2::Kernel::available() {
        let (name, best) = (kernel.name(), kernel == rc2::Kernel::best());
        // As many as the key has.
        let bits = |key: &[u8]| 8 * key.len().min(128) as u16;
        visitor.blocks_of_8::<Rc2>(&Subject {
            rekey: &|c, key| c.rekey_effective_with_kernel(key, bits(key), kernel),
            rekey_with: &|c, key, options| {
                let bits = options.effective_bits.unwrap_or(bits(key));
                c.rekey_effective_with_kernel(key, bits, kernel)
            },
            ..on_kernel("RC2", "RC2", name, best, &[16, 1, 5, 8, 128])
        });
    }
}

/// A cipher on one of its kernels; the row says how it is keyed for it.
fn on_kernel<C: InPlace>(
    cipher: &'static str,
    family: &'static str,
    kernel: &'static str,
    is_default: bool,
    key_lens: &'static [usize],
) -> Subject<'static, C> {
    Subject {
        cipher,
        family,
        kernel,
        is_default,
        key_len: key_lens[0],
        key_lens,
        rekey: &|c, key| c.rekey(key),
        rekey_with: &|c, key, _| c.rekey(key),
        rekey_for_one: None,
    }
}

/// A cipher that has one kernel.
fn portable<C: InPlace>(cipher: &'static str, key_lens: &'static [usize]) -> Subject<'static, C> {
    on_kernel(cipher, cipher, "portable", true, key_lens)
}

/// The names in vector files, each once.
pub fn families() -> Vec<&'static str> {
    struct Families(Vec<&'static str>);
    impl Families {
        fn add<C>(&mut self, subject: &Subject<'_, C>) {
            if !self.0.contains(&subject.family) {
                self.0.push(subject.family);
            }
        }
    }
    impl Visitor for Families {
        fn blocks_of_8<C: Cipher<8>>(&mut self, subject: &Subject<'_, C>) {
            self.add(subject);
        }
        fn blocks_of_16<C: Cipher<16>>(&mut self, subject: &Subject<'_, C>) {
            self.add(subject);
        }
    }
    let mut families = Families(Vec::new());
    every_cipher(&mut families);
    families.0
}
