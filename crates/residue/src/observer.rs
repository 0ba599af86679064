//! A program that looks at the steps of scans in a way of its own.

use std::sync::OnceLock;

static OBSERVER: OnceLock<&'static dyn Observer> = OnceLock::new();

/// What is done with a step in place of a scan for residue, and with what is secret and public.
pub trait Observer: Sync {
    /// Runs a watched step, which has a name; on the stack of the thread that scans.
    fn step(&self, name: &'static str, run: &mut dyn FnMut());

    /// Which key the one trial of each scan has, less than [`KEYS`](crate::KEYS).
    fn key_number(&self) -> usize {
        0
    }

    /// A key that was made at random, to make another of it.
    fn key(&self, bytes: &mut [u8]) {
        let _ = bytes;
    }

    /// Keys and messages, where a trial makes them.
    fn secret(&self, bytes: &mut [u8]) {
        let _ = bytes;
    }

    /// Public outputs.
    fn public(&self, bytes: &[u8]) {
        let _ = bytes;
    }
}

/// From here on each [`scan`](crate::scan) of this process is one trial, and its steps go to
/// `observer`. Reports find nothing then, and no target is without a scanner.
///
/// # Panics
///
/// If there is an observer already.
pub fn observe(observer: &'static dyn Observer) {
    assert!(OBSERVER.set(observer).is_ok(), "there is an observer");
}

#[inline]
pub(crate) fn get() -> Option<&'static dyn Observer> {
    OBSERVER.get().copied()
}

pub(crate) fn secret(bytes: &mut [u8]) {
    if let Some(observer) = get() {
        observer.secret(bytes);
    }
}
