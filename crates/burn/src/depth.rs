//! How deep the stack was used, and clearing it.

use crate::arch;
use core::cmp::Ordering;
use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// How deep a call used the stack: what a block function returns, and what [`burn`] takes.
///
/// Held as the lowest stack address reached, so that depths from different callees, and from
/// callees of callees, compare without adding up frames: [`Depth::max`] is the deeper of two.
/// A deeper depth is the greater one.
///
/// It says something of one stack alone, so it does not leave its thread:
///
/// ```compile_fail,E0277
/// let depth = cinder_burn::Depth::here();
/// std::thread::spawn(move || cinder_burn::burn(depth));
/// ```
#[must_use = "a depth that is dropped is stack that is not burnt"]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Depth(usize, PhantomData<*const ()>);

/// With this lowest address.
#[inline(always)]
const fn down_to(low: usize) -> Depth {
    Depth(low, PhantomData)
}

impl Depth {
    /// Nothing was used. [`deeper`](Depth::deeper) than nothing is nothing.
    pub const NONE: Depth = down_to(usize::MAX);

    /// How far below a frame that called [`Depth::here`] an optimised build without debug
    /// assertions may have written, in bytes: the ABI's red zone (128 bytes on x86-64), the frames
    /// of `memcpy` and `memset`, a small function that was not inlined. It depends on the
    /// architecture.
    ///
    /// It is at least 64 bytes more than any function of this workspace was found to use, over
    /// every cipher, kernel and mode (fat LTO is as release). By `cargo xtask depth`, or on
    /// i686 and s390x by its program `depth`, with rustc 1.95, on 2026-11-30; riscv64 on 2026-12-01:
    ///
    /// | | release | `opt-level = "z"` | unoptimised |
    /// |---|---|---|---|
    /// | x86-64 with AVX-512 | 128 | 232 | 3880 |
    /// | aarch64 | 160 | 256 | 2000 |
    /// | armv7, on three CPU models | 92 | 284 | 1724 |
    /// | i686 (functions alone) | 148 | 328 | |
    /// | s390x (functions alone) | 0 | 480 | |
    /// | riscv64 (`--quick`) | 40 | 344 | |
    ///
    /// A function whose callees may go deeper must return their depths. One that is easily
    /// overlooked: `rotate_left` of a slice, whose frame is 256 bytes and holds what it rotates.
    pub const MARGIN: usize = arch::MARGIN;

    /// The same below a frame that was compiled without optimisation, where each small function of
    /// `core` (an iterator's `next`, a slice's `copy_from_slice`) has a frame of its own, several
    /// deep. The worst is GHASH's 512-bit kernel, whose operands all lie in memory then.
    pub const MARGIN_UNOPTIMISED: usize = 4096;

    /// The same below an optimised frame if this crate has debug assertions, as a profile has as a
    /// rule for all crates: then small functions are not always inlined, and checks make frames
    /// larger. On x86-64, dev with `opt-level = 1` was found to write 480 bytes below a depth, and
    /// release with `opt-level = "z"` and debug assertions 560.
    pub const MARGIN_CHECKED: usize = 1024;

    /// The most that [`burn`] clears, in bytes, beside the margin. A depth beyond it is a mistake (one
    /// of another stack, say), and must not become a write all over memory.
    ///
    /// 256 KiB; on bare metal (`target_os = "none"` and UEFI), where no guard page ends the stack,
    /// 16 KiB, and 64 KiB with debug assertions. No operation of these crates goes deeper; a
    /// [`deeper`](Self::deeper) depth of foreign code is cut to it.
    pub const LIMIT: usize = match cfg!(any(target_os = "none", target_os = "uefi")) {
        false => 256 * 1024,
        true if cfg!(debug_assertions) => 64 * 1024,
        true => 16 * 1024,
    };

    /// The depth of the calling function's own frame; without optimisation, or with debug
    /// assertions, as much further down as the margin is wider then.
    ///
    /// Called anywhere in a function's body it covers that whole frame, because a frame's size is
    /// fixed at entry. A function that others must burn after returns this, or the [`max`]
    /// of this and what its own callees returned.
    ///
    /// [`max`]: Depth::max
    #[inline(always)]
    pub fn here() -> Depth {
        down_to(arch::stack_pointer().saturating_sub(extra_margin()))
    }

    /// This depth and `bytes` more, for a callee that cannot say how deep it went (foreign code).
    #[inline]
    pub const fn deeper(self, bytes: usize) -> Depth {
        // No stack reaches down into the first page, and from there a margin does not wrap.
        const LOWEST: usize = 4096;
        match self.0.checked_sub(bytes) {
            _ if self.0 == usize::MAX => self,
            Some(low) if low > LOWEST => down_to(low),
            _ => down_to(LOWEST),
        }
    }

    /// The deeper of the two.
    #[inline(always)]
    pub const fn max(self, other: Depth) -> Depth {
        if other.0 < self.0 { other } else { self }
    }

    /// Bytes of stack from the caller's stack pointer down to this depth: without
    /// [`MARGIN`](Self::MARGIN), but with what [`here`](Self::here) added to it.
    #[inline(always)]
    pub fn bytes(self) -> usize {
        arch::stack_pointer().saturating_sub(self.0)
    }

    /// The address that [`burn`] clears down to, called in a frame with this stack pointer.
    #[inline(always)]
    pub(crate) fn low(self, sp: usize) -> usize {
        self.0.min(sp).max(sp.saturating_sub(Self::LIMIT)).saturating_sub(Self::MARGIN)
    }

    /// The same without the bounds, for a routine that has the stack pointer at hand: it takes an
    /// address above it for one [`MARGIN`](Self::MARGIN) below, and clears no more than
    /// [`LIMIT`](Self::LIMIT).
    #[allow(dead_code, reason = "not every architecture's routine does")]
    #[inline(always)]
    pub(crate) fn unbounded_low(self) -> usize {
        // Does not wrap: a depth is not in the first page, see `deeper`.
        self.0.wrapping_sub(Self::MARGIN)
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
///
/// It uses the stack as a function with a frame of that size would, touching it from high to low.
/// So near the end of a stack it faults
/// in the guard page, like a call that is too deep.
#[inline(always)]
pub fn burn(depth: Depth) {
    #[cfg(burn_observed)]
    let seen = crate::observer::look(depth);
    arch::burn(depth);
    #[cfg(burn_observed)]
    crate::observer::note(seen);
}

/// What the margin below the calling function's frame has beyond [`Depth::MARGIN`].
///
/// In an optimised build the second reader is inlined too and reads the same frame, which the
/// compiler sees: nothing is left of the comparison. In an unoptimised one it has a frame of its
/// own. So the margin follows the code that is there, not the flags that somebody meant; and each
/// frame has its own, in a program of which some crates are optimised and some are not. At level 1
/// the second reader may not be inlined: the margin is the wider one then. Of debug assertions there
/// is no such trace: this crate's flag stands for all.
#[inline(always)]
pub(crate) fn extra_margin() -> usize {
    let local = MaybeUninit::<u8>::uninit();
    // By a pointer: what is compiled into other crates' functions is this one as rustc has
    // simplified it for this crate's level, with small calls inlined, but not those by a pointer.
    let outlined_frame: fn(*const u8) -> usize = outlined_frame;
    let unoptimised = arch::frame(local.as_ptr()) != outlined_frame(local.as_ptr());
    let margin = if unoptimised {
        Depth::MARGIN_UNOPTIMISED
    } else if cfg!(debug_assertions) {
        Depth::MARGIN_CHECKED
    } else {
        Depth::MARGIN
    };
    margin - Depth::MARGIN
}

#[inline]
fn outlined_frame(local: *const u8) -> usize {
    arch::frame(local)
}

#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;

    /// What the margins are for, as the docs of the three say it: the most that was found to be
    /// written below a depth at `opt-level = "z"`, with debug assertions, and unoptimised.
    const FOUND: [usize; 3] = if cfg!(target_arch = "x86_64") {
        [232, 560, 3880]
    } else if cfg!(target_arch = "aarch64") {
        [256, 560, 3880]
    } else if cfg!(target_arch = "arm") {
        [284, 560, 3880]
    } else if cfg!(target_arch = "x86") {
        [328, 560, 3880]
    } else if cfg!(target_arch = "riscv64") {
        [344, 560, 3880]
    } else {
        [480, 560, 3880]
    };

    /// What lies less than the margin below a depth is gone, 64 bytes more than was found to lie
    /// there at least.
    #[test]
    fn a_burn_reaches_a_margin_below_its_depth() {
        #[inline(never)]
        fn below(depth: Depth) -> usize {
            // As a call that went deeper than any depth here would leave it.
            let sp = arch::stack_pointer();
            let low = (sp - 16 * 1024) & !15;
            arch::paint(low);
            arch::burn(depth);
            depth.0 - arch::first_changed(low, sp)
        }
        if !arch::PROBES {
            return;
        }
        // Deep enough that no step of a burn rounds the margin up much.
        for down in (2048..4096).step_by(16) {
            let below = below(down_to(arch::stack_pointer() - down));
            assert!(below >= FOUND[0] + 64, "{below} bytes below a depth of {down}");
        }
    }

    #[test]
    fn the_wider_margins_are_wide_enough() {
        let margins = [Depth::MARGIN, Depth::MARGIN_CHECKED, Depth::MARGIN_UNOPTIMISED];
        for (margin, found) in margins.into_iter().zip(FOUND) {
            assert!(margin >= found + 64, "{margin}");
        }
        let margin = Depth::here().bytes() + Depth::MARGIN;
        assert!(margin <= Depth::MARGIN_UNOPTIMISED, "{margin}");
    }

    /// Without optimisation small functions have frames of their own, below a depth that says
    /// nothing of them.
    #[cfg(debug_assertions)]
    #[test]
    fn small_functions_of_an_unoptimised_build_are_covered() {
        #[inline]
        fn small() {
            let mut frame = [1u8; 2000];
            core::hint::black_box(&mut frame);
        }
        let report = crate::probe::verify(|| {
            small();
            Depth::here()
        });
        if arch::PROBES {
            assert!(report.is_ok_and(|report| report.dirtied >= 2000), "{report:?}");
        }
    }

    #[test]
    fn the_deeper_of_two() {
        let (shallow, deep) = (down_to(9000), down_to(8000));
        for depth in [shallow.max(deep), deep.max(shallow), deep.max(Depth::NONE)] {
            assert_eq!(depth, deep);
        }
        assert!(deep > shallow && shallow > Depth::NONE);
        assert_eq!(deep.partial_cmp(&shallow), Some(Ordering::Greater));
    }

    #[test]
    fn deeper_saturates_in_the_first_page() {
        assert_eq!(down_to(9000).deeper(1000), down_to(8000));
        assert_eq!(down_to(9000).deeper(4904), down_to(4096));
        assert_eq!(down_to(9000).deeper(4905), down_to(4096));
        assert_eq!(down_to(9000).deeper(9001), down_to(4096));
        assert_eq!(down_to(9000).deeper(usize::MAX), down_to(4096));
        assert_eq!(Depth::NONE.deeper(5000), Depth::NONE);
    }

    #[test]
    fn where_a_burn_ends() {
        let sp = 10 * Depth::LIMIT;
        assert_eq!(down_to(sp - 5000).low(sp), sp - 5000 - Depth::MARGIN);
        assert_eq!(Depth::NONE.low(sp), sp - Depth::MARGIN);
        assert_eq!(down_to(4096).low(sp), sp - Depth::LIMIT - Depth::MARGIN);
        assert_eq!(down_to(sp - 5000).unbounded_low(), sp - 5000 - Depth::MARGIN);
    }
}
