//! The speed of the core's clock, for figures in cycles: a loop of dependent instructions that
//! each take one cycle.

use crate::measure::median;
use std::time::Instant;

/// Cycles of the loop.
const CYCLES: u64 = 200_000;

/// Cycles of a nanosecond, now. `None` where no such loop is known.
pub(crate) fn cycles_per_ns() -> Option<f64> {
    let mut samples = Vec::new();
    for _ in 0..15 {
        let start = Instant::now();
        if !spin() {
            return None;
        }
        samples.push(CYCLES as f64 / start.elapsed().as_nanos() as f64);
    }
    Some(median(samples))
}

/// Counts down from [`CYCLES`], one cycle each.
#[cfg(target_arch = "x86_64")]
fn spin() -> bool {
    // SAFETY: the loop changes nothing but its counter and the flags.
    unsafe {
        std::arch::asm!(
            "2:",
            "sub {n}, 1",
            "jnz 2b",
            n = inout(reg) CYCLES => _,
            options(nomem, nostack),
        );
    }
    true
}

/// Counts down from [`CYCLES`], one cycle each.
#[cfg(target_arch = "aarch64")]
fn spin() -> bool {
    // SAFETY: the loop changes nothing but its counter and the flags.
    unsafe {
        std::arch::asm!(
            "2:",
            "subs {n}, {n}, #1",
            "b.ne 2b",
            n = inout(reg) CYCLES => _,
            options(nomem, nostack),
        );
    }
    true
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn spin() -> bool {
    false
}
