//! OCB3: T. Krovetz, P. Rogaway: The OCB authenticated-encryption algorithm, RFC 7253.
//!
//! Offset_i = Offset_{i-1} ⊕ L_{ntz(i)}, C_i = E(P_i ⊕ Offset_i) ⊕ Offset_i, and the tag comes from
//! the sum of the plaintext blocks. All blocks are independent, in both directions, so the cipher's
//! widest kernel runs.
//!
//! Constant time: yes, if the cipher is, for messages of one length. (A nonce is public.)

use crate::common::{key, xor};
use crate::{Aead, Error};
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth, InPlace, Refusal, Vacancy};
use cinder_mac::parts::double;
use subtle::ConstantTimeEq;

type Block = [u8; 16];

/// Blocks at a time: covers the widest kernel.
const WIDE: usize = 32;
/// Powers that are kept: L_0 to L_15. Every 2^16th block needs a further one.
const KEPT: usize = 16;

/// OCB3 over a cipher `C` with blocks of 16 bytes, or a reference to one, with tags of `T` bytes, 1
/// to 16.
///
/// A nonce has 1 to 15 bytes. RFC 7253 allows 2^48 blocks under one key.
///
/// ```
/// use cinder_aead::{Aead, Ocb3};
/// use cinder_block::{Aes128, Slot};
///
/// let mut slot = Slot::<Ocb3<Aes128, 16>>::empty();
/// let ocb = slot.init(&[0x42; 16])?;
/// let (mut data, mut tag) = (*b"attack at dawn", [0; 16]);
/// ocb.seal_in_place(&[1; 15], b"header", &mut data, &mut tag)?;
/// # ocb.open_in_place(&[1; 15], b"header", &mut data, &tag)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct Ocb3<C, const T: usize> {
    cipher: C,
    masks: Masks,
}

key!(Ocb3<C, T>);

/// What is computed from the key: L_*, L_$ and the first of L_0, L_1, …
struct Masks {
    star: Block,
    dollar: Block,
    l: [Block; KEPT],
}

impl Drop for Masks {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.star);
        cinder_burn::wipe(&mut self.dollar);
        cinder_burn::wipe(&mut self.l);
    }
}

impl Masks {
    const fn new() -> Self {
        Masks { star: [0; 16], dollar: [0; 16], l: [[0; 16]; KEPT] }
    }

    #[inline(never)]
    fn derive(&mut self, cipher: &impl BlockEncrypt<16>) -> Depth {
        self.star = [0; 16];
        let depth = Depth::here().max(cipher.encrypt_block(&mut self.star));
        self.dollar = self.star;
        double(&mut self.dollar);
        let mut last = self.dollar;
        for l in &mut self.l {
            double(&mut last);
            *l = last;
        }
        depth
    }

    /// Offset_{i-1} becomes Offset_i. `i` counts from 1.
    #[inline(always)]
    fn step(&self, offset: &mut Block, i: u64) {
        let ntz = i.trailing_zeros() as usize;
        match self.l.get(ntz) {
            Some(l) => xor(offset, l),
            None => {
                let mut l = self.l[KEPT - 1];
                for _ in KEPT..=ntz {
                    double(&mut l);
                }
                xor(offset, &l);
            }
        }
    }

    /// The offsets of the next blocks.
    #[inline(always)]
    fn fill(&self, offsets: &mut [Block], last: &mut Block, count: &mut u64) {
        for offset in offsets {
            *count += 1;
            self.step(last, *count);
            *offset = *last;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Encrypt,
    Decrypt,
}

impl<C: BlockEncrypt<16> + BlockDecrypt<16>, const T: usize> Ocb3<C, T> {
    /// OCB3 over a cipher that has its key, or a reference to one; derives the masks.
    pub fn new(cipher: C) -> Self {
        let mut ocb = Self::without_masks(cipher);
        cinder_burn::scope(|| ((), ocb.masks.derive(&ocb.cipher)));
        ocb
    }

    fn without_masks(cipher: C) -> Self {
        const { assert!(T > 0 && T <= 16) };
        Ocb3 { cipher, masks: Masks::new() }
    }

    /// Offset_0 (RFC 7253, section 4.2).
    #[inline(never)]
    fn start(&self, nonce: &[u8], offset: &mut Block) -> Depth {
        let mut top = [0; 16];
        top[0] = ((8 * T % 128) << 1) as u8;
        top[15 - nonce.len()] |= 1;
        top[16 - nonce.len()..].copy_from_slice(nonce);
        let bottom = top[15] & 63;
        top[15] &= !63;
        let depth = Depth::here().max(self.cipher.encrypt_block(&mut top));
        // Stretch is Ktop and 64 bits more; Offset_0 is the 128 bits behind `bottom`, 0 to 63.
        let top = u128::from_be_bytes(top);
        let more = ((top >> 64) ^ (top >> 56)) as u64;
        let stretched = (top << bottom) | (u128::from(more) << bottom >> 64);
        *offset = stretched.to_be_bytes();
        depth
    }

    /// HASH(K, A).
    #[inline(never)]
    fn hash(&self, aad: &[u8], sum: &mut Block) -> Depth {
        let mut depth = Depth::here();
        let (blocks, rest) = aad.as_chunks::<16>();
        let (mut offset, mut count) = ([0; 16], 0);
        let mut scratch = [[0; 16]; WIDE];
        for blocks in blocks.chunks(WIDE) {
            let scratch = &mut scratch[..blocks.len()];
            self.masks.fill(scratch, &mut offset, &mut count);
            xor(scratch.as_flattened_mut(), blocks.as_flattened());
            depth = depth.max(self.cipher.encrypt_blocks(scratch));
            for block in scratch {
                xor(sum, block);
            }
        }
        if !rest.is_empty() {
            xor(&mut offset, &self.masks.star);
            xor(&mut offset, rest);
            offset[rest.len()] ^= 0x80;
            depth = depth.max(self.cipher.encrypt_block(&mut offset));
            xor(sum, &offset);
        }
        depth
    }

    /// Encrypts or decrypts, and computes the tag.
    #[inline(never)]
    fn run(
        &self,
        direction: Direction,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &mut Block,
    ) -> Depth {
        let (mut offset, mut checksum, mut count) = ([0; 16], [0; 16], 0);
        let mut depth = Depth::here().max(self.start(nonce, &mut offset));
        let (blocks, rest) = data.as_chunks_mut();
        depth = depth.max(if blocks.len() <= 4 {
            self.blocks::<4>(direction, blocks, &mut offset, &mut checksum, &mut count)
        } else {
            self.blocks::<WIDE>(direction, blocks, &mut offset, &mut checksum, &mut count)
        });
        if !rest.is_empty() {
            xor(&mut offset, &self.masks.star);
            let mut pad = offset;
            depth = depth.max(self.cipher.encrypt_block(&mut pad));
            if direction == Direction::Encrypt {
                xor(&mut checksum, rest);
            }
            xor(rest, &pad);
            if direction == Direction::Decrypt {
                xor(&mut checksum, rest);
            }
            checksum[rest.len()] ^= 0x80;
        }
        xor(&mut checksum, &offset);
        xor(&mut checksum, &self.masks.dollar);
        depth = depth.max(self.cipher.encrypt_block(&mut checksum));
        *tag = checksum;
        if aad.is_empty() { depth } else { depth.max(self.hash(aad, tag)) }
    }

    #[inline(never)]
    fn blocks<const W: usize>(
        &self,
        direction: Direction,
        blocks: &mut [Block],
        offset: &mut Block,
        checksum: &mut Block,
        count: &mut u64,
    ) -> Depth {
        let mut depth = Depth::here();
        let mut offsets = [[0; 16]; W];
        for blocks in blocks.chunks_mut(W) {
            let offsets = &mut offsets[..blocks.len()];
            self.masks.fill(offsets, offset, count);
            if direction == Direction::Encrypt {
                blocks.iter().for_each(|block| xor(checksum, block));
                depth = depth.max(self.cipher.xex_encrypt(offsets, blocks));
            } else {
                depth = depth.max(self.cipher.xex_decrypt(offsets, blocks));
                blocks.iter().for_each(|block| xor(checksum, block));
            }
        }
        depth
    }
}

impl<C: BlockEncrypt<16> + BlockDecrypt<16>, const T: usize> Aead<T> for Ocb3<C, T> {
    fn check(&self, nonce: usize, _: usize, _: usize) -> Result<(), Error> {
        if (1..=15).contains(&nonce) { Ok(()) } else { Err(Error::NonceLength) }
    }

    #[inline(never)]
    fn encrypt(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &mut [u8; T]) -> Depth {
        let mut whole = [0; 16];
        let depth = self.run(Direction::Encrypt, nonce, aad, data, &mut whole);
        tag.copy_from_slice(&whole[..T]);
        depth.max(Depth::here())
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
        let mut whole = [0; 16];
        let mut depth =
            self.run(Direction::Decrypt, nonce, aad, data, &mut whole).max(Depth::here());
        *verified = cinder_burn::declassify(whole[..T].ct_eq(tag).unwrap_u8()) == 1;
        if !*verified {
            depth = depth.max(self.run(Direction::Encrypt, nonce, aad, data, &mut whole));
        }
        depth
    }
}

impl<C: BlockEncrypt<16> + BlockDecrypt<16> + InPlace, const T: usize> InPlace for Ocb3<C, T> {
    fn vacant(vacancy: Vacancy) -> Self {
        Self::without_masks(C::vacant(vacancy))
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        let result = self.cipher.rekey(key);
        // Of a refusal, too: the cipher may have lost its former key.
        let derived = self.masks.derive(&self.cipher);
        match result {
            Ok(depth) => Ok(depth.max(derived)),
            Err(refusal) => Err(Refusal { depth: refusal.depth.max(derived), ..refusal }),
        }
    }
}
