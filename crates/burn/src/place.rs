//! A place for one value that leaves nothing of it, nor of anything else.

use crate::{Depth, arch};
use core::fmt;
use core::mem::MaybeUninit;

/// A place for one value: all of its bytes are zero while it is empty, padding included.
///
/// An empty place may be moved, and made in a `static`; so a value that holds a key is made where it
/// stays. When it is cleared or drops, the value drops where it stands and then every byte of the
/// place is wiped, also those that the value has no use for: padding, and what a smaller variant of
/// an enum leaves. They may hold a copy of dead stack that moved in with the value.
///
/// ```
/// use cinder_burn::Place;
///
/// let mut place = Place::<[u8; 16]>::empty();
/// let key = place.fill(|| [0; 16]);
/// key.copy_from_slice(b"set where it is.");
/// assert!(place.get().is_some());
/// place.clear();
/// assert!(place.get().is_none());
/// ```
pub struct Place<T> {
    /// The flag in it is initialised, always. Within one `MaybeUninit`, which is zeroed and moved as
    /// a whole, so that this struct has no padding of its own.
    inner: MaybeUninit<Inner<T>>,
}

struct Inner<T> {
    value: MaybeUninit<T>,
    filled: bool,
}

impl<T> Place<T> {
    /// A place without a value.
    pub const fn empty() -> Self {
        Place { inner: MaybeUninit::zeroed() }
    }

    /// Puts a value in. One that was there drops first and is wiped. The stack that the value moves
    /// in from is zeroed before, so that padding brings nothing along.
    #[inline]
    pub fn fill(&mut self, make: impl FnOnce() -> T) -> &mut T {
        self.clear();
        on_zeroed_stack::<T, _>(|| self.write(make))
    }

    #[inline]
    fn write(&mut self, make: impl FnOnce() -> T) -> &mut T {
        let inner = self.inner.as_mut_ptr();
        // SAFETY: the pointer is to the place, which is borrowed exclusively. The flag is set once
        // the value is written, so a `make` that panics leaves the place empty.
        unsafe {
            (&raw mut (*inner).value).cast::<T>().write(make());
            (*inner).filled = true;
            &mut *(&raw mut (*inner).value).cast::<T>()
        }
    }

    /// The value; if there is none, `make` puts one in.
    #[inline]
    pub fn get_or_fill(&mut self, make: impl FnOnce() -> T) -> &mut T {
        if self.get().is_none() {
            self.fill(make);
        }
        // SAFETY: there is a value, and the place is borrowed exclusively.
        unsafe { &mut *(&raw mut (*self.inner.as_mut_ptr()).value).cast() }
    }

    /// The value, if there is one.
    #[inline]
    pub const fn get(&self) -> Option<&T> {
        let inner = self.inner.as_ptr();
        // SAFETY: the flag is zero or was set by `fill`, which wrote the value.
        unsafe { if (*inner).filled { Some(&*(&raw const (*inner).value).cast()) } else { None } }
    }

    /// The value, if there is one, to change it.
    #[inline]
    pub const fn get_mut(&mut self) -> Option<&mut T> {
        let inner = self.inner.as_mut_ptr();
        // SAFETY: as in `get`, and the place is borrowed exclusively.
        unsafe { if (*inner).filled { Some(&mut *(&raw mut (*inner).value).cast()) } else { None } }
    }

    /// Drops the value, if there is one, and wipes the whole place.
    #[inline]
    pub fn clear(&mut self) {
        /// Wipes the place even if the value's drop panics.
        struct Wipe(*mut u8, usize);
        impl Drop for Wipe {
            fn drop(&mut self) {
                // SAFETY: the pointer and length of the place that `clear` has borrowed.
                unsafe { arch::wipe(self.0, self.1) }
            }
        }
        let inner = self.inner.as_mut_ptr();
        // SAFETY: the flag is zero or was set by `fill`, which wrote the value; after this it is zero.
        // Both pointers come from one, so that neither ends the other's right to the place.
        unsafe {
            if (*inner).filled {
                let _wipe = Wipe(inner.cast(), size_of::<Inner<T>>());
                (&raw mut (*inner).value).cast::<T>().drop_in_place();
            }
        }
    }
}

/// Calls `write` on stack that was zeroed, as far down as a value of type `T` lies there before it moves
/// to where it stays: without optimisation one that is returned, and one on its way.
#[inline(never)]
pub fn on_zeroed_stack<T, R>(write: impl FnOnce() -> R) -> R {
    zero_frame_for::<T>();
    // What lies above that frame's buffer.
    arch::burn(Depth::NONE);
    let result = in_own_frame(write);
    // No tail call: it would take this function's frame, which is not zero.
    arch::stack_pointer();
    result
}

#[inline(never)]
fn in_own_frame<R>(f: impl FnOnce() -> R) -> R {
    f()
}

/// In a frame of that size, and not by a [`burn`](crate::burn): nobody may have been as deep yet, and
/// where a stack grows by being used, as under valgrind, a write far below the stack pointer faults.
#[inline(never)]
fn zero_frame_for<T>() {
    /// What the writer's frames have besides.
    const REST: usize =
        if cfg!(debug_assertions) { Depth::MARGIN_UNOPTIMISED } else { Depth::MARGIN_CHECKED };
    let mut frame = MaybeUninit::<([MaybeUninit<T>; 2], [u8; REST])>::uninit();
    // SAFETY: the pointer and the length of this function's own buffer.
    unsafe { arch::wipe(frame.as_mut_ptr().cast(), size_of_val(&frame)) }
}

impl<T> Drop for Place<T> {
    #[inline]
    fn drop(&mut self) {
        self.clear();
    }
}

impl<T> fmt::Debug for Place<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Place").field("filled", &self.get().is_some()).finish_non_exhaustive()
    }
}
