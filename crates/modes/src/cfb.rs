//! Cipher feedback of full blocks, SP 800-38A section 6.3 with s = b: C_j = P_j ⊕ E(C_{j-1}),
//! C_0 = IV. OpenPGP's mode (RFC 4880 section 13.9, RFC 9580 section 12.9).
//!
//! A byte stream, cut anywhere. The IV is one block, must not repeat under a key and should not be
//! predictable, is no secret, and usually travels in front of the ciphertext: the mode does not
//! put it there. CFB does not authenticate: use it where a format asks for it. Constant time: yes,
//! if the cipher is. Both directions use the cipher forwards. Encryption is serial, one block's
//! latency each; decryption runs the widest kernel.
//!
//! ```
//! use cinder_block::Aes128Encrypt;
//! use cinder_modes::cfb;
//!
//! // SP 800-38A, F.3.13, the first block.
//! let aes = Aes128Encrypt::new(&0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes())?;
//! let iv = 0x000102030405060708090a0b0c0d0e0f_u128.to_be_bytes();
//! let mut data = 0x6bc1bee22e409f96e93d7e117393172a_u128.to_be_bytes();
//! let mut encryptor = cfb::Encryptor::new(&aes, &iv);
//! let (first, second) = data.split_at_mut(5);
//! encryptor.encrypt(first);
//! encryptor.encrypt(second);
//! assert_eq!(data, 0x3b3fd92eb72dad20333449f8e83cfb4a_u128.to_be_bytes());
//! # Ok::<(), cinder_block::KeyError>(())
//! ```
//!
//! # OpenPGP
//!
//! The IV is zeros, and the message begins with a prefix of N + 2 bytes: a random block and its
//! last two bytes again. In the Symmetrically Encrypted Data packet (not in the integrity-protected
//! one) [`resynchronize`](Encryptor::resynchronize) follows the prefix.

use crate::{LengthError, check_lost, copied, equal};
use cinder_block::{BlockEncrypt, Depth};

/// What both directions hold.
///
/// Invariant: `used < N`. If `used` is 0, `buffer` means nothing.
struct State<const N: usize> {
    /// The last whole ciphertext block, C_{j-1}.
    chain: [u8; N],
    /// The block at work: `used` bytes of ciphertext, then what is left of E(C_{j-1}).
    buffer: [u8; N],
    used: usize,
    /// By a panic in the cipher; see [`Chain`](crate::Chain).
    lost: bool,
}

impl<const N: usize> State<N> {
    fn new(iv: &[u8; N]) -> Self {
        const { assert!(N == 8 || N == 16) };
        State { chain: *iv, buffer: [0; N], used: 0, lost: false }
    }

    fn resume<C: BlockEncrypt<N>>(
        &mut self,
        cipher: &C,
        chain: &[u8; N],
        partial: &[u8],
    ) -> Result<(), LengthError> {
        if partial.len() >= N {
            return Err(LengthError::Long);
        }
        *self = State::new(chain);
        if partial.is_empty() {
            return Ok(());
        }
        cinder_burn::scope(|| {
            let depth = cinder_burn::guarded(self, Self::lose, |state| {
                state.buffer = state.chain;
                cipher.encrypt_block(&mut state.buffer)
            });
            for (byte, ciphertext) in self.buffer.iter_mut().zip(partial) {
                *byte = *ciphertext;
            }
            self.used = partial.len();
            ((), depth)
        });
        Ok(())
    }

    fn resynchronize(&mut self) {
        if self.used == 0 {
            return;
        }
        cinder_burn::scope(|| {
            // The last N bytes of ciphertext: the end of C_{j-1}, then the `used` bytes of C_j.
            // Not by `rotate_left`, which has a frame of 256 bytes.
            self.chain.copy_within(self.used.., 0);
            let from = N - self.used;
            for (byte, ciphertext) in self.chain.iter_mut().skip(from).zip(&self.buffer) {
                *byte = *ciphertext;
            }
            cinder_burn::wipe(&mut self.buffer);
            ((), Depth::here())
        });
        self.used = 0;
    }

    /// The byte work of a block that is begun or not ended. `encrypt` says which of the two, the
    /// byte that comes or the one that goes, is ciphertext.
    #[inline(always)]
    fn bytes(&mut self, data: &mut [u8], encrypt: bool) {
        for (byte, state) in data.iter_mut().zip(self.buffer.iter_mut().skip(self.used)) {
            let out = *byte ^ *state;
            *state = if encrypt { out } else { *byte };
            *byte = out;
        }
        self.used += data.len();
        if self.used == N {
            self.chain = self.buffer;
            self.used = 0;
        }
    }

    #[inline(always)]
    fn apply<C: BlockEncrypt<N>>(&mut self, cipher: &C, data: &mut [u8], encrypt: bool) -> Depth {
        check_lost(self.lost);
        cinder_burn::guarded(self, Self::lose, |state| state.xor(cipher, data, encrypt))
    }

    #[inline(always)]
    fn xor<C: BlockEncrypt<N>>(&mut self, cipher: &C, data: &mut [u8], encrypt: bool) -> Depth {
        let mut depth = Depth::here();
        let begun = if self.used == 0 { 0 } else { data.len().min(N - self.used) };
        let (head, data) = data.split_at_mut(begun);
        self.bytes(head, encrypt);

        let (blocks, tail) = data.as_chunks_mut();
        if !blocks.is_empty() {
            let chain = &mut self.chain;
            depth = depth.max(if encrypt {
                cipher.cfb_encrypt(chain, blocks)
            } else {
                cipher.cfb_decrypt(chain, blocks)
            });
        }
        if !tail.is_empty() {
            self.buffer = self.chain;
            depth = depth.max(cipher.encrypt_block(&mut self.buffer));
            self.bytes(tail, encrypt);
        }
        depth
    }

    /// # Panics
    ///
    /// If it is lost.
    fn chain(&self) -> &[u8; N] {
        check_lost(self.lost);
        &self.chain
    }

    #[cold]
    fn lose(&mut self) {
        cinder_burn::wipe(&mut self.chain);
        cinder_burn::wipe(&mut self.buffer);
        self.used = 0;
        self.lost = true;
    }
}

impl<const N: usize> Drop for State<N> {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.chain);
        cinder_burn::wipe(&mut self.buffer);
    }
}

/// CFB encryption over the cipher `C` with blocks of `N` bytes.
///
/// Holds the cipher, or a reference, a chaining block, and a block of ciphertext and keystream,
/// wiped when it drops. A move leaves a copy behind, and `mem::forget` and a panic that aborts
/// leave it all: see [what burning cannot reach](cinder_burn#what-burning-cannot-reach). There is no
/// `Clone`.
pub struct Encryptor<C, const N: usize> {
    cipher: C,
    state: State<N>,
}

impl<C: BlockEncrypt<N>, const N: usize> Encryptor<C, N> {
    /// CFB over a cipher, or a reference to one, from the IV.
    pub fn new(cipher: C, iv: &[u8; N]) -> Self {
        Encryptor { cipher, state: State::new(iv) }
    }

    /// Encrypts in place, any number of bytes.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn encrypt(&mut self, data: &mut [u8]) {
        if !data.is_empty() {
            cinder_burn::scope(|| ((), self.state.apply(&self.cipher, data, true)));
        }
    }

    /// Encrypts from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`] if the lengths differ.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn encrypt_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), LengthError> {
        equal(input, output)?;
        if !input.is_empty() {
            let Encryptor { cipher, state } = self;
            cinder_burn::scope(|| {
                ((), copied(input, output, |data| state.apply(&*cipher, data, true)))
            });
        }
        Ok(())
    }

    /// OpenPGP's resynchronization step (RFC 4880 section 13.9, step 7): the last N bytes of
    /// ciphertext become the chain, wherever in a block the stream stands, and the next byte
    /// begins a block. Where it stands between blocks, nothing changes.
    pub fn resynchronize(&mut self) {
        self.state.resynchronize();
    }

    /// The last whole block of ciphertext, or the IV before the first. No secret.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn chain(&self) -> &[u8; N] {
        self.state.chain()
    }

    /// The ciphertext after [`chain`](Self::chain), 0 to N - 1 bytes. No secret.
    pub fn partial(&self) -> &[u8] {
        self.state.buffer.get(..self.state.used).unwrap_or(&[])
    }

    /// Begins another message, also after [the cipher has panicked](crate#when-the-cipher-panics).
    pub fn restart(&mut self, iv: &[u8; N]) {
        self.state = State::new(iv);
    }

    /// Goes on inside a message: from its last whole block of ciphertext (see
    /// [`chain`](Self::chain), the IV before the first) and the bytes of ciphertext after it (see
    /// [`partial`](Self::partial)).
    ///
    /// # Errors
    ///
    /// [`LengthError::Long`] if `partial` is a block or more.
    pub fn resume(&mut self, chain: &[u8; N], partial: &[u8]) -> Result<(), LengthError> {
        self.state.resume(&self.cipher, chain, partial)
    }
}

/// CFB decryption over the cipher `C` with blocks of `N` bytes.
///
/// Holds the cipher, or a reference, a chaining block, and a block of ciphertext and keystream,
/// wiped when it drops. A move leaves a copy behind, and `mem::forget` and a panic that aborts
/// leave it all: see [what burning cannot reach](cinder_burn#what-burning-cannot-reach). There is no
/// `Clone`.
pub struct Decryptor<C, const N: usize> {
    cipher: C,
    state: State<N>,
}

impl<C: BlockEncrypt<N>, const N: usize> Decryptor<C, N> {
    /// CFB over a cipher, or a reference to one, from the IV.
    pub fn new(cipher: C, iv: &[u8; N]) -> Self {
        Decryptor { cipher, state: State::new(iv) }
    }

    /// Decrypts in place, any number of bytes.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn decrypt(&mut self, data: &mut [u8]) {
        if !data.is_empty() {
            cinder_burn::scope(|| ((), self.state.apply(&self.cipher, data, false)));
        }
    }

    /// Decrypts from `input` to `output`.
    ///
    /// # Errors
    ///
    /// [`LengthError::Unequal`] if the lengths differ.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn decrypt_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), LengthError> {
        equal(input, output)?;
        if !input.is_empty() {
            let Decryptor { cipher, state } = self;
            cinder_burn::scope(|| {
                ((), copied(input, output, |data| state.apply(&*cipher, data, false)))
            });
        }
        Ok(())
    }

    /// OpenPGP's resynchronization step, see [`Encryptor::resynchronize`].
    pub fn resynchronize(&mut self) {
        self.state.resynchronize();
    }

    /// The last whole block of ciphertext, or the IV before the first. No secret.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn chain(&self) -> &[u8; N] {
        self.state.chain()
    }

    /// The ciphertext after [`chain`](Self::chain), 0 to N - 1 bytes. No secret.
    pub fn partial(&self) -> &[u8] {
        self.state.buffer.get(..self.state.used).unwrap_or(&[])
    }

    /// Begins another message, also after [the cipher has panicked](crate#when-the-cipher-panics).
    pub fn restart(&mut self, iv: &[u8; N]) {
        self.state = State::new(iv);
    }

    /// Goes on inside a message: from its last whole block of ciphertext (see
    /// [`chain`](Self::chain), the IV before the first) and the bytes of ciphertext after it (see
    /// [`partial`](Self::partial)). So one can begin anywhere, given the ciphertext before.
    ///
    /// # Errors
    ///
    /// [`LengthError::Long`] if `partial` is a block or more.
    pub fn resume(&mut self, chain: &[u8; N], partial: &[u8]) -> Result<(), LengthError> {
        self.state.resume(&self.cipher, chain, partial)
    }
}

crate::state!(Encryptor {});
crate::state!(Decryptor {});
