//! OFB, output feedback. For formats that prescribe it: it authenticates nothing and is serial. Use
//! GCM, or CTR for a bare keystream.
//!
//! SP 800-38A section 6.4: O_j = E(O_{j-1}), O_0 = IV; the keystream O_1, O_2, … is XORed with the
//! message. A stream of bytes, cut anywhere; encryption and decryption are the same. Constant time:
//! yes, if the cipher is. Both directions take the latency of one block for each.
//!
//! The IV is one block and must never repeat under a key: two messages under one IV give away their
//! XOR. It is no secret and usually travels in front of the ciphertext; the mode does not put it
//! there.
//!
//! ```
//! use cinder_block::{Aes128Encrypt, Slot};
//! use cinder_modes::ofb::Ofb;
//!
//! // SP 800-38A, F.4.1, the first block.
//! let mut slot = Slot::<Aes128Encrypt>::empty();
//! let aes = &*slot.init(&0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes())?;
//! let iv = 0x000102030405060708090a0b0c0d0e0f_u128.to_be_bytes();
//! let mut data = 0x6bc1bee22e409f96e93d7e117393172a_u128.to_be_bytes();
//! Ofb::new(aes, &iv).apply_keystream(&mut data);
//! assert_eq!(data, 0x3b3fd92eb72dad20333449f8e83cfb4a_u128.to_be_bytes());
//! # Ok::<(), cinder_block::KeyError>(())
//! ```

use crate::{LengthError, begin, check_not, copy_then, xor};
use cinder_block::{BlockEncrypt, Depth};

/// OFB over the cipher `C` with blocks of `N` bytes, both directions.
///
/// Holds the cipher, or a reference to one, and a block of keystream: see
/// [what stays in memory](crate#what-stays-in-memory). Only a cipher that panics makes a call
/// [panic](crate#when-the-cipher-panics).
pub struct Ofb<C, const N: usize> {
    cipher: C,
    /// The last keystream block, O_j.
    chain: [u8; N],
    /// How many of its bytes are used: N once it has none left.
    used: usize,
    lost: bool,
}

impl<C: BlockEncrypt<N>, const N: usize> Ofb<C, N> {
    /// OFB over a cipher, or a reference to one, from the IV.
    pub fn new(cipher: C, iv: &[u8; N]) -> Self {
        const { assert!(N == 8 || N == 16) };
        Ofb { cipher, chain: *iv, used: N, lost: false }
    }

    /// Encrypts or decrypts any number of bytes in place.
    pub fn apply_keystream(&mut self, data: &mut [u8]) {
        cinder_burn::scope(|| ((), self.apply(data)));
    }

    /// Encrypts or decrypts from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`] if the lengths differ.
    pub fn apply_keystream_to(
        &mut self,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), LengthError> {
        copy_then(input, output, |data| self.apply(data))
    }

    /// The last keystream block, or the IV before the first. **A secret** once the stream has
    /// begun: with it, anyone reads that block's plaintext, and whoever has the key computes the
    /// keystream that follows. For saving and resuming.
    pub fn chain(&self) -> &[u8; N] {
        check_not(self.lost);
        &self.chain
    }

    /// How many bytes of [`chain`](Self::chain) are used, 0 to N. The IV counts as used up.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Begins another message.
    pub fn restart(&mut self, iv: &[u8; N]) {
        self.chain = *iv;
        self.used = N;
        self.lost = false;
    }

    /// Goes on inside a message: from its last keystream block and how many bytes of it are used,
    /// as [`chain`](Self::chain) and [`used`](Self::used) give them.
    ///
    /// # Errors
    ///
    /// [`LengthError::Long`] if `used` is more than a block. Nothing was changed.
    pub fn resume(&mut self, chain: &[u8; N], used: usize) -> Result<(), LengthError> {
        if used > N {
            return Err(LengthError::Long);
        }
        cinder_burn::scope(|| {
            // Keystream, which passes through registers.
            self.restart(chain);
            ((), Depth::here())
        });
        self.used = used;
        Ok(())
    }

    #[inline(always)]
    fn apply(&mut self, data: &mut [u8]) -> Depth {
        begin(&mut self.lost);
        let mut depth = Depth::here();
        let (head, data) = data.split_at_mut(data.len().min(N - self.used));
        xor(head, &self.chain[self.used..]);
        self.used += head.len();

        let (blocks, tail) = data.as_chunks_mut();
        if !blocks.is_empty() {
            depth = depth.max(self.cipher.ofb_xor(&mut self.chain, blocks));
        }
        if !tail.is_empty() {
            depth = depth.max(self.cipher.encrypt_block(&mut self.chain));
            xor(tail, &self.chain);
            self.used = tail.len();
        }
        self.lost = false;
        depth
    }
}

crate::state!(Ofb<C, const N: usize> { chain });
