//! Every cipher with each of its kernels: what the matrix and the depths go through.

use cinder_block::{BlockDecrypt, BlockEncrypt, Depth, InPlace, Refusal};

/// Keys a cipher in its place.
pub(crate) type Rekey<'a, C> = dyn Fn(&mut C, &[u8]) -> Result<Depth, Refusal> + 'a;

/// A cipher on a kernel, and how it is keyed.
pub(crate) struct Subject<'a, C> {
    pub(crate) cipher: &'static str,
    pub(crate) kernel: &'a str,
    pub(crate) key_len: usize,
    pub(crate) rekey: &'a Rekey<'a, C>,
}

/// What is to be done with a cipher, by the size of its blocks.
pub(crate) trait Visitor {
    fn blocks_of_8<C: InPlace + BlockEncrypt<8> + BlockDecrypt<8>>(
        &mut self,
        subject: &Subject<'_, C>,
    );

    fn blocks_of_16<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(
        &mut self,
        subject: &Subject<'_, C>,
    );
}

/// Shows all of them to `visitor`, on the kernels of this CPU, held back to the level in `CINDER_CPU`.
pub(crate) fn every_cipher(visitor: &mut impl Visitor) {
    level::hold_back();
    for kernel in cinder_block::aes::Kernel::available() {
        visitor.blocks_of_16::<cinder_block::Aes128>(&Subject {
            cipher: "AES-128",
            kernel: kernel.name(),
            key_len: 16,
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
        });
        visitor.blocks_of_16::<cinder_block::Aes192>(&Subject {
            cipher: "AES-192",
            kernel: kernel.name(),
            key_len: 24,
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
        });
        visitor.blocks_of_16::<cinder_block::Aes256>(&Subject {
            cipher: "AES-256",
            kernel: kernel.name(),
            key_len: 32,
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
        });
    }
    for kernel in cinder_block::serpent::Kernel::available() {
        visitor.blocks_of_16::<cinder_block::Serpent>(&Subject {
            cipher: "Serpent",
            kernel: kernel.name(),
            key_len: 32,
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
        });
    }
    visitor.blocks_of_16(&best::<cinder_block::Seed>("SEED", 16));
    visitor.blocks_of_16(&best::<cinder_block::Camellia>("Camellia", 32));
    visitor.blocks_of_16(&best::<cinder_block::Twofish>("Twofish", 32));
    visitor.blocks_of_8(&best::<cinder_block::Blowfish>("Blowfish", 16));
    for kernel in cinder_block::des::Kernel::available() {
        visitor.blocks_of_8::<cinder_block::Des>(&Subject {
            cipher: "DES",
            kernel: kernel.name(),
            key_len: 8,
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
        });
        visitor.blocks_of_8::<cinder_block::TripleDes>(&Subject {
            cipher: "3DES",
            kernel: kernel.name(),
            key_len: 24,
            rekey: &|c, key| c.rekey_with_kernel(key, kernel),
        });
    }
    visitor.blocks_of_8(&best::<cinder_block::Cast5>("CAST5", 16));
    visitor.blocks_of_8(&best::<cinder_block::Idea>("IDEA", 16));
    visitor.blocks_of_8(&best::<cinder_block::Rc2>("RC2", 16));
}

/// A cipher on the kernels that it chooses itself.
fn best<C: InPlace>(cipher: &'static str, key_len: usize) -> Subject<'static, C> {
    Subject { cipher, kernel: "best", key_len, rekey: &|c: &mut C, key| c.rekey(key) }
}
