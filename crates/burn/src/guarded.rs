//! Cleaning up after a panic.

/// Runs `work` on a value, and `give_up` on the same value if `work` panics, while the panic
/// unwinds.
///
/// For what must not outlive a panic in somebody else's code: text that was to be checked first, a
/// stream's state that nobody can tell the position of. Inside of [`scope`](crate::scope), so that
/// what `give_up` leaves on the stack is burnt too. It costs nothing where there is no panic, and
/// does nothing where a panic aborts.
///
/// ```
/// # use std::panic::{AssertUnwindSafe, catch_unwind};
/// let mut text = *b"not checked yet";
/// let result = catch_unwind(AssertUnwindSafe(|| {
///     cinder_burn::guarded(&mut text[..], cinder_burn::wipe, |text| assert!(text.is_empty()));
/// }));
/// assert!(result.is_err());
/// assert_eq!(text, [0; 15]);
/// ```
///
/// # Panics
///
/// Only if `work` does. If `give_up` panics, too, the process aborts.
#[inline(always)]
pub fn guarded<T: ?Sized, R>(
    value: &mut T,
    give_up: impl Fn(&mut T),
    work: impl FnOnce(&mut T) -> R,
) -> R {
    let on_panic = OnPanic { value, give_up };
    let result = work(&mut *on_panic.value);
    core::mem::forget(on_panic);
    result
}

struct OnPanic<'a, T: ?Sized, F: Fn(&mut T)> {
    value: &'a mut T,
    give_up: F,
}

impl<T: ?Sized, F: Fn(&mut T)> Drop for OnPanic<'_, T, F> {
    fn drop(&mut self) {
        (self.give_up)(self.value);
    }
}
