//! Counter mode, SP 800-38A section 6.5 and appendix B: the keystream E(T), E(T + 1), … is XORed
//! with the message.
//!
//! A byte stream, cut anywhere, with [`seek`](Ctr::seek); encryption and decryption are the same.
//! T, the initial counter block, is the IV that is given: one whole block. Where a protocol has a
//! shorter nonce, it stands in front, and the first counter value (0 or 1, big endian) behind. No
//! counter block may ever be used twice under a key: two messages that share one give away their
//! XOR. The IV is no secret; the mode does not put it into the ciphertext. CTR does not
//! authenticate. Constant time: yes, if the cipher is. All blocks are independent, so it runs the
//! cipher's widest kernel.
//!
//! # Which bytes count
//!
//! The low [`width`](Ctr::with_width) bytes of the block are a big-endian counter that wraps
//! within itself: it carries through all of them and never into the bytes before. By default the
//! whole block counts (SP 800-38A's usual form, and that of other libraries' "CTR"); 4 is the
//! counter of GCM and of RFC 3686, 8 a common one as well. Before a counter gives a block for the
//! second time, that is after 2^(8·width) blocks, it is exhausted: an error, not a wrap.
//!
//! ```
//! use cinder_block::Aes128Encrypt;
//! use cinder_modes::ctr::Ctr;
//!
//! // SP 800-38A, F.5.1, the first block.
//! let aes = Aes128Encrypt::new(&0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes())?;
//! let iv = 0xf0f1f2f3f4f5f6f7f8f9fafbfcfdfeff_u128.to_be_bytes();
//! let mut data = 0x6bc1bee22e409f96e93d7e117393172a_u128.to_be_bytes();
//! Ctr::new(&aes, &iv).apply_keystream(&mut data)?;
//! assert_eq!(data, 0x874d6191b620e3261bef6864990db6ce_u128.to_be_bytes());
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use crate::{CounterError, copied, equal, xor};
use cinder_block::{BlockEncrypt, Depth};

/// CTR over the cipher `C` with blocks of `N` bytes, both directions.
///
/// Holds the cipher, or a reference, the IV, a counter, and a block of keystream, wiped when it
/// drops. A move leaves a copy behind, and `mem::forget` and a panic that aborts leave it all: see
/// [what burning cannot reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
///
/// To save and resume: keep [`position`](Self::position), and [`seek`](Self::seek) there from the
/// same IV.
pub struct Ctr<C, const N: usize> {
    cipher: C,
    /// The initial counter block.
    iv: [u8; N],
    /// The counter block of the next keystream block that is not computed yet: the one that
    /// holds byte `position`, or the one after it if `position` is inside a block.
    counter: [u8; N],
    /// The keystream block that holds byte `position`, if that is inside a block.
    keystream: [u8; N],
    /// Bytes from the start.
    position: u128,
    /// Where the keystream ends: N · 2^(8·width) bytes, or as many as a `u128` holds.
    end: u128,
    /// How many bytes of the block count, 1 to N.
    width: u8,
}

impl<C: BlockEncrypt<N>, const N: usize> Ctr<C, N> {
    /// CTR over a cipher, or a reference to one, from the initial counter block. All N bytes
    /// count.
    pub fn new(cipher: C, iv: &[u8; N]) -> Self {
        Self::from_parts(cipher, iv, N as u8)
    }

    /// CTR of which only the last `width` bytes of the block count.
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

    fn from_parts(cipher: C, iv: &[u8; N], width: u8) -> Self {
        const { assert!(N == 8 || N == 16) };
        let bits = 8 * u32::from(width) + N.trailing_zeros();
        let end = 1u128.checked_shl(bits).unwrap_or(u128::MAX);
        Ctr { cipher, iv: *iv, counter: *iv, keystream: [0; N], position: 0, end, width }
    }

    /// Encrypts or decrypts in place, any number of bytes.
    ///
    /// # Errors
    ///
    /// [`CounterError::Exhausted`] if fewer bytes of keystream are [left](Self::remaining).
    pub fn apply_keystream(&mut self, data: &mut [u8]) -> Result<(), CounterError> {
        self.check(data.len())?;
        if !data.is_empty() {
            cinder_burn::scope(|| ((), self.apply(data)));
        }
        Ok(())
    }

    /// Encrypts or decrypts from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`](crate::LengthError::Unequal) if the lengths differ, and as
    /// [`apply_keystream`](Self::apply_keystream).
    pub fn apply_keystream_to(
        &mut self,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), CounterError> {
        equal(input, output)?;
        self.check(input.len())?;
        if !input.is_empty() {
            cinder_burn::scope(|| ((), copied(input, output, |data| self.apply(data))));
        }
        Ok(())
    }

    /// Goes to byte `position` of the keystream, forwards or backwards. Block b begins at
    /// b · N.
    ///
    /// Going back means to use keystream again: for reading a message anywhere, never for a
    /// second message.
    ///
    /// # Errors
    ///
    /// [`CounterError::Exhausted`] if `position` is beyond the end of the keystream.
    pub fn seek(&mut self, position: u128) -> Result<(), CounterError> {
        if position > self.end {
            return Err(CounterError::Exhausted);
        }
        self.position = position - position % N as u128;
        self.counter = self.counter_at(position / N as u128);
        if self.position != position {
            cinder_burn::scope(|| {
                let depth = cinder_burn::guarded(self, Self::give_up, Self::next_keystream);
                self.position = position;
                ((), depth)
            });
        }
        Ok(())
    }

    /// Bytes of keystream from the start to here, used or sought over.
    pub fn position(&self) -> u128 {
        self.position
    }

    /// Bytes of keystream from here until the counter is exhausted. (A counter of 16 bytes gives
    /// 2^132, of which positions reach the first 2^128 - 1.)
    pub fn remaining(&self) -> u128 {
        self.end - self.position
    }

    /// The initial counter block.
    pub fn iv(&self) -> &[u8; N] {
        &self.iv
    }

    /// The counter block of the next whole block: of the block at [`position`](Self::position), or,
    /// if that is inside a block, of the one after it. No secret. It means nothing once no
    /// keystream [remains](Self::remaining).
    pub fn counter(&self) -> &[u8; N] {
        &self.counter
    }

    /// How many bytes of the block count.
    pub fn width(&self) -> usize {
        self.width.into()
    }

    /// Begins another message, with the same width, also after
    /// [the cipher has panicked](crate#when-the-cipher-panics).
    pub fn restart(&mut self, iv: &[u8; N]) {
        self.iv = *iv;
        self.counter = *iv;
        self.position = 0;
        cinder_burn::wipe(&mut self.keystream);
    }

    #[inline(always)]
    fn check(&self, len: usize) -> Result<(), CounterError> {
        if len as u128 <= self.remaining() { Ok(()) } else { Err(CounterError::Exhausted) }
    }

    /// The counter block of block `index`: the IV with `index` added to its last `width` bytes.
    #[inline(always)]
    fn counter_at(&self, index: u128) -> [u8; N] {
        let mut wide = [0; 16];
        let (_, low) = wide.split_at_mut(16 - N);
        low.copy_from_slice(&self.iv);
        let iv = u128::from_be_bytes(wide);
        let mask = u128::MAX >> (128 - 8 * u32::from(self.width));
        wide = (iv & !mask | iv.wrapping_add(index) & mask).to_be_bytes();
        let mut counter = [0; N];
        counter.copy_from_slice(&wide[16 - N..]);
        counter
    }

    /// How many blocks the counter gives until the bytes that `ctr_xor` counts, the last four,
    /// or those of them that count here, come to zero. 1 to 2^32.
    #[inline(always)]
    fn until_wrap(&self) -> u64 {
        let low = self.counter.last_chunk().map_or(0, |low| u32::from_be_bytes(*low));
        let mask = u32::MAX >> (32 - 8 * u32::from(self.width.min(4)));
        u64::from(mask) + 1 - u64::from(low & mask)
    }

    /// Adds to the counter as many blocks as `until_wrap` said, or fewer, which leads to block
    /// `index`.
    #[inline(always)]
    fn advance(&mut self, count: u64, until_wrap: u64, index: u128) {
        if count == until_wrap {
            // Carry into the bytes before.
            self.counter = self.counter_at(index);
        } else if let Some(low) = self.counter.last_chunk_mut() {
            // Does not wrap, nor carry out of the bytes that count.
            *low = u32::from_be_bytes(*low).wrapping_add(count as u32).to_be_bytes();
        }
    }

    /// XORs the keystream into whole blocks, from a position between blocks.
    #[inline(always)]
    fn blocks(&mut self, mut data: &mut [[u8; N]]) -> Depth {
        let mut depth = Depth::NONE;
        while !data.is_empty() {
            let until_wrap = self.until_wrap();
            let count = usize::try_from(until_wrap).unwrap_or(usize::MAX).min(data.len());
            let (now, later) = data.split_at_mut(count);
            // A copy, which is not read again: the cipher has stored four bytes of it, and a load
            // of all of them would wait for that store.
            let mut counter = self.counter;
            depth = depth.max(self.cipher.ctr_xor(&mut counter, now));
            self.advance(count as u64, until_wrap, self.position / N as u128 + count as u128);
            self.position += (count * N) as u128;
            data = later;
        }
        depth
    }

    /// Computes the keystream block at `position`, which is between blocks.
    #[inline(always)]
    fn next_keystream(&mut self) -> Depth {
        self.keystream = self.counter;
        let depth = self.cipher.encrypt_block(&mut self.keystream);
        self.advance(1, self.until_wrap(), self.position / N as u128 + 1);
        depth
    }

    #[inline(always)]
    fn apply(&mut self, data: &mut [u8]) -> Depth {
        cinder_burn::guarded(self, Self::give_up, |ctr| ctr.xor(data))
    }

    #[inline(always)]
    fn xor(&mut self, data: &mut [u8]) -> Depth {
        let mut depth = Depth::here();
        let used = (self.position % N as u128) as usize;
        let begun = if used == 0 { 0 } else { data.len().min(N - used) };
        let (head, data) = data.split_at_mut(begun);
        if let Some(keystream) = self.keystream.get(used..) {
            xor(head, keystream);
        }
        self.position += begun as u128;

        let (blocks, tail) = data.as_chunks_mut();
        depth = depth.max(self.blocks(blocks));
        if !tail.is_empty() {
            depth = depth.max(self.next_keystream());
            xor(tail, &self.keystream);
            self.position += tail.len() as u128;
        }
        depth
    }

    /// After a panic in the cipher: how much of the keystream the data has met, nobody knows, so
    /// none of it is given any more.
    #[cold]
    fn give_up(&mut self) {
        self.position = self.end;
        cinder_burn::wipe(&mut self.keystream);
    }
}

crate::state!(Ctr { iv, counter, keystream });
