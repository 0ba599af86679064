//! Where there is no assembly (and under Miri, which runs none): one buffer, never recursion.
//!
//! A buffer is a local of a function that the caller calls, so the few bytes between the caller's
//! stack pointer and the buffer (a return address, saved registers, padding) are not reached, and
//! no register is cleared. This is the best that can be done in the language itself; it is
//! weaker than every file beside this one, and the crate's documentation says so.

use crate::Depth;
use core::hint::black_box;
use core::mem::MaybeUninit;
use core::sync::atomic::{Ordering, compiler_fence};

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

/// Buffers of so many bytes. The third is for a panic, where a burn may be as deep as that.
const SIZES: [usize; 4] = {
    let panic = crate::scope::PANIC_DEPTH + Depth::MARGIN_UNOPTIMISED;
    let panic = if panic < Depth::LIMIT { panic } else { Depth::LIMIT };
    [2048, 8192, panic + MARGIN, Depth::LIMIT + MARGIN]
};

/// The smallest buffer that reaches `low`. The depth is bounded by the caller's limit.
#[inline(always)]
pub(crate) fn burn(depth: Depth) {
    let sp = stack_pointer();
    match SIZES.partition_point(|&size| size < sp - depth.low(sp)) {
        0 => buffer::<{ SIZES[0] }>(),
        1 => buffer::<{ SIZES[1] }>(),
        2 => buffer::<{ SIZES[2] }>(),
        _ => buffer::<{ SIZES[3] }>(),
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
    // SAFETY: the caller vouches for the pointer and the length, and the parts in between are of
    // that memory. Volatile stores stay, and the fence keeps what follows behind them.
    unsafe {
        let (head, words, tail) =
            core::slice::from_raw_parts_mut(pointer.cast::<MaybeUninit<u8>>(), len)
                .align_to_mut::<MaybeUninit<u64>>();
        for byte in head.iter_mut().chain(tail) {
            core::ptr::from_mut(byte).cast::<u8>().write_volatile(0);
        }
        for word in words {
            core::ptr::from_mut(word).cast::<u64>().write_volatile(0);
        }
    }
    compiler_fence(Ordering::SeqCst);
}

#[inline(always)]
pub(crate) fn paint(_low: usize) {}

#[inline(always)]
pub(crate) fn first_changed(low: usize, _high: usize) -> usize {
    low
}
