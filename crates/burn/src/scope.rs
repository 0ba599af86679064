//! Burning on every way out.

use crate::{Depth, burn};
use core::mem::MaybeUninit;

/// How far down is burnt while a panic unwinds, in bytes: the function that panicked could not
/// say how deep it was, and the unwinder itself works below it, on copies of its registers. No
/// operation of these crates takes more than two thirds of this, not even unoptimised, as ciphers and
/// hashes alone may be in an optimised program: 61632 bytes at most there, with the scanner's frames
/// (`cargo xtask residue --quick --profile mixed`, Zen 4 with AVX-512, 2026-12-01).
pub(crate) const PANIC_DEPTH: usize = 96 * 1024;

/// Runs `inner` in frames of its own and burns them, once, on every way out.
///
/// `inner` returns its result and how deep it went; an early return from it does, too. It should
/// capture references only and its result should hold no secret: both pass through the caller's
/// frame, which is not burnt. A `None` or an `Err` may carry bits of the `Some` that it did not
/// become: return a length or a bool rather than an option of something that was computed from
/// secrets.
///
/// ```
/// use cinder_burn::Depth;
///
/// # #[inline(never)]
/// # fn check(tag: &[u8]) -> (bool, Depth) { (tag == [1, 2], Depth::here()) }
/// # #[inline(never)]
/// # fn decrypt(_: &mut [u8]) -> Depth { Depth::here() }
/// fn open(tag: &[u8], data: &mut [u8]) -> Result<(), ()> {
///     cinder_burn::scope(|| {
///         let (good, depth) = check(tag);
///         if !good {
///             return (Err(()), depth);
///         }
///         (Ok(()), depth.max(decrypt(data)))
///     })
/// }
/// # assert!(open(&[1, 2], &mut []).is_ok() && open(&[1], &mut []).is_err());
/// ```
///
/// # Panics
///
/// Only if `inner` does. While the panic unwinds, 96 KiB are burnt: a thread that has less stack left
/// then dies in its guard page, as of a call that is too deep.
#[inline(always)]
pub fn scope<R>(inner: impl FnOnce() -> (R, Depth)) -> R {
    #[cfg(burn_observed)]
    crate::observer::begin();
    let mut result = MaybeUninit::uninit();
    let on_panic = OnPanic;
    let depth = in_own_frame(inner, &mut result);
    core::mem::forget(on_panic);
    burn(depth);
    // SAFETY: `in_own_frame` has returned, so it has written the result.
    unsafe { result.assume_init() }
}

/// Never inlined: a loop inlined into the frame that burns leaves its locals above the burn.
///
/// The result crosses in memory of its own size. A register would carry along what the burnt
/// frames left in its upper bits: a `Result` of one byte comes back in eight, and a caller that keeps
/// it across the burn keeps them all.
#[inline(never)]
pub(crate) fn in_own_frame<R>(
    inner: impl FnOnce() -> (R, Depth),
    result: &mut MaybeUninit<R>,
) -> Depth {
    let (value, depth) = inner();
    result.write(value);
    depth.max(Depth::here())
}

/// Burns if it is dropped, which [`scope`] lets happen in a panic alone. On the way out of a
/// function that did not panic it would not do in an unoptimised build: there its drop has a
/// frame, and what that frame does not write it keeps.
struct OnPanic;

impl Drop for OnPanic {
    #[inline(always)]
    fn drop(&mut self) {
        burn(Depth::here().deeper(PANIC_DEPTH));
    }
}
