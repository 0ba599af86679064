//! Finds what an operation leaves behind on the dead stack and in registers.
//!
//! The operation runs on a private stack that is painted beforehand. Assembly stores all registers
//! the instant the operation returns: those that a callee must give back while its caller still
//! runs, for a caller may keep there what the operation returned, dirty upper bits and all. With
//! [`Heap`] as the program's allocator the blocks that the operation frees are kept. Then every byte
//! of that stack, of those registers and of those blocks is looked at in two ways. It works for any
//! code that Rust can call; Cinder's ciphers are one use, in the crate `residue-matrix`.
//!
//! ```
//! # if !cinder_residue::supported() { return }
//! let report = cinder_residue::scan(|trial| {
//!     let key = trial.key::<16>();
//!     trial.secret("key", &key);
//!     trial.watch("leaky", || leaky(&key));
//!     trial.watch("clean", || cinder_burn::scope(|| (leaky(&key), cinder_burn::Depth::here().deeper(512))));
//! });
//! assert!(report.step("leaky").left.total() >= 16);
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
//! # Two detectors, and why both
//!
//! - **Windows**: 4 bytes in a row of a secret that the caller names (a key, a round key,
//!   keystream, plaintext).
//! - **Differential**: the same is done with six keys, everything else being equal. A byte that
//!   changes with the key is residue, whatever it means.
//!
//! Each sees what the other cannot. A bitsliced key, a sum of two round keys, half a product are
//! no text that anyone could name, but they change with the key. A plaintext that is the same in
//! every trial never changes, but its name is known; and a window says what has leaked. One bit
//! that depends on the key is equal for all six keys once in 32 times; a byte practically never.
//!
//! # What is masked, and why
//!
//! - **Public outputs** that the caller names, if 4 or more bytes stand in a row, each time: a
//!   ciphertext changes with the key and is no secret. Fewer bytes could be anything, so they
//!   count. The windows of named secrets count even where they are public, too.
//! - **Noise**, in the differential search: a byte that varies between runs with the same key says
//!   nothing about the key (a pointer, a counter, a clock). Each key runs twice, in another order;
//!   if anything is found, six times, so that chance does not look like a leak.
//! - **A window seen with one key only**: a pointer may look like 4 bytes of a key. It counts if
//!   it is seen at the same place with two keys.
//! - **Four equal bytes** are no window: they are padding more often than a secret.
//!
//! # Scanning your own crate
//!
//! 1. Depend on this crate under `[dev-dependencies]`, and write a test that calls [`scan`].
//! 2. In the closure, take the key from [`Trial::key`] and all else that the operation needs from
//!    [`Trial::fixed`]. Nothing but the key may differ from trial to trial.
//! 3. Name the secrets with [`Trial::secret`] and the public outputs with [`Trial::public`], before
//!    or after the operation, as they become known.
//! 4. Run each step in [`Trial::watch`]: set-up, encryption, decryption, drop, and each failure. A
//!    step that must panic goes through [`Trial::watch_panic`].
//! 5. Assert [`Report::is_clean`], and print the report if it is not: it says where the residue lies
//!    and which secret it is.
//! 6. Run the test in each profile that you ship. Depths of frames, inlining and spilled registers
//!    differ from build to build, and the scanner sees only the build that it is in.
//!
//! ```
//! # if !cinder_residue::supported() { return }
//! use cinder_block::{Aes256, Slot};
//!
//! let report = cinder_residue::scan(|trial| {
//!     let key = trial.key::<32>();
//!     let text = trial.message(1, 100);
//!     trial.secret("key", &key);
//!     trial.secret("plaintext", &text);
//!
//!     let mut slot = Box::new(Slot::<Aes256>::empty());
//!     trial.watch("set-up", || slot.init(&key).is_ok());
//!     let aes = slot.cipher().expect("32 bytes are a key");
//!
//!     let mut data = text.clone();
//!     let mut cfb = Box::new(cinder_modes::cfb::Encryptor::new(aes, &[0x36; 16]));
//!     trial.watch("encrypt", || cfb.encrypt(&mut data));
//!     trial.public(&data);
//!
//!     trial.watch("drop the mode", || drop(cfb));
//!     trial.watch("drop the key", || slot.clear());
//! });
//! assert!(report.is_clean(), "{report}");
//! ```
//!
//! ## Secrets and public outputs
//!
//! Name as a secret all that you could write down: the key, round keys, tables made from the key,
//! the hash key of a MAC, keystream, plaintext, in the byte order in which the code holds them. What
//! you forget is found by the differential search if it depends on the key, or on a plaintext from
//! [`Trial::message`], which differs with the key. A secret that is the same in each trial must be
//! named.
//!
//! Name as public only what an attacker has anyway: ciphertext, tags, IVs that depend on the key. A
//! plaintext is not public because the caller has it.
//!
//! ## A fair operation
//!
//! The closure that is watched runs on the private stack, so what it does itself is part of the
//! operation:
//!
//! - It captures references only. A key that is captured by value is moved over the private stack.
//! - It returns nothing secret: unit, a bool, a length, a result without secrets.
//! - Keys, states and buffers live outside: in the trial's frame or in a box, which are not
//!   scanned. A cipher that is made inside, by value, is moved there, and the copies count. Count
//!   them if that is how your users call it.
//! - It does the same for each key: the same lengths, the same branches.
//!
//! # Proving that the scanner sees
//!
//! A scanner that finds nothing may be blind. [`controls::run`] leaves 4 bytes of a key in each kind of
//! place that the CPU has, and checks that they are found. To see that your own test can fail, plant
//! a leak in what it watches:
//!
//! ```
//! # if !cinder_residue::supported() { return }
//! let report = cinder_residue::scan(|trial| {
//!     let key = trial.key::<16>();
//!     trial.secret("key", &key);
//!     trial.watch("planted", || plant(&key));
//! });
//! let step = report.step("planted");
//! assert!(step.left.stack >= 4, "{report}");
//! assert!(step.findings.iter().any(|finding| finding.secret == Some("key")));
//!
//! /// 4 bytes of the key, in a frame that is given up.
//! #[inline(never)]
//! fn plant(key: &[u8; 16]) {
//!     let mut frame = [0; 64];
//!     frame[20..24].copy_from_slice(&key[4..8]);
//!     std::hint::black_box(&mut frame);
//! }
//! ```
//!
//! The example `leak` does it with a function that sorts a key. `cargo xtask residue` runs the
//! controls before each matrix, with a cipher that burns half as deep as it should, and RustCrypto's
//! ciphers after it, as what a leak looks like.
//!
//! # What it cannot see
//!
//! - Heap that is not freed, statics, thread-local memory: look at them in a test of their own,
//!   after the drop.
//! - Other stacks: of other threads, of signal handlers, of the caller above the closure.
//! - The registers that a callee must give back, in a build in which the closure is not inlined into
//!   what calls it: there the closure has restored them. An unoptimised build keeps nothing in them.
//! - x87, MMX, SVE and AMX registers, and flags.
//! - What was there and is gone when the operation returns.
//! - Fewer than 4 bytes of a fixed secret, a fixed secret that was not named, and what was computed
//!   from it.
//! - What varies by chance as well as with the key: an address-dependent permutation of a key, a
//!   key masked with fresh random bytes.
//! - What caches, swap and the operating system keep.
//!
//! # Targets, and qemu
//!
//! It works on x86-64 (zmm, ymm or xmm registers as the CPU has them, mask registers), aarch64
//! (v0 to v31) and 32-bit ARM under Linux (d0 to d31, or d0 to d15 without NEON), see
//! [`supported`]. qemu's user mode emulates the stack and the registers exactly, so a scan under it
//! is as good as one on the machine:
//!
//! ```text
//! cargo test --target armv7-unknown-linux-gnueabihf --config \
//!   'target.armv7-unknown-linux-gnueabihf.linker="arm-linux-gnueabihf-gcc"' --config \
//!   'target.armv7-unknown-linux-gnueabihf.runner="qemu-arm -L /usr/arm-linux-gnueabihf -cpu cortex-a8"'
//! ```
//!
//! `-cpu` chooses what the CPU has: `cortex-a8`, `cortex-a9,neon=off` and `max` differ in their
//! registers and in the kernels that they run.
//!
//! The interface is safe. An operation that needs more than its private stack of nearly 192 KiB dies
//! in a guard page below it, where the operating system is a Unix.

#![expect(unsafe_code, reason = "it reads dead stacks and registers")]

mod analysis;
mod arch;
pub mod controls;
mod heap;
mod observer;
mod stack;

pub use analysis::{Finding, Left, Place, Report, Step};
pub use heap::Heap;
pub use observer::{Observer, observe};

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

/// Runs `trial` with six keys, twice each (six times, if something is found), and says what its
/// watched steps left behind.
///
/// `trial` must do the same each time but for the key.
///
/// # Panics
///
/// On a target without a scanner, if the trials do not watch the same steps, if an operation uses
/// up its private stack of nearly 192 KiB, and if an operation panics. An operation that needs more
/// than that by far dies of a segmentation fault.
pub fn scan(mut trial: impl FnMut(&mut Trial)) -> Report {
    let observer = observer::get();
    let is_observed = observer.is_some();
    assert!(supported() || is_observed, "no residue scanner for this target");
    let mut stack = Stack::new();
    let mut evidence = Vec::with_capacity(KEYS * MORE_ROUNDS);
    let mut rounds = |rounds: Range<usize>| {
        for round in rounds {
            // An observer has nothing to compare.
            for i in 0..if is_observed { 1 } else { KEYS } {
                // Another order each round, so that what goes by the order is not taken for what
                // goes by the key.
                let key = if round % 2 == 0 { (i + round) % KEYS } else { KEYS - 1 - i };
                let key = observer.map_or(key, |observer| observer.key_number());
                let mut this =
                    Trial { stack: &mut stack, key, evidence: Evidence::new(key, round) };
                trial(&mut this);
                evidence.push(this.evidence);
            }
        }
        analysis::analyse(&evidence)
    };
    let report = rounds(0..if is_observed { 1 } else { ROUNDS });
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
        if let Some(observer) = observer::get() {
            observer.key(&mut key);
            observer.secret(&mut key);
        }
        key
    }

    /// A copy of a key that was chosen, as weak ones are.
    pub fn chosen(&self, key: &[u8]) -> Vec<u8> {
        let mut key = key.to_vec();
        observer::secret(&mut key);
        key
    }

    /// Which key this is, less than [`KEYS`]: to pick one from a table of special keys.
    pub fn key_number(&self) -> usize {
        self.key
    }

    /// Pseudo-random bytes that differ from key to key, `len` of them: a secret message. Of one that
    /// is the same each time four bytes may stand anywhere by chance, as part of a pointer, and
    /// stand there each time.
    pub fn message(&self, seed: u64, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        fill(seed + 1000 * (self.key as u64 + 2), &mut bytes);
        observer::secret(&mut bytes);
        bytes
    }

    /// Pseudo-random bytes that are the same in every trial: an IV, associated data.
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
    /// stack, and what lies there then is looked at. Does nothing in a build in which a panic
    /// aborts.
    ///
    /// # Panics
    ///
    /// If `f` does not.
    pub fn watch_panic<R>(&mut self, step: &'static str, f: impl FnOnce() -> R) {
        if cfg!(panic = "abort") {
            return;
        }
        assert!(self.run(step, f).is_err(), "{step}: a panic was expected");
    }

    /// Names a secret: 4 bytes of it in a row are residue.
    pub fn secret(&mut self, name: &'static str, bytes: &[u8]) {
        // An observer is told where they are made; that what is kept of them moves nothing else.
        if observer::get().is_some() {
            return;
        }
        self.evidence.secrets.push((name, bytes.to_vec()));
    }

    /// Names an output that may lie anywhere, if 4 or more bytes of it stand in a row.
    pub fn public(&mut self, bytes: &[u8]) {
        if let Some(observer) = observer::get() {
            return observer.public(bytes);
        }
        self.evidence.public.push(("", bytes.to_vec()));
    }

    fn run<R>(&mut self, step: &'static str, f: impl FnOnce() -> R) -> std::thread::Result<R> {
        let is_scanned = observer::get().is_none();
        self.run_and_keep(step, || {
            let result = f();
            // Nothing else is called here, for it would write over what `f` left.
            if is_scanned {
                // SAFETY: this runs on the private stack.
                unsafe { arch::keep() };
            }
            result
        })
    }

    /// `f` stores the registers that it must give back, at its end.
    fn run_and_keep<R>(
        &mut self,
        step: &'static str,
        f: impl FnOnce() -> R,
    ) -> std::thread::Result<R> {
        let (mut f, mut result) = (Some(f), None);
        self.step(step, &mut || result = f.take().map(|f| catch_unwind(AssertUnwindSafe(f))));
        result.expect("the closure has run")
    }

    /// Not generic, so that a scan of many operations does not compile it for each.
    fn step(&mut self, step: &'static str, run: &mut dyn FnMut()) {
        let mut registers = arch::Registers([0; arch::Registers::SIZE]);
        let (stack, heap) = match observer::get() {
            Some(observer) => {
                observer.step(step, run);
                (vec![], vec![])
            }
            None => {
                let heap = heap::watching(|| self.stack.run(run, &mut registers));
                (self.stack.take_dirty(), heap)
            }
        };
        let kept = self.stack.kept();
        self.evidence.snapshots.push(Snapshot::new(step, stack, &registers, &kept, heap));
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
