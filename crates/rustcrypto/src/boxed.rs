//! A value on the heap that was made there: its padding is zero, and every byte is wiped at the end.

use alloc::boxed::Box;
use cinder_burn::Place;
use core::ops::{Deref, DerefMut};

/// A box around a [`Place`] that has its value.
pub(crate) struct Boxed<T>(Box<Place<T>>);

impl<T> Boxed<T> {
    pub(crate) fn new(make: impl FnOnce() -> T) -> Self {
        let mut place = Box::new(Place::empty());
        place.fill(make);
        Boxed(place)
    }
}

impl<T> Deref for Boxed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.get().expect("`new` fills it")
    }
}

impl<T> DerefMut for Boxed<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_mut().expect("`new` fills it")
    }
}
