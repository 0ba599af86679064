//! Cipher feedback of single bytes, SP 800-38A section 6.3 with s = 8: each byte of plaintext is
//! XORed with the first byte of E(I), and then I moves one byte to the left and takes the
//! ciphertext byte in at its end. I starts as the IV.
//!
//! A byte stream that heals: N bytes after an error or a gap it decrypts rightly again. It takes
//! one block operation for every byte. The IV is one block, must not repeat under a key and
//! should not be predictable, is no secret, and usually travels in front of the ciphertext: the
//! mode does not put it there. CFB8 does not authenticate: use it where a format asks for it.
//! Constant time: yes, if the cipher is. Both directions use the cipher forwards. Encryption is
//! serial; decryption runs the widest kernel.
//!
//! ```
//! use cinder_block::Aes128Encrypt;
//! use cinder_modes::cfb8;
//!
//! // SP 800-38A, F.3.7.
//! let aes = Aes128Encrypt::new(&0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes())?;
//! let iv = 0x000102030405060708090a0b0c0d0e0f_u128.to_be_bytes();
//! let mut data = [0x6b, 0xc1, 0xbe, 0xe2];
//! cfb8::Encryptor::new(&aes, &iv).encrypt(&mut data);
//! assert_eq!(data, [0x3b, 0x79, 0x42, 0x4c]);
//! # Ok::<(), cinder_block::KeyError>(())
//! ```

use crate::{Chain, LengthError, copied, equal};
use cinder_block::{BlockEncrypt, Depth};

/// Blocks in the scratch of a long decryption: covers the widest kernels.
const WIDE: usize = 32;
/// The same of a short one, and the longest that takes it.
const SHORT: usize = 16;
/// The same of a few bytes.
const NARROW: usize = 4;

#[inline(always)]
fn shift_in<const N: usize>(register: &mut [u8; N], ciphertext: u8) {
    // Not `rotate_left`, which has a frame of 256 bytes.
    register.copy_within(1.., 0);
    register[N - 1] = ciphertext;
}

#[inline(never)]
fn encrypt<C: BlockEncrypt<N>, const N: usize>(
    cipher: &C,
    register: &mut [u8; N],
    data: &mut [u8],
) -> Depth {
    let mut depth = Depth::here();
    let mut keystream;
    for byte in data {
        keystream = *register;
        depth = depth.max(cipher.encrypt_block(&mut keystream));
        *byte ^= keystream[0];
        shift_in(register, *byte);
    }
    depth
}

#[inline(always)]
fn decrypt<C: BlockEncrypt<N>, const N: usize>(
    cipher: &C,
    register: &mut [u8; N],
    data: &mut [u8],
) -> Depth {
    if data.len() <= NARROW {
        decrypt_short::<C, N, NARROW>(cipher, register, data)
    } else if data.len() <= SHORT {
        decrypt_short::<C, N, SHORT>(cipher, register, data)
    } else {
        decrypt_long(cipher, register, data)
    }
}

#[inline(never)]
fn decrypt_short<C: BlockEncrypt<N>, const N: usize, const W: usize>(
    cipher: &C,
    register: &mut [u8; N],
    data: &mut [u8],
) -> Depth {
    let mut scratch = [[0; N]; W];
    decrypt_by(cipher, register, data, &mut scratch)
}

#[inline(never)]
fn decrypt_long<C: BlockEncrypt<N>, const N: usize>(
    cipher: &C,
    register: &mut [u8; N],
    data: &mut [u8],
) -> Depth {
    let mut depth = Depth::NONE;
    let mut scratch = [[0; N]; WIDE];
    for data in data.chunks_mut(WIDE) {
        depth = depth.max(decrypt_by(cipher, register, data, &mut scratch));
    }
    depth
}

/// Not more bytes than the scratch has blocks.
#[inline(always)]
fn decrypt_by<C: BlockEncrypt<N>, const N: usize>(
    cipher: &C,
    register: &mut [u8; N],
    data: &mut [u8],
    scratch: &mut [[u8; N]],
) -> Depth {
    // The register as an integer, its first byte lowest: in memory each shift would wait for the
    // one before it.
    let mut window = [0; 16];
    window[..N].copy_from_slice(register);
    let mut window = u128::from_le_bytes(window);
    let keystream = &mut scratch[..data.len()];
    for (block, byte) in keystream.iter_mut().zip(&*data) {
        block.copy_from_slice(&window.to_le_bytes()[..N]);
        window = window >> 8 | u128::from(*byte) << (8 * (N - 1));
    }
    register.copy_from_slice(&window.to_le_bytes()[..N]);
    let depth = Depth::here().max(cipher.encrypt_blocks(keystream));
    for (byte, block) in data.iter_mut().zip(&*keystream) {
        *byte ^= block[0];
    }
    depth
}

/// CFB8 encryption over the cipher `C` with blocks of `N` bytes.
///
/// Holds the cipher, or a reference, and a chaining block, wiped when it drops. A move leaves a
/// copy behind, and `mem::forget` and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
pub struct Encryptor<C, const N: usize> {
    cipher: C,
    register: Chain<N>,
}

impl<C: BlockEncrypt<N>, const N: usize> Encryptor<C, N> {
    /// CFB8 over a cipher, or a reference to one, from the IV (or from the
    /// [`chain`](Self::chain) of a message that goes on).
    pub fn new(cipher: C, iv: &[u8; N]) -> Self {
        Encryptor { cipher, register: Chain::new(iv) }
    }

    /// Encrypts in place, any number of bytes.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn encrypt(&mut self, data: &mut [u8]) {
        if !data.is_empty() {
            cinder_burn::scope(|| ((), self.apply(data)));
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
            cinder_burn::scope(|| ((), copied(input, output, |data| self.apply(data))));
        }
        Ok(())
    }

    /// The last N bytes of IV and ciphertext: with them a new value continues the message. No
    /// secret.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn chain(&self) -> &[u8; N] {
        self.register.block()
    }

    /// Begins another message, also after [the cipher has panicked](crate#when-the-cipher-panics).
    pub fn restart(&mut self, iv: &[u8; N]) {
        self.register.set(iv);
    }

    #[inline(always)]
    fn apply(&mut self, data: &mut [u8]) -> Depth {
        self.register.with(|register| encrypt(&self.cipher, register, data))
    }
}

/// CFB8 decryption over the cipher `C` with blocks of `N` bytes.
///
/// Holds the cipher, or a reference, and a chaining block, wiped when it drops. A move leaves a
/// copy behind, and `mem::forget` and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
pub struct Decryptor<C, const N: usize> {
    cipher: C,
    register: Chain<N>,
}

impl<C: BlockEncrypt<N>, const N: usize> Decryptor<C, N> {
    /// CFB8 over a cipher, or a reference to one, from the IV, or from the N bytes of ciphertext
    /// before the place where decryption begins.
    pub fn new(cipher: C, iv: &[u8; N]) -> Self {
        Decryptor { cipher, register: Chain::new(iv) }
    }

    /// Decrypts in place, any number of bytes.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn decrypt(&mut self, data: &mut [u8]) {
        if !data.is_empty() {
            cinder_burn::scope(|| ((), self.apply(data)));
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
            cinder_burn::scope(|| ((), copied(input, output, |data| self.apply(data))));
        }
        Ok(())
    }

    /// The last N bytes of IV and ciphertext: with them a new value continues the message. No
    /// secret.
    ///
    /// # Panics
    ///
    /// If the message is [lost](crate#when-the-cipher-panics).
    pub fn chain(&self) -> &[u8; N] {
        self.register.block()
    }

    /// Begins another message, also after [the cipher has panicked](crate#when-the-cipher-panics).
    pub fn restart(&mut self, iv: &[u8; N]) {
        self.register.set(iv);
    }

    #[inline(always)]
    fn apply(&mut self, data: &mut [u8]) -> Depth {
        self.register.with(|register| decrypt(&self.cipher, register, data))
    }
}

crate::state!(Encryptor {});
crate::state!(Decryptor {});
