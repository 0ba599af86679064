//! A cipher that takes one block a call, for the price of burning after each: what a library pays
//! that burns in its ciphers and not in its modes.

use cinder_block::{BlockDecrypt, BlockEncrypt, Depth};

/// `C` without its wider kernels, so that the modes call it for each block. With `BURNS` it burns
/// each time, and leaves nothing for the mode to burn; without, the mode burns once, as ever.
pub(crate) struct Singly<C, const BURNS: bool>(pub(crate) Box<C>);

impl<C, const BURNS: bool> Singly<C, BURNS> {
    #[inline(always)]
    fn each<B>(&self, blocks: &mut [B], call: impl Fn(&C, &mut B) -> Depth) -> Depth {
        let mut depth = Depth::here();
        for block in blocks {
            if BURNS {
                cinder_burn::scope(|| ((), call(&self.0, block)));
            } else {
                depth = depth.max(call(&self.0, block));
            }
        }
        depth
    }
}

impl<C: BlockEncrypt<N>, const N: usize, const BURNS: bool> BlockEncrypt<N> for Singly<C, BURNS> {
    fn encrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth {
        self.each(blocks, C::encrypt_block)
    }
}

impl<C: BlockDecrypt<N>, const N: usize, const BURNS: bool> BlockDecrypt<N> for Singly<C, BURNS> {
    fn decrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth {
        self.each(blocks, C::decrypt_block)
    }
}
