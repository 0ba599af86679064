//! SIV, synthetic initialization vector: D. Harkins, RFC 5297.
//!
//! The tag V is a pseudorandom function (S2V, built on CMAC) of the headers and the plaintext, and
//! the message is encrypted in counter mode from V. So a message that repeats, with its nonce and
//! headers, gives away that it repeats and nothing else; and there may be no nonce at all.
//!
//! Constant time: yes, if the cipher is, for messages of one length.

use crate::common::{ctr, key, xor};
use crate::{Aead, Error};
use cinder_block::{BlockEncrypt, Depth, InPlace, KeyError, Refusal, Vacancy};
use cinder_mac::parts::{State, Subkey, double};
use subtle::ConstantTimeEq;

type Block = [u8; 16];

/// SIV over a cipher `C` with blocks of 16 bytes, with tags of 16 bytes.
///
/// The key is twice as long as the cipher's: the first half is CMAC's, the second counter mode's.
///
/// As an [`Aead`] it takes one header, the additional data, and a nonce of 1 byte at least: the
/// vector (aad, nonce) of RFC 5297, section 3. [`seal_with`](Self::seal_with) takes any vector of
/// headers, and no nonce.
///
/// ```
/// use cinder_aead::{Aead, Siv};
/// use cinder_block::{Aes128, Slot};
///
/// let mut slot = Slot::<Siv<Aes128>>::empty();
/// let siv = slot.init(&[0x42; 32])?;
/// let (mut data, mut tag) = (*b"attack at dawn", [0; 16]);
/// siv.seal_in_place(&[1; 16], b"header", &mut data, &mut tag)?;
/// # siv.open_in_place(&[1; 16], b"header", &mut data, &tag)?;
///
/// // Deterministic: for keys, and for what has to be found again by its ciphertext.
/// siv.seal_with(&[b"table", b"column"], &mut data, &mut tag)?;
/// siv.open_with(&[b"table", b"column"], &mut data, &tag)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct Siv<C> {
    mac: C,
    ctr: C,
    subkey: Subkey<16>,
}

key!(Siv<C>);

impl<C: BlockEncrypt<16>> Siv<C> {
    /// The most headers that a message may have: RFC 5297, section 7.
    pub const MAX_HEADERS: usize = 126;

    /// SIV over two ciphers that have their keys, or references to them: CMAC's and counter mode's.
    pub fn new(mac: C, ctr: C) -> Self {
        let mut siv = Siv { mac, ctr, subkey: Subkey::new() };
        cinder_burn::scope(|| ((), siv.subkey.derive(&siv.mac)));
        siv
    }

    /// Encrypts `data` in place under a vector of headers, and writes the tag.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] if there are more than [`MAX_HEADERS`](Self::MAX_HEADERS). Nothing was
    /// changed.
    pub fn seal_with(
        &self,
        headers: &[&[u8]],
        data: &mut [u8],
        tag: &mut [u8; 16],
    ) -> Result<(), Error> {
        Self::check_headers(headers)?;
        cinder_burn::scope(|| ((), self.encrypt_with(headers, data, tag)));
        Ok(())
    }

    /// Checks the tag and decrypts `data` in place under a vector of headers. While the call is
    /// under way `data` may hold plaintext that is not yet verified.
    ///
    /// # Errors
    ///
    /// [`Error::Unverified`] if the tag is not that of these arguments: then `data` is still the
    /// ciphertext. [`Error::TooLong`] if there are more than [`MAX_HEADERS`](Self::MAX_HEADERS).
    pub fn open_with(
        &self,
        headers: &[&[u8]],
        data: &mut [u8],
        tag: &[u8; 16],
    ) -> Result<(), Error> {
        Self::check_headers(headers)?;
        let mut verified = false;
        cinder_burn::scope(|| {
            let depth = cinder_burn::on_unwind(data, cinder_burn::wipe, |data| {
                self.decrypt_with(headers, data, tag, &mut verified)
            });
            ((), depth)
        });
        if verified { Ok(()) } else { Err(Error::Unverified) }
    }

    fn check_headers(headers: &[&[u8]]) -> Result<(), Error> {
        if headers.len() > Self::MAX_HEADERS { Err(Error::TooLong) } else { Ok(()) }
    }

    /// S2V (RFC 5297, section 2.4) of the headers and the plaintext.
    #[inline(never)]
    fn s2v(&self, headers: &[&[u8]], text: &[u8], v: &mut Block) -> Depth {
        let (mut state, mut d, mut one) = (State::new(), [0; 16], [0; 16]);
        let mut depth = Depth::here().max(state.absorb(&self.mac, &[0; 16])).max(state.digest(
            &self.mac,
            &self.subkey,
            &mut d,
        ));
        for header in headers {
            double(&mut d);
            depth = depth.max(state.absorb(&self.mac, header)).max(state.digest(
                &self.mac,
                &self.subkey,
                &mut one,
            ));
            xor(&mut d, &one);
        }
        if let Some((front, last)) = text.split_last_chunk::<16>() {
            xor(&mut d, last);
            depth = depth.max(state.absorb(&self.mac, front));
        } else {
            double(&mut d);
            xor(&mut d, text);
            d[text.len()] ^= 0x80;
        }
        depth.max(state.absorb(&self.mac, &d)).max(state.digest(&self.mac, &self.subkey, v))
    }

    /// Counter mode from V, of which two bits are cleared, so that no 32-bit addition carries.
    #[inline(always)]
    fn apply(&self, v: &Block, data: &mut [u8]) -> Depth {
        let mut counter = *v;
        counter[8] &= 0x7f;
        counter[12] &= 0x7f;
        ctr(&self.ctr, &mut counter, data)
    }

    #[inline(never)]
    fn encrypt_with(&self, headers: &[&[u8]], data: &mut [u8], tag: &mut Block) -> Depth {
        let depth = Depth::here().max(self.s2v(headers, data, tag));
        depth.max(self.apply(tag, data))
    }

    #[inline(never)]
    fn decrypt_with(
        &self,
        headers: &[&[u8]],
        data: &mut [u8],
        tag: &Block,
        verified: &mut bool,
    ) -> Depth {
        let mut v = [0; 16];
        let mut depth = Depth::here().max(self.apply(tag, data));
        depth = depth.max(self.s2v(headers, data, &mut v));
        *verified = cinder_burn::declassify(v.ct_eq(tag).unwrap_u8()) == 1;
        if !*verified {
            depth = depth.max(self.apply(tag, data));
        }
        depth
    }
}

impl<C: BlockEncrypt<16>> Aead<16> for Siv<C> {
    fn check(&self, nonce: usize, _: usize, _: usize) -> Result<(), Error> {
        if nonce > 0 { Ok(()) } else { Err(Error::NonceLength) }
    }

    fn encrypt(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &mut [u8; 16]) -> Depth {
        self.encrypt_with(&[aad, nonce], data, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8; 16],
        verified: &mut bool,
    ) -> Depth {
        self.decrypt_with(&[aad, nonce], data, tag, verified)
    }
}

impl<C: BlockEncrypt<16> + InPlace> InPlace for Siv<C> {
    fn vacant(vacancy: Vacancy) -> Self {
        Siv { mac: C::vacant(vacancy), ctr: C::vacant(vacancy), subkey: Subkey::new() }
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        let (mac, ctr) = key.split_at(key.len() / 2);
        if mac.len() != ctr.len() {
            return Err(KeyError::Length.into());
        }
        let result = self.mac.rekey(mac).and_then(|depth| Ok(depth.max(self.ctr.rekey(ctr)?)));
        // Of a refusal, too: a cipher may have lost its former key.
        let derived = self.subkey.derive(&self.mac);
        match result {
            Ok(depth) => Ok(depth.max(derived)),
            Err(refusal) => {
                Err(Refusal { depth: refusal.depth.max(derived), error: refusal.error })
            }
        }
    }
}
