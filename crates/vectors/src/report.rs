//! What came of a file.

use crate::engine::Fate;
use crate::record::{Cipher, Record};
use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

/// A record that failed with a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The record's `Id`.
    pub id: String,
    /// Its line in the file.
    pub line: usize,
    /// The kernel it failed with.
    pub kernel: String,
    /// What ran it: the model, the block traits, the crate `modes`, …
    pub way: String,
    /// What was wrong.
    pub what: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (line {}), {}", self.id, self.line, self.way)?;
        if !self.kernel.is_empty() {
            write!(f, ", {}", self.kernel)?;
        }
        write!(f, ": {}", self.what)
    }
}

/// What came of a file. A record counts once, whatever the number of kernels: as failed if it
/// failed with any, as skipped if something that it needs is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Records that hold with every kernel, in every way to run them.
    pub passed: usize,
    /// Records that failed with some kernel.
    pub failed: usize,
    /// Records that were not run.
    pub skipped: usize,
    /// Each failure, kernel by kernel.
    pub failures: Vec<Failure>,
    /// Why records were skipped, and how many for each reason.
    pub reasons: BTreeMap<String, usize>,
    /// The kernels that ran.
    pub kernels: BTreeSet<(Cipher, String)>,
}

impl Report {
    pub(crate) fn add(&mut self, record: &Record, fate: Fate) {
        self.kernels.extend(fate.kernels.into_iter().map(|kernel| (record.cipher, kernel)));
        if !fate.failures.is_empty() {
            self.failed += 1;
            self.failures.extend(fate.failures);
        } else if let Some(reason) = fate.skipped {
            self.skipped += 1;
            *self.reasons.entry(reason).or_default() += 1;
        } else {
            self.passed += 1;
        }
    }
}

/// `passed/failed/skipped`, and a line for each reason to skip and each failure.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.passed, self.failed, self.skipped)?;
        for (index, (_, kernel)) in self.kernels.iter().enumerate() {
            write!(f, "{}{kernel}", if index == 0 { "  kernels: " } else { ", " })?;
        }
        for (reason, count) in &self.reasons {
            write!(f, "\n  skipped {count}: {reason}")?;
        }
        for failure in &self.failures {
            write!(f, "\n  FAILED {failure}")?;
        }
        Ok(())
    }
}
