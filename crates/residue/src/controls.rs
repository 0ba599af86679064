//! The scanner's own controls: leaks made on purpose, which it must find.
//!
//! A table of zeros proves little without them. Call [`run`] in a test of yours to see that the
//! scanner sees on your CPU.

use crate::arch::{self, Plant};
use crate::scan;
use std::fmt;

/// What one control found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// What is done.
    pub name: String,
    /// What must be found.
    pub expected: String,
    /// Bytes found on the stack.
    pub stack: usize,
    /// In vector registers.
    pub vector: usize,
    /// In general registers.
    pub general: usize,
    /// Whether that is what was expected.
    pub is_fine: bool,
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Control { name, expected, stack, vector, general, is_fine } = self;
        write!(f, "{name:<30} {expected:<34} {stack:>6} {vector:>6} {general:>7}")?;
        f.write_str(if *is_fine { "  as expected" } else { "  FAILED" })
    }
}

/// Leaves 4 bytes of a key in one place, for each kind of place that the CPU has: the stack, the low
/// and the upper parts of a vector register, a mask register, a general register. Exactly these 4
/// bytes must be found. Hands each control to `each`.
///
/// # Panics
///
/// On a target without a scanner.
pub fn run(each: impl FnMut(Control)) {
    arch::plants().iter().map(planted).for_each(each);
}

fn planted(plant: &Plant) -> Control {
    let report = scan(|trial| {
        let key = trial.key::<4>();
        trial.secret("key", &key);
        trial.watch("plant", || plant.run(&key));
    });
    let step = report.step("plant");
    Control {
        name: format!("4 bytes in {}", plant.place),
        expected: "4 bytes, there".into(),
        stack: step.stack,
        vector: step.vector,
        general: step.general,
        is_fine: [step.stack, step.vector, step.general] == plant.bytes
            && step.findings.iter().all(|finding| finding.secret == Some("key")),
    }
}
