//! What there is, asked once: a bit for each feature. The target's module says what the bits are.

use crate::target::ask;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Set once somebody has asked.
const KNOWN: u32 = 1 << 31;

static FEATURES: AtomicU32 = AtomicU32::new(0);

/// The bits that are set, and some others; 0 if nobody has asked yet.
#[inline(always)]
pub(crate) fn so_far() -> u32 {
    FEATURES.load(Relaxed)
}

/// The same, and never 0.
#[inline(always)]
pub(crate) fn features() -> u32 {
    let features = so_far();
    if features != 0 { features } else { first() }
}

/// If another thread was here, it may have held something back: what it left stays.
#[cold]
#[inline(never)]
fn first() -> u32 {
    let found = ask() | KNOWN;
    FEATURES.compare_exchange(0, found, Relaxed, Relaxed).err().unwrap_or(found)
}

/// Clears bits that are set, and sets none.
pub(crate) fn keep(bits: u32) {
    features();
    FEATURES.fetch_and(bits | KNOWN, Relaxed);
}
