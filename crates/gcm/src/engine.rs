//! What a key is expanded for besides the cipher's own schedule: the dispatch to the ways of
//! computing GCM.
//!
//! The hash subkey is H = E(0^128).

use crate::two_pass::{self, Message};
use crate::{Depth, Kernel};
use cinder_block::BlockEncrypt;
use cinder_ghash::GhashKey;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::{one_pass, x86_stitched};

/// A way to compute GCM, and its expansion of H. One at a time, so that one is wiped.
#[cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2")),
    expect(clippy::large_enum_variant, reason = "every key is of the large one")
)]
pub(crate) enum Engine {
    /// No key yet. Setting up a key has nothing to wipe then.
    Vacant,
    /// Counter mode and GHASH, one after the other. Works with every cipher.
    TwoPass(GhashKey),
    /// AES and GHASH interleaved.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Stitched(x86_stitched::Key),
}

/// H = 0: a vacant key computes something, too, and protects nothing.
static VACANT: GhashKey = GhashKey::vacant();

/// The expansion, to be used.
enum Way<'a> {
    TwoPass(&'a GhashKey),
    /// With the round keys.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Stitched(x86_stitched::Keyed<'a>, &'a [[u8; 16]]),
}

impl Engine {
    /// No key yet. Safe to move.
    pub(crate) const fn vacant() -> Self {
        Engine::Vacant
    }

    /// Expands the cipher's H in place, for the best kernel that goes with it.
    pub(crate) fn rekey<C: BlockEncrypt<16> + ?Sized>(&mut self, cipher: &C) -> Depth {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(round_keys) = one_pass::round_keys(cipher)
            && let Some(kernel) = x86_stitched::Kernel::best()
        {
            return self.rekey_stitched(round_keys, kernel);
        }
        self.rekey_two_pass(cipher, cinder_ghash::Kernel::best())
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
            Kernel::Stitched(kernel) => {
                Some(self.rekey_stitched(one_pass::round_keys(cipher)?, kernel))
            }
            Kernel::TwoPass(ghash) => Some(self.rekey_two_pass(cipher, ghash)),
        }
    }

    #[inline(never)]
    fn rekey_two_pass<C: BlockEncrypt<16> + ?Sized>(
        &mut self,
        cipher: &C,
        kernel: cinder_ghash::Kernel,
    ) -> Depth {
        let mut h = [0; 16];
        let depth = Depth::here().max(cipher.encrypt_block(&mut h));
        let hash = match self {
            Engine::TwoPass(hash) => hash,
            other => {
                // The former expansion drops where it stands, which wipes it; zeros move in. From a
                // constant, or padding would bring something of the stack along, where the
                // cipher's key was set up a moment ago.
                *other = const { Engine::TwoPass(GhashKey::vacant()) };
                match other {
                    Engine::TwoPass(hash) => hash,
                    _ => return depth,
                }
            }
        };
        depth.max(hash.rekey_with_kernel(&h, kernel))
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    fn rekey_stitched(&mut self, round_keys: &[[u8; 16]], kernel: x86_stitched::Kernel) -> Depth {
        if !matches!(self, Engine::Stitched(key) if key.kernel() == Some(kernel)) {
            // A constant, as above.
            *self = const { Engine::Stitched(x86_stitched::Key::vacant()) };
        }
        match self {
            Engine::Stitched(key) => Depth::here().max(key.rekey(kernel, round_keys)),
            _ => Depth::here(),
        }
    }

    /// The kernel that H is expanded for.
    pub(crate) fn kernel(&self) -> Kernel {
        match self {
            Engine::Vacant => Kernel::TwoPass(VACANT.kernel()),
            Engine::TwoPass(hash) => Kernel::TwoPass(hash.kernel()),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Engine::Stitched(key) => match key.kernel() {
                Some(kernel) => Kernel::Stitched(kernel),
                None => Kernel::TwoPass(VACANT.kernel()),
            },
        }
    }

    /// # Panics
    ///
    /// If the cipher offered its round keys when H was expanded and does not any more.
    #[inline(always)]
    #[cfg_attr(
        not(all(target_arch = "x86_64", target_feature = "sse2")),
        expect(unused_variables, reason = "no kernel here asks for round keys")
    )]
    fn way<'a, C: BlockEncrypt<16> + ?Sized>(&'a self, cipher: &'a C) -> Way<'a> {
        match self {
            Engine::Vacant => Way::TwoPass(&VACANT),
            Engine::TwoPass(hash) => Way::TwoPass(hash),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Engine::Stitched(key) => match (key.keyed(), cipher.aes_round_keys()) {
                (None, _) => Way::TwoPass(&VACANT),
                (Some(keyed), Some(round_keys)) => Way::Stitched(keyed, round_keys),
                // To go on with any other H would be to sign with no key.
                (Some(_), None) => panic!("a cipher took back its round keys"),
            },
        }
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
        match self.way(cipher) {
            Way::TwoPass(hash) => two_pass::seal(cipher, hash, message, data, tag),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Way::Stitched(key, round_keys) => one_pass::seal(key, round_keys, message, data, tag),
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
        match self.way(cipher) {
            Way::TwoPass(hash) => two_pass::open(cipher, hash, message, data, tag),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Way::Stitched(key, round_keys) => one_pass::open(key, round_keys, message, data, tag),
        }
    }

    /// Makes `data` what it was before [`open`](Self::open) found that it does not verify.
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
        match self.way(cipher) {
            Way::TwoPass(_) => Depth::NONE,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Way::Stitched(key, round_keys) => {
                // Sealed again, the text is the ciphertext. The tag is of no use.
                let mut tag = [0; 16];
                Depth::here().max(one_pass::seal(key, round_keys, message, data, &mut tag))
            }
        }
    }

    /// For streams: J_0.
    pub(crate) fn counter_0<C: BlockEncrypt<16> + ?Sized>(
        &self,
        cipher: &C,
        iv: &[u8],
        j_0: &mut [u8; 16],
    ) -> Depth {
        match self.way(cipher) {
            Way::TwoPass(hash) => two_pass::counter_0(hash, iv, j_0),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Way::Stitched(key, _) => one_pass::counter_0(key, iv, j_0),
        }
    }

    /// For streams: hashes bytes padded with zeros to whole blocks.
    pub(crate) fn hash_padded<C: BlockEncrypt<16> + ?Sized>(
        &self,
        cipher: &C,
        bytes: &[u8],
        y: &mut [u8; 16],
    ) -> Depth {
        match self.way(cipher) {
            Way::TwoPass(hash) => two_pass::hash_padded(hash, bytes, y),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Way::Stitched(key, _) => key.hash(y, bytes),
        }
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
        match self.way(cipher) {
            Way::TwoPass(hash) => {
                for step in blocks.chunks_mut(two_pass::STEP / 16) {
                    depth = depth.max(cipher.ctr_xor(counter, step));
                    depth = depth.max(hash.update_blocks(y, step));
                }
                depth
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Way::Stitched(key, round_keys) => {
                depth.max(key.encrypt_blocks(round_keys, counter, y, blocks))
            }
        }
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
        match self.way(cipher) {
            Way::TwoPass(hash) => {
                for step in blocks.chunks_mut(two_pass::STEP / 16) {
                    depth = depth.max(hash.update_blocks(y, step));
                    depth = depth.max(cipher.ctr_xor(counter, step));
                }
                depth
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Way::Stitched(key, round_keys) => {
                depth.max(key.decrypt_blocks(round_keys, counter, y, blocks))
            }
        }
    }
}
