//! CTR, counter mode. A bare keystream that authenticates nothing: for messages use GCM. Never start
//! two messages at the same counter block.
//!
//! SP 800-38A section 6.5 and appendix B: the keystream E(T), E(T + 1), … is XORed with the message.
//! A stream of bytes, cut anywhere, with [`seek`](Ctr::seek); encryption and decryption are the
//! same. Constant time: yes, if the cipher is. All blocks are independent, so CTR runs the cipher's
//! widest kernel.
//!
//! The IV is T, the first counter block, as a whole. Where a protocol has a shorter nonce, the nonce
//! comes first, and the first counter value (0 or 1, big endian) behind it. No counter block may
//! ever be used twice under a key: two messages that share one give away their XOR. The IV is no
//! secret; the mode does not put it into the ciphertext.
//!
//! # Which bytes count
//!
//! The last [`width`](Ctr::with_width) bytes of the block are a big-endian counter that wraps within
//! itself: it carries through all of them, and never into the bytes before. By default the whole
//! block counts, which is SP 800-38A's usual form and what most libraries call CTR. GCM and RFC 3686
//! count in 4 bytes; 8 are common too. A counter of `width` bytes gives 2^(8·width) blocks. After
//! the last one it is exhausted, and a call returns an error instead of wrapping.
//!
//! WinZip's AES counts the other way round: [`Ctr::little_endian`] makes the whole block a
//! little-endian counter, which begins at 1 there.
//!
//! ```
//! use cinder_block::{Aes128Encrypt, Slot};
//! use cinder_modes::ctr::Ctr;
//!
//! // SP 800-38A, F.5.1, the first block.
//! let mut slot = Slot::<Aes128Encrypt>::empty();
//! let aes = &*slot.init(&0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes())?;
//! let iv = 0xf0f1f2f3f4f5f6f7f8f9fafbfcfdfeff_u128.to_be_bytes();
//! let mut data = 0x6bc1bee22e409f96e93d7e117393172a_u128.to_be_bytes();
//! Ctr::new(aes, &iv).apply_keystream(&mut data)?;
//! assert_eq!(data, 0x874d6191b620e3261bef6864990db6ce_u128.to_be_bytes());
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use crate::{CounterError, begin, check_not, check_same_len, copy_then, xor};
use cinder_block::{BlockEncrypt, Depth};

/// CTR over the cipher `C` with blocks of `N` bytes, both directions. The counter is big endian, or
/// little endian if the type says so: [`Ctr::little_endian`].
///
/// Holds the cipher, or a reference to one, the IV, a counter, and a block of keystream: see
/// [what stays in memory](crate#what-stays-in-memory). Only a cipher that panics makes a call
/// [panic](crate#when-the-cipher-panics).
///
/// To save and resume, keep [`position`](Self::position), and [`seek`](Self::seek) there from the
/// same IV.
pub struct Ctr<C, const N: usize, const LITTLE_ENDIAN: bool = false> {
    cipher: C,
    /// The first counter block.
    iv: [u8; N],
    /// The counter block of the first block that begins at `position` or after it: the next one to
    /// be encrypted.
    counter: [u8; N],
    /// The keystream block that holds byte `position`, if that is inside a block.
    keystream: [u8; N],
    /// Bytes from the start.
    position: u128,
    /// Where the keystream ends: N · 2^(8·width) bytes, or as many as a `u128` holds.
    end: u128,
    /// How many bytes of the block count, 1 to N: the last ones, or little endian the first.
    width: u8,
    /// Which bits of the four bytes that the cipher counts in count here. A word of its own: `width`
    /// would be loaded together with `lost`, and wait for the store to it.
    mask: u32,
    lost: bool,
}

impl<C: BlockEncrypt<N>, const N: usize> Ctr<C, N> {
    /// CTR over a cipher, or a reference to one, from the first counter block. All N bytes count.
    pub fn new(cipher: C, iv: &[u8; N]) -> Self {
        Self::from_parts(cipher, iv, N as u8)
    }

    /// CTR in which only the last `width` bytes of the block count.
    ///
    /// # Errors
    ///
    /// [`CounterError::Width`] unless `width` is 1 to N.
    pub fn with_width(cipher: C, iv: &[u8; N], width: usize) -> Result<Self, CounterError> {
        match u8::try_from(width) {
            Ok(bytes) if (1..=N).contains(&width) => Ok(Self::from_parts(cipher, iv, bytes)),
            _ => Err(CounterError::Width),
        }
    }
}

impl<C: BlockEncrypt<N>, const N: usize> Ctr<C, N, true> {
    /// CTR with a little-endian counter over the whole block: the first byte counts first.
    ///
    /// ```
    /// use cinder_block::{Aes256Encrypt, Slot};
    /// use cinder_modes::ctr::Ctr;
    ///
    /// // A file in a WinZip archive: its key is derived from the password, and the counter is 1.
    /// let mut slot = Slot::<Aes256Encrypt>::empty();
    /// let aes = &*slot.init(&[0x42; 32])?;
    /// # let mut data = *b"the compressed file";
    /// Ctr::little_endian(aes, &1_u128.to_le_bytes()).apply_keystream(&mut data)?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn little_endian(cipher: C, iv: &[u8; N]) -> Self {
        Self::from_parts(cipher, iv, N as u8)
    }
}

impl<C: BlockEncrypt<N>, const N: usize, const LITTLE_ENDIAN: bool> Ctr<C, N, LITTLE_ENDIAN> {
    fn from_parts(cipher: C, iv: &[u8; N], width: u8) -> Self {
        const { assert!(N == 8 || N == 16) };
        let bits = 8 * u32::from(width) + N.trailing_zeros();
        let end = 1u128.checked_shl(bits).unwrap_or(u128::MAX);
        let mask = u32::MAX >> (32 - 8 * u32::from(width.min(4)));
        let (counter, keystream) = (*iv, [0; N]);
        Ctr { cipher, iv: *iv, counter, keystream, position: 0, end, width, mask, lost: false }
    }

    /// Encrypts or decrypts any number of bytes in place.
    ///
    /// # Errors
    ///
    /// [`CounterError::Exhausted`] if fewer bytes of keystream [remain](Self::remaining).
    pub fn apply_keystream(&mut self, data: &mut [u8]) -> Result<(), CounterError> {
        self.check(data.len())?;
        cinder_burn::scope(|| ((), self.apply(data)));
        Ok(())
    }

    /// Encrypts or decrypts from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`](crate::LengthError::Unequal) if the lengths differ, and those of
    /// [`apply_keystream`](Self::apply_keystream).
    pub fn apply_keystream_to(
        &mut self,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), CounterError> {
        check_same_len(input, output)?;
        self.check(input.len())?;
        copy_then(input, output, |data| self.apply(data))?;
        Ok(())
    }

    /// Goes to byte `position` of the keystream, forwards or backwards. Block b begins at b · N.
    ///
    /// Going back uses keystream again. That is for reading a message at any place, never for
    /// encrypting a second message.
    ///
    /// # Errors
    ///
    /// [`CounterError::Exhausted`] if `position` is beyond the end of the keystream.
    pub fn seek(&mut self, position: u128) -> Result<(), CounterError> {
        if position > self.end {
            return Err(CounterError::Exhausted);
        }
        self.lost = true;
        self.position = position;
        self.counter = self.counter_at(position / N as u128);
        if !position.is_multiple_of(N as u128) {
            cinder_burn::scope(|| ((), self.next_keystream()));
        }
        self.lost = false;
        Ok(())
    }

    /// Bytes of keystream from the start to here, used or sought over.
    pub fn position(&self) -> u128 {
        check_not(self.lost);
        self.position
    }

    /// Bytes of keystream from here until the counter is exhausted. (A counter of 16 bytes gives
    /// 2^132, of which positions reach the first 2^128 - 1.)
    pub fn remaining(&self) -> u128 {
        self.end - self.position()
    }

    /// The first counter block.
    pub fn iv(&self) -> &[u8; N] {
        &self.iv
    }

    /// The counter block of the next whole block: of the block at [`position`](Self::position), or,
    /// if that is inside a block, of the one after it. No secret. It means nothing once no
    /// keystream [remains](Self::remaining).
    pub fn counter(&self) -> &[u8; N] {
        check_not(self.lost);
        &self.counter
    }

    /// How many bytes of the block count.
    pub fn width(&self) -> usize {
        self.width.into()
    }

    /// Begins another message, with the same width.
    pub fn restart(&mut self, iv: &[u8; N]) {
        self.iv = *iv;
        self.counter = *iv;
        self.position = 0;
        cinder_burn::wipe(&mut self.keystream);
        self.lost = false;
    }

    #[inline(always)]
    fn check(&self, len: usize) -> Result<(), CounterError> {
        let remaining = self.end - self.position;
        if len as u128 <= remaining { Ok(()) } else { Err(CounterError::Exhausted) }
    }

    /// XORs keystream into `data`. At least as much of it remains.
    #[inline(always)]
    fn apply(&mut self, data: &mut [u8]) -> Depth {
        begin(&mut self.lost);
        let mut depth = Depth::here();
        let used = (self.position % N as u128) as usize;
        self.position += data.len() as u128;
        let mut data = data;
        if used != 0 {
            let (head, later) = data.split_at_mut(data.len().min(N - used));
            xor(head, &self.keystream[used..]);
            data = later;
        }
        let (mut blocks, tail) = data.as_chunks_mut();
        while !blocks.is_empty() {
            // The cipher counts in four bytes: a call ends where they wrap.
            let until_wrap = self.until_wrap();
            let count = usize::try_from(until_wrap).unwrap_or(usize::MAX).min(blocks.len());
            let (now, later) = blocks.split_at_mut(count);
            depth = depth.max(if LITTLE_ENDIAN {
                self.cipher.ctr_xor_little_endian(&mut self.counter, now)
            } else {
                self.cipher.ctr_xor(&mut self.counter, now)
            });
            if count as u64 == until_wrap {
                // Carry into the bytes before.
                let left = size_of_val(later) + tail.len();
                self.counter = self.counter_at((self.position - left as u128) / N as u128);
            }
            blocks = later;
        }
        if !tail.is_empty() {
            depth = depth.max(self.next_keystream());
            xor(tail, &self.keystream);
        }
        self.lost = false;
        depth
    }

    /// Computes the keystream block that holds byte `position`, which is inside it.
    #[inline(always)]
    fn next_keystream(&mut self) -> Depth {
        self.keystream = self.counter;
        let depth = self.cipher.encrypt_block(&mut self.keystream);
        if self.until_wrap() == 1 {
            self.counter = self.counter_at(self.position.div_ceil(N as u128));
        } else if LITTLE_ENDIAN {
            if let Some(low) = self.counter.first_chunk_mut() {
                *low = (u32::from_le_bytes(*low) + 1).to_le_bytes();
            }
        } else if let Some(low) = self.counter.last_chunk_mut() {
            // Does not wrap, nor carry out of the bytes that count.
            *low = (u32::from_be_bytes(*low) + 1).to_be_bytes();
        }
        depth
    }

    /// How many blocks the counter gives until the bytes that the cipher counts, the last four or
    /// the first, or those of them that count here, come to zero. 1 to 2^32.
    #[inline(always)]
    fn until_wrap(&self) -> u64 {
        let low = if LITTLE_ENDIAN {
            self.counter.first_chunk().map_or(0, |low| u32::from_le_bytes(*low))
        } else {
            self.counter.last_chunk().map_or(0, |low| u32::from_be_bytes(*low))
        };
        u64::from(!low & self.mask) + 1
    }

    /// The counter block of block `index`: the IV with `index` added to its `width` bytes.
    #[inline(always)]
    fn counter_at(&self, index: u128) -> [u8; N] {
        let mut wide = [0; 16];
        let from = if LITTLE_ENDIAN { 0 } else { 16 - N };
        wide[from..][..N].copy_from_slice(&self.iv);
        let iv = if LITTLE_ENDIAN { u128::from_le_bytes(wide) } else { u128::from_be_bytes(wide) };
        let mask = u128::MAX >> (128 - 8 * u32::from(self.width));
        let sum = iv & !mask | iv.wrapping_add(index) & mask;
        wide = if LITTLE_ENDIAN { sum.to_le_bytes() } else { sum.to_be_bytes() };
        let mut counter = [0; N];
        counter.copy_from_slice(&wide[from..][..N]);
        counter
    }
}

crate::state!(Ctr<C, const N: usize, const LITTLE_ENDIAN: bool> { iv, counter, keystream });
