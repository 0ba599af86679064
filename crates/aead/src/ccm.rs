//! CCM, counter mode with CBC-MAC: NIST SP 800-38C, RFC 3610; CCM*: IEEE 802.15.4, annex B.
//!
//! The tag is the CBC-MAC of B_0, the additional data and the plaintext, encrypted with the first
//! counter block. B_0 holds the lengths, so the message has to be there in whole when it begins.
//!
//! Constant time: yes, if the cipher is, for messages of one length.

use crate::common::{SHORT_PIECE, ctr, key, xor};
use crate::{Aead, Error};
use cinder_block::{BlockEncrypt, Depth, InPlace, Refusal, Vacancy};
use subtle::ConstantTimeEq;

/// CCM over a cipher `C` with blocks of 16 bytes, or a reference to one, with tags of `T` bytes: 4,
/// 6, 8, 10, 12, 14 or 16.
///
/// A nonce has 7 to 13 bytes, and the longer it is, the shorter the message: 15 less the nonce's
/// bytes hold the message's length, so that a nonce of 13 bytes allows 65535.
///
/// `T` of 0 is the form of CCM* that encrypts without a tag. **It authenticates nothing**; every
/// ciphertext opens.
///
/// ```
/// use cinder_aead::{Aead, Ccm};
/// use cinder_block::{Aes128, Slot};
///
/// let mut slot = Slot::<Ccm<Aes128, 16>>::empty();
/// let ccm = slot.init(&[0x42; 16])?;
/// let (mut data, mut tag) = (*b"attack at dawn", [0; 16]);
/// ccm.seal_in_place(&[1; 12], b"header", &mut data, &mut tag)?;
/// # ccm.open_in_place(&[1; 12], b"header", &mut data, &tag)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct Ccm<C, const T: usize> {
    cipher: C,
}

key!(Ccm<C, T>);

impl<C: BlockEncrypt<16>, const T: usize> Ccm<C, T> {
    /// CCM over a cipher that has its key, or a reference to one.
    pub const fn new(cipher: C) -> Self {
        const { assert!(T <= 16 && T != 2 && T.is_multiple_of(2)) };
        Ccm { cipher }
    }

    /// B_0 (SP 800-38C, A.2.1) and, from its front, the counter block of a number (A.3).
    fn blocks(nonce: &[u8], has_aad: bool, len: usize) -> ([u8; 16], [u8; 16]) {
        let mut first = [0; 16];
        // The length in q bytes, big endian, at the end.
        let q = 15 - nonce.len();
        first[8..].copy_from_slice(&(len as u64).to_be_bytes());
        first[1..=nonce.len()].copy_from_slice(nonce);
        let mut counter = first;
        counter[0] = q as u8 - 1;
        counter[16 - q..].fill(0);
        first[0] = 0x40 * u8::from(has_aad) + 8 * (T.saturating_sub(2) / 2) as u8 + (q as u8 - 1);
        (first, counter)
    }

    /// CBC-MAC of B_0 and the additional data, behind its length and padded with zeros.
    #[inline(never)]
    fn begin(&self, mac: &mut [u8; 16], first: &[u8; 16], aad: &[u8]) -> Depth {
        let mut depth = Depth::here().max(self.cipher.cbc_mac(mac, &[*first]));
        if aad.is_empty() {
            return depth;
        }
        let mut block = [0; 16];
        // SP 800-38C, A.2.2: two bytes, or FF FE and four, or FF FF and eight.
        let len = (aad.len() as u64).to_be_bytes();
        let head = match aad.len() as u64 {
            0..0xff00 => {
                block[..2].copy_from_slice(&len[6..]);
                2
            }
            0xff00..0x1_0000_0000 => {
                block[..2].copy_from_slice(&[0xff, 0xfe]);
                block[2..6].copy_from_slice(&len[4..]);
                6
            }
            _ => {
                block[..2].copy_from_slice(&[0xff, 0xff]);
                block[2..10].copy_from_slice(&len);
                10
            }
        };
        let (front, rest) = aad.split_at(aad.len().min(16 - head));
        block[head..][..front.len()].copy_from_slice(front);
        depth = depth.max(self.cipher.cbc_mac(mac, &[block]));
        depth.max(self.absorb(mac, rest))
    }

    /// CBC-MAC of whole blocks, the last padded with zeros.
    #[inline(never)]
    fn absorb(&self, mac: &mut [u8; 16], data: &[u8]) -> Depth {
        let (blocks, rest) = data.as_chunks();
        let mut depth = Depth::here().max(self.cipher.cbc_mac(mac, blocks));
        if !rest.is_empty() {
            xor(mac, rest);
            depth = depth.max(self.cipher.encrypt_block(mac));
        }
        depth
    }

    /// The tag's mask, E(Ctr_0), and the counter block of the message.
    #[inline(always)]
    fn mask(&self, counter: &mut [u8; 16], mac: &mut [u8; 16]) -> Depth {
        let mut mask = *counter;
        let depth = self.cipher.encrypt_block(&mut mask);
        xor(mac, &mask);
        counter[15] = 1;
        depth
    }
}

impl<C: BlockEncrypt<16>, const T: usize> Aead<T> for Ccm<C, T> {
    fn check(&self, nonce: usize, _: usize, data: usize) -> Result<(), Error> {
        if !(7..=13).contains(&nonce) {
            return Err(Error::NonceLength);
        }
        // Messages have less than 2^(8q) bytes; a `usize` holds no more than 2^64.
        let q = 15 - nonce;
        if q < 8 && data as u64 >> (8 * q) != 0 {
            return Err(Error::TooLong);
        }
        Ok(())
    }

    #[inline(never)]
    fn encrypt(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &mut [u8; T]) -> Depth {
        let (first, mut counter) = Self::blocks(nonce, !aad.is_empty(), data.len());
        let (mut mac, mut mask) = ([0; 16], [0; 16]);
        let mut depth = Depth::here().max(self.mask(&mut counter, &mut mask));
        if T > 0 {
            depth = depth.max(self.begin(&mut mac, &first, aad));
        }
        for piece in data.chunks_mut(SHORT_PIECE) {
            if T > 0 {
                depth = depth.max(self.absorb(&mut mac, piece));
            }
            depth = depth.max(ctr(&self.cipher, &mut counter, piece));
        }
        xor(&mut mac, &mask);
        tag.copy_from_slice(&mac[..T]);
        depth
    }

    #[inline(never)]
    fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8; T],
        verified: &mut bool,
    ) -> Depth {
        let (first, mut counter) = Self::blocks(nonce, !aad.is_empty(), data.len());
        let (mut mac, mut mask) = ([0; 16], [0; 16]);
        let mut depth = Depth::here().max(self.mask(&mut counter, &mut mask));
        let start = counter;
        if T > 0 {
            depth = depth.max(self.begin(&mut mac, &first, aad));
        }
        for piece in data.chunks_mut(SHORT_PIECE) {
            depth = depth.max(ctr(&self.cipher, &mut counter, piece));
            if T > 0 {
                depth = depth.max(self.absorb(&mut mac, piece));
            }
        }
        xor(&mut mac, &mask);
        *verified = cinder_burn::declassify(mac[..T].ct_eq(tag).unwrap_u8()) == 1;
        if !*verified {
            counter = start;
            depth = depth.max(ctr(&self.cipher, &mut counter, data));
        }
        depth
    }
}

impl<C: BlockEncrypt<16> + InPlace, const T: usize> InPlace for Ccm<C, T> {
    fn vacant(vacancy: Vacancy) -> Self {
        Self::new(C::vacant(vacancy))
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.cipher.rekey(key)
    }
}
