//! Measuring depths in your own binary.
//!
//! A probe paints the stack below it, runs a closure there and looks how far down the paint is
//! gone. What it sees is the code that is there: this build, this CPU's kernels, after link-time
//! optimisation.
//!
//! # A self-test at start-up
//!
//! For each thing that a program does with keys, once, with a key and a message of no importance:
//!
//! ```
//! use cinder_burn::probe::{ProbeError, verify, verify_burnt};
//! # use cinder_burn::Depth;
//! # #[inline(never)]
//! # fn expand(key: &[u8; 16], schedule: &mut [u8; 160]) -> Depth {
//! #     for (i, byte) in schedule.iter_mut().enumerate() {
//! #         *byte = key[i % 16].rotate_left(i as u32);
//! #     }
//! #     Depth::here()
//! # }
//! # fn seal(schedule: &[u8; 160], data: &mut [u8]) {
//! #     cinder_burn::scope(|| {
//! #         data.iter_mut().zip(schedule.iter().cycle()).for_each(|(a, b)| *a ^= b);
//! #         ((), Depth::here())
//! #     });
//! # }
//!
//! fn self_test() -> Result<(), ProbeError> {
//!     let mut schedule = [0; 160];
//!     // A function that returns its depth, for its caller to burn:
//!     verify(|| expand(&[7; 16], &mut schedule))?;
//!     // A public function, which burns before it returns; messages short and long:
//!     let mut message = [0; 1000];
//!     for len in [16, 1000] {
//!         verify_burnt(|| seal(&schedule, &mut message[..len]))?;
//!     }
//!     Ok(())
//! }
//!
//! match self_test() {
//!     Ok(()) => {}
//!     Err(ProbeError::Unsupported) => println!("this target burns a buffer, and has no probe"),
//!     Err(error) => panic!("this build leaves secrets on its stack: {error}"),
//! }
//! ```
//!
//! `crates/gcm/examples/self_test.rs` does it for AES in two modes.
//!
//! **Cost:** 64 KiB of stack, and 3 microseconds a call on x86-64 to paint it and to look
//! (`cargo bench -p benches --bench burn`).
//!
//! **On an error** the build is at fault, not the moment: the same binary on the same CPU will fail
//! again, and a program that must leave nothing should not start. Report it, with the compiler's
//! version, its flags and [`Report`]'s numbers. Until it is mended: run the operation on a
//! `PrivateStack`, or burn deeper, by [`Depth::deeper`].
//! One thing fails by chance: a signal whose handler ran on this stack during the call.
//! So repeat a failed call once before you believe it.
//!
//! **The first call** of an operation may go deeper than the rest, into the detection of CPU
//! features or a dynamic linker that resolves a symbol. Nothing secret is in what it writes there;
//! run the operation once before.
//!
//! **What it does not see:** locals of the frame that calls the probe (in an optimised build
//! those of the closure, if it was inlined), registers, and whether bytes within the depth were
//! all cleared. The crate `residue` of this workspace looks for those.
//!
//! Each thread may probe for itself, at the same time. A thread needs [`PAINTED`] bytes of free
//! stack; one that has less dies in its guard page, so give a smaller length to
//! [`verify_within`] there.
//!
//! Probes work on the architectures that burn with assembly (x86-64, x86, aarch64, arm, s390x,
//! riscv64).
//! Elsewhere, and in Miri, each call returns [`ProbeError::Unsupported`] and has not run the
//! closure: a burn there clears a buffer of the next of a few sizes, and nobody looks below it.

use crate::depth::extra_margin;
use crate::scope::in_own_frame;
use crate::{Depth, arch};
use core::fmt;
use core::mem::MaybeUninit;

/// How much stack [`verify`] and [`depth_of`] paint, in bytes.
pub const PAINTED: usize = 64 * 1024;

/// What a probe saw. All lengths are bytes below the frame that ran the closure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// How far down anything was written.
    pub dirtied: usize,
    /// How far down the returned [`Depth`] says.
    pub declared: usize,
    /// How far down a burn of it would clear: `declared` and the margin.
    pub burnt: usize,
}

impl Report {
    fn check(self) -> Result<Report, ProbeError> {
        if self.dirtied > self.burnt { Err(ProbeError::Short(self)) } else { Ok(self) }
    }
}

/// Why a probe failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProbeError {
    /// A burn of the returned depth would not clear all that was written.
    Short(Report),
    /// The lowest bytes that were written are not zeros: so many bytes down, below what was burnt,
    /// if anything was.
    NotBurnt(usize),
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
            ProbeError::NotBurnt(depth) => {
                write!(f, "the stack was written {depth} bytes down and not burnt there")
            }
            ProbeError::TooDeep => f.write_str("the stack was written deeper than it was painted"),
            ProbeError::Unsupported => f.write_str("this target has no assembly to probe with"),
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
    look(limit, no_depth(f)).ok().map(|seen| seen.dirtied())
}

/// Runs `f` as [`scope`](crate::scope) does, and checks that burning the depth it returns would
/// clear all that it wrote.
///
/// # Errors
///
/// [`ProbeError::Short`] if it would not.
pub fn verify(f: impl FnOnce() -> Depth) -> Result<Report, ProbeError> {
    verify_within(PAINTED, f)
}

/// [`verify`] with another length to paint. The stack must have `limit` bytes left.
///
/// # Errors
///
/// As [`verify`].
#[inline(never)]
pub fn verify_within(limit: usize, f: impl FnOnce() -> Depth) -> Result<Report, ProbeError> {
    let seen = look(limit, f)?;
    let report = Report {
        dirtied: seen.dirtied(),
        declared: declared(seen.depth),
        burnt: seen.sp - seen.depth.low(seen.sp),
    };
    report.check()
}

/// Runs `f`, which burns before it returns, and checks from outside that it did: the lowest 64
/// bytes that were written are zeros. Returns how far down that was, the burn's margin included.
///
/// If `f` wrote below what it burnt, the lowest bytes are what it wrote there. It would not be
/// seen if those were zeros: give it a key and a message of other bytes.
///
/// # Errors
///
/// [`ProbeError::NotBurnt`] if they are not zeros.
pub fn verify_burnt(f: impl FnOnce()) -> Result<usize, ProbeError> {
    verify_burnt_within(PAINTED, f)
}

/// [`verify_burnt`] with another length to paint. The stack must have `limit` bytes left.
///
/// # Errors
///
/// As [`verify_burnt`].
#[inline(never)]
pub fn verify_burnt_within(limit: usize, f: impl FnOnce()) -> Result<usize, ProbeError> {
    const WORD: usize = size_of::<usize>();
    let seen = look(limit, no_depth(f))?;
    let mut bits = usize::from(seen.dirtied() < 2 * ZEROS);
    let mut address = seen.lowest;
    while bits == 0 && address < seen.lowest + ZEROS {
        // SAFETY: an aligned word of the stack that `paint` has written. It lies below the stack
        // pointer, by `ZEROS` bytes at least: there is no object of Rust's there.
        bits |= unsafe { core::ptr::with_exposed_provenance::<usize>(address).read_volatile() };
        address += WORD;
    }
    if bits == 0 { Ok(seen.dirtied()) } else { Err(ProbeError::NotBurnt(seen.dirtied())) }
}

/// What a burn leaves at its lower end, in bytes, whatever was written above.
const ZEROS: usize = 64;

struct Seen {
    /// Of the frame that looked.
    sp: usize,
    /// The lowest address that was written.
    lowest: usize,
    depth: Depth,
}

impl Seen {
    #[inline(always)]
    fn dirtied(&self) -> usize {
        self.sp - self.lowest
    }
}

/// How deep a depth says that its frame was, if it was made in a build like the calling one.
#[inline(always)]
pub(crate) fn declared(depth: Depth) -> usize {
    depth.bytes().saturating_sub(extra_margin())
}

#[inline(always)]
fn no_depth(f: impl FnOnce()) -> impl FnOnce() -> Depth {
    || {
        f();
        Depth::NONE
    }
}

#[inline(always)]
fn look(limit: usize, f: impl FnOnce() -> Depth) -> Result<Seen, ProbeError> {
    if !arch::PROBES {
        return Err(ProbeError::Unsupported);
    }
    let sp = arch::stack_pointer();
    let low = sp.saturating_sub(limit) & !15;
    arch::paint(low);
    let depth = in_own_frame(|| ((), f()), &mut MaybeUninit::uninit());
    let lowest = arch::first_changed(low, sp);
    if lowest == low { Err(ProbeError::TooDeep) } else { Ok(Seen { sp, lowest, depth }) }
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
        for (len, report) in [
            (16, verify(use_stack::<16>)),
            (3000, verify(use_stack::<3000>)),
            (40000, verify(use_stack::<40000>)),
        ] {
            match report {
                Ok(report) => {
                    assert!(report.dirtied >= len && report.dirtied <= report.burnt, "{report:?}");
                    assert!((len..len + 2048).contains(&report.declared), "{report:?}");
                }
                Err(error) => assert_eq!(error, ProbeError::Unsupported),
            }
        }
    }

    #[test]
    fn a_report_is_short_if_more_was_written_than_burnt() {
        let report = |dirtied| Report { dirtied, declared: 0, burnt: 320 };
        assert_eq!(report(320).check(), Ok(report(320)));
        assert_eq!(report(321).check(), Err(ProbeError::Short(report(321))));
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
    fn burns_are_seen_from_outside() {
        let scope = |declared: bool| {
            crate::scope(|| {
                let depth = use_stack::<20000>();
                ((), if declared { depth } else { Depth::NONE })
            });
        };
        match verify_burnt(|| scope(true)) {
            Ok(depth) => assert!(depth >= 20000 + Depth::MARGIN),
            Err(error) => assert_eq!(error, ProbeError::Unsupported),
        }
        if arch::PROBES {
            let short = verify_burnt(|| scope(false));
            assert!(matches!(short, Err(ProbeError::NotBurnt(20000..))), "{short:?}");
            let none = verify_burnt(|| _ = use_stack::<500>());
            assert!(matches!(none, Err(ProbeError::NotBurnt(500..))), "{none:?}");
            assert!(matches!(verify_burnt(|| ()), Err(ProbeError::NotBurnt(_))));
            let within = verify_burnt_within(30000, || scope(true));
            assert!(within.is_ok(), "{within:?}");
            assert_eq!(verify_burnt_within(16000, || scope(true)), Err(ProbeError::TooDeep));
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
