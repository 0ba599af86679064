//! A call on a stack of its own, which is wiped whole.
//!
//! One file an architecture, with one function: `call_on(data, f, top)` sets the stack pointer to
//! `top`, calls `f(data)` and comes back, and tells an unwinder the way. The frame of `call_on` is
//! on the caller's stack, so a panic is let through.

#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(target_arch = "arm", path = "arm.rs")]
mod imp;

use crate::{Depth, burn, wipe};
use core::fmt;
use core::mem::ManuallyDrop;

/// Words below the stack that tell of an overflow, if it was not one that jumped over them.
type Canary = [usize; 64 / size_of::<usize>()];

/// `N` bytes of stack for calls that need to leave nothing, however deep they go: code whose
/// depth nobody knows, in another language or another crate.
///
/// [`scope`](crate::scope) clears what is said to have been used; here the whole stack is wiped,
/// and with it what a margin cannot reach: frames that nobody declared, and those of a signal
/// that interrupted the call. It costs the wiping of `N` bytes for each call, and memory that stays
/// in the cache; `cargo bench -p benches --bench burn` measures it beside `scope`.
///
/// ```
/// use cinder_burn::PrivateStack;
///
/// # fn foreign(key: &[u8; 16], out: &mut u8) { *out = key.iter().fold(0, |a, b| a ^ b) }
/// let (key, mut out) = ([1; 16], 0);
/// let mut stack = Box::new(PrivateStack::<16384>::new());
/// // SAFETY: `foreign` calls nothing and has a frame of less than 1 KiB; a signal takes 4 KiB.
/// unsafe { stack.run(|| foreign(&key, &mut out)) };
/// ```
///
/// Offered on Linux and Android on x86-64, aarch64 and 32-bit ARM. Windows keeps a thread's stack
/// limits where its exceptions look them up, OpenBSD lets no program run on memory that was not
/// mapped as a stack.
#[repr(C, align(64))]
pub struct PrivateStack<const N: usize> {
    canary: Canary,
    /// The stack begins at the last multiple of 64 in it: what is above, if `N` is none, no wipe of
    /// the field would reach.
    bytes: [u8; N],
}

impl<const N: usize> PrivateStack<N> {
    /// Zeros. It may be moved; large ones go into a box or a static.
    pub const fn new() -> Self {
        const { assert!(N >= 1024, "a stack of less than 1 KiB holds no call") };
        PrivateStack { canary: [0; 64 / size_of::<usize>()], bytes: [0; N] }
    }

    /// Calls `f` on this stack, then clears the registers as [`burn`] does and wipes the whole
    /// stack, on every way out, panics too.
    ///
    /// `f` should capture references only and its result should hold no secret: both pass through
    /// the caller's frame, which is not burnt. A [`Depth`] that is returned in `f` says something
    /// of this stack: drop it in `f`, there is nothing left to burn.
    ///
    /// # Safety
    ///
    /// There is no guard page: what needs more than `N` bytes overwrites what lies below this
    /// value. So `f` and all it calls need `N - 256` bytes at most, and so do, on top of that,
    /// the handlers of signals that may arrive and have no stack of their own (the kernel stores
    /// the registers first: up to 1 KiB, with AVX-512 3.5 KiB, with AMX 12 KiB).
    ///
    /// It counts as use of the stack if `f` burns: a [`scope`](crate::scope) burns its margin below
    /// what was used ([`Depth::MARGIN`]; with debug assertions [`Depth::MARGIN_CHECKED`]; where a
    /// frame is not optimised, and some are not at level 1, [`Depth::MARGIN_UNOPTIMISED`]), and while
    /// a panic passes through it 96 KiB and the margin. A panic itself takes some 8 KiB to unwind, and
    /// its hook, if it prints a backtrace, 64 KiB and more.
    ///
    /// Neither `f` nor what it calls burns a [`Depth`] that was made outside of it: that is an address
    /// of another stack, and a burn down to it clears up to [`Depth::LIMIT`] bytes below this one.
    ///
    /// [`probe::depth_within`](crate::probe::depth_within) measures how much a call has used.
    ///
    /// # Panics
    ///
    /// Only if `f` does. If the stack was found to have overflowed the process is aborted,
    /// because something was overwritten; that it was not found proves nothing.
    #[inline(never)]
    pub unsafe fn run<R>(&mut self, f: impl FnOnce() -> R) -> R {
        self.canary = canary(&raw const *self as usize);
        let wiped = Wiped(self);
        let bytes = &raw mut wiped.0.bytes;
        let mut call = Call { f: ManuallyDrop::new(f) };
        // SAFETY: the top is in the field or its end, and a multiple of 64: the field begins at one.
        // `enter` gets the `Call` of its own types, once, and takes `f` out of it. The caller
        // vouches for the room.
        let result = unsafe {
            let top = bytes.cast::<u8>().add(N & !63);
            imp::call_on((&raw mut call).cast(), enter_of(&call), top);
            ManuallyDrop::into_inner(call.result)
        };
        drop(wiped);
        result
    }
}

/// A closure, and where its result goes.
union Call<F, R> {
    f: ManuallyDrop<F>,
    result: ManuallyDrop<R>,
}

type Entry = unsafe extern "C-unwind" fn(*mut u8);

/// The function to enter the new stack by, for the types of a `Call`.
fn enter_of<F: FnOnce() -> R, R>(_: &Call<F, R>) -> Entry {
    enter::<F, R>
}

/// # Safety
///
/// `data` points to a `Call` of these types that holds a closure, which is moved out of it.
unsafe extern "C-unwind" fn enter<F: FnOnce() -> R, R>(data: *mut u8) {
    let call = data.cast::<Call<F, R>>();
    // SAFETY: the caller's own promise.
    unsafe {
        let f = ManuallyDrop::into_inner(call.cast::<ManuallyDrop<F>>().read());
        call.write(Call { result: ManuallyDrop::new(f()) });
    }
}

/// Another pattern for each place.
fn canary(address: usize) -> Canary {
    core::array::from_fn(|i| (address ^ i).wrapping_mul(0x9e37_79b9))
}

/// Wipes the stack when it drops.
struct Wiped<'a, const N: usize>(&'a mut PrivateStack<N>);

impl<const N: usize> Drop for Wiped<'_, N> {
    #[inline(always)]
    fn drop(&mut self) {
        // The registers first: `memset` may be resolved by a dynamic linker that saves them.
        burn(Depth::here());
        let intact = self.0.canary == canary(&raw const *self.0 as usize);
        wipe(&mut self.0.bytes);
        if !intact {
            overflowed();
        }
    }
}

/// Aborts: a panic does not leave a function of this ABI.
#[cold]
extern "C" fn overflowed() {
    panic!("a private stack overflowed");
}

impl<const N: usize> Default for PrivateStack<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> fmt::Debug for PrivateStack<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateStack").field("bytes", &N).finish_non_exhaustive()
    }
}
