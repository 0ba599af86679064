//! CFB8, cipher feedback of single bytes. For formats that prescribe it; it authenticates nothing, and
//! is slow: use GCM.
//!
//! SP 800-38A section 6.3 with s = 8: each byte of plaintext is XORed with the first byte of E(I);
//! then I moves one byte to the left and takes the ciphertext byte in at its end. I starts as the
//! IV. A stream of bytes that heals: N bytes after an error or a gap, decryption is right again. It
//! takes one block operation for each byte. Both directions run the cipher forwards. Constant time:
//! yes, if the cipher is. Encryption is serial; decryption runs the cipher's widest kernel.
//!
//! The IV is one block. It must not repeat under a key and should not be predictable. It is no
//! secret and usually travels in front of the ciphertext; the mode does not put it there.
//!
//! ```
//! use cinder_block::{Aes128Encrypt, Slot};
//! use cinder_modes::cfb8;
//!
//! // SP 800-38A, F.3.7.
//! let mut slot = Slot::<Aes128Encrypt>::empty();
//! let aes = &*slot.init(&0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes())?;
//! let iv = 0x000102030405060708090a0b0c0d0e0f_u128.to_be_bytes();
//! let mut data = [0x6b, 0xc1, 0xbe, 0xe2];
//! cfb8::Encryptor::new(aes, &iv).encrypt(&mut data);
//! assert_eq!(data, [0x3b, 0x79, 0x42, 0x4c]);
//! # Ok::<(), cinder_block::KeyError>(())
//! ```

use crate::{LengthError, begin, check_not, copy_then};
use cinder_block::{BlockEncrypt, Depth};

/// CFB8 over a cipher with blocks of `N` bytes: an [`Encryptor`] or a [`Decryptor`].
///
/// Holds the cipher, or a reference to one, and a block of ciphertext: see
/// [what stays in memory](crate#what-stays-in-memory). Only a cipher that panics makes a call
/// [panic](crate#when-the-cipher-panics).
pub struct Cfb8<C, const N: usize, const ENCRYPT: bool> {
    cipher: C,
    /// I: the last N bytes of IV and ciphertext.
    register: [u8; N],
    lost: bool,
}

/// CFB8 encryption over the cipher `C` with blocks of `N` bytes. See [`Cfb8`].
pub type Encryptor<C, const N: usize> = Cfb8<C, N, true>;

/// CFB8 decryption over the cipher `C` with blocks of `N` bytes. See [`Cfb8`].
pub type Decryptor<C, const N: usize> = Cfb8<C, N, false>;

impl<C: BlockEncrypt<N>, const N: usize, const ENCRYPT: bool> Cfb8<C, N, ENCRYPT> {
    /// CFB8 over a cipher, or a reference to one, from the IV. Or from the N bytes of ciphertext
    /// before the place where it is to go on: see [`chain`](Self::chain).
    pub fn new(cipher: C, iv: &[u8; N]) -> Self {
        const { assert!(N == 8 || N == 16) };
        Cfb8 { cipher, register: *iv, lost: false }
    }

    /// The last N bytes of IV and ciphertext. No secret. A new value continues the message from
    /// them.
    pub fn chain(&self) -> &[u8; N] {
        check_not(self.lost);
        &self.register
    }

    /// Begins another message.
    pub fn restart(&mut self, iv: &[u8; N]) {
        self.register = *iv;
        self.lost = false;
    }

    #[inline(always)]
    fn apply(&mut self, data: &mut [u8]) -> Depth {
        begin(&mut self.lost);
        let (cipher, register) = (&self.cipher, &mut self.register);
        let depth = if ENCRYPT {
            encrypt(cipher, register, data)
        } else if data.len() <= NARROW {
            decrypt::<C, N, NARROW>(cipher, register, data)
        } else if data.len() <= SHORT {
            decrypt::<C, N, SHORT>(cipher, register, data)
        } else {
            decrypt::<C, N, WIDE>(cipher, register, data)
        };
        self.lost = false;
        depth
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

/// Blocks in the scratch of a long decryption: covers the widest kernels.
const WIDE: usize = 32;
/// The same of a short one, and the longest that takes it.
const SHORT: usize = 16;
/// The same of a few bytes.
const NARROW: usize = 4;

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
        // Not `rotate_left`, which has a frame of 256 bytes.
        register.copy_within(1.., 0);
        register[N - 1] = *byte;
    }
    depth
}

/// With a scratch of `W` blocks. One function for each `W`, so that a short call has a small frame.
#[inline(never)]
fn decrypt<C: BlockEncrypt<N>, const N: usize, const W: usize>(
    cipher: &C,
    register: &mut [u8; N],
    data: &mut [u8],
) -> Depth {
    let mut depth = Depth::here();
    let mut scratch = [[0; N]; W];
    // The register as an integer, its first byte lowest: in memory each shift would wait for the
    // one before it.
    let mut window = [0; 16];
    window[..N].copy_from_slice(register);
    let mut window = u128::from_le_bytes(window);
    for data in data.chunks_mut(W) {
        let keystream = &mut scratch[..data.len()];
        for (block, byte) in keystream.iter_mut().zip(&*data) {
            block.copy_from_slice(&window.to_le_bytes()[..N]);
            window = window >> 8 | u128::from(*byte) << (8 * (N - 1));
        }
        depth = depth.max(cipher.encrypt_blocks(keystream));
        for (byte, block) in data.iter_mut().zip(&*keystream) {
            *byte ^= block[0];
        }
    }
    register.copy_from_slice(&window.to_le_bytes()[..N]);
    depth
}

crate::state!(Cfb8<C, const N: usize, const ENCRYPT: bool> { register });
