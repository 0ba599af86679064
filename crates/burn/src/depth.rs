//! How deep the stack was used, and clearing it.

use crate::arch;
use core::cmp::Ordering;
use core::fmt;

/// How deep a call used the stack: what a block function returns, and what [`burn`] takes.
///
/// Held as the lowest stack address reached, so that depths from different callees, and from
/// callees of callees, compare without adding up frames: [`Depth::max`] is the deeper of two.
/// A deeper depth is the greater one.
#[must_use = "a depth that is dropped is stack that is not burnt"]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Depth(usize);

impl Depth {
    /// Nothing was used.
    pub const NONE: Depth = Depth(usize::MAX);

    /// How far below a frame that called [`Depth::here`] an optimised build may have written,
    /// in bytes: the red zone of the x86-64 ABI (128), and the frames of `memcpy` and `memset`.
    pub const MARGIN: usize = 256;

    /// The same in an unoptimised build, where each small function of `core` (an iterator's
    /// `next`, a slice's `copy_from_slice`) has a frame of its own, several deep.
    pub const MARGIN_UNOPTIMISED: usize = 4096;

    /// The depth of the calling function's own frame.
    ///
    /// Called anywhere in a function's body it covers that whole frame, because a frame's size is
    /// fixed at entry. A function that others must burn after returns this, or the [`max`]
    /// of this and what its own callees returned.
    ///
    /// [`max`]: Depth::max
    #[inline(always)]
    pub fn here() -> Depth {
        Depth(arch::stack_pointer())
    }

    /// This depth and `bytes` more, for a callee that cannot say how deep it went (foreign code).
    #[inline]
    pub const fn deeper(self, bytes: usize) -> Depth {
        Depth(self.0.saturating_sub(bytes))
    }

    /// The deeper of the two.
    #[inline(always)]
    pub const fn max(self, other: Depth) -> Depth {
        if other.0 < self.0 { other } else { self }
    }

    /// Bytes of stack from the caller's stack pointer down to this depth, without the margin.
    #[inline(always)]
    pub fn bytes(self) -> usize {
        arch::stack_pointer().saturating_sub(self.0)
    }
}

impl Ord for Depth {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.cmp(&self.0)
    }
}

impl PartialOrd for Depth {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Prints no address: one would help an attacker past address-space randomisation.
impl fmt::Debug for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Depth::NONE { "Depth::NONE" } else { "Depth" })
    }
}

/// Clears the vector registers, the stack from here down to `depth` and its margin, and the
/// general registers that a callee may use freely, in that order.
///
/// Call it from the function that called the one that returned `depth`. Whether that call
/// becomes a tail call does not matter: the depth is an address.
#[inline(always)]
pub fn burn(depth: Depth) {
    // In an optimised build the second reader is inlined too and reads the same frame; in an
    // unoptimised one it has a frame of its own. So the margin follows the build that is
    // running, not the flags of the build that was meant.
    let unoptimised = arch::stack_pointer() != outlined_stack_pointer();
    let margin = if unoptimised { Depth::MARGIN_UNOPTIMISED } else { Depth::MARGIN };
    arch::burn(depth.0.min(arch::stack_pointer()) - margin);
}

#[inline]
fn outlined_stack_pointer() -> usize {
    arch::stack_pointer()
}
