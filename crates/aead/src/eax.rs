//! EAX: M. Bellare, P. Rogaway, D. Wagner: The EAX mode of operation (2004).
//!
//! OMAC^t(M) is the CMAC of a block that holds the number t, and then M. The message is encrypted
//! in counter mode from OMAC^0(nonce); the tag is OMAC^0(nonce) ⊕ OMAC^1(additional data) ⊕
//! OMAC^2(ciphertext), or its front.
//!
//! Constant time: yes, if the cipher is, for messages of one length.

use crate::common::{SHORT_PIECE, ctr, key, xor};
use crate::{Aead, Error};
use cinder_block::{BlockEncrypt, Depth, InPlace, Refusal, Vacancy};
use cinder_mac::parts::{State, Subkey};
use subtle::ConstantTimeEq;

/// EAX over a cipher `C` with blocks of `N` bytes, 8 or 16, or a reference to one, with tags of `T`
/// bytes. `T` is `N` unless it is given.
///
/// A nonce has any length, 0 too. The tag is checked before anything is decrypted.
///
/// ```
/// use cinder_aead::{Aead, Eax};
/// use cinder_block::{Aes128, Slot};
///
/// let mut slot = Slot::<Eax<Aes128, 16>>::empty();
/// let eax = slot.init(&[0x42; 16])?;
/// let (mut data, mut tag) = (*b"attack at dawn", [0; 16]);
/// eax.seal_in_place(&[1; 16], b"header", &mut data, &mut tag)?;
/// # eax.open_in_place(&[1; 16], b"header", &mut data, &tag)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct Eax<C, const N: usize, const T: usize = N> {
    cipher: C,
    subkey: Subkey<N>,
}

key!(Eax<C, N, T>);

impl<C: BlockEncrypt<N>, const N: usize, const T: usize> Eax<C, N, T> {
    /// EAX over a cipher that has its key, or a reference to one; derives CMAC's subkey.
    pub fn new(cipher: C) -> Self {
        let mut eax = Self::without_subkey(cipher);
        cinder_burn::scope(|| ((), eax.subkey.derive(&eax.cipher)));
        eax
    }

    fn without_subkey(cipher: C) -> Self {
        const { assert!(T > 0 && T <= N) };
        Eax { cipher, subkey: Subkey::new() }
    }

    /// A message under way in OMAC^t.
    #[inline(always)]
    fn omac(&self, t: u8) -> (State<N>, Depth) {
        let mut state = State::new();
        let mut block = [0; N];
        block[N - 1] = t;
        let depth = state.absorb(&self.cipher, &block);
        (state, depth)
    }

    /// OMAC^t of a whole message.
    #[inline(never)]
    fn omac_of(&self, t: u8, message: &[u8], out: &mut [u8; N]) -> Depth {
        let (mut state, depth) = self.omac(t);
        depth.max(Depth::here()).max(state.absorb(&self.cipher, message)).max(state.digest(
            &self.cipher,
            &self.subkey,
            out,
        ))
    }
}

impl<C: BlockEncrypt<N>, const N: usize, const T: usize> Aead<T> for Eax<C, N, T> {
    fn check(&self, _: usize, _: usize, _: usize) -> Result<(), Error> {
        Ok(())
    }

    #[inline(never)]
    fn encrypt(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &mut [u8; T]) -> Depth {
        let (mut counter, mut header, mut sum) = ([0; N], [0; N], [0; N]);
        let (mut state, mut depth) = self.omac(2);
        depth = depth
            .max(Depth::here())
            .max(self.omac_of(0, nonce, &mut counter))
            .max(self.omac_of(1, aad, &mut header));
        xor(&mut header, &counter);
        for piece in data.chunks_mut(SHORT_PIECE) {
            depth = depth
                .max(ctr(&self.cipher, &mut counter, piece))
                .max(state.absorb(&self.cipher, piece));
        }
        depth = depth.max(state.digest(&self.cipher, &self.subkey, &mut sum));
        xor(&mut sum, &header);
        tag.copy_from_slice(&sum[..T]);
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
        let (mut counter, mut header, mut sum) = ([0; N], [0; N], [0; N]);
        let mut depth = Depth::here()
            .max(self.omac_of(0, nonce, &mut counter))
            .max(self.omac_of(1, aad, &mut header))
            .max(self.omac_of(2, data, &mut sum));
        xor(&mut sum, &header);
        xor(&mut sum, &counter);
        *verified = cinder_burn::declassify(sum[..T].ct_eq(tag).unwrap_u8()) == 1;
        if *verified {
            depth = depth.max(ctr(&self.cipher, &mut counter, data));
        }
        depth
    }
}

impl<C: BlockEncrypt<N> + InPlace, const N: usize, const T: usize> InPlace for Eax<C, N, T> {
    fn vacant(vacancy: Vacancy) -> Self {
        Self::without_subkey(C::vacant(vacancy))
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        let result = self.cipher.rekey(key);
        // Of a refusal, too: the cipher may have lost its former key.
        let derived = self.subkey.derive(&self.cipher);
        match result {
            Ok(depth) => Ok(depth.max(derived)),
            Err(refusal) => {
                Err(Refusal { depth: refusal.depth.max(derived), error: refusal.error })
            }
        }
    }
}
