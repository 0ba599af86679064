//! A place for a key schedule that is expanded where it stays.

use crate::{Depth, KeyError};
use core::fmt;

/// How far below a slot's frame a key schedule that refuses its key may go, in bytes, if it is
/// unoptimised and the slot, compiled with the user's code, is optimised: a refusal carries no depth
/// that would say so. The profile `mixed` is such a build; the deepest there is 3DES, 1200 bytes.
const REFUSAL: usize = 2048;

/// A cipher that can be keyed where it stands.
///
/// A value that is returned by value is copied, once more for each `Result` around it, and each
/// copy stays behind on the stack. So a schedule starts out vacant (all zeros, safe to move) at its
/// final place, and is keyed there by [`rekey`](InPlace::rekey).
pub trait InPlace: Sized {
    /// A value without a key. Moving it leaves only zeros behind.
    ///
    /// It encrypts nothing of use and protects nothing: text may pass through it readable. A
    /// [`Slot`] does not hand it out (but see [`cipher_mut`](Slot::cipher_mut)).
    fn vacant() -> Self;

    /// Replaces the key. The caller burns the returned depth; [`Slot::init`] does.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if the key is refused. The former key then stays, or, where only the finished
    /// schedule tells that the key is weak, there is no key at all: the value is wiped. A cipher
    /// says which. Its stack is burnt, because an error carries no depth.
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, KeyError>;
}

/// A place for a cipher's key schedule: expanded in place, wiped when it drops.
///
/// ```
/// # #[cfg(feature = "aes")] {
/// use cinder_block::{Aes256, Slot};
///
/// let mut slot = Slot::<Aes256>::empty();
/// let aes: &Aes256 = slot.init(&[0x42; 32])?;
/// # let _ = aes;
/// # }
/// # Ok::<(), cinder_block::KeyError>(())
/// ```
///
/// Keep the slot where it is while it is keyed: a move leaves a copy of the schedule behind, and
/// `mem::forget` and a panic that aborts leave it all: see
/// [what burning cannot reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
pub struct Slot<C> {
    cipher: C,
    keyed: bool,
}

impl<C: InPlace> Slot<C> {
    /// A slot without a key.
    pub fn empty() -> Self {
        Slot { cipher: C::vacant(), keyed: false }
    }

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
    /// What `rekey` returned. The slot is empty then.
    ///
    /// # Panics
    ///
    /// Only if `rekey` does. The slot is empty then, too, and wiped.
    pub fn init_with<E>(
        &mut self,
        rekey: impl FnOnce(&mut C) -> Result<Depth, E>,
    ) -> Result<&mut C, E> {
        // Burnt before it is cleared, so that what moves in brings nothing of the stack along.
        let result = cinder_burn::guarded(self, Self::clear, |slot| {
            cinder_burn::scope(|| match rekey(&mut slot.cipher) {
                Ok(depth) => (Ok(()), depth),
                Err(error) => (Err(error), Depth::here().deeper(REFUSAL)),
            })
        });
        if let Err(error) = result {
            self.clear();
            return Err(error);
        }
        self.keyed = true;
        Ok(&mut self.cipher)
    }

    /// The cipher, once a key is there.
    pub fn cipher(&self) -> Option<&C> {
        self.keyed.then_some(&self.cipher)
    }

    /// The cipher, once a key is there, to change it.
    ///
    /// To change its key, [`init`](Self::init) is the better way. Of a key that is refused in
    /// [`rekey`](InPlace::rekey) the slot does not know: it goes on to give out the cipher, with
    /// its former key or, where the refusal left none, vacant.
    pub fn cipher_mut(&mut self) -> Option<&mut C> {
        self.keyed.then_some(&mut self.cipher)
    }

    /// Wipes the key; the slot is empty again.
    pub fn clear(&mut self) {
        // The old value drops where it stands, which wipes it; zeros move in.
        self.cipher = C::vacant();
        self.keyed = false;
    }

    /// A cipher in a box, expanded in its box. A move of the box moves a pointer and leaves nothing
    /// behind.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if the key is refused.
    #[cfg(feature = "alloc")]
    pub fn boxed(key: &[u8]) -> Result<alloc::boxed::Box<C>, KeyError> {
        let mut cipher = alloc::boxed::Box::new(C::vacant());
        cinder_burn::scope(|| match cipher.rekey(key) {
            Ok(depth) => (Ok(()), depth),
            Err(error) => (Err(error), Depth::here().deeper(REFUSAL)),
        })?;
        Ok(cipher)
    }
}

impl<C: zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for Slot<C> {}

impl<C> fmt::Debug for Slot<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot").field("keyed", &self.keyed).finish_non_exhaustive()
    }
}
