//! Counting instructions instead of time, under qemu with the plugin `benches/qemu-count`: a mark
//! before and after the call, and the plugin has written the count to a file.

use std::ffi::c_long;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The variable that names the plugin's file.
const FILE: &str = "CINDER_COUNT_FILE";

/// The plugin's mark.
const MARK: c_long = 1999;

unsafe extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
}

/// The plugin's file, and what the marks themselves cost.
#[derive(Debug)]
pub(crate) struct Counter {
    file: File,
    overhead: u64,
}

impl Counter {
    /// `None` without the plugin.
    pub(crate) fn open() -> Option<Counter> {
        let file = File::open(std::env::var_os(FILE)?).ok()?;
        let mut counter = Counter { file, overhead: 0 };
        counter.count(|| ());
        counter.overhead = counter.count(|| ());
        Some(counter)
    }

    /// The instructions of a call.
    pub(crate) fn count(&self, call: impl FnOnce()) -> u64 {
        mark(0);
        call();
        mark(1);
        let mut bytes = [0; 8];
        // An empty file: the plugin did not see the marks.
        self.file.read_exact_at(&mut bytes, 0).expect("the plugin wrote its count");
        u64::from_le_bytes(bytes).saturating_sub(self.overhead)
    }
}

fn mark(end: c_long) {
    // SAFETY: no system call has this number, so that the kernel does nothing.
    unsafe { syscall(MARK, end) };
}
