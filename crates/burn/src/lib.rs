//! Wipes memory, the dead stack and the registers.
//!
//! A cipher's inner function leaves round keys, keystream and plaintext in the stack frames it
//! has just given up and in the registers it was free to use. This crate clears both, once, at
//! the end of a public call:
//!
//! ```
//! use cinder_burn::Depth;
//!
//! /// The work: not inlined, takes references only, says how deep it went.
//! #[inline(never)]
//! fn inner(secret: &[u8; 16], out: &mut u8) -> Depth {
//!     *out = secret.iter().fold(0, |sum, byte| sum ^ byte);
//!     Depth::here()
//! }
//!
//! /// The public entry: a thin wrapper that burns once.
//! fn entry(secret: &[u8; 16], out: &mut u8) {
//!     cinder_burn::scope(|| ((), inner(secret, out)));
//! }
//! # let mut out = 0;
//! # entry(&[1; 16], &mut out);
//! ```
//!
//! # How deep
//!
//! [`Depth`] is the lowest stack address that a call has reached, read from the stack pointer in
//! the very frame that did the work. It is not a constant that somebody measured in another
//! build: optimisation level, inlining and link-time optimisation move it, and it moves with
//! them. What runs below that frame (calls to `memcpy`, and in an unoptimised build the small
//! functions of `core`) is covered by a margin, see [`Depth::MARGIN`]. The module [`probe`]
//! measures in your own binary whether depth and margin cover what was written; the workspace's
//! ARCHITECTURE.md says why that is safe under link-time optimisation, and what is not covered.
//!
//! # Which one?
//!
//! | for | use | a call with 16 bytes of AES |
//! |---|---|---|
//! | a public function | [`scope`]: burns on every way out | 9 ns, as without |
//! | a function that returns a [`Depth`], called once | [`burn`] | the same |
//! | code that returns no depth, whose depth was measured | [`scope`] and [`Depth::deeper`] | by its depth |
//! | code whose depth nobody knows; where signals arrive | `PrivateStack`, on Linux | 29 ns with 2 KiB, 40 with 4, 90 with 16 |
//! | a value that is no longer wanted | [`wipe`] | |
//! | a program that wants to know | [`probe`] | 3 µs, once |
//!
//! The figures are the fastest samples of `cargo bench -p benches --bench burn` on a Sapphire
//! Rapids server that was not idle (2026-11-30). One call waits for the other there, and the burn
//! fits into the wait.
//!
//! # What is cleared, where
//!
//! | target | vector registers | general registers | stack |
//! |---|---|---|---|
//! | x86-64 | xmm0 to xmm15, ymm, zmm0 to zmm31 and k0 to k7 as the CPU has them | all that a callee may use | exact |
//! | x86 | xmm0 to xmm7, ymm, zmm, k0 to k7 as the CPU has them | eax, ecx, edx | exact |
//! | aarch64 | v0 to v7, v16 to v31, the high halves of v8 to v15 | x0 to x17 | exact |
//! | arm, Linux | d0 to d7, d16 to d31 with NEON; d0 to d7 without, if the ABI is hard-float | r0 to r3, r12 | exact |
//! | arm, bare metal | d0 to d7 if the ABI is hard-float | r0 to r3, r12 | exact |
//! | s390x | f0 to f7; v0 to v31 in a build for them | r0 to r5 | exact |
//! | riscv64 | ft0 to ft11 and fa0 to fa7, with Linux, Android, BSDs and Fuchsia; the vectors of V never | t0 to t6, a0 to a7 | exact |
//! | others, and Miri | none | none | a buffer of 2, 8, 101 or 257 KiB, less a few words at its top |
//!
//! Registers that belong to the caller are left alone: a callee that used one for a secret has
//! put the caller's value back. Not cleared: x87 and MMX registers, SVE predicates, AMX tiles; no
//! cipher here uses them.
//!
//! x86-64 and aarch64 without SSE or NEON (an operating system's kernel): general registers and the
//! stack, with general registers.
//!
//! The stack is cleared from high to low addresses, so that a burn that does not fit meets the guard
//! page first, as a call that is too deep does. Without an operating system there is none: leave a
//! call as much stack as it needs, this crate's margin ([`Depth::MARGIN`]) included, and no burn
//! goes further than [`Depth::LIMIT`] and the margin. On Cortex-M, an optimised program that keys
//! AES-128, opens a short message and clears the key takes 4.2 KiB with GCM, and 2.3 KiB with CCM
//! (`benches/bare/run` in the repository paints a stack and looks; `docs/measurements.md` has the table).
//!
//! Where there is no assembly (WebAssembly among others) a function's buffer is cleared, on the stack
//! that lies in memory. The engine's own stack and registers are out of a program's reach.
//!
//! # What it costs
//!
//! A burn of 64, 256, 512 and 4096 bytes, margin and registers included, takes 3.6, 4.8, 5.8 and 25
//! ns on x86-64 with AVX-512 (`cargo xtask bench burn-depth` on 2026-11-30, medians of five runs),
//! and 37, 41, 45 and 101 instructions on 32-bit ARM with NEON, 40, 46, 52 and 136 without
//! (`--target armv7`).
//!
//! # Under valgrind
//!
//! Memcheck takes a burn for invalid writes below the stack pointer. The file `memcheck.supp` of this
//! crate tells it: `valgrind --suppressions=memcheck.supp PROGRAM`. A program that marks its keys as
//! undefined, to find branches and addresses that depend on them, needs the same file for what it is
//! told on purpose: see [`declassify`].
//!
//! # What burning cannot reach
//!
//! - **Signals.** A signal handler that interrupts an operation stores all registers below the
//!   red zone, 1 to 3 KiB down, and its own frames below that. A burn reaches them only as far as
//!   it goes anyway, a `PrivateStack` wipes them; on an alternate signal stack they stay for good.
//!   The same is true of an interrupt handler with a stack of its own.
//! - **The operating system.** Registers that the kernel saved when it switched away, pages in
//!   swap, core dumps, hibernation images, snapshots of a virtual machine. Lock memory and disable
//!   dumps where that matters.
//! - **Moves.** A value that is returned, passed or stored by value is copied, and the source
//!   of the copy is nobody's: no destructor runs for it. A `Vec` of keys that grows moves them,
//!   and so does `Option::take`. **So does `drop(value)`**: it moves the value into its own frame and
//!   wipes that copy alone. Expand keys where they stay, in a `Slot` of `cinder-block` or a box, pass
//!   references, and end a key by its `clear` or by the end of its scope.
//! - **Values that do not drop.** A value wipes its secrets when it drops, or when they are
//!   replaced. What `mem::forget`, `ManuallyDrop`, `Box::leak`, a `static` or a cycle of `Rc` keeps
//!   from dropping stays.
//! - **Clones.** There are none: no type of these crates that holds a secret is `Clone` or
//!   `Copy`. A program's own copies of key bytes are its own to wipe.
//! - **The caller.** The frame that calls a public function is not burnt, nor what it read the key
//!   from, nor what it keeps of a result.
//! - **A process that ends.** A panic that aborts (`panic = "abort"`, or a second panic while one
//!   unwinds), `exit` and a kill run no destructors: neither stack nor values are wiped. A panic
//!   that unwinds does both, but for Windows's MSVC targets: destructors run there while the frames
//!   that panicked are still on the stack, above, and only the values are wiped.
//! - **The hardware.** Caches, store buffers and DRAM that forgets slowly.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![expect(unsafe_code, reason = "it writes dead stacks and registers")]

mod arch;
mod declassify;
mod depth;
#[cfg(burn_observed)]
pub mod observer;
mod on_unwind;
mod opaque;
mod place;
pub mod probe;
mod scope;
mod wipe;

pub use declassify::declassify;
pub use depth::{Depth, burn};
pub use on_unwind::on_unwind;
pub use opaque::{opaque, opaque_word};
pub use place::{Place, on_zeroed_stack};
pub use scope::scope;
pub use wipe::{Plain, wipe};

/// Where a program may run on any memory as its stack.
macro_rules! on_linux {
    ($($item:item)*) => {$(
        #[cfg(all(
            any(
                all(target_arch = "x86_64", target_pointer_width = "64"),
                all(target_arch = "aarch64", target_pointer_width = "64"),
                target_arch = "arm",
            ),
            any(target_os = "linux", target_os = "android"),
            not(miri),
        ))]
        $item
    )*};
}
on_linux! {
    mod private_stack;
    pub use private_stack::PrivateStack;
}
