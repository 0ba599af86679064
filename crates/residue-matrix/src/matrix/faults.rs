//! Code of a user's that panics in the middle of an operation.

use cinder_block::{BlockDecrypt, BlockEncrypt, Depth};
use std::cell::Cell;
use std::hint::black_box;
use std::panic;
use std::sync::Once;

/// What the panics here carry.
struct OnPurpose;

/// Panics as `panic!` does, but with nothing printed.
pub(super) fn panic_on_purpose() -> ! {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !info.payload().is::<OnPurpose>() {
                others(info);
            }
        }));
    });
    panic::panic_any(OnPurpose)
}

/// A user's cipher that panics when it has done as many blocks as it is told. It has a copy of a
/// block in its own frame then, and it keeps the modes to what every cipher has.
pub(super) struct Panics<'c, C> {
    cipher: &'c C,
    left: Cell<usize>,
}

impl<'c, C> Panics<'c, C> {
    pub(super) fn new(cipher: &'c C) -> Self {
        Panics { cipher, left: Cell::new(usize::MAX) }
    }

    /// To panic after so many blocks.
    pub(super) fn after(&self, blocks: usize) {
        self.left.set(blocks);
    }

    #[inline(never)]
    fn work<const N: usize>(
        &self,
        blocks: &mut [[u8; N]],
        f: impl Fn(&C, &mut [[u8; N]]) -> Depth,
    ) -> Depth {
        let now = self.left.get().min(blocks.len());
        self.left.set(self.left.get() - now);
        let depth = f(self.cipher, &mut blocks[..now]);
        if now < blocks.len() {
            let mut copy = [0; N];
            let _ = black_box(f(self.cipher, std::slice::from_mut(&mut copy)));
            black_box(&mut copy);
            panic_on_purpose();
        }
        depth.max(Depth::here())
    }
}

impl<C: BlockEncrypt<N>, const N: usize> BlockEncrypt<N> for Panics<'_, C> {
    fn encrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth {
        self.work(blocks, C::encrypt_blocks)
    }
}

impl<C: BlockDecrypt<N>, const N: usize> BlockDecrypt<N> for Panics<'_, C> {
    fn decrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth {
        self.work(blocks, C::decrypt_blocks)
    }
}
