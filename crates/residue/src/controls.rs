//! The scanner's own controls: leaks made on purpose, which it must find.
//!
//! A table of zeros proves little without them. Call [`run`] in a test of yours to see that the
//! scanner sees on your CPU.

use crate::arch::{self, Plant};
use crate::{Left, Trial, heap, scan};
use std::fmt;

/// What one control found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// What is done.
    pub name: String,
    /// What must be found.
    pub expected: String,
    /// Bytes found.
    pub left: Left,
    /// Whether that is what was expected.
    pub is_fine: bool,
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Control { name, expected, left, is_fine } = self;
        write!(f, "{name:<30} {expected:<34} {left}")?;
        f.write_str(if *is_fine { "  as expected" } else { "  FAILED" })
    }
}

/// Leaves 4 bytes of a key in one place, for each kind of place that the CPU has: the stack, the low
/// and the upper parts of a vector register, a mask register, a general register, one that a callee
/// must give back, and a freed block if [`Heap`](crate::Heap) is the program's allocator. Exactly
/// these 4 bytes must be found. Hands each control to `each`.
///
/// # Panics
///
/// On a target without a scanner.
pub fn run(mut each: impl FnMut(Control)) {
    for Plant { place, left, leave } in arch::plants() {
        // SAFETY: `plants` lists what this CPU can do; each writes registers that a callee may use
        // freely, or below the stack pointer.
        each(planted(place, left, |key, trial| trial.watch("plant", || unsafe { leave(key) })));
    }
    let mut held = planted(arch::HELD, arch::IN_GENERAL, |key, trial| {
        let held = trial.run_and_keep("plant", || {
            arch::hold(key);
            // SAFETY: this runs on the private stack.
            unsafe { arch::keep() };
        });
        held.expect("it does not panic");
    });
    // What returns from there may save the register once more, and no more than that: so such a leak
    // gets on the stack.
    held.is_fine |= held.left == Left { stack: 4, ..arch::IN_GENERAL };
    each(held);
    if heap::is_looked_at() {
        each(planted("a freed block", Left { heap: 4, ..Left::NOTHING }, |key, trial| {
            let block = Box::new(*key);
            trial.watch("plant", || drop(block));
        }));
    }
}

fn planted(place: &str, expected: Left, plant: impl Fn(&[u8; 4], &mut Trial<'_>)) -> Control {
    let report = scan(|trial| {
        let key = trial.key::<4>();
        trial.secret("key", &key);
        plant(&key, trial);
    });
    let step = report.step("plant");
    Control {
        name: format!("4 bytes in {place}"),
        expected: "4 bytes, there".into(),
        left: step.left,
        is_fine: step.left == expected
            && step.findings.iter().all(|finding| finding.secret == Some("key")),
    }
}
