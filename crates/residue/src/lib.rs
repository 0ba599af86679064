//! Finds what an operation leaves behind on the dead stack and in registers.
//!
//! The operation runs on a private stack that is painted beforehand. A trampoline in assembly
//! stores all vector registers and the general registers that a callee may use freely, the
//! instant the operation returns. Then every byte of that stack and of those registers is looked
//! at in two ways:
//!
//! - **Windows**: 4 bytes in a row of a secret that the caller names (a key, a round key,
//!   keystream, plaintext).
//! - **Differential**: the same is done with six keys, everything else being equal. A byte that
//!   changes with the key is residue, whatever it means; this finds bitsliced keys and sums of
//!   secrets too.
//!
//! Not counted are bytes that belong to outputs which the caller names as public (ciphertext, a
//! tag), if four or more stand in a row, and in the differential search bytes that vary between
//! runs with the same key. A window counts if it is seen at the same place with two keys,
//! so that a pointer that looks like four bytes of a key does not.
//!
//! ```
//! # if !residue::supported() { return }
//! let report = residue::scan(|trial| {
//!     let key = trial.key::<16>();
//!     trial.secret("key", &key);
//!     trial.watch("leaky", || leaky(&key));
//!     trial.watch("clean", || burn::scope(|| (leaky(&key), burn::Depth::here().deeper(512))));
//! });
//! assert!(report.step("leaky").total() >= 16);
//! assert!(report.step("clean").is_clean());
//!
//! /// Copies the key into its frame, and forgets it there.
//! #[inline(never)]
//! fn leaky(key: &[u8; 16]) {
//!     let mut copy = *key;
//!     std::hint::black_box(&mut copy);
//! }
//! ```
//!
//! It works on x86-64 (zmm, ymm or xmm registers as the CPU has them, mask registers), aarch64
//! (v0 to v31) and 32-bit ARM under Linux (d0 to d31, or d0 to d15 without NEON), see
//! [`supported`]. Signals and other threads are not its business; it looks at one call.

mod analysis;
mod arch;
mod ciphers;
pub mod depths;
pub mod frames;
pub mod matrix;
mod stack;

pub use analysis::{Finding, Place, Report, Step};

use analysis::{Evidence, Snapshot};
use stack::Stack;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Different keys in one scan.
pub const KEYS: usize = 6;
/// Runs with each key, if nothing is found.
const ROUNDS: usize = 2;
/// Runs with each key to be sure of a finding. An address that takes one of two values by chance
/// has one chance in 64 to look like a function of the key in two rounds, and none to speak of in
/// six.
const MORE_ROUNDS: usize = 6;

/// Whether there is a scanner for this target.
pub fn supported() -> bool {
    arch::SUPPORTED
}

/// Runs `trial` with six keys, twice each (six times, if something is found), and says what its watched steps left behind.
///
/// `trial` must do the same each time but for the key.
///
/// # Panics
///
/// Panics on a target without a scanner, if the trials do not watch the same steps, if an
/// operation needs more than the private stack, and if an operation panics.
pub fn scan(mut trial: impl FnMut(&mut Trial)) -> Report {
    assert!(supported(), "no residue scanner for this target");
    let mut stack = Stack::new();
    let mut evidence = Vec::with_capacity(KEYS * MORE_ROUNDS);
    let mut rounds = |rounds: Range<usize>| {
        for round in rounds {
            for i in 0..KEYS {
                // Another order each round, so that what goes by the order is not taken for what
                // goes by the key.
                let key = if round % 2 == 0 { (i + round) % KEYS } else { KEYS - 1 - i };
                let mut this =
                    Trial { stack: &mut stack, key, evidence: Evidence::new(key, round) };
                trial(&mut this);
                evidence.push(this.evidence);
            }
        }
        analysis::analyse(&evidence)
    };
    let report = rounds(0..ROUNDS);
    if report.is_clean() { report } else { rounds(ROUNDS..MORE_ROUNDS) }
}

/// One run of all steps with one key.
pub struct Trial<'a> {
    stack: &'a mut Stack,
    key: usize,
    evidence: Evidence,
}

impl Trial<'_> {
    /// Pseudo-random bytes that differ from key to key.
    pub fn key<const N: usize>(&self) -> [u8; N] {
        let mut key = [0; N];
        fill(self.key as u64 + 1, &mut key);
        key
    }

    /// Pseudo-random bytes that are the same in every trial: a message, an IV.
    pub fn fixed(&self, seed: u64, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        fill(seed + 1000, &mut bytes);
        bytes
    }

    /// Runs `f` on the private stack and stores what it left. `step` is a name for the report.
    ///
    /// `f` should capture references, and return nothing secret: both pass over the private
    /// stack outside of the operation.
    ///
    /// # Panics
    ///
    /// If `f` does.
    pub fn watch<R>(&mut self, step: &'static str, f: impl FnOnce() -> R) -> R {
        self.run(step, f).unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// The same for an operation that is meant to panic: the panic is caught on the private
    /// stack, and what lies there then is looked at.
    ///
    /// # Panics
    ///
    /// If `f` does not.
    pub fn watch_panic<R>(&mut self, step: &'static str, f: impl FnOnce() -> R) {
        assert!(self.run(step, f).is_err(), "{step}: a panic was expected");
    }

    /// Names a secret: 4 bytes of it in a row are residue.
    pub fn secret(&mut self, name: &'static str, bytes: &[u8]) {
        self.evidence.secrets.push((name, bytes.to_vec()));
    }

    /// Names an output that may lie anywhere.
    pub fn public(&mut self, bytes: &[u8]) {
        self.evidence.public.push(("", bytes.to_vec()));
    }

    fn run<R>(&mut self, step: &'static str, f: impl FnOnce() -> R) -> std::thread::Result<R> {
        let mut result = None;
        let mut registers = arch::Registers([0; arch::Registers::SIZE]);
        self.stack.run(|| result = Some(catch_unwind(AssertUnwindSafe(f))), &mut registers);
        let stack = self.stack.take_dirty();
        self.evidence.snapshots.push(Snapshot::new(step, stack, &registers));
        result.expect("the closure has run")
    }
}

impl std::fmt::Debug for Trial<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trial").field("key", &self.key).finish_non_exhaustive()
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
fn fill(seed: u64, bytes: &mut [u8]) {
    let mut state = seed.wrapping_mul(0xd1b5_4a32_d192_ed03);
    for chunk in bytes.chunks_mut(8) {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        chunk.copy_from_slice(&z.to_le_bytes()[..chunk.len()]);
    }
}
