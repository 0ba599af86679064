//! Where there is no assembly (and under Miri, which runs none): one buffer, never recursion.
//!
//! A buffer is a local of a function that the caller calls, so the few bytes between the caller's
//! stack pointer and the buffer (a return address, saved registers, padding) are not reached, and
//! no register is cleared. This is the best that can be done in the language itself; it is
//! weaker than every file beside this one, and the crate's documentation says so.

use crate::Depth;
use core::hint::black_box;

/// A stack pointer that is guessed by the address of a local lies anywhere in its frame.
pub(crate) const MARGIN: usize = 1024;

pub(crate) const PROBES: bool = false;

#[inline(always)]
pub(crate) fn stack_pointer() -> usize {
    let here = 0u8;
    black_box(&raw const here).addr()
}

/// Nothing is known of the frame.
#[inline(always)]
pub(crate) fn frame(_local: *const u8) -> usize {
    stack_pointer()
}

/// The smallest of four buffers that reaches `low`. The depth is bounded by the caller's limit.
#[inline(always)]
pub(crate) fn burn(depth: Depth) {
    let sp = stack_pointer();
    match sp - depth.low(sp) {
        0..=2048 => buffer::<2048>(),
        2049..=8192 => buffer::<8192>(),
        8193..=32768 => buffer::<32768>(),
        _ => buffer::<{ Depth::LIMIT }>(),
    }
}

#[inline(never)]
fn buffer<const LEN: usize>() {
    let mut buffer = [0u8; LEN];
    black_box(&mut buffer);
}

/// # Safety
///
/// `pointer` is valid for writes of `len` bytes.
#[inline(always)]
pub(crate) unsafe fn wipe(pointer: *mut u8, len: usize) {
    // SAFETY: the caller vouches for the pointer and the length.
    unsafe { pointer.write_bytes(0, len) };
    black_box(pointer);
}

#[inline(always)]
pub(crate) fn paint(_low: usize) {}

#[inline(always)]
pub(crate) fn first_changed(low: usize, _high: usize) -> usize {
    low
}
