//! CFB, cipher feedback of whole blocks: OpenPGP's mode. It authenticates nothing: otherwise use GCM.
//!
//! SP 800-38A section 6.3 with s = b: C_j = P_j ⊕ E(C_{j-1}), C_0 = IV. RFC 4880 section 13.9 and
//! RFC 9580 section 12.9 use it. A stream of bytes, cut anywhere. Both directions run the cipher
//! forwards. Constant time: yes, if the cipher is. Encryption is serial and takes the latency of one
//! block for each; decryption runs the cipher's widest kernel.
//!
//! The IV is one block. It must not repeat under a key and should not be predictable. It is no
//! secret and usually travels in front of the ciphertext; the mode does not put it there.
//!
//! ```
//! use cinder_block::{Aes128Encrypt, Slot};
//! use cinder_modes::cfb;
//!
//! // SP 800-38A, F.3.13, the first block.
//! let mut slot = Slot::<Aes128Encrypt>::empty();
//! let aes = &*slot.init(&0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes())?;
//! let iv = 0x000102030405060708090a0b0c0d0e0f_u128.to_be_bytes();
//! let mut data = 0x6bc1bee22e409f96e93d7e117393172a_u128.to_be_bytes();
//! let mut encryptor = cfb::Encryptor::new(aes, &iv);
//! let (first, second) = data.split_at_mut(5);
//! encryptor.encrypt(first);
//! encryptor.encrypt(second);
//! assert_eq!(data, 0x3b3fd92eb72dad20333449f8e83cfb4a_u128.to_be_bytes());
//! # Ok::<(), cinder_block::KeyError>(())
//! ```
//!
//! # OpenPGP
//!
//! The IV is zeros, and the message begins with a prefix of N + 2 bytes: a random block, and its
//! last two bytes once more. [`resynchronize`](Cfb::resynchronize) follows the prefix in the
//! Symmetrically Encrypted Data packet, but not in the integrity-protected one.

use crate::{LengthError, begin, check_not, copy_then};
use cinder_block::{BlockEncrypt, Depth};

/// CFB over a cipher with blocks of `N` bytes: an [`Encryptor`] or a [`Decryptor`].
///
/// Holds the cipher, or a reference to one, a block of ciphertext, and a block of ciphertext and
/// keystream: see [what stays in memory](crate#what-stays-in-memory). Only a cipher that panics
/// makes a call [panic](crate#when-the-cipher-panics).
pub struct Cfb<C, const N: usize, const ENCRYPT: bool> {
    cipher: C,
    /// The last whole ciphertext block, C_{j-1}.
    chain: [u8; N],
    /// The block under way: `used` bytes of ciphertext, then what is left of E(C_{j-1}).
    block: [u8; N],
    /// Below N. Zero between blocks, and then `block` means nothing.
    used: usize,
    lost: bool,
}

/// CFB encryption over the cipher `C` with blocks of `N` bytes. See [`Cfb`].
pub type Encryptor<C, const N: usize> = Cfb<C, N, true>;

/// CFB decryption over the cipher `C` with blocks of `N` bytes. See [`Cfb`].
pub type Decryptor<C, const N: usize> = Cfb<C, N, false>;

impl<C: BlockEncrypt<N>, const N: usize, const ENCRYPT: bool> Cfb<C, N, ENCRYPT> {
    /// CFB over a cipher, or a reference to one, from the IV.
    pub fn new(cipher: C, iv: &[u8; N]) -> Self {
        const { assert!(N == 8 || N == 16) };
        Cfb { cipher, chain: *iv, block: [0; N], used: 0, lost: false }
    }

    /// OpenPGP's resynchronization (RFC 4880 section 13.9, step 7): the last N bytes of ciphertext
    /// become the chain, and the next byte begins a block. Between blocks it changes nothing.
    pub fn resynchronize(&mut self) {
        if self.used == 0 {
            return;
        }
        cinder_burn::scope(|| {
            // The end of C_{j-1}, then the `used` bytes of C_j. Not by `rotate_left`, which has a
            // frame of 256 bytes.
            self.chain.copy_within(self.used.., 0);
            self.chain[N - self.used..].copy_from_slice(&self.block[..self.used]);
            cinder_burn::wipe(&mut self.block);
            ((), Depth::here())
        });
        self.used = 0;
    }

    /// The last whole block of ciphertext, or the IV before the first. No secret.
    pub fn chain(&self) -> &[u8; N] {
        check_not(self.lost);
        &self.chain
    }

    /// The ciphertext after [`chain`](Self::chain), 0 to N - 1 bytes. No secret.
    pub fn partial(&self) -> &[u8] {
        &self.block[..self.used]
    }

    /// Begins another message.
    pub fn restart(&mut self, iv: &[u8; N]) {
        self.chain = *iv;
        cinder_burn::wipe(&mut self.block);
        self.used = 0;
        self.lost = false;
    }

    /// Goes on inside a message: from its last whole block of ciphertext (or the IV, before the
    /// first) and the ciphertext after it, as [`chain`](Self::chain) and [`partial`](Self::partial)
    /// give them. So decryption can begin anywhere.
    ///
    /// # Errors
    ///
    /// [`LengthError::Long`] if `partial` is a block or more. Nothing was changed.
    pub fn resume(&mut self, chain: &[u8; N], partial: &[u8]) -> Result<(), LengthError> {
        if partial.len() >= N {
            return Err(LengthError::Long);
        }
        self.restart(chain);
        if !partial.is_empty() {
            self.lost = true;
            cinder_burn::scope(|| {
                self.block = self.chain;
                let depth = self.cipher.encrypt_block(&mut self.block);
                self.block[..partial.len()].copy_from_slice(partial);
                ((), depth)
            });
            self.used = partial.len();
            self.lost = false;
        }
        Ok(())
    }

    #[inline(always)]
    fn apply(&mut self, data: &mut [u8]) -> Depth {
        begin(&mut self.lost);
        let mut depth = Depth::here();
        let begun = if self.used == 0 { 0 } else { data.len().min(N - self.used) };
        let (head, data) = data.split_at_mut(begun);
        self.bytes(head);

        let (blocks, tail) = data.as_chunks_mut();
        if !blocks.is_empty() {
            depth = depth.max(if ENCRYPT {
                self.cipher.cfb_encrypt(&mut self.chain, blocks)
            } else {
                self.cipher.cfb_decrypt(&mut self.chain, blocks)
            });
        }
        if !tail.is_empty() {
            self.block = self.chain;
            depth = depth.max(self.cipher.encrypt_block(&mut self.block));
            self.bytes(tail);
        }
        self.lost = false;
        depth
    }

    /// Bytes of the block under way, no more than it has left.
    #[inline(always)]
    fn bytes(&mut self, data: &mut [u8]) {
        for (byte, state) in data.iter_mut().zip(self.block.iter_mut().skip(self.used)) {
            let out = *byte ^ *state;
            *state = if ENCRYPT { out } else { *byte };
            *byte = out;
        }
        self.used += data.len();
        if self.used == N {
            self.chain = self.block;
            self.used = 0;
        }
    }
}

/// Encryption.
impl<C: BlockEncrypt<N>, const N: usize> Encryptor<C, N> {
    /// Encrypts any number of bytes in place.
    pub fn encrypt(&mut self, data: &mut [u8]) {
        cinder_burn::scope(|| ((), self.apply(data)));
    }

    /// Encrypts from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`] if the lengths differ.
    pub fn encrypt_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), LengthError> {
        copy_then(input, output, |data| self.apply(data))
    }
}

/// Decryption.
impl<C: BlockEncrypt<N>, const N: usize> Decryptor<C, N> {
    /// Decrypts any number of bytes in place.
    pub fn decrypt(&mut self, data: &mut [u8]) {
        cinder_burn::scope(|| ((), self.apply(data)));
    }

    /// Decrypts from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`] if the lengths differ.
    pub fn decrypt_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), LengthError> {
        copy_then(input, output, |data| self.apply(data))
    }
}

crate::state!(Cfb<C, const N: usize, const ENCRYPT: bool> { chain, block });
