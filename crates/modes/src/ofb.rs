//! Output feedback, SP 800-38A section 6.4: O_j = E(O_{j-1}), O_0 = IV; the keystream O_1, O_2, …
//! is XORed with the message.
//!
//! A byte stream, cut anywhere; encryption and decryption are the same. The IV is one block, must
//! never repeat under a key (two messages under one IV give away their XOR), is no secret, and
//! usually travels in front of the ciphertext: the mode does not put it there. OFB does not
//! authenticate, and is serial in both directions: use it where a format asks for it, and CTR
//! otherwise. Constant time: yes, if the cipher is.
//!
//! ```
//! use cinder_block::Aes128Encrypt;
//! use cinder_modes::ofb::Ofb;
//!
//! // SP 800-38A, F.4.1, the first block.
//! let aes = Aes128Encrypt::new(&0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes())?;
//! let iv = 0x000102030405060708090a0b0c0d0e0f_u128.to_be_bytes();
//! let mut data = 0x6bc1bee22e409f96e93d7e117393172a_u128.to_be_bytes();
//! Ofb::new(&aes, &iv).apply_keystream(&mut data);
//! assert_eq!(data, 0x3b3fd92eb72dad20333449f8e83cfb4a_u128.to_be_bytes());
//! # Ok::<(), cinder_block::KeyError>(())
//! ```

use crate::{Chain, LengthError, copied, equal, xor};
use cinder_block::{BlockEncrypt, Depth};

/// OFB over the cipher `C` with blocks of `N` bytes, both directions.
///
/// Holds the cipher, or a reference, and a block of keystream, wiped when it drops. A move leaves a
/// copy behind, and `mem::forget` and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
pub struct Ofb<C, const N: usize> {
    cipher: C,
    /// The last keystream block, O_j.
    chain: Chain<N>,
    /// How many of its bytes are used: below N while it has any left, N once it has none.
    used: usize,
}

impl<C: BlockEncrypt<N>, const N: usize> Ofb<C, N> {
    /// OFB over a cipher, or a reference to one, from the IV.
    pub fn new(cipher: C, iv: &[u8; N]) -> Self {
        Ofb { cipher, chain: Chain::new(iv), used: N }
    }

    /// Encrypts or decrypts in place, any number of bytes.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn apply_keystream(&mut self, data: &mut [u8]) {
        if !data.is_empty() {
            cinder_burn::scope(|| ((), self.apply(data)));
        }
    }

    /// Encrypts or decrypts from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`] if the lengths differ.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn apply_keystream_to(
        &mut self,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), LengthError> {
        equal(input, output)?;
        if !input.is_empty() {
            cinder_burn::scope(|| ((), copied(input, output, |data| self.apply(data))));
        }
        Ok(())
    }

    /// The last keystream block, or the IV before the first. **A secret** once the stream has
    /// begun: it gives all the keystream that follows to whoever has the key, and the plaintext
    /// of its own block to anyone. To save and resume.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn chain(&self) -> &[u8; N] {
        self.chain.block()
    }

    /// How many bytes of [`chain`](Self::chain) are used, N if all. (The IV counts as used.)
    pub fn used(&self) -> usize {
        self.used
    }

    /// Begins another message, also after [the cipher has panicked](crate#when-the-cipher-panics).
    pub fn restart(&mut self, iv: &[u8; N]) {
        self.chain.set(iv);
        self.used = N;
    }

    /// Goes on inside a message: from its last keystream block (see [`chain`](Self::chain)) and how
    /// many bytes of it are used (see [`used`](Self::used)).
    ///
    /// # Errors
    ///
    /// [`LengthError::Long`] if `used` is more than a block.
    pub fn resume(&mut self, chain: &[u8; N], used: usize) -> Result<(), LengthError> {
        if used > N {
            return Err(LengthError::Long);
        }
        cinder_burn::scope(|| {
            // Keystream, which passes through registers.
            self.chain.set(chain);
            ((), Depth::here())
        });
        self.used = used;
        Ok(())
    }

    #[inline(always)]
    fn apply(&mut self, data: &mut [u8]) -> Depth {
        let mut depth = Depth::here();
        self.chain.with(|chain| {
            let left = N - self.used;
            let (head, data) = data.split_at_mut(left.min(data.len()));
            if let Some(keystream) = chain.get(self.used..) {
                xor(head, keystream);
            }
            self.used += head.len();

            let (blocks, tail) = data.as_chunks_mut();
            if !blocks.is_empty() {
                depth = depth.max(self.cipher.ofb_xor(chain, blocks));
            }
            if !tail.is_empty() {
                depth = depth.max(self.cipher.encrypt_block(chain));
                xor(tail, chain);
                self.used = tail.len();
            }
        });
        depth
    }
}

crate::state!(Ofb {});
