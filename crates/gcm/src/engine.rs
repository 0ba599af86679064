//! What a key is expanded for besides the cipher's own schedule: the dispatch to the ways of
//! computing GCM.
//!
//! The hash subkey is H = E(0^128).

use crate::Depth;
use crate::two_pass::{self, Message};
use block::BlockEncrypt;
use ghash::{GhashKey, Kernel};

/// A way to compute GCM, and its expansion of H.
pub(crate) enum Engine {
    /// Counter mode and GHASH, one after the other. Works with every cipher.
    TwoPass(GhashKey),
}

impl Engine {
    /// No key yet. Safe to move.
    pub(crate) const fn vacant() -> Self {
        Engine::TwoPass(GhashKey::vacant())
    }

    /// Expands the cipher's H in place, for the best engine there is.
    pub(crate) fn rekey<C: BlockEncrypt<16> + ?Sized>(&mut self, cipher: &C) -> Depth {
        self.rekey_two_pass(cipher, Kernel::best())
    }

    /// Expands the cipher's H in place, for two passes with the given GHASH.
    #[inline(never)]
    pub(crate) fn rekey_two_pass<C: BlockEncrypt<16> + ?Sized>(
        &mut self,
        cipher: &C,
        kernel: Kernel,
    ) -> Depth {
        let mut h = [0; 16];
        let depth = Depth::here().max(cipher.encrypt_block(&mut h));
        let Engine::TwoPass(hash) = self;
        depth.max(hash.rekey_with_kernel(&h, kernel))
    }

    /// The kernel of GHASH.
    pub(crate) fn kernel(&self) -> Kernel {
        let Engine::TwoPass(hash) = self;
        hash.kernel()
    }

    /// Seals a message whose arguments were checked. `message.input`, where there is one, is
    /// copied to `data` first.
    pub(crate) fn seal<C: BlockEncrypt<16> + ?Sized>(
        &self,
        cipher: &C,
        message: &Message<'_>,
        data: &mut [u8],
        tag: &mut [u8],
    ) -> Depth {
        let Engine::TwoPass(hash) = self;
        two_pass::seal(cipher, hash, message, data, tag)
    }

    /// Opens a message whose arguments were checked. If it does not verify, `data` holds what it
    /// held before.
    pub(crate) fn open<C: BlockEncrypt<16> + ?Sized>(
        &self,
        cipher: &C,
        message: &Message<'_>,
        data: &mut [u8],
        tag: &[u8],
    ) -> (bool, Depth) {
        let Engine::TwoPass(hash) = self;
        two_pass::open(cipher, hash, message, data, tag)
    }

    /// For streams: J_0.
    pub(crate) fn counter_0(&self, iv: &[u8], j_0: &mut [u8; 16]) -> Depth {
        let Engine::TwoPass(hash) = self;
        two_pass::counter_0(hash, iv, j_0)
    }

    /// For streams: hashes bytes padded with zeros to whole blocks.
    pub(crate) fn hash_padded(&self, bytes: &[u8], y: &mut [u8; 16]) -> Depth {
        let Engine::TwoPass(hash) = self;
        two_pass::hash_padded(hash, bytes, y)
    }

    /// For streams: hashes whole blocks.
    pub(crate) fn hash_blocks(&self, y: &mut [u8; 16], blocks: &[[u8; 16]]) -> Depth {
        let Engine::TwoPass(hash) = self;
        hash.update_blocks(y, blocks)
    }

    /// For streams: encrypts whole blocks and hashes the ciphertext.
    pub(crate) fn encrypt_blocks<C: BlockEncrypt<16> + ?Sized>(
        &self,
        cipher: &C,
        counter: &mut [u8; 16],
        y: &mut [u8; 16],
        blocks: &mut [[u8; 16]],
    ) -> Depth {
        let mut depth = Depth::here();
        for step in blocks.chunks_mut(two_pass::STEP / 16) {
            depth = depth.max(cipher.ctr_xor(counter, step));
            depth = depth.max(self.hash_blocks(y, step));
        }
        depth
    }

    /// For streams: hashes whole blocks of ciphertext and decrypts them.
    pub(crate) fn decrypt_blocks<C: BlockEncrypt<16> + ?Sized>(
        &self,
        cipher: &C,
        counter: &mut [u8; 16],
        y: &mut [u8; 16],
        blocks: &mut [[u8; 16]],
    ) -> Depth {
        let mut depth = Depth::here();
        for step in blocks.chunks_mut(two_pass::STEP / 16) {
            depth = depth.max(self.hash_blocks(y, step));
            depth = depth.max(cipher.ctr_xor(counter, step));
        }
        depth
    }
}
