//! A place for a key schedule that is expanded where it stays.

use crate::{Depth, KeyError};
use cinder_burn::Place;
use core::fmt;

/// Proof that a value without a key goes to a place that hands it out only with one: a [`Slot`], or
/// a box that [`Slot::boxed`] fills. Only this crate makes it.
#[derive(Clone, Copy, Debug)]
pub struct Vacancy(());

/// Why a key was refused, and how deep the stack was used until then.
///
/// A [`KeyError`] becomes one by `?` and `into()`, with the depth of the frame in which it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub error: KeyError,
    /// How deep the stack was used.
    pub depth: Depth,
}

impl Refusal {
    /// Burns, and gives the error alone: for who calls [`InPlace::rekey`] directly.
    #[inline(always)]
    pub fn burn(self) -> KeyError {
        cinder_burn::burn(self.depth);
        self.error
    }
}

impl From<KeyError> for Refusal {
    #[inline(always)]
    fn from(error: KeyError) -> Self {
        Refusal { error, depth: Depth::here() }
    }
}

/// A cipher that can be keyed where it stands.
///
/// A value that is returned by value is copied, once more for each `Result` around it, and each
/// copy stays behind on the stack. So a schedule starts out vacant (all zeros, safe to move) at its
/// final place, and is keyed there by [`rekey`](InPlace::rekey).
pub trait InPlace: Sized {
    /// A value without a key. Moving it leaves only zeros behind. Nobody uses it before it has a
    /// key: that is what the [`Vacancy`] stands for. A cipher that is built of others passes it on.
    fn vacant(vacancy: Vacancy) -> Self;

    /// Replaces the key. The caller burns the depth, of success and of refusal; [`Slot::init`]
    /// does.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] if the key is refused. The former key then stays, or, where only the finished
    /// schedule tells that the key is weak, there is no key at all: the value is wiped. A cipher
    /// says which.
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal>;
}

/// A place for a cipher's key schedule: expanded in place, wiped when it drops.
///
/// ```
/// # #[cfg(feature = "aes")] {
/// use cinder_block::{Aes256, Slot};
///
/// let mut slot = Slot::<Aes256>::empty();
/// let aes = slot.init(&[0x42; 32])?;
/// # let _ = aes;
/// slot.clear(); // or let it go out of scope
/// # }
/// # Ok::<(), cinder_block::KeyError>(())
/// ```
///
/// A key for the whole program:
///
/// ```
/// # #[cfg(feature = "aes")] {
/// use cinder_block::{Aes256, Slot};
/// use std::sync::Mutex;
///
/// static KEY: Mutex<Slot<Aes256>> = Mutex::new(Slot::empty());
///
/// KEY.lock().unwrap().init(&[0x42; 32])?;
/// // …
/// KEY.lock().unwrap().clear(); // a static does not drop
/// # }
/// # Ok::<(), cinder_block::KeyError>(())
/// ```
///
/// Keep the slot where it is while it is keyed: a move leaves a copy of the schedule behind.
/// **`drop(slot)` is a move too**: it copies the slot to another frame, wipes it there, and leaves
/// the original. End a key by [`clear`](Self::clear), or let the slot go out of scope. `mem::forget`
/// and a panic that aborts leave it all: see
/// [what burning cannot reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
pub struct Slot<C> {
    place: Place<C>,
}

impl<C> Slot<C> {
    /// A slot without a key: all zeros.
    pub const fn empty() -> Self {
        Slot { place: Place::empty() }
    }

    /// The cipher, once a key is there.
    pub const fn cipher(&self) -> Option<&C> {
        self.place.get()
    }

    /// The cipher, once a key is there, to change it.
    ///
    /// To change its key, [`init`](Self::init) is the better way. If [`rekey`](InPlace::rekey)
    /// refuses a key, the slot is not told and keeps handing out the cipher, with its former key or,
    /// where the refusal left none, without.
    pub const fn cipher_mut(&mut self) -> Option<&mut C> {
        self.place.get_mut()
    }

    /// Wipes the key, and every byte of the slot. It is empty again.
    pub fn clear(&mut self) {
        self.place.clear();
    }
}

impl<C: InPlace> Slot<C> {
    /// Expands `key` in place and burns what the expansion left.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if the key is refused. The slot is empty then, whatever it held before: a
    /// program that goes on in spite of the error does not go on under a key that it meant to
    /// replace.
    pub fn init(&mut self, key: &[u8]) -> Result<&mut C, KeyError> {
        self.init_with(|cipher| cipher.rekey(key))
    }

    /// Keys in place by another function than [`InPlace::rekey`], for ciphers whose key is more
    /// than bytes or which have constructors that allow more, and burns what it left.
    ///
    /// # Errors
    ///
    /// Why `rekey` refused the key. The slot is empty then.
    ///
    /// # Panics
    ///
    /// Only if `rekey` does. The slot is empty then, too, and wiped.
    pub fn init_with(
        &mut self,
        rekey: impl FnOnce(&mut C) -> Result<Depth, Refusal>,
    ) -> Result<&mut C, KeyError> {
        let result = cinder_burn::on_unwind(self, Self::clear, |slot| {
            key_in_place(slot.place.get_or_fill(vacant), rekey)
        });
        if let Err(error) = result {
            self.clear();
            return Err(error);
        }
        Ok(self.place.get_or_fill(vacant))
    }

    /// A cipher in a box, expanded in its box. A move of the box moves a pointer and leaves nothing
    /// behind.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if the key is refused.
    #[cfg(feature = "alloc")]
    pub fn boxed(key: &[u8]) -> Result<alloc::boxed::Box<C>, KeyError> {
        Self::boxed_with(|cipher| cipher.rekey(key))
    }

    /// [`boxed`](Self::boxed) by another function than [`InPlace::rekey`].
    ///
    /// # Errors
    ///
    /// Why `rekey` refused the key.
    #[cfg(feature = "alloc")]
    pub fn boxed_with(
        rekey: impl FnOnce(&mut C) -> Result<Depth, Refusal>,
    ) -> Result<alloc::boxed::Box<C>, KeyError> {
        let mut cipher = vacant_box::<C>();
        key_in_place(&mut *cipher, rekey)?;
        Ok(cipher)
    }
}

/// The one way to key: expands in frames of their own and burns them, of a refusal too.
#[inline(always)]
pub(crate) fn key_in_place<C>(
    cipher: &mut C,
    rekey: impl FnOnce(&mut C) -> Result<Depth, Refusal>,
) -> Result<(), KeyError> {
    cinder_burn::scope(|| match rekey(cipher) {
        Ok(depth) => (Ok(()), depth),
        Err(Refusal { error, depth }) => (Err(error), depth),
    })
}

/// The body of a by-value constructor: keys in this function's own frame, burns what that left, and
/// moves the value out. **The move leaves a copy of the key schedule behind**; a [`Slot`] does not.
///
/// # Errors
///
/// Why `rekey` refused the key.
pub fn by_value<C: InPlace>(
    rekey: impl FnOnce(&mut C) -> Result<Depth, Refusal>,
) -> Result<C, KeyError> {
    let mut cipher = vacant::<C>();
    key_in_place(&mut cipher, rekey)?;
    Ok(cipher)
}

/// A box whose padding is zero: the value moves in from stack that is zeroed, over zeros.
#[cfg(feature = "alloc")]
fn vacant_box<C: InPlace>() -> alloc::boxed::Box<C> {
    let mut place = alloc::boxed::Box::new_uninit();
    cinder_burn::wipe(&mut *place);
    cinder_burn::on_zeroed_stack::<C, _>(|| alloc::boxed::Box::write(place, vacant()))
}

/// For a place that hands the value out only with a key.
pub(crate) fn vacant<C: InPlace>() -> C {
    C::vacant(Vacancy(()))
}

impl<C> zeroize::Zeroize for Slot<C> {
    /// [`clear`](Slot::clear).
    fn zeroize(&mut self) {
        self.clear();
    }
}

impl<C: zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for Slot<C> {}

impl<C> fmt::Debug for Slot<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot").field("keyed", &self.cipher().is_some()).finish_non_exhaustive()
    }
}
