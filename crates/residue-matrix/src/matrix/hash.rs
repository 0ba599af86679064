//! GHASH by itself, on each of its kernels.

use super::boxed;
use super::{Matrix, secrets};
use cinder_ghash::{Ghash, GhashKey, Kernel};
use cinder_residue::scan;

impl Matrix<'_> {
    pub(super) fn ghash(&mut self) {
        for kernel in Kernel::available() {
            if (self.filter)("GHASH", "hash", kernel.name()) {
                self.ghash_on(kernel);
            }
        }
    }

    fn ghash_on(&mut self, kernel: Kernel) {
        let lengths = self.extent.lengths();
        let report = scan(|trial| {
            let h = trial.key::<16>();
            secrets::name_powers(trial, &h);
            let text = trial.message(1, lengths.iter().copied().max().unwrap_or(0));
            trial.secret("text", &text);
            let mut key = Box::new(GhashKey::vacant());
            trial.watch("setup", || cinder_burn::scope(|| ((), key.rekey_with_kernel(&h, kernel))));
            let mut hash = boxed(|| Ghash::new(&key));
            for &len in lengths {
                let (blocks, _) = text[..len].as_chunks();
                // Odd pieces are padded, each by itself.
                let (odd, rest) = text[..len].split_at(len / 3);
                for piece in [odd, rest, &[]] {
                    trial
                        .watch("update", || cinder_burn::scope(|| ((), hash.update_padded(piece))));
                }
                trial.watch("update", || cinder_burn::scope(|| ((), hash.update_blocks(blocks))));
                let mut y = [0; 16];
                trial.watch("finish", || {
                    cinder_burn::scope(|| {
                        let depth = hash.update_lengths(0, 8 * len as u64);
                        hash.tag(&mut y);
                        ((), depth)
                    });
                });
                trial.secret("Y", &y);
                trial.watch("reset", || hash.reset());
            }
            cinder_burn::burn(hash.update_blocks(&[[0x36; 16]]));
            trial.watch("drop", || drop(hash));
            trial.watch("drop", || drop(key));
        });
        self.cells("GHASH", "hash", kernel.name(), &report);
    }
}
