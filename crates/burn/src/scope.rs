//! Burning on every way out.

use crate::{Depth, burn};

/// How far down a panic's way out is burnt, in bytes: the unwinder itself has been deeper.
const PANIC_DEPTH: usize = 4096;

/// Burns when it is dropped, however that comes about: at the end of a block, on an early
/// return, while a panic unwinds.
///
/// Feed it with [`Guard::reached`]. If it drops in a panic it burns at least 4 KiB, because the
/// function that panicked could not say how deep it was.
#[derive(Debug)]
pub struct Guard {
    depth: Depth,
    completed: bool,
}

impl Guard {
    /// A guard that has seen nothing yet.
    #[inline(always)]
    #[expect(clippy::new_without_default, reason = "a guard made by accident burns nothing")]
    pub fn new() -> Self {
        Guard { depth: Depth::NONE, completed: false }
    }

    /// Takes in the depth of a call that has returned.
    #[inline(always)]
    pub fn reached(&mut self, depth: Depth) {
        self.depth = self.depth.max(depth);
    }

    /// Burns now, in the caller's frame, down to the deepest depth that was reached.
    #[inline(always)]
    pub fn finish(mut self) {
        self.completed = true;
        burn(self.depth);
    }
}

impl Drop for Guard {
    #[inline(always)]
    fn drop(&mut self) {
        if !self.completed {
            burn(self.depth.max(Depth::here().deeper(PANIC_DEPTH)));
        }
    }
}

/// Runs `inner` in frames of its own and burns them, once, on every way out.
///
/// `inner` returns its result and how deep it went. It should capture references only and its
/// result should hold no secret: both pass through the caller's frame, which is not burnt.
#[inline(always)]
pub fn scope<R>(inner: impl FnOnce() -> (R, Depth)) -> R {
    let mut guard = Guard::new();
    let (result, depth) = apart(inner);
    guard.reached(depth);
    guard.finish();
    result
}

/// Never inlined: a loop inlined into the frame that burns leaves its locals above the burn.
#[inline(never)]
fn apart<R>(inner: impl FnOnce() -> (R, Depth)) -> (R, Depth) {
    let (result, depth) = inner();
    (result, depth.max(Depth::here()))
}
