//! GCM-SIV: S. Gueron, A. Langley, Y. Lindell, RFC 8452.
//!
//! Each message has keys of its own, which the key and the nonce give. The tag encrypts POLYVAL of
//! the additional data and the plaintext, and the message is encrypted in counter mode from the tag.
//! So a nonce that comes twice gives away whether the messages are equal, and nothing else.
//!
//! POLYVAL is GHASH with the bytes of each block in reverse (RFC 8452, appendix A), and runs on the
//! kernels of GHASH:
//!
//! ```text
//! POLYVAL(H, X_1, …) = ByteReverse(GHASH(mulX_GHASH(ByteReverse(H)), ByteReverse(X_1), …))
//! ```
//!
//! Constant time: yes, if the cipher and its key schedule are, for messages of one length.

use crate::common::{PIECE, key, xor};
use crate::{Aead, Error};
use cinder_block::{BlockEncrypt, Depth, InPlace, KeyError, Refusal, Vacancy};
use cinder_ghash::GhashKey;
use subtle::ConstantTimeEq;

type Block = [u8; 16];

/// GCM-SIV over a cipher `C` with blocks of 16 bytes, with nonces of 12 bytes and tags of 16.
///
/// The key has 16 or 32 bytes: RFC 8452 has AES-128 and AES-256. Every message sets up another key of
/// the cipher, on the stack, where it is wiped and burnt.
///
/// How many messages one key may have stands in RFC 8452, section 9: with random nonces more than GCM
/// allows.
///
/// ```
/// use cinder_aead::{Aead, GcmSiv};
/// use cinder_block::{Aes256Encrypt, Slot};
///
/// let mut slot = Slot::<GcmSiv<Aes256Encrypt>>::empty();
/// let siv = slot.init(&[0x42; 32])?;
/// let (mut data, mut tag) = (*b"attack at dawn", [0; 16]);
/// siv.seal_in_place(&[1; 12], b"header", &mut data, &mut tag)?;
/// # siv.open_in_place(&[1; 12], b"header", &mut data, &tag)?;
/// # assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// A cipher of somebody else's that accepts a key and then refuses another of the same length makes
/// the calls panic.
pub struct GcmSiv<C> {
    /// With the key-generating key.
    cipher: C,
    /// The key's bytes.
    len: usize,
    /// For the ciphers of messages, of which none is used before it has its key.
    vacancy: Vacancy,
}

key!(GcmSiv<C>);

/// What a message has of its own: the keys, and POLYVAL so far.
struct Message<C> {
    cipher: C,
    hash: GhashKey,
    y: Block,
}

/// The longest message and the longest additional data, in bytes: RFC 8452, section 6.
const MOST: u64 = 1 << 36;

impl<C: BlockEncrypt<16> + InPlace> GcmSiv<C> {
    fn message(&self) -> Message<C> {
        Message { cipher: C::vacant(self.vacancy), hash: GhashKey::vacant(), y: [0; 16] }
    }

    /// The keys of a message: RFC 8452, section 4.
    #[inline(never)]
    fn derive(&self, nonce: &[u8], message: &mut Message<C>) -> Depth {
        let mut blocks = [[0; 16]; 6];
        for (i, block) in (0u32..).zip(&mut blocks) {
            block[..4].copy_from_slice(&i.to_le_bytes());
            block[4..].copy_from_slice(nonce);
        }
        let blocks = &mut blocks[..2 + self.len / 8];
        let mut depth = Depth::here().max(self.cipher.encrypt_blocks(blocks));
        // Half of each block is a key's.
        let mut keys = [[0; 8]; 6];
        for (key, block) in keys.iter_mut().zip(&*blocks) {
            key.copy_from_slice(&block[..8]);
        }
        let (hash, keys) = keys[..blocks.len()].split_at(2);
        let mut h = [0; 16];
        h.copy_from_slice(hash.as_flattened());
        depth = depth.max(message.hash.rekey(&subkey(&h)));
        match message.cipher.rekey(keys.as_flattened()) {
            Ok(rekeyed) => depth.max(rekeyed),
            Err(refusal) => panic!("the cipher takes keys of this length: {}", refusal.error),
        }
    }
}

/// What GHASH takes for POLYVAL's H.
#[inline(always)]
fn subkey(h: &Block) -> Block {
    let v = u128::from_le_bytes(*h);
    // mulX_GHASH: a shift to the right, the first bit being the lowest power, and the sum with
    // 1 + x + x^2 + x^7 if x^127 went out.
    let out = v & 1;
    let h = v >> 1 ^ out << 127 ^ out << 126 ^ out << 125 ^ out << 120;
    h.to_be_bytes()
}

impl<C: BlockEncrypt<16>> Message<C> {
    fn hash(&mut self, data: &[u8]) -> Depth {
        if data.is_empty() { Depth::NONE } else { self.hash.update_reversed(&mut self.y, data) }
    }

    /// The tag, once all is hashed.
    #[inline(never)]
    fn finish(&mut self, nonce: &[u8], aad: usize, data: usize, tag: &mut Block) -> Depth {
        // Two lengths in bits.
        let bits = u128::from(8 * data as u64) << 64 | u128::from(8 * aad as u64);
        let mut depth = Depth::here().max(self.hash(&bits.to_le_bytes()));
        *tag = self.y;
        xor(tag, nonce);
        tag[15] &= 0x7f;
        depth = depth.max(self.cipher.encrypt_block(tag));
        depth
    }

    /// The first counter block.
    #[inline(always)]
    fn counter(tag: &Block) -> Block {
        let mut counter = *tag;
        counter[15] |= 0x80;
        counter
    }

    /// XORs keystream. Only the last piece of a message may end inside a block.
    #[inline(never)]
    fn ctr(&self, counter: &mut Block, data: &mut [u8]) -> Depth {
        let (blocks, rest) = data.as_chunks_mut();
        let mut depth = Depth::here();
        if !blocks.is_empty() {
            depth = depth.max(self.cipher.ctr_xor_little_endian(counter, blocks));
        }
        if !rest.is_empty() {
            depth = depth.max(self.cipher.encrypt_block(counter));
            xor(rest, counter);
        }
        depth
    }
}

impl<C: BlockEncrypt<16> + InPlace> Aead<16> for GcmSiv<C> {
    fn check(&self, nonce: usize, aad: usize, data: usize) -> Result<(), Error> {
        if nonce != 12 {
            return Err(Error::NonceLength);
        }
        if aad as u64 > MOST || data as u64 > MOST {
            return Err(Error::TooLong);
        }
        Ok(())
    }

    #[inline(never)]
    fn encrypt(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &mut Block) -> Depth {
        let mut message = self.message();
        let mut depth = Depth::here().max(self.derive(nonce, &mut message));
        depth = depth.max(message.hash(aad)).max(message.hash(data));
        depth = depth.max(message.finish(nonce, aad.len(), data.len(), tag));
        depth.max(message.ctr(&mut Message::<C>::counter(tag), data))
    }

    #[inline(never)]
    fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &Block,
        verified: &mut bool,
    ) -> Depth {
        let mut message = self.message();
        let mut depth = Depth::here().max(self.derive(nonce, &mut message));
        depth = depth.max(message.hash(aad));
        let mut counter = Message::<C>::counter(tag);
        for piece in data.chunks_mut(PIECE) {
            depth = depth.max(message.ctr(&mut counter, piece)).max(message.hash(piece));
        }
        let mut expected = [0; 16];
        depth = depth.max(message.finish(nonce, aad.len(), data.len(), &mut expected));
        *verified = cinder_burn::declassify(expected.ct_eq(tag).unwrap_u8()) == 1;
        if !*verified {
            depth = depth.max(message.ctr(&mut Message::<C>::counter(tag), data));
        }
        depth
    }
}

impl<C: BlockEncrypt<16> + InPlace> InPlace for GcmSiv<C> {
    fn vacant(vacancy: Vacancy) -> Self {
        GcmSiv { cipher: C::vacant(vacancy), len: 16, vacancy }
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        if !matches!(key.len(), 16 | 32) {
            return Err(KeyError::Length.into());
        }
        let depth = self.cipher.rekey(key)?;
        self.len = key.len();
        Ok(depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8452, appendix A, on every kernel: at once, block by block, and what zeros fill.
    #[test]
    fn polyval_of_the_rfc() {
        let h = 0x25629347589242761d31f826ba4b757b_u128.to_be_bytes();
        let x = [
            0x4f4f95668c83dfb6401762bb2d01a262_u128.to_be_bytes(),
            0xd1a24ddd2721d006bbe45f20d3c9f362_u128.to_be_bytes(),
        ];
        for kernel in cinder_ghash::Kernel::available() {
            let mut key = GhashKey::vacant();
            cinder_burn::burn(key.rekey_with_kernel(&subkey(&h), kernel));
            let polyval = |pieces: &[&[u8]]| {
                let mut y = [0; 16];
                for piece in pieces {
                    cinder_burn::burn(key.update_reversed(&mut y, piece));
                }
                u128::from_be_bytes(y)
            };
            let expected = 0xf7a3b47b846119fae5b7866cf5e5b77e;
            assert_eq!(polyval(&[x.as_flattened()]), expected, "{kernel}");
            assert_eq!(polyval(&[&x[0], &x[1]]), expected, "{kernel}");
            let mut long = [7; 16 * 70];
            long[16 * 69 + 3..].fill(0);
            let blocks: [&[u8]; 70] = core::array::from_fn(|i| &long[16 * i..][..16]);
            for count in [1, 4, 5, 8, 16, 17, 33, 64, 65, 70] {
                let text = &long[..16 * count];
                assert_eq!(polyval(&[text]), polyval(&blocks[..count]), "{kernel} {count}");
            }
            assert_eq!(polyval(&[&long[..16 * 69 + 3]]), polyval(&[&long]), "{kernel}");
        }
    }
}
