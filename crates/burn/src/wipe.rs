//! Wiping memory.

use crate::arch;
use core::mem::MaybeUninit;

/// Plain memory: any bit pattern is a value, zero among them, and there is no padding and no
/// pointer inside.
///
/// # Safety
///
/// Overwriting a value of the type with zero bytes must leave a valid value.
pub unsafe trait Plain {}

macro_rules! plain {
    ($($t:ty)*) => {$(
        // SAFETY: zero is a value of every integer type.
        unsafe impl Plain for $t {}
    )*};
}
plain! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool }

// SAFETY: an array is its elements and nothing between them.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}
// SAFETY: memory that need not hold a value may hold zeros.
unsafe impl<T> Plain for MaybeUninit<T> {}
// SAFETY: a slice is its elements and nothing between them.
unsafe impl<T: Plain> Plain for [T] {}

/// Overwrites `value` with zeros, in a way that the compiler does not remove.
///
/// ```
/// let mut key = [7u32; 8];
/// cinder_burn::wipe(&mut key);
/// assert_eq!(key, [0; 8]);
/// ```
#[inline]
pub fn wipe<T: Plain + ?Sized>(value: &mut T) {
    let len = size_of_val(value);
    // SAFETY: the pointer and length are those of an exclusive reference, and `Plain` says that
    // zero bytes are a valid value.
    unsafe { arch::wipe(core::ptr::from_mut(value).cast(), len) }
}
