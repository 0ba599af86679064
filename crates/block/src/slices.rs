//! What runs Camellia, ARIA and SEED, ciphers of 16-byte blocks whose S-boxes are inversion in a
//! field: tables, or on x86-64 sixteen registers of blocks.
//!
//! Constant time: the kernels but for the portable one. A rest of a set that is smaller than the cipher
//! says goes by tables, and so do fewer blocks.

use crate::Depth;
use core::fmt;

/// What runs the cipher: a variant for each kernel of this target, with the proof that the CPU has
/// its instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// Tables. **Not constant time.**
    Portable,
    /// AES-NI, 16 blocks at a time.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    AesNi(cinder_cpu::x86::AesNi),
    /// AES-NI and AVX2, 32 blocks at a time.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx2(cinder_cpu::x86::AesNi, cinder_cpu::x86::Avx2),
    /// VAES on 256-bit registers, 32 blocks at a time.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Vaes(cinder_cpu::x86::Vaes),
    /// GFNI on 256-bit registers, 32 blocks at a time.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Gfni(cinder_cpu::x86::Gfni),
    /// GFNI on 512-bit registers, 64 blocks at a time.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Gfni512(cinder_cpu::x86::Gfni512),
}

impl Kernel {
    /// The kernels that this CPU can run, best first. The last one is [`Kernel::Portable`].
    pub fn available() -> impl Iterator<Item = Kernel> {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        use cinder_cpu::x86::{AesNi, Avx2, Gfni, Gfni512, Vaes};
        [
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Gfni512::detect().map(Kernel::Gfni512),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Gfni::detect().map(Kernel::Gfni),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Vaes::detect().map(Kernel::Vaes),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AesNi::detect().zip(Avx2::detect()).map(|(aes, avx2)| Kernel::Avx2(aes, avx2)),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AesNi::detect().map(Kernel::AesNi),
            Some(Kernel::Portable),
        ]
        .into_iter()
        .flatten()
    }

    /// The first of [`available`](Self::available): what a key uses unless told otherwise.
    #[inline]
    pub fn best() -> Kernel {
        Self::available().next().unwrap_or(Kernel::Portable)
    }

    /// A short name for reports: "portable", "AES-NI", …
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Portable => "portable",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::AesNi(_) => "AES-NI",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Avx2(..) => "AES-NI and AVX2",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Vaes(_) => "VAES",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Gfni(_) => "GFNI",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Gfni512(_) => "GFNI-512",
        }
    }

    /// Whether it takes 64 blocks at a time.
    pub(crate) fn takes_64(self) -> bool {
        match self {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Gfni512(_) => true,
            _ => false,
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A cipher with these kernels, as its key sees them.
pub(crate) trait Tables {
    /// Fewer blocks than these go by tables on every kernel.
    const LEAST: usize;

    fn kernel(&self) -> Kernel;

    /// Any count of blocks, on the portable kernel.
    fn by_tables(&self, decrypt: bool, blocks: &mut [[u8; 16]]) -> Depth;
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::x86_slices::{self as x86, Sliced};
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
use Tables as Sliced;

/// Any count of blocks, on the kernel of the key.
#[inline(always)]
pub(crate) fn crypt<C: Sliced>(cipher: &C, decrypt: bool, blocks: &mut [[u8; 16]]) -> Depth {
    if cipher.kernel() == Kernel::Portable || blocks.len() < C::LEAST {
        cipher.by_tables(decrypt, blocks)
    } else {
        wide(cipher, decrypt, blocks)
    }
}

/// Not inlined, so that few blocks have a small frame.
#[inline(never)]
fn wide<C: Sliced>(cipher: &C, decrypt: bool, blocks: &mut [[u8; 16]]) -> Depth {
    let depth = match cipher.kernel() {
        Kernel::Portable => cipher.by_tables(decrypt, blocks),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kernel::AesNi(aes) => x86::aes_ni(aes, cipher, decrypt, blocks),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kernel::Avx2(aes, avx2) => x86::avx2((aes, avx2), cipher, decrypt, blocks),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kernel::Vaes(vaes) => x86::vaes(vaes, cipher, decrypt, blocks),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kernel::Gfni(gfni) => x86::gfni(gfni, cipher, decrypt, blocks),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kernel::Gfni512(gfni) => x86::gfni512(gfni, cipher, decrypt, blocks),
    };
    depth.max(Depth::here())
}

#[cfg(test)]
pub(crate) mod tests {
    extern crate std;

    use super::*;
    use crate::{BlockDecrypt, BlockEncrypt, InPlace, Refusal, laws};
    use core::array;
    use std::string::ToString;
    use std::vec::Vec;

    /// What the ciphers have by the same name.
    type Rekey<C> = fn(&mut C, &[u8], Kernel) -> Result<Depth, Refusal>;

    fn with_kernel<C: InPlace>(rekey: Rekey<C>, key: &[u8], kernel: Kernel) -> C {
        let mut cipher = crate::slot::vacant::<C>();
        cinder_burn::burn(rekey(&mut cipher, key, kernel).expect("a legal key"));
        cipher
    }

    /// All kernels are one permutation, around each width; they keep the laws of a cipher, the best is
    /// the default, and their frames are small.
    pub(crate) fn check<C>(key_lens: &[usize], rekey: Rekey<C>)
    where
        C: Tables + InPlace + BlockEncrypt<16> + BlockDecrypt<16>,
    {
        let key: [u8; 32] = array::from_fn(|i| (101 * i) as u8);
        let mut cipher = crate::slot::vacant::<C>();
        cinder_burn::burn(cipher.rekey(&key[..key_lens[0]]).expect("a legal key"));
        assert_eq!(cipher.kernel(), Kernel::best());
        for len in key_lens {
            agree(rekey, &key[..*len]);
        }
        for kernel in Kernel::available() {
            laws::counts(&with_kernel(rekey, &key[..key_lens[0]], kernel));
            frames(rekey, &key[..key_lens[key_lens.len() - 1]], kernel);
        }
    }

    fn agree<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(rekey: Rekey<C>, key: &[u8]) {
        let plaintext: Vec<[u8; 16]> =
            (0..200u32).map(|i| array::from_fn(|j| (i * 151 + j as u32 * 43) as u8)).collect();
        let portable = with_kernel(rekey, key, Kernel::Portable);
        let mut ciphertext = plaintext.clone();
        for block in &mut ciphertext {
            cinder_burn::burn(portable.encrypt_block(block));
        }
        for kernel in Kernel::available() {
            let cipher = with_kernel(rekey, key, kernel);
            for count in 0..=plaintext.len() {
                let mut blocks = plaintext.clone();
                cinder_burn::burn(cipher.encrypt_blocks(&mut blocks[..count]));
                assert_eq!(blocks[..count], ciphertext[..count], "{kernel} {count}");
                assert_eq!(blocks[count..], plaintext[count..], "{kernel} {count}");
                cinder_burn::burn(cipher.decrypt_blocks(&mut blocks[..count]));
                assert_eq!(blocks, plaintext, "{kernel} {count}");
            }
        }
    }

    /// The deepest is that of a padded set, 64 blocks with AVX-512; whole sets and one block take
    /// little.
    fn frames<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(
        rekey: Rekey<C>,
        key: &[u8],
        kernel: Kernel,
    ) {
        let limit = |bytes: usize| if cfg!(debug_assertions) { 65536 } else { bytes };
        let mut cipher = crate::slot::vacant::<C>();
        let depth = rekey(&mut cipher, key, kernel).expect("a legal key");
        assert!(depth.bytes() <= limit(768), "setup {}", depth.bytes());
        let mut blocks = [[0; 16]; 64];
        for (count, bytes) in [(64, 1024), (63, 1536), (31, 1536), (16, 1024), (4, 768), (1, 512)] {
            for depth in [
                cipher.encrypt_blocks(&mut blocks[..count]),
                cipher.decrypt_blocks(&mut blocks[..count]),
            ] {
                let depth = depth.bytes();
                assert!(depth <= limit(bytes), "{kernel} {count} {depth}");
            }
        }
        for depth in [cipher.encrypt_block(&mut blocks[0]), cipher.decrypt_block(&mut blocks[0])] {
            assert!(depth.bytes() <= limit(512), "{kernel} one block {}", depth.bytes());
        }
    }

    #[test]
    fn the_portable_kernel_is_the_last() {
        assert_eq!(Kernel::available().next(), Some(Kernel::best()));
        assert_eq!(Kernel::available().last(), Some(Kernel::Portable));
        assert_eq!(Kernel::Portable.to_string(), "portable");
    }
}
