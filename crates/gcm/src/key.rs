//! What a key is expanded for besides the cipher's own schedule, and the dispatch to the ways of
//! computing GCM (SP 800-38D).
//!
//! The hash subkey is H = E(0^128).
//!
//! Constant time: as the kernel. That a tag is wrong may be seen from the time it takes to undo the
//! decryption; it is the result of the call.

use crate::message::{Message, j_0};
use crate::{Depth, Kernel, two_pass};
use cinder_block::BlockEncrypt;
use cinder_ghash::GhashKey;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::{Stitched, x86_stitched};

/// The expansion of H, and the kernel that it is for.
pub(crate) struct GcmKey {
    hash: GhashKey,
    kernel: Kernel,
}

/// Whether a call encrypts or decrypts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Seal,
    Open,
}

impl GcmKey {
    /// No key yet: H = 0, which protects nothing. Safe to move.
    pub(crate) const fn vacant() -> Self {
        let kernel = Kernel::TwoPass(cinder_ghash::Kernel::Portable64);
        GcmKey { hash: GhashKey::vacant(), kernel }
    }

    /// Expands the cipher's H in place, for the best kernel that goes with it.
    pub(crate) fn rekey<C: BlockEncrypt<16> + ?Sized>(&mut self, cipher: &C) -> Depth {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(kernel) = Stitched::best()
            && let Some(depth) = self.rekey_with_kernel(cipher, Kernel::Stitched(kernel))
        {
            return depth;
        }
        let ghash = cinder_ghash::Kernel::best();
        self.expand(cipher, Kernel::TwoPass(ghash), ghash)
    }

    /// Expands the cipher's H in place, for the given kernel. `None`, and nothing has changed, if
    /// the kernel does not go with the cipher.
    pub(crate) fn rekey_with_kernel<C: BlockEncrypt<16> + ?Sized>(
        &mut self,
        cipher: &C,
        kernel: Kernel,
    ) -> Option<Depth> {
        match kernel {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Stitched(stitched) => {
                round_keys(cipher)?;
                Some(self.expand(cipher, kernel, stitched.ghash()))
            }
            Kernel::TwoPass(ghash) => Some(self.expand(cipher, kernel, ghash)),
        }
    }

    #[inline(never)]
    fn expand<C: BlockEncrypt<16> + ?Sized>(
        &mut self,
        cipher: &C,
        kernel: Kernel,
        ghash: cinder_ghash::Kernel,
    ) -> Depth {
        let mut h = [0; 16];
        let depth = Depth::here().max(cipher.encrypt_block(&mut h));
        self.kernel = kernel;
        depth.max(self.hash.rekey_with_kernel(&h, ghash))
    }

    /// The kernel that H is expanded for.
    pub(crate) fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Seals a message whose arguments were checked. `message.input`, where there is one, is
    /// copied to `data` first.
    #[inline]
    pub(crate) fn seal<C: BlockEncrypt<16> + ?Sized>(
        &self,
        cipher: &C,
        message: &Message<'_>,
        data: &mut [u8],
        tag: &mut [u8],
    ) -> Depth {
        match self.kernel {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Stitched(kernel) => {
                x86_stitched::seal(kernel, &self.hash, kept(cipher), message, data, tag)
            }
            Kernel::TwoPass(_) => two_pass::seal(cipher, &self.hash, message, data, tag),
        }
    }

    /// Opens a message whose arguments were checked. If it does not verify, `data` is to be given
    /// to [`undo`](Self::undo) or wiped.
    #[inline]
    pub(crate) fn open<C: BlockEncrypt<16> + ?Sized>(
        &self,
        cipher: &C,
        message: &Message<'_>,
        data: &mut [u8],
        tag: &[u8],
    ) -> (bool, Depth) {
        match self.kernel {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Stitched(kernel) => {
                x86_stitched::open(kernel, &self.hash, kept(cipher), message, data, tag)
            }
            Kernel::TwoPass(_) => two_pass::open(cipher, &self.hash, message, data, tag),
        }
    }

    /// Makes `data` what it was before [`open`](Self::open) found that it does not verify: sealed
    /// again, the text is the ciphertext. Two passes decrypt only what verified.
    #[inline]
    #[cfg_attr(
        not(all(target_arch = "x86_64", target_feature = "sse2")),
        expect(unused_variables, reason = "two passes decrypt only what verified")
    )]
    pub(crate) fn undo<C: BlockEncrypt<16> + ?Sized>(
        &self,
        cipher: &C,
        message: &Message<'_>,
        data: &mut [u8],
    ) -> Depth {
        match self.kernel {
            Kernel::TwoPass(_) => Depth::NONE,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Stitched(_) => self.seal(cipher, message, data, &mut []),
        }
    }

    /// For streams: J_0.
    pub(crate) fn j_0(&self, iv: &[u8], block: &mut [u8; 16]) -> Depth {
        j_0(&self.hash, iv, block)
    }

    /// For streams: hashes bytes padded with zeros to whole blocks.
    pub(crate) fn hash(&self, y: &mut [u8; 16], bytes: &[u8]) -> Depth {
        self.hash.update_padded(y, bytes)
    }

    /// For streams: counter mode on whole blocks, and GHASH of the ciphertext.
    pub(crate) fn blocks<C: BlockEncrypt<16> + ?Sized>(
        &self,
        cipher: &C,
        direction: Direction,
        counter: &mut [u8; 16],
        y: &mut [u8; 16],
        blocks: &mut [[u8; 16]],
    ) -> Depth {
        match self.kernel {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Stitched(kernel) => x86_stitched::blocks(
                kernel,
                &self.hash,
                kept(cipher),
                direction,
                counter,
                y,
                blocks,
            ),
            Kernel::TwoPass(_) => {
                two_pass::blocks(cipher, &self.hash, direction, counter, y, blocks)
            }
        }
    }
}

/// The round keys, if the cipher offers them and their count is one of AES.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn round_keys<C: BlockEncrypt<16> + ?Sized>(cipher: &C) -> Option<&[[u8; 16]]> {
    let round_keys = cipher.aes_round_keys()?;
    matches!(round_keys.len(), 11 | 13 | 15).then_some(round_keys)
}

/// The same when H has been expanded for a kernel that needs them.
///
/// # Panics
///
/// If the cipher does not offer them any more. To go on with any other H would be to sign with no
/// key.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn kept<C: BlockEncrypt<16> + ?Sized>(cipher: &C) -> &[[u8; 16]] {
    round_keys(cipher).expect("a cipher took back its round keys")
}
