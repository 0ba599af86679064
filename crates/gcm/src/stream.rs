//! GCM (SP 800-38D, section 7) in pieces of any size, for messages that do not fit in memory.
//!
//! Constant time: as the one-shot calls. Both directions share one state; they differ in
//! whether the bytes before or after encryption are hashed.

use crate::error::{check_lengths, length};
use crate::key::Direction;
use crate::message::{add32, copy, equal, truncate, xor};
use crate::{Depth, Error, Gcm, MAX_DATA};
use cinder_block::BlockEncrypt;
use cinder_ghash::lengths;
use core::fmt;

/// Encrypts a message in pieces. Any split gives what [`Gcm::seal`] gives.
///
/// ```
/// use cinder_block::{Aes128, Slot};
/// use cinder_gcm::{Gcm, Sealer};
///
/// let mut slot = Slot::<Gcm<Aes128>>::empty();
/// let gcm = slot.init(&[0x42; 16])?;
///
/// let mut pieces = [*b"a file ", *b"in piec", *b"es.    "];
/// let mut tag = [0; 16];
/// let mut sealer = Sealer::new(gcm);
/// sealer.start(&[1; 12], b"name")?;
/// for piece in &mut pieces {
///     sealer.update(piece)?;
/// }
/// sealer.finish(&mut tag)?;
/// # gcm.open_in_place(&[1; 12], b"name", pieces.as_flattened_mut(), &tag)?;
/// # assert_eq!(pieces.as_flattened(), b"a file in pieces.    ");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// It is wiped at the end of a message and when it drops. Keep it where it is while a message is
/// under way: a move leaves a copy of its state behind, and `mem::forget` and a panic that aborts
/// leave it all: see [what burning cannot reach](cinder_burn#what-burning-cannot-reach). The key it has by
/// reference. There is no `Clone`.
pub struct Sealer<'g, C, const T: usize = 16> {
    stream: Stream<'g, C, T>,
}

impl<'g, C: BlockEncrypt<16>, const T: usize> Sealer<'g, C, T> {
    /// With no message yet.
    pub const fn new(gcm: &'g Gcm<C, T>) -> Self {
        Sealer { stream: Stream::new(gcm) }
    }

    /// Starts a message. One that was under way is given up.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyIv`], [`Error::TooLong`]. Nothing was changed.
    pub fn start(&mut self, iv: &[u8], aad: &[u8]) -> Result<(), Error> {
        self.stream.start(iv, aad)
    }

    /// Encrypts the next bytes in place.
    ///
    /// # Errors
    ///
    /// [`Error::NotStarted`], and [`Error::TooLong`] if the message would become so. Nothing was
    /// changed.
    ///
    /// # Panics
    ///
    /// Only if the cipher does. The message is given up then: wiped, and not started.
    pub fn update(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.stream.update(data, Direction::Seal)
    }

    /// Ends the message and writes the tag.
    ///
    /// # Errors
    ///
    /// [`Error::NotStarted`].
    pub fn finish(&mut self, tag: &mut [u8; T]) -> Result<(), Error> {
        self.stream.check_started()?;
        cinder_burn::scope(|| {
            let mut computed = [0; 16];
            let depth =
                cinder_burn::on_unwind(&mut self.stream, Stream::wipe, |s| s.finish(&mut computed));
            truncate(&computed, tag);
            ((), depth.max(Depth::here()))
        });
        Ok(())
    }
}

/// Decrypts a message in pieces. **What it releases is not verified** until
/// [`verify`](Self::verify) has returned `Ok`: do not act on it before, and throw it away if it
/// does not verify. Prefer [`Gcm::open`] wherever the message fits in memory.
///
/// It is wiped at the end of a message and when it drops. Keep it where it is while a message is
/// under way: a move leaves a copy of its state behind, and `mem::forget` and a panic that aborts
/// leave it all: see [what burning cannot reach](cinder_burn#what-burning-cannot-reach). The key it has by
/// reference. There is no `Clone`.
pub struct Opener<'g, C, const T: usize = 16> {
    stream: Stream<'g, C, T>,
}

impl<'g, C: BlockEncrypt<16>, const T: usize> Opener<'g, C, T> {
    /// With no message yet.
    pub const fn new(gcm: &'g Gcm<C, T>) -> Self {
        Opener { stream: Stream::new(gcm) }
    }

    /// Starts a message. One that was under way is given up.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyIv`], [`Error::TooLong`]. Nothing was changed.
    pub fn start(&mut self, iv: &[u8], aad: &[u8]) -> Result<(), Error> {
        self.stream.start(iv, aad)
    }

    /// Decrypts the next bytes in place, to plaintext that is not yet verified.
    ///
    /// # Errors
    ///
    /// [`Error::NotStarted`], and [`Error::TooLong`] if the message would become so. Nothing was
    /// changed.
    ///
    /// # Panics
    ///
    /// Only if the cipher does. The message is given up then: wiped, and not started; `data` holds
    /// zeros.
    pub fn update_unverified(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.stream.update(data, Direction::Open)
    }

    /// Ends the message and checks its tag.
    ///
    /// # Errors
    ///
    /// [`Error::Unverified`]: throw away all that was decrypted. [`Error::NotStarted`].
    pub fn verify(&mut self, tag: &[u8; T]) -> Result<(), Error> {
        self.stream.check_started()?;
        let valid = cinder_burn::scope(|| {
            let mut computed = [0; 16];
            let depth =
                cinder_burn::on_unwind(&mut self.stream, Stream::wipe, |s| s.finish(&mut computed));
            (equal(&computed, tag), depth.max(Depth::here()))
        });
        if valid { Ok(()) } else { Err(Error::Unverified) }
    }
}

/// The state of a message that is under way.
struct Stream<'g, C, const T: usize> {
    gcm: &'g Gcm<C, T>,
    started: bool,
    /// The next counter block.
    counter: [u8; 16],
    /// E(J_0).
    tag_mask: [u8; 16],
    y: [u8; 16],
    /// The keystream of a block that has been begun, and its ciphertext so far, then zeros.
    keystream: [u8; 16],
    block: [u8; 16],
    /// How many bytes of that block are done: 0 to 15.
    used: usize,
    aad: u64,
    data: u64,
}

impl<'g, C, const T: usize> Stream<'g, C, T> {
    const fn new(gcm: &'g Gcm<C, T>) -> Self {
        Stream {
            gcm,
            started: false,
            counter: [0; 16],
            tag_mask: [0; 16],
            y: [0; 16],
            keystream: [0; 16],
            block: [0; 16],
            used: 0,
            aad: 0,
            data: 0,
        }
    }

    fn wipe(&mut self) {
        let Stream { counter, tag_mask, y, keystream, block, .. } = self;
        for secret in [counter, tag_mask, y, keystream, block] {
            cinder_burn::wipe(secret);
        }
        self.started = false;
    }

    fn check_started(&self) -> Result<(), Error> {
        if self.started { Ok(()) } else { Err(Error::NotStarted) }
    }
}

impl<C: BlockEncrypt<16>, const T: usize> Stream<'_, C, T> {
    fn start(&mut self, iv: &[u8], aad: &[u8]) -> Result<(), Error> {
        check_lengths(length(iv), length(aad), 0)?;
        cinder_burn::scope(|| {
            ((), cinder_burn::on_unwind(self, Stream::wipe, |s| s.start_inner(iv, aad)))
        });
        Ok(())
    }

    #[inline(never)]
    fn start_inner(&mut self, iv: &[u8], aad: &[u8]) -> Depth {
        let (key, cipher) = (self.gcm.key(), self.gcm.cipher());
        self.wipe();
        let mut depth = Depth::here();
        depth = depth.max(key.j_0(iv, &mut self.counter));
        self.tag_mask = self.counter;
        depth = depth.max(cipher.encrypt_block(&mut self.tag_mask));
        add32(&mut self.counter, 1);
        depth = depth.max(key.hash(&mut self.y, aad));
        (self.used, self.aad, self.data) = (0, length(aad), 0);
        self.started = true;
        depth
    }

    fn update(&mut self, data: &mut [u8], direction: Direction) -> Result<(), Error> {
        self.check_started()?;
        let total = self.data.checked_add(length(data)).ok_or(Error::TooLong)?;
        if total > MAX_DATA {
            return Err(Error::TooLong);
        }
        cinder_burn::scope(|| {
            // A panic in the cipher would leave a counter that has been used, and text that
            // nobody can verify any more.
            let depth = cinder_burn::on_unwind(self, Stream::wipe, |stream| match direction {
                Direction::Seal => stream.update_inner(data, direction),
                Direction::Open => cinder_burn::on_unwind(data, cinder_burn::wipe, |data| {
                    stream.update_inner(data, direction)
                }),
            });
            ((), depth)
        });
        self.data = total;
        Ok(())
    }

    #[inline(never)]
    fn update_inner(&mut self, data: &mut [u8], direction: Direction) -> Depth {
        let gcm = self.gcm;
        let mut depth = Depth::here();
        let mut data = data;
        if self.used != 0 {
            let (first, rest) = data.split_at_mut(data.len().min(16 - self.used));
            self.bytes(first, direction);
            data = rest;
            if self.used == 16 {
                depth = depth.max(gcm.key().hash(&mut self.y, &self.block));
                self.block = [0; 16];
                self.used = 0;
            }
        }
        let (blocks, tail) = data.as_chunks_mut::<16>();
        if !blocks.is_empty() {
            let (cipher, counter, y) = (gcm.cipher(), &mut self.counter, &mut self.y);
            depth = depth.max(gcm.key().blocks(cipher, direction, counter, y, blocks));
        }
        if !tail.is_empty() {
            self.keystream = self.counter;
            add32(&mut self.counter, 1);
            depth = depth.max(gcm.cipher().encrypt_block(&mut self.keystream));
            self.bytes(tail, direction);
        }
        depth
    }

    /// Bytes of the block that has been begun, not more than it has left.
    #[inline(always)]
    fn bytes(&mut self, data: &mut [u8], direction: Direction) {
        let from = self.used;
        let to = from + data.len();
        if direction == Direction::Open {
            copy(&mut self.block[from..to], data);
        }
        xor(data, &self.keystream[from..to]);
        if direction == Direction::Seal {
            copy(&mut self.block[from..to], data);
        }
        self.used = to;
    }

    /// The whole tag. Wipes the state.
    #[inline(never)]
    fn finish(&mut self, tag: &mut [u8; 16]) -> Depth {
        let mut depth = Depth::here();
        let blocks = [self.block, lengths(8 * self.aad, 8 * self.data)];
        let from = usize::from(self.used == 0);
        depth = depth.max(self.gcm.key().hash(&mut self.y, blocks[from..].as_flattened()));
        *tag = self.y;
        xor(tag, &self.tag_mask);
        self.wipe();
        depth
    }
}

impl<C, const T: usize> Drop for Stream<'_, C, T> {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl<C, const T: usize> zeroize::ZeroizeOnDrop for Sealer<'_, C, T> {}
impl<C, const T: usize> zeroize::ZeroizeOnDrop for Opener<'_, C, T> {}

impl<C, const T: usize> fmt::Debug for Sealer<'_, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealer").field("started", &self.stream.started).finish_non_exhaustive()
    }
}

impl<C, const T: usize> fmt::Debug for Opener<'_, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opener").field("started", &self.stream.started).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Identity;

    impl BlockEncrypt<16> for Identity {
        fn encrypt_blocks(&self, _: &mut [[u8; 16]]) -> Depth {
            Depth::here()
        }
    }

    /// The limit holds over all pieces together, and the piece that goes beyond is left alone.
    #[test]
    fn too_long_in_total() {
        let gcm = Gcm::<_>::new(Identity);
        for (before, piece, fits) in [
            (MAX_DATA - 16, 16, true),
            (MAX_DATA - 16, 17, false),
            (MAX_DATA, 1, false),
            (MAX_DATA, 0, true),
            (u64::MAX, 1, false),
        ] {
            for direction in [Direction::Seal, Direction::Open] {
                let mut stream = Stream::new(&gcm);
                stream.start(&[1; 12], b"").unwrap();
                stream.data = before;
                let mut data = [0xa7; 20];
                let result = stream.update(&mut data[..piece], direction);
                assert_eq!(result, if fits { Ok(()) } else { Err(Error::TooLong) });
                assert_eq!(data == [0xa7; 20], !fits || piece == 0);
                assert_eq!(stream.data, if fits { before + piece as u64 } else { before });
            }
        }
    }

    /// A panic in the middle may leave a counter block that was used: no more is encrypted.
    #[test]
    fn a_panic_gives_the_message_up() {
        use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

        struct Panics(core::cell::Cell<bool>);

        impl BlockEncrypt<16> for Panics {
            fn encrypt_blocks(&self, _: &mut [[u8; 16]]) -> Depth {
                if self.0.get() {
                    resume_unwind(std::boxed::Box::new(()));
                }
                Depth::here()
            }
        }

        let gcm = Gcm::<_>::new(Panics(false.into()));
        for (before, piece) in [(0, 3), (0, 16), (5, 20), (5, 200)] {
            for direction in [Direction::Seal, Direction::Open] {
                let mut stream = Stream::new(&gcm);
                stream.start(&[1; 12], b"").unwrap();
                stream.update(&mut [0; 20][..before], direction).unwrap();
                gcm.cipher().0.set(true);
                let mut data = [0; 200];
                let update = || stream.update(&mut data[..piece], direction);
                assert!(catch_unwind(AssertUnwindSafe(update)).is_err());
                gcm.cipher().0.set(false);
                assert_eq!(stream.update(&mut data, direction), Err(Error::NotStarted));
                assert_eq!(stream.check_started(), Err(Error::NotStarted));
                stream.start(&[2; 12], b"").unwrap();
                stream.update(&mut data, direction).unwrap();
            }
        }
    }

    #[test]
    fn the_end_wipes() {
        let gcm = Gcm::<_>::new(Identity);
        let mut stream = Stream::new(&gcm);
        stream.start(&[0xff; 12], b"aad").unwrap();
        stream.update(&mut [0xff; 21], Direction::Seal).unwrap();
        assert_ne!(stream.keystream, [0; 16]);
        cinder_burn::burn(stream.finish(&mut [0; 16]));
        let fields = [stream.counter, stream.tag_mask, stream.y, stream.keystream, stream.block];
        assert_eq!(fields, [[0; 16]; 5]);
    }
}
