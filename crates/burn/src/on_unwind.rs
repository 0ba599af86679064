//! Cleaning up after a panic.

/// Runs `work` on a value. If `work` panics, runs `give_up` on the same value while the panic
/// unwinds.
///
/// It is for what must not outlive a panic in somebody else's code, such as an output buffer that
/// holds text which was to be checked first. Use it inside of [`scope`](crate::scope), which then
/// burns what `give_up` leaves on the stack too. It costs nothing where there is no panic, and does
/// nothing where a panic aborts.
///
/// ```
/// # use std::panic::{AssertUnwindSafe, catch_unwind};
/// let mut text = *b"not checked yet";
/// let result = catch_unwind(AssertUnwindSafe(|| {
///     cinder_burn::on_unwind(&mut text[..], cinder_burn::wipe, |text| assert!(text.is_empty()));
/// }));
/// assert!(result.is_err());
/// assert_eq!(text, [0; 15]);
/// ```
///
/// # Panics
///
/// Only if `work` does. If `give_up` panics too, the process aborts.
#[inline(always)]
pub fn on_unwind<T: ?Sized, R>(
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
