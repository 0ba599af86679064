//! One-shot GCM (SP 800-38D, section 7) over a block cipher.

use crate::error::{check_lengths, length};
use crate::key::GcmKey;
use crate::message::Message;
use crate::{Depth, Error, Kernel};
use cinder_block::{BlockEncrypt, InPlace, Refusal, Vacancy};
use core::fmt;

/// GCM over a block cipher `C` with blocks of 16 bytes, or over a reference to one, with tags of `T`
/// bytes: 16 unless it is given, and 15, 14, 13, 12, 8 or 4. Another `T` does not compile. See [short
/// tags](crate#short-tags).
///
/// The road that leaves nothing behind is [`Slot`](cinder_block::Slot):
///
/// ```
/// use cinder_block::{Aes128, Slot};
/// use cinder_gcm::Gcm;
///
/// let mut slot = Slot::<Gcm<Aes128>>::empty();
/// let gcm = slot.init(&[0x42; 16])?;
/// # let mut tag = [0; 16];
/// # gcm.seal_in_place(&[1; 12], b"", &mut [], &mut tag)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// A cipher that was picked at run time:
///
/// ```
/// use cinder_block::{Aes128, BlockEncrypt, Slot};
/// use cinder_gcm::Gcm;
///
/// let mut slot = Slot::<Aes128>::empty();
/// let cipher: &dyn BlockEncrypt<16> = slot.init(&[0x42; 16])?;
/// let mut tag = [0; 16];
/// Gcm::with(cipher, |gcm| gcm.seal_in_place(&[1; 12], b"", &mut [], &mut tag))?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// Tags of 12 bytes. No slice of a tag goes for one:
///
/// ```
/// # use cinder_block::{Aes128, Slot};
/// # use cinder_gcm::Gcm;
/// let mut slot = Slot::<Gcm<Aes128, 12>>::empty();
/// let gcm = slot.init(&[0x42; 16])?;
/// let mut tag = [0; 12];
/// gcm.seal_in_place(&[1; 12], b"", &mut [], &mut tag)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// ```compile_fail,E0308
/// # use cinder_block::{Aes128, Slot};
/// # use cinder_gcm::Gcm;
/// # let mut slot = Slot::<Gcm<Aes128>>::empty();
/// # let gcm = slot.init(&[0x42; 16]).unwrap();
/// # let tag = [0; 16];
/// gcm.open_in_place(&[1; 12], b"", &mut [], &tag[..4]);
/// ```
///
/// All methods take the key by shared reference; one key serves many threads.
///
/// Holds the cipher and up to 448 bytes computed from the hash subkey, wiped when it drops; over a
/// reference to a cipher, the latter alone. A move leaves a copy behind, and `mem::forget` and a
/// panic that aborts leave it all: see [what burning cannot reach](cinder_burn#what-burning-cannot-reach).
/// There is no `Clone`.
pub struct Gcm<C, const T: usize = 16> {
    cipher: C,
    key: GcmKey,
}

impl<C: BlockEncrypt<16>, const T: usize> Gcm<C, T> {
    /// GCM over a cipher that has its key, by value: derives the hash subkey. What a move of the
    /// result (and of the cipher) leaves behind is the caller's; [`with`](Self::with) and
    /// [`Slot`](cinder_block::Slot) avoid it.
    pub fn new(cipher: C) -> Self {
        let mut gcm = Self::without_key(cipher);
        cinder_burn::scope(|| ((), gcm.key.rekey(&gcm.cipher)));
        gcm
    }

    /// Runs `run` with GCM over a cipher that has its key, most often a reference to it. The hash
    /// subkey is derived where it stays and wiped when `run` is done.
    pub fn with<R>(cipher: C, run: impl FnOnce(&Self) -> R) -> R {
        let mut gcm = Self::without_key(cipher);
        cinder_burn::scope(|| ((), gcm.key.rekey(&gcm.cipher)));
        run(&gcm)
    }

    /// The cipher.
    pub fn cipher(&self) -> &C {
        &self.cipher
    }

    /// The kernel that this key is expanded for: the best that goes with the cipher, unless
    /// another was asked for.
    pub fn kernel(&self) -> Kernel {
        self.key.kernel()
    }

    /// Keys in place by another function than [`InPlace::rekey`], for ciphers whose keys are
    /// more than bytes, and derives the hash subkey. For [`Slot::init_with`](cinder_block::Slot::init_with).
    ///
    /// # Errors
    ///
    /// What `rekey` returned. The hash subkey is that of whatever key the cipher has then.
    ///
    /// # Panics
    ///
    /// Only if `rekey` or the cipher does. The hash subkey may not be this key's then: key it again. A
    /// [`Slot`](cinder_block::Slot) is empty then.
    pub fn rekey_with(
        &mut self,
        rekey: impl FnOnce(&mut C) -> Result<Depth, Refusal>,
    ) -> Result<Depth, Refusal> {
        let result = rekey(&mut self.cipher);
        // Of a refusal, too: the cipher may have lost its former key.
        let derived = self.key.rekey(&self.cipher);
        match result {
            Ok(depth) => Ok(depth.max(derived)),
            Err(Refusal { error, depth }) => Err(Refusal { error, depth: depth.max(derived) }),
        }
    }

    /// Derives the hash subkey again, for the given kernel: for tests, measurements, and programs
    /// that want to choose. The caller burns the returned depth. A new key goes back to the best.
    ///
    /// `None`, and nothing has changed, if the kernel does not go with the cipher: a stitched one
    /// needs AES on the CPU's instructions.
    ///
    /// ```
    /// use cinder_block::{Aes128, KeyError, Slot};
    /// use cinder_gcm::{Gcm, Kernel};
    ///
    /// let mut slot = Slot::<Gcm<Aes128>>::empty();
    /// for kernel in Kernel::available() {
    ///     let gcm = slot.init(&[0x42; 16])?;
    ///     if let Some(depth) = gcm.use_kernel(kernel) {
    ///         cinder_burn::burn(depth);
    ///         assert_eq!(gcm.kernel(), kernel);
    ///     }
    /// }
    /// # Ok::<(), KeyError>(())
    /// ```
    #[must_use = "it may not go with the cipher; the depth is to be burnt"]
    pub fn use_kernel(&mut self, kernel: Kernel) -> Option<Depth> {
        self.key.rekey_with_kernel(&self.cipher, kernel)
    }

    /// Encrypts `data` in place and writes the tag.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyIv`], [`Error::TooLong`]. Nothing was changed.
    pub fn seal_in_place(
        &self,
        iv: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &mut [u8; T],
    ) -> Result<(), Error> {
        check_lengths(length(iv), length(aad), length(data))?;
        let message = Message { iv, aad, input: None };
        cinder_burn::scope(|| ((), self.key.seal(&self.cipher, &message, data, tag)));
        Ok(())
    }

    /// Encrypts from one buffer to another of the same length and writes the tag.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyIv`], [`Error::TooLong`], [`Error::BufferLengths`].
    /// Nothing was changed.
    pub fn seal(
        &self,
        iv: &[u8],
        aad: &[u8],
        plaintext: &[u8],
        ciphertext: &mut [u8],
        tag: &mut [u8; T],
    ) -> Result<(), Error> {
        check_lengths(length(iv), length(aad), length(plaintext))?;
        if plaintext.len() != ciphertext.len() {
            return Err(Error::BufferLengths);
        }
        let message = Message { iv, aad, input: Some(plaintext) };
        cinder_burn::scope(|| {
            let depth = cinder_burn::on_unwind(ciphertext, cinder_burn::wipe, |ciphertext| {
                self.key.seal(&self.cipher, &message, ciphertext, tag)
            });
            ((), depth)
        });
        Ok(())
    }

    /// Checks the tag and decrypts `data` in place. While the call is under way `data` may hold
    /// plaintext that is not yet verified.
    ///
    /// # Errors
    ///
    /// [`Error::Unverified`] if the tag is not that of these arguments: then `data` is still the
    /// ciphertext. [`Error::EmptyIv`], [`Error::TooLong`]: nothing was
    /// changed.
    pub fn open_in_place(
        &self,
        iv: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8; T],
    ) -> Result<(), Error> {
        check_lengths(length(iv), length(aad), length(data))?;
        let message = Message { iv, aad, input: None };
        if cinder_burn::scope(|| {
            cinder_burn::on_unwind(data, cinder_burn::wipe, |data| {
                self.key.open(&self.cipher, &message, data, tag)
            })
        }) {
            Ok(())
        } else {
            self.undo(&message, data);
            Err(Error::Unverified)
        }
    }

    /// Checks the tag and decrypts from one buffer to another of the same length. While the call
    /// is under way `plaintext` may hold plaintext that is not yet verified.
    ///
    /// # Errors
    ///
    /// [`Error::Unverified`] if the tag is not that of these arguments: then `plaintext` holds
    /// zeros. [`Error::EmptyIv`], [`Error::TooLong`],
    /// [`Error::BufferLengths`]: nothing was changed.
    pub fn open(
        &self,
        iv: &[u8],
        aad: &[u8],
        ciphertext: &[u8],
        plaintext: &mut [u8],
        tag: &[u8; T],
    ) -> Result<(), Error> {
        check_lengths(length(iv), length(aad), length(ciphertext))?;
        if ciphertext.len() != plaintext.len() {
            return Err(Error::BufferLengths);
        }
        let message = Message { iv, aad, input: Some(ciphertext) };
        if cinder_burn::scope(|| {
            cinder_burn::on_unwind(plaintext, cinder_burn::wipe, |plaintext| {
                self.key.open(&self.cipher, &message, plaintext, tag)
            })
        }) {
            Ok(())
        } else {
            cinder_burn::wipe(plaintext);
            Err(Error::Unverified)
        }
    }

    /// A burn of its own, so that the frames of the one do not lie below those of the other.
    #[cold]
    #[inline(never)]
    fn undo(&self, message: &Message<'_>, data: &mut [u8]) {
        cinder_burn::scope(|| {
            let depth = cinder_burn::on_unwind(data, cinder_burn::wipe, |data| {
                self.key.undo(&self.cipher, message, data)
            });
            ((), depth)
        });
    }

    const fn without_key(cipher: C) -> Self {
        const { assert!(matches!(T, 4 | 8 | 12..=16)) };
        Gcm { cipher, key: GcmKey::vacant() }
    }

    pub(crate) fn key(&self) -> &GcmKey {
        &self.key
    }
}

impl<C: BlockEncrypt<16> + InPlace, const T: usize> InPlace for Gcm<C, T> {
    fn vacant(vacancy: Vacancy) -> Self {
        Self::without_key(C::vacant(vacancy))
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.rekey_with(|cipher| cipher.rekey(key))
    }
}

impl<C: zeroize::ZeroizeOnDrop, const T: usize> zeroize::ZeroizeOnDrop for Gcm<C, T> {}

impl<C, const T: usize> fmt::Debug for Gcm<C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gcm").field("kernel", &self.key.kernel()).finish_non_exhaustive()
    }
}
