//! Where there is no assembly: one volatile buffer, never recursion.

use core::hint::black_box;

#[inline(always)]
pub(crate) fn stack_pointer() -> usize {
    let here = 0u8;
    black_box(&raw const here).addr()
}

#[inline(always)]
pub(crate) fn burn(_low: usize) {
    fixed();
}

#[inline(never)]
fn fixed() {
    let mut buffer = [0u8; 8192];
    black_box(&mut buffer);
}

#[inline]
pub(crate) unsafe fn wipe(pointer: *mut u8, len: usize) {
    // SAFETY: the caller vouches for the pointer and the length.
    unsafe { pointer.write_bytes(0, len) };
    black_box(pointer);
}
