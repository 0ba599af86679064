//! The traits of a keyed permutation.

use crate::{Depth, chain};

/// The forward direction of a block cipher with blocks of `N` bytes.
///
/// Only [`encrypt_blocks`](Self::encrypt_blocks) is required. The other methods are provided on
/// top of it; a cipher overrides those where a kernel can do better. All work in place, take any
/// count of blocks (none, too), and return how deep they used the stack, for the caller to
/// [`burn`](cinder_burn::burn).
///
/// The trait is usable as `dyn BlockEncrypt<16>` and through references, and through `Box`, `Rc` and
/// `Arc` with the feature `alloc`. `N` is 8 or 16; for an `N` that is not a multiple of 8 the
/// provided methods do not compile.
pub trait BlockEncrypt<const N: usize> {
    /// Encrypts each block by itself (ECB). Runs several blocks at a time where it can.
    fn encrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth;

    /// Encrypts one block.
    fn encrypt_block(&self, block: &mut [u8; N]) -> Depth {
        self.encrypt_blocks(core::slice::from_mut(block))
    }

    /// XORs the keystream of counter mode into `data`: E(counter), E(counter + 1), …, and leaves
    /// in `counter` the block after the last one used.
    ///
    /// The last four bytes count, big endian, modulo 2^32, and do not carry into the rest
    /// (SP 800-38D's inc32). A mode with a wider counter splits its call where the four bytes
    /// wrap.
    #[inline(never)]
    fn ctr_xor(&self, counter: &mut [u8; N], data: &mut [[u8; N]]) -> Depth {
        chain::ctr_xor::<_, N, false>(self, counter, data)
    }

    /// The same with a counter in the first four bytes, little endian, modulo 2^32 (RFC 8452).
    #[inline(never)]
    fn ctr_xor_little_endian(&self, counter: &mut [u8; N], data: &mut [[u8; N]]) -> Depth {
        chain::ctr_xor::<_, N, true>(self, counter, data)
    }

    /// CBC encryption: C_j = E(P_j ⊕ C_{j-1}). `chain` holds C_0, the IV, and then the last
    /// ciphertext block.
    #[inline(never)]
    fn cbc_encrypt(&self, chain: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
        chain::cbc_encrypt(self, chain, blocks)
    }

    /// CBC-MAC: CBC encryption of which only the last ciphertext block is kept, in `chain`. The
    /// blocks are not changed.
    #[inline(never)]
    fn cbc_mac(&self, chain: &mut [u8; N], blocks: &[[u8; N]]) -> Depth {
        chain::cbc_mac(self, chain, blocks)
    }

    /// C_j = E(P_j ⊕ Δ_j) ⊕ Δ_j with a mask Δ_j for each block, the sum of `base` and one of `masks`:
    /// the step of OCB, whose masks repeat but for their base. There are as many masks as blocks.
    #[inline(never)]
    fn xex_encrypt(&self, base: &[u8; N], masks: &[[u8; N]], blocks: &mut [[u8; N]]) -> Depth {
        chain::xex_encrypt(self, base, masks, blocks)
    }

    /// The same with a mask that doubles from block to block: the step of XTS. `mask` holds the first
    /// one, and then the one after the last.
    ///
    /// The lowest bit of the first byte is the coefficient of 1; modulo x^128 + x^7 + x^2 + x + 1, and
    /// x^64 + x^4 + x^3 + x + 1 for blocks of 8 bytes.
    #[inline(never)]
    fn xts_encrypt(&self, mask: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
        chain::xts_encrypt(self, mask, blocks)
    }

    /// CFB encryption with full-block feedback: C_j = P_j ⊕ E(C_{j-1}). `chain` as in CBC.
    #[inline(never)]
    fn cfb_encrypt(&self, chain: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
        chain::cfb_encrypt(self, chain, blocks)
    }

    /// CFB decryption: P_j = C_j ⊕ E(C_{j-1}). Uses the forward direction; the blocks are
    /// independent.
    #[inline(never)]
    fn cfb_decrypt(&self, chain: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
        chain::cfb_decrypt(self, chain, blocks)
    }

    /// XORs the keystream of OFB into `data`: O_j = E(O_{j-1}). `chain` holds O_0, the IV, and
    /// then the last keystream block.
    #[inline(never)]
    fn ofb_xor(&self, chain: &mut [u8; N], data: &mut [[u8; N]]) -> Depth {
        chain::ofb_xor(self, chain, data)
    }

    /// AES alone: its 11, 13 or 15 round keys in the byte order of FIPS 197, from the first
    /// AddRoundKey to the last, where the CPU has AES instructions and this key uses them, so that
    /// GCM can interleave rounds with GHASH. Every other cipher keeps the default. As long as the key
    /// stays the answer stays; GCM panics if it does not.
    fn aes_round_keys(&self) -> Option<&[[u8; 16]]> {
        None
    }
}

/// The inverse direction of a block cipher with blocks of `N` bytes. Conventions as in
/// [`BlockEncrypt`].
pub trait BlockDecrypt<const N: usize> {
    /// Decrypts each block by itself (ECB). Runs several blocks at a time where it can.
    fn decrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth;

    /// Decrypts one block.
    fn decrypt_block(&self, block: &mut [u8; N]) -> Depth {
        self.decrypt_blocks(core::slice::from_mut(block))
    }

    /// P_j = D(C_j ⊕ Δ_j) ⊕ Δ_j: the inverse of [`xex_encrypt`](BlockEncrypt::xex_encrypt).
    #[inline(never)]
    fn xex_decrypt(&self, base: &[u8; N], masks: &[[u8; N]], blocks: &mut [[u8; N]]) -> Depth {
        chain::xex_decrypt(self, base, masks, blocks)
    }

    /// The inverse of [`xts_encrypt`](BlockEncrypt::xts_encrypt), with the same masks.
    #[inline(never)]
    fn xts_decrypt(&self, mask: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
        chain::xts_decrypt(self, mask, blocks)
    }

    /// CBC decryption: P_j = D(C_j) ⊕ C_{j-1}. `chain` holds C_0, the IV, and then the last
    /// ciphertext block.
    #[inline(never)]
    fn cbc_decrypt(&self, chain: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
        chain::cbc_decrypt(self, chain, blocks)
    }
}

/// Forwards every method, so that a kernel is reached through any number of references.
macro_rules! forward {
    ($(#[$attribute:meta])* $pointer:ty) => {
        $(#[$attribute])*
        impl<C: BlockEncrypt<N> + ?Sized, const N: usize> BlockEncrypt<N> for $pointer {
            fn encrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth {
                (**self).encrypt_blocks(blocks)
            }
            fn encrypt_block(&self, block: &mut [u8; N]) -> Depth {
                (**self).encrypt_block(block)
            }
            fn ctr_xor(&self, counter: &mut [u8; N], data: &mut [[u8; N]]) -> Depth {
                (**self).ctr_xor(counter, data)
            }
            fn ctr_xor_little_endian(&self, counter: &mut [u8; N], data: &mut [[u8; N]]) -> Depth {
                (**self).ctr_xor_little_endian(counter, data)
            }
            fn cbc_encrypt(&self, chain: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
                (**self).cbc_encrypt(chain, blocks)
            }
            fn cbc_mac(&self, chain: &mut [u8; N], blocks: &[[u8; N]]) -> Depth {
                (**self).cbc_mac(chain, blocks)
            }
            fn xex_encrypt(
                &self,
                base: &[u8; N],
                masks: &[[u8; N]],
                blocks: &mut [[u8; N]],
            ) -> Depth {
                (**self).xex_encrypt(base, masks, blocks)
            }
            fn xts_encrypt(&self, mask: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
                (**self).xts_encrypt(mask, blocks)
            }
            fn cfb_encrypt(&self, chain: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
                (**self).cfb_encrypt(chain, blocks)
            }
            fn cfb_decrypt(&self, chain: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
                (**self).cfb_decrypt(chain, blocks)
            }
            fn ofb_xor(&self, chain: &mut [u8; N], data: &mut [[u8; N]]) -> Depth {
                (**self).ofb_xor(chain, data)
            }
            fn aes_round_keys(&self) -> Option<&[[u8; 16]]> {
                (**self).aes_round_keys()
            }
        }

        $(#[$attribute])*
        impl<C: BlockDecrypt<N> + ?Sized, const N: usize> BlockDecrypt<N> for $pointer {
            fn decrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth {
                (**self).decrypt_blocks(blocks)
            }
            fn decrypt_block(&self, block: &mut [u8; N]) -> Depth {
                (**self).decrypt_block(block)
            }
            fn xex_decrypt(
                &self,
                base: &[u8; N],
                masks: &[[u8; N]],
                blocks: &mut [[u8; N]],
            ) -> Depth {
                (**self).xex_decrypt(base, masks, blocks)
            }
            fn xts_decrypt(&self, mask: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
                (**self).xts_decrypt(mask, blocks)
            }
            fn cbc_decrypt(&self, chain: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
                (**self).cbc_decrypt(chain, blocks)
            }
        }
    };
}

forward!(&C);
forward!(&mut C);
forward!(
    #[cfg(feature = "alloc")]
    alloc::boxed::Box<C>
);
forward!(
    #[cfg(feature = "alloc")]
    alloc::rc::Rc<C>
);
forward!(
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    alloc::sync::Arc<C>
);
