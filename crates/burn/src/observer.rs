//! What every burn in a call finds below it, in a build with `--cfg burn_observed`.
//!
//! A public entry burns before it returns, so from outside one sees what was burnt and not what
//! was written. Here each burn looks first. For `cargo xtask depth`, in a program of one thread;
//! what such a build leaves behind says nothing of another build's registers and stack.

use crate::Depth;
use crate::arch;
use crate::probe::{PAINTED, Report, declared};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// The lowest painted address, 0 if nobody looks.
static LOW: AtomicUsize = AtomicUsize::new(0);
/// `dirtied`, `declared` and `burnt` of each burn.
static SEEN: [[AtomicUsize; 3]; 64] = [const { [const { AtomicUsize::new(0) }; 3] }; 64];
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// Whether a scope has begun and not burnt yet.
static IN_SCOPE: AtomicBool = AtomicBool::new(false);

/// Runs `f` and hands each of its burns to `each`, measured from the frame that burns; none if `f`
/// panics.
///
/// # Panics
///
/// If there are more than 64 burns.
#[inline(never)]
pub fn observe<R>(f: impl FnOnce() -> R, each: impl FnMut(Report)) -> R {
    struct Looking;
    impl Drop for Looking {
        fn drop(&mut self) {
            LOW.store(0, Relaxed);
        }
    }
    COUNT.store(0, Relaxed);
    IN_SCOPE.store(false, Relaxed);
    let low = arch::stack_pointer().saturating_sub(PAINTED) & !15;
    LOW.store(low, Relaxed);
    let looking = Looking;
    arch::paint(low);
    let result = f();
    drop(looking);
    let field = |field: &AtomicUsize| field.load(Relaxed);
    let report = |[dirtied, declared, burnt]: &[AtomicUsize; 3]| Report {
        dirtied: field(dirtied),
        declared: field(declared),
        burnt: field(burnt),
    };
    SEEN[..COUNT.load(Relaxed)].iter().map(report).for_each(each);
    result
}

/// Paints again where a scope begins that is not inside of another: what ran before it, to check
/// arguments or to move a value without a key into its place, is not its burn's business.
#[inline(always)]
pub(crate) fn begin() {
    if LOW.load(Relaxed) != 0 && !IN_SCOPE.swap(true, Relaxed) {
        arch::paint(LOW.load(Relaxed));
    }
}

/// Looks at the dead stack, before it is burnt.
#[inline(always)]
pub(crate) fn look(depth: Depth) -> Option<Report> {
    let painted = LOW.load(Relaxed);
    if painted == 0 {
        return None;
    }
    let sp = arch::stack_pointer();
    let dirtied = sp - arch::first_changed(painted, sp);
    let burnt = sp - depth.low(sp);
    Some(Report { dirtied, declared: declared(depth), burnt })
}

/// Remembers what was seen, and paints again: a burn in a burn's reach must not count for it.
#[inline(always)]
pub(crate) fn note(report: Option<Report>) {
    if let Some(report) = report {
        remember(report);
        IN_SCOPE.store(false, Relaxed);
        arch::paint(LOW.load(Relaxed));
    }
}

#[inline(never)]
fn remember(report: Report) {
    let seen = &SEEN[COUNT.fetch_add(1, Relaxed)];
    seen[0].store(report.dirtied, Relaxed);
    seen[1].store(report.declared, Relaxed);
    seen[2].store(report.burnt, Relaxed);
}
