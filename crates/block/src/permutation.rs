//! The public traits, on a cipher's own block functions.

use crate::{BlockDecrypt, BlockEncrypt, Depth, chain};

/// What a cipher has of its own; [`block_traits`] makes the public traits of it.
pub(crate) trait Permutation<const N: usize>:
    BlockEncrypt<N> + BlockDecrypt<N> + Sized
{
    /// Any count of blocks, several at a time.
    fn blocks<const DECRYPT: bool>(&self, blocks: &mut [[u8; N]]) -> Depth;

    /// One block. Inlined into the chained modes, so that they keep their state in registers.
    fn block<const DECRYPT: bool>(&self, block: &mut [u8; N]) -> Depth;

    /// Whether it takes 64 blocks at a time, which is more than the provided methods have a scratch for.
    #[inline(always)]
    fn takes_64(&self) -> bool {
        false
    }

    /// The provided method, unless the cipher has a better one.
    #[inline(always)]
    fn ctr(&self, counter: &mut [u8; N], data: &mut [[u8; N]]) -> Depth {
        if data.len() > chain::WIDE && self.takes_64() {
            chain::ctr_xor_by::<_, N, false, 64>(&Inlined(self), counter, data)
        } else {
            chain::ctr_xor::<_, N, false>(&Inlined(self), counter, data)
        }
    }

    /// As [`ctr`](Self::ctr).
    #[inline(always)]
    fn decrypt_cfb(&self, chain: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
        if blocks.len() > chain::WIDE && self.takes_64() {
            chain::cfb_decrypt_by::<_, N, 64>(&Inlined(self), chain, blocks)
        } else {
            chain::cfb_decrypt(&Inlined(self), chain, blocks)
        }
    }

    /// As [`ctr`](Self::ctr).
    #[inline(always)]
    fn decrypt_cbc(&self, chain: &mut [u8; N], blocks: &mut [[u8; N]]) -> Depth {
        if blocks.len() > chain::WIDE && self.takes_64() {
            chain::cbc_decrypt_by::<_, N, 64>(&Inlined(self), chain, blocks)
        } else {
            chain::cbc_decrypt(&Inlined(self), chain, blocks)
        }
    }
}

/// The traits as the functions of [`chain`] see them: one block is inlined into their frames.
pub(crate) struct Inlined<'a, C>(pub(crate) &'a C);

impl<C: Permutation<N>, const N: usize> BlockEncrypt<N> for Inlined<'_, C> {
    #[inline(always)]
    fn encrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth {
        self.0.blocks::<false>(blocks)
    }

    #[inline(always)]
    fn encrypt_block(&self, block: &mut [u8; N]) -> Depth {
        self.0.block::<false>(block)
    }
}

impl<C: Permutation<N>, const N: usize> BlockDecrypt<N> for Inlined<'_, C> {
    #[inline(always)]
    fn decrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth {
        self.0.blocks::<true>(blocks)
    }

    #[inline(always)]
    fn decrypt_block(&self, block: &mut [u8; N]) -> Depth {
        self.0.block::<true>(block)
    }
}

/// The public traits of a [`Permutation`]. No method is ever inlined into a user's frame, whatever
/// the build: what a frame that burns has in it lies above the burn.
macro_rules! block_traits {
    ($name:ty, $n:literal) => {
        impl crate::BlockEncrypt<$n> for $name {
            #[inline(never)]
            fn encrypt_blocks(&self, blocks: &mut [[u8; $n]]) -> crate::Depth {
                crate::permutation::Permutation::blocks::<false>(self, blocks)
            }

            #[inline(never)]
            fn encrypt_block(&self, block: &mut [u8; $n]) -> crate::Depth {
                crate::permutation::Permutation::block::<false>(self, block)
            }

            #[inline(never)]
            fn ctr_xor(&self, counter: &mut [u8; $n], data: &mut [[u8; $n]]) -> crate::Depth {
                crate::permutation::Permutation::ctr(self, counter, data)
            }

            #[inline(never)]
            fn cbc_encrypt(&self, chain: &mut [u8; $n], blocks: &mut [[u8; $n]]) -> crate::Depth {
                crate::chain::cbc_encrypt(&crate::permutation::Inlined(self), chain, blocks)
            }

            #[inline(never)]
            fn cbc_mac(&self, chain: &mut [u8; $n], blocks: &[[u8; $n]]) -> crate::Depth {
                crate::chain::cbc_mac(&crate::permutation::Inlined(self), chain, blocks)
            }

            #[inline(never)]
            fn cfb_encrypt(&self, chain: &mut [u8; $n], blocks: &mut [[u8; $n]]) -> crate::Depth {
                crate::chain::cfb_encrypt(&crate::permutation::Inlined(self), chain, blocks)
            }

            #[inline(never)]
            fn cfb_decrypt(&self, chain: &mut [u8; $n], blocks: &mut [[u8; $n]]) -> crate::Depth {
                crate::permutation::Permutation::decrypt_cfb(self, chain, blocks)
            }

            #[inline(never)]
            fn ofb_xor(&self, chain: &mut [u8; $n], data: &mut [[u8; $n]]) -> crate::Depth {
                crate::chain::ofb_xor(&crate::permutation::Inlined(self), chain, data)
            }
        }

        impl crate::BlockDecrypt<$n> for $name {
            #[inline(never)]
            fn decrypt_blocks(&self, blocks: &mut [[u8; $n]]) -> crate::Depth {
                crate::permutation::Permutation::blocks::<true>(self, blocks)
            }

            #[inline(never)]
            fn decrypt_block(&self, block: &mut [u8; $n]) -> crate::Depth {
                crate::permutation::Permutation::block::<true>(self, block)
            }

            #[inline(never)]
            fn cbc_decrypt(&self, chain: &mut [u8; $n], blocks: &mut [[u8; $n]]) -> crate::Depth {
                crate::permutation::Permutation::decrypt_cbc(self, chain, blocks)
            }
        }
    };
}
pub(crate) use block_traits;
