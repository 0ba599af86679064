//! GHASH: the key and the state, on the heap. Its result is returned by value, as RustCrypto has it.
//!
//! Constant time: yes.

#![allow(dead_code, reason = "for RustCrypto's traits, each behind its feature")]

use crate::boxed::Boxed;
use cinder_block::Depth;
use cinder_ghash::GhashKey;
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// GHASH, the universal hash of GCM: a key of 16 bytes, and what was hashed so far.
///
/// Its result goes together with the message to the key, and RustCrypto's `finalize` returns it by
/// value: what that leaves on the stack is the caller's.
pub struct GHash(Boxed<State>);

struct State {
    key: GhashKey,
    y: [u8; 16],
}

impl GHash {
    pub(crate) fn key(h: &[u8; 16]) -> Self {
        let mut state = Boxed::new(|| State { key: GhashKey::vacant(), y: [0; 16] });
        cinder_burn::scope(|| ((), state.key.rekey(h)));
        GHash(state)
    }

    /// The caller burns.
    pub(crate) fn blocks(&mut self, blocks: &[[u8; 16]]) -> Depth {
        let state = &mut *self.0;
        state.key.update_blocks(&mut state.y, blocks)
    }

    pub(crate) fn result(&self) -> &[u8; 16] {
        &self.0.y
    }

    pub(crate) fn clear(&mut self) {
        cinder_burn::wipe(&mut self.0.y);
    }
}

impl ZeroizeOnDrop for GHash {}

impl fmt::Debug for GHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GHash").finish_non_exhaustive()
    }
}

/// The traits of one generation: the crate, its array of 16 bytes as an array of Rust's, and back.
#[allow(unused_macros, reason = "for RustCrypto's traits, each behind its feature")]
macro_rules! universal_hash {
    ($hash:ident, $common:ident, $block:ident => $core:expr) => {
        use crate::GHash;
        use $hash::consts::{U8, U16};
        use $hash::$common::{BlockSizeUser, KeySizeUser, ParBlocksSizeUser};
        use $hash::{Block, Key, KeyInit, ParBlocks, Reset, UhfBackend, UhfClosure, UniversalHash};

        pub use $hash as universal_hash;

        impl KeySizeUser for GHash {
            type KeySize = U16;
        }

        impl KeyInit for GHash {
            fn new($block: &Key<Self>) -> Self {
                GHash::key($core)
            }
        }

        impl BlockSizeUser for GHash {
            type BlockSize = U16;
        }

        impl UniversalHash for GHash {
            fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = U16>) {
                cinder_burn::scope(|| {
                    let mut backend = Backend { hash: self, depth: cinder_block::Depth::here() };
                    f.call(&mut backend);
                    ((), backend.depth)
                });
            }

            fn finalize(self) -> Block<Self> {
                (*self.result()).into()
            }
        }

        impl Reset for GHash {
            fn reset(&mut self) {
                self.clear();
            }
        }

        struct Backend<'a> {
            hash: &'a mut GHash,
            depth: cinder_block::Depth,
        }

        impl BlockSizeUser for Backend<'_> {
            type BlockSize = U16;
        }

        impl ParBlocksSizeUser for Backend<'_> {
            type ParBlocksSize = U8;
        }

        impl UhfBackend for Backend<'_> {
            fn proc_block(&mut self, $block: &Block<Self>) {
                let depth = self.hash.blocks(core::slice::from_ref($core));
                self.depth = self.depth.max(depth).max(cinder_block::Depth::here());
            }

            fn proc_par_blocks(&mut self, blocks: &ParBlocks<Self>) {
                let mut copies = [[0; 16]; 8];
                for (copy, block) in copies.iter_mut().zip(blocks) {
                    copy.copy_from_slice(block);
                }
                let depth = self.hash.blocks(&copies);
                self.depth = self.depth.max(depth).max(cinder_block::Depth::here());
            }
        }
    };
}
#[allow(unused_imports, reason = "for RustCrypto's traits, each behind its feature")]
pub(crate) use universal_hash;
