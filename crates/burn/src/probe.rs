//! Measuring depths in your own binary.
//!
//! A probe paints the stack below it, runs a closure there and looks how far down the paint is
//! gone. It works on the architectures that burn with assembly (x86-64, x86, aarch64, arm,
//! s390x), and is meant for a self-test:
//!
//! ```
//! use burn::Depth;
//!
//! #[inline(never)]
//! fn inner(out: &mut u8) -> Depth {
//!     let mut scratch = [*out; 100];
//!     core::hint::black_box(&mut scratch);
//!     *out = scratch[99];
//!     Depth::here()
//! }
//!
//! let mut out = 1;
//! match burn::probe::verify(|| inner(&mut out)) {
//!     Ok(report) => assert!(report.burnt >= report.dirtied),
//!     Err(error) => assert_eq!(error, burn::probe::ProbeError::Unsupported),
//! }
//! ```
//!
//! The first run of an operation may go deeper than the rest, into the detection of CPU features
//! or a dynamic linker that resolves a symbol; run it once before.

use crate::depth::margin;
use crate::{Depth, arch};
use core::fmt;

/// How much stack [`verify`] and [`depth_of`] paint, in bytes.
pub const PAINTED: usize = 64 * 1024;

/// What a probe saw. All lengths are bytes below the frame that ran the closure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// How far down anything was written.
    pub dirtied: usize,
    /// How far down the returned [`Depth`] says.
    pub declared: usize,
    /// How far down a burn of it would clear: `declared` and the margin of this build.
    pub burnt: usize,
}

/// Why a probe failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProbeError {
    /// A burn of the returned depth would not clear all that was written.
    Short(Report),
    /// All of the painted stack was written: it goes deeper than the probe can see.
    TooDeep,
    /// There is no assembly for this architecture.
    Unsupported,
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProbeError::Short(report) => write!(
                f,
                "the stack was written {} bytes down and would be burnt {} bytes down",
                report.dirtied, report.burnt
            ),
            ProbeError::TooDeep => f.write_str("the stack was written deeper than it was painted"),
            ProbeError::Unsupported => f.write_str("no probe for this architecture"),
        }
    }
}

impl core::error::Error for ProbeError {}

/// How deep `f` uses the stack, in bytes. `None` where there is no probe, or it is deeper than
/// [`PAINTED`].
pub fn depth_of(f: impl FnOnce()) -> Option<usize> {
    depth_within(PAINTED, f)
}

/// [`depth_of`] with another length to paint, for small stacks and for deep calls. The stack must
/// have `limit` bytes left.
#[inline(never)]
pub fn depth_within(limit: usize, f: impl FnOnce()) -> Option<usize> {
    measure(limit, || {
        f();
        Depth::NONE
    })
    .ok()
    .map(|report| report.dirtied)
}

/// Runs `f` and checks that burning the depth it returns would clear all that it wrote.
///
/// # Errors
///
/// [`ProbeError::Short`] if it would not.
#[inline(never)]
pub fn verify(f: impl FnOnce() -> Depth) -> Result<Report, ProbeError> {
    let report = measure(PAINTED, f)?;
    if report.dirtied > report.burnt { Err(ProbeError::Short(report)) } else { Ok(report) }
}

#[inline(always)]
fn measure(limit: usize, f: impl FnOnce() -> Depth) -> Result<Report, ProbeError> {
    if !arch::PROBES {
        return Err(ProbeError::Unsupported);
    }
    let sp = arch::stack_pointer();
    let low = sp.saturating_sub(limit) & !15;
    arch::paint(low);
    let depth = f();
    let changed = arch::first_changed(low, sp);
    if changed == low {
        return Err(ProbeError::TooDeep);
    }
    let report = Report {
        dirtied: sp - changed,
        declared: depth.bytes(),
        burnt: sp - depth.low(sp, margin()),
    };
    Ok(report)
}

#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;
    use core::hint::black_box;

    #[inline(never)]
    fn use_stack<const LEN: usize>() -> Depth {
        let mut buffer = [1u8; LEN];
        black_box(&mut buffer);
        Depth::here()
    }

    #[test]
    fn honest_depths_pass() {
        for report in
            [verify(use_stack::<16>), verify(use_stack::<3000>), verify(use_stack::<40000>)]
        {
            match report {
                Ok(report) => assert!(report.dirtied >= 16 && report.declared <= report.burnt),
                Err(error) => assert_eq!(error, ProbeError::Unsupported),
            }
        }
    }

    #[test]
    fn a_depth_cut_short_fails() {
        let result = verify(|| {
            let _ = use_stack::<9000>();
            Depth::here()
        });
        if arch::PROBES {
            assert!(matches!(result, Err(ProbeError::Short(report)) if report.dirtied >= 9000));
        }
    }

    #[test]
    fn depths_are_seen() {
        if arch::PROBES {
            let shallow = depth_of(|| ()).unwrap();
            let deep = depth_of(|| _ = use_stack::<5000>()).unwrap();
            assert!((5000..6024).contains(&deep) && shallow < 1024, "{shallow} {deep}");
            assert_eq!(depth_within(2048, || _ = use_stack::<5000>()), None);
        }
    }
}
